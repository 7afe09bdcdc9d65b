"""Small puzzles, kernels called the way the package calls them, and the command line."""

import subprocess
import sys

import numpy as np

from jigsolve._kernels import crossover, growing
from jigsolve._kernels.costs import grid_from_neighbours, neighbours_from_grid
from jigsolve._kernels.phases import NO_PHASE
from jigsolve.measures import DISSIMILARITY
from jigsolve.parallel import crew
from jigsolve.seams import SeamTable


def random_pieces(rng, n, height=3, width=3, levels=256):
    """Pieces of noise; few levels make many equal costs."""
    values = rng.integers(0, levels, (n, height, width, 3)) * (255 // max(levels - 1, 1))
    return values.astype(np.uint8)


def table_of(pieces, candidates=8, threads=1, measure=DISSIMILARITY):
    with crew(threads) as hands:
        sides = measure.borders(pieces)
        return SeamTable.build(sides, candidates, hands, rule=measure.rule)


def neighbour_table(arrangement):
    grid = np.asarray(arrangement, np.int32)
    table = np.empty((grid.size, 4), np.int32)
    neighbours_from_grid(grid.ravel(), *grid.shape, 0, 0, table)
    return table


def arrangement_of(table, rows, columns):
    grid = np.empty(rows * columns, np.int32)
    grid_from_neighbours(table, rows, columns, grid)
    return grid.reshape(rows, columns).tolist()


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
    )


def grow(table, crossover_rules, mother, father, seed=0):
    """Grow one child; return it, its cost, the pieces in order and their phases' names."""
    n = crossover_rules.rows * crossover_rules.columns
    work = growing.workspace(n)
    crossover.seed_stream(work.stream, seed, 1, 0)
    child = np.empty((n, 4), np.int32)
    parents = neighbour_table(mother), neighbour_table(father)
    cost = crossover.grow_child(table.arrays, crossover_rules, work, *parents, -1, child)
    arrangement = arrangement_of(child, crossover_rules.rows, crossover_rules.columns)
    names = [growing.PHASE_NAMES[phase] for phase in work.phases]
    return arrangement, cost, work.placed.tolist(), names


def jigsolve(*arguments, cwd=None):
    """Run the command line as a user does."""
    return subprocess.run(
        [sys.executable, "-m", "jigsolve", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=120,
        check=False,
    )
