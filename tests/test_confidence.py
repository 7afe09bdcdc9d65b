"""How likely seams and pieces are right."""

import json

import numpy as np
import pytest
from skimage import data

from jigsolve import Puzzle, Settings, solve
from jigsolve._kernels.costs import FAR
from jigsolve.confidence import piece_confidence, seam_confidence
from jigsolve.scores import wrong_seams


def test_cheap_seams_are_likely_right_and_none_is_certain():
    found = seam_confidence(np.array([0.0, 0.1, 1.0, 4.0, FAR, FAR + 1], np.float32))
    assert (np.diff(found[:4]) < 0).all()
    assert found[0] > 0.99
    assert ((found > 0) & (found < 1)).all()


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
    puzzle, truth = Puzzle.cut(data.rocket(), 12).shuffle(3)
    solution = solve(puzzle, Settings(population=40, generations=10))
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
    settings = Settings(measure="mgc", population=10, generations=1)
    solution = solve(puzzle, settings)
    assert solution.confidence() is None
    assert json.loads(solution.as_json())["confidence"] is None
