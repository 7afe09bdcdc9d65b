"""Nonsense over the WebSocket, in uploads and in actions: no traceback, no hang, no growth."""

import contextlib
import json
import random
import socket
import struct
import time

import psutil
import pytest
from clients import WAIT, serving
from websockets.exceptions import ConnectionClosed

FEW, MANY = 200, 1000
MOST_GROWTH = 40e6
"""Bytes that the server may take more than after the first tenth: allocators keep a little."""

FRAGMENTS = [
    None, True, False, 0, -1, 1, 3, 7, 293, 294, 2**31, 2**63, -(2**70), 0.5, 1e308, "", "x",
    "right", "below", "top", "move", "undo", "../..", "\x00", "\ud83d", [], {}, [0], [0, 0],
    [[0, 1]], [1, -1], ["a"], {"a": 1}, "9" * 400, [None, None], [[]],
]  # fmt: skip
KEYS = (
    "kind", "picture", "cells", "by", "a", "b", "pose", "cell", "row", "column", "dir", "name",
    "move", "scope", "seed", "timeLimit", "piece", "start", "gap", "board", "turns", "pictures",
)  # fmt: skip
PARAMETERS = {
    "move": ("picture", "cells", "by"), "swap": ("a", "b"), "turn": ("picture", "cells", "by"),
    "park": ("picture", "cells"), "place": ("pose", "picture", "cell"),
    "lock": ("picture", "cells"), "unlock": ("picture", "cells"),
    "accept": ("picture", "row", "column", "dir"), "reject": ("picture", "row", "column", "dir"),
    "forget": ("picture", "row", "column", "dir"), "snapshot": ("name",), "restore": ("name",),
    "undo": (), "redo": (), "solve": (), "": (), "Move": (),
}  # fmt: skip
OF_ROUTES = {
    "grid": ("piece", "start", "gap", "board", "turns", "pictures"),
    "solve": ("picture", "cells", "seed", "timeLimit"),
}


def resident(server):
    return psutil.Process(server.process.pid).memory_info().rss


@pytest.fixture(
    params=[FEW, pytest.param(MANY, marks=[pytest.mark.long, pytest.mark.timeout(600)])]
)
def times(request):
    return request.param


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory):
    """Run a server of its own: what it says at the end is only about these tests."""
    with serving(tmp_path_factory.mktemp("fuzzed")) as server:
        yield server


def with_no_growth(server, times, once):
    """Do something many times; the server is still there, and no larger."""
    base = 0
    for number in range(times):
        if number == times // 10:
            base = resident(server)
        once(number)
    assert resident(server) - base < MOST_GROWTH
    assert server.process.poll() is None
    assert server.client().get("/api/projects") is not None


def nonsense(rng, route="actions"):
    """Return bytes that are JSON, nearly JSON, or none."""
    match rng.randrange(5):
        case 0:
            return rng.randbytes(rng.randrange(60))
        case 1:
            return b"[" * rng.randrange(1, 3000)
        case 2:
            return json.dumps(rng.choice(FRAGMENTS)).encode()
    body = json.dumps(nearly_sense(rng, route)).encode()
    return body[: rng.randrange(len(body))] if not rng.randrange(6) else body


def nearly_sense(rng, route):
    """Return what has the right keys mostly, and the right values sometimes."""
    kind = rng.choice([*PARAMETERS])
    keys = OF_ROUTES.get(route, PARAMETERS[kind])
    if not rng.randrange(6):
        keys = (*keys, *rng.sample(KEYS, rng.randrange(1, 4)))
    asked = {key: rng.choice(FRAGMENTS) for key in keys}
    if route not in OF_ROUTES and rng.randrange(6):
        asked["kind"] = kind
    if "cells" in asked and rng.randrange(4):
        asked["picture"] = 0
        cells = [rng.randrange(-1, 296) for _ in range(rng.randrange(4))]
        asked["cells"] = [[0, cell] for cell in cells] if route == "solve" else cells
    return {"move": asked} if route == "preview" else asked


