"""Bags: the pictures in them are told apart, put together, and written."""

import csv
import json

import numpy as np
import pytest
from helpers import in_this_process
from PIL import Image
from skimage import data

from jigsolve import Bag, InputError, Puzzle, Settings, Stop, score_bag, solve_bag
from jigsolve.assembly.joining import Segment
from jigsolve.assembly.pictures import FEWEST_ASKED, Picture, spanned
from jigsolve.core import Board
from jigsolve.core.cut_bag import cut_bag
from jigsolve.core.turns import NONE, QUARTER
from jigsolve.execution.events import Arranged, Message, PictureBegan, StageBegan
from jigsolve.execution.work import working
from jigsolve.measures.scorer import Scorer
from jigsolve.pricing.prepared import prepare
from jigsolve.pricing.settings import Pricing
from jigsolve.solvers.boards import priced_on


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    """Make a folder with three photographs, none as large as another."""
    place = tmp_path_factory.mktemp("photos")
    pictures = (
        data.chelsea()[:224, :392],
        data.astronaut()[:308, :336],
        data.coffee()[84:364, 56:420],
    )
    for number, pixels in enumerate(pictures, 1):
        Image.fromarray(pixels).save(place / f"{number}.png")
    return [place / f"{number}.png" for number in (1, 2, 3)]


def segment(filled):
    filled = np.array(filled, bool)
    places = np.argwhere(filled)
    return Segment(np.arange(len(places)), places, np.zeros(len(places), int))


def last_told(events, number):
    """Return the pieces of a picture, and the last arrangement of it that was told."""
    about, pieces, arrangement = -1, None, None
    for event in events:
        match event:
            case PictureBegan():
                about, pieces = event.number, event.pieces if event.number == number else pieces
            case Arranged() if about == number:
                arrangement = event.arrangement
    return np.append(pieces, -1), arrangement


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("number", [None, 3])
def test_three_photographs_come_out_of_one_bag(photos, turned, number):
    cut = cut_bag(photos, 28, seed=2, turned=turned)
    told = []
    found = solve_bag(cut.bag, pictures=number, on_event=told.append)
    for number, picture in enumerate(found.pictures):
        pieces, arrangement = last_told(told, number)
        np.testing.assert_array_equal(pieces[arrangement], picture.placement.pieces)
    scores = score_bag([picture.placement for picture in found.pictures], cut.truth, cut.bag)
    assert (scores.found, found.strays) == (3, [])
    assert scores.neighbour_aware > 0.99
    assert scores.direct_aware > 0.99


def test_missing_pieces_leave_holes_and_foreign_ones_are_left_over(photos):
    whole = cut_bag(photos[:2], 28, seed=2)
    few = np.setdiff1d(np.arange(len(whole.bag)), np.random.default_rng(1).permutation(60)[:12])
    foreign = np.random.default_rng(2).integers(0, 256, (9, 28, 28, 3), np.uint8)
    bag = Bag(np.concatenate([whole.bag.pieces[few], foreign]))
    found = solve_bag(bag, holes=20)
    numbers = np.full(len(whole.bag) + 1, -1, np.int32)
    numbers[few] = np.arange(len(few))
    truth = [true._replace(pieces=numbers[true.pieces]) for true in whole.truth]
    scores = score_bag([picture.placement for picture in found.pictures], truth, bag)
    assert scores.found == 2
    assert scores.neighbour_aware > 0.97
    assert len(set(found.strays) & set(range(len(few), len(bag)))) >= 8


def test_the_same_for_any_number_of_threads(photos):
    cut = cut_bag(photos[:2], 28, seed=5, turned=True)
    one, two = (solve_bag(cut.bag, Settings.of(threads=threads)) for threads in (1, 2))
    for first, second in zip(one.pictures, two.pictures, strict=True):
        np.testing.assert_array_equal(first.placement.pieces, second.placement.pieces)
        np.testing.assert_array_equal(first.placement.turns, second.placement.turns)


def test_what_is_not_solved_yet_when_it_is_stopped_has_its_sure_pieces(photos):
    cut = cut_bag(photos[:2], 28, seed=2)
    stop, begun = Stop(), []

    def hear(event):
        if isinstance(event, StageBegan):
            begun.append(event.stage)
            if begun.count("segments") == 1:
                stop.ask()

    found = solve_bag(cut.bag, on_event=hear, stop=stop)
    assert len(found.pictures) == 2
    assert found.stopped == "asked"
    scores = score_bag([picture.placement for picture in found.pictures], cut.truth, cut.bag)
    assert scores.neighbour_aware > 0.8


