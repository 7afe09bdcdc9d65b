import itertools
from collections import Counter

import naive
import numpy as np
import pytest
import skimage.data
from helpers import grow, neighbour_table, random_pieces, rules, table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from jigsolve import Puzzle
from jigsolve._kernels import crossover, growing
from jigsolve._kernels.greedy import MOST_PIECES
from jigsolve._kernels.phases import compile_phase

PHASES = ("agreed", "best-buddy", "greedy")
VARIANTS = [use for size in range(4) for use in itertools.combinations(PHASES, size)]


def noisy_copy(rng, truth, swaps):
    """Return the truth with some pieces exchanged: parents that share much but not all."""
    cells = truth.ravel().copy()
    for _ in range(swaps):
        i, j = rng.integers(0, len(cells), 2)
        cells[i], cells[j] = cells[j], cells[i]
    return cells.reshape(truth.shape)


def parents_and_table(rows, columns, seed, levels=256, candidates=4):
    rng = np.random.default_rng(seed)
    n = rows * columns
    table = table_of(random_pieces(rng, n, levels=levels), candidates=candidates)
    truth = rng.permutation(n).reshape(rows, columns)
    swaps = int(rng.integers(0, 4))
    return table, noisy_copy(rng, truth, swaps), noisy_copy(rng, truth, swaps)


@settings(max_examples=60)
@given(
    st.integers(1, 5),
    st.integers(2, 5),
    st.integers(0, 10**6),
    st.sampled_from(VARIANTS),
    st.sampled_from([0.0, 1.0]),
    st.sampled_from([1, 5]),
    st.sampled_from([2, 256]),
)
def test_every_step_follows_the_paper(rows, columns, seed, use, mutation, boundaries, levels):
    table, mother, father = parents_and_table(rows, columns, seed, levels)
    crossover_rules = rules(rows, columns, use, mutation, boundaries)
    child, cost, placed, phases = grow(table, crossover_rules, mother, father, seed)
    costs = naive.cost_table(table.arrays.borders)
    checked = naive.replay_crossover(
        mother.tolist(), father.tolist(), child, placed, phases, costs, use
    )
    assert cost == pytest.approx(naive.fitness(child, costs), rel=1e-6)
    assert checked.get("mutation", 0) <= mutation


def test_all_phases_occur():
    seen = Counter()
    for seed in range(30):
        table, mother, father = parents_and_table(4, 5, seed)
        seen.update(grow(table, rules(4, 5, mutation=0.5), mother, father, seed)[3])
    assert {"first", "agreed", "best-buddy", "greedy", "mutation"} <= set(seen)


@settings(max_examples=40)
@given(st.integers(1, 6), st.integers(2, 6), st.integers(0, 10**6))
def test_child_of_equal_parents_is_that_parent(rows, columns, seed):
    rng = np.random.default_rng(seed)
    table = table_of(random_pieces(rng, rows * columns))
    parent = rng.permutation(rows * columns).reshape(rows, columns)
    child, _, _, phases = grow(table, rules(rows, columns), parent, parent, seed)
    assert child == parent.tolist()
    assert set(phases[1:]) == {"agreed"}


@settings(max_examples=60)
@given(st.integers(2, 6), st.integers(2, 6), st.integers(0, 10**6))
def test_shared_relations_live_on_unless_a_piece_was_used(rows, columns, seed):
    table, mother, father = parents_and_table(rows, columns, seed)
    child, _, placed, phases = grow(table, rules(rows, columns), mother, father, seed)
    left, right = naive.neighbours(mother.tolist()), naive.neighbours(father.tolist())
    kept = naive.neighbours(child)
    when = {piece: step for step, piece in enumerate(placed)}
    where = {child[r][c]: (r, c) for r in range(rows) for c in range(columns)}
    for (piece, side), other in left.items():
        if right.get((piece, side)) != other or kept.get((piece, side)) == other:
            continue
        if when[piece] > when[other]:
            continue  # seen from the other piece
        # The relation was lost. When the agreed phase next had nothing left to place, its
        # partner was used, or its cell taken or outside the frame.
        later = range(when[piece] + 1, len(placed))
        idle = next((step for step in later if phases[step] != "agreed"), len(placed))
        kernel = {where[p]: p for p in placed[:idle]}
        step = naive.STEP[side]
        cell = (where[piece][0] + step[0], where[piece][1] + step[1])
        assert other in kernel.values() or not naive.fits(kernel, cell, rows, columns)