def test_actions(fuzzed, times):
    client, rng = fuzzed.client(), random.Random(1)
    project = client.post("/api/projects", {"example": True})["id"]
    routes = ("actions", "actions", "actions", "preview", "grid", "solve", "import", "stop")

    def once(_):
        route = rng.choice(routes)
        body = nonsense(rng, route)
        if route == "solve":
            body = body.replace(b"{", b'{"scope":"selection",', 1)  # none that runs for long
        answer = client.ask("POST", f"/api/projects/{project}/{route}", body)
        assert answer.status < 500, (route, body, answer.body)
        assert answer.status in (200, 202) or answer.json["error"]
        if answer.status == 202 and route == "solve":
            client.post(f"/api/projects/{project}/stop")
            client.wait_for(project, "cut", "solved", "grid")

    with_no_growth(fuzzed, times, once)
    state = client.get(f"/api/projects/{project}/state")
    assert state["pieces"]["count"] > 0


def test_queries(fuzzed, times):
    client, rng = fuzzed.client(), random.Random(2)
    project = client.post("/api/projects", {"example": True})["id"]
    routes = (
        "doubt", "questions", "candidates", "fits", "held", "export/solution.csv", "export/x",
        "pieces/0", "pieces/99999999999999999999", "pieces/-1", "state", "events",
    )  # fmt: skip
    values = ["", "0", "-1", "1e9", "9" * 30, "x", "%00", "٣", "0.5", "null", "293", "294"]

    def once(_):
        keys = rng.sample(("picture", "cell", "count", "piece", "after"), rng.randrange(4))
        query = "&".join(f"{key}={rng.choice(values)}" for key in keys)
        query = query.encode("utf-8").decode("latin-1")
        with contextlib.suppress(UnicodeEncodeError):
            path = f"/api/projects/{project}/{rng.choice(routes)}?{query}"
            assert client.ask("GET", path).status < 500, path

    with_no_growth(fuzzed, times, once)


def test_websockets(fuzzed, times):
    client, rng = fuzzed.client(), random.Random(3)
    project = client.post("/api/projects", {"example": True})["id"]

    def once(_):
        with (
            contextlib.suppress(ConnectionClosed),
            client.listen(project, rng.choice([0, 2, 10**9, "x"])) as listening,
        ):
            for _ in range(rng.randrange(1, 4)):
                kind = rng.randrange(4)
                if kind == 0:
                    listening.send('{"kind":"ping"}')
                elif kind == 1:
                    listening.send(rng.randbytes(rng.randrange(200)))
                elif kind == 2:
                    listening.send("x" * rng.choice([1, 1000, 70_000]))
                else:
                    listening.send(nonsense(rng).decode("latin-1"))
            while True:
                listening.recv(timeout=0.02)

    def patiently(number):
        with contextlib.suppress(TimeoutError):
            once(number)

    with_no_growth(fuzzed, times, patiently)
    with client.listen(project, 0) as listening:
        listening.recv(timeout=WAIT)
        listening.send('{"kind": "ping"}')
        assert json.loads(listening.recv(timeout=WAIT)) == {"kind": "pong"}


def test_frames_that_are_none(fuzzed, times):
    client, rng = fuzzed.client(), random.Random(4)
    project = client.post("/api/projects", {"example": True})["id"]
    host, port = fuzzed.host.split(":")

    def once(_):
        with socket.create_connection((host, int(port)), timeout=WAIT) as raw:
            raw.sendall(
                f"GET /api/projects/{project}/events?after=0 HTTP/1.1\r\nHost: {fuzzed.host}\r\n"
                f"Origin: http://{fuzzed.host}\r\nCookie: {client.cookie}\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
            )
            assert raw.recv(12) == b"HTTP/1.1 101"
            with contextlib.suppress(OSError):  # the server may have hung up by now
                raw.sendall(rng.randbytes(rng.randrange(1, 40)))
                if rng.randrange(2):  # a frame that claims to be endless
                    raw.sendall(b"\x82\xff" + struct.pack(">Q", 2**62) + b"mask" + bytes(100))
                raw.shutdown(socket.SHUT_WR)

    with_no_growth(fuzzed, times, once)