def test_a_picture_that_memory_is_too_small_for_has_its_sure_pieces(photos, monkeypatch):
    cut = cut_bag(photos[:2], 28, seed=2)
    monkeypatch.setattr("jigsolve.execution.memory.free_memory", lambda: 3 * 10**8)
    told = []
    found = solve_bag(cut.bag, Settings.of(population=1_000_000), on_event=told.append)
    assert [picture.solution for picture in found.pictures] == [None, None]
    said = [event.text for event in told if isinstance(event, Message)]
    assert [text.split(":")[0] for text in said] == [
        "picture 1 is left at what is sure of it",
        "picture 2 is left at what is sure of it",
    ]
    assert all("300.0 MB is free" in text for text in said)
    scores = score_bag([picture.placement for picture in found.pictures], cut.truth, cut.bag)
    assert scores.neighbour_aware > 0.8


def test_a_bag_whose_seams_memory_is_too_small_for_is_refused(photos, monkeypatch):
    bag = cut_bag(photos[:2], 28, seed=2).bag
    monkeypatch.setattr("jigsolve.execution.memory.free_memory", lambda: 2 * 10**6)
    with pytest.raises(InputError, match="pricing the seams of 244 pieces needs about"):
        solve_bag(bag)


def test_a_cheap_measure_cannot_tell_pictures_apart(photos):
    bag = cut_bag(photos[:2], 28, seed=2).bag
    with pytest.raises(InputError, match="expected learned"):
        solve_bag(bag, Settings.of(measure="mgc"))


def test_noise_holds_no_picture():
    noise = np.random.default_rng(0).integers(0, 256, (40, 12, 12, 3), np.uint8)
    with pytest.raises(InputError, match="too few seams are sure"):
        solve_bag(Bag(noise))


def test_lines_at_the_rim_with_few_pieces_are_no_part_of_what_is_spanned():
    filled = np.ones((5, 6))
    assert spanned(segment(filled)) == Board(5, 6)
    filled[0, 1:] = filled[1:, 5] = 0
    assert spanned(segment(filled)) == Board(4, 5)
    filled[2, 2] = 0  # gaps within are none
    assert spanned(segment(filled)) == Board(4, 5)


def test_boards_that_pieces_may_fill():
    complete = Picture(segment(np.ones((5, 6))), np.arange(30))
    assert complete.is_complete
    assert complete.boards(9) == [Board(5, 6)]
    short = Picture(segment(np.ones((4, 6))), np.arange(30))
    assert not short.is_complete
    assert Board(5, 6) in short.boards(0)
    assert all(board.rows * board.columns == 30 for board in short.boards(0))
    gaps = Picture(segment(np.ones((5, 6))), np.arange(28))
    assert gaps.boards(0)[0] == Board(5, 6)


@pytest.mark.parametrize(
    ("missing", "more", "is_complete"), [(1, 0, True), (2, 0, False), (1, 3, True), (1, 4, False)]
)
def test_a_core_that_nearly_fills_its_board_leaves_no_doubt(missing, more, is_complete):
    filled = np.ones((5, 7))
    filled.flat[:missing] = 0
    picture = Picture(segment(filled), np.arange(35 - missing + more))
    assert picture.is_complete is is_complete
    assert (picture.boards(9) == [Board(5, 7)]) is is_complete


def test_boards_have_room_for_what_is_sure():
    filled = np.ones((10, 10))
    filled[0, 1:] = 0
    picture = Picture(segment(filled), np.arange(98))
    boards = picture.boards(6)
    assert boards[0] == Board(10, 10)  # what is sparse may be a line of it
    assert {board.rows for board in boards} == {9, 10, 11}
    assert {board.columns for board in boards} == {9, 10, 11}


def test_of_many_boards_few_are_asked(monkeypatch):
    picture = Picture(segment(np.ones((8, 6))), np.arange(44))
    monkeypatch.setattr("jigsolve.assembly.pictures.NEARLY_FULL", 2)
    every = picture.boards(40)
    assert len(every) > 6
    monkeypatch.setattr("jigsolve.assembly.pictures.ASKED_ABOUT", 6 * 84)
    some = picture.boards(40)
    assert len(some) == 6
    assert some[0] == every[0] == Board(8, 6)
    largest = max(rows * columns for rows, columns in some[1:])
    assert all(rows * columns >= largest for rows, columns in set(every) - set(some))
    monkeypatch.setattr("jigsolve.assembly.pictures.ASKED_ABOUT", 1)
    assert len(picture.boards(40)) == FEWEST_ASKED


