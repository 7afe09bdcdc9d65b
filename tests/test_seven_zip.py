"""7z archives; without the extra `7z` only that it is missed."""

import io
import sys

import numpy as np
import pytest
from PIL import Image

from jigsolve import InputError
from jigsolve.io import archives
from jigsolve.io.tiles import read_tiles

PIXELS = np.random.default_rng(5).integers(0, 256, (12, 8, 10, 3)).astype(np.uint8)


def packed(pixels):
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return buffer.getvalue()


FILES = {f"t{number}.png": packed(tile) for number, tile in enumerate(PIXELS)}


@pytest.fixture
def py7zr():
    return pytest.importorskip("py7zr", reason="the extra 7z is not installed")


def write_7z(py7zr, path, files=FILES, **options):
    with py7zr.SevenZipFile(path, "w", **options) as archive:
        for name, content in files.items():
            archive.writestr(content, name)
    return path


def test_an_archive_without_its_library_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "py7zr", None)
    (tmp_path / "a.7z").write_bytes(b"7z\xbc\xaf\x27\x1c" + bytes(600))
    with pytest.raises(InputError, match=r"a\.7z: .*found a 7z .*pip install 'jigsolve\[7z\]'"):
        read_tiles(tmp_path / "a.7z")


@pytest.mark.parametrize("filters", ["usual", "zstd", "bzip2", "deflate", "copy"])
def test_tiles_are_read(py7zr, tmp_path, filters):
    kinds = {
        "usual": None,
        "zstd": [{"id": py7zr.FILTER_ZSTD}],
        "bzip2": [{"id": py7zr.FILTER_BZIP2}],
        "deflate": [{"id": py7zr.FILTER_DEFLATE}],
        "copy": [{"id": py7zr.FILTER_COPY}],
    }
    path = write_7z(py7zr, tmp_path / "tiles.bin", filters=kinds[filters])
    told = []
    tiles = read_tiles(path, progress=lambda done, total: told.append((done, total)))
    found = dict(zip(tiles.names, tiles.pieces, strict=True))
    assert found.keys() == FILES.keys()
    for number, tile in enumerate(PIXELS):
        np.testing.assert_array_equal(found[f"t{number}.png"], tile)
    assert told[-1] == (12, 12)


def test_folders_other_files_and_hidden_ones(py7zr, tmp_path):
    folder = tmp_path / "sub"
    folder.mkdir()
    others = {"readme.txt": b"hello", ".hidden.png": FILES["t0.png"], "empty.png": b""}
    for name, content in (FILES | others).items():
        (folder / name).write_bytes(content)
    (folder / "link.png").symlink_to("t0.png")
    path = tmp_path / "a.7z"
    with py7zr.SevenZipFile(path, "w") as archive:
        archive.writeall(folder, "sub")
    tiles = read_tiles(path)
    assert set(tiles.names) == {f"sub/{name}" for name in FILES}
    notes = "\n".join(tiles.notes)
    assert "2 files skipped (no picture): " in notes
    assert "1 file skipped (hidden): sub/.hidden.png" in notes
    assert "1 file skipped (a link): sub/link.png" in notes
    assert (
        list(tmp_path.iterdir()) == [tmp_path / "a.7z", tmp_path / "folder"]
        or len(list(tmp_path.iterdir())) == 2
    )  # nothing was unpacked to disk


def test_members_that_lead_out_are_skipped(py7zr, tmp_path, monkeypatch):
    path = write_7z(py7zr, tmp_path / "a.7z", FILES | {"__/__/evil.png": FILES["t0.png"]})
    real = py7zr.SevenZipFile

    def renamed(file):
        archive = real(file)
        for member in archive.files:
            member._file_info["filename"] = member.filename.replace("__", "..")
        return archive

    # py7zr does not write such names; others do.
    monkeypatch.setattr(py7zr, "SevenZipFile", renamed)
    tiles = read_tiles(path)
    assert set(tiles.names) == set(FILES)
    assert tiles.notes == ("1 file skipped (its path leads out of the archive): ../../evil.png",)
    assert not (tmp_path.parent / "evil.png").exists()


@pytest.mark.parametrize("header", [False, True])
def test_encrypted_archives_are_refused(py7zr, tmp_path, header):
    path = write_7z(py7zr, tmp_path / "a.7z", password="secret", header_encryption=header)
    with pytest.raises(InputError, match=r"found .* encrypted; unpack it with its password"):
        read_tiles(path)


@pytest.mark.parametrize("share", [0.01, 0.3, 0.7, 0.99])
def test_truncated_archives_are_refused(py7zr, tmp_path, share):
    whole = write_7z(py7zr, tmp_path / "a.7z").read_bytes()
    path = tmp_path / "half.7z"
    path.write_bytes(whole[: max(int(share * len(whole)), 40)])
    with pytest.raises(InputError, match="expected a whole 7z archive, found a damaged one"):
        read_tiles(path)


def test_damage_never_crashes_or_loses_tiles_in_silence(py7zr, tmp_path):
    whole = write_7z(py7zr, tmp_path / "a.7z").read_bytes()
    rng = np.random.default_rng(0)
    path = tmp_path / "b.7z"
    refused = 0
    for place in [*range(6, 60), *rng.integers(60, len(whole), 60)]:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << rng.integers(0, 8)
        path.write_bytes(damaged)
        try:
            tiles = read_tiles(path)
        except InputError:
            refused += 1
        else:
            assert len(tiles.pieces) == 12
    assert refused > 80


@pytest.fixture
def low_limits(monkeypatch):
    monkeypatch.setattr(archives, "LARGEST_FILE", 100_000)
    monkeypatch.setattr(archives, "MOST_BYTES", 300_000)
    monkeypatch.setattr(archives, "MOST_MEMBERS", 50)


@pytest.mark.usefixtures("low_limits")
@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"big.png": FILES["t0.png"] + bytes(200_000)}, "found big.png of 200 kB; a decompression"),
        ({f"{n}.bin": bytes(90_000) for n in range(5)}, "at most 300 kB uncompressed, found more"),
        ({f"{n}.png": FILES["t0.png"] for n in range(60)}, "at most 50 members, found more"),
    ],
)
def test_bombs_are_refused(py7zr, tmp_path, files, words):
    with pytest.raises(InputError, match=words):
        read_tiles(write_7z(py7zr, tmp_path / "a.7z", files))


def test_want_of_memory_is_foreseen(py7zr, tmp_path, monkeypatch):
    path = write_7z(py7zr, tmp_path / "a.7z")
    monkeypatch.setattr("jigsolve.execution.memory.NOTHING", 0)
    monkeypatch.setattr("jigsolve.execution.memory.free_memory", lambda: 2000)
    with pytest.raises(InputError, match=r"a\.7z: unpacking it needs about"):
        read_tiles(path)
