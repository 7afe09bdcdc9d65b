"""What every solver that is registered must do, whoever it is."""

import functools
from types import SimpleNamespace

import numpy as np
import pytest
from helpers import random_pieces
from skimage import data

from jigsolve import Board, Constraints, InputError, Puzzle, Settings, Stop, score, solve
from jigsolve.core.bag import Bag
from jigsolve.core.layout import laid_out
from jigsolve.execution.events import Arranged, StageBegan, StageEnded
from jigsolve.measures import MEASURES
from jigsolve.solvers.bags import solve_bag
from jigsolve.solvers.boards import find_board
from jigsolve.solvers.given import price
from jigsolve.solvers.registry import SOLVERS, refused_by, register, solver_of
from jigsolve.solvers.settings import PRESETS

EVERY = pytest.mark.parametrize("name", SOLVERS)
QUICK = {"genetic": {"population": 12, "generations": 6, "annealing": 20}}
"""Options with which a solver takes less than a second; none if it does anyway."""
ALMOST = {"yang": 0.7}
"""How right even an easy picture comes out with a solver that never gets all of it."""
ROUGHLY = {"cho": 0.5, "yang": 0.5}
"""The same with other measures than its own."""


@pytest.fixture(scope="module")
def cat():
    return Puzzle.cut(data.chelsea()[:196, :280], 28).shuffle(3)


def quick(name, **more):
    return Settings.of(name, **QUICK.get(name, {}), **more)


def able(what):
    """Return the solvers that do not refuse something."""
    return pytest.mark.parametrize(
        "name", [name for name, solver in SOLVERS.items() if what not in refused_by(solver)]
    )


@EVERY
def test_an_easy_picture_is_solved_and_the_record_says_how(name, cat):
    puzzle, truth = cat
    solution = solve(puzzle, quick(name))
    assert score(solution, truth).neighbour >= ALMOST.get(name, 1.0)
    record = solution.as_dict()
    assert record["solver"] == name
    assert Settings.from_record(record).options == solution.settings.options
    assert {"versions", "commit", "weights", "pricing", "seed"} <= set(record)


@EVERY
def test_results_depend_on_the_seed_and_not_on_threads_or_the_order_given(name):
    hard = Puzzle(random_pieces(np.random.default_rng(0), 30, 6, 6), Board(5, 6))
    first, again, threads = (
        solve(hard, quick(name, seed=5, threads=n)).arrangement for n in (1, 1, 3)
    )
    np.testing.assert_array_equal(first, again)
    np.testing.assert_array_equal(first, threads)


@EVERY
def test_a_prepared_bag_is_solved_as_the_puzzle_is(name, cat):
    puzzle, _ = cat
    first = solve(puzzle, quick(name))
    told = []
    again = solve(first.prepared, quick(name), on_event=told.append)
    np.testing.assert_array_equal(first.arrangement, again.arrangement)
    assert first.cost == again.cost
    stages = {event.stage for event in told if isinstance(event, StageBegan)}
    assert not stages & {"colours", "seams", "gradients", "traces", "network"}


@able("constraints")
def test_constraints_are_kept(name, cat):
    puzzle, truth = cat
    known = Constraints(
        joined=[(int(truth[0, 0]), "right", int(truth[3, 3]))],
        parted=[(int(truth[1, 1]), "bottom", int(truth[2, 1]))],
        fixed=[(int(truth[5, 5]), 0, 0)],
    )
    solution = solve(puzzle, quick(name), constraints=known)
    assert laid_out(known, puzzle).violated(solution.arrangement) == 0


@able("turns")
def test_constraints_are_kept_where_pieces_are_turned(name):
    puzzle, truth = Puzzle.cut(data.chelsea()[:196, :280], 28).shuffle(3, turns="quarter")
    one, other, third, last = (int(truth.pieces[cell]) for cell in ((0, 0), (3, 3), (1, 1), (5, 5)))
    known = Constraints(
        joined=[(one, "right", other, "top")],
        parted=[(third, "left", one, "left")],
        fixed=[(last, 0, 0, 3)],
    )
    solution = solve(puzzle, quick(name), constraints=known)
    assert laid_out(known, puzzle).violated(solution.arrangement, solution.turns) == 0
    assert (solution.arrangement[0, 0], solution.turns[0, 0]) == (last, 3)


@able("turns")
def test_turned_pieces_are_solved_whatever_the_whole_is_turned_by(name):
    puzzle, truth = Puzzle.cut(data.chelsea()[:196, :280], 28).shuffle(3, turns="quarter")
    assert score(solve(puzzle, quick(name)), truth).perfect


@EVERY
def test_a_stop_from_another_thread_gives_the_best_so_far(name, cat):
    puzzle, _ = cat
    prepared = solve(puzzle, quick(name)).prepared
    stop = Stop()
    stop.ask()  # before it has even begun
    solution = solve(prepared, Settings.of(name), stop=stop)
    assert solution.stopped == "asked"
    assert sorted(solution.arrangement.ravel()) == list(range(len(puzzle)))


