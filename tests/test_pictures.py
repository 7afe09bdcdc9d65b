import contextlib
import io
import stat
import struct
import zlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from PIL import Image

from jigsolve import InputError
from jigsolve.io import pictures
from jigsolve.io.pictures import read_picture, write_picture

COLOURS = np.random.default_rng(0).integers(0, 256, (6, 9, 3)).astype(np.uint8)


@pytest.mark.parametrize("ending", [".png", ".tif", ".bmp"])
def test_written_pictures_keep_every_pixel(tmp_path, ending):
    write_picture(tmp_path / f"x{ending}", COLOURS)
    np.testing.assert_array_equal(read_picture(tmp_path / f"x{ending}"), COLOURS)
    assert [p.name for p in tmp_path.iterdir()] == [f"x{ending}"]


def test_written_files_have_ordinary_permissions(tmp_path):
    write_picture(tmp_path / "x.png", COLOURS)
    (tmp_path / "plain").write_text("")
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("x.png", "plain")}
    assert len(modes) == 1


def test_lossy_formats_are_not_written(tmp_path):
    with pytest.raises(InputError, match=r"expected a name ending in \.png.*found '\.jpg'"):
        write_picture(tmp_path / "x.jpg", COLOURS)
    assert not list(tmp_path.iterdir())


def test_failed_writing_leaves_the_old_file(tmp_path):
    target = tmp_path / "x.png"
    write_picture(target, COLOURS)
    before = target.read_bytes()
    with pytest.raises(TypeError):
        write_picture(target, np.zeros((2, 2, 7), np.float64))
    assert target.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["x.png"]


def test_modes_are_converted(tmp_path):
    rgb = Image.fromarray(COLOURS)
    grey = rgb.convert("L")
    for mode in ("1", "L", "P", "CMYK"):
        rgb.convert(mode).save(tmp_path / f"{mode}.tif")
        assert read_picture(tmp_path / f"{mode}.tif").shape == COLOURS.shape
    rgb.quantize(200).save(tmp_path / "p.png")
    assert abs(read_picture(tmp_path / "p.png").astype(int) - COLOURS).mean() < 20
    grey.save(tmp_path / "g.png")
    np.testing.assert_array_equal(read_picture(tmp_path / "g.png")[:, :, 2], np.asarray(grey))


def test_sixteen_bit_grey_keeps_its_range(tmp_path):
    levels = np.linspace(0, 65535, 256).astype(np.uint16).reshape(16, 16)
    Image.fromarray(levels).save(tmp_path / "deep.png")
    np.testing.assert_array_equal(read_picture(tmp_path / "deep.png")[:, :, 0].ravel(), range(256))


@pytest.mark.parametrize("highest", [1.0, 255.0, 65535.0])
def test_floating_point_pictures_are_scaled(tmp_path, highest):
    Image.fromarray(np.array([[0, highest]], np.float32)).save(tmp_path / "f.tif")
    np.testing.assert_array_equal(read_picture(tmp_path / "f.tif")[0, :, 0], [0, 255])


def test_transparency_is_laid_on_white(tmp_path):
    clear = np.zeros((2, 2, 4), np.uint8)
    clear[0, 0] = (10, 20, 30, 255)
    Image.fromarray(clear).save(tmp_path / "a.png")
    expected = np.full((2, 2, 3), 255)
    expected[0, 0] = (10, 20, 30)
    np.testing.assert_array_equal(read_picture(tmp_path / "a.png"), expected)


def test_cameras_rotation_is_obeyed(tmp_path):
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(COLOURS).save(tmp_path / "r.png", exif=exif)
    np.testing.assert_array_equal(read_picture(tmp_path / "r.png"), np.rot90(COLOURS, -1))


def test_missing_folder_and_text(tmp_path):
    (tmp_path / "text.png").write_text("not a picture")
    (tmp_path / "empty.png").write_bytes(b"")
    for name, words in (
        ("none.png", "no such file"),
        (".", "found a folder"),
        ("text.png", "file of another kind"),
        ("empty.png", "file of another kind"),
    ):
        with pytest.raises(InputError, match=words):
            read_picture(tmp_path / name)


