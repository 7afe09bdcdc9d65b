import dataclasses
import io
import itertools
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from helpers import hearing, jigsolve, stopping
from skimage import data

from jigsolve import InputError, Puzzle, Settings, solve
from jigsolve.assembly.segments import Segments
from jigsolve.damage import Damage
from jigsolve.io.pictures import write_picture

RUN = Settings.of(population=24, generations=12, patience=None, seed=6)


@pytest.fixture(scope="module")
def puzzle():
    return Puzzle.cut(data.chelsea()[:196, :280], 28).shuffle(seed=9)[0]


@pytest.fixture(scope="module")
def whole(puzzle):
    return solve(puzzle, RUN, keep_arrangements=True)


def assert_same(run, other):
    np.testing.assert_array_equal(run.arrangement, other.arrangement)
    assert run.cost == other.cost
    assert run.stopped == other.stopped
    for mine, theirs in zip(run.history, other.history, strict=True):
        np.testing.assert_array_equal(mine.arrangement, theirs.arrangement)
        bare = [dataclasses.replace(g, seconds=0, arrangement=None) for g in (mine, theirs)]
        assert bare[0] == bare[1]


@pytest.mark.parametrize("after", [1, 5, 11])
def test_resumed_runs_end_the_same(puzzle, whole, tmp_path, after):
    saved = tmp_path / "run.checkpoint"
    solve(
        puzzle,
        RUN,
        keep_arrangements=True,
        checkpoint=saved,
        checkpoint_every=0,
        **stopping(lambda g: g.number == after + 1),
    )
    resumed = solve(puzzle, resume=saved, keep_arrangements=True)
    assert_same(resumed, whole)
    assert [g.seconds for g in resumed.history] == sorted(g.seconds for g in resumed.history)
    threads = RUN.changed(threads=3)
    assert_same(solve(puzzle, threads, resume=saved, keep_arrangements=True), whole)


def test_a_run_that_is_resumed_for_a_short_time_keeps_its_measure(puzzle, tmp_path, monkeypatch):
    saved = tmp_path / "run.checkpoint"
    early = stopping(lambda g: g.number == 2)
    solve(puzzle, RUN, checkpoint=saved, checkpoint_every=0, **early)
    monkeypatch.setattr("jigsolve.solvers.foresight.MOST_FOR_PRICING", 0)
    resumed = solve(puzzle, resume=saved, time_limit=600)
    assert resumed.settings.pricing == RUN.pricing


def test_a_run_with_damage_resumes_to_the_same(puzzle, tmp_path):
    saved = tmp_path / "run.checkpoint"
    settings = RUN.changed(damage="eroded:2", generations=4)
    whole = solve(puzzle, settings, keep_arrangements=True)
    solve(
        puzzle,
        settings,
        keep_arrangements=True,
        checkpoint=saved,
        checkpoint_every=0,
        **stopping(lambda g: g.number == 2),
    )
    assert_same(solve(puzzle, resume=saved, keep_arrangements=True), whole)
    other = dataclasses.replace(puzzle, damage=Damage("jpeg"))
    with pytest.raises(InputError, match="expected a checkpoint of this puzzle"):
        solve(other, resume=saved)


def test_patience_goes_on_counting(puzzle, tmp_path):
    settings = RUN.changed(generations=80, patience=6)
    saved = tmp_path / "c"
    plain = solve(puzzle, settings, checkpoint=saved, checkpoint_every=0)
    assert plain.stopped == "patience"
    resumed = solve(puzzle, resume=saved)
    assert_same(resumed, plain)


@pytest.fixture(scope="module")
def repaired():
    """Return a puzzle that takes several rounds, settings, and how it is solved with them."""
    hard = Puzzle.cut(data.chelsea()[:210, 28:308], 7).shuffle(3)[0]
    settings = Settings.of(population=12, measure="extrapolation", patience=3, repairs=4)
    return hard, settings, solve(hard, settings)


def test_rounds_of_repair_go_on_where_they_were(repaired, tmp_path):
    hard, settings, plain = repaired
    rounds = [g.number for g in plain.history if g.number and not any(g.placements.values())]
    assert len(rounds) >= 2
    for number in (rounds[0] - 1, rounds[0], rounds[1] + 1):
        saved = tmp_path / f"c{number}"

        def interrupt(generation, number=number):
            if generation.number == number:
                raise KeyboardInterrupt

        solve(hard, settings, checkpoint=saved, **hearing(interrupt))
        assert_same(solve(hard, resume=saved), plain)


def test_ctrl_c_while_parts_are_joined_anew_loses_nothing(repaired, tmp_path, monkeypatch):
    hard, settings, plain = repaired

    def interrupted(*_, **_more):
        raise KeyboardInterrupt

    saved = tmp_path / "c"
    with monkeypatch.context() as patch:
        patch.setattr(Segments, "reassemble", interrupted)
        assert solve(hard, settings, checkpoint=saved).stopped == "interrupted"
    assert_same(solve(hard, resume=saved), plain)