@pytest.fixture(scope="module")
def crowded(photos):
    """Return a bag of one picture and many foreign pieces, and its truth."""
    cut = cut_bag(photos[:1], 28, seed=2)
    foreign = np.random.default_rng(2).integers(0, 256, (150, 28, 28, 3), np.uint8)
    return Bag(np.concatenate([cut.bag.pieces, foreign])), cut.truth[0]


@pytest.mark.parametrize("turned", [False, True])
def test_spare_pieces_are_ranked_by_their_best_seam(crowded, turned):
    bag, truth = crowded
    turns = QUARTER if turned else NONE
    with working(1) as work:
        whole = priced_on(bag.pieces, turns=turns)
        heard = prepare(whole, Pricing(), 3, work, keep_scores=True).heard()
    rest = truth.pieces[:2, :2].ravel()
    spare = np.append(rest, np.arange(truth.pieces.size, len(bag)))
    pieces = np.setdiff1d(truth.pieces, rest)
    best = np.full(len(spare), -np.inf)
    for facing in heard.keys:
        members = 1 << facing.bits
        mine = (spare[:, None] * members + np.arange(members)).ravel()
        theirs = (pieces[:, None] * members + np.arange(members)).ravel()
        for ones, others in ((mine, theirs), (theirs, mine)):
            pairs = np.repeat(ones, len(others)), np.tile(others, len(ones))
            said = heard.said(facing, *pairs).reshape(len(ones), len(others))
            said = np.nan_to_num(said if ones is mine else said.T, nan=-np.inf)
            best = np.maximum(best, said.reshape(len(spare), -1).max(axis=1))
    for most in (3, 20, len(spare) + 1):
        expected = spare[np.argsort(-best, kind="stable")[:most]]
        assert heard.likeliest(spare, pieces, most).tolist() == sorted(expected)
    assert np.isin(heard.likeliest(spare, pieces, 12), rest).sum() >= 3


def test_of_many_spare_pieces_those_that_fit_are_tried(crowded, monkeypatch):
    bag, truth = crowded
    few = np.setdiff1d(np.arange(len(bag)), truth.pieces[3, 4])  # one is missing
    monkeypatch.setattr("jigsolve.solvers.bag_pictures.FEW_SPARE", 10)
    tried = []

    def counted(puzzle, *given, **told):
        tried.append(len(puzzle))
        return prepare(puzzle, *given, **told)

    monkeypatch.setattr("jigsolve.solvers.bag_pictures.prepare", counted)
    monkeypatch.setattr("jigsolve.assembly.pictures.NEARLY_FULL", 2)
    found = solve_bag(Bag(bag.pieces[few]), pictures=1).pictures[0].placement.pieces
    own = truth.pieces.size - 1
    assert tried == [own + own // 2]
    right = np.append(few, -1)[found] == truth.pieces
    assert right.sum() == own


def test_the_command_line_writes_a_file_for_each_picture(photos, tmp_path, monkeypatch):
    cut = ["cut", photos[0], photos[1], "-o", "bag/", "--turned", "--truth", "truth.json"]
    assert in_this_process(cut, tmp_path) == (0, "")
    solve = ["solve", "bag/", "-o", "pictures", "--pictures", "auto", "--csv", "tiles.csv"]
    solve += ["--json", "run.json", "--rename-into", "sorted", "-q"]
    assert in_this_process(solve, tmp_path)[0] == 0
    assert sorted(p.name for p in (tmp_path / "pictures").iterdir()) == [
        "picture-1.png",
        "picture-2.png",
    ]
    record = json.loads((tmp_path / "run.json").read_text())
    boards = [(each["board"]["rows"], each["board"]["columns"]) for each in record["pictures"]]
    assert sorted(map(sorted, boards)) == [[8, 14], [11, 12]]
    with (tmp_path / "tiles.csv").open() as file:
        lines = [*csv.DictReader(file)]
    assert {line["picture"] for line in lines} == {"1", "2"}
    assert len(lines) == record["pieces"] == len([*(tmp_path / "sorted").iterdir()])
    code, said = in_this_process(["solve", "bag/", "-o", "pictures", "--pictures", "2"], tmp_path)
    assert code == 1
    assert "expected a new or empty folder" in said
    monkeypatch.setattr("jigsolve.cli.honest_words.DOUBTFUL", 1.1)  # nothing is believed then
    code, said = in_this_process([*solve, "--strict", "--force"], tmp_path)
    assert code == 1
    assert said == (
        "jigsolve: --strict: expected pictures that are believed, found much doubt in 2 of 2\n"
    )
    assert len([*(tmp_path / "pictures").iterdir()]) == 2


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--pictures", "0"], "expected auto or a number"),
        (["--pictures", "many"], "expected auto or a number"),
        (["--pictures", "2", "--board", "4x4"], "--board: expected without --pictures"),
        (["--pictures", "2", "--film", "f.gif"], "--film: expected without --pictures"),
        (["--pictures", "2", "--resume", "f"], "--resume: expected without --pictures"),
        (["--pictures", "2", "--measure", "mgc"], "--measure: expected learned with --pictures"),
        (["-o", "solved.png", "--pictures", "2"], "expected a folder"),
        (["--turns", "sideways"], "invalid choice"),
        (["-o", "s.png", "--turns", "half", "--by-name"], "expected pieces that are not turned"),
    ],
)
def test_wrong_usage_is_said_in_one_line(photos, tmp_path, wrong, said):
    code, complaint = in_this_process(["solve", photos[0], "-o", "out", *wrong], tmp_path)
    assert code == 2
    assert said in complaint
    assert complaint.count("\n") == 1