@EVERY
def test_while_seams_are_priced_a_stop_is_an_error(name, cat):
    stop = Stop()

    def ask(event):
        if isinstance(event, StageBegan) and event.stage == "seams":
            stop.ask()

    with pytest.raises(InputError, match="found that it was stopped before there was any"):
        solve(cat[0], quick(name), stop=stop, on_event=ask)


@EVERY
def test_stages_end_in_the_order_they_began_and_arrangements_get_cheaper(name, cat):
    told = []
    solution = solve(cat[0], quick(name), on_event=told.append)
    open_stages = []
    for event in told:
        if isinstance(event, StageBegan):
            open_stages.append(event.stage)
        if isinstance(event, StageEnded):
            assert open_stages.pop() == event.stage
    assert not open_stages
    found = [event for event in told if isinstance(event, Arranged)]
    costs = [event.cost for event in found]
    assert costs == sorted(costs, reverse=True)
    assert found
    np.testing.assert_array_equal(found[-1].arrangement, solution.arrangement)


@able("holes")
def test_holes_and_strays_are_allowed(name, cat):
    puzzle, _ = cat
    pieces = np.concatenate([puzzle.pieces[4:], random_pieces(np.random.default_rng(1), 3, 28, 28)])
    faulty = Puzzle(pieces, puzzle.board, holes=4, strays=3)
    found = solve(faulty, quick(name)).arrangement
    assert np.count_nonzero(found < 0) == 4
    assert len(np.unique(found[found >= 0])) == found.size - 4


@EVERY
def test_a_solver_foresees_what_it_needs(name, cat):
    solver, settings = SOLVERS[name], quick(name)
    given = cat[0], settings.pricing, settings.options, 1
    assert solver.memory(*given) > 0
    assert solver.seconds(*given) > 0
    assert solver_of(settings.options) is solver


BOARDS = [(1, 2), (2, 1), (1, 7), (7, 1), (2, 2), (2, 5), (3, 4)]


@EVERY
@pytest.mark.parametrize("levels", [1, 2, 256], ids=["equal", "alike", "noise"])
def test_tiny_and_odd_boards_of_equal_and_of_unrelated_pieces(name, levels):
    for board in BOARDS:
        rng = np.random.default_rng(board[0])
        puzzle = Puzzle(random_pieces(rng, board[0] * board[1], 5, 5, levels), Board(*board))
        found = solve(puzzle, quick(name)).arrangement
        assert sorted(found.ravel()) == list(range(len(puzzle)))


@EVERY
def test_a_flat_picture_with_something_in_it(name):
    photo = np.full((140, 168, 3), 200, np.uint8)
    photo[56:112, 56:140] = data.chelsea()[100:156, 100:184]
    puzzle, truth = Puzzle.cut(photo, 28).shuffle(1)
    solution = solve(puzzle, quick(name))
    assert sorted(solution.arrangement.ravel()) == list(range(len(puzzle)))
    assert score(solution, truth).neighbour_aware > 0.5


@pytest.fixture(scope="module")
def priced(cat):
    """Return the cat, priced once by each measure."""
    fleeting = {"population": 6, "generations": 0, "annealing": 0}

    @functools.cache
    def by(measure):
        return solve(cat[0], Settings.of(measure=measure, **fleeting)).prepared

    return by


@EVERY
@pytest.mark.parametrize("measure", [name for name in MEASURES if name != "qr"])
def test_every_solver_runs_with_every_measure(name, measure, cat, priced):
    _, truth = cat
    solution = solve(priced(measure), quick(name))
    assert solution.settings.pricing.measure == measure
    assert score(solution, truth).neighbour > ROUGHLY.get(name, 0.7)


@able("turns")
@pytest.mark.parametrize("turns", ["half", "quarter"])
@pytest.mark.parametrize("board", [(5, 8), (6, 6), (1, 9)])
def test_turned_pieces_are_turned_back(name, turns, board):
    photo = data.chelsea()[40 : 40 + 28 * board[0], 100 : 100 + 28 * board[1]]
    puzzle, truth = Puzzle.cut(photo, 28).shuffle(2, turns)
    solution = solve(puzzle, quick(name))
    assert sorted(solution.arrangement.ravel()) == list(range(len(puzzle)))
    assert set(np.unique(solution.turns)) <= {0, 1, 2, 3}
    assert score(solution, truth).neighbour > 0.9


@able("turns")
def test_turned_noise_is_arranged_the_same_for_any_number_of_threads(name):
    pieces = random_pieces(np.random.default_rng(0), 12, 6, 6)
    puzzle = Puzzle(pieces, Board(3, 4), turns="quarter")
    one, two = (solve(puzzle, quick(name, seed=1, threads=n)) for n in (1, 2))
    np.testing.assert_array_equal(one.arrangement, two.arrangement)
    np.testing.assert_array_equal(one.turns, two.turns)


