"""Opening puzzles: pictures, tiles, archives; what is refused, and what a person corrects."""

import asyncio
import base64
import io
import json
import struct
import zipfile
import zlib
from urllib.parse import quote

import numpy as np
import pytest
from clients import serving
from PIL import Image

from jigsolve import Puzzle, demo_photo
from jigsolve.studio import uploads
from jigsolve.studio.uploads import Incoming, TooLargeError, label_of

PHOTO = demo_photo()[:168, :252]


def encoded(pixels, kind="PNG", **options):
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, kind, **options)
    return file.getvalue()


def shuffled(piece=28, seed=3, turns="none"):
    puzzle, truth = Puzzle.cut(PHOTO, piece).shuffle(seed, turns)
    return puzzle, truth


def sent(client, files, name="a puzzle"):
    """Make a project of files, as (label, content), and wait until they are read."""
    project = client.post("/api/projects", {"name": name})["id"]
    for number, (label, content) in enumerate(files):
        headers = {"X-File-Name": quote(label)}
        answer = client.ask("PUT", f"/api/projects/{project}/files/{number}", content, headers)
        assert answer.status == 201, answer.body
        assert answer.json["label"] == label
    client.post(f"/api/projects/{project}/read")
    return project, client.wait_for(project, "grid", "empty")


def grid_of(state):
    """Return the grid that was detected, as a person confirms it."""
    names = ("piece", "start", "gap", "board", "turns", "pictures")
    return {name: state["detection"][name] for name in names}


def cells_of(picture):
    return np.frombuffer(base64.b64decode(picture["cells"]), "<i4")


def test_a_picture_is_read_its_grid_confirmed_and_solved(server, client):
    puzzle, truth = shuffled()
    project, state = sent(client, [("photo.png", encoded(puzzle.image()))])
    detection = state["detection"]
    assert detection["piece"] == [28, 28]
    assert detection["board"] == [9, 6]
    assert detection["turns"] == "none"
    assert state["source"] == {"kind": "picture", "width": 252, "height": 168, "files": 1}
    assert not (server.home / "projects" / project / "incoming").exists()
    client.post(f"/api/projects/{project}/grid", grid_of(state))
    state = client.get(f"/api/projects/{project}/state")
    assert state["stage"] == "cut"
    assert cells_of(state["pictures"][0]).tolist() == [4 * i for i in range(54)]
    client.post(f"/api/projects/{project}/solve", {"seed": 5})
    state = client.wait_for(project, "solved")
    assert (cells_of(state["pictures"][0]) == 4 * truth.ravel()).all()
    assert state["believed"] > 0.9
    assert state["previous"]["pictures"][0]["rows"] == 6


def test_what_is_sent_back_is_drawn_anew(client):
    """Metadata and whatever hides behind a picture's end do not come back."""
    puzzle, _ = shuffled()
    secret = b"<script>alert(1)</script>"
    content = encoded(puzzle.image(), "JPEG", quality=95, comment=secret) + secret
    project, _ = sent(client, [("photo.jpg", content)])
    answer = client.ask("GET", f"/api/projects/{project}/source")
    assert answer.headers["content-type"] == "image/png"
    assert answer.body.startswith(b"\x89PNG")
    assert secret not in answer.body
    assert (np.asarray(Image.open(io.BytesIO(answer.body))).shape) == (168, 252, 3)
    page = client.ask("GET", f"/api/projects/{project}/pieces/0")
    assert page.headers["content-type"] == "image/png"
    assert secret not in page.body


def test_a_corrected_grid_is_cut_anew(client):
    puzzle, _ = shuffled()
    framed = np.zeros((168 + 30, 252 + 44, 3), np.uint8)
    framed[10:178, 20:272] = puzzle.image()
    project, _ = sent(client, [("framed.png", encoded(framed))])
    url = f"/api/projects/{project}"
    grid = {"piece": [28, 28], "start": [20, 10], "gap": 0, "board": [9, 6], "turns": "none"}
    client.post(f"{url}/grid", grid)
    state = client.get(f"{url}/state")
    assert state["pieces"]["count"] == 54
    page = np.asarray(Image.open(io.BytesIO(client.ask("GET", f"{url}/pieces/0").body)))
    across = state["pieces"]["atlas"]["across"]
    for piece in (0, 17, 53):
        row, column = divmod(piece, across)
        shown = page[28 * row : 28 * row + 28, 28 * column : 28 * column + 28]
        assert (shown == puzzle.pieces[piece]).all()
    client.post(f"{url}/grid", grid | {"piece": [56, 28], "board": None})
    state = client.get(f"{url}/state")
    assert (state["pieces"]["width"], state["pieces"]["height"]) == (56, 28)
    page = np.asarray(Image.open(io.BytesIO(client.ask("GET", f"{url}/pieces/0").body)))
    assert (page[:28, :56] == framed[10:38, 20:76]).all(), "pages of earlier pieces are gone"


