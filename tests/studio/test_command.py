"""The verb `studio`: its options, its one line, and what it says where something is missing."""

import errno
import socket
import sys

import pytest

from jigsolve.cli.command import run as jigsolve
from jigsolve.studio.home import OVERRIDE, Home, data_folder


def test_without_the_extra_it_says_what_to_install(monkeypatch, capsys):
    for name in [name for name in sys.modules if name.startswith("jigsolve.studio.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert jigsolve(["studio", "--no-browser"]) == 1
    said = capsys.readouterr().err
    assert "pip install 'jigsolve[studio]'" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--port", "70000"], 2, "--port"),
        (["--port", "x"], 2, "--port"),
        (["no-such-file.png"], 1, "no such file"),
        (["a.png", "b.png"], 2, "b.png"),
    ],
)
def test_wrong_options_are_named_in_a_line(arguments, code, said, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv(OVERRIDE, str(tmp_path))
    assert jigsolve(["studio", *arguments]) == code
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv(OVERRIDE, str(tmp_path))


def test_port_in_use_is_named_in_a_line(home, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert jigsolve(["studio", "--no-browser", "--port", port]) == 1
    error = capsys.readouterr().err
    assert error == (
        f"jigsolve: --port: expected one that is free, found {port}, which is in use at 127.0.0.1\n"
    )


def test_port_of_the_system_is_named_in_a_line(home, capsys, monkeypatch):
    def bind(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", bind)  # root may use it
    assert jigsolve(["studio", "--no-browser", "--port", "80"]) == 1
    assert capsys.readouterr().err == (
        "jigsolve: --port: expected one that you may use, from 1024 on, found 80\n"
    )


@pytest.mark.parametrize("host", ["203.0.113.7", "no such name", "x" * 70, "::zz"])
def test_address_of_another_machine_is_named_in_a_line(home, capsys, host):
    assert jigsolve(["studio", "--no-browser", "--allow-remote", "--host", host]) == 1
    assert capsys.readouterr().err == (
        f"jigsolve: --host: expected an address of this machine, found {host}\n"
    )


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(Exception, match="cannot write there"):
        Home(tmp_path / "file")


def test_projects_are_in_the_users_data_folder(monkeypatch):
    monkeypatch.delenv(OVERRIDE, raising=False)
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    for system, expected in (
        ("linux", "/home/somebody/.local/share/jigsolve/studio"),
        ("darwin", "/home/somebody/Library/Application Support/jigsolve/studio"),
        ("win32", "/home/somebody/AppData/Local/jigsolve/studio"),
    ):
        monkeypatch.setattr(sys, "platform", system)
        assert data_folder().as_posix() == expected
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", "/elsewhere")
    assert data_folder().as_posix() == "/elsewhere/jigsolve/studio"
    monkeypatch.setenv(OVERRIDE, "/chosen")
    assert data_folder().as_posix() == "/chosen"
