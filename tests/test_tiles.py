"""Tiles from whatever people keep them in."""

import bz2
import gzip
import io
import os
import tarfile
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from jigsolve import InputError
from jigsolve.io import archives, tile_file
from jigsolve.io.archives import tar_files
from jigsolve.io.tiles import read_tiles, resized

RNG = np.random.default_rng(5)
PIXELS = RNG.integers(0, 256, (12, 8, 10, 3)).astype(np.uint8)


def packed(pixels, kind="PNG"):
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, kind)
    return buffer.getvalue()


FILES = {f"t{number}.png": packed(tile) for number, tile in enumerate(PIXELS)}


def by_name(tiles):
    return dict(zip(tiles.names, tiles.pieces, strict=True))


def check_pixels(tiles, prefix=""):
    assert len(tiles.names) == len(PIXELS)
    for number, tile in enumerate(PIXELS):
        np.testing.assert_array_equal(by_name(tiles)[f"{prefix}t{number}.png"], tile)


def write(folder, files=FILES):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def write_zip(path, files=FILES, **options):
    with zipfile.ZipFile(path, "w", **options) as archive:
        for name, content in files.items() if isinstance(files, dict) else files:
            archive.writestr(name, content)
    return path


def write_tar(path, files=FILES, mode="w"):
    with tarfile.open(path, mode) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


def test_folders_and_archives_hold_the_same_tiles(tmp_path):
    places = [
        write(tmp_path / "folder"),
        tmp_path / "folder" / "*.png",
        sorted((tmp_path / "folder").iterdir()),
        write_zip(tmp_path / "a.zip", compression=zipfile.ZIP_DEFLATED),
        write_tar(tmp_path / "a.tar"),
        *(write_tar(tmp_path / f"a.tar.{kind}", mode=f"w:{kind}") for kind in ("gz", "bz2", "xz")),
    ]
    first = read_tiles(places[0])
    assert first.notes == ()
    for place in places:
        tiles = read_tiles(place)
        check_pixels(tiles)
        assert tiles.names == first.names


def test_names_and_formats_have_no_part_in_the_order(tmp_path):
    plain = read_tiles(write(tmp_path / "a"))
    numbers = RNG.permutation(len(PIXELS))
    renamed = {f"{numbers[i]:03}.bmp": packed(tile, "BMP") for i, tile in enumerate(PIXELS)}
    other = read_tiles(write(tmp_path / "b", renamed))
    np.testing.assert_array_equal(plain.pieces, other.pieces)
    assert [int(n[1:-4]) for n in plain.names] == [
        int(np.flatnonzero(numbers == int(n[:-4]))[0]) for n in other.names
    ]