@pytest.fixture(scope="module")
def read(server):
    """Return a project that is read and not cut."""
    return sent(server.client(), [("photo.png", encoded(shuffled()[0].image()))])[0]


@pytest.mark.parametrize(
    "grid",
    [
        {"piece": [0, 5]},
        {"piece": [1e9, 5]},
        {"piece": "28"},
        {"piece": [28]},
        {"start": [-1, 0]},
        {"gap": -2},
        {"gap": [1]},
        {"board": [0, 4]},
        {"board": [3.5, 4]},
        {"board": 7},
        {"turns": "upside down"},
        {"turns": None},
        {"pictures": -1},
        {"piece": [300, 300]},
    ],
)
def test_grids_that_are_none_are_refused_in_words(client, read, grid):
    answer = client.ask("POST", f"/api/projects/{read}/grid", grid)
    assert answer.status == 400
    assert len(answer.json["error"]) > 15


@pytest.mark.parametrize(
    ("grid", "said"),
    [
        ({"board": [10, 6]}, "board: expected from 2 pieces to 9 x 6"),
        ({"board": [1, 1]}, "board: expected from 2 pieces to 9 x 6"),
        ({"start": [10, 0], "board": [9, 6]}, "board: expected from 2 pieces to 8 x 6"),
        ({"start": [240, 0], "board": None}, "found pieces of 28 x 28 that start at 240, 0"),
        ({"gap": 300, "board": None}, "with a gap of 300"),
    ],
)
def test_grids_without_room_are_refused_by_what_was_typed(client, read, grid, said):
    answer = client.ask("POST", f"/api/projects/{read}/grid", grid)
    assert answer.status == 400
    assert said in answer.json["error"]
    assert "252 x 168" in answer.json["error"]


def test_a_scaled_picture_is_read_and_cut(client):
    puzzle, _ = shuffled()
    scaled = Image.fromarray(puzzle.image()).resize((302, 202), Image.Resampling.LANCZOS)
    project, state = sent(client, [("scaled.png", encoded(np.asarray(scaled)))])
    assert state["detection"]["board"] == [9, 6]
    assert state["detection"]["piece"] == pytest.approx([302 / 9, 202 / 6], abs=1e-4)
    url = f"/api/projects/{project}"
    client.post(f"{url}/grid", grid_of(state))
    client.post(f"{url}/grid", grid_of(state) | {"piece": [33.5, 33.7]})  # cut anew
    assert client.get(f"{url}/state")["pieces"]["count"] == 54


@pytest.mark.parametrize(
    ("route", "body", "unknown"),
    [
        ("", {"name": "x", "colour": "red"}, "colour"),
        ("/read", {"fast": True}, "fast"),
        ("/grid", {"pieces": [28, 28]}, "pieces"),
        ("/solve", {"time_limit": 3}, "time_limit"),
        ("/stop", {"now": True}, "now"),
        ("/preview", {"action": {}}, "action"),
        ("/preview", {"move": {"kind": "swap", "a": [0, 1], "b": [0, 2], "c": 3}}, "c"),
        ("/actions", {"kind": "lock", "picture": 0, "cell": 3}, "cell"),
        ("/actions", {"kind": "undo", "steps": 2}, "steps"),
        ("/actions", {"kind": "snapshot", "label": "x"}, "label"),
    ],
)
def test_unknown_keys_are_refused_by_name(client, solved, route, body, unknown):
    path = "/api/projects" + (f"/{solved}{route}" if route else "")
    answer = client.ask("POST", path, body)
    assert answer.status == 400
    assert answer.json["error"].startswith("unknown key: expected ")
    assert f"found {unknown!r}" in answer.json["error"]


@pytest.fixture(scope="module")
def tiles(tmp_path_factory):
    """Return tiles of a photograph, turned, as files."""
    folder = tmp_path_factory.mktemp("tiles")
    puzzle, _ = shuffled(28, turns="quarter")
    for number, piece in enumerate(puzzle.pieces):
        Image.fromarray(piece).save(folder / f"{number:03}.png")
    return sorted(folder.iterdir())


