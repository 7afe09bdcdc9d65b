"""What a solve costs in the studio: CPU time against the command line, and memory of the server.

    python benchmarks/studio.py DATA/sholomon_5015/03.jpg

A picture is cut and shuffled, then solved in turns by `jigsolve solve`, which also reads and writes
pictures, by a process that has the pieces and does nothing but solve, and by the studio, with a
page's WebSocket listening. In the studio the process of the solve is counted, and the server.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import psutil
from PIL import Image

from jigsolve import Puzzle

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "studio"))

from clients import Client, Server

BARE = """
import numpy, jigsolve
board = jigsolve.Board(*{board})
jigsolve.solve(jigsolve.Puzzle(numpy.load("pieces.npy"), board))
"""


def cpu_of(command: list[str], folder: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], cwd=folder, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def opened(client: Client, shuffled: np.ndarray, piece: int) -> str:
    project = client.post("/api/projects", {"name": "benchmark"})["id"]
    file = io.BytesIO()
    Image.fromarray(shuffled).save(file, "PNG")
    client.ask("PUT", f"/api/projects/{project}/files/0", file.getvalue())
    client.post(f"/api/projects/{project}/read")
    client.wait_for(project, "grid")
    height, width = shuffled.shape[:2]
    board = [width // piece, height // piece]
    grid = {"piece": [piece, piece], "start": [0, 0], "gap": 0, "board": board, "turns": "none"}
    client.post(f"/api/projects/{project}/grid", grid)
    client.ask("GET", f"/api/projects/{project}/pieces/0")
    return str(project)


def cpu_of_studio(server: Server, client: Client, project: str) -> tuple[float, float, int]:
    """Return CPU seconds of the solve's process and of the server, and messages heard."""
    process = psutil.Process(server.process.pid)
    before, heard = process.cpu_times(), 0
    with client.listen(project, 10**9) as socket:
        client.post(f"/api/projects/{project}/solve")
        while json.loads(socket.recv(timeout=3600))["kind"] != "run-ended":
            heard += 1
    after = process.cpu_times()
    solving = after.children_user + after.children_system
    solving -= before.children_user + before.children_system
    serving = after.user + after.system - before.user - before.system
    return solving, serving, heard


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("picture", type=Path)
    parser.add_argument("--piece", type=int, default=28)
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_args()
    puzzle, _ = Puzzle.cut(options.picture, options.piece).shuffle(1)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        shuffled = puzzle.image()
        Image.fromarray(shuffled).save(folder / "puzzle.png")
        np.save(folder / "pieces.npy", puzzle.pieces)
        words = "-m jigsolve solve puzzle.png -o solved.png --quiet --force --piece"
        server = Server(folder / "home")
        try:
            client = server.client()
            process = psutil.Process(server.process.pid)
            print(f"{len(puzzle):,} pieces, {os.cpu_count()} cores")
            print(f"server: {process.memory_info().rss / 1e6:,.0f} MB at the start")
            ratios = []
            for _ in range(options.times):
                project = opened(client, shuffled, options.piece)
                command = cpu_of([*words.split(), str(options.piece)], folder)
                bare = cpu_of(["-c", BARE.format(board=tuple(puzzle.board))], folder)
                solving, serving, heard = cpu_of_studio(server, client, project)
                studio = solving + serving
                ratios.append((studio / command, studio / bare))
                print(
                    f"command {command:.2f} CPU s, solve alone {bare:.2f}, studio {studio:.2f} "
                    f"(solve {solving:.2f}, server {serving:.2f}; {heard} messages)"
                )
                print(f"server: {process.memory_info().rss / 1e6:,.0f} MB after the solve")
            client.ask("GET", f"/api/projects/{project}/doubt")
            print(f"server: {process.memory_info().rss / 1e6:,.0f} MB with doubt loaded")
            to_command, to_bare = np.median(ratios, axis=0)
            print(f"studio: {to_command:.3f} of the command, {to_bare:.3f} of the solve alone")
        finally:
            server.end()


if __name__ == "__main__":
    main()