def test_folders_within_folders_and_what_is_skipped(tmp_path):
    write(tmp_path, {f"sub/{n}": c for n, c in FILES.items()})
    write(tmp_path, {"other/t0.png": FILES["t1.png"]})  # the same name in another folder
    write(
        tmp_path,
        {f"{n}.txt": b"text" for n in "abcde"}
        | {".hidden.png": FILES["t0.png"], ".git/t0.png": FILES["t0.png"]}
        | {"half.png": FILES["t0.png"][:60], "lie.png": b"P6 is not a picture"},
    )
    (tmp_path / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.png")
    tiles = read_tiles(tmp_path)
    assert set(tiles.names) == {f"sub/{name}" for name in FILES} | {"other/t0.png"}
    notes = "\n".join(tiles.notes)
    assert "5 files skipped (no picture): a.txt, b.txt, c.txt and 2 more" in notes
    assert "2 files skipped (hidden): .git, .hidden.png" in notes
    assert "1 file skipped (a link): loop" in notes
    assert "1 file skipped (no regular file): pipe.png" in notes
    assert "2 files skipped (damaged, or not one still picture): half.png, lie.png" in notes


def test_links_to_files_are_skipped_in_a_folder_but_read_by_name(tmp_path):
    write(tmp_path / "tiles")
    write(tmp_path / "elsewhere", {"secret.png": packed(np.full((8, 10, 3), 7, np.uint8))})
    (tmp_path / "tiles" / "out.png").symlink_to(tmp_path / "elsewhere" / "secret.png")
    (tmp_path / "tiles" / "again.png").symlink_to("t0.png")
    tiles = read_tiles(tmp_path / "tiles")
    assert set(tiles.names) == set(FILES)
    assert tiles.notes == ("2 files skipped (a link): again.png, out.png",)
    named = read_tiles(sorted((tmp_path / "tiles").iterdir()))
    assert set(named.names) == {*FILES, "out.png", "again.png"}


def test_many_other_files_are_never_decoded(tmp_path, monkeypatch):
    write(tmp_path, {f"{n}.txt": b"x" * 100 for n in range(300)} | FILES)
    opened = []
    usual = Image.open
    monkeypatch.setattr(Image, "open", lambda *a, **k: opened.append(a) or usual(*a, **k))
    seen = []
    tiles = read_tiles(tmp_path, progress=lambda done, total: seen.append((done, total)))
    assert len(opened) == len(FILES)
    assert tiles.notes == ("300 files skipped (no picture): 0.txt, 1.txt, 10.txt and 297 more",)
    assert seen[-1] == (312, 312)
    assert seen == sorted(seen)


def test_every_format_and_mode(tmp_path):
    tile = PIXELS[0]
    picture = Image.fromarray(tile)
    ramp = np.arange(80).reshape(8, 10)
    for ending in ("png", "jpg", "tif", "bmp", "webp", "gif", "ppm", "tga", "jp2", "pcx"):
        picture.save(tmp_path / f"x.{ending}")
    picture.convert("1").save(tmp_path / "one-bit.png")
    picture.convert("L").save(tmp_path / "grey.png")
    picture.quantize(8).save(tmp_path / "palette.png")
    picture.convert("RGBA").save(tmp_path / "alpha.png")
    Image.fromarray((ramp * 800).astype(np.uint16)).save(tmp_path / "deep.png")
    tiles = read_tiles(tmp_path)
    assert len(tiles.names) == 15
    assert tiles.notes == ()
    for ending in ("png", "tif", "bmp", "ppm", "tga", "pcx"):
        np.testing.assert_array_equal(by_name(tiles)[f"x.{ending}"], tile)
    assert set(np.unique(by_name(tiles)["one-bit.png"])) == {0, 255}
    assert abs(by_name(tiles)["deep.png"][:, :, 1] - ramp * 800 / 257).max() <= 0.5


@pytest.mark.parametrize("kind", [np.float32, np.int32])
def test_grey_values_without_a_range_get_one_for_all_tiles(tmp_path, kind):
    for number, level in enumerate((1, 200, 50000)):  # alone each would have another range
        Image.fromarray(np.full((6, 6), level, kind)).save(tmp_path / f"{number}.tif")
    found = by_name(read_tiles(tmp_path))
    assert [int(found[f"{n}.tif"][0, 0, 0]) for n in range(3)] == [0, 1, 195]


@given(
    st.integers(1, 30), st.integers(1, 30), st.integers(-2, 2), st.integers(-2, 2), st.integers(0)
)
def test_resized_tiles_keep_their_borders(height, width, taller, wider, seed):
    shape = max(height + taller, 1), max(width + wider, 1)
    tile = np.random.default_rng(seed % 2**32).integers(0, 256, (*shape, 3)).astype(np.uint8)
    found = resized(tile, height, width)
    assert found.shape == (height, width, 3)
    if shape[0] == height and width > 1:
        np.testing.assert_array_equal(found[:, 0], tile[:, 0])
        np.testing.assert_array_equal(found[:, -1], tile[:, -1])
    if shape[1] == width and height > 1:
        np.testing.assert_array_equal(found[0], tile[0])
        np.testing.assert_array_equal(found[-1], tile[-1])
    half = max(min(width, shape[1]) // 2 - 1, 0)
    if shape[0] == height and half:
        np.testing.assert_array_equal(found[:, :half], tile[:, :half])
        np.testing.assert_array_equal(found[:, -half:], tile[:, -half:])


def test_a_pixel_or_two_are_evened_out_and_said(tmp_path):
    odd = {"w.png": packed(PIXELS[0][:, :-1]), "h.png": packed(np.repeat(PIXELS[1], 2, 0)[:10])}
    tiles = read_tiles(write(tmp_path, FILES | odd))
    assert tiles.pieces.shape == (14, 8, 10, 3)
    assert len(tiles.notes) == 1
    assert tiles.notes[0].startswith("2 of 14 tiles were not 10 x 8 pixels")


def test_two_sizes_are_two_puzzles(tmp_path):
    other = {f"o{n}.png": packed(RNG.integers(0, 256, (20, 20, 3), np.uint8)) for n in range(5)}
    with pytest.raises(InputError, match=r"12 of 10 x 8, 5 of 20 x 20 \(such as o0.png\): two puz"):
        read_tiles(write(tmp_path, FILES | other))


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "at least two tiles, found nothing"),
        ({"a.txt": b"x"}, r"found no picture; 1 file skipped \(no picture\): a.txt"),
        ({"a.png": FILES["t0.png"]}, "found one only, a.png"),
    ],
)
def test_too_few_tiles(tmp_path, files, words):
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match=words):
        read_tiles(write(tmp_path / "folder", files))
    with pytest.raises(InputError, match=words):
        read_tiles(write_zip(tmp_path / "a.zip", files))


