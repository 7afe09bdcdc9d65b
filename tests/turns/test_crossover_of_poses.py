"""Children of parents whose pieces are turned."""

import itertools
from collections import Counter

import numpy as np
import pytest
import turning
from asking import seam_cost
from helpers import grow_table, random_pieces, rules, table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import OPPOSITE, STEP, partners_of

from jigsolve._kernels import growing
from jigsolve._kernels.arrangements import NOWHERE
from jigsolve._kernels.phases import compile_phase
from jigsolve.assembly import population as populations
from jigsolve.assembly.population import Growing, Nursery, Population, arrangement_of
from jigsolve.core import Board
from jigsolve.core.turns import POSES
from jigsolve.execution.crew import crew

KINDS = st.sampled_from(["half", "quarter"])
BOARDS = st.tuples(st.integers(1, 4), st.integers(1, 4)).filter(lambda board: max(board) > 1)
PHASES = ("agreed", "best-buddy", "greedy")
VARIANTS = [use for size in range(4) for use in itertools.combinations(PHASES, size)]


def grown(table, use, parents, seed, holes=0, start=(-1, -1, -1)):
    """Grow one child; return its table, its poses, its cost, and pieces and phases in order."""
    pieces, board = table.pieces, Board(use.rows, use.columns)
    both = Population.empty(2, pieces, holes)
    for index, parent in enumerate(parents):
        both.set_arrangement(index, parent)
    work = growing.workspace(pieces + holes, table.arrays.order.shape)
    child, cost = grow_table(table, use, work, both.neighbours, seed, start)
    found = arrangement_of(child, board, pieces, table.arrays.poses)
    names = [growing.PHASE_NAMES[phase] for phase in work.phases[: found.size]]
    return child, found, cost, work.placed[: found.size].tolist(), names


def noisy_copy(rng, poses, swaps, turns):
    """Exchange some poses and turn some: parents that share much but not all."""
    cells = poses.ravel().copy()
    for _ in range(swaps):
        i, j = rng.integers(0, len(cells), 2)
        cells[i], cells[j] = (
            cells[j],
            turning.turned_pose(cells[i], rng.choice(turning.WAYS[turns])),
        )
    return cells.reshape(poses.shape)


def family(board, turns, seed, levels=256, candidates=4):
    """Return a table and two parents, one of them turned as a whole."""
    rng = np.random.default_rng(seed)
    n = board[0] * board[1]
    table = table_of(random_pieces(rng, n, levels=levels), candidates, turns=turns)
    truth = turning.random_board(rng, *board, turns)
    mother, father = (noisy_copy(rng, truth, int(rng.integers(0, 4)), turns) for _ in range(2))
    ways = turning.wholes(father, turns)
    return table, mother, ways[rng.integers(len(ways))]


@settings(max_examples=60)
@given(
    BOARDS, KINDS, st.integers(0, 10**6), st.sampled_from(VARIANTS), st.sampled_from([0.0, 1.0]),
    st.sampled_from([1, 5]), st.sampled_from([2, 256]),
)  # fmt: skip
def test_every_step_follows_the_paper(board, turns, seed, use, mutation, boundaries, levels):
    table, mother, father = family(board, turns, seed, levels)
    how = rules(*board, use, mutation, boundaries)
    _, child, cost, placed, phases = grown(table, how, (mother, father), seed)

    def price(side, partner):
        return seam_cost(table.arrays, side, partner)

    turning.replay_crossover(mother, father, child, placed, phases, price, use, turns)
    assert set(np.unique(child % 4)) <= set(turning.WAYS[turns])
    assert cost == pytest.approx(table.cost_of(child), rel=1e-6)
    assert phases.count("mutation") <= mutation


def test_all_phases_occur():
    seen = Counter()
    for seed in range(12):
        table, *parents = family((4, 4), "quarter", seed)
        seen.update(grown(table, rules(4, 4, mutation=0.5), parents, seed)[-1])
    assert {"first", "agreed", "best-buddy", "greedy", "mutation"} <= set(seen)


