"""A folder of runs that several processes share."""

import gzip
import json
import subprocess
import sys

import helpers
import pytest

from jigsolve.errors import InputError
from jigsolve.lab.records import Bench, Runs


def a_run(key):
    return helpers.a_run(key=key)


def keys_in(folder):
    return [record["key"] for record in Runs(folder).records]


def test_runs_are_appended_and_read(tmp_path):
    with Bench(tmp_path / "new" / "folder") as bench:
        for key in ("a", "b"):
            assert bench.claim([key]) == key
            bench.hand_in(a_run(key))
        assert bench.claim(["a", "b"]) is None
    assert keys_in(tmp_path / "new" / "folder") == ["a", "b"]
    left = {path.name for path in (tmp_path / "new" / "folder").iterdir()}
    assert left - {".lock"} == {"runs.jsonl"}


def test_a_half_written_last_line_is_left_out_and_not_continued(tmp_path):
    runs = tmp_path / "runs.jsonl"
    whole = json.dumps(a_run("a"))
    runs.write_text(whole + "\n" + json.dumps(a_run("b"))[:40])
    found = Runs(tmp_path)
    assert [record["key"] for record in found.records] == ["a"]
    assert found.unfinished
    with Bench(tmp_path) as bench:
        assert bench.claim(["a", "b"]) == "b"
        bench.hand_in(a_run("b"))
    found = Runs(tmp_path)
    assert [record["key"] for record in found.records] == ["a", "b"]
    assert (found.unreadable, found.unfinished) == (1, False)


@pytest.mark.parametrize(
    "line",
    [
        *("nonsense", "[]", "7", "null", "[" * 100_000, "\x00"),
        *('{"format": "jigsolve-run"}', '{"format": "x", "key": 1}'),
    ],
)
def test_lines_that_are_no_runs_are_counted(tmp_path, line):
    (tmp_path / "runs.jsonl").write_text(f"{line}\n\n{json.dumps(a_run('a'))}\n")
    found = Runs(tmp_path)
    assert ([r["key"] for r in found.records], found.unreadable) == (["a"], 1)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("scores", value) for value in (None, {}, "x", {"neighbour": 1})),
        *(("cost", value) for value in (None, "1", float("nan"), float("inf"), True)),
        *(("key", value) for value in (None, [], 7)),
        *(("changes", value) for value in (None, [])),
        *(("history", value) for value in (None, {"best": []}, {"best": [1.0, "2"]})),
        *(("image", value) for value in (None, "1", 1.5)),
        *(("memory", None), ("finished", 7), ("command", []), ("versions", None), ("file", None)),
    ],
)
def test_a_run_of_another_shape_is_none(tmp_path, field, value):
    odd = {**a_run("a"), field: value}
    (tmp_path / "runs.jsonl").write_text(json.dumps(odd) + "\n")
    found = Runs(tmp_path)
    assert (found.records, found.unreadable) == ([], 1)


def test_packed_runs_are_read_and_not_repeated(tmp_path):
    (tmp_path / "runs.jsonl.gz").write_bytes(gzip.compress(json.dumps(a_run("a")).encode()))
    with Bench(tmp_path) as bench:
        assert bench.claim(["a", "b"]) == "b"
        bench.hand_in(a_run("b"))
    assert keys_in(tmp_path) == ["a", "b"]


@pytest.mark.parametrize("content", [b"not packed", b""])
def test_damaged_packed_runs_are_named(tmp_path, content):
    packed = bytearray(gzip.compress(b"x" * 1000))
    packed[12] ^= 255
    (tmp_path / "runs.jsonl.gz").write_bytes(content or bytes(packed))
    with pytest.raises(InputError, match=r"runs\.jsonl\.gz: cannot be read"):
        Runs(tmp_path)


def test_two_at_a_folder_claim_different_tasks(tmp_path):
    tasks = ["a", "b", "c"]
    with Bench(tmp_path) as one, Bench(tmp_path) as other:
        assert [one.claim(tasks), other.claim(tasks), one.claim(tasks)] == tasks
        assert other.claim(tasks) is None
        one.give_up("a")
        assert other.claim(tasks) == "a"
        other.hand_in(a_run("a"))
        assert one.claim(tasks) is None
    with Bench(tmp_path) as later:
        assert later.claim(tasks) == "b"


def test_the_claim_of_a_killed_process_is_void(tmp_path):
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom jigsolve.lab.records import Bench\n"
        f"bench = Bench(Path({str(tmp_path)!r}))\nbench.__enter__()\n"
        "print(bench.claim(['a']), flush=True)\ntime.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout.readline() == "a\n"
            with Bench(tmp_path) as bench:
                assert bench.claim(["a"]) is None
                process.kill()
                process.wait()
                assert bench.claim(["a"]) == "a"
        finally:
            process.kill()
    assert not (tmp_path / "at-work").exists()


def test_what_a_killed_process_left_is_cleared_away(tmp_path):
    hall = tmp_path / "at-work"
    hall.mkdir()
    for name in ("a.lock", "a.claims", "a.part", "b.lock", "b.part"):
        (hall / name).write_text("x")
    with Bench(tmp_path) as bench:
        assert bench.claim(["x"]) == "x"
    assert not hall.exists()


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write there"):
        Bench(tmp_path / "file" / "results")
