"""Solving in the studio: watched, stopped, killed and taken up; solved on from what is there."""

import base64
import io
import json
import os
import signal
import time
import zipfile

import numpy as np
import psutil
import pytest
from clients import WAIT, Server, serving
from helpers import in_this_process
from PIL import Image, ImageFilter

import jigsolve
from jigsolve import Puzzle, demo_photo
from jigsolve.studio.studio import EXAMPLE_PIECE, EXAMPLE_SEED


def cells_of(state, number=0):
    return np.frombuffer(base64.b64decode(state["pictures"][number]["cells"]), "<i4")


def faint(piece=20):
    """Return a puzzle that takes a few seconds: a photograph, blurred, in few shades."""
    picture = Image.fromarray(demo_photo()).resize((840, 560)).filter(ImageFilter.GaussianBlur(6))
    pixels = (np.asarray(picture) // 6 * 6).astype(np.uint8)
    return Puzzle.cut(pixels, piece).shuffle(1)[0]


@pytest.fixture(scope="module")
def whole():
    """Return the faint puzzle as the library solves it, without any break."""
    return jigsolve.solve(faint(), jigsolve.Settings.of(seed=4))


def opened(client, puzzle):
    """Make a project of a shuffled picture, cut and ready to solve."""
    project = client.post("/api/projects", {"name": "faint"})["id"]
    file = io.BytesIO()
    Image.fromarray(puzzle.image()).save(file, "PNG")
    client.ask("PUT", f"/api/projects/{project}/files/0", file.getvalue())
    client.post(f"/api/projects/{project}/read")
    client.wait_for(project, "grid", "empty")
    height, width = puzzle.piece_size
    grid = {"piece": [width, height], "start": [0, 0], "gap": 0, "turns": "none", "pictures": 1}
    client.post(f"/api/projects/{project}/grid", grid | {"board": [*puzzle.board[::-1]]})
    return project


def heard(socket, *kinds):
    """Return messages up to the first of some kinds."""
    messages, until = [], time.monotonic() + WAIT
    while not messages or messages[-1]["kind"] not in kinds:
        messages.append(json.loads(socket.recv(timeout=until - time.monotonic())))
    return messages


def workers_of(server):
    every = psutil.Process(server.process.pid).children(recursive=True)
    return [each for each in every if "spawn_main" in " ".join(each.cmdline())]


def test_a_killed_server_is_started_again_and_the_solve_goes_on(whole, tmp_path):
    server = Server(tmp_path)
    try:
        client = server.client()
        project = opened(client, faint())
        before = client.get(f"/api/projects/{project}/state")
        with client.listen(project, before["n"]) as socket:
            client.post(f"/api/projects/{project}/solve", {"seed": 4})
            heard(socket, "arranged")
        (worker,) = workers_of(server)
    finally:
        server.kill()
    psutil.wait_procs([worker], timeout=20)
    assert not worker.is_running(), "it ends with the server"
    (priced,) = (tmp_path / "projects" / project).glob("priced-*.npz")
    priced_at = priced.stat().st_mtime_ns
    with serving(tmp_path) as again:
        client = again.client()
        state = client.get(f"/api/projects/{project}/state")
        assert (state["pictures"], state["stage"]) == (before["pictures"], "solving")
        assert state["run"] is not None
        state = client.wait_for(project, "solved")
        assert priced.stat().st_mtime_ns == priced_at, "seams are priced once"
    assert (cells_of(state) == 4 * whole.arrangement.ravel()).all()
    assert state["cost"] == pytest.approx(whole.cost)


def test_ctrl_c_leaves_a_checkpoint_and_the_solve_goes_on(whole, tmp_path):
    with serving(tmp_path) as server:
        client = server.client()
        project = opened(client, faint())
        with client.listen(project) as socket:
            client.post(f"/api/projects/{project}/solve", {"seed": 4})
            heard(socket, "arranged")
        folder = tmp_path / "projects" / project
    assert server.process.returncode == 0
    left = {path.name for path in folder.iterdir()}
    if "result.json" not in left:  # it may have been done by then
        assert {"job.json", "checkpoint.npz"} <= left
    with serving(tmp_path) as again:
        state = again.client().wait_for(project, "solved")
    assert (cells_of(state) == 4 * whole.arrangement.ravel()).all()


def test_a_stop_keeps_the_best_and_leaves_the_rest_for_later(server, client):
    project = opened(client, faint(14))
    url = f"/api/projects/{project}"
    with client.listen(project) as socket:
        client.post(f"{url}/solve")
        heard(socket, "arranged")
        for action in ("undo", "swap", "lock"):
            answer = client.ask("POST", f"{url}/actions", {"kind": action})
            assert answer.status == 409, "nothing is moved under a run"
        assert client.ask("POST", f"{url}/solve", b"{}").status == 409
        assert client.ask("DELETE", url).status == 409
        client.post(f"{url}/actions", {"kind": "snapshot", "name": "on the way"})
        client.post(f"{url}/stop")
        ended = heard(socket, "run-ended")[-1]
    assert ended["reason"].startswith(("Stopped", "Done"))
    state = client.get(f"{url}/state")
    assert (state["stage"], state["run"]) == ("solved", None)
    assert sorted(cells_of(state) >> 2) == [*range(2400)]
    stopped_at = state["cost"]
    client.post(f"{url}/solve", {"timeLimit": 1})
    state = client.wait_for(project, "solved")
    assert state["cost"] <= stopped_at + 1e-3
    assert state["previous"]["cost"] == pytest.approx(stopped_at)
    assert client.ask("DELETE", url).status == 204
    assert client.ask("GET", f"{url}/state").status == 404


def test_a_run_is_told_in_order_and_numbered_messages_have_no_gaps(client):
    project = client.post("/api/projects", {"example": True})["id"]
    url = f"/api/projects/{project}"
    n = client.get(f"{url}/state")["n"]
    with client.listen(project, n) as socket, client.listen(project, 0) as late:
        client.post(f"{url}/solve")
        messages = heard(socket, "assessed")
        for action in ({"kind": "park", "picture": 0, "cells": [3, 4]}, {"kind": "undo"}):
            last = client.post(f"{url}/actions", action)["n"]
        while messages[-1].get("of") != last:
            messages += heard(socket, "assessed")
        assert heard(late, "assessed")[0]["n"] <= n
    kinds = {message["kind"] for message in messages}
    assert {"reload", "run", "arranged", "cost", "run-ended", "changed", "assessed"} <= kinds
    numbered = [message["n"] for message in messages if message["kind"] in ("reload", "changed")]
    assert numbered == [*range(n + 1, n + 1 + len(numbered))]
    stages = [message["stage"] for message in messages if message["kind"] == "run"]
    assert stages.index("network") < stages.index("evolution")
    with client.listen(project, numbered[-2]) as socket:
        (again,) = heard(socket, "changed")
        assert again["n"] == numbered[-1]
    for strange in (10**9, -4, "x", "", "1e5"):
        with client.listen(project, strange) as socket:
            assert heard(socket, "reload")[0] == {"kind": "reload", "n": numbered[-1]}


def test_locks_joins_and_cuts_are_kept_when_it_is_solved_on(client, solved):
    url = f"/api/projects/{solved}"
    before = client.get(f"{url}/state")
    cells = cells_of(before)
    columns = before["pictures"][0]["columns"]
    told = [
        {"kind": "swap", "a": [0, 0], "b": [0, 200]},
        {"kind": "lock", "picture": 0, "cells": [0]},  # a person may be wrong
        {"kind": "reject", "picture": 0, "row": 5, "column": 6, "dir": "right"},
        {"kind": "accept", "picture": 0, "row": 9, "column": 2, "dir": "below"},
        {"kind": "park", "picture": 0, "cells": [77, 78]},
    ]
    for action in told:
        client.post(f"{url}/actions", action)
    known = json.loads(client.ask("GET", f"{url}/export/constraints.json").body)
    client.post(f"{url}/solve")
    state = client.wait_for(solved, "solved")
    found = cells_of(state)
    assert sorted(found >> 2) == [*range(294)], "parked pieces are placed"
    assert found[0] == cells[200], "a locked piece stays"
    places = {piece: divmod(cell, columns) for cell, piece in enumerate((found >> 2).tolist())}
    (piece, side, other), (upper, _, lower) = known["parted"][0], known["joined"][0]
    assert side in ("left", "right")
    step = 1 if side == "right" else -1
    assert places[other] != (places[piece][0], places[piece][1] + step), "a cut seam is cut"
    down = 1 if known["joined"][0][1] == "bottom" else -1
    assert places[lower] == (places[upper][0] + down, places[upper][1])
    assert known["fixed"] == [[int(cells[200]) >> 2, 0, 0]]
    for _ in range(len(told) + 1):
        client.post(f"{url}/actions", {"kind": "undo"})
    after = client.get(f"{url}/state")
    assert after["pictures"] == before["pictures"], "undo goes back across a solve"
    assert (after["locked"], after["joined"], after["parted"]) == ([], [], [])


def test_a_selection_is_solved_and_the_rest_stays(client, solved):
    url = f"/api/projects/{solved}"
    right = cells_of(client.get(f"{url}/state"))
    for one, other in ((30, 31), (52, 53), (200, 201)):
        client.post(f"{url}/actions", {"kind": "swap", "a": [0, one], "b": [0, other]})
    selection = [[0, cell] for cell in (30, 31, 32, 51, 52, 53, 54)]
    client.post(f"{url}/solve", {"scope": "selection", "cells": selection, "picture": 0})
    found = cells_of(client.wait_for(solved, "solved"))
    assert np.flatnonzero(found != right).tolist() == [200, 201]
    for _ in range(4):
        client.post(f"{url}/actions", {"kind": "undo"})


def test_what_cannot_be_kept_is_said_and_nothing_is_lost(client, solved):
    url = f"/api/projects/{solved}"
    before = client.get(f"{url}/state")
    client.post(f"{url}/actions", {"kind": "lock", "picture": 0, "cells": [5, 6]})
    client.post(
        f"{url}/actions", {"kind": "reject", "picture": 0, "row": 0, "column": 5, "dir": "right"}
    )
    client.post(f"{url}/solve")
    state = client.wait_for(solved, "solved")
    assert "clash" in state["messages"][-1]
    assert state["pictures"] == before["pictures"]
    for _ in range(2):
        client.post(f"{url}/actions", {"kind": "undo"})


def test_advice_is_the_librarys(client, solved):
    from jigsolve import advice

    url = f"/api/projects/{solved}"
    client.post(f"{url}/actions", {"kind": "swap", "a": [0, 40], "b": [0, 41]})
    cells = cells_of(client.get(f"{url}/state"))
    puzzle, _ = Puzzle.cut(demo_photo(), EXAMPLE_PIECE).shuffle(EXAMPLE_SEED)
    prepared = jigsolve.solve(puzzle).prepared
    lies = (cells >> 2).reshape(puzzle.board)
    solution = advice.assessed(prepared, lies)
    doubt = client.get(f"{url}/doubt?picture=0")
    assert doubt == solution.confidence().as_dict()
    asked = client.get(f"{url}/questions?count=5")
    expected = advice.questions(solution, 5)
    named = ("kind", "row", "column", "probability", "gain")
    assert [[told[name] for name in named] for told in asked] == [
        [getattr(each, name) for name in named] for each in expected
    ]
    assert asked[0]["kind"] == "block"
    assert asked[0]["cells"] == [*expected[0].cells]
    assert asked[0]["heldBy"] == [*expected[0].held_by]
    rows = [(c["pose"], c["cost"]) for c in client.get(f"{url}/candidates?cell=41&count=3")]
    best = advice.candidates(prepared, lies, *divmod(41, puzzle.board.columns), 3)
    assert rows == [(4 * each.piece + each.turn, each.cost) for each in best]
    piece = int(lies.ravel()[41])
    found = client.get(f"{url}/fits?piece={piece}&count=2")
    fits = advice.fits(prepared, lies, piece, 2)
    assert [each["cell"] for each in found] == [
        each.row * puzzle.board.columns + each.column for each in fits
    ]
    assert found[0]["holds"] == cells[found[0]["cell"]]
    held = client.get(f"{url}/held?cell=100")
    mask = advice.held_together(solution, *divmod(100, puzzle.board.columns))
    assert held == np.flatnonzero(mask).tolist()
    back = {"kind": "swap", "a": [0, 40], "b": [0, 41]}
    preview = client.post(f"{url}/preview", {"move": back})
    costs = [advice.assessed(prepared, each).cost for each in (lies, swapped(lies, 40, 41))]
    assert preview["after"] - preview["before"] == pytest.approx(costs[1] - costs[0], abs=1e-2)
    client.post(f"{url}/actions", {"kind": "undo"})


def test_what_cannot_be_done_has_no_cost(client, solved):
    url = f"/api/projects/{solved}"
    client.post(f"{url}/actions", {"kind": "lock", "picture": 0, "cells": [41]})
    onto = {"kind": "swap", "a": [0, 40], "b": [0, 41]}
    beyond = {"kind": "move", "picture": 0, "cells": [0], "by": [-1, 0]}
    for move in (onto, beyond):
        assert client.post(f"{url}/preview", {"move": move}) == {"before": None, "after": None}
        assert client.ask("POST", f"{url}/actions", move).status == 400
    client.post(f"{url}/actions", {"kind": "undo"})


def test_touching_up_changes_only_what_is_near_the_answers(client):
    project = client.post("/api/projects", {"example": True})["id"]
    url = f"/api/projects/{project}"
    client.post(f"{url}/solve")
    client.wait_for(project, "solved")
    right = cells_of(client.get(f"{url}/state"))
    columns = client.get(f"{url}/state")["pictures"][0]["columns"]
    near, far = (3 * columns + 4, 4 * columns + 6), (10 * columns + 14, 11 * columns + 16)
    for one, other in (near, far):
        client.post(f"{url}/actions", {"kind": "swap", "a": [0, one], "b": [0, other]})
    answer = client.ask("POST", f"{url}/solve", {"scope": "near"})
    assert answer.status == 400
    assert "nothing was said of this picture since the last solve" in answer.json["error"]
    client.post(f"{url}/actions", {"kind": "lock", "picture": 0, "cells": [3 * columns + 5]})
    client.post(f"{url}/solve", {"scope": "near"})
    client.wait_for(project, "solved")
    found = cells_of(client.get(f"{url}/state"))
    assert set(np.flatnonzero(found != right)) == set(far)
    assert client.ask("POST", f"{url}/solve", {"scope": "near"}).status == 400, "it is heeded"
    client.post(f"{url}/actions", {"kind": "undo"})
    client.post(f"{url}/solve", {"scope": "near"})
    client.wait_for(project, "solved")
    assert (cells_of(client.get(f"{url}/state")) == found).all(), "undone, it is heeded no longer"


def test_nothing_is_touched_up_before_it_was_solved(client):
    project = client.post("/api/projects", {"example": True})["id"]
    url = f"/api/projects/{project}"
    client.post(f"{url}/actions", {"kind": "lock", "picture": 0, "cells": [5]})
    answer = client.ask("POST", f"{url}/solve", {"scope": "near"})
    assert answer.status == 400
    assert "expected a picture that was solved once" in answer.json["error"]


def swapped(arrangement, one, other):
    cells = arrangement.ravel().copy()
    cells[[one, other]] = cells[[other, one]]
    return cells.reshape(arrangement.shape)


def test_advice_before_pricing_is_not_yet(client):
    project = client.post("/api/projects", {"example": True})["id"]
    for path in ("doubt", "questions", "candidates?cell=0", "fits?piece=0", "held?cell=0"):
        answer = client.ask("GET", f"/api/projects/{project}/{path}")
        assert answer.status == 409, path
        assert "not priced yet" in answer.json["error"]


@pytest.fixture(scope="module")
def by_command(tmp_path_factory):
    """Return a folder with all that the command line writes of the example."""
    folder = tmp_path_factory.mktemp("command")
    puzzle, _ = Puzzle.cut(demo_photo(), EXAMPLE_PIECE).shuffle(EXAMPLE_SEED)
    Image.fromarray(puzzle.image()).save(folder / "puzzle.png")
    command = (
        "solve puzzle.png -o picture.png --piece 28 --seed 0 --csv solution.csv --film film.gif "
        "--json solution.json --overlay overlay.png --rename-into tiles --quiet"
    )
    assert in_this_process(command.split(), folder) == (0, "")
    return folder


@pytest.fixture(scope="module")
def as_solved(server):
    """Return the example as a solve left it: nobody has moved anything, nor solved it again."""
    client = server.client()
    project = client.post("/api/projects", {"example": True})["id"]
    client.post(f"/api/projects/{project}/solve")
    client.wait_for(project, "solved")
    return project


@pytest.mark.parametrize("kind", ["picture.png", "solution.csv", "overlay.png", "film.gif"])
def test_exports_are_what_the_command_line_writes(client, as_solved, by_command, kind):
    answer = client.ask("GET", f"/api/projects/{as_solved}/export/{kind}?picture=0")
    assert answer.status == 200
    assert answer.headers["content-disposition"] == f'attachment; filename="{kind}"'
    assert answer.body == (by_command / kind).read_bytes()


def test_exported_tiles_are_what_the_command_line_writes(client, solved, by_command):
    answer = client.ask("GET", f"/api/projects/{solved}/export/tiles.zip")
    with zipfile.ZipFile(io.BytesIO(answer.body)) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    expected = {path.name: path.read_bytes() for path in (by_command / "tiles").iterdir()}
    assert found == expected


def test_the_exported_record_is_the_solves(client, as_solved, by_command):
    found = json.loads(client.ask("GET", f"/api/projects/{as_solved}/export/solution.json").body)
    expected = json.loads((by_command / "solution.json").read_text())
    for name in set(expected) - {"timings", "history", "detection", "threads"}:
        assert found[name] == expected[name], name
    assert len(found["history"]) == len(expected["history"])


def test_exports_of_a_desk_with_empty_cells(client, solved, tmp_path):
    url = f"/api/projects/{solved}"
    client.post(f"{url}/actions", {"kind": "park", "picture": 0, "cells": [0, 17]})
    for kind in (
        "picture.png", "solution.csv", "solution.json", "overlay.png", "film.gif", "moves.gif",
        "tiles.zip", "constraints.json",
    ):  # fmt: skip
        answer = client.ask("GET", f"{url}/export/{kind}")
        assert answer.status == 200, (kind, answer.body)
    moves = Image.open(io.BytesIO(client.ask("GET", f"{url}/export/moves.gif").body))
    assert moves.n_frames > 2
    record = json.loads(client.ask("GET", f"{url}/export/solution.json").body)
    assert record["arrangement"].count(-1) == 2
    assert len(record["strays"]) == 2
    client.post(f"{url}/actions", {"kind": "undo"})


def test_a_solution_of_the_command_line_is_opened_and_undone(client, by_command):
    project = client.post("/api/projects", {"example": True})["id"]
    url = f"/api/projects/{project}"
    record = (by_command / "solution.json").read_bytes()
    first = client.get(f"{url}/state")
    assert client.ask("POST", f"{url}/import", record).status == 200
    state = client.wait_for(project, "solved")  # its seams are priced, and nothing is moved
    assert (cells_of(state) >> 2).tolist() == json.loads(record)["arrangement"]
    assert len(client.get(f"{url}/doubt")["pieces"]) == 294
    assert state["undoLabel"] == "open a solution"
    client.post(f"{url}/actions", {"kind": "undo"})
    assert client.get(f"{url}/state")["pictures"] == first["pictures"]


@pytest.mark.parametrize(
    "change",
    [
        {"arrangement": [0] * 294},
        {"arrangement": [0, 1]},
        {"arrangement": [*range(1, 295)]},
        {"arrangement": "x"},
        {"arrangement": None},
        {"board": {"rows": -1, "columns": -294}},
        {"board": {"rows": 10**9, "columns": 10**9}},
        {"format": "other"},
        {"format": []},
        {"turns": [1] * 294},
        {"turns": [10**30] * 294},
        {"names": 5, "arrangement": {}},
    ],
)
def test_solutions_that_are_none_are_refused(client, solved, by_command, change):
    record = json.loads((by_command / "solution.json").read_text()) | change
    answer = client.ask("POST", f"/api/projects/{solved}/import", json.dumps(record))
    assert answer.status == 400, answer.body
    assert answer.json["error"].startswith("expected")


def test_constraints_of_the_studio_are_taken_by_the_command_line(client, solved, by_command):
    url = f"/api/projects/{solved}"
    client.post(f"{url}/actions", {"kind": "lock", "picture": 0, "cells": [3, 4]})
    client.post(
        f"{url}/actions", {"kind": "accept", "picture": 0, "row": 3, "column": 5, "dir": "below"}
    )
    body = client.ask("GET", f"{url}/export/constraints.json").body
    (by_command / "constraints.json").write_bytes(body)
    for _ in range(2):
        client.post(f"{url}/actions", {"kind": "undo"})
    command = "solve puzzle.png -o again.png --piece 28 --constraints constraints.json --quiet"
    assert in_this_process(command.split(), by_command) == (0, "")
    assert (by_command / "again.png").read_bytes() == (by_command / "picture.png").read_bytes()


def test_a_worker_that_dies_is_told_of(server, client):
    project = opened(client, faint(14))
    with client.listen(project) as socket:
        client.post(f"/api/projects/{project}/solve")
        heard(socket, "run")
        for worker in workers_of(server):
            os.kill(worker.pid, signal.SIGKILL)
        messages = heard(socket, "run-ended")
    assert "died" in messages[-2]["text"]
    state = client.get(f"/api/projects/{project}/state")
    assert (state["stage"], state["run"]) == ("cut", None)


def test_the_server_ends_with_nothing_left_behind(tmp_path):
    with serving(tmp_path) as server:
        client = server.client()
        project = client.post("/api/projects", {"example": True})["id"]
        client.post(f"/api/projects/{project}/solve")
        every = psutil.Process(server.process.pid).children(recursive=True)
    assert server.process.returncode == 0
    _, alive = psutil.wait_procs(every, timeout=20)
    assert not alive
    assert not (tmp_path / "address").exists()