@pytest.mark.parametrize("ending", ["png", "jpg", "bmp", "tif", "webp", "gif"])
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_truncated_pictures_are_refused(tmp_path, ending, share):
    noise = np.random.default_rng(1).integers(0, 256, (64, 64, 3)).astype(np.uint8)
    path = tmp_path / f"x.{ending}"
    Image.fromarray(noise).save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(InputError, match=r"damaged or truncated|of another kind"):
        read_picture(path)


def test_animations_are_refused(tmp_path):
    frames = [Image.fromarray(COLOURS), Image.fromarray(255 - COLOURS)]
    for ending in ("gif", "png", "webp", "tif"):
        frames[0].save(tmp_path / f"x.{ending}", save_all=True, append_images=frames[1:])
        with pytest.raises(InputError, match="expected one still picture, found 2 frames"):
            read_picture(tmp_path / f"x.{ending}")


def huge_png(width, height):
    """Return a PNG of a few bytes that claims to be huge."""

    def chunk(kind, body):
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(b"\0" * 1000)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    )


def test_decompression_bombs_are_refused(tmp_path):
    (tmp_path / "bomb.png").write_bytes(huge_png(60000, 60000))
    with pytest.raises(InputError, match="at most 536,870,912 pixels, found 60000 x 60000"):
        read_picture(tmp_path / "bomb.png")
    assert Image.MAX_IMAGE_PIXELS is not None


def test_pictures_that_do_not_fit_are_refused(tmp_path, monkeypatch):
    write_picture(tmp_path / "x.png", COLOURS)
    monkeypatch.setattr("jigsolve.execution.memory.NOTHING", 0)
    monkeypatch.setattr("jigsolve.execution.memory.free_memory", lambda: 100)
    with pytest.raises(InputError, match=r"needs about 810 bytes of memory, 100 bytes is free"):
        read_picture(tmp_path / "x.png")


def test_large_but_legal_pictures_raise_no_warning(tmp_path, monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 10)
    write_picture(tmp_path / "x.png", COLOURS)
    assert read_picture(tmp_path / "x.png").shape == COLOURS.shape
    assert pictures.Image.MAX_IMAGE_PIXELS == 10


def test_noise_never_crashes_the_reader(tmp_path):
    buffer = io.BytesIO()
    Image.fromarray(COLOURS).save(buffer, "PNG")
    good = bytearray(buffer.getvalue())
    rng = np.random.default_rng(7)
    for trial in range(60):
        bad = bytearray(good)
        for position in rng.integers(8, len(bad), 3):
            bad[position] = rng.integers(0, 256)
        path = tmp_path / f"{trial}.png"
        path.write_bytes(bad)
        with contextlib.suppress(InputError):
            assert read_picture(path).ndim == 3


def test_garbage_in_the_metadata_is_no_damage(tmp_path):
    for ending in ("png", "jpg", "webp"):
        Image.fromarray(COLOURS).save(tmp_path / f"x.{ending}", exif=b"Exif\0\0garbage!")
        assert read_picture(tmp_path / f"x.{ending}").shape == COLOURS.shape


def test_names_the_system_refuses(tmp_path):
    loop = tmp_path / "loop.png"
    loop.symlink_to(loop)
    long = tmp_path / ("x" * 300 + ".png")
    for path in (long, loop):
        with pytest.raises(InputError):
            read_picture(path)
    with pytest.raises(InputError, match="cannot write"):
        write_picture(long, COLOURS)


def test_pillows_guard_is_up_again_after_reading_in_threads(tmp_path):
    write_picture(tmp_path / "x.png", COLOURS)
    usual = Image.MAX_IMAGE_PIXELS
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: read_picture(tmp_path / "x.png"), range(200)))
    assert usual == Image.MAX_IMAGE_PIXELS
