from importlib.resources import files
from types import SimpleNamespace

import naive
import numpy as np
import pytest
from helpers import seam_table
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from jigsolve import Puzzle
from jigsolve._kernels import cuts as kernels
from jigsolve._kernels.costs import FAR
from jigsolve._kernels.site import OUTSIDE
from jigsolve.assembly import cuts, segments
from jigsolve.assembly.segments import kept_together
from jigsolve.core.poses import poses_of
from jigsolve.execution.crew import crew
from jigsolve.measures import LEARNED


def layout_of(part, across, down, room):
    rows, columns = part.shape
    padded = np.pad(part.astype(np.int32), 1, constant_values=OUTSIDE)
    firm = np.zeros((2, rows + 2, columns + 2))
    firm[0, 1:-1, 1:-2] = across
    firm[1, 1:-2, 1:-1] = down
    return kernels.Parts(
        width=columns + 2,
        part=padded.ravel(),
        across=firm[0].ravel(),
        down=firm[1].ravel(),
        state=np.empty(padded.size, np.int64),
        pull=np.empty(padded.size),
        tried=np.empty(padded.size, np.bool_),
        group=np.empty(room, np.int32),
        heap=np.empty(4 * room + 1, np.int32),
        keys=np.empty(4 * room + 1),
    )


@settings(max_examples=150)
@given(
    st.integers(1, 9),
    st.integers(1, 9),
    st.integers(1, 90),
    st.sampled_from([-6.0, -1.0, 0.0]),
    st.sampled_from([0, 20, 10**6]),
    st.integers(0, 10**6),
)
def test_groups_are_cut_off_as_by_hand(rows, columns, room, weak, visits, seed):
    rng = np.random.default_rng(seed)
    part = rng.choice([-1, 0, 1], (rows, columns), p=[0.1, 0.7, 0.2])
    # Whole halves: sums are exact in any order.
    across = rng.integers(-6, 7, (rows, columns - 1)) / 2
    down = rng.integers(-6, 7, (rows - 1, columns)) / 2
    layout = layout_of(part, across, down, room)
    seeds = [tuple(map(int, divmod(cell, columns))) for cell in rng.permutation(part.size)]
    numbers = np.array([(r + 1) * (columns + 2) + c + 1 for r, c in seeds], np.int32)
    made = kernels.cut_groups(layout, numbers, weak, visits, 2)
    found = layout.part.reshape(rows + 2, columns + 2)[1:-1, 1:-1]
    sizes = kernels.SMALLEST, kernels.ALIKE
    expected = naive.cut_groups(part, across, down, seeds, weak, visits, room, *sizes, 2)
    np.testing.assert_array_equal(found, expected)
    assert made == max(expected.max(), 1) - 1


def arranged(across, down):
    """Return what is asked of a seam table, with these costs, and the arrangement."""
    grid = np.random.default_rng(5).permutation(across.shape[0] * down.shape[1])
    table = SimpleNamespace(
        costs_are_logarithms=True,
        pieces=grid.size,
        board_costs=lambda arrangement: (across, down),
    )
    return table, grid.reshape(len(across), down.shape[1])


@pytest.mark.parametrize(
    ("along_the_border", "parts"), [(3.0, 1), (FAR, 2), (FAR + 2.0, 2)], ids=str
)
def test_two_seams_that_fit_by_chance_do_not_hold_two_halves_together(along_the_border, parts):
    across, down = np.full((12, 19), 0.1), np.full((11, 20), 0.1)
    across[:, 9] = along_the_border
    across[4:6, 9] = 0.6
    table, grid = arranged(across, down)
    part = cuts.cut_apart(table, poses_of(grid), np.full(grid.size, 7, np.int32))
    assert len(np.unique(part)) == parts
    assert len(np.unique(part[grid[:, :10]])) == len(np.unique(part[grid[:, 10:]])) == 1


def test_the_borders_of_parts_and_of_holes_are_not_asked():
    across, down = np.full((12, 19), 0.1), np.full((11, 20), 0.1)
    across[:, 9] = FAR + 2.0
    table, grid = arranged(across, down)
    part = np.empty(grid.size, np.int32)
    part[grid[:, :10]], part[grid[:, 10:]] = 3, 4
    assert cuts.cut_apart(table, poses_of(grid), part) is part
    # A hole all around a group, whose seams hold nothing: the group is a part already.
    part[:] = 3
    across[:, 9] = 0.1
    for costs, cells in ((across, np.s_[2:8, 2:9]), (down, np.s_[2:8, 3:9])):
        costs[cells] = FAR + 2.0
    hole = np.zeros(grid.shape, bool)
    hole[3:8, 3:9] = True
    strays = grid[hole]
    grid[hole] = -1
    assert cuts.cut_apart(table, poses_of(grid), part) is part
    assert (part[strays] == 3).all()
    # Without it the same seams take apart what is around them.
    grid[hole] = strays
    assert len(np.unique(cuts.cut_apart(table, poses_of(grid), part))) > 1


def test_parts_do_not_reach_over_what_was_cut(monkeypatch):
    picture = Image.open(files("jigsolve") / "data" / "coffee.jpg").convert("RGB")
    puzzle, truth = Puzzle.cut(np.asarray(picture)[:224, :336], 28).shuffle(seed=2)
    left, right = truth[:, :6].ravel(), truth[:, 6:].ravel()

    def in_two(table, arrangement, part):
        after = part.copy()
        after[right] += table.pieces
        return after

    with crew(1) as hands:
        table = seam_table(puzzle, np.arange(len(puzzle)), LEARNED, 32, hands)
        whole = kept_together(table, puzzle.board, hands, poses_of(truth))
        monkeypatch.setattr(segments, "cut_apart", in_two)
        divided = kept_together(table, puzzle.board, hands, poses_of(truth))
    assert set(whole[left]) & set(whole[right])
    assert not set(divided[left]) & set(divided[right])