@settings(max_examples=60)
@given(BOARDS, KINDS, st.integers(0, 3), st.integers(0, 2), st.integers(0, 10**6))
def test_parents_that_agree_have_that_arrangement_as_a_child(board, turns, empty, strays, seed):
    rng = np.random.default_rng(seed)
    cells = board[0] * board[1]
    empty = min(empty, cells - 2)
    pieces = cells - empty + strays
    table = table_of(random_pieces(rng, max(pieces, 2)), turns=turns)
    parent = turning.random_board(rng, *board, turns, pieces, empty)
    ways = turning.wholes(parent, turns)
    other = ways[rng.integers(len(ways))]
    _, child, _, _, phases = grown(table, rules(*board), (parent, other), seed, empty)
    if not empty:
        assert set(phases[1:]) == {"agreed"}
        assert turning.same_whole(child, parent, turns)
    else:
        # Holes may cut the board in two; what is together in both is so in the child.
        met, kept = (turning.meetings(turning.as_cells(poses)) for poses in (parent, child))
        if len(reached(turning.as_cells(parent))) == cells - empty:
            assert {side: kept.get(side) for side in met} == met


def reached(cells):
    """Return what of {cell: pose} can be reached from its first one."""
    seen, todo = set(), [next(iter(cells))]
    while todo:
        row, column = todo.pop()
        if (row, column) in cells and (row, column) not in seen:
            seen.add((row, column))
            todo += [(row + down, column + right) for down, right in STEP.values()]
    return seen


