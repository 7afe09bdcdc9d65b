"""Going on from an arrangement: what every solver that can must do, and that others refuse."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
from helpers import random_pieces, stopping
from skimage import data

from jigsolve import Constraints, InputError, Placement, Puzzle, Settings, Stop, solve
from jigsolve.advice import assessed
from jigsolve.core.layout import laid_out
from jigsolve.core.options import Options
from jigsolve.solvers.registry import SOLVERS, register

EVERY = pytest.mark.parametrize("name", SOLVERS)
QUICK = {"genetic": {"population": 12, "generations": 6, "annealing": 20, "patience": 2}}
CLOSE = 1e-9
"""Costs are sums of the same numbers in another order."""


def quick(name, **more):
    return Settings.of(name, **{**QUICK.get(name, {}), **more})


def goes_on(name):
    return getattr(SOLVERS[name], "goes_on", False)


THOSE_WHO_GO_ON = pytest.mark.parametrize("name", [*filter(goes_on, SOLVERS)])


@pytest.fixture(scope="module")
def cat():
    # With so much noise it is not solved at once.
    noise = np.random.default_rng(1).normal(0, 25, (168, 224, 3))
    photo = np.clip(data.chelsea()[:168, :224] + noise, 0, 255).astype(np.uint8)
    puzzle, truth = Puzzle.cut(photo, 14).shuffle(3)
    return solve(puzzle, Settings.of(population=12, generations=0, annealing=0)).prepared, truth


@EVERY
def test_who_cannot_go_on_refuses_and_who_can_is_never_worse(name, cat):
    prepared, truth = cat
    if not goes_on(name):
        with pytest.raises(InputError, match=f"start: expected .* goes on .* found {name}"):
            solve(prepared, quick(name), start=truth)
        return
    rng = np.random.default_rng(0)
    swapped = truth.copy()
    swapped[0, :2], swapped[5, 5:7] = truth[5, 5:7], truth[0, :2]
    for start in (truth, swapped, rng.permutation(truth.size).reshape(truth.shape)):
        found = solve(prepared, quick(name), start=start)
        assert found.cost <= assessed(prepared, start).cost * (1 + CLOSE)
        assert sorted(found.arrangement.ravel()) == list(range(truth.size))


@THOSE_WHO_GO_ON
def test_it_helps_to_know_the_answer(name, cat):
    prepared, truth = cat
    alone = solve(prepared, quick(name, repairs=0) if name == "genetic" else quick(name))
    known = solve(prepared, quick(name), start=truth)
    assert known.cost < alone.cost


@THOSE_WHO_GO_ON
def test_results_do_not_depend_on_threads(name, cat):
    prepared, truth = cat
    start = np.where(np.random.default_rng(2).random(truth.shape) < 0.4, -1, truth)
    one, three = (solve(prepared, quick(name, threads=n), start=start).arrangement for n in (1, 3))
    np.testing.assert_array_equal(one, three)


@THOSE_WHO_GO_ON
def test_constraints_are_kept_that_the_start_breaks(name, cat):
    prepared, truth = cat
    known = Constraints(
        joined=[(int(truth[0, 0]), "right", int(truth[3, 3]))],
        parted=[(int(truth[1, 1]), "bottom", int(truth[2, 1]))],
        fixed=[(int(truth[5, 5]), 0, 0)],
    )
    found = solve(prepared, quick(name), constraints=known, start=truth)
    assert laid_out(known, prepared.puzzle).violated(found.arrangement) == 0


@THOSE_WHO_GO_ON
def test_a_stop_at_once_gives_the_start_with_its_empty_cells_filled(name, cat):
    prepared, truth = cat
    stop = Stop()
    stop.ask()
    start = truth.copy()
    start[2:4, 3:6] = -1
    found = solve(prepared, quick(name, repairs=0), start=start, stop=stop)
    np.testing.assert_array_equal(found.arrangement[start >= 0], start[start >= 0])
    assert sorted(found.arrangement.ravel()) == list(range(truth.size))


@THOSE_WHO_GO_ON
def test_turned_pieces_go_on_as_they_lie(name):
    puzzle, truth = Puzzle.cut(data.chelsea()[:112, :140], 14).shuffle(3, turns="quarter")
    prepared = solve(puzzle, quick(name)).prepared
    rng = np.random.default_rng(4)
    wrong = Placement(truth.pieces, ((truth.turns + rng.integers(0, 4, truth.turns.shape)) % 4))
    half = np.where(rng.random(truth.turns.shape) < 0.5, -1, truth.pieces)
    for start in (truth, wrong, Placement(half, truth.turns)):
        found = solve(prepared, quick(name), start=start)
        assert found.cost <= assessed(prepared, start).cost * (1 + CLOSE)


@THOSE_WHO_GO_ON
def test_holes_and_strays_are_allowed(name, cat):
    puzzle = cat[0].puzzle
    pieces = np.concatenate([puzzle.pieces[4:], random_pieces(np.random.default_rng(1), 3, 14, 14)])
    faulty = Puzzle(pieces, puzzle.board, holes=4, strays=3)
    prepared = solve(faulty, quick(name)).prepared
    start = np.full(puzzle.board, -1)
    start[:3] = np.arange(3 * puzzle.board.columns).reshape(3, -1)
    found = solve(prepared, quick(name), start=start).arrangement
    assert np.count_nonzero(found < 0) == 4
    full = np.arange(start.size).reshape(start.shape) % len(pieces)
    full.ravel()[len(pieces) :] = -1
    with pytest.raises(InputError, match="start: expected 4 empty cells or more, found 1"):
        solve(prepared, quick(name), start=full)


def test_a_run_with_a_start_is_resumed_to_the_same_end(cat, tmp_path):
    prepared, truth = cat
    start = np.random.default_rng(5).permutation(truth.size).reshape(truth.shape)
    chosen = quick("genetic", patience=None, generations=8)
    whole = solve(prepared, chosen, start=start)
    saved = tmp_path / "run.checkpoint"
    solve(prepared, chosen, start=start, checkpoint=saved, **stopping(lambda g: g.number == 4))
    again = solve(prepared, resume=saved)
    np.testing.assert_array_equal(again.arrangement, whole.arrangement)
    assert again.cost == whole.cost
    with pytest.raises(InputError, match="start: expected none beside resume"):
        solve(prepared, resume=saved, start=start)


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (np.zeros((2, 2), int), "start: expected whole numbers of shape"),
        (np.full((12, 16), 0.5), "start: expected whole numbers of shape"),
        (np.full((12, 16), 192), "start: expected pieces from 0 to 191"),
        (np.zeros((12, 16), int), "start: expected every piece once at most, found piece 0 twice"),
        (Placement(np.arange(192), np.full(192, 3)), "start: turns: expected 0, as pieces with"),
        (Placement(np.arange(192), np.zeros(5, int)), "start: turns: expected whole numbers"),
    ],
)
def test_what_is_no_placement_is_refused(cat, start, said):
    with pytest.raises(InputError, match=said):
        solve(cat[0], start=start)


def test_a_solver_that_does_not_say_it_goes_on_is_not_asked_to(cat, monkeypatch):
    @dataclass(frozen=True, kw_only=True)
    class Nothing(Options):
        pass

    monkeypatch.setattr("jigsolve.solvers.registry.SOLVERS", dict(SOLVERS))
    register(SimpleNamespace(name="idle", summary="", options=Nothing))
    with pytest.raises(InputError, match=r"start: expected a solver that .* genetic, found idle"):
        solve(cat[0], Settings(options=Nothing()), start=cat[1])
