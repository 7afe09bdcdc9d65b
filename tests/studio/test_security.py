"""Closed by default: one test for each line that the issue lists, against the real server."""

import asyncio
import contextlib
import os
import re
import socket
import stat
import subprocess
import sys

import psutil
import pytest
from clients import Client, serving
from starlette.routing import Route, WebSocketRoute
from websockets.exceptions import InvalidStatus

from jigsolve.cli.command import run as jigsolve
from jigsolve.studio import serving as studio_serving
from jigsolve.studio.app import make_app
from jigsolve.studio.guard import Guard

ROUTES = make_app(lambda: None).routes
HTTP = [(m, r.path) for r in ROUTES if isinstance(r, Route) for m in sorted(r.methods)]
FILLED = {"{id}": "0" * 16, "{number:int}": "0", "{kind}": "picture.png", "{file:path}": "x.js"}


def filled(path):
    for name, value in FILLED.items():
        path = path.replace(name, value)
    assert "{" not in path
    return path


def test_routes_are_enumerated():
    assert ("GET", "/api/projects/{id}/state") in HTTP
    assert len(HTTP) > 30
    assert len(ROUTES) == len({(r.path, str(getattr(r, "methods", ""))) for r in ROUTES})


@pytest.mark.parametrize(("method", "path"), HTTP)
def test_every_route_needs_the_cookie(server, method, path):
    answer = Client(server.host).ask(method, filled(path), b"{}")
    assert answer.status == 403
    wrong = Client(server.host)
    wrong.cookie = server.client().cookie[:-1] + "x"
    assert wrong.ask(method, filled(path), b"{}").status == 403


@pytest.mark.parametrize("path", [r.path for r in ROUTES if isinstance(r, WebSocketRoute)])
def test_every_websocket_needs_the_cookie(server, solved, path):
    assert path == "/api/projects/{id}/events"
    stranger = Client(server.host)
    with pytest.raises(InvalidStatus) as refused:
        stranger.listen(solved)
    assert refused.value.response.status_code == 403


BAD_ORIGINS = [
    "null",
    "http://example.com",
    "https://{host}",
    "http://{host}.example.com",
    "http://127.0.0.1",
    "http://127.0.0.1:1",
    "http://127.0.0.1.example.com:{port}",
    "http://localhost.example.com:{port}",
    "http://evil-localhost:{port}",
    "http://localhost:{port}",  # ours, but not the one that the host says
    "HTTP://{host}",
    "http://{host}/",
    "file://",
    "",
]


@pytest.mark.parametrize("origin", BAD_ORIGINS)
def test_pages_of_other_origins_get_nothing(server, client, solved, origin):
    origin = origin.format(host=server.host, port=server.host.partition(":")[2])
    for method, path in (
        ("GET", "/api/projects"),
        ("GET", f"/api/projects/{solved}/source"),
        ("POST", "/api/projects"),
        ("DELETE", f"/api/projects/{solved}"),
    ):
        answer = client.ask(method, path, b"{}", {"Origin": origin})
        assert answer.status == 403
        assert answer.body == Client(server.host).ask("GET", "/api/projects").body
    with pytest.raises(InvalidStatus) as refused:
        client.listen(solved, Origin=origin)
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize(
    ("port", "host", "status"),
    [
        (80, "127.0.0.1", 303),  # browsers leave it out
        (80, "127.0.0.1:80", 303),
        (80, "example.com", 403),
        (81, "127.0.0.1", 403),
        (81, "127.0.0.1:81", 303),
    ],
)
def test_usual_port_of_http_may_be_left_out(port, host, status):
    sent = []

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "query_string": b"token=secret",
        "headers": [(b"host", host.encode())],
    }
    asyncio.run(Guard(None, ["127.0.0.1"], port, "secret", "cookie")(scope, None, send))
    assert sent[0]["status"] == status


BAD_HOSTS = [
    "example.com",
    "example.com:{port}",
    "127.0.0.1",
    "127.0.0.1:1",
    "localhost",
    "127.0.0.1.example.com:{port}",
    "localhost.example.com:{port}",
    "localhost.:{port}",
    "LOCALHOST:{port}",
    "0.0.0.0:{port}",
    "[::1]:{port}",
    "127.1:{port}",
    "2130706433:{port}",
    "{host}@example.com",
    "{host},example.com",
    None,
]


