"""Small puzzles and pictures, kernels called the way the package calls them, the command line."""

import contextlib
import io
import signal
import subprocess
import sys
from typing import NamedTuple

import numpy as np

from jigsolve import Settings, Stop
from jigsolve._kernels import crossover, growing
from jigsolve._kernels.arrangements import grid_from_neighbours, neighbours_from_grid
from jigsolve._kernels.phases import NO_PHASE
from jigsolve.assembly.keeping import kept_by
from jigsolve.cli.command import run
from jigsolve.core import Board
from jigsolve.core.poses import pieces_of, poses_of
from jigsolve.damage import Places
from jigsolve.execution.crew import crew
from jigsolve.lab.experiment import settings_record
from jigsolve.lab.records import FORMAT
from jigsolve.measures import DISSIMILARITY
from jigsolve.pricing.pricing import priced
from jigsolve.pricing.settings import Pricing
from jigsolve.seams.table import SeamTable
from jigsolve.solvers.genetic.history import Generation


def random_pieces(rng, n, height=3, width=3, levels=256):
    """Pieces of noise; few levels make many equal costs."""
    values = rng.integers(0, levels, (n, height, width, 3)) * (255 // max(levels - 1, 1))
    return values.astype(np.uint8)


def table_of(pieces, candidates=8, threads=1, measure=DISSIMILARITY, turns="none"):
    with crew(threads) as hands:
        sides = measure.borders(pieces, turns=turns)
        return SeamTable.build(sides, candidates, hands, rule=measure.rule, turns=turns)


def neighbour_table(arrangement, turns=None):
    """Return the neighbour table of pieces, and of how they are turned."""
    grid = poses_of(np.asarray(arrangement), turns)
    table = np.empty((grid.size, 4), np.int32)
    neighbours_from_grid(grid.ravel(), *grid.shape, 0, 0, table)
    return table


def poses_in(table, rows, columns, poses=1):
    """Return the arrangement of poses that a neighbour table holds."""
    grid = np.empty(rows * columns, np.int32)
    grid_from_neighbours(table, rows, columns, poses, len(table), grid)
    return grid.reshape(rows, columns)


def arrangement_of(table, rows, columns):
    return pieces_of(poses_in(table, rows, columns)).tolist()


def rules(
    rows,
    columns,
    use=("agreed", "best-buddy", "greedy"),
    mutation=0.0,
    boundaries=1,
    weighed=1,
    own=None,
):
    return crossover.Rules(
        rows=rows,
        columns=columns,
        agreed="agreed" in use,
        buddy="best-buddy" in use,
        greedy="greedy" in use,
        mutation=float(mutation),
        boundaries=boundaries,
        weighed=weighed,
        has_own=own is not None,
        own=own or NO_PHASE,
        kept=kept_by(None, Board(rows, columns)),
    )


def grow(table, crossover_rules, mother, father, seed=0, start=(-1, -1, -1)):
    """Grow one child; return it, its cost, the pieces in order and their phases' names.

    It may be told the first pose, the rows above it and the columns before it.
    """
    work = growing.workspace(crossover_rules.rows * crossover_rules.columns)
    parents = np.stack([neighbour_table(mother), neighbour_table(father)])
    child, cost = grow_table(table, crossover_rules, work, parents, seed, start)
    arrangement = arrangement_of(child, crossover_rules.rows, crossover_rules.columns)
    names = [growing.PHASE_NAMES[phase] for phase in work.phases]
    return arrangement, cost, work.placed.tolist(), names


def grow_table(table, crossover_rules, work, parents, seed=0, start=(-1, -1, -1)):
    """Grow one child of two neighbour tables; return its own and its cost."""
    both, starts = np.array([[0, 1]]), np.array([start])
    child, cost = np.empty_like(parents[:1]), np.empty(1)
    crossover.grow_children(
        table.arrays, crossover_rules, work, seed, 1, parents, both, starts, 0, 1, child, cost
    )
    return child[0], cost[0]


class Done(NamedTuple):
    """What a command came to."""

    returncode: int
    stdout: str
    stderr: str


def jigsolve_apart(*arguments, cwd=None):
    """Run the command line as a user does, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "jigsolve", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=120,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def jigsolve(*arguments, cwd="."):
    """Run the command line without a process of its own, which would take a second to start."""
    told, said = io.StringIO(), io.StringIO()
    interrupt = signal.getsignal(signal.SIGINT)
    streams = contextlib.redirect_stdout(told), contextlib.redirect_stderr(said)
    try:
        with contextlib.chdir(cwd), streams[0], streams[1]:
            code = run(list(map(str, arguments)))
    finally:
        signal.signal(signal.SIGINT, interrupt)  # a command that writes its results ignores it
    return Done(code, told.getvalue(), said.getvalue())


def in_this_process(arguments, folder):
    """Return a command's exit code and complaints."""
    done = jigsolve(*arguments, cwd=folder)
    return done.returncode, done.stderr


def texture(rng, height, width):
    """Waves of all lengths in all directions, with a little noise, in three channels."""
    y, x = np.mgrid[:height, :width]
    picture = np.zeros((height, width, 3))
    for _ in range(12):
        down, across = rng.normal(0, 0.06, 2)
        phases, heights = rng.uniform(0, 6.3, 3), rng.uniform(5, 30, 3)
        picture += np.sin((down * y + across * x)[:, :, None] + phases) * heights
    picture += 128 + rng.normal(0, 1, picture.shape)
    return picture.clip(0, 255).astype(np.uint8)


def laid_out(puzzle, gap=0, border=0, colour=(255, 255, 255), strip=(0, 0)):
    """Lay the pieces of a puzzle out one by one; the strip is filled with a texture."""
    (rows, columns), (height, width) = puzzle.board, puzzle.piece_size
    whole = (rows * (height + gap) - gap, columns * (width + gap) - gap)
    picture = np.full((whole[0] + 2 * border, whole[1] + 2 * border, 3), colour, np.uint8)
    for number, piece in enumerate(puzzle.pieces):
        y = border + number // columns * (height + gap)
        x = border + number % columns * (width + gap)
        picture[y : y + height, x : x + width] = piece
    if not any(strip):
        return picture
    larger = texture(np.random.default_rng(9), whole[0] + strip[0], whole[1] + strip[1])
    larger[: whole[0], : whole[1]] = picture
    return larger


def a_run(image=1, run=0, neighbour=0.9, preset="paper", set_name="cho_432", **changes):
    """Make a record of the lab; all its numbers are different."""
    given = {
        name: changes.pop(name) for name in ("cost", "cpu", "memory", "key") if name in changes
    }
    settings = settings_record(Settings.preset(preset, seed=run, **changes))
    return {
        "format": FORMAT,
        "key": given.get("key", f"{set_name} {image} {run} {preset} {sorted(changes.items())}"),
        "set": set_name,
        "image": image,
        "file": f"{image:02}.png",
        "pieces": 432,
        "board": {"rows": 18, "columns": 24},
        "preset": preset,
        "maker": "0.1.0",
        "changes": {name: settings[name] for name in changes},
        "run": run,
        "settings": settings,
        "scores": {
            "neighbour": neighbour,
            "direct": neighbour**2,
            "neighbour_aware": neighbour + 0.02,
            "direct_aware": neighbour**2 + 0.03,
            "perfect": neighbour > 0.94,
        },
        "ceiling": {"neighbour": 0.97, "direct": 0.96},
        "cost": given.get("cost", 1000.0),
        "true_cost": 1000.0,
        "shift": {"rows": 17, "columns": 1, "share": 0.7},
        "generations": 3,
        "history": {"best": [4000.0, 3040.0, 3040.0, 2720.0, 2688.0], "mean": [], "worst": []},
        "cpu": given.get("cpu", 2.0),
        "wall": 7.0,
        "threads": 1,
        "memory": 2**20 * given.get("memory", 128),
        "command": "jigsolve lab run --sets cho_432",
        "finished": "2026-01-02T03:04:05+00:00",
        "machine": "a machine",
        "cores": 2,
        "versions": {"jigsolve": "0.1.0"},
    }


def grid_places(rows, columns, height, width, gap=0):
    """Return where the pieces of a picture lie, row by row."""
    at = np.arange(rows * columns)
    left, top = at % columns * (width + gap), at // columns * (height + gap)
    cells = np.stack([left, top, left + width, top + height], 1).astype(np.float32)
    extent = columns * (width + gap) - gap, rows * (height + gap) - gap
    return Places(np.stack([left, top], 1), cells, extent)


def seam_table(puzzle, order, measure, candidates, hands, *, traces=True):
    """Price a puzzle's seams as they are numbered."""
    pricing = Pricing(measure=measure.name, candidates=candidates, traces=traces)
    return priced(puzzle, order, pricing, hands).table


def stopping(is_time):
    """Return what makes `solve` stop after the first generation of which something is true."""
    stop = Stop()

    def hear(event):
        if isinstance(event, Generation) and is_time(event):
            stop.ask()

    return {"on_event": hear, "stop": stop}


def hearing(act, kind=Generation):
    """Return what makes `solve` call something with every event of a kind."""
    return {"on_event": lambda event: act(event) if isinstance(event, kind) else None}
