import io

import numpy as np
import pytest
from PIL import Image
from skimage import data

from jigsolve import Board, InputError, Puzzle, compare_pictures, score_pictures
from jigsolve.reference.alignment import contrast
from jigsolve.reference.matching import distances, give_out
from jigsolve.reference.placement import PLAIN
from jigsolve.reference.sampling import sample_pieces

CAT = data.chelsea()
"""451 x 300: strips too narrow for a piece of 28 are at the right and the bottom."""


def jpeg(pixels, quality=60):
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "JPEG", quality=quality)
    return np.asarray(Image.open(buffer))


def scaled(pixels, scale):
    height, width = (round(scale * length) for length in pixels.shape[:2])
    return np.asarray(Image.fromarray(pixels).resize((width, height), Image.Resampling.LANCZOS))


def brighter(pixels):
    return np.clip(20 + 0.85 * pixels, 0, 255).astype(np.uint8)


ORIGINALS = {
    "JPEG": jpeg(CAT),
    "poor JPEG": jpeg(CAT, 25),
    "half": scaled(CAT, 0.5),
    "larger": scaled(CAT, 1.6),
    "a smaller JPEG": jpeg(scaled(CAT, 0.67)),
    "brighter": brighter(CAT),
    "without its strips": scaled(CAT[:280, :448], 0.75),
}


@pytest.fixture(params=ORIGINALS)
def original(request):
    return ORIGINALS[request.param]


def arranged(order):
    cut = Puzzle.cut(CAT, 28)
    return Puzzle(cut.pieces[order], cut.board)


def test_a_right_picture_is_perfect(original):
    found = compare_pictures(original, arranged(np.arange(160)))
    assert found.alike == 160
    assert found.unlike == 0
    assert found.scores.perfect
    assert found.scores.neighbour == found.scores.direct == 1


def test_wrong_pieces_count_as_they_do_by_equal_pixels(original):
    rng = np.random.default_rng(2)
    order = np.arange(160)
    moved = rng.choice(160, 30, replace=False)
    order[moved] = np.roll(order[moved], 1)
    solved = arranged(order)
    exact = score_pictures(Puzzle.cut(CAT, 28), solved)
    assert exact.direct == 130 / 160
    assert compare_pictures(original, solved).scores == exact


def test_a_shuffled_picture_scores_as_by_equal_pixels(original):
    solved = arranged(np.random.default_rng(4).permutation(160))
    exact = score_pictures(Puzzle.cut(CAT, 28), solved)
    found = compare_pictures(original, solved).scores
    assert found.direct == pytest.approx(exact.direct, abs=0.01)
    assert found.neighbour == pytest.approx(exact.neighbour, abs=0.02)


def test_equal_pixels_are_recognised_as_such():
    order = np.random.default_rng(4).permutation(160)
    found = compare_pictures(CAT, arranged(order))
    assert (found.alike, found.unlike) == (0, 0)
    assert found.scores == score_pictures(Puzzle.cut(CAT, 28), arranged(order))


def test_empty_cells_look_like_nothing():
    solved = arranged(np.arange(160))
    solved.pieces[[7, 70]] = 128
    found = compare_pictures(CAT, solved)
    assert (found.alike, found.unlike) == (2, 2)
    assert found.scores.direct == 158 / 160
    assert not found.scores.perfect


@pytest.mark.parametrize(
    "other", [255 - CAT, data.coffee(), CAT[::-1], np.zeros_like(CAT), CAT[:40, :40], CAT[:1, :1]]
)
def test_another_picture_is_refused(other):
    with pytest.raises(InputError, match=r"found too few pieces that look alike|shows all 16 x 10"):
        compare_pictures(other, arranged(np.arange(160)))


def test_few_pieces():
    cut = Puzzle.cut(CAT[:200, :300], 100)
    solved = Puzzle(cut.pieces[[1, 0, 2, 3, 4, 5]], Board(2, 3))
    found = compare_pictures(jpeg(CAT[:200, :300]), solved)
    assert found.scores.direct == 4 / 6


def test_pieces_are_given_out_nearly_as_well_as_can_be():
    optimize = pytest.importorskip("scipy.optimize")
    photo = data.rocket()  # a sky of pieces that look alike
    pieces = sample_pieces(Puzzle.cut(photo, 20).pieces, (8, 8))
    cells = sample_pieces(Puzzle.cut(jpeg(photo, 30), 20).pieces, (8, 8))
    pieces, cells = (values.reshape(len(values), -1) for values in (pieces, cells))
    shuffled = np.random.default_rng(1).permutation(len(pieces))
    limits = PLAIN + contrast(cells)
    given = give_out(cells, pieces[shuffled], limits, 1e-3)
    assert sorted(given) == list(range(len(pieces)))

    def cost(of, held):
        return np.minimum(distances(cells[of], pieces[shuffled][held]) / limits[of], 1) ** 2

    every = np.arange(len(cells))
    matrix = np.stack([cost(every, np.full(len(cells), piece)) for piece in every], axis=1)
    best = matrix[optimize.linear_sum_assignment(matrix)].sum()
    assert best <= cost(every, given).sum() <= 1.05 * best