@pytest.mark.parametrize("host", BAD_HOSTS)
def test_a_rebound_name_gets_nothing(server, client, host):
    if host is not None:
        host = host.format(host=server.host, port=server.host.partition(":")[2])
    for path in ("/api/projects", "/", f"/?token={server.token}"):
        answer = client.ask("GET", path, headers={"Host": host})
        assert answer.status in (400, 403)  # no host at all is no request
        assert "set-cookie" not in answer.headers
    answer = client.ask("POST", "/api/projects", b"{}", {"Host": host, "Origin": f"http://{host}"})
    assert answer.status in (400, 403)


def test_two_hosts_are_none(server, client):
    with socket.create_connection(server.host.split(":"), timeout=10) as raw:
        raw.sendall(
            f"GET /api/projects HTTP/1.1\r\nHost: {server.host}\r\nHost: example.com\r\n"
            f"Cookie: {client.cookie}\r\nConnection: close\r\n\r\n".encode()
        )
        answer = raw.makefile("rb").read()
    assert re.match(rb"HTTP/1.1 (400|403)", answer)


def test_a_websocket_of_another_host_gets_nothing(client, solved):
    with pytest.raises(InvalidStatus):
        client.listen(solved, Host="example.com")


def test_what_changes_something_must_name_its_origin(client):
    answer = client.ask("POST", "/api/projects", {"name": "x"}, {"Origin": None})
    assert answer.status == 403


def test_what_another_site_has_embedded_gets_nothing(client, solved):
    for site in ("cross-site", "same-site"):
        path = f"/api/projects/{solved}/source"
        assert client.ask("GET", path, headers={"Sec-Fetch-Site": site}).status == 403


def test_localhost_is_this_machine_too(server):
    client = Client(server.host.replace("127.0.0.1", "localhost"))
    client.log_in(server.token)
    assert client.get("/api/projects") is not None
    assert client.post("/api/projects", {"name": "by name"})["id"]


def test_the_cookie_is_for_this_server_only(server):
    answer = Client(server.host).ask("GET", f"/?token={server.token}")
    assert answer.status == 303
    assert answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "domain" not in cookie
    assert server.token.lower() not in cookie
    assert server.host.partition(":")[2] in cookie.partition("=")[0]


@pytest.mark.parametrize("token", ["", "x", "%00", "é", "*" * 5000])
def test_a_wrong_token_gets_nothing(server, client, token):
    from urllib.parse import quote

    for asking in (Client(server.host), client):
        answer = asking.ask("GET", f"/?token={quote(token, safe='%')}")
        assert "set-cookie" not in answer.headers
        assert answer.status in (403, 200 if token == "" and asking is client else 403)