def test_ctrl_c_saves_the_last_generation(puzzle, whole, tmp_path):
    def interrupt(generation):
        if generation.number == 4:
            raise KeyboardInterrupt

    saved = tmp_path / "c"
    stopped = solve(puzzle, RUN, checkpoint=saved, **hearing(interrupt))
    assert stopped.stopped == "interrupted"
    resumed = solve(puzzle, resume=saved)
    assert resumed.cost == whole.cost
    np.testing.assert_array_equal(resumed.arrangement, whole.arrangement)


def test_checkpoints_are_written_when_due(puzzle, tmp_path):
    solve(puzzle, RUN, checkpoint=tmp_path / "c", checkpoint_every=1e6)
    assert not list(tmp_path.iterdir())


def test_other_settings_are_refused(puzzle, tmp_path):
    saved = tmp_path / "c"
    solve(puzzle, RUN, checkpoint=saved, checkpoint_every=0)
    with pytest.raises(
        InputError, match=r"mutation: expected 0.05 as in the checkpoint, found 0\.5"
    ):
        solve(puzzle, RUN.changed(mutation=0.5), resume=saved)


def test_foreign_and_damaged_checkpoints_are_refused(puzzle, tmp_path):
    saved = tmp_path / "c"
    solve(puzzle, RUN, checkpoint=saved, checkpoint_every=0)
    good = saved.read_bytes()
    other = Puzzle.cut(data.chelsea()[:196, :280], 28).shuffle(seed=10)[0]
    with pytest.raises(InputError, match="expected a checkpoint of this puzzle"):
        solve(other, resume=saved)
    flipped = bytearray(good)
    flipped[len(good) // 2] ^= 255
    np.savez(tmp_path / "foreign.npz", header=np.zeros(3, np.uint8))
    foreign = (tmp_path / "foreign.npz").read_bytes()
    with np.load(io.BytesIO(good)) as archive:
        arrays = dict(archive)
    arrays["arrangements"][3, 0, 0] = 10**6  # a kernel would read far outside
    np.savez(tmp_path / "wild.npz", **arrays)
    wild = (tmp_path / "wild.npz").read_bytes()
    for bad in (b"", b"hello", good[: len(good) // 2], good[:-30], bytes(flipped), foreign, wild):
        saved.write_bytes(bad)
        with pytest.raises(InputError, match=r"expected a checkpoint .* found a damaged file"):
            solve(puzzle, resume=saved)
    with pytest.raises(InputError, match="found no such file"):
        solve(puzzle, resume=tmp_path / "none")


def test_killed_at_any_moment_and_resumed(puzzle, tmp_path):
    picture, saved = tmp_path / "p.png", tmp_path / "run.checkpoint"
    write_picture(picture, puzzle.image())
    command = [
        "solve", str(picture), "-o", str(tmp_path / "x.png"),
        "--population", "40", "--generations", "600", "--patience", "0", "--seed", "3",
        "-q", "--force",
    ]  # fmt: skip
    saving = ["--checkpoint", str(saved), "--every", "0"]
    for delay in itertools.count():
        more = ["--resume", str(saved)] if saved.exists() else []
        process = subprocess.Popen([sys.executable, "-m", "jigsolve", *command, *saving, *more])
        while not saved.exists() and process.poll() is None:
            time.sleep(0.01)
        time.sleep(0.8 + 0.13 * delay)
        if process.poll() is None and delay < 4:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            continue
        break
    assert process.wait() == 0
    for more in ([*saving, "--resume", saved, "--json", "a"], ["--json", "b"]):
        assert jigsolve(*command, *more, cwd=tmp_path).returncode == 0
    resumed, whole = (json.loads((tmp_path / name).read_text()) for name in "ab")
    assert resumed["arrangement"] == whole["arrangement"]
    assert [g["best"] for g in resumed["history"]] == [g["best"] for g in whole["history"]]
    leftovers = {path.name for path in tmp_path.iterdir()} - {"p.png", "x.png", "a", "b"}
    assert all(n == "run.checkpoint" or n.startswith(".jigsolve-") for n in leftovers)


def test_the_command_line_resumes_with_the_settings_saved(puzzle, tmp_path):
    write_picture(tmp_path / "puzzle.png", puzzle.image())
    saved = tmp_path / "run.ckpt"
    begin = ["solve", tmp_path / "puzzle.png", "-q", "-o", tmp_path / "o.png", "--force"]
    first = ["--preset", "paper", "--population", "20", "--generations", "3", "--every", "0"]
    assert jigsolve(*begin, *first, "--checkpoint", saved).returncode == 0

    def resume(*more):
        return jigsolve(*begin, "--resume", saved, *more)

    assert resume().returncode == 0
    assert resume("--threads", "1", "--seeding", "random").returncode == 0
    refused = resume("--seeding", "segments")
    assert refused.returncode == 1
    assert "seeding: expected 'random' as in the checkpoint, found 'segments'" in refused.stderr
    refused = resume("--preset", "default")
    assert refused.returncode == 1
    assert "measure: expected 'dissimilarity' as in the checkpoint" in refused.stderr
