"""What files say about losses, and what pixels say where the file is lossless."""

import io

import numpy as np
import pytest
from helpers import grid_places
from PIL import Image

from jigsolve.damage import UNDAMAGED, Blocks, Damage
from jigsolve.damage.files import damage_of_file, damage_of_tiles
from jigsolve.damage.former_jpeg import former_jpeg
from jigsolve.io.demo import demo_photo


def stored(pixels, **options):
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, **options)
    return file.getvalue()


def photo_shuffled(piece, before=None):
    """Return the demo's photograph, shuffled; compressed before that if a quality is given."""
    pixels = np.asarray(demo_photo())[: 360 // piece * piece, : 540 // piece * piece]
    if before:
        pixels = read(stored(pixels, format="JPEG", quality=before))
    rows, columns = pixels.shape[0] // piece, pixels.shape[1] // piece
    pieces = (
        pixels.reshape(rows, piece, columns, piece, 3).swapaxes(1, 2).reshape(-1, piece, piece, 3)
    )
    pieces = pieces[np.random.default_rng(0).permutation(len(pieces))]
    shuffled = pieces.reshape(rows, columns, piece, piece, 3).swapaxes(1, 2)
    return shuffled.reshape(pixels.shape), grid_places(rows, columns, piece, piece)


def read(content):
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))


@pytest.mark.parametrize(("subsampling", "block"), [(0, (8, 8)), (1, (16, 8)), (2, (16, 16))])
def test_a_jpeg_says_its_steps_and_blocks(subsampling, block, tmp_path):
    pixels, _ = photo_shuffled(28)
    content = stored(pixels, format="JPEG", quality=75, subsampling=subsampling)
    found = damage_of_file(content)
    assert found.codec == "jpeg"
    assert found.blocks == Blocks((8, 8), block)
    assert found.steps == pytest.approx((29.03, 43.44), abs=0.01)
    (tmp_path / "puzzle.png").write_bytes(content)  # whatever its name is
    assert damage_of_file(tmp_path / "puzzle.png") == found


def test_webp_is_damage_only_with_losses():
    pixels, _ = photo_shuffled(28)
    assert damage_of_file(stored(pixels, format="WEBP", quality=75)).codec == "webp"
    assert damage_of_file(stored(pixels, format="WEBP", lossless=True)) == UNDAMAGED


def test_lossy_webp_with_a_profile_or_turned_by_its_camera():
    pixels, _ = photo_shuffled(28)
    found = damage_of_file(stored(pixels, format="WEBP", quality=75, icc_profile=b"x" * 500))
    assert found.codec == "webp"
    turned = Image.Exif()
    turned[0x0112] = 6
    for form in ("WEBP", "JPEG"):
        found = damage_of_file(stored(pixels, format=form, quality=75, exif=turned))
        assert found.codec == form.lower()
        assert found.blocks is None  # they are turned with the picture


@pytest.mark.parametrize("size", [4, 12])
@pytest.mark.parametrize("piece", [28, 30, 36])
def test_graphics_in_two_colours_are_no_former_jpeg(size, piece):
    cells = np.random.default_rng(size).integers(0, 2, (400 // size, 400 // size))
    whole = 360 // piece * piece
    pixels = np.repeat(np.repeat(cells, size, 0), size, 1)[:whole, :whole, None]
    places = grid_places(360 // piece, 360 // piece, piece, piece)
    assert former_jpeg(pixels.repeat(3, 2).astype(np.uint8) * 255, places) == UNDAMAGED


def test_a_small_board_of_a_picture_that_was_a_jpeg_before():
    pixels, _ = photo_shuffled(28, 75)
    for row in range(6):
        cut = pixels[28 * row : 28 * (row + 2), :56]
        assert former_jpeg(cut, grid_places(2, 2, 28, 28)) == UNDAMAGED


@pytest.mark.parametrize(
    "content", [b"", b"no picture", b"\xff\xd8\xff", b"RIFF\x00\x00\x00\x00WEBP"]
)
def test_other_files_say_nothing(content):
    assert damage_of_file(content) == UNDAMAGED


def test_tiles_are_damaged_if_most_of_them_are():
    jpeg, other = Damage("jpeg", steps=(10.0, 20.0)), Damage("jpeg", steps=(30.0, 40.0))
    assert damage_of_tiles([jpeg, other, UNDAMAGED]) == Damage(
        "jpeg", steps=(20.0, 30.0), apart=True
    )
    assert damage_of_tiles([jpeg, UNDAMAGED]) == UNDAMAGED
    assert damage_of_tiles([]) == UNDAMAGED


@pytest.mark.parametrize("piece", [28, 30, 56])
@pytest.mark.parametrize("quality", [85, 60])
def test_a_lossless_copy_of_a_jpeg_is_recognised(piece, quality):
    pixels, places = photo_shuffled(piece)
    content = stored(pixels, format="JPEG", quality=quality)
    found = former_jpeg(read(content), places)
    told = damage_of_file(content)
    assert found.codec == "jpeg"
    assert found.steps == pytest.approx(told.steps, rel=0.1)
    assert found.blocks == told.blocks


@pytest.mark.parametrize("piece", [28, 30, 56, 64])
@pytest.mark.parametrize("before", [None, 75])
def test_what_was_compressed_before_it_was_shuffled_is_no_damage(piece, before):
    assert former_jpeg(*photo_shuffled(piece, before)) == UNDAMAGED


def test_a_flat_picture_says_nothing():
    assert former_jpeg(np.full((84, 84, 3), 7, np.uint8), grid_places(3, 3, 28, 28)) == UNDAMAGED