def test_places_that_are_none(tmp_path):
    write_zip(tmp_path / "a.zip")
    for place, words in (
        (tmp_path / "none", "no such file or folder"),
        (tmp_path / "*.png", "files of this pattern, found none"),
        ([tmp_path / "a.zip", tmp_path / "a.zip"], "expected one archive and nothing else"),
    ):
        with pytest.raises(InputError, match=words):
            read_tiles(place)


def test_members_that_lead_out_of_an_archive_are_skipped(tmp_path):
    bad = {"/etc/x.png": b"", "../../y.png": b"", "C:\\z.png": b"", "a\\..\\..\\w.png": b""}
    bad = dict.fromkeys(bad, FILES["t0.png"])
    hidden = {"__MACOSX/._t0.png": FILES["t0.png"]}
    for path in (
        write_zip(tmp_path / "a.zip", bad | hidden | FILES),
        write_tar(tmp_path / "a.tar", bad | hidden | FILES),
    ):
        tiles = read_tiles(path)
        check_pixels(tiles)
        assert any("4 files skipped (its path leads out of the archive)" in n for n in tiles.notes)
        assert any("1 file skipped (hidden): __MACOSX/._t0.png" in n for n in tiles.notes)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.tar", "a.zip"]


@pytest.mark.parametrize("name", ["", ".", "./."])
def test_members_without_a_name_are_skipped(tmp_path, name):
    pairs = [*FILES.items(), (name, FILES["t1.png"]), (f"{name}/.", FILES["t2.png"])]
    path = write_zip(tmp_path / "a.zip", [(other or "unnamed", file) for other, file in pairs])
    path.write_bytes(path.read_bytes().replace(b"unnamed", bytes(7)))  # where names end
    check_pixels(read_tiles(path))
    check_pixels(read_tiles(write_tar(tmp_path / "a.tar", dict(pairs))))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_tiles_with_the_same_name_are_all_kept(tmp_path):
    pairs = [*FILES.items(), ("t0.png", FILES["t1.png"]), ("t0.png", FILES["t2.png"])]
    found = by_name(read_tiles(write_zip(tmp_path / "a.zip", pairs)))
    np.testing.assert_array_equal(found["t0.png"], PIXELS[0])
    np.testing.assert_array_equal(found["t0 (2).png"], PIXELS[1])
    np.testing.assert_array_equal(found["t0 (3).png"], PIXELS[2])


def test_links_and_devices_in_a_tar_are_skipped(tmp_path):
    path = write_tar(tmp_path / "a.tar")
    with tarfile.open(path, "a") as archive:
        for name, kind in (
            ("s.png", tarfile.SYMTYPE), ("h.png", tarfile.LNKTYPE), ("d.png", tarfile.CHRTYPE),
            ("p.png", tarfile.FIFOTYPE),
        ):  # fmt: skip
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "/etc/passwd"
            archive.addfile(member)
    tiles = read_tiles(path)
    check_pixels(tiles)
    assert "2 files skipped (a link): s.png, h.png" in tiles.notes
    assert "2 files skipped (no regular file): d.png, p.png" in tiles.notes


def test_encrypted_members_are_refused(tmp_path):
    content = bytearray(write_zip(tmp_path / "a.zip").read_bytes())
    for signature, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        content[content.index(signature) + flags] |= 1
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(InputError, match=r"found t0.png encrypted; unpack it with its password"):
        read_tiles(tmp_path / "a.zip")


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz", "tar.bz2", "tar.xz"])
@pytest.mark.parametrize("share", [0.01, 0.3, 0.62, 0.9])
def test_truncated_archives_are_refused(tmp_path, kind, share):
    path = tmp_path / f"a.{kind}"
    if kind == "zip":
        write_zip(path)
    else:
        write_tar(path, mode=f"w:{kind[4:]}")
    whole = path.read_bytes()
    end = len(whole) if kind != "tar" else 12 * 1024  # the rest are zeros
    path.write_bytes(whole[: int(end * share)])
    with pytest.raises(InputError, match="archive, found a damaged one"):
        read_tiles(path)