def test_uploads(fuzzed, times):
    client, rng = fuzzed.client(), random.Random(5)
    project = client.post("/api/projects", {"name": "nonsense"})["id"]
    heads = [
        b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"GIF89a", b"BM", b"II*\x00", b"PK\x03\x04",
        b"RIFF0000WEBP", b"7z\xbc\xaf\x27\x1c", b"<svg", b"<!doctype html>", b"P6\n1 1\n255\n",
    ]  # fmt: skip
    names = ["a.png", "%00", "..%2f..%2fetc%2fpasswd", "%FF%FE", "x" * 3000, "", "a.tga", "%"]

    def once(number):
        body = rng.choice(heads) + rng.randbytes(rng.randrange(300))
        headers = {"X-File-Name": rng.choice(names)}
        path = f"/api/projects/{project}/files/{rng.randrange(20)}"
        answer = client.ask("PUT", path, body, headers)
        assert answer.status in (201, 415), answer.body
        if number % 100 == 99:  # now and then it is read, in a process of its own
            assert client.ask("POST", f"/api/projects/{project}/read", b"{}").status in (202, 400)
            client.wait_for(project, "empty", "grid")

    with_no_growth(fuzzed, times, once)
    left = {path.name for path in (fuzzed.home / "projects" / project).rglob("*")}
    assert not [name for name in left if name.endswith(".part")]
    assert {path.name for path in fuzzed.home.iterdir()} == {
        "projects",
        "lock",
        "cookie",
        "address",
    }


def test_requests_that_are_none(fuzzed, times):
    rng = random.Random(6)
    host, port = fuzzed.host.split(":")

    def once(_):
        with socket.create_connection((host, int(port)), timeout=WAIT) as raw:
            head = rng.choice([b"GET / HTTP/1.1\r\n", b"PUT ", b"\x16\x03\x01", b"", b"G" * 70_000])
            with contextlib.suppress(ConnectionError):
                raw.sendall(head + rng.randbytes(rng.randrange(200)))
                raw.shutdown(socket.SHUT_WR)
                assert not raw.recv(100).startswith(b"HTTP/1.1 2")

    with_no_growth(fuzzed, times, once)


def test_uploads_that_end_in_the_middle(fuzzed):
    client = fuzzed.client()
    project = client.post("/api/projects", {"name": "cut off"})["id"]
    host, port = fuzzed.host.split(":")
    for path in ("files/0", "files/1", "actions", "import"):
        method = "PUT" if path.startswith("files") else "POST"
        with socket.create_connection((host, int(port)), timeout=WAIT) as raw:
            raw.sendall(
                f"{method} /api/projects/{project}/{path} HTTP/1.1\r\nHost: {fuzzed.host}\r\n"
                f"Origin: http://{fuzzed.host}\r\nCookie: {client.cookie}\r\n"
                "Content-Length: 100000\r\n\r\n".encode()
            )
            raw.sendall(b"\x89PNG\r\n\x1a\n" + bytes(5000))
    assert client.ask("POST", f"/api/projects/{project}/read", b"{}").status == 400
    folder = fuzzed.home / "projects" / project / "incoming"
    until = time.monotonic() + WAIT  # a server that is busy notices later that a client has gone
    while [*folder.iterdir()] and time.monotonic() < until:
        time.sleep(0.05)
    assert not [*folder.iterdir()]


def test_it_ends_while_pages_listen(tmp_path):
    with serving(tmp_path) as server:
        client = server.client()
        project = client.post("/api/projects", {"example": True})["id"]
        with client.listen(project, 0) as one, client.listen(project, 10**9):
            one.recv(timeout=WAIT)
            assert "Traceback" not in server.end()
            with pytest.raises(ConnectionClosed):
                one.recv(timeout=WAIT)
    assert server.process.returncode == 0