def test_segments_move_as_bodies():
    # Both parents hold the same two halves, side by side in either order. A child that starts
    # in one half grows all of it first, whole, and it may end up on either side.
    mother = np.arange(36).reshape(6, 6)
    father = np.roll(mother, 3, axis=1)
    table = table_of(random_pieces(np.random.default_rng(2), 36), candidates=8)
    shifts = set()
    for seed in range(40):
        child, _, placed, phases = grow(table, rules(6, 6), mother, father, seed)
        assert set(phases[1:18]) == {"agreed"}
        where = {child[r][c]: (r, c) for r in range(6) for c in range(6)}
        offsets = {
            (where[piece][0] - piece // 6, where[piece][1] - piece % 6) for piece in placed[:18]
        }
        assert len(offsets) == 1
        shifts |= offsets
    assert len(shifts) > 2


@pytest.mark.parametrize("above", [-1, 0, 2, 4])
@pytest.mark.parametrize("before", [-1, 0, 3])
def test_the_first_piece_lies_where_it_is_told(above, before):
    table = table_of(random_pieces(np.random.default_rng(4), 20))
    parents = np.arange(20).reshape(5, 4), np.arange(20)[::-1].reshape(5, 4)
    places = set()
    for seed in range(60):
        child, _, placed, _ = grow(table, rules(5, 4), *parents, seed, (4 * 7, above, before))
        assert placed[0] == 7
        assert sorted(np.ravel(child)) == list(range(20))
        row, column = np.argwhere(np.array(child) == 7)[0]
        assert above in (-1, row)
        assert before in (-1, column)
        places.add((row, column))
    assert len(places) == 1 or -1 in (above, before)


def shares_are_even(counts, kinds):
    expected = sum(counts.values()) / kinds
    assert len(counts) == kinds
    assert all(abs(count - expected) < 5 * np.sqrt(expected) for count in counts.values())


@pytest.mark.parametrize("use", [(), ("agreed",), ("best-buddy",)])
def test_second_placements_are_drawn_uniformly(use):
    # After the first piece of a large board, each of its four sides is as likely as another,
    # whether a boundary, an agreed piece or a best buddy is drawn.
    photo = Puzzle.cut(skimage.data.astronaut()[:252, :252], 36)
    table = table_of(photo.pieces)
    parent = np.arange(49).reshape(7, 7)
    counts = Counter()
    for seed in range(4000):
        child, _, placed, _ = grow(table, rules(7, 7, use=use), parent, parent, seed)
        if placed[0] != 24:  # in the middle all four sides have a neighbour
            continue
        where = {child[r][c]: (r, c) for r in range(7) for c in range(7)}
        (r0, c0), (r1, c1) = where[placed[0]], where[placed[1]]
        counts[r1 - r0, c1 - c0] += 1
    shares_are_even(counts, 4)


def test_draws_reach_the_whole_pool():
    # Entries 0..59 of a pool on a large empty board: all valid, all drawn equally often.
    grid = np.full(10000, -1, np.int32)
    slot = np.zeros(15, np.int32)
    state = np.zeros(9, np.int64)
    state[growing.BELOW] = state[growing.BEHIND] = 200
    entries = np.array(
        [((100 << growing.ROW_SHIFT) | ((100 + i) << growing.COLUMN_SHIFT)) | i for i in range(60)]
    )
    stream = np.zeros(1, np.uint64)
    boundaries, proposals = Counter(), Counter()
    for _ in range(12000):
        state[growing.BOUNDARIES_SIZE] = state[growing.AGREED_SIZE] = 60
        pool = entries.copy()
        index = growing.draw_boundary(stream, state, grid, 100, 100, pool, growing.BOUNDARIES_SIZE)
        boundaries[index] += 1
        entry = growing.draw_proposal(
            stream, state, grid, slot, 100, 100, pool, growing.AGREED_SIZE
        )
        proposals[entry & growing.VALUE_MASK] += 1
    shares_are_even(boundaries, 60)
    shares_are_even(proposals, 60)


def test_invalid_entries_are_discarded():
    grid = np.full(100, -1, np.int32)
    state = np.zeros(9, np.int64)
    state[growing.ABOVE], state[growing.BELOW] = 4, 15
    state[growing.BEFORE], state[growing.BEHIND] = 4, 15
    cells = [(row, 5) for row in range(3, 18)]
    grid[growing.torus_cell(10, 10, 7, 5)] = 1
    pool = np.array([(r << growing.ROW_SHIFT) | (c << growing.COLUMN_SHIFT) for r, c in cells])
    stream = np.zeros(1, np.uint64)
    state[growing.BOUNDARIES_SIZE] = len(pool)
    seen = set()
    for _ in range(300):
        index = growing.draw_boundary(stream, state, grid, 10, 10, pool, growing.BOUNDARIES_SIZE)
        seen.add(int(pool[index] >> growing.ROW_SHIFT))
    assert seen == set(range(5, 15)) - {7}
    assert state[growing.BOUNDARIES_SIZE] == len(seen)


def test_the_surest_boundary_is_taken():
    # With many draws the chosen boundary has the lowest doubt of all on the kernel's edge.
    table, mother, father = parents_and_table(5, 6, 3, candidates=29)
    arrays = table.arrays
    for seed in range(20):
        crossover_rules = rules(5, 6, use=("greedy",), boundaries=400)
        child, _, placed, _ = grow(table, crossover_rules, mother, father, seed)
        where = {child[r][c]: (r, c) for r in range(5) for c in range(6)}
        kernel = {where[placed[0]]: placed[0]}
        for piece in placed[1:6]:
            doubts = {}
            for (r, c), owner in kernel.items():
                for side, (down, right) in naive.STEP.items():
                    if naive.fits(kernel, (r + down, c + right), 5, 6):
                        costs = [
                            cost
                            for partner, cost in zip(
                                arrays.partners[4 * owner + side],
                                arrays.costs[4 * owner + side],
                                strict=True,
                            )
                            if partner // 4 not in kernel.values()
                        ]
                        doubts[owner, side] = (costs[0] / costs[1], (r + down, c + right))
            lowest = min(doubt for doubt, _ in doubts.values())
            cells = {cell for doubt, cell in doubts.values() if doubt < lowest + 0.001}
            assert where[piece] in cells
            kernel[where[piece]] = piece


@settings(max_examples=40)
@given(st.integers(2, 5), st.integers(2, 5), st.integers(0, 10**6), st.sampled_from([2, 5]))
def test_candidates_are_weighed_by_all_seams_of_the_cell(rows, columns, seed, weighed):
    n = rows * columns
    table, mother, father = parents_and_table(rows, columns, seed, candidates=n)
    costs = naive.cost_table(table.arrays.borders)
    crossover_rules = rules(rows, columns, use=("greedy",), weighed=weighed)
    child, _, placed, _ = grow(table, crossover_rules, mother, father, seed)
    where = {child[r][c]: (r, c) for r in range(rows) for c in range(columns)}
    kernel = {where[placed[0]]: placed[0]}
    for piece in placed[1:]:
        r, c = where[piece]
        around = {
            side: kernel[r + down, c + right]
            for side, (down, right) in naive.STEP.items()
            if (r + down, c + right) in kernel
        }
        choices = set()
        for side, owner in around.items():
            asking = naive.OPPOSITE[side]
            listed = naive.candidates(costs, n, owner, asking)
            free = [q for q in listed if q not in kernel.values()][:weighed]
            totals = [sum(costs[q, s, other] for s, other in around.items()) for q in free]
            choices.add(free[int(np.argmin(totals))])
        assert piece in choices
        kernel[r, c] = piece


@pytest.mark.parametrize("board", [(1, 5000), (5000, 1), (9, 700)])
def test_long_boards(board):
    rng = np.random.default_rng(0)
    n = board[0] * board[1]
    parent = rng.permutation(n).reshape(board)
    table = table_of(random_pieces(rng, n, 1, 1), candidates=2)
    child, _, _, phases = grow(table, rules(*board), parent, parent, 5)
    assert child == parent.tolist()
    assert set(phases[1:]) == {"agreed"}


def test_entries_of_the_largest_boards_stay_positive():
    most = 2 * growing.MOST_CELLS_ACROSS
    entry = (np.int64(most) << growing.ROW_SHIFT) | (np.int64(most) << growing.COLUMN_SHIFT)
    assert entry > 0
    assert entry >> growing.ROW_SHIFT == most
    assert (entry >> growing.COLUMN_SHIFT) & growing.COLUMN_MASK == most
    assert growing.VALUE_MASK >= 4 * MOST_PIECES + 3


def test_mutations_come_at_any_step_and_in_greedy_too():
    table = table_of(random_pieces(np.random.default_rng(0), 12))
    parent = np.arange(12).reshape(3, 4)
    steps = Counter()
    for seed in range(3300):
        phases = grow(table, rules(3, 4, mutation=1.0), parent, parent, seed)[3]
        steps[phases.index("mutation")] += 1
    shares_are_even(steps, 11)
    greedy = grow(table, rules(3, 4, use=("greedy",), mutation=1.0), parent, parent, 1)[3]
    assert greedy.count("mutation") == 1


def test_mutants_are_drawn_from_the_whole_bank():
    # Mutated at the first step, any of the eleven others is as likely.
    table = table_of(random_pieces(np.random.default_rng(0), 12))
    parent = np.arange(12).reshape(3, 4)
    gaps = Counter()
    for seed in range(30000):
        _, _, placed, phases = grow(table, rules(3, 4, mutation=1.0), parent, parent, seed)
        if phases[1] == "mutation":
            gaps[(placed[1] - placed[0]) % 12] += 1
    shares_are_even(gaps, 11)


def test_first_pieces_are_drawn_uniformly_and_any_piece_can_mutate():
    table = table_of(random_pieces(np.random.default_rng(0), 12))
    parent = np.arange(12).reshape(3, 4)
    first, mutants = Counter(), Counter()
    for seed in range(2400):
        _, _, placed, phases = grow(table, rules(3, 4, mutation=1.0), parent, parent, seed)
        first[placed[0]] += 1
        mutants[placed[phases.index("mutation")]] += 1
    assert len(first) == len(mutants) == 12
    assert all(abs(count - 200) < 5 * np.sqrt(200) for count in first.values())


def test_mutation_rate_is_per_child():
    table = table_of(random_pieces(np.random.default_rng(0), 30))
    parent = np.arange(30).reshape(5, 6)
    mutated = sum(
        "mutation" in grow(table, rules(5, 6, mutation=0.05), parent, parent, seed)[3]
        for seed in range(2000)
    )
    assert 60 <= mutated <= 145


def test_children_depend_on_seed_generation_and_number_only():
    rng = np.random.default_rng(9)
    table = table_of(random_pieces(rng, 20))
    population = np.stack([neighbour_table(rng.permutation(20).reshape(4, 5)) for _ in range(6)])
    parents = rng.integers(0, 6, (8, 2))
    one_by_one, at_once = np.empty((8, 20, 4), np.int32), np.empty((8, 20, 4), np.int32)
    costs = np.empty(8)
    known = (population, parents, np.full((8, 3), -1))

    def grow_some(work, generation, first, last, children):
        crossover.grow_children(
            table.arrays, rules(4, 5), work, 7, generation, *known, first, last, children, costs
        )

    grow_some(growing.workspace(20), 3, 0, 8, at_once)
    work = growing.workspace(20)
    for child in reversed(range(8)):
        grow_some(work, 3, child, child + 1, one_by_one)
    np.testing.assert_array_equal(one_by_one, at_once)
    other = np.empty_like(at_once)
    grow_some(work, 4, 0, 8, other)
    assert (other != at_once).any()


def test_an_own_phase_is_asked_before_the_greedy_one():
    rng = np.random.default_rng(5)
    table = table_of(random_pieces(rng, 20))
    mother, father = (rng.permutation(20).reshape(4, 5).tolist() for _ in range(2))

    @compile_phase
    def cheapest(partners, costs, slot, around):
        for side in around:
            if side >= 0 and slot[partners[side, 0] >> 2] >= 0:
                return np.int64(partners[side, 0] >> 2)
        return np.int64(-1)

    use = rules(4, 5, use=("greedy",), own=cheapest)
    child, _, placed, phases = grow(table, use, mother, father, seed=3)
    assert set(phases[1:]) == {"own", "greedy"}
    cell = {child[r][c]: (r, c) for r in range(4) for c in range(5)}
    for count, (piece, phase) in enumerate(zip(placed, phases, strict=True)):
        if phase != "own":
            continue
        row, column = cell[piece]
        firsts = set()
        for side, (down, right) in enumerate([(0, -1), (0, 1), (-1, 0), (1, 0)]):
            for other in placed[:count]:
                if cell[other] == (row + down, column + right):
                    firsts.add(int(table.arrays.partners[4 * other + (side ^ 1), 0]) >> 2)
        assert piece in firsts


@pytest.mark.parametrize("answer", [-1, 10**9, 0])
@pytest.mark.parametrize("boundaries", [1, 16])
def test_an_own_phase_may_answer_anything(answer, boundaries):
    rng = np.random.default_rng(6)
    table = table_of(random_pieces(rng, 20), candidates=2)
    mother, father = (rng.permutation(20).reshape(4, 5).tolist() for _ in range(2))
    own = compile_phase(_ANSWERS[answer])
    use = rules(4, 5, use=("greedy",), own=own, boundaries=boundaries)
    _, _, placed, phases = grow(table, use, mother, father, seed=4)
    assert sorted(placed) == list(range(20))
    assert phases.count("own") == (1 if answer == 0 and placed[0] != 0 else 0)


_ANSWERS = {
    -1: lambda partners, costs, slot, around: np.int64(-1),
    10**9: lambda partners, costs, slot, around: np.int64(10**9),
    0: lambda partners, costs, slot, around: np.int64(0),
}


def test_a_child_begins_with_the_pieces_whose_cells_are_fixed():
    rows, columns = 4, 5
    table, mother, father = parents_and_table(rows, columns, seed=3)
    fixed = {(0, 0): 7, (3, 4): 2, (1, 2): 11}
    known = np.array([[4 * piece, *cell] for cell, piece in fixed.items()], np.int32)
    use = rules(rows, columns)
    use = use._replace(kept=use.kept._replace(fixed=known))
    grid, _, placed, phases = grow(table, use, mother, father)
    assert sorted(np.ravel(grid)) == list(range(rows * columns))
    assert {(row, column): grid[row][column] for row, column in fixed} == fixed
    assert placed[:3] == [*fixed.values()]
    assert [index for index, phase in enumerate(phases) if phase == "first"] == [0, 1, 2]
