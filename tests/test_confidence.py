"""How likely seams and pieces are right."""

import json

import numpy as np
import pytest
from skimage import data

from jigsolve import Puzzle, Settings, solve
from jigsolve._kernels.costs import FAR
from jigsolve.scores.scores import wrong_seams
from jigsolve.seams.confidence import DAMAGED, WHOLE, confidence_of, features, piece_confidence


@pytest.mark.parametrize("weights", [WHOLE, DAMAGED])
def test_cheap_seams_are_likely_right_and_none_is_certain(weights):
    found = []
    for cost in (0.0, 0.1, 1.0, 4.0, 12.0):
        across, down = np.full((3, 3), cost, np.float32), np.full((2, 4), cost, np.float32)
        found.append(confidence_of(across, down, weights).right[1, 1])
    assert (np.diff(found) < 0).all()
    assert found[0] > 0.99
    assert 0 < found[-1] < 0.1


@pytest.mark.parametrize("weights", [WHOLE, DAMAGED])
def test_a_cheap_seam_among_doubtful_ones_is_less_likely_right(weights):
    across, down = np.full((4, 4), 9.0, np.float32), np.full((3, 5), 9.0, np.float32)
    across[1, 1] = 0.5
    among_doubtful = confidence_of(across, down, weights).right[1, 1]
    across, down = np.full((4, 4), 0.5, np.float32), np.full((3, 5), 0.5, np.float32)
    assert among_doubtful < confidence_of(across, down, weights).right[1, 1] - 0.1


@pytest.mark.parametrize("weights", [WHOLE, DAMAGED])
def test_a_dearer_seam_is_never_more_likely_right(weights):
    assert (weights[1:] <= 0).all()


def naive_around(across, down, row, column):
    """Mean root of the seams that close a square with the one right of (row, column)."""
    found = []
    for other in (row - 1, row + 1):
        if 0 <= other < len(across):
            upper = min(row, other)
            seams = across[other, column], down[upper, column], down[upper, column + 1]
            found += [np.sqrt(min(cost, FAR)) for cost in seams if not np.isnan(cost)]
    return np.mean(found) if found else None


@pytest.mark.parametrize(("rows", "columns"), [(4, 5), (1, 6), (6, 1), (2, 2)])
def test_features_beside_a_slow_count(rows, columns):
    rng = np.random.default_rng(rows * 10 + columns)
    across = rng.uniform(0, 30, (rows, columns - 1)).astype(np.float32)
    down = rng.uniform(0, 30, (rows - 1, columns)).astype(np.float32)
    if (rows, columns) == (4, 5):
        across[1, 2] = down[1, 2] = np.nan
    right, below = features(across, down)
    everything = np.concatenate([across.ravel(), down.ravel()])
    usual = np.nanmean(np.sqrt(np.minimum(everything, FAR)))
    for grid, costs, turned in ((right, across, False), (below, down, True)):
        for (row, column), cost in np.ndenumerate(costs):
            if np.isnan(cost):
                continue
            seams = (down.T, across.T, column, row) if turned else (across, down, row, column)
            beside = naive_around(*seams)
            root = np.sqrt(min(cost, FAR))
            beside = usual if beside is None else beside
            expected = [1, root, cost > FAR, beside, usual]
            np.testing.assert_allclose(grid[row, column], expected, rtol=1e-5)


def test_a_piece_is_as_sure_as_its_seams_on_average():
    across, down = np.array([[0.5, 0.9], [0.1, 0.3]]), np.array([[0.8, 0.2, 0.6]])
    expected = [
        [(0.5 + 0.8) / 2, (0.5 + 0.9 + 0.2) / 3, (0.9 + 0.6) / 2],
        [(0.1 + 0.8) / 2, (0.1 + 0.3 + 0.2) / 3, (0.3 + 0.6) / 2],
    ]
    np.testing.assert_allclose(piece_confidence(across, down), expected)
    assert np.isnan(piece_confidence(np.empty((1, 0)), np.empty((0, 1)))).all()
    across[0, 0] = np.nan  # beside an empty cell
    assert piece_confidence(across, down)[0, :2] == pytest.approx([0.8, (0.9 + 0.2) / 2])


def test_a_solution_knows_where_it_is_unsure():
    puzzle, truth = Puzzle.cut(data.rocket()[:308, :476], 12).shuffle(3)
    solution = solve(puzzle, Settings.of(population=40, generations=10, annealing=100))
    stated = solution.confidence()
    wrong = np.concatenate([w.ravel() for w in wrong_seams(puzzle, solution.arrangement, truth)])
    said = np.concatenate([stated.right.ravel(), stated.below.ravel()])
    assert said[~wrong].mean() > said[wrong].mean() + 0.1
    sure = said > 0.97
    assert wrong[sure].mean() < 0.05 < wrong[~sure].mean()
    record = json.loads(solution.as_json())["confidence"]
    assert record["pieces"] == pytest.approx(stated.pieces.ravel().tolist(), abs=1e-4)


def test_other_measures_state_none():
    puzzle, _ = Puzzle.cut(data.chelsea(), 56).shuffle(1)
    settings = Settings.of(measure="mgc", population=10, generations=1)
    solution = solve(puzzle, settings)
    assert solution.confidence() is None
    assert json.loads(solution.as_json())["confidence"] is None
