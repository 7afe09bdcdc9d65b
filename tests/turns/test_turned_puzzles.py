"""Puzzles whose pieces are turned, from the pieces to the picture."""

import dataclasses

import numpy as np
import pytest
import turning
from helpers import hearing, stopping, table_of

from jigsolve import InputError, Settings, Stop, solve
from jigsolve.core.poses import poses_of
from jigsolve.execution.events import Arranged, Progressed
from jigsolve.measures import EXTRAPOLATION
from jigsolve.solvers.genetic.checkpoint import read_checkpoint
from jigsolve.solvers.genetic.rolling import rolled_back

QUICK = Settings.of(measure="extrapolation", population=12, generations=8, seed=2)
RANDOM = QUICK.changed(seeding="random", population=30, generations=30, patience=None)


def poses_found(solution):
    return poses_of(solution.arrangement, solution.turns)


def assert_upright(solution, truth):
    """Assert that all is right but for which way up it is, and that most pieces lie upright."""
    found, turns = poses_found(solution), solution.puzzle.turns
    assert turning.same_whole(found, truth, turns)
    upright = [
        np.count_nonzero((way >= 0) & (way % 4 == 0)) for way in turning.wholes(truth, turns)
    ]
    assert np.count_nonzero((found >= 0) & (found % 4 == 0)) == max(upright)


@pytest.mark.parametrize(
    ("turns", "board", "size"),
    [
        ("half", (5, 5), (12, 12)),
        ("half", (4, 6), (9, 14)),
        ("half", (6, 4), (14, 9)),
        ("quarter", (5, 5), (12, 12)),
        ("quarter", (4, 7), (12, 12)),
        ("quarter", (7, 4), (12, 12)),
        ("quarter", (1, 9), (14, 14)),
        ("quarter", (9, 1), (14, 14)),
        ("half", (1, 2), (14, 14)),
        ("quarter", (2, 1), (14, 14)),
    ],
)
def test_a_turned_texture_is_solved(turns, board, size):
    puzzle, truth = turning.turned_puzzle(4, *board, size, turns)
    solution = solve(puzzle, QUICK)
    assert_upright(solution, truth)
    assert solution.turns.dtype == np.int8
    assert solution.cost == pytest.approx(solution.cost_of(solution.arrangement, solution.turns))
    across, down = solution.seam_costs
    assert across.sum() + down.sum() == pytest.approx(solution.cost, rel=1e-5)


@pytest.mark.parametrize("turns", ["half", "quarter"])
def test_evolution_from_chance_solves_it_too(turns):
    puzzle, truth = turning.turned_puzzle(5, 5, 6, (12, 12), turns)
    solution = solve(puzzle, RANDOM)
    assert_upright(solution, truth)
    assert solution.history[0].best > 2 * solution.cost


@pytest.mark.parametrize("turns", ["half", "quarter"])
def test_any_number_of_threads_finds_the_same_bits(turns):
    puzzle, _ = turning.turned_puzzle(6, 5, 5, (8, 8), turns)
    few = RANDOM.changed(generations=4)
    one, two = (
        solve(puzzle, few.changed(threads=threads), keep_arrangements=True) for threads in (1, 2)
    )
    assert_same(one, two)


