"""What constraints say together, and which of them clash."""

import json

import numpy as np
import pytest
from helpers import random_pieces
from hypothesis import given, settings
from hypothesis import strategies as st

from jigsolve import Board, Constraints, InputError, Puzzle
from jigsolve.core.constraints import SIDES, STEPS, merged
from jigsolve.core.layout import laid_out


def bag(rows, columns):
    return Puzzle(
        random_pieces(np.random.default_rng(0), rows * columns, 3, 3), Board(rows, columns)
    )


def around(arrangement, piece, side):
    """Return the piece on one side of another, None beyond the board."""
    (row,), (column,) = np.nonzero(arrangement == piece)
    row, column = row + STEPS[side][0], column + STEPS[side][1]
    if 0 <= row < arrangement.shape[0] and 0 <= column < arrangement.shape[1]:
        return int(arrangement[row, column])
    return None


@st.composite
def known_of(draw, rows=4, columns=5):
    """Draw an arrangement and some of what holds in it."""
    order = draw(st.permutations(range(rows * columns)))
    arrangement = np.array(order).reshape(rows, columns)
    seams = [
        (piece, side, other)
        for piece in range(rows * columns)
        for side in SIDES
        if (other := around(arrangement, piece, side)) is not None
    ]
    joined = draw(st.lists(st.sampled_from(seams), max_size=12))
    cells = draw(st.lists(st.sampled_from(range(rows * columns)), max_size=3, unique=True))
    fixed = [(int(arrangement.flat[c]), c // columns, c % columns) for c in cells]
    return arrangement, Constraints(joined=joined, fixed=fixed)


@given(known_of())
@settings(max_examples=80)
def test_what_holds_in_an_arrangement_is_kept_by_it(known):
    arrangement, constraints = known
    layout = laid_out(constraints, bag(*arrangement.shape))
    assert layout.violated(arrangement) == 0
    for piece, side, other, _ in constraints.joined:
        assert layout.neighbours[piece, SIDES.index(side)] // 4 == other
    for piece in range(arrangement.size):
        for side, name in enumerate(SIDES):
            beside = layout.neighbours[piece, side] // 4
            assert beside in (-1, around(arrangement, piece, name))
    members = [int(pose) // 4 for block in layout.blocks for pose in block[:, 0]]
    assert len(members) == len(set(members))
    assert not set(members) & set(np.flatnonzero(layout.cells >= 0).tolist())


@given(known_of(), st.randoms())
@settings(max_examples=80)
def test_violations_are_counted_as_a_person_would(known, random):
    arrangement, constraints = known
    layout = laid_out(constraints, bag(*arrangement.shape))
    order = [*range(arrangement.size)]
    random.shuffle(order)
    other = np.array(order).reshape(arrangement.shape)
    broken = sum(
        around(other, int(piece), SIDES[side]) != layout.neighbours[piece, side] // 4
        for piece in range(arrangement.size)
        for side in (1, 3)
        if layout.neighbours[piece, side] >= 0
    )
    moved = sum(
        int(np.flatnonzero(other.ravel() == piece)[0]) != layout.cells[piece]
        for piece in np.flatnonzero(layout.cells >= 0)
    )
    assert layout.violated(other) == broken + moved


@given(known_of(), st.randoms())
@settings(max_examples=40)
def test_other_numbers_mean_the_same(known, random):
    arrangement, constraints = known
    numbers = [*range(arrangement.size)]
    random.shuffle(numbers)
    own = np.array([*numbers, -1], np.int32)
    layout = laid_out(constraints, bag(*arrangement.shape)).renumbered(own)
    assert layout.violated(own[arrangement]) == 0


def test_parted_sides_are_counted_where_they_touch():
    puzzle = bag(2, 2)
    layout = laid_out(Constraints(parted=[(0, "right", 1), (3, "top", 1)]), puzzle)
    assert layout.violated(np.array([[0, 1], [2, 3]])) == 2
    assert layout.violated(np.array([[1, 0], [2, 3]])) == 0
    assert layout.violated(np.array([[0, 1], [3, 2]])) == 1


def test_an_empty_cell_is_beside_nothing():
    puzzle = Puzzle(bag(2, 2).pieces[:3], Board(2, 2), holes=1)
    layout = laid_out(Constraints(parted=[(0, "right", 1)], joined=[(0, "bottom", 2)]), puzzle)
    assert layout.violated(np.array([[0, -1], [2, 1]])) == 0
    assert layout.violated(np.array([[0, 1], [2, -1]])) == 1
    right, below = layout.kept_seams(np.array([[0, -1], [2, 1]]))
    assert right.sum() == 0
    assert below.tolist() == [[True, False]]


CLASHES = {
    "a cell twice": (
        {"fixed": [(0, 1, 1), (3, 1, 1)]},
        r"fixed \[0, 1, 1\] and fixed \[3, 1, 1\] fix one cell twice",
    ),
    "a piece twice": (
        {"fixed": [(0, 1, 1), (0, 1, 2)]},
        r"fixed \[0, 1, 1\] and fixed \[0, 1, 2\] fix one piece twice",
    ),
    "an overlap": (
        {"joined": [(0, "right", 1), (0, "right", 2)]},
        r"joined \[0, right, 1\] and joined \[0, right, 2\] put two pieces in one place",
    ),
    "an overlap with the first": (
        {"joined": [(0, "right", 1), (1, "bottom", 2), (2, "left", 3), (3, "top", 4)]},
        r"joined \[0, right, 1\] and joined \[3, top, 4\] put two pieces in one place",
    ),
    "a circle": (
        {"joined": [(0, "right", 1), (1, "bottom", 2), (2, "left", 3), (3, "top", 1)]},
        r"joined .* do not close a circle|joined .* put two pieces in one place",
    ),
    "both": (
        {"joined": [(0, "right", 1)], "parted": [(1, "left", 0)]},
        r"parted \[1, left, 0\] and joined \[0, right, 1\] clash",
    ),
    "too wide": (
        {"joined": [(0, "right", 1), (1, "right", 2), (2, "right", 3)]},
        r"joined \[0, right, 1\] and joined \[2, right, 3\] make 4 columns of a board of 3",
    ),
    "beside the board": (
        {"joined": [(0, "right", 1)], "fixed": [(0, 0, 2)]},
        r"fixed \[0, 0, 2\] and joined \[0, right, 1\] put piece 1 beside the board",
    ),
    "two fixed that are joined otherwise": (
        {"joined": [(0, "right", 1)], "fixed": [(0, 0, 0), (1, 1, 1)]},
        r"fixed \[1, 1, 1\] and joined \[0, right, 1\] clash",
    ),
    "a fixed cell that a block needs": (
        {"joined": [(0, "right", 1)], "fixed": [(0, 0, 0), (4, 0, 1)]},
        r"fixed \[4, 0, 1\] and joined \[0, right, 1\] put two pieces in row 0, column 1|"
        r"joined \[0, right, 1\] and fixed \[4, 0, 1\] put two pieces in row 0, column 1",
    ),
    "no such piece": ({"joined": [(0, "right", 9)]}, r"expected pieces from 0 to 8, found"),
    "no such row": ({"fixed": [(0, 3, 0)]}, r"expected rows below 3 and columns below 3"),
}


@pytest.mark.parametrize("name", CLASHES)
def test_what_clashes_is_named(name):
    known, message = CLASHES[name]
    with pytest.raises(InputError, match=message):
        laid_out(Constraints(**known), bag(3, 3))


def test_a_circle_that_does_not_close_is_named():
    joined = [(0, "right", 1), (1, "bottom", 2), (2, "left", 3), (3, "right", 0)]
    with pytest.raises(InputError, match=r"joined .*do not close a circle"):
        laid_out(Constraints(joined=joined), bag(3, 3))


def test_the_same_said_twice_is_no_clash():
    known = Constraints(joined=[(0, "right", 1), (1, "left", 0)], fixed=[(0, 0, 0), (0, 0, 0)])
    assert laid_out(known, bag(2, 2)).violated(np.array([[0, 1], [2, 3]])) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"joined": [(0, "up", 1)]},
        {"joined": [(0, "right")]},
        {"joined": [(0, "right", 0)]},
        {"joined": [(0.5, "right", 1)]},
        {"joined": [(True, "right", 1)]},
        {"parted": ["ab"]},
        {"fixed": [(0, 0)]},
        {"fixed": [5]},
        {"fixed": [(0, 0, "x")]},
    ],
)
def test_what_is_no_constraint_is_refused(wrong):
    with pytest.raises(InputError, match=r"expected (\[piece|two different pieces)"):
        Constraints(**wrong)


