"""The verb `studio`: its options, its one line, and what it says where something is missing."""

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
