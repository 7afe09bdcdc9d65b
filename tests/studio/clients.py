"""A studio to test against: the real server on a port of this machine, and somebody who asks it."""

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from urllib.parse import urlsplit

from websockets.sync.client import connect

WAIT = 100
"""Seconds; whatever takes longer hangs."""


class Server:
    """`jigsolve studio`, in a process of its own."""

    def __init__(self, home, *arguments):
        environment = {**os.environ, "JIGSOLVE_STUDIO_HOME": str(home), "BROWSER": "true"}
        command = [sys.executable, "-m", "jigsolve", "studio", "--no-browser", *arguments]
        if "--port" not in arguments:
            command += ["--port", "0"]
        self.home, self.errors = home, None
        self.process = subprocess.Popen(
            command,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        if not found:
            raise AssertionError(self.process.communicate(timeout=WAIT)[1])
        self.address = found[0]
        parts = urlsplit(self.address)
        self.host, self.token = parts.netloc, parts.query.removeprefix("token=")

    def client(self):
        client = Client(self.host)
        client.log_in(self.token)
        return client

    def end(self):
        """Press Ctrl-C; return what it printed on standard error."""
        if self.errors is None:
            if self.process.poll() is None:
                self.process.send_signal(signal.SIGINT)
            self.errors = self.process.communicate(timeout=WAIT)[1]
        return self.errors

    def kill(self):
        self.process.kill()
        self.errors = self.process.communicate(timeout=WAIT)[1]


@contextlib.contextmanager
def serving(home, *arguments):
    server = Server(home, *arguments)
    try:
        yield server
    finally:
        errors = server.end()
    assert "Traceback" not in errors, errors


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)


class Client:
    """Asks a server as its page does."""

    def __init__(self, host):
        self.host = host
        self.cookie = None

    def log_in(self, token):
        answer = self.ask("GET", f"/?token={token}")
        assert answer.status == 303, answer.body
        self.cookie = answer.headers["set-cookie"].partition(";")[0]

    def ask(self, method, path, body=None, headers=None, **others):
        sent = {"Host": self.host}
        if method not in ("GET", "HEAD"):
            sent["Origin"] = f"http://{self.host}"
        if self.cookie:
            sent["Cookie"] = self.cookie
        sent |= headers or {}
        if isinstance(body, dict | list):
            body = json.dumps(body)
        connection = http.client.HTTPConnection(self.host, timeout=WAIT)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            content = body.encode() if isinstance(body, str) else body
            for name, value in sent.items():
                if value is not None:
                    connection.putheader(name, value)
            if content is not None:
                connection.putheader("Content-Length", str(len(content)))
            connection.endheaders(content)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def get(self, path, **others):
        answer = self.ask("GET", path, **others)
        assert answer.status == 200, (answer.status, answer.body)
        return answer.json

    def post(self, path, body=None, expected=(200, 201, 202)):
        answer = self.ask("POST", path, body if body is not None else {})
        assert answer.status in expected, (answer.status, answer.body)
        return answer.json

    def listen(self, project, after=0, **headers):
        origin = headers.pop("Origin", f"http://{self.host}")
        sent = {"Cookie": self.cookie, **headers}
        return connect(
            f"ws://{self.host}/api/projects/{project}/events?after={after}",
            additional_headers={k: v for k, v in sent.items() if v is not None},
            origin=origin,
            max_size=None,
            proxy=None,
        )

    def wait_for(self, project, *stages):
        """Return the state once it is in one of some stages."""
        until = time.monotonic() + WAIT
        while time.monotonic() < until:
            state = self.get(f"/api/projects/{project}/state")
            if state["stage"] in stages and state["run"] is None:
                return state
            time.sleep(0.05)
        raise AssertionError(f"still {state['stage']}: {state['run']}")
