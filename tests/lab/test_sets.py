"""The registry of image sets, and folders of one's own."""

import dataclasses
import hashlib

import numpy as np
import pytest
from PIL import Image

from jigsolve import InputError, PieceSize
from jigsolve.lab import sets
from jigsolve.lab.sets import KNOWN_SETS, chosen_numbers, count_images, find_images


def test_the_registry_has_every_set_of_the_literature():
    counts = {name: count_images(name) for name in KNOWN_SETS}
    assert counts == {
        "cho_432": 20,
        "mcgill_540": 20,
        "pomeranz_805": 20,
        "pomeranz_2360": 3,
        "pomeranz_3300": 3,
        "sholomon_5015": 20,
        "sholomon_10375": 20,
        "sholomon_22755": 20,
        "photos_30745": 6,
    }
    for name, known in KNOWN_SETS.items():
        for fingerprint in sets._fingerprints()[name]:
            assert fingerprint.width // 28 * (fingerprint.height // 28) == known.pieces
            assert len(fingerprint.file_sha256) == len(fingerprint.pixel_sha256) == 64


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("", [1, 2, 3, 4]),
        ("2", [2]),
        ("1-3", [1, 2, 3]),
        ("3-20", [3, 4]),
        (" 4, 1-2,2", [1, 2, 4]),
    ],
)
def test_images_are_chosen_by_number(text, numbers):
    assert chosen_numbers(text, 4, "x") == numbers


@pytest.mark.parametrize("text", ["0", "5", "5-9", "3-2", "a", "1-", "-1", "1,,2", "1.5", "²"])
def test_wrong_numbers_are_named(text):
    with pytest.raises(InputError, match="images: expected numbers"):
        chosen_numbers(text, 4, "x")


@pytest.fixture
def one_image_set(tmp_path, monkeypatch):
    """Make a registry with one set of one image, and the image where it belongs."""
    pixels = np.random.default_rng(0).integers(0, 255, (60, 90, 3), dtype=np.uint8)
    path = tmp_path / "cho_432" / "01.png"
    path.parent.mkdir()
    Image.fromarray(pixels).save(path)
    expected = sets._Fingerprint(
        "01.png",
        90,
        60,
        hashlib.sha256(path.read_bytes()).hexdigest(),
        hashlib.sha256(pixels.tobytes()).hexdigest(),
    )
    monkeypatch.setattr(sets, "_fingerprints", lambda: {"cho_432": [expected]})
    return path


def test_an_unaltered_image_is_found(one_image_set):
    (image,) = find_images("cho_432", one_image_set.parent.parent)
    assert (image.set_name, image.number, image.path, image.pieces) == (
        "cho_432",
        1,
        one_image_set,
        6,
    )


def test_another_piece_size_makes_another_set(one_image_set):
    (image,) = find_images("cho_432", one_image_set.parent.parent, piece=PieceSize(20, 30))
    assert (image.set_name, image.pieces) == ("cho_432@30x20", 9)
    with pytest.raises(InputError, match="expected room for at least two pieces of 70 x 70"):
        find_images("cho_432", one_image_set.parent.parent, piece=PieceSize(70, 70))


def test_the_same_pixels_in_another_packing_are_the_same_image(one_image_set):
    Image.open(one_image_set).save(one_image_set, compress_level=0)
    assert find_images("cho_432", one_image_set.parent.parent)


def test_an_altered_image_is_named(one_image_set):
    pixels = np.asarray(Image.open(one_image_set)).copy()
    pixels[3, 4, 1] ^= 1
    Image.fromarray(pixels).save(one_image_set)
    with pytest.raises(InputError, match=r"01\.png: expected the pixels of image 1 of cho_432"):
        find_images("cho_432", one_image_set.parent.parent)


def test_a_file_under_a_wrong_number_is_recognised(one_image_set, monkeypatch):
    (first,) = sets._fingerprints()["cho_432"]
    second = dataclasses.replace(first, file="02.png", pixel_sha256="0" * 64, file_sha256="")
    monkeypatch.setattr(sets, "_fingerprints", lambda: {"cho_432": [first, second]})
    one_image_set.rename(one_image_set.with_name("02.png"))
    with pytest.raises(InputError, match="of image 2 of cho_432, found those of image 1"):
        find_images("cho_432", one_image_set.parent.parent, wanted="2")


def test_a_missing_image_is_named_with_where_to_get_it(one_image_set):
    one_image_set.unlink()
    with pytest.raises(InputError, match=r"01\.png: expected image 1 of cho_432.*csail"):
        find_images("cho_432", one_image_set.parent.parent)


def test_without_a_folder_it_is_said_how_to_give_one():
    with pytest.raises(InputError, match="--data DIR or set JIGSOLVE_DATA"):
        find_images("cho_432")


def test_a_folder_of_ones_own_is_a_set_in_natural_order(tmp_path):
    for name in ("b10.png", "b2.PNG", "a.bmp"):
        Image.new("RGB", (60, 30)).save(tmp_path / name)
    (tmp_path / "notes.txt").write_text("no picture")
    images = find_images(str(tmp_path), wanted="2-3")
    assert [(i.number, i.path.name, i.pieces) for i in images] == [
        (2, "b2.PNG", 2),
        (3, "b10.png", 2),
    ]
    assert images[0].set_name == tmp_path.name
    (cut, *_) = find_images(str(tmp_path), piece=PieceSize(10, 20))
    assert cut.set_name == f"{tmp_path.name}@20x10"


def test_a_folder_named_like_a_known_set_is_not_taken_for_it(tmp_path):
    (tmp_path / "cho_432").mkdir()
    Image.new("RGB", (60, 30)).save(tmp_path / "cho_432" / "²1.png")
    (image,) = find_images(str(tmp_path / "cho_432"))
    assert image.set_name == "cho_432 (own)"


def test_what_is_no_set_is_said(tmp_path):
    with pytest.raises(
        InputError, match="expected a folder of pictures or one of the sets cho_432"
    ):
        find_images("cho_433")
    with pytest.raises(InputError, match=r"expected pictures .*, found none"):
        find_images(str(tmp_path))
    Image.new("RGB", (30, 30)).save(tmp_path / "small.png")
    with pytest.raises(InputError, match=r"small\.png: expected room for at least two pieces"):
        find_images(str(tmp_path))
