"""Solved pictures that came out turned, against originals in any state."""

import io
import json

import numpy as np
import pytest
from helpers import jigsolve
from PIL import Image
from skimage import data

from jigsolve import InputError, Puzzle, compare_pictures, score_pictures
from jigsolve.core.turns import Placement

CAT = data.chelsea()
WHOLE = CAT[:280, :448]


def jpeg(pixels, quality=60):
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "JPEG", quality=quality)
    return np.asarray(Image.open(buffer))


def smaller(pixels):
    return np.asarray(Image.fromarray(pixels).resize((330, 220), Image.Resampling.LANCZOS))


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("state", [lambda pixels: pixels, jpeg, smaller])
def test_the_whole_may_be_turned(turn, state):
    solved = Puzzle.cut(np.ascontiguousarray(np.rot90(WHOLE, turn)), 28)
    found = compare_pictures(state(CAT), solved)
    assert found.scores.perfect
    assert found.scores.turn == (turn or None)
    assert found.alike == (0 if state(CAT) is CAT else 160)
    assert found.unlike == 0


def test_rectangles_may_be_upside_down():
    solved = Puzzle.cut(np.ascontiguousarray(WHOLE[::-1, ::-1]), (28, 56))
    for original in (CAT, jpeg(CAT)):
        scores = compare_pictures(original, solved).scores
        assert (scores.perfect, scores.turn) == (True, 2)


def wrong_here_and_there():
    """Return a solved picture, turned, with four pieces turned another way and two swapped."""
    cut = Puzzle.cut(WHOLE, 28)
    ids, turns = np.arange(160).reshape(10, 16), np.zeros((10, 16), np.int8)
    turns[2, 3:5] = 1
    turns[7, 7:9] = 2
    ids[5, 5], ids[8, 11] = ids[8, 11], ids[5, 5]
    turned = Placement(ids, turns).turned(2)
    return Puzzle.cut(Puzzle(cut.pieces, cut.board, turns="quarter").image(*turned), 28)


def test_pieces_turned_otherwise_count_as_wrong():
    exact = score_pictures(Puzzle.cut(WHOLE, 28), wrong_here_and_there())
    assert exact.turn == 2
    assert exact.direct == pytest.approx(154 / 160)
    found = compare_pictures(jpeg(CAT, 90), wrong_here_and_there())
    assert found.scores.turn == 2
    assert found.scores.direct == pytest.approx(exact.direct, abs=0.01)  # one is plain fur
    assert found.unlike >= 1


def test_another_picture_is_refused_however_it_is_turned():
    with pytest.raises(InputError, match="found too few pieces that look alike"):
        compare_pictures(data.astronaut(), Puzzle.cut(WHOLE, 28))


def test_the_command_says_which_turn(tmp_path):
    Image.fromarray(CAT).save(tmp_path / "cat.png")
    Image.fromarray(np.rot90(WHOLE)).save(tmp_path / "turned.png")
    Image.fromarray(WHOLE).save(tmp_path / "upright.png")

    def said(picture, *more):
        code, out, _ = jigsolve("score", "cat.png", picture, "--piece", "28", *more, cwd=tmp_path)
        assert code == 0
        return out

    turn = "turn            1: compared once the whole is turned clockwise"
    assert turn in said("turned.png")
    record = json.loads(said("turned.png", "--json"))
    assert (record["turn"], record["perfect"]) == (1, True)
    assert "turn" not in said("upright.png")