@settings(max_examples=100)
@given(
    st.tuples(st.integers(2, 4), st.integers(2, 4)), KINDS, st.integers(0, 3), st.integers(0, 3),
    st.integers(0, 3), st.sampled_from([1, 4]), st.sampled_from([1, 3]),
    st.sampled_from([0.0, 1.0]), st.integers(0, 10**6),
)  # fmt: skip
def test_children_with_holes_and_strays_are_arrangements(
    board, turns, too_few, spare, too_many, boundaries, weighed, mutation, seed
):
    rng = np.random.default_rng(seed)
    cells = board[0] * board[1]
    too_few = min(too_few, cells - 2)
    pieces = cells - too_few + (0 if too_few else too_many)
    holes = min(too_few + spare, cells - 2)
    table = table_of(random_pieces(rng, pieces, levels=4), 3, turns=turns)
    parents = [
        turning.random_board(
            rng, *board, turns, pieces, int(rng.integers(max(0, cells - pieces), holes + 1))
        )
        for _ in range(2)
    ]
    how = rules(*board, boundaries=boundaries, weighed=weighed, mutation=mutation)
    child, found, cost, _, _ = grown(table, how, parents, seed, holes)
    there = found[found >= 0]
    assert len(set((there // 4).tolist())) == there.size
    assert set((there % 4).tolist()) <= set(turning.WAYS[turns])
    assert np.count_nonzero(found < 0) <= holes
    assert cost == pytest.approx(table.cost_of(found), rel=1e-5)
    away = np.setdiff1d(np.arange(pieces), there // 4)
    assert (child[away] == NOWHERE).all()
    met = turning.meetings(turning.as_cells(found))
    for side, partner in met.items():
        assert child[side // 4, side % 4] == partner


@settings(max_examples=40)
@given(BOARDS, KINDS, st.integers(0, 10**6), st.sampled_from([2, 5]))
def test_candidates_are_weighed_by_all_seams_of_the_cell(board, turns, seed, weighed):
    n = board[0] * board[1]
    table, mother, father = family(board, turns, seed, candidates=4 * n)
    how = rules(*board, use=("greedy",), weighed=weighed)
    _, child, _, placed, _ = grown(table, how, (mother, father), seed)
    where = {pose // 4: (cell, pose) for cell, pose in turning.as_cells(child).items()}
    cell, pose = where[placed[0]]
    kernel = {cell: pose}
    for piece in placed[1:]:
        (r, c), pose = where[piece]
        free = set(range(n)) - {other // 4 for other in kernel.values()}
        around = {
            toward: turning.side_of(kernel[r + down, c + right], OPPOSITE[toward])
            for toward, (down, right) in STEP.items()
            if (r + down, c + right) in kernel
        }
        choices = set()
        for toward, side in around.items():
            partners = [p for p in partners_of(side, n, turns) if p // 4 in free]
            listed = sorted(partners, key=lambda p: (seam_cost(table.arrays, side, p), p))
            poses = [turning.pose_with(p, toward) for p in listed[:weighed]]
            totals = [
                sum(
                    seam_cost(table.arrays, turning.side_of(one, way), other)
                    for way, other in around.items()
                )
                for one in poses
            ]
            choices |= {one for one, sum_ in zip(poses, totals, strict=True) if sum_ == min(totals)}
        assert pose in choices
        kernel[r, c] = pose


@pytest.mark.parametrize(("turns", "ways"), [("half", 2), ("quarter", 4)])
def test_random_pieces_are_turned_evenly(turns, ways):
    table, mother, father = family((3, 4), turns, 5)
    relative = Counter()
    for seed in range(150):
        _, child, _, placed, _ = grown(table, rules(3, 4, use=()), (mother, father), seed)
        turn = {pose // 4: pose % 4 for pose in child.ravel().tolist()}
        relative.update((turn[piece] - turn[placed[0]]) % 4 for piece in placed[1:])
    expected = 150 * 11 / ways
    assert set(relative) == set(turning.WAYS[turns])
    assert all(abs(count - expected) < 5 * expected**0.5 for count in relative.values())


@pytest.mark.parametrize("turn", range(4))
def test_the_first_pose_lies_as_it_is_told(turn):
    table, mother, father = family((4, 4), "quarter", 2)
    start = 4 * 7 + turn, 1, 2
    for seed in range(10):
        _, child, _, placed, _ = grown(table, rules(4, 4), (mother, father), seed, start=start)
        assert placed[0] == 7
        assert any(whole[1, 2] == start[0] for whole in turning.wholes(child))


@pytest.mark.parametrize("board", [(2, 5), (5, 2), (1, 7), (7, 1), (3, 3)])
@pytest.mark.parametrize("turns", ["half", "quarter"])
def test_any_number_of_threads_breeds_the_same(board, turns, monkeypatch):
    monkeypatch.setattr(populations, "PLACEMENTS_PER_JOB", 1)
    n = board[0] * board[1]
    table = table_of(random_pieces(np.random.default_rng(3), n), turns=turns)
    parents = np.random.default_rng(4).integers(0, 12, (12, 2))
    found = []
    for threads in (1, 2):
        with crew(threads) as hands:
            nursery = Nursery(
                table, Board(*board), Growing(mutation=0.5), hands, seed=9, threads=threads, holes=1
            )
            first, second = Population.empty(12, n, 1), Population.empty(12, n, 1)
            nursery.random_population(first)
            nursery.breed(parents, 1, first, second)
        found.append((first, second))
    for one, two in zip(*found, strict=True):
        np.testing.assert_array_equal(one.neighbours, two.neighbours)
        np.testing.assert_array_equal(one.costs, two.costs)
    turned = set()
    for generation in found[0]:
        for neighbours, cost in zip(generation.neighbours, generation.costs, strict=True):
            poses = arrangement_of(neighbours, Board(*board), n, POSES[turns])
            there = poses[poses >= 0]
            assert len(set((there // 4).tolist())) == there.size >= n - 1
            assert cost == pytest.approx(table.cost_of(poses), rel=1e-6)
            turned |= set((there % 4).tolist())
    assert turned == set(turning.WAYS[turns])


@compile_phase
def first_choice(partners, costs, slot, around):
    for side in around:
        if side >= 0 and slot[partners[side, 0] >> 2] >= 0:
            return np.int64(partners[side, 0] >> 2)
    return np.int64(-1)


@compile_phase
def any_free_one(partners, costs, slot, around):
    for piece in range(len(slot)):
        if slot[piece] >= 0:
            return np.int64(piece)
    return np.int64(-1)


@pytest.mark.parametrize("own", [first_choice, any_free_one])
@settings(max_examples=25)
@given(BOARDS, KINDS, st.integers(0, 10**6))
def test_what_a_phase_of_ones_own_names_lies_as_its_seams_cost_least(own, board, turns, seed):
    table, mother, father = family(board, turns, seed)
    how = rules(*board, ("greedy",), own=own)
    _, child, _, placed, phases = grown(table, how, (mother, father), seed)
    assert sorted(placed) == list(range(child.size))
    assert "own" in phases or own is first_choice
    where = {pose // 4: (cell, pose) for cell, pose in turning.as_cells(child).items()}
    for step, (piece, phase) in enumerate(zip(placed, phases, strict=True)):
        if phase != "own":
            continue
        before = dict(where[other] for other in placed[:step])
        (row, column), pose = where[piece]
        beside = {
            toward: before[row + down, column + right]
            for toward, (down, right) in STEP.items()
            if (row + down, column + right) in before
        }
        assert beside

        def cost_of(pose, beside=beside):
            return sum(
                float(
                    seam_cost(
                        table.arrays,
                        np.int64(turning.side_of(pose, toward)),
                        np.int64(turning.side_of(other, OPPOSITE[toward])),
                    )
                )
                for toward, other in beside.items()
            )

        # The whole may have come out turned: among the poses of its piece it is still the best.
        ways = [piece * 4 + (pose + turn) % 4 for turn in turning.WAYS[turns]]
        assert cost_of(pose) == pytest.approx(min(map(cost_of, ways)))
