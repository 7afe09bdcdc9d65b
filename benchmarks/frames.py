"""How long the studio's page takes for a frame while a solve sends it live boards.

    python benchmarks/frames.py [--pieces 805 5015 30745 122980]

The real server, with a puzzle of 28-pixel pieces cut from the photograph that ships with jigsolve
(enlarged), and something that sends what a solve sends, as often: how far it is, its cost, and
the arrangement. The page runs in Chromium with software rendering, 1440 by 900 pixels. The view is
panned a little in every frame, so that every frame is drawn; a frame ends when its pixels can be
read. Milliseconds of a frame, script and drawing: median and 95th percentile on this machine, as
busy as it is, and CPU time of the page's and the drawing process, which uses all cores. Memory in
MB: JavaScript's heap, the drawing process, the server.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import math
import multiprocessing
import secrets
import shutil
import socket
import statistics
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import uvicorn
from machine import describe_machine
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from jigsolve.core import Board
from jigsolve.detect.sources import Source
from jigsolve.io.demo import demo_photo
from jigsolve.studio.app import make_app
from jigsolve.studio.desk import packed
from jigsolve.studio.engine import BOARDS_A_SECOND, LARGE, LARGE_BOARDS_A_SECOND, RUNS_A_SECOND
from jigsolve.studio.guard import Guard
from jigsolve.studio.kept import keep_source
from jigsolve.studio.projects import Project
from jigsolve.studio.runs import Run
from jigsolve.studio.studio import Studio

PIECE = 28
BOARDS = {805: (35, 23), 5015: (85, 59), 30745: (215, 143), 122980: (430, 286)}
FRAMES = 60
SOFTWARE = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
MEASURE = """async ([zoom, frames]) => {
  const { camera, measure, fit, oneToOne, changed } = window.studio;
  fit();
  if (zoom === "one to one") oneToOne();
  measure.on = true;
  measure.times.length = 0;
  await new Promise((done) => {
    const step = () => {
      if (measure.times.length >= frames) return done();
      camera.pan(measure.times.length % 2 ? 3 : -3, 0);
      changed();
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  measure.on = false;
  return measure.times;
}"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pieces", type=int, nargs="+", choices=[*BOARDS], default=[*BOARDS])
    asked = parser.parse_args()
    print(describe_machine())
    print("| pieces | view | ms, median | 95 % | CPU ms | heap MB | drawing MB | server MB |")
    print("|---:|---|---:|---:|---:|---:|---:|---:|")
    for pieces in asked.pieces:
        measure(pieces)


def measure(pieces: int) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(pieces, Path(folder)) as (address, pid),
        sync_playwright() as playwright,
    ):
        chromium = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=SOFTWARE)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(address)
        page.locator(".recent a").click()
        while not page.evaluate("window.studio?.loaded()"):
            page.wait_for_timeout(100)
        page.wait_for_selector(".curve svg")  # live updates have arrived
        for view in ("whole board", "one to one"):
            before = spent("gpu-process") + spent("renderer")
            drawn = page.evaluate(MEASURE, [view, FRAMES])
            cpu = spent("gpu-process") + spent("renderer") - before
            row = [f"{pieces:,}", view, f"{statistics.median(drawn):.0f}"]
            row += [f"{np.percentile(drawn, 95):.0f}", f"{1000 * cpu / FRAMES:.0f}"]
            row += [f"{heap(page):.0f}", f"{drawing():.0f}"]
            row += [f"{psutil.Process(pid).memory_info().rss / 1e6:.0f}"]
            print(f"| {' | '.join(row)} |", flush=True)
        browser.close()


def heap(page: Page) -> float:
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(each["value"] for each in metrics if each["name"] == "JSHeapUsedSize") / 1e6


def processes(kind: str) -> list[psutil.Process]:
    """Return Chromium's processes of a kind."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if f"--type={kind}" in process.cmdline():
                found.append(process)
    return found


def spent(kind: str) -> float:
    """Seconds of CPU time."""
    return sum(sum(process.cpu_times()[:2]) for process in processes(kind))


def drawing() -> float:
    """Memory of the process that draws, which holds the textures."""
    return sum(process.memory_info().rss for process in processes("gpu-process")) / 1e6


@contextlib.contextmanager
def serving(pieces: int, folder: Path) -> Any:
    here, there = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=serve, args=(pieces, folder, there)
    )
    process.start()
    try:
        yield here.recv(), process.pid
    finally:
        process.terminate()
        process.join()


def serve(pieces: int, folder: Path, pipe: Connection) -> None:
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    port, token = listening.getsockname()[1], secrets.token_urlsafe()
    tasks = []

    def studio() -> Studio:
        made = Studio(folder)
        project = add_puzzle(made, *BOARDS[pieces])
        tasks.append(asyncio.get_running_loop().create_task(pretend_to_solve(project)))
        return made

    guard = Guard(make_app(studio), ["127.0.0.1"], port, token, secrets.token_urlsafe())
    pipe.send(f"http://127.0.0.1:{port}/?token={token}")
    config = uvicorn.Config(guard, ws="websockets-sansio", log_config=None, access_log=False)
    uvicorn.Server(config).run(sockets=[listening])


def add_puzzle(studio: Studio, columns: int, rows: int) -> Project:
    enlarged = Image.fromarray(demo_photo()).resize((columns * PIECE, rows * PIECE))
    cells = np.asarray(enlarged).reshape(rows, PIECE, columns, PIECE, 3).swapaxes(1, 2)
    pieces = np.ascontiguousarray(cells).reshape(-1, PIECE, PIECE, 3)
    project = studio.shelf.add("frames")
    keep_source(project.folder, Source(pieces, None, Board(rows, columns), ()))
    detection = {"piece": [PIECE, PIECE], "start": [0, 0], "gap": 0, "board": [columns, rows]}
    detection |= {"turns": "none", "pictures": 1, "confidence": 1, "message": ""}
    source = {"kind": "picture", "width": columns * PIECE, "height": rows * PIECE, "files": 1}
    studio._cut(project, detection | {"alternatives": []}, pieces.shape, None, source)
    project.record(facts={"stage": "solving"})
    return project


async def pretend_to_solve(project: Project) -> None:
    """Send what a solve sends, as often as one does."""
    project.run = Run("solve")
    board = project.state.desk.pictures[0]
    often = BOARDS_A_SECOND if len(board.cells) <= LARGE else LARGE_BOARDS_A_SECOND
    rng = np.random.default_rng(0)
    for tick in range(10**6):
        seconds, cost = tick / RUNS_A_SECOND, 1000 * (1 + math.exp(-tick / 300))
        progress = {"stage": "evolution", "done": tick, "total": 10**6, "rate": 10.0, "left": 60.0}
        messages: list[dict[str, Any]] = [
            {"kind": "run", **progress},
            {"kind": "cost", "seconds": seconds, "cost": cost},
        ]
        if tick % (RUNS_A_SECOND // often) == 0:
            cells = board.cells.copy()
            moved = rng.permutation(len(cells))[: len(cells) // 5]
            cells[np.sort(moved)] = cells[moved]
            messages.append({"kind": "arranged", "picture": 0, "cells": packed(cells)})
            messages[-1] |= {"cost": cost, "rows": board.rows, "columns": board.columns}
        for message in messages:
            project.run.hear(message)
            project.hub.tell(message)
        await asyncio.sleep(1 / RUNS_A_SECOND)


if __name__ == "__main__":
    main()
