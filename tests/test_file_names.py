import numpy as np
import pytest

from jigsolve import Board, InputError
from jigsolve.detect.file_names import naming_of, odd_name

CELLS = [(row, column) for row in range(3) for column in range(4)]


@pytest.mark.parametrize(
    ("pattern", "labelled"),
    [
        ("r{r}_c{c}.png", True),
        ("Row{r:02}-Col{c:02}.PNG", True),
        ("x{c}-y{r}.png", True),
        ("photo2_x={c}_y={r}.jpg", True),
        ("map/tile-y{r}x{c}.webp", True),
        ("{r:03}_{c:03}.png", False),
        ("{r}-{c}", False),
        ("row {r}/{c}.tif", False),
        ("{r}x{c}.jp2", False),
        ("{r}.{c}.png", False),
    ],
)
def test_coordinates_are_noticed(pattern, labelled):
    shuffled = np.random.default_rng(0).permutation(12)
    names = [pattern.format(r=CELLS[i][0], c=CELLS[i][1]) for i in shuffled]
    naming = naming_of(names)
    assert naming.board() == Board(3, 4)
    found = naming.arrangement(Board(3, 4))
    np.testing.assert_array_equal(shuffled[found].ravel(), np.arange(12))
    assert names[found[0, 0]] in naming.describe()
    turned = naming.board(column_first=True)
    assert turned == (Board(3, 4) if naming.labelled else Board(4, 3))
    assert naming.labelled == labelled


@pytest.mark.parametrize("pattern", ["{}.png", "{:04}.png", "tile ({}).png", "a/b/IMG_{:05}.jpeg"])
@pytest.mark.parametrize("first", [0, 1, 700])
def test_orders_are_noticed(pattern, first):
    shuffled = np.random.default_rng(1).permutation(12)
    naming = naming_of([pattern.format(first + i) for i in shuffled])
    assert naming.board() is None
    assert f"numbers from {first} to {first + 11}" in naming.describe()
    found = naming.arrangement(Board(3, 4))
    np.testing.assert_array_equal(shuffled[found].ravel(), np.arange(12))
    down = naming.arrangement(Board(3, 4), column_first=True)
    np.testing.assert_array_equal(shuffled[down].T.ravel(), np.arange(12))


def test_coordinates_in_pixels_and_holes():
    names = [f"{56 * r}_{28 * c}.png" for r, c in CELLS if (r, c) != (1, 2)]
    naming = naming_of(names)
    assert naming.board() == Board(3, 4)
    assert naming.arrangement(Board(3, 4))[1, 2] == -1


def test_numbers_longer_than_any_word_are_no_trouble():
    assert (
        naming_of([f"{'9' * 40}{number}.png" for number in range(6)]).arrangement(Board(2, 3))[1, 2]
        == 5
    )


def test_missing_numbers_are_holes():
    naming = naming_of([f"{number}.png" for number in range(1, 13) if number not in (1, 7)])
    found = naming.arrangement(Board(3, 4))
    assert np.argwhere(found < 0).tolist() == [[0, 0], [1, 2]]


@pytest.mark.parametrize(
    "names",
    [
        ["1.png", "2.png", "3.png"],  # too few to speak of
        ["a.png", "b.png", "c.png", "d.png"],
        ["1.png", "2.png", "3.png", "four.png"],
        ["1.png", "01.png", "2.png", "3.png"],  # one place for two
        ["1_1_1.png", "1_2_3.png", "2_1_4.png", "2_2_2.png"],
        ["20260101.png", "20260714.png", "20270305.png", "20290101.png"],  # dates
        ["r1_c1.png", "r1_c900.png", "r40_c1.png", "r77_c3.png"],  # no board
        [f"{number:08x}.png" for number in (4, 0xDEADBEEF, 0x1234, 0x99999999)],
        [f"{chr(0x660 + number)}.png" for number in range(4)],  # digits, but not ours
    ],
)
def test_names_that_say_nothing(names):
    assert naming_of(names) is None


def test_the_odd_name_is_told():
    names = ["001.png", "002.png", "stray-3.png", "004.png"]
    assert naming_of(names) is None
    assert odd_name(names) == "stray-3.png"
    assert odd_name(["2.png", "1.png"]) == "1.png"


@pytest.mark.parametrize("pattern", ["r{r}_c{c}.png", "{n}.png"])
def test_a_board_without_room_is_refused(pattern):
    naming = naming_of([pattern.format(r=r, c=c, n=4 * r + c) for r, c in CELLS])
    with pytest.raises(InputError, match=r"within a board of 3 x 3, found (rows|numbers)"):
        naming.arrangement(Board(3, 3))