@EVERY
def test_what_a_solver_cannot_do_it_refuses_in_a_line(name, cat):
    puzzle, truth = cat
    turned = Puzzle(puzzle.pieces, puzzle.board, turns="quarter")
    faulty = Puzzle(puzzle.pieces[1:], puzzle.board, holes=1)
    known = Constraints(fixed=[(int(truth[0, 0]), 0, 0)])
    asked = {"turns": (turned, None), "holes": (faulty, None), "constraints": (puzzle, known)}
    assert set(refused_by(SOLVERS[name])) <= set(asked)
    for what in refused_by(SOLVERS[name]):
        bag, constraints = asked[what]
        with pytest.raises(InputError, match=f"expected one that knows {what}, .*found {name}"):
            solve(bag, quick(name), constraints=constraints)


@EVERY
def test_a_checkpoint_is_written_or_refused_in_a_line(name, cat, tmp_path):
    saved = tmp_path / "run.checkpoint"
    if getattr(SOLVERS[name], "saves", False):
        solve(cat[0], quick(name), checkpoint=saved, checkpoint_every=0)
        assert saved.exists()
        return
    with pytest.raises(InputError, match=f"checkpoint: expected a solver that .*, found {name}"):
        solve(cat[0], quick(name), checkpoint=saved)
    assert not saved.exists()


def test_a_time_limit_ends_a_run_with_the_best_so_far():
    noise = np.random.default_rng(1).normal(0, 20, data.rocket()[:308, :476].shape)
    photo = np.clip(data.rocket()[:308, :476] + noise, 0, 255).astype(np.uint8)
    puzzle, _ = Puzzle.cut(photo, 14).shuffle(3)
    endless = Settings.of(population=50, generations=10**6, patience=None)
    prepared = solve(puzzle, Settings.of(population=6, generations=0, annealing=0)).prepared
    solution = solve(prepared, endless, time_limit=1.0)  # it would not end otherwise
    assert solution.stopped == "time"
    assert sorted(solution.arrangement.ravel()) == list(range(len(puzzle)))


def test_where_time_is_short_seams_are_priced_without_the_network(cat, monkeypatch):
    monkeypatch.setattr("jigsolve.solvers.foresight.pricing_seconds", lambda *_, **__: 1e6)
    told = []
    solution = solve(cat[0], quick("genetic"), time_limit=1000.0, on_event=told.append)
    assert solution.settings.pricing.measure == "extrapolation"
    assert any("short of time" in getattr(event, "text", "") for event in told)


@pytest.mark.parametrize("way", ["puzzle", "prepared", "board", "bag", "given"])
def test_compiling_takes_nothing_of_a_time_limit(way, cat, monkeypatch):
    now, loaded = [0.0], []

    def load(solver="genetic", *_):
        loaded.append(solver)
        now[0] += 1000.0

    settings = quick("genetic")
    prepared = solve(cat[0], settings).prepared if way == "prepared" else None
    monkeypatch.setattr("jigsolve.execution.stop.time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr("jigsolve.solvers.kernels.are_compiled", lambda _: False)
    monkeypatch.setattr("jigsolve.solvers.kernels.note_compiled", lambda _: None)
    monkeypatch.setattr("jigsolve.solvers.kernels.load_kernels", load)
    stop = Stop(seconds=60.0)
    now[0] += 10.0
    match way:
        case "board":
            find_board(cat[0].pieces, settings, stop=stop)
        case "bag":
            assert solve_bag(Bag(cat[0].pieces), settings, stop=stop).stopped is None
        case "given":
            price(cat[0], cat[1], settings, stop=stop)
        case _:
            assert solve(prepared or cat[0], settings, stop=stop).stopped != "time"
    assert loaded == ["genetic"]
    assert stop.left() == 50.0


@pytest.mark.parametrize("limit", [0, -1, "5m", True, float("nan")])
def test_a_time_limit_is_a_positive_number(cat, limit):
    with pytest.raises(InputError, match="time_limit: expected seconds, more than 0"):
        solve(cat[0], time_limit=limit)


def test_options_belong_to_one_solver():
    with pytest.raises(InputError, match="expected options of its own, found those of genetic"):
        register(type("Other", (), {"name": "other", "options": SOLVERS["genetic"].options})())
    assert "other" not in SOLVERS
    with pytest.raises(InputError, match=r"options: expected those of genetic, .*, found 5"):
        Settings(options=5)
    with pytest.raises(InputError, match=r"solver: expected one of genetic, .*, found 'magic'"):
        Settings.of("magic")
    with pytest.raises(InputError, match="speed: expected an option of genetic, one of measure"):
        Settings.of(speed=9)


def test_presets_are_of_known_solvers():
    for settings in PRESETS.values():
        assert settings.solver in SOLVERS
        assert Settings.from_record(settings.as_record()) == settings