def test_rectangles_cannot_be_turned_by_quarters(photos, tmp_path):
    cut = ["cut", photos[0], "-o", "bag/", "--piece", "35x11"]
    assert in_this_process(cut, tmp_path)[0] == 0
    solve = ["solve", "bag/", "-o", "solved.png", "--turns", "quarter"]
    code, said = in_this_process(solve, tmp_path)
    assert code == 1
    assert "expected square pieces for quarter turns" in said


def test_turned_tiles_are_noticed_and_solved(photos, tmp_path):
    assert in_this_process(["cut", photos[0], "-o", "bag/", "--turned"], tmp_path)[0] == 0
    solve = ["solve", "bag/", "-o", "solved.png", "--json", "run.json"]
    assert in_this_process(solve, tmp_path)[0] == 0
    record = json.loads((tmp_path / "run.json").read_text())
    assert set(record["turns"]) == {0, 1, 2, 3}
    original = np.asarray(Image.open(photos[0]))
    solved = np.asarray(Image.open(tmp_path / "solved.png"))
    assert any(np.array_equal(np.rot90(solved, turn), original) for turn in range(4))


@pytest.mark.parametrize("turned", [False, True])
def test_pieces_that_were_scored_in_a_bag_are_not_scored_again(photos, turned, monkeypatch):
    """What the network said of a bag is all that it would say of some of its pieces."""
    cut = cut_bag([data.chelsea()[:168, :224], data.coffee()[:168, :196]], 28, turned=turned)
    bag, pricing = cut.bag, Pricing()
    asked = []
    scores = Scorer.scores

    def counted(self, near, far, seams, *told):
        asked.append(len(seams))
        return scores(self, near, far, seams, *told)

    monkeypatch.setattr(Scorer, "scores", counted)
    ids = np.random.default_rng(1).permutation(
        np.flatnonzero(np.isin(np.arange(len(bag)), cut.truth[0].pieces))
    )
    with working(1) as work:
        whole = prepare(priced_on(bag.pieces, turns=bag.turns), pricing, 3, work, keep_scores=True)
        heard = whole.heard()
        puzzle = Puzzle(bag.pieces[ids], cut.truth[0].pieces.shape, turns=bag.turns)
        asked.clear()
        anew = prepare(puzzle, pricing, 3, work).table.arrays
        often = sum(asked)
        asked.clear()
        again = prepare(puzzle, pricing, 3, work, heard=heard.about(ids)).table.arrays
    assert sum(asked) < 0.7 * often
    np.testing.assert_array_equal(again.scored, anew.scored)
    np.testing.assert_allclose(again.costs, anew.costs, atol=2e-3)
    for side, (one, other) in enumerate(zip(again.partners, anew.partners, strict=True)):
        count = again.scored[side]
        assert set(one[:count]) == set(other[:count])