def test_a_folder_of_turned_tiles_is_read_and_solved(server, client, tiles):
    files = [(f"holiday/{path.name}", path.read_bytes()) for path in tiles]
    project, state = sent(client, files)
    assert state["detection"]["turns"] == "quarter"
    assert sorted(state["detection"]["board"]) == [6, 9]
    assert state["source"]["kind"] == "tiles"
    assert sorted(state["pieces"]["names"]) == sorted(label for label, _ in files)
    assert client.ask("GET", f"/api/projects/{project}/source").status == 404
    client.post(f"/api/projects/{project}/grid", grid_of(state))
    (priced,) = (server.home / "projects" / project).glob("priced-*.npz")
    priced_at = priced.stat().st_mtime_ns
    client.post(f"/api/projects/{project}/solve")
    state = client.wait_for(project, "solved", "cut")
    assert priced.stat().st_mtime_ns == priced_at, "seams are priced once, to find the board"
    assert state["stage"] == "solved", state["messages"]
    assert state["believed"] > 0.95
    cells = cells_of(state["pictures"][0])
    assert len(np.unique(cells >> 2)) == 54
    assert len(np.unique(cells & 3)) > 1
    table = client.ask("GET", f"/api/projects/{project}/export/solution.csv").body.decode()
    assert table.splitlines()[0].startswith("row,column,turn,piece,file")
    assert "holiday/" in table


def test_an_archive_is_read(client, tiles):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for path in tiles:
            archive.write(path, f"inside/{path.name}")
        archive.writestr("readme.txt", "no picture")
        archive.writestr("../outside.png", tiles[0].read_bytes())
    _, state = sent(client, [("tiles.zip", file.getvalue())])
    assert state["pieces"]["count"] == 54
    assert "skipped" in state["detection"]["message"]


def test_the_command_opens_a_file(tmp_path):
    puzzle, _ = shuffled()
    Image.fromarray(puzzle.image()).save(tmp_path / "puzzle.png")
    with serving(tmp_path / "home", str(tmp_path / "puzzle.png")) as server:
        client = server.client()
        (project,) = client.get("/api/projects")
        assert project["name"] == "puzzle.png"
        landing = client.ask("GET", f"/?token={server.token}").headers["location"]
        assert landing == f"/#{project['id']}"
        state = client.wait_for(project["id"], "grid")
        assert state["detection"]["board"] == [9, 6]
        grid = grid_of(state) | {"piece": [14, 28], "board": [18, 6]}
        client.post(f"/api/projects/{project['id']}/grid", grid)
        assert client.get(f"/api/projects/{project['id']}/state")["pieces"]["count"] == 108


