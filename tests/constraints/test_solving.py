"""Constraints hold in what is solved, whatever the measure and the stages."""

import numpy as np
import pytest
from helpers import random_pieces, seam_table
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from jigsolve import Board, Constraints, InputError, Puzzle, Settings, score, solve
from jigsolve._kernels.known import BARRED
from jigsolve.core.constraints import SIDES
from jigsolve.core.layout import laid_out
from jigsolve.core.poses import pieces_of, poses_of
from jigsolve.execution.crew import crew
from jigsolve.measures import EXTRAPOLATION, LEARNED
from jigsolve.solvers.genetic.annealing import Annealing

QUICK = {"population": 12, "generations": 6, "patience": 2, "repairs": 2, "annealing": 40}


def some_of(arrangement, rng, joined, fixed, parted):
    """Return constraints that hold in an arrangement, and sides that do not touch in it."""
    rows, columns = arrangement.shape
    seams = []
    for _ in range(joined):
        row, column = rng.integers(rows), rng.integers(columns - 1)
        seams.append((arrangement[row, column], "right", arrangement[row, column + 1]))
        row, column = rng.integers(rows - 1), rng.integers(columns)
        seams.append((arrangement[row, column], "bottom", arrangement[row + 1, column]))
    seams = [seam for seam in seams if seam[0] >= 0 and seam[2] >= 0]
    cells = rng.choice(arrangement.size, fixed, replace=False)
    held = [(arrangement.flat[c], c // columns, c % columns) for c in cells]
    held = [cell for cell in held if cell[0] >= 0]
    padded = np.pad(arrangement, 1, constant_values=-1)
    beside = padded[1:-1, :-2], padded[1:-1, 2:], padded[:-2, 1:-1], padded[2:, 1:-1]
    apart = []
    while len(apart) < parted:
        one, other = rng.choice(arrangement.size, 2, replace=False)
        side = int(rng.integers(4))
        if beside[side][arrangement == one].item() != other:
            apart.append((int(one), SIDES[side], int(other)))
    return Constraints(seams, apart, held)


@given(st.integers(0, 2**32), st.sampled_from(["learned", "dissimilarity", "mgc"]))
@settings(max_examples=25)
def test_no_constraint_is_ever_violated(seed, measure):
    rng = np.random.default_rng(seed)
    rows, columns = int(rng.integers(3, 7)), int(rng.integers(3, 7))
    puzzle = Puzzle(random_pieces(rng, rows * columns, 5, 5), Board(rows, columns))
    arrangement = rng.permutation(rows * columns).reshape(rows, columns)
    constraints = some_of(arrangement, rng, *rng.integers(0, (6, 3, 8)))
    preset = "paper" if measure == "dissimilarity" else "default"
    chosen = Settings.preset(preset, **QUICK, measure=measure, mutation=0.5, seed=seed)
    solution = solve(puzzle, chosen, constraints=constraints)
    assert laid_out(constraints, puzzle).violated(solution.arrangement) == 0
    assert sorted(solution.arrangement.ravel()) == list(range(rows * columns))


@pytest.fixture(scope="module")
def cat():
    return Puzzle.cut(data.chelsea()[:224, :308], 14).shuffle(3)


def test_an_arrangement_that_is_all_fixed_is_the_solution(cat):
    puzzle, _ = cat
    wrong = np.random.default_rng(1).permutation(len(puzzle)).reshape(puzzle.board)
    solution = solve(puzzle, Settings.of(**QUICK), constraints=Constraints.from_arrangement(wrong))
    np.testing.assert_array_equal(solution.arrangement, wrong)


def test_a_seam_that_is_put_right_puts_others_right(cat):
    noise = np.random.default_rng(1).normal(0, 16, cat[0].image().shape)
    noisy = np.clip(cat[0].image(cat[1]) + noise, 0, 255).astype(np.uint8)
    puzzle, truth = Puzzle.cut(noisy, 14).shuffle(2)
    chosen = Settings.of(population=20, annealing=200)
    plain = solve(puzzle, chosen)
    right = {
        (int(one), "right"): int(other)
        for one, other in zip(truth[:, :-1].ravel(), truth[:, 1:].ravel(), strict=True)
    }
    found = plain.arrangement
    wrong = [
        (int(one), "right", int(other))
        for one, other in zip(found[:, :-1].ravel(), found[:, 1:].ravel(), strict=True)
        if right.get((int(one), "right"), other) != other
    ][::3]
    assert len(wrong) >= 5
    joined = [(one, side, right[one, side]) for one, side, _ in wrong]
    helped = solve(plain.prepared, chosen, constraints=Constraints(joined, wrong))
    gained = score(helped, truth).neighbour - score(plain, truth).neighbour
    assert gained > len(joined) / (2 * truth.size - sum(truth.shape))


def test_known_seams_count_as_sure_and_the_cost_stays_that_of_the_measure(cat):
    puzzle, truth = cat
    wrong = (int(truth[0, 0]), "right", int(truth[9, 9]))
    solution = solve(puzzle, Settings.of(**QUICK), constraints=Constraints([wrong]))
    row, column = (int(i[0]) for i in np.nonzero(solution.arrangement == truth[0, 0]))
    assert solution.confidence().right[row, column] == 1
    assert solution.seam_costs[0][row, column] > 5
    assert solution.cost == pytest.approx(solution.cost_of(solution.arrangement))
    assert solution.cost < BARRED
    assert solution.as_dict()["known_seams"] == 1


def test_a_result_with_constraints_does_not_depend_on_threads(cat):
    puzzle, truth = cat
    known = some_of(truth, np.random.default_rng(5), 10, 2, 10)
    one, three = (solve(puzzle, Settings.of(**QUICK, threads=n), constraints=known) for n in (1, 3))
    np.testing.assert_array_equal(one.arrangement, three.arrangement)


@pytest.mark.parametrize("measure", ["learned", "extrapolation"])
def test_holes_and_strays_do_not_part_what_is_joined(measure):
    cut = Puzzle.cut(data.chelsea()[:140, :196], 14)
    rng = np.random.default_rng(4)
    order = rng.permutation(len(cut))
    missing, strays = 9, random_pieces(rng, 6, 14, 14)
    pieces = np.concatenate([cut.pieces[order[missing:]], strays])
    puzzle = Puzzle(pieces, cut.board, holes=missing, strays=6)
    place = {int(old): new for new, old in enumerate(order[missing:])}
    truth = np.array([place.get(i, -1) for i in range(len(cut))]).reshape(cut.board)
    pairs = [(r, c) for r in range(10) for c in range(13) if min(truth[r, c], truth[r, c + 1]) >= 0]
    joined = [(truth[r, c], "right", truth[r, c + 1]) for r, c in pairs[::7]]
    stray = len(pieces) - 1
    known = Constraints([*joined, (stray, "top", truth.max())], fixed=[(stray - 1, 0, 0)])
    solution = solve(puzzle, Settings.of(**QUICK, measure=measure), constraints=known)
    assert laid_out(known, puzzle).violated(solution.arrangement) == 0


def test_blocks_that_leave_no_room_for_each_other_are_refused():
    puzzle = Puzzle(random_pieces(np.random.default_rng(0), 4, 5, 5), Board(1, 4))
    known = Constraints([(0, "right", 1), (2, "right", 3)], [(1, "right", 2), (3, "right", 0)])
    with pytest.raises(InputError, match="constraints: expected ones that can be kept"):
        solve(puzzle, Settings.of(**QUICK), constraints=known)


def test_a_checkpoint_is_of_its_constraints(cat, tmp_path):
    puzzle, truth = cat
    known = some_of(truth, np.random.default_rng(5), 3, 0, 0)
    file = tmp_path / "c"
    settings = Settings.of(**QUICK)
    solve(puzzle, settings, constraints=known, checkpoint=file, checkpoint_every=0)
    again = solve(puzzle, resume=file, constraints=known)
    assert laid_out(known, puzzle).violated(again.arrangement) == 0
    with pytest.raises(InputError, match="expected a checkpoint of this puzzle"):
        solve(puzzle, resume=file)


@pytest.fixture(scope="module", params=[LEARNED, EXTRAPOLATION], ids=lambda m: m.name)
def tables(request, cat):
    puzzle, truth = cat
    known = some_of(truth, np.random.default_rng(6), 8, 2, 20)
    layout = laid_out(known, puzzle)
    with crew(1) as hands:
        table = seam_table(puzzle, np.arange(len(puzzle)), request.param, 16, hands)
    return table, table.ruled(layout), layout


def test_a_table_that_is_ruled_differs_only_in_what_is_known(tables):
    table, ruled, layout = tables
    rng = np.random.default_rng(0)
    beside = layout.neighbours // 4
    held = {(p, s): int(beside[p, s]) for p, s in np.argwhere(beside >= 0)}
    parted = {tuple(pair) for pair in layout.parted.tolist()}
    for _ in range(300):
        one, other = rng.choice(table.pieces, 2, replace=False)
        if rng.random() < 0.3 and held:
            one, side = [*held][rng.integers(len(held))]
            other = held[one, side] if side == 1 else other
        pair = poses_of(np.array([[one, other]]))
        before, after = (t.board_costs(pair)[0][0, 0] for t in (table, ruled))
        if held.get((one, 1)) == other:
            assert after == 0
        elif (
            (one, 1) in held
            or (other, 0) in held
            or (4 * one + 1, 4 * other) in parted
            or (4 * other, 4 * one + 1) in parted
        ):
            assert after == BARRED
        else:
            assert after == pytest.approx(before)
    for one, other in layout.parted.tolist():
        if one % 4 == 1:
            costs = ruled.board_costs(poses_of(np.array([[one // 4, other // 4]])))[0]
            assert costs[0, 0] == BARRED


def test_annealing_moves_nothing_that_is_fixed(cat, tables):
    table, _, layout = tables
    if table.arrays.rule != 4:
        return
    _, truth = cat
    rng = np.random.default_rng(3)
    arrangement = truth.copy()
    free = np.argwhere((layout.cells[truth] < 0) & (layout.neighbours[truth] < 0).all(axis=2))
    cells = free[rng.permutation(len(free))[:60]]
    arrangement[tuple(cells.T)] = truth[tuple(np.roll(cells, 1, axis=0).T)]
    layout = laid_out(Constraints(fixed=[(int(truth[2, 2]), 2, 2)]), cat[0])
    with crew(1) as hands:
        annealing = Annealing(table.ruled(layout), poses_of(arrangement), layout)
        annealing.run(200, rng, hands)
    found = pieces_of(annealing.arrangement())
    assert found[2, 2] == truth[2, 2]
    assert not np.array_equal(found, arrangement)


def test_a_picture_is_not_rolled_over_a_seam_that_must_hold(monkeypatch):
    monkeypatch.setattr(
        "jigsolve.solvers.genetic.solver.rolled_back", lambda _, found, **__: np.roll(found, 1, 1)
    )
    puzzle, truth = Puzzle.cut(data.chelsea()[:112, :140], 28).shuffle(3)
    last = Constraints(joined=[(truth[0, -2], "right", truth[0, -1])])
    first = Constraints(joined=[(truth[0, 0], "right", truth[0, 1])])
    kept, rolled = (solve(puzzle, Settings.of(**QUICK), constraints=c) for c in (last, first))
    np.testing.assert_array_equal(kept.arrangement, truth)
    np.testing.assert_array_equal(rolled.arrangement, np.roll(truth, 1, 1))