def test_files_name_pieces_by_number_or_by_file(tmp_path):
    path = tmp_path / "known.json"
    record = {
        "joined": [["b.png", "right", 0]],
        "parted": [[1, "top", "a.png"]],
        "fixed": [["b.png", 0, 1]],
    }
    path.write_text(json.dumps(record))
    read = Constraints.read(path, ["a.png", "b.png"])
    assert read == Constraints([(1, "right", 0)], [(1, "top", 0)], [(1, 0, 1)])
    assert Constraints.from_record(json.loads(json.dumps(read.as_record()))) == read
    assert merged([read, read]).joined == (*read.joined, *read.joined)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "expected JSON"),
        ("[1]", "expected an object of joined, parted, fixed, turned, found list"),
        ('{"join": []}', r"expected an object of joined, parted, fixed, turned, found \['join'\]"),
        ('{"joined": 5}', "joined: expected a list, found 5"),
        ('{"joined": [["c.png", "left", 0]]}', "expected a piece, found 'c.png'"),
        ('{"fixed": [[0, 1]]}', r"fixed: expected \[piece, row, column\]"),
    ],
)
def test_files_that_are_something_else_are_refused(tmp_path, text, message):
    path = tmp_path / "known.json"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        Constraints.read(path, ["a.png"])
    assert str(path) in str(caught.value)
    with pytest.raises(InputError, match="cannot be read"):
        Constraints.read(tmp_path / "none.json")