@pytest.mark.parametrize("path", ["/", "/page/style.css", "/api/projects", "/nothing", "/api/no"])
def test_every_answer_has_the_headers(client, server, path):
    for asking in (client, Client(server.host)):
        headers = asking.ask("GET", path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert "server" not in headers
        policy = dict(part.strip().split(" ", 1) for part in headers[CSP].split(";"))
        assert policy["default-src"] == policy["frame-ancestors"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
        assert not re.search(r"unsafe|http|\*|data:", headers[CSP])


CSP = "content-security-policy"


def test_the_page_has_nothing_from_elsewhere_and_nothing_inline():
    from jigsolve.studio.app import PAGE

    for path in PAGE.rglob("*"):
        if path.suffix in (".html", ".css", ".js"):
            text = path.read_text(encoding="utf-8")
            found = re.findall(
                r"""(?:src|href|from|import|url)\s*[=(]?\s*["']?(https?:|//)""", text
            )
            assert not found, path
        if path.suffix == ".html":
            assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=", text), path


@pytest.mark.parametrize(
    "name",
    [
        "../app.py",
        "..%2fapp.py",
        "%2e%2e/app.py",
        "....//app.py",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "vendor/../../app.py",
        "index.html%00",
        "",
    ],
)
def test_page_files_are_those_that_are_listed(client, name):
    assert client.ask("GET", f"/page/{name}").status == 404


@pytest.mark.parametrize(
    "project", ["..", "%2e%2e", "..%2f..", "%00", "." * 16, "a" * 5000, "lock", "0" * 16, "%2f"]
)
def test_only_ids_that_the_server_made_name_a_project(client, project):
    for path in ("state", "source", "export/picture.png"):
        assert client.ask("GET", f"/api/projects/{project}/{path}").status == 404
    assert client.ask("DELETE", f"/api/projects/{project}").status in (404, 405)


def test_names_are_labels_and_never_paths(server, client, tmp_path):
    project = client.post("/api/projects", {"name": "../../evil/../name"})["id"]
    assert re.fullmatch(r"[0-9a-f]{16}", project)
    folder = server.home / "projects" / project
    picture = b"\x89PNG\r\n\x1a\n" + b"0" * 100
    for number, name in enumerate(["..%2f..%2fx.png", "%2fetc%2fpasswd", "C:%5Cx", "a%00b", ""]):
        headers = {"X-File-Name": name}
        answer = client.ask("PUT", f"/api/projects/{project}/files/{number}", picture, headers)
        assert answer.status == 201
    found = sorted(p.name for p in (folder / "incoming").iterdir())
    assert found == ["000000", "000001", "000002", "000003", "000004"]
    assert not (server.home / "x.png").exists()
    for number in ("-1", "../1", "1e3", "9" * 30, "200000"):
        answer = client.ask("PUT", f"/api/projects/{project}/files/{number}", picture)
        assert answer.status in (404, 413)


def test_no_address_is_ever_fetched(client):
    """What looks like an address is a label; nothing in the room can open one."""
    from jigsolve.studio.app import PAGE

    for path in PAGE.parent.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"urlopen|http\.client|httpx|requests\.|urllib\.request", text), path
    project = client.post("/api/projects", {"name": "http://127.0.0.1:1/x.png"})["id"]
    assert client.ask("POST", f"/api/projects/{project}/read", b"{}").status == 400


def test_it_listens_on_this_machine_only(server, client, solved):
    client.get("/api/projects")
    process = psutil.Process(server.process.pid)
    for each in [process, *process.children(recursive=True)]:
        with contextlib.suppress(psutil.NoSuchProcess):
            for connection in each.net_connections(kind="inet"):
                assert connection.laddr.ip == "127.0.0.1"
                assert not connection.raddr or connection.raddr.ip == "127.0.0.1"


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.2", "::", "example.com", ""])
def test_another_host_needs_an_explicit_flag(host, capsys, monkeypatch):
    monkeypatch.setattr(studio_serving, "serve", lambda *_, **__: pytest.fail("it was served"))
    assert jigsolve(["studio", "--host", host]) == 2
    assert "--allow-remote" in capsys.readouterr().err


def test_another_host_still_needs_the_token(tmp_path):
    with serving(tmp_path, "--host", "127.0.0.2", "--allow-remote") as server:
        assert server.host.startswith("127.0.0.2:")
        stranger = Client(server.host)
        assert stranger.ask("GET", "/api/projects").status == 403
        assert server.client().get("/api/projects") == []


def test_a_server_for_all_has_an_exact_list_of_names_too():
    names = studio_serving.names_of("0.0.0.0")
    assert {"127.0.0.1", "localhost", "[::1]", socket.gethostname().lower()} <= set(names)
    assert "0.0.0.0" not in names
    assert len(set(names)) == len(names)
    assert studio_serving.names_of("127.0.0.1") == ["127.0.0.1", "localhost"]
    assert studio_serving.names_of("::1") == ["[::1]", "127.0.0.1", "localhost"]
    assert studio_serving.names_of("puzzles.local") == ["puzzles.local"]


def test_its_folder_is_the_users_alone(server):
    assert stat.S_IMODE(server.home.stat().st_mode) == 0o700
    for name in ("cookie", "address"):
        assert stat.S_IMODE((server.home / name).stat().st_mode) == 0o600


def test_tokens_differ_and_the_cookie_outlives_a_restart(tmp_path):
    with serving(tmp_path) as first:
        client, port = first.client(), first.host.partition(":")[2]
        token = first.token
    with serving(tmp_path, "--port", port) as second:
        assert second.token != token
        assert client.get("/api/projects") == []  # an open page goes on
        assert Client(second.host).ask("GET", f"/?token={token}").status == 403


def test_a_second_studio_says_where_the_first_one_is(server):
    environment = {**os.environ, "JIGSOLVE_STUDIO_HOME": str(server.home)}
    command = [sys.executable, "-m", "jigsolve", "studio", "--no-browser", "--port", "0"]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert found.returncode == 1
    assert server.address in found.stderr
    assert found.stderr.count("\n") == 1