def test_pieces_that_are_not_turned_come_out_the_same_with_turns_allowed():
    puzzle, truth = turning.turned_puzzle(7, 5, 5, (12, 12), "none")
    for turns in ("none", "half", "quarter"):
        solution = solve(dataclasses.replace(puzzle, turns=turns), QUICK)
        np.testing.assert_array_equal(solution.arrangement, truth // 4)
        assert (solution.turns is None) == (turns == "none")
        assert turns == "none" or not solution.turns.any()


@pytest.mark.parametrize("turns", ["half", "quarter"])
@pytest.mark.parametrize("board", [(6, 6), (5, 7)])
def test_missing_and_foreign_pieces_are_found(turns, board):
    puzzle, truth = turning.turned_puzzle(8, *board, (16, 16), turns, missing=2, foreign=2)
    solution = solve(puzzle, QUICK.changed(population=30, generations=20))
    found = poses_found(solution)
    assert turning.same_whole(found, truth, turns)
    assert not solution.turns[solution.arrangement < 0].any()
    assert len(solution.strays) == 2


def assert_same(run, other):
    np.testing.assert_array_equal(poses_found(run), poses_found(other))
    assert run.cost == other.cost
    assert run.stopped == other.stopped
    for mine, theirs in zip(run.history, other.history, strict=True):
        assert (mine.best, mine.mean, mine.worst) == (theirs.best, theirs.mean, theirs.worst)
        assert mine.placements == theirs.placements
        np.testing.assert_array_equal(mine.arrangement, theirs.arrangement)
        np.testing.assert_array_equal(mine.turns, theirs.turns)


@pytest.mark.parametrize("turns", ["half", "quarter"])
@pytest.mark.parametrize("faults", [{}, {"missing": 2, "foreign": 1}], ids=["whole", "faulty"])
def test_resumed_runs_end_the_same(turns, faults, tmp_path):
    puzzle, _ = turning.turned_puzzle(9, 4, 4, (6, 6), turns, **faults)
    settings = RANDOM.changed(population=16, generations=14, patience=2, repairs=2)
    whole = solve(puzzle, settings, keep_arrangements=True)
    for after in (1, 6):
        file = tmp_path / "run.checkpoint"
        solve(
            puzzle,
            settings,
            keep_arrangements=True,
            checkpoint=file,
            checkpoint_every=0,
            **stopping(lambda g, last=after + 1: g.number == last),
        )
        assert_same(solve(puzzle, resume=file, keep_arrangements=True), whole)


def test_checkpoints_are_of_one_kind_of_turns(tmp_path):
    puzzle, _ = turning.turned_puzzle(9, 3, 3, (6, 6), "half")
    file = tmp_path / "run.checkpoint"
    solve(puzzle, QUICK, checkpoint=file, checkpoint_every=0)
    for turns in ("none", "quarter"):
        with pytest.raises(InputError, match="expected a checkpoint of this puzzle"):
            solve(dataclasses.replace(puzzle, turns=turns), resume=file)


@pytest.mark.parametrize("turns", ["none", "half"])
def test_turns_that_cannot_be_are_not_read_from_a_checkpoint(turns, tmp_path):
    puzzle, _ = turning.turned_puzzle(9, 3, 3, (6, 6), turns)
    file = tmp_path / "run.checkpoint"
    solve(puzzle, QUICK, checkpoint=file, checkpoint_every=0)
    with np.load(file) as archive:
        arrays = dict(archive)
    arrays["best"] = arrays["best"] + 1
    with file.open("wb") as out:
        np.savez(out, **arrays)
    with pytest.raises(InputError, match="damaged"):
        read_checkpoint(file, puzzle)


def test_it_stops_when_asked_and_tells_of_whole_arrangements():
    puzzle, truth = turning.turned_puzzle(10, 5, 5, (8, 8), "quarter")
    told = []
    solve(puzzle, RANDOM.changed(generations=3), **hearing(told.append, Arranged))
    assert told
    for event in told:
        poses = poses_of(event.arrangement, event.turns)
        assert sorted(pose // 4 for pose in poses.flat) == list(range(truth.size))
    assert [event.cost for event in told] == sorted((e.cost for e in told), reverse=True)
    stopped = solve(puzzle, RANDOM, **stopping(lambda g: g.number == 2))
    assert stopped.stopped == "asked"
    assert stopped.history[-1].number == 2


def test_stopped_among_segments_it_completes_those_there_are():
    puzzle, truth = turning.turned_puzzle(11, 6, 5, (12, 12), "quarter")
    stop = Stop()

    def hear(event):
        if isinstance(event, Progressed) and event.stage == "segments":
            stop.ask()

    solution = solve(puzzle, QUICK, on_event=hear, stop=stop)
    assert solution.stopped == "asked"
    assert len(solution.history) == 1
    assert turning.same_whole(poses_found(solution), truth)


def test_a_rolled_picture_is_rolled_back():
    puzzle, truth = turning.turned_puzzle(12, 5, 7, (14, 14), "quarter")
    table = table_of(puzzle.pieces, 20, measure=EXTRAPOLATION, turns="quarter")
    for shift in ((0, 0), (2, 0), (0, 3), (4, 5)):
        rolled = np.roll(truth, shift, axis=(0, 1))
        np.testing.assert_array_equal(rolled_back(table, rolled), truth)
