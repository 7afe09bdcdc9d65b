"""A placement as a solution, and what of it holds together."""

import numpy as np
import pytest
from helpers import random_pieces
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from jigsolve import Board, Constraints, InputError, Placement, Puzzle, Settings, solve
from jigsolve.advice import assessed, held_together
from jigsolve.advice.parts import parts_of
from jigsolve.solvers.given import price


@pytest.fixture(scope="module")
def cat():
    puzzle, truth = Puzzle.cut(data.chelsea()[:112, :140], 14).shuffle(3)
    return solve(puzzle, Settings.of(population=12, generations=4, annealing=0)).prepared, truth


def test_it_is_what_pricing_the_arrangement_gives(cat):
    prepared, _ = cat
    arrangement = np.random.default_rng(0).permutation(80).reshape(8, 10)
    mine, theirs = assessed(prepared, arrangement), price(prepared.puzzle, arrangement)
    assert mine.cost == theirs.cost
    assert mine.stopped == theirs.stopped == "given"
    np.testing.assert_array_equal(mine.arrangement, arrangement)
    for one, other in zip(
        (*mine.seam_costs, *mine.confidence()),
        (*theirs.seam_costs, *theirs.confidence()),
        strict=True,
    ):
        np.testing.assert_array_equal(one, other)


def test_empty_cells_have_no_seams(cat):
    prepared, truth = cat
    some = truth.copy()
    some[2:4, 3:6] = -1
    found = assessed(prepared, some)
    across, down = found.seam_costs
    empty = some < 0
    np.testing.assert_array_equal(np.isnan(across), empty[:, 1:] | empty[:, :-1])
    np.testing.assert_array_equal(np.isnan(down), empty[1:] | empty[:-1])
    whole = assessed(prepared, truth)
    np.testing.assert_array_equal(across[~np.isnan(across)], whole.seam_costs[0][~np.isnan(across)])
    assert sorted(found.strays) == sorted(truth[2:4, 3:6].ravel().tolist())
    nothing = assessed(prepared, np.full((8, 10), -1))
    assert nothing.believed() is None
    assert not held_together(nothing, 0, 0).any()
    assert np.isnan(nothing.confidence().right).all()
    found.as_json()
    found.image()


def test_known_seams_are_sure(cat):
    prepared, truth = cat
    swapped = truth.copy()
    swapped[0, 0], swapped[5, 5] = truth[5, 5], truth[0, 0]
    known = Constraints(joined=[(int(swapped[5, 5]), "right", int(swapped[5, 6]))])
    assert assessed(prepared, swapped).confidence().right[5, 5] < 0.9
    assert assessed(prepared, swapped, constraints=known).confidence().right[5, 5] == 1


def test_turned_placements_stay_the_way_up_they_are_given():
    puzzle, truth = Puzzle.cut(data.chelsea()[:112, :140], 14).shuffle(3, turns="quarter")
    prepared = solve(puzzle, Settings.of(population=6, generations=0, annealing=0)).prepared
    over = truth.turned(2)
    for placement in (truth, over):
        found = assessed(prepared, placement)
        np.testing.assert_array_equal(found.arrangement, placement.pieces)
        np.testing.assert_array_equal(found.turns, placement.turns)
    assert assessed(prepared, over).cost == pytest.approx(assessed(prepared, truth).cost)


def flooded(right, below, row, column):
    """Return the cells that seams lead to from one."""
    found, open_cells = {(row, column)}, [(row, column)]
    while open_cells:
        r, c = open_cells.pop()
        beside = []
        if c + 1 < below.shape[1] and right[r, c]:
            beside.append((r, c + 1))
        if c and right[r, c - 1]:
            beside.append((r, c - 1))
        if r + 1 < right.shape[0] and below[r, c]:
            beside.append((r + 1, c))
        if r and below[r - 1, c]:
            beside.append((r - 1, c))
        open_cells += [cell for cell in beside if cell not in found]
        found.update(beside)
    return found


@given(st.integers(0, 2**32), st.integers(1, 9), st.integers(1, 9), st.floats(0.2, 0.9))
@settings(max_examples=150)
def test_parts_are_what_seams_lead_to(seed, rows, columns, share):
    rng = np.random.default_rng(seed)
    right = rng.random((rows, columns - 1)) < share
    below = rng.random((rows - 1, columns)) < share
    part = parts_of(right, below)
    for row, column in np.ndindex(rows, columns):
        members = {tuple(map(int, cell)) for cell in np.argwhere(part == part[row, column])}
        assert members == flooded(right, below, row, column)
        assert part[row, column] == min(r * columns + c for r, c in members)


@pytest.mark.parametrize("least", [0.5, 0.9, 0.99])
def test_what_sure_seams_lead_to_holds_together(cat, least):
    prepared, truth = cat
    wrong = truth.copy()
    wrong[:, :4], wrong[:, 4:8] = truth[:, 4:8], truth[:, :4]
    found = assessed(prepared, wrong)
    confidence = found.confidence()
    expected = flooded(confidence.right >= least, confidence.below >= least, 3, 5)
    mask = held_together(found, 3, 5, least)
    assert {tuple(map(int, cell)) for cell in np.argwhere(mask)} == expected
    assert mask.sum() > 8


def test_without_probabilities_best_buddies_hold_together():
    puzzle, truth = Puzzle.cut(data.chelsea()[:112, :140], 14).shuffle(3)
    chosen = Settings.of(population=6, generations=0, annealing=0, measure="mgc")
    prepared = solve(puzzle, chosen).prepared
    own = prepared.numbers[truth]
    arrays = prepared.plain.arrays
    right = np.zeros((8, 9), bool)
    below = np.zeros((7, 10), bool)
    for row, column in np.ndindex(8, 9):
        one, other = 4 * own[row, column] + 1, 4 * own[row, column + 1]
        right[row, column] = arrays.nearest[one] == other and arrays.nearest[other] == one
    for row, column in np.ndindex(7, 10):
        one, other = 4 * own[row, column] + 3, 4 * own[row + 1, column] + 2
        below[row, column] = arrays.nearest[one] == other and arrays.nearest[other] == one
    mask = held_together(assessed(prepared, truth), 4, 4)
    assert {tuple(map(int, cell)) for cell in np.argwhere(mask)} == flooded(right, below, 4, 4)
    assert mask.sum() > 20


def test_what_is_no_placement_is_refused(cat):
    prepared, truth = cat
    with pytest.raises(InputError, match="placement: expected whole numbers of shape"):
        assessed(prepared, truth[:4])
    with pytest.raises(InputError, match="placement: turns: expected 0"):
        assessed(prepared, Placement(truth, np.ones(truth.shape, int)))
    with pytest.raises(InputError, match="row, column: expected a cell"):
        held_together(assessed(prepared, truth), 8, 0)
    small = Puzzle(random_pieces(np.random.default_rng(0), 2, 4, 4), Board(1, 2))
    single = solve(small, Settings.of(population=6, generations=0, annealing=0))
    assert held_together(single, 0, 0, 0.0).all()