def test_damage_never_crashes_or_loses_tiles_in_silence(tmp_path):
    rng = np.random.default_rng(3)
    for kind in ("zip", "tar", "tar.gz"):
        path = tmp_path / f"a.{kind}"
        write_zip(path) if kind == "zip" else write_tar(path, mode=f"w:{kind[4:]}")
        whole = path.read_bytes()
        for _ in range(60):
            broken = bytearray(whole)
            for position in rng.integers(0, len(broken), 4):
                broken[position] = rng.integers(0, 256)
            path.write_bytes(broken)
            try:
                tiles = read_tiles(path)
            except InputError as error:
                assert str(path) in str(error)  # noqa: PT017
            else:
                assert len(tiles.names) == 12 or tiles.notes


def test_other_archives_say_what_to_do(tmp_path):
    for head, kind in ((b"\x28\xb5\x2f\xfd", "Zstandard"), (b"Rar!\x1a\7\0", "RAR")):
        (tmp_path / "a.bin").write_bytes(head + bytes(600))
        with pytest.raises(InputError, match=f"found a {kind} archive; unpack it"):
            read_tiles(tmp_path / "a.bin")


def test_gzip_of_something_else(tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"hello" * 1000))
    (tmp_path / "b.bz2").write_bytes(bz2.compress(b"hello" * 1000))
    for name in ("a.gz", "b.bz2"):
        with pytest.raises(InputError, match="expected a whole TAR archive, found a damaged one"):
            read_tiles(tmp_path / name)


@pytest.fixture
def low_limits(monkeypatch):
    for module in (archives, tile_file):
        monkeypatch.setattr(module, "LARGEST_FILE", 100_000)
    monkeypatch.setattr(archives, "MOST_BYTES", 300_000)
    monkeypatch.setattr(archives, "MOST_MEMBERS", 50)


BOMB = FILES["t0.png"] + bytes(200_000)


@pytest.mark.usefixtures("low_limits")
@pytest.mark.parametrize(
    ("files", "words"),
    [
        (
            {"b.png": BOMB},
            "tiles of at most 100 kB, found b.png of 20[01] kB; a decompression bomb",
        ),
        ({f"{n}.png": BOMB[:80_000] for n in range(5)}, "at most 300 kB uncompressed"),
        ({f"{n}.png": b"" for n in range(51)}, "at most 50 members, found more"),
    ],
)
def test_bombs_are_refused(tmp_path, files, words):
    with pytest.raises(InputError, match=words):
        read_tiles(write_zip(tmp_path / "a.zip", files, compression=zipfile.ZIP_DEFLATED))
    with pytest.raises(InputError, match=words):
        read_tiles(write_tar(tmp_path / "a.tar.gz", files, mode="w:gz"))


@pytest.mark.usefixtures("low_limits")
def test_bombs_that_are_no_tiles_are_refused_in_a_tar(tmp_path):
    """All of a compressed TAR must be unpacked to get past a member."""
    path = write_tar(tmp_path / "a.tar.gz", {"b.txt": bytes(400_000)} | FILES, mode="w:gz")
    with pytest.raises(InputError, match="at most 300 kB uncompressed, found more"):
        read_tiles(path)


@pytest.mark.usefixtures("low_limits")
def test_a_header_that_claims_to_be_huge_is_never_read(tmp_path):
    member = tarfile.TarInfo("pax")
    member.type, member.size = tarfile.XHDTYPE, 10**10
    (tmp_path / "a.tar").write_bytes(member.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
    with pytest.raises(InputError, match=r"found a member of 10\.0 GB; a decompression bomb"):
        list(tar_files(tmp_path / "a.tar", lambda done, total: None))


@pytest.mark.usefixtures("low_limits")
def test_a_zip_that_lies_about_sizes(tmp_path):
    content = bytearray(
        write_zip(
            tmp_path / "a.zip", {"b.png": BOMB}, compression=zipfile.ZIP_DEFLATED
        ).read_bytes()
    )
    for signature, size in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        start = content.index(signature) + size
        content[start : start + 4] = (90_000).to_bytes(4, "little")
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(InputError, match=r"damaged one \(Bad CRC"):
        read_tiles(tmp_path / "a.zip")


def test_want_of_memory_is_foreseen(tmp_path, monkeypatch):
    write(tmp_path)
    monkeypatch.setattr("jigsolve.io.tiles._FIRST_CHECK", 500)
    monkeypatch.setattr("jigsolve.execution.memory.NOTHING", 0)
    monkeypatch.setattr("jigsolve.execution.memory.free_memory", lambda: 2000)
    with pytest.raises(InputError, match=r"reading all tiles needs about .* of memory, 2 kB is"):
        read_tiles(tmp_path)
