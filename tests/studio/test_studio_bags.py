"""Tiles of several pictures: solved together once, then each by itself."""

import io
import json
from urllib.parse import quote

import numpy as np
import pytest
from PIL import Image
from skimage import data
from test_studio_solving import cells_of

from jigsolve import demo_photo


@pytest.fixture(scope="module")
def bag(server):
    """Return a project of two photographs' tiles, solved, and which pieces belong together."""
    client = server.client()
    photos = [demo_photo()[100:300, 150:400], data.astronaut()[0:200, 100:300]]
    pieces = []
    for photo in photos:
        rows, columns = photo.shape[0] // 25, photo.shape[1] // 25
        pieces += [
            photo[25 * r : 25 * r + 25, 25 * c : 25 * c + 25]
            for r in range(rows)
            for c in range(columns)
        ]
    rng = np.random.default_rng(1)
    project = client.post("/api/projects", {"name": "two"})["id"]
    for number, index in enumerate(rng.permutation(len(pieces))):
        file = io.BytesIO()
        Image.fromarray(pieces[index]).save(file, "PNG")
        which = "coffee" if index < 80 else "astronaut"
        headers = {"X-File-Name": quote(f"{which}/{number}.png")}
        client.ask("PUT", f"/api/projects/{project}/files/{number}", file.getvalue(), headers)
    client.post(f"/api/projects/{project}/read")
    state = client.wait_for(project, "grid")
    grid = {"pictures": 2, "board": None, "turns": "none"}
    client.post(f"/api/projects/{project}/grid", grid)
    assert client.get(f"/api/projects/{project}/state")["pictures"] == []
    client.post(f"/api/projects/{project}/solve")
    return project, client.wait_for(project, "solved", "cut"), state["detection"]


def test_the_number_of_pictures_is_found(bag):
    assert bag[2]["pictures"] == 2
    assert "2 pictures" in bag[2]["message"]


def test_each_picture_has_its_own_pieces(bag):
    _, state, _ = bag
    assert state["stage"] == "solved", state["messages"]
    names = state["pieces"]["names"]
    boards = [(each["rows"], each["columns"]) for each in state["pictures"]]
    assert boards == [(8, 10), (8, 8)]
    for number in range(2):
        cells = cells_of(state, number)
        kinds = {names[pose >> 2].split("/")[0] for pose in cells.tolist() if pose >= 0}
        assert len(kinds) == 1
    assert state["believed"] > 0.9


def test_a_picture_is_asked_about_and_solved_on_by_itself(client, bag):
    project, state, _ = bag
    url = f"/api/projects/{project}"
    first, second = cells_of(state, 0), cells_of(state, 1)
    doubt = client.get(f"{url}/doubt?picture=1")
    assert len(doubt["pieces"]) == 64
    assert min(doubt["right"]) > 0.5
    client.post(f"{url}/actions", {"kind": "swap", "a": [1, 3], "b": [1, 40]})
    client.post(f"{url}/actions", {"kind": "park", "picture": 1, "cells": [20]})
    preview = client.post(f"{url}/preview", {"move": {"kind": "swap", "a": [1, 3], "b": [1, 40]}})
    assert preview["after"] < preview["before"]
    parked = int(second[20]) >> 2
    fits = client.get(f"{url}/fits?piece={parked}&count=3")
    assert (fits[0]["picture"], fits[0]["cell"], fits[0]["holds"]) == (1, 20, -1)
    priced = client.get(f"{url}/candidates?picture=1&cell=20&count=2")
    assert priced[0]["pose"] == second[20]
    assert priced[0]["at"] is None
    client.post(f"{url}/solve", {"picture": 1})
    after = client.wait_for(project, "solved")
    assert (cells_of(after, 1) == second).all()
    assert (cells_of(after, 0) == first).all()


def test_a_piece_is_carried_to_another_picture_and_back(client, bag):
    project = bag[0]
    url = f"/api/projects/{project}"
    before = client.get(f"{url}/state")
    first, second = cells_of(before, 0), cells_of(before, 1)
    carry = {"kind": "move", "picture": 1, "cells": [9, 10], "by": [1, 2], "to": 0}
    known = client.post(f"{url}/preview", {"move": carry})
    assert known == {"before": None, "after": None}, "seams between the pictures are not priced"
    client.post(f"{url}/actions", carry)
    state = client.get(f"{url}/state")
    assert cells_of(state, 0)[[23, 24]].tolist() == second[[9, 10]].tolist()
    assert cells_of(state, 1)[[9, 10]].tolist() == first[[23, 24]].tolist()
    doubt = client.get(f"{url}/doubt?picture=0")  # what is not about the strangers is known
    assert doubt["pieces"][23] is None
    assert doubt["pieces"][0] > 0.5
    assert client.get(f"{url}/fits?piece={int(second[9]) >> 2}")[0]["picture"] == 1
    client.post(f"{url}/solve", {"scope": "price"})
    priced = client.wait_for(project, "solved")
    assert (cells_of(priced, 0) == cells_of(state, 0)).all()
    assert client.get(f"{url}/doubt?picture=0")["pieces"][23] is not None
    for beyond in ({**carry, "by": [7, 0]}, {**carry, "to": 2}, {**carry, "by": [0, -10]}):
        client.post(f"{url}/actions", beyond, expected=(400,))
    client.post(f"{url}/actions", {"kind": "undo"})
    assert client.get(f"{url}/state")["pictures"] == before["pictures"]


def test_exports_of_several_pictures(client, bag):
    project = bag[0]
    url = f"/api/projects/{project}/export"
    lines = client.ask("GET", f"{url}/solution.csv").body.decode().splitlines()
    assert lines[0].startswith("picture,row,column,piece,file")
    assert len(lines) == 1 + 80 + 64
    for number, size in ((0, (250, 200)), (1, (200, 200))):
        picture = client.ask("GET", f"{url}/picture.png?picture={number}").body
        assert Image.open(io.BytesIO(picture)).size == size
        record = json.loads(client.ask("GET", f"{url}/solution.json").body)
        assert record["pictures"][number]["board"]["columns"] == size[0] // 25
    assert client.ask("GET", f"{url}/tiles.zip").status == 200
    assert client.ask("GET", f"{url}/overlay.png?picture=1").status == 200
    assert client.ask("GET", f"{url}/picture.png?picture=2").status == 400


@pytest.mark.parametrize("number", [1, None])
def test_the_board_of_tiles_is_found_by_solving(client, number):
    """Somebody leaves the board open, or it is not known of how many pictures tiles are."""
    project = client.post("/api/projects", {"example": True})["id"]
    url = f"/api/projects/{project}"
    client.post(f"{url}/grid", {"board": None, "pictures": number})
    assert client.get(f"{url}/state")["pictures"] == []
    client.post(f"{url}/solve")
    state = client.wait_for(project, "solved", "cut")
    assert [(each["rows"], each["columns"]) for each in state["pictures"]] == [(14, 21)]
    assert client.get(f"{url}/doubt")["pieces"][0] > 0.5, "its seams are known"
