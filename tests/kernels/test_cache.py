"""Compiled kernels are kept, and made anew when anything they are made of changes."""

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import jigsolve._kernels

CALLER = """
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.callee import FACTOR, helper

@kernel
def caller(number):
    return helper(number) + FACTOR
"""

CALLEE = """
from jigsolve._kernels.jit import kernel

FACTOR = 100

@kernel
def helper(number):
    return number * 2
"""

CALL = """
from jigsolve._kernels.caller import caller
print(caller(3), sum(caller.stats.cache_hits.values()))
"""


@pytest.fixture
def kernels(tmp_path):
    """Make a package of the same name, with the same way to compile and two kernels only."""
    folder = tmp_path / "place" / "jigsolve" / "_kernels"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    (folder / "__init__.py").touch()
    for name in ("jit.py", "parts.py"):
        shutil.copy(Path(jigsolve._kernels.__file__).with_name(name), folder)
    (folder / "caller.py").write_text(CALLER)
    (folder / "callee.py").write_text(CALLEE)
    return folder


def called(place, tmp_path, **environment):
    """Call the caller in a process of its own; return its answer and whether it was kept."""
    answer, hits = map(int, said(place, tmp_path, CALL, **environment).split())
    return answer, bool(hits)


STARTER = """
import json, os, sys, traceback
import numba.core.config
import numba.core.caching, numba.core.registry, numba.extending

for line in sys.stdin:
    asked = json.loads(line)
    told, tell = os.pipe()
    child = os.fork()
    if child:
        os.close(tell)
        with open(told) as file:
            said = file.read()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(json.dumps([code, said]), flush=True)
        continue
    os.dup2(tell, 1)
    os.dup2(tell, 2)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.path.insert(0, os.environ["PYTHONPATH"])
    numba.core.config.reload_config()
    try:
        exec(asked["code"], {"__name__": "__main__"})
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)
"""
"""Imports Numba and nothing of ours; every process it is asked for begins from there."""


class Starter:
    """Starts processes that have Numba imported: that takes longer than all they do."""

    process = None

    def begin(self):
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA", "PYTHON"))}
        # Python takes its own bytecode for fresh where a file changed within a second, by no byte.
        self.environment = {**inherited, "PYTHONDONTWRITEBYTECODE": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", STARTER],
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, code, folder, environment):
        """Return the exit code of a process of its own and what it prints."""
        if self.process is None:
            self.begin()
        asked = {"folder": str(folder), "environment": self.environment | environment, "code": code}
        print(json.dumps(asked), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def end(self):
        if self.process:
            self.process.communicate()


starter = Starter()


@pytest.fixture(scope="module", autouse=True)
def _no_starter_is_left():
    yield
    starter.end()


def said(place, tmp_path, code, **environment):
    """Return what a process of its own prints."""
    home = {"PYTHONPATH": str(place), "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "c")}
    failed, printed = starter.run(code, tmp_path, home | environment)
    assert not failed, printed
    return printed.strip()


def change(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def cached(folder):
    return sorted(path.name for path in folder.rglob("*.nb?"))


def test_a_changed_callee_is_seen_and_nothing_piles_up(kernels, tmp_path):
    place = kernels.parents[1]
    assert called(place, tmp_path) == (106, False)
    assert called(place, tmp_path) == (106, True)
    first = cached(kernels)
    change(kernels / "callee.py", "number * 2", "number * 5")
    assert called(place, tmp_path) == (115, False)
    change(kernels / "callee.py", "FACTOR = 100", "FACTOR = 200\n\n")  # on another line now
    assert called(place, tmp_path) == (215, False)
    assert called(place, tmp_path) == (215, True)
    assert cached(kernels) == first


def test_a_file_that_is_added_counts_and_an_editors_lock_does_not(kernels, tmp_path):
    place = kernels.parents[1]
    called(place, tmp_path)
    (kernels / ".#callee.py").symlink_to("nobody@nowhere")
    assert called(place, tmp_path) == (106, True)
    (kernels / "deeper").mkdir()
    (kernels / "deeper" / "more.py").touch()
    assert called(place, tmp_path) == (106, False)


def test_a_folder_of_the_users_own_is_used(kernels, tmp_path):
    place, own = kernels.parents[1], tmp_path / "own"
    assert called(place, tmp_path, NUMBA_CACHE_DIR=str(own)) == (106, False)
    assert called(place, tmp_path, NUMBA_CACHE_DIR=str(own)) == (106, True)
    assert cached(own)
    assert not cached(kernels)
    change(kernels / "callee.py", "number * 2", "number * 5")
    assert called(place, tmp_path, NUMBA_CACHE_DIR=str(own)) == (115, False)


def test_it_works_where_nothing_can_be_written(kernels, tmp_path):
    # A file where a folder would have to be: not even the administrator can write there.
    (kernels / "__pycache__").touch()
    (tmp_path / "c").touch()
    (tmp_path / ".cache").touch()
    place = kernels.parents[1]
    kernels.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert called(place, tmp_path) == (106, False)
        assert called(place, tmp_path) == (106, False)
    finally:
        kernels.chmod(stat.S_IRWXU)


def test_it_works_from_an_archive(kernels, tmp_path):
    place = kernels.parents[1]
    packed = Path(shutil.make_archive(str(tmp_path / "packed"), "zip", place))
    assert called(packed, tmp_path) == (106, False)
    kept = called(packed, tmp_path)[1]  # older versions of Numba keep nothing of archives
    change(kernels / "callee.py", "number * 2", "number * 5")
    shutil.make_archive(str(tmp_path / "packed"), "zip", place)
    assert called(packed, tmp_path) == (115, False)
    assert called(packed, tmp_path) == (115, kept)


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_damaged_entry_is_compiled_anew(kernels, tmp_path, ending):
    place = kernels.parents[1]
    called(place, tmp_path)
    (entry,) = kernels.rglob(f"caller.*.{ending}")
    entry.write_bytes(entry.read_bytes()[:20])
    assert called(place, tmp_path) == (106, False)
    assert called(place, tmp_path) == (106, True)


def test_that_all_are_compiled_is_noted_for_these_sources(kernels, tmp_path):
    place, asked = kernels.parents[1], "jit.are_compiled('all')"
    noting = "from jigsolve._kernels import jit; "
    assert said(place, tmp_path, f"{noting}print({asked})") == "False"
    assert said(place, tmp_path, f"{noting}jit.note_compiled('all'); print({asked})") == "True"
    assert said(place, tmp_path, f"{noting}print({asked})") == "True"
    change(kernels / "callee.py", "number * 2", "number * 5")
    assert said(place, tmp_path, f"{noting}print({asked})") == "False"


def test_nothing_is_noted_where_nothing_can_be_written(kernels, tmp_path):
    (kernels / "__pycache__").touch()
    (tmp_path / "c").touch()
    (tmp_path / ".cache").touch()
    code = "from jigsolve._kernels.jit import *; note_compiled('all'); print(are_compiled('all'))"
    assert said(kernels.parents[1], tmp_path, code) == "False"
