"""One run of the lab: what it records, against slow oracles."""

import dataclasses

import naive
import numpy as np
import pytest
from helpers import random_pieces
from PIL import Image
from skimage import data

from jigsolve import Board, PieceSize, Puzzle, Settings, solve
from jigsolve.lab import find_images, plan
from jigsolve.lab.trial import _shift, carry_out
from jigsolve.measures import DISSIMILARITY
from jigsolve.scores.scores import strict_ceiling, wrong_seams


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    folder = tmp_path_factory.mktemp("set")
    cat = data.chelsea()
    cat[:84, :84] = 255  # nine identical pieces
    Image.fromarray(cat[:280, :448]).save(folder / "cat.png")
    Image.fromarray(cat[:28]).save(folder / "a.png")
    (task,) = plan(find_images(str(folder), wanted="2"), "paper", [_small()], 1)
    return task, carry_out(task, 1, "a command")


def _small():
    return Settings.preset("paper", population=12, generations=3)


def test_a_record_holds_what_the_run_was(record):
    task, found = record
    assert found["key"] == task.key
    assert found["changes"] == {"population": 12, "generations": 3}
    assert (found["pieces"], found["board"]) == (160, {"rows": 10, "columns": 16})
    assert found["generations"] == 3
    assert [len(costs) for costs in found["history"].values()] == [4, 4, 4]
    assert found["history"]["best"][-1] == pytest.approx(found["cost"], rel=1e-8)
    assert found["settings"]["seed"] == 0
    assert "threads" not in found["settings"]
    assert found["cpu"] > 0
    assert found["memory"] > 10_000_000
    assert found["command"] == "a command"


def test_a_record_is_scored_against_the_truth(record):
    """On noise with identical pieces: nothing is perfect, every score is another."""
    task, found = record
    puzzle, truth = Puzzle.cut(task.image.path, 28).shuffle(task.image.number)
    solution = solve(puzzle, task.settings)
    looks = np.unique(puzzle.pieces.reshape(160, -1), axis=0, return_inverse=True)[1].ravel()
    expected = naive.scores(solution.arrangement.tolist(), truth.tolist(), looks.tolist())
    assert 0 < expected["neighbour"] < 1
    for name, value in expected.items():
        assert found["scores"][name] == pytest.approx(value, abs=1e-6)
    assert found["cost"] == solution.cost
    assert found["true_cost"] != found["cost"]
    moves = [
        (int(r - tr) % 10, int(c - tc) % 16)
        for piece in range(160)
        for (r, c), (tr, tc) in [
            (np.argwhere(solution.arrangement == piece)[0], np.argwhere(truth == piece)[0])
        ]
    ]
    most = max(set(moves), key=moves.count)
    assert found["shift"]["share"] == pytest.approx(moves.count(most) / 160, abs=1e-6)
    assert moves.count((found["shift"]["rows"], found["shift"]["columns"])) == moves.count(most)
    assert found["ceiling"]["direct"] == pytest.approx(len(set(looks.tolist())) / 160, abs=1e-6)
    assert found["ceiling"]["neighbour"] < found["ceiling"]["direct"] < 1
    assert found["cpu"] == pytest.approx(sum(found["stages"].values()), abs=0.01)
    assert "kernels" not in found["stages"]


def test_the_cost_of_the_truth_is_that_of_the_right_picture(record):
    task, found = record
    borders = DISSIMILARITY.borders(Puzzle.cut(task.image.path, 28).pieces)
    seams = [(p, 1, p + 1) for p in range(160) if p % 16 < 15]
    seams += [(p, 3, p + 16) for p in range(144)]
    cost = sum(float(naive.border_cost(borders, *seam)) for seam in seams)
    assert found["true_cost"] == pytest.approx(cost, rel=1e-5)


def test_the_same_task_has_the_same_key_and_another_another(tmp_path):
    Image.new("RGB", (60, 60)).save(tmp_path / "a.png")
    images = find_images(str(tmp_path))
    tasks = plan(images, "default", [Settings(), Settings.of(mutation=0.5)], 2)
    assert len({task.key for task in tasks}) == 4
    again = plan(images, "default", [Settings.of(threads=3), Settings.of(mutation=0.5)], 2)
    assert [task.key for task in again] == [task.key for task in tasks]
    assert [task.settings.seed for task in tasks] == [0, 0, 1, 1]
    assert plan([images[0], images[0]], "default", [Settings()], 1) == tasks[:1]
    for change in (
        {"set_name": "x"},
        {"path": tmp_path / "b.png"},
        {"pixels": "x"},
        {"number": 2},
        {"piece": PieceSize(28, 27)},
    ):
        (other,) = plan([dataclasses.replace(images[0], **change)], "default", [Settings()], 1)
        assert other.key != tasks[0].key, change
    assert [task.changes for task in tasks[:2]] == [{}, {"mutation": 0.5}]


