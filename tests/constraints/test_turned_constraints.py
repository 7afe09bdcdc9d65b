"""Constraints on pieces that may be turned: what they say together, and that they are kept."""

import json

import numpy as np
import pytest
import turning
from helpers import random_pieces, seam_table
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from jigsolve import Board, Constraints, InputError, Puzzle, Settings, score, solve
from jigsolve._kernels.known import BARRED
from jigsolve.assembly.joining import Assembly
from jigsolve.assembly.population import Growing, Nursery, Population, arrangement_of
from jigsolve.assembly.segments import Segments
from jigsolve.core.constraints import SIDES
from jigsolve.core.layout import laid_out
from jigsolve.core.poses import poses_of
from jigsolve.core.turns import POSES
from jigsolve.execution.crew import crew
from jigsolve.measures import EXTRAPOLATION, LEARNED
from jigsolve.solvers.genetic.annealing import Annealing

QUICK = {"population": 12, "generations": 6, "patience": 2, "repairs": 2, "annealing": 40}
TURNED = st.sampled_from(["half", "quarter"])


def bag(rows, columns, turns, size=3):
    pieces = random_pieces(np.random.default_rng(0), rows * columns, size, size)
    return Puzzle(pieces, Board(rows, columns), turns=turns)


def seam(side, partner):
    """Return two sides by their numbers as an entry."""
    return int(side) // 4, SIDES[side % 4], int(partner) // 4, SIDES[partner % 4]


def entry_of(poses, cell):
    pose = int(poses[cell])
    return pose // 4, *(int(index) for index in cell), pose % 4