@pytest.mark.parametrize(
    ("label", "content"),
    [
        ("x.svg", b'<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
        ("x.png", b"<!doctype html><script>alert(1)</script>"),
        ("x.html", b"<html></html>"),
        ("x.png", b'<?xml version="1.0"?><svg/>'),
        ("x.pdf", b"%PDF-1.4"),
        ("x.eps", b"%!PS-Adobe-3.0 EPSF"),
        ("x.py", b"import os"),
        ("x.png", b""),
    ],
)
def test_other_kinds_of_files_are_refused(server, client, label, content):
    project = client.post("/api/projects", {"name": "x"})["id"]
    url = f"/api/projects/{project}"
    answer = client.ask("PUT", f"{url}/files/0", content, {"X-File-Name": label})
    assert answer.status == 415
    assert "expected a picture" in answer.json["error"]
    assert client.ask("POST", f"{url}/read", b"{}").status == 400
    assert not [*(server.home / "projects" / project / "incoming").glob("*0*")]


def png_of(width, height):
    """Return the beginning of a picture that claims a size."""
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    return b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I", 1000) + b"IDAT"


def bomb():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.png", png_of(5, 5) + bytes(2**28))
    return file.getvalue()


@pytest.mark.parametrize(
    ("label", "content", "said"),
    [
        ("large.png", png_of(60_000, 60_000), "pixels"),
        ("cut.png", png_of(500, 500), "damaged"),
        ("bomb.zip", bomb, "at most"),
        ("broken.zip", b"PK\x03\x04" + b"x" * 100, "archive"),
        ("one.png", lambda: encoded(PHOTO[:5, :5]), ""),
    ],
)
def test_what_cannot_be_read_is_said(client, label, content, said):
    content = content() if callable(content) else content
    project, state = sent(client, [(label, content)])
    text = " ".join([*state["messages"], (state["detection"] or {}).get("message", "")])
    assert said in text
    assert len(text) > 10
    assert str(project) not in text, "no path of this machine"
    assert state["pieces"] is None
    answer = client.ask("POST", f"/api/projects/{project}/solve", b"{}")
    assert answer.status == 400


def taken(incoming, number, label, *chunks):
    async def stream():
        for chunk in chunks:
            yield chunk

    asyncio.run(incoming.take_in(number, label, stream()))


PNG = b"\x89PNG\r\n\x1a\n"


def test_uploads_are_limited(tmp_path, monkeypatch):
    monkeypatch.setattr(uploads, "MOST_BYTES_A_FILE", 100)
    monkeypatch.setattr(uploads, "MOST_BYTES", 250)
    incoming = Incoming(tmp_path)
    taken(incoming, 0, "a.png", PNG, b"x" * 92)
    with pytest.raises(TooLargeError, match="at most 100 bytes"):
        taken(incoming, 1, "b.png", PNG, b"x" * 93)
    taken(incoming, 1, "b.png", PNG, b"x" * 50, b"x" * 42)
    with pytest.raises(TooLargeError, match="at most 250 bytes in all"):
        taken(incoming, 2, "c.png", PNG, b"x" * 43)
    with pytest.raises(TooLargeError, match="at most 250 bytes in all"):
        taken(Incoming(tmp_path), 2, "c.png", PNG, b"x" * 43)  # another server
    taken(incoming, 1, "b.png", PNG, b"x" * 92)  # once more, in place of the first
    with pytest.raises(TooLargeError, match="files"):
        taken(incoming, uploads.MOST_FILES, "d.png", PNG)
    monkeypatch.setattr(uploads, "KEPT_FREE", 2**62)
    with pytest.raises(TooLargeError, match="room for it on the disk"):
        taken(incoming, 3, "e.png", PNG)
    paths, _ = incoming.every()
    assert [path.name for path in paths] == ["000000", "000001"]
    assert sorted(p.name for p in (tmp_path / "incoming").iterdir()) == [
        "000000", "000001",
    ]  # fmt: skip


def test_uploads_at_once_are_limited_together(tmp_path, monkeypatch):
    monkeypatch.setattr(uploads, "MOST_BYTES", 250)
    incoming = Incoming(tmp_path)

    async def slowly(size):
        yield PNG
        for _ in range(size - len(PNG)):
            await asyncio.sleep(0)  # the others get their turn
            yield b"x"

    async def all_at_once(*sizes):
        sent = (incoming.take_in(i, f"{i}.png", slowly(size)) for i, size in enumerate(sizes))
        return await asyncio.gather(*sent, return_exceptions=True)

    found = asyncio.run(all_at_once(100, 90, 100))
    refused = [each for each in found if each is not None]
    assert [type(each) for each in refused] == [TooLargeError]
    stored = [path.stat().st_size for path in incoming.every()[0]]
    assert sum(stored) <= 250
    taken(incoming, 3, "d.png", PNG, b"x" * (250 - sum(stored) - len(PNG)))  # what is left, exactly
    with pytest.raises(TooLargeError):
        taken(incoming, 4, "e.png", PNG)


def test_labels_of_equal_files_are_told_apart(tmp_path):
    incoming = Incoming(tmp_path)
    for number in range(3):
        taken(incoming, number, "same.png", PNG)
    assert sorted(incoming.every()[1].values()) == ["same.png", "same.png (2)", "same.png (3)"]


@pytest.mark.parametrize(
    ("given", "label"),
    [
        ("a.png", "a.png"),
        ("folder/a.png", "folder/a.png"),
        ("../../a.png", "a.png"),
        ("/etc/a.png", "etc/a.png"),
        ("C:\\x\\a.png", "C:/x/a.png"),
        ("a\x00b\n.png", "ab.png"),
        ("%C3%A9%F0%9F%98%80.png", "é😀.png"),
        ("%FF.png", "\ufffd.png"),
        ("x" * 1000, "x" * 240),
        ("...", "file 7"),
        (None, "file 7"),
    ],
)
def test_labels_are_printable_and_lead_nowhere(given, label):
    assert label_of(given, 7) == label


def test_json_that_is_too_large_is_refused(client, solved):
    body = json.dumps({"kind": "move", "cells": [1] * 9_000_000})
    answer = client.ask("POST", f"/api/projects/{solved}/actions", body)
    assert answer.status == 413