@pytest.mark.parametrize(("down", "right"), [(0, 0), (1, 0), (0, 4), (2, 3)])
def test_a_rolled_picture_is_a_shift(down, right):
    puzzle, truth = Puzzle(random_pieces(np.random.default_rng(1), 20), Board(4, 5)).shuffle(2)
    solution = solve(puzzle, Settings.of(population=10, generations=1))
    rolled = dataclasses.replace(solution, arrangement=np.roll(truth, (down, right), (0, 1)))
    assert _shift(rolled, truth) == {"rows": down, "columns": right, "share": 1.0}


def test_the_ceiling_is_the_mean_over_dealings_of_identical_pieces():
    rng = np.random.default_rng(3)
    kinds = random_pieces(rng, 9)
    of_cell = rng.integers(0, 9, 24)
    puzzle, truth = Puzzle(kinds[of_cell], Board(4, 6)).shuffle(5)
    looks = of_cell[np.argsort(truth.ravel())]
    strict = []
    for _ in range(3000):
        dealt = np.arange(24)
        for kind in range(9):
            same = np.flatnonzero(looks == kind)
            dealt[same] = rng.permutation(same)
        scores = naive.scores(dealt[truth].tolist(), truth.tolist(), looks.tolist())
        strict.append((scores["neighbour"], scores["direct"]))
    ceiling = strict_ceiling(puzzle, truth)
    neighbour, direct = np.mean(strict, axis=0)
    assert ceiling.neighbour == pytest.approx(neighbour, abs=0.01)
    assert ceiling.direct == pytest.approx(direct, abs=0.01)


def test_wrong_seams_are_those_that_join_no_neighbours():
    rng = np.random.default_rng(4)
    kinds = random_pieces(rng, 12)
    of_cell = rng.integers(0, 12, 20)
    puzzle, truth = Puzzle(kinds[of_cell], Board(4, 5)).shuffle(6)
    looks = of_cell[np.argsort(truth.ravel())]
    found = rng.permutation(20).reshape(4, 5)
    true = looks[truth].tolist()
    right_of = {(row[c], row[c + 1]) for row in true for c in range(4)}
    below = {(true[r][c], true[r + 1][c]) for r in range(3) for c in range(5)}
    grid = looks[found].tolist()
    across, down = wrong_seams(puzzle, found, truth)
    assert across.tolist() == [
        [(row[c], row[c + 1]) not in right_of for c in range(4)] for row in grid
    ]
    assert down.tolist() == [
        [(grid[r][c], grid[r + 1][c]) not in below for c in range(5)] for r in range(3)
    ]
    assert not any(part.any() for part in wrong_seams(puzzle, truth, truth))


def test_beside_an_empty_cell_no_seam_is_wrong():
    pieces = random_pieces(np.random.default_rng(7), 5)
    puzzle = Puzzle(pieces, Board(2, 3), holes=1)
    truth = np.array([[0, 1, 2], [3, 4, -1]])
    # What is right of 1 and below 2 is missing; the last piece would be taken for it.
    found = np.array([[0, 1, -1], [3, 4, 2]])
    across, down = wrong_seams(puzzle, found, truth)
    assert across.tolist() == [[False, False], [False, True]]
    assert down.tolist() == [[False, False, False]]
    across, down = wrong_seams(puzzle, np.array([[0, 1, 4], [3, -1, 2]]), truth)
    assert across.tolist() == [[False, True], [False, False]]
    assert down.tolist() == [[False, False, True]]
    assert not any(part.any() for part in wrong_seams(puzzle, truth, truth))


def test_the_ceiling_counts_what_is_there():
    different = random_pieces(np.random.default_rng(8), 5)
    puzzle = Puzzle(different, Board(2, 3), holes=1)
    ceiling = strict_ceiling(puzzle, np.array([[0, 1, -1], [3, 4, 2]]))
    assert (ceiling.neighbour, ceiling.direct, ceiling.perfect) == (1.0, 1.0, True)
    # Pieces 3 and 4 are alike: half of the time all is right, else the seams and cells of both.
    alike = different[[0, 1, 2, 3, 3]]
    ceiling = strict_ceiling(Puzzle(alike, Board(2, 3), holes=1), [[0, 1, -1], [3, 4, 2]])
    assert ceiling.neighbour == pytest.approx((5 + 1) / 2 / 5)
    assert ceiling.direct == pytest.approx((5 + 3) / 2 / 5)


def test_the_ceiling_knows_look_alikes_that_are_left_over():
    pieces = random_pieces(np.random.default_rng(9), 4)[[0, 1, 2, 3, 3]]
    ceiling = strict_ceiling(Puzzle(pieces, Board(2, 2), strays=1), np.array([[0, 1], [2, 3]]))
    assert ceiling.neighbour == pytest.approx((4 + 2) / 2 / 4)
    assert ceiling.direct == pytest.approx((4 + 3) / 2 / 4)