def some_of(poses, rng, joined, fixed, parted, turns):
    """Return constraints that hold in an arrangement of poses; parted sides never touch in it."""
    met = turning.meetings(turning.as_cells(poses))
    seams = [seam(*pair) for pair in met.items()]
    cells = [tuple(cell) for cell in np.argwhere(poses >= 0)]
    sides = [side for pose in poses[poses >= 0] for side in range(pose // 4 * 4, pose // 4 * 4 + 4)]
    apart = []
    while len(apart) < parted:
        one, other = rng.choice(sides, 2)
        turn = (turning.pose_with(other, 0) - turning.pose_with(one, 1)) % 4
        if one // 4 != other // 4 and met.get(one) != other and turn in turning.WAYS[turns]:
            apart.append(seam(one, other))
    return Constraints(
        [seams[i] for i in rng.integers(len(seams), size=joined)],
        apart,
        [entry_of(poses, cells[i]) for i in rng.choice(len(cells), fixed, replace=False)],
    )


def broken_in(poses, layout):
    """Count slowly what an arrangement does not keep."""
    cells = turning.as_cells(poses)
    met = turning.meetings(cells)
    where = {pose // 4: (cell, pose % 4) for cell, pose in cells.items()}
    broken = sum(
        met.get(4 * p + s) != layout.neighbours[p, s]
        for p, s in np.argwhere(layout.neighbours >= 0)
    )
    moved = 0
    for piece in np.flatnonzero(layout.cells >= 0):
        cell = tuple(divmod(int(layout.cells[piece]), poses.shape[1]))
        moved += where.get(piece) != (cell, layout.turns[piece])
    touching = sum(met.get(one) == other for one, other in layout.parted.tolist())
    return broken // 2 + moved + touching


@given(st.integers(0, 2**32), TURNED, st.integers(1, 5), st.integers(2, 5))
@settings(max_examples=80)
def test_what_holds_in_an_arrangement_is_kept_by_it_and_counted_elsewhere(seed, turns, rows, cols):
    rng = np.random.default_rng(seed)
    poses = turning.random_board(rng, rows, cols, turns)
    fixed = min(int(rng.integers(4)), poses.size)
    known = some_of(poses, rng, int(rng.integers(12)), fixed, int(rng.integers(5)), turns)
    layout = laid_out(known, bag(rows, cols, turns))
    assert layout.violated(poses // 4, poses % 4) == 0 == broken_in(poses, layout)
    met = turning.meetings(turning.as_cells(poses))
    for piece, side in np.argwhere(layout.neighbours >= 0):
        assert met[4 * piece + side] == layout.neighbours[piece, side]
    for piece, side, other, facing in known.joined:
        wanted = 4 * other + SIDES.index(facing)
        assert layout.neighbours[piece, SIDES.index(side)] == wanted
    members = [int(pose) // 4 for block in layout.blocks for pose in block[:, 0]]
    assert len(members) == len(set(members))
    assert not set(members) & set(np.flatnonzero(layout.cells >= 0).tolist())
    other = turning.random_board(rng, rows, cols, turns)
    assert layout.violated(other // 4, other % 4) == broken_in(other, layout)
    numbers = np.append(rng.permutation(poses.size), -1)
    renumbered = poses_of(numbers[poses // 4], poses % 4)
    assert layout.renumbered(numbers).violated_by(renumbered) == 0
    right, below = layout.kept_seams(poses // 4, poses % 4)
    assert right.sum() + below.sum() == np.count_nonzero(layout.neighbours >= 0) // 2


@given(st.integers(0, 2**32), TURNED, st.integers(2, 5), st.integers(2, 5))
@settings(max_examples=30)
def test_fixed_cells_say_which_way_up_the_whole_is(seed, turns, rows, columns):
    rng = np.random.default_rng(seed)
    poses = turning.random_board(rng, rows, columns, turns)
    layout = laid_out(some_of(poses, rng, 3, 2, 0, turns), bag(rows, columns, turns))
    for way in turning.wholes(poses, turns):
        np.testing.assert_array_equal(layout.upright(way), poses)


def test_two_cells_of_a_block_tell_its_turn():
    puzzle = bag(3, 3, "quarter")
    joined = [(0, "right", 1, "left")]
    layout = laid_out(Constraints(joined, fixed=[(0, 0, 1), (1, 1, 1)]), puzzle)
    assert layout.turns[:2].tolist() == [1, 1]  # what pointed right points down
    alone = Constraints(joined, fixed=[(0, 0, 1)])
    with pytest.raises(InputError, match=r"fixed: expected \[piece, row, column, turn\] where"):
        laid_out(alone, puzzle)


CLASHES = {
    "which side is not said": (
        {"joined": [(0, "right", 1)]},
        r"joined: expected \[piece, side, piece, side\] where pieces may be turned, found \[0, "
        r"right, 1\]",
    ),
    "which side is not said of what is parted": (
        {"parted": [(0, "right", 1)]},
        r"parted: expected \[piece, side, piece, side\] where pieces may be turned",
    ),
    "a turn that is not said": (
        {"fixed": [(0, 1, 1)]},
        r"fixed: expected \[piece, row, column, turn\] where pieces may be turned, found \[0, 1, ",
    ),
    "a circle that does not close": (
        {"joined": [(0, "right", 1, "left"), (0, "top", 1, "left")]},
        r"joined \[0, right, 1, left\] and joined \[0, top, 1, left\] do not close a circle",
    ),
    "a turn that does not close": (
        {"joined": [(0, "right", 1, "left"), (0, "right", 1, "top")]},
        r"joined \[0, right, 1, left\] and joined \[0, right, 1, top\] do not close a circle",
    ),
    "an overlap": (
        {"joined": [(0, "right", 1, "top"), (0, "right", 2, "bottom")]},
        r"put two pieces in one place",
    ),
    "too long": (
        {
            "joined": [
                (0, "right", 1, "left"),
                (1, "right", 2, "left"),
                (2, "right", 3, "left"),
                (3, "right", 4, "left"),
            ]
        },
        r"make 5 cells in a line of a board of 4",
    ),
    "too wide both ways": (
        {
            "joined": [
                (0, "right", 1, "left"),
                (1, "right", 2, "left"),
                (2, "right", 3, "left"),
                (0, "bottom", 4, "top"),
                (4, "bottom", 5, "top"),
                (5, "bottom", 6, "top"),
            ]
        },
        r"make 4 cells in a line of a board of 3",
    ),
    "beside the board": (
        {"joined": [(0, "right", 1, "left")], "fixed": [(0, 0, 0, 3)]},
        r"fixed \[0, 0, 0, 3\] and joined \[0, right, 1, left\] put piece 1 beside the board",
    ),
    "another turn": (
        {"joined": [(0, "right", 1, "left")], "fixed": [(0, 0, 0, 0), (1, 0, 1, 2)]},
        r"fixed \[1, 0, 1, 2\] and joined \[0, right, 1, left\] clash: by fixed \[0, 0, 0, 0\] the "
        r"piece would be in row 0, column 1, turn 0",
    ),
    "both": (
        {"joined": [(0, "right", 1, "top")], "parted": [(1, "top", 0, "right")]},
        r"parted \[1, top, 0, right\] and joined \[0, right, 1, top\] clash",
    ),
    "one piece twice": (
        {"fixed": [(0, 0, 0, 0), (0, 0, 0, 1)]},
        r"fixed \[0, 0, 0, 0\] and fixed \[0, 0, 0, 1\] fix one cell twice",
    ),
}


@pytest.mark.parametrize("name", CLASHES)
def test_what_clashes_is_named(name):
    known, message = CLASHES[name]
    with pytest.raises(InputError, match=message):
        laid_out(Constraints(**known), bag(3, 4, "quarter"))


def test_sides_and_turns_must_be_possible():
    for turns, known in (
        ("none", Constraints([(0, "right", 1, "right")])),
        ("half", Constraints([(0, "right", 1, "top")])),
        ("half", Constraints(parted=[(0, "right", 1, "top")])),
    ):
        with pytest.raises(InputError, match="expected sides that may touch where turns are"):
            laid_out(known, bag(3, 3, turns))
    for turns, turn in (("none", 1), ("half", 3)):
        with pytest.raises(InputError, match=r"fixed: expected turns of 0(, 2)? where turns are"):
            laid_out(Constraints(fixed=[(0, 0, 0, turn)]), bag(3, 3, turns))
    with pytest.raises(InputError, match="fixed: expected a turn of 0, 1, 2 or 3"):
        Constraints(fixed=[(0, 0, 0, 4)])
    with pytest.raises(InputError, match=r"joined: expected \[piece, side, piece\] or"):
        Constraints([(0, "right", 1, "up")])


def test_a_block_that_stands_may_lie():
    tall = [(0, "bottom", 1, "top"), (1, "bottom", 2, "top"), (2, "bottom", 3, "top")]
    assert len(laid_out(Constraints(tall), bag(3, 4, "quarter")).blocks) == 1
    with pytest.raises(InputError, match="make 4 rows of a board of 3"):
        laid_out(Constraints(tall), bag(3, 4, "half"))


def test_where_pieces_are_not_turned_both_forms_mean_the_same():
    short = Constraints([(0, "right", 1)], [(2, "top", 3)], [(0, 0, 0)])
    long = Constraints([(0, "right", 1, "left")], [(2, "top", 3, "bottom")], [(0, 0, 0, 0)])
    one, other = (laid_out(known, bag(2, 2, "none")) for known in (short, long))
    for name in ("neighbours", "cells", "turns", "parted"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_files_have_sides_and_turns(tmp_path):
    path = tmp_path / "known.json"
    record = {"joined": [["b", "right", 0, "top"]], "parted": [], "fixed": [["a", 0, 1, 3]]}
    path.write_text(json.dumps(record))
    read = Constraints.read(path, ["a", "b"])
    assert read == Constraints([(1, "right", 0, "top")], fixed=[(0, 0, 1, 3)])
    assert Constraints.from_record(json.loads(json.dumps(read.as_record()))) == read


def test_an_arrangement_and_its_turns_are_cells_that_are_fixed():
    poses = np.array([[4, -1], [3, 9]])
    known = Constraints.from_arrangement(poses // 4, poses % 4)
    assert [*known.fixed] == [(1, 0, 0, 0), (0, 1, 0, 3), (2, 1, 1, 1)]


@given(st.integers(0, 2**32), TURNED, st.integers(1, 6), st.integers(2, 6), st.integers(0, 2))
@settings(max_examples=60)
def test_arrangements_keep_what_is_known_from_the_first(seed, turns, rows, columns, empty):
    """However pieces are placed: by chance, or along segments; blocks lie in any turn."""
    rng = np.random.default_rng(seed)
    empty = min(empty, rows * columns - 2)
    poses = turning.random_board(rng, rows, columns, turns, empty=empty)
    pieces = np.unique(poses[poses >= 0] // 4)
    number = np.full(rows * columns, -1)
    number[pieces] = np.arange(len(pieces))
    poses = np.where(poses >= 0, 4 * number[poses // 4] + poses % 4, -1)
    puzzle = Puzzle(
        random_pieces(rng, len(pieces), 4, 4), Board(rows, columns), holes=empty, turns=turns
    )
    if len(turning.meetings(turning.as_cells(poses))) < 2:
        return
    known = some_of(poses, rng, int(rng.integers(8)), int(rng.integers(3)), 0, turns)
    layout = laid_out(known, puzzle)
    with crew(1) as hands:
        table = seam_table(puzzle, np.arange(len(puzzle)), EXTRAPOLATION, 16, hands).ruled(layout)
        nursery = Nursery(
            table,
            puzzle.board,
            Growing(mutation=0.5),
            hands,
            seed=seed % 1000,
            holes=empty,
            layout=layout,
        )
        population = Population.empty(6, len(pieces), empty)
        nursery.random_population(population)
        found = [
            layout.upright(arrangement_of(each, puzzle.board, len(pieces), POSES[turns]))
            for each in population.neighbours
        ]
        nursery.complete(Segments.assemble(table, puzzle.board, hands, layout), 0, population)
        found += [
            layout.upright(arrangement_of(each, puzzle.board, len(pieces), POSES[turns]))
            for each in population.neighbours
        ]
    for arrangement in found:
        assert sorted(arrangement[arrangement >= 0] // 4) == list(range(len(pieces)))
    if not (layout.blocks and layout.fixes_cells):  # or they may leave each other no room
        kept = [broken_in(arrangement, layout) == 0 for arrangement in found]
        assert all(kept) or len(layout.blocks) > 1


@given(st.integers(0, 2**32), TURNED, st.integers(1, 5), st.integers(2, 5))
@settings(max_examples=50)
def test_what_is_known_is_joined_first_and_takes_the_whole_board(seed, turns, rows, columns):
    rng = np.random.default_rng(seed)
    poses = turning.random_board(rng, rows, columns, turns)
    puzzle = bag(rows, columns, turns, 4)
    layout = laid_out(some_of(poses, rng, int(rng.integers(1, 9)), 2, 0, turns), puzzle)
    with crew(1) as hands:
        table = seam_table(puzzle, np.arange(len(puzzle)), EXTRAPOLATION, 16, hands).ruled(layout)
        work = Assembly(table, puzzle.board, hands, layout).work
    wanted = layout.neighbours >= 0
    np.testing.assert_array_equal(work.neighbours[wanted], layout.neighbours[wanted])
    fixed = np.flatnonzero(layout.cells >= 0)
    number = work.segment[fixed[0]]
    assert (work.segment[fixed] == number).all()
    limits = work.limits[number]
    spans = limits[1] - limits[0] + 1, limits[3] - limits[2] + 1
    way = (work.turn[fixed[0]] - layout.turns[fixed[0]]) % 4
    assert spans == ((rows, columns) if way % 2 == 0 else (columns, rows))
    board = np.full((rows, columns), -1)
    board.flat[layout.cells[fixed]] = 4 * fixed + layout.turns[fixed]
    lies = np.full(spans, -1)
    for piece in fixed:
        cell = work.row[piece] - limits[0], work.column[piece] - limits[2]
        lies[cell] = 4 * piece + work.turn[piece]
    np.testing.assert_array_equal(lies, turning.turned_whole(board, way))


@given(
    st.integers(0, 2**32), TURNED, st.sampled_from(["learned", "dissimilarity", "extrapolation"])
)
@settings(max_examples=25)
def test_no_constraint_is_ever_violated(seed, turns, measure):
    rng = np.random.default_rng(seed)
    rows, columns = int(rng.integers(2, 7)), int(rng.integers(2, 7))
    puzzle = Puzzle(random_pieces(rng, rows * columns, 5, 5), Board(rows, columns), turns=turns)
    poses = turning.random_board(rng, rows, columns, turns)
    known = some_of(poses, rng, *rng.integers(0, (6, 3, 8)), turns)
    preset = "paper" if measure == "dissimilarity" else "default"
    chosen = Settings.preset(preset, **QUICK, measure=measure, mutation=0.5, seed=seed)
    solution = solve(puzzle, chosen, constraints=known)
    layout = laid_out(known, puzzle)
    assert layout.violated(solution.arrangement, solution.turns) == 0
    assert broken_in(poses_of(solution.arrangement, solution.turns), layout) == 0
    assert sorted(solution.arrangement.ravel()) == list(range(rows * columns))


@pytest.fixture(scope="module")
def cat():
    puzzle, truth = Puzzle.cut(data.chelsea()[:224, :308], 14).shuffle(3, turns="quarter")
    return puzzle, poses_of(truth.pieces, truth.turns)


def test_an_arrangement_that_is_all_fixed_is_the_solution(cat):
    puzzle, truth = cat
    wrong = turning.random_board(np.random.default_rng(1), *truth.shape, "quarter")
    known = Constraints.from_arrangement(wrong // 4, wrong % 4)
    solution = solve(puzzle, Settings.of(**QUICK), constraints=known)
    np.testing.assert_array_equal(poses_of(solution.arrangement, solution.turns), wrong)


@pytest.mark.parametrize("way", range(4))
def test_one_fixed_cell_turns_a_square_photo_upright(way):
    puzzle, placed = Puzzle.cut(data.chelsea()[:196, 60:256], 28).shuffle(3, turns="quarter")
    truth = turning.turned_whole(poses_of(placed.pieces, placed.turns), way)
    known = Constraints(fixed=[entry_of(truth, (2, 5))])
    told = []
    solution = solve(
        puzzle,
        Settings.of(**QUICK),
        constraints=known,
        keep_arrangements=True,
        on_event=told.append,
    )
    np.testing.assert_array_equal(poses_of(solution.arrangement, solution.turns), truth)
    last = solution.history[-1]
    assert poses_of(last.arrangement, last.turns)[2, 5] == truth[2, 5]


def test_a_seam_that_is_put_right_puts_others_right(cat):
    puzzle, truth = cat
    noise = np.random.default_rng(1).normal(0, 14, puzzle.image().shape)
    noisy = np.clip(turning.picture_of(puzzle, truth) + noise, 0, 255).astype(np.uint8)
    puzzle, placed = Puzzle.cut(noisy, 14).shuffle(2, turns="quarter")
    chosen = Settings.of(population=20, annealing=200)
    plain = solve(puzzle, chosen)
    right = turning.meetings(turning.as_cells(poses_of(placed.pieces, placed.turns)))
    found = turning.meetings(turning.as_cells(poses_of(plain.arrangement, plain.turns)))
    wrong = [(one, other) for one, other in found.items() if right.get(one, other) != other][::9]
    assert len(wrong) >= 5
    known = Constraints(
        [seam(one, right[one]) for one, _ in wrong], [seam(*pair) for pair in wrong]
    )
    helped = solve(plain.prepared, chosen, constraints=known)
    assert laid_out(known, puzzle).violated(helped.arrangement, helped.turns) == 0
    gained = score(helped, placed).neighbour - score(plain, placed).neighbour
    assert gained > len(wrong) / (2 * truth.size - sum(truth.shape))


def test_known_seams_count_as_sure(cat):
    puzzle, truth = cat
    wrong = seam(turning.side_of(truth[0, 0], 1), turning.side_of(truth[9, 9], 2))
    solution = solve(puzzle, Settings.of(**QUICK), constraints=Constraints([wrong]))
    poses = poses_of(solution.arrangement, solution.turns)
    sure = np.concatenate([part.ravel() for part in solution.known_seams()])
    assert sure.sum() == 1
    stated = solution.confidence()
    assert np.concatenate([stated.right.ravel(), stated.below.ravel()])[sure].tolist() == [1]
    met = turning.meetings(turning.as_cells(poses))
    assert met[4 * wrong[0] + SIDES.index(wrong[1])] == 4 * wrong[2] + SIDES.index(wrong[3])
    assert solution.cost < BARRED


def test_results_do_not_depend_on_threads_and_go_on_from_a_checkpoint(cat, tmp_path):
    puzzle, truth = cat
    known = some_of(truth, np.random.default_rng(5), 10, 2, 10, "quarter")
    one, three = (solve(puzzle, Settings.of(**QUICK, threads=n), constraints=known) for n in (1, 3))
    np.testing.assert_array_equal(one.arrangement, three.arrangement)
    np.testing.assert_array_equal(one.turns, three.turns)
    file = tmp_path / "c"
    short = Settings.of(**QUICK).changed(generations=6)
    solve(puzzle, short, constraints=known, checkpoint=file, checkpoint_every=0)
    again = solve(puzzle, resume=file, constraints=known)
    assert laid_out(known, puzzle).violated(again.arrangement, again.turns) == 0


def test_holes_and_strays_do_not_part_what_is_joined():
    puzzle, truth = turning.turned_puzzle(4, 8, 9, (12, 12), "quarter", missing=6, foreign=5)
    known = some_of(truth, np.random.default_rng(2), 12, 1, 10, "quarter")
    solution = solve(puzzle, Settings.of(**QUICK), constraints=known)
    layout = laid_out(known, puzzle)
    assert broken_in(poses_of(solution.arrangement, solution.turns), layout) == 0


def test_annealing_moves_nothing_that_is_fixed_and_parts_nothing_that_is_joined(cat):
    puzzle, truth = cat
    rng = np.random.default_rng(3)
    known = some_of(truth, rng, 12, 3, 20, "quarter")
    layout = laid_out(known, puzzle)
    free = np.argwhere(
        (layout.cells[truth // 4] < 0) & (layout.neighbours[truth // 4] < 0).all(axis=2)
    )
    cells = free[rng.permutation(len(free))[:60]]
    start = truth.copy()
    moved = truth[tuple(np.roll(cells, 1, axis=0).T)]
    start[tuple(cells.T)] = moved // 4 * 4 + rng.integers(4, size=len(moved))
    if layout.violated_by(start):  # a parted pair met by chance
        start = truth
    with crew(1) as hands:
        table = seam_table(puzzle, np.arange(len(puzzle)), LEARNED, 16, hands).ruled(layout)
        annealing = Annealing(table, start, layout)
        annealing.run(200, rng, hands)
    found = annealing.arrangement()
    assert layout.violated_by(found) == 0
    assert not np.array_equal(found, start)
