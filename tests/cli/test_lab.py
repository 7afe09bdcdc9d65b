"""The lab's command line, run as a user runs it, killed and resumed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers import in_this_process, jigsolve
from PIL import Image
from skimage import data

from jigsolve.core import PieceSize
from jigsolve.io.pictures import read_picture
from jigsolve.lab.experiment import plan_ladder
from jigsolve.lab.sets import find_images

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_parts.py"


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    """Make a folder with two small photographs."""
    place = tmp_path_factory.mktemp("photos")
    Image.fromarray(data.chelsea()[:224, :280]).save(place / "1.png")
    Image.fromarray(data.astronaut()[:224, 56:280]).save(place / "2.png")
    return place


def records_of(folder):
    return [json.loads(line) for line in (folder / "runs.jsonl").read_text().splitlines()]


def lab_run(photos, out, *more):
    return ("lab", "run", "--sets", photos, "--out", out, *more)


def test_run_and_report(photos, tmp_path):
    command = lab_run(photos, tmp_path, "--piece", "56", "--runs", "2", "--measure", "mgc")
    done = jigsolve(*command)
    assert done.returncode == 0, done.stderr
    assert "4 runs, 0 of them done before" in done.stdout
    assert done.stdout.count("neighbour ") == 4
    records = records_of(tmp_path)
    assert sorted((r["image"], r["run"], r["settings"]["seed"]) for r in records) == [
        (1, 0, 0),
        (1, 1, 1),
        (2, 0, 0),
        (2, 1, 1),
    ]
    assert {r["settings"]["measure"] for r in records} == {"mgc"}
    said = f"jigsolve lab run --sets {photos.name} --runs 2 --measure mgc --piece 56x56"
    assert {r["command"] for r in records} == {said}
    again = jigsolve(*command)
    assert "4 runs, 4 of them done before" in again.stdout
    assert records_of(tmp_path) == records
    few = "--jobs", "1", "--annealing", "20"
    more = jigsolve(*command[:-2], *few)  # the default measure: other runs
    assert "4 runs, 0 of them done before" in more.stdout
    report = jigsolve("lab", "report", tmp_path)
    assert report.returncode == 0, report.stderr
    assert "default, measure mgc" in (tmp_path / "report.md").read_text()
    assert (tmp_path / "report.html").stat().st_size > 10_000


def test_ablation_goes_through_the_partial_crossovers(photos, tmp_path):
    done = jigsolve(
        *lab_run(photos, tmp_path, "--images", "1", "--piece", "56", "--ablation", "--preset"),
        *("paper", "--population", "20", "--generations", "3", "--mutation", "0", "-q"),
        *("--seed", "0", "--jobs", "1"),
    )
    assert (done.returncode, done.stdout) == (0, "")
    (command,) = {r["command"] for r in records_of(tmp_path)}
    assert command.endswith(
        "--preset paper --ablation --population 20 --generations 3 --mutation 0.0 --seed 0 "
        "--piece 56x56"
    )
    phases = sorted(tuple(r["settings"]["phases"]) for r in records_of(tmp_path))
    assert phases == sorted(
        [
            ("agreed",),
            ("best-buddy",),
            ("greedy",),
            ("agreed", "best-buddy"),
            ("agreed", "greedy"),
            ("best-buddy", "greedy"),
        ]
    )


def keys_of(folder):
    """Return the keys of the whole lines, however the last one ends."""
    content = (folder / "runs.jsonl").read_text() if (folder / "runs.jsonl").exists() else ""
    return [json.loads(line)["key"] for line in content.splitlines(keepends=True) if "\n" in line]


def start(photos, out, *more, runs=6):
    command = lab_run(photos, out, "--piece", "28", "--runs", runs, *more)
    return subprocess.Popen(
        [sys.executable, "-m", "jigsolve", *map(str, command)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def until_runs(folder, count):
    while len(keys_of(folder)) < count:
        time.sleep(0.05)


def workers_of(process):
    """Return the processes a lab run has started."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(child) for child in children.split()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads /proc")
def test_a_killed_run_goes_on_and_leaves_nobody_behind(photos, tmp_path):
    with start(photos, tmp_path, "--preset", "paper", "--population", "100") as process:
        until_runs(tmp_path, 2)
        workers = workers_of(process)
        process.kill()
    before = keys_of(tmp_path)
    with (tmp_path / "runs.jsonl").open("a") as file:
        file.write('{"format": "jigsolve-run", "key": "half a li')
    report = jigsolve("lab", "report", tmp_path)
    assert report.returncode == 0, report.stderr
    assert "1 lines held no complete run" in (tmp_path / "report.md").read_text()
    done = jigsolve(
        *lab_run(photos, tmp_path, "--runs", "6", "--preset", "paper", "--population", "100")
    )
    assert done.returncode == 0, done.stderr
    assert f"12 runs, {len(before)} of them done before" in done.stdout
    lines = (tmp_path / "runs.jsonl").read_text().splitlines()
    keys = [json.loads(line)["key"] for line in lines if not line.endswith("half a li")]
    assert keys[: len(before)] == before
    assert len(keys) == len(set(keys)) == 12
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < deadline, "a worker lives on without its parent"
        time.sleep(0.1)


def test_two_processes_share_a_folder(photos, tmp_path):
    quick = "--population", "20", "--annealing", "20"
    with start(photos, tmp_path, *quick) as one, start(photos, tmp_path, *quick) as other:
        assert (one.wait(100), other.wait(100)) == (0, 0), (one.stderr, other.stderr)
    keys = keys_of(tmp_path)
    assert len(keys) == len(set(keys)) == 12


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_keeps_what_is_done(photos, tmp_path, number):
    # Far more runs than are done before it hears of the interrupt, however busy the machine is.
    short = "--preset", "paper", "--population", "50"
    with start(photos, tmp_path, *short, runs=2000) as process:
        until_runs(tmp_path, 1)
        os.kill(process.pid, number)
        assert process.wait(30) == 130
        said = process.stderr.read().decode()
    assert said == "jigsolve: interrupted; finished runs are kept, the same command goes on\n"
    assert keys_of(tmp_path)
    assert not (tmp_path / "at-work").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run", "--sets", "cho_432", "--out", "{}"), "--data DIR or set JIGSOLVE_DATA"),
        (
            ("run", "--sets", "cho_432", "--data", "{}", "--out", "{}"),
            "expected image 1 of cho_432",
        ),
        (("run", "--sets", "nothing", "--out", "{}"), "expected a folder of pictures or one of"),
        (("run", "--sets", "{}", "--out", "{}"), "expected pictures"),
        (("run", "--sets", "{p}", "--images", "3", "--out", "{}"), "expected numbers from 1 to 2"),
        (("run", "--sets", "{p},{p}/.", "--out", "{}"), "expected folders of different names"),
        (("run", "--sets", "{p}", "--piece", "400", "--out", "{}"), "room for at least two pieces"),
        (("run", "--sets", "{p}", "--out", "{p}/1.png/x"), "cannot write there"),
        (("report", "{}"), "expected runs in runs.jsonl, found none"),
        (("report", "{}/nowhere"), "expected a folder made by"),
        (("figure", "seams", "{}/none.png", "-o", "{}/x.png"), "expected a picture"),
    ],
)
def test_bad_input_is_one_line(photos, tmp_path, arguments, said):
    filled = [a.replace("{p}", str(photos)).replace("{}", str(tmp_path)) for a in arguments]
    done = jigsolve("lab", *filled)
    assert done.returncode == 1, done.stdout
    assert said in done.stderr
    assert done.stderr.startswith("jigsolve: ")
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.rglob("*.part*"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run", "--sets", ",", "--out", "{}"), "sets: expected names"),
        (("run", "--sets", "{p}", "--runs", "0", "--out", "{}"), "runs: expected"),
        (("run", "--sets", "{p}", "--jobs", "0", "--out", "{}"), "jobs: expected"),
        (("run", "--sets", "{p}", "--preset", "x", "--out", "{}"), "preset: expected one of"),
        (
            ("run", "--sets", "{p}", "--ablation", "--phases", "agreed", "--out", "{}"),
            "phases: expected none beside --ablation",
        ),
        (("figure", "seams", "{p}/1.png", "-o", "{}/x.jpg"), "expected a name ending in .png"),
        (
            ("figure", "crossover", "{p}/1.png", "-o", "{}/x.png", "--generation", "-1"),
            "generation: expected",
        ),
        (
            ("figure", "seams", "{p}/1.png", "-o", "{}/x.png", "--shuffle", "-1"),
            "seed: expected a whole number",
        ),
    ],
)
def test_wrong_usage_is_one_line(photos, tmp_path, arguments, said):
    filled = [a.replace("{p}", str(photos)).replace("{}", str(tmp_path)) for a in arguments]
    code, complaint = in_this_process(("lab", *filled), tmp_path)
    assert code == 2, complaint
    assert said in complaint
    assert complaint.count("\n") == 1


def test_sets_are_listed_with_their_sources():
    done = jigsolve("lab", "sets")
    assert done.returncode == 0
    assert "cho_432          20 images of 432 pieces" in done.stdout
    assert "photos_30745" in done.stdout


@pytest.mark.parametrize("kind", ["generations", "crossover", "seams"])
def test_figures_are_drawn(photos, tmp_path, kind):
    out = tmp_path / "figure.png"
    done = jigsolve(
        *("lab", "figure", kind, photos / "1.png", "-o", out, "--piece", "56"),
        *("--population", "20", "--generations", "4"),
    )
    assert done.returncode == 0, done.stderr
    assert min(read_picture(out).shape[:2]) > 200


def test_every_combination_of_solvers_and_measures_is_run_and_reported(photos, tmp_path):
    out = tmp_path / "out"
    options = ["--piece", "56", "--images", "1", "--ratio", "1.2", "--jobs", "1"]
    several = ["--solvers", "gallagher,son", "--measures", "mgc,dissimilarity"]
    code, said = in_this_process([*map(str, lab_run(photos, out, *options, *several))], tmp_path)
    assert code == 0, said
    records = records_of(out)
    pairs = {(r["solver"], r["settings"]["measure"]) for r in records}
    assert pairs == {(s, m) for s in ("gallagher", "son") for m in ("mgc", "dissimilarity")}
    assert all("history" not in record for record in records)
    changed = {(r["solver"], r["settings"]["measure"]): r["changes"] for r in records}
    assert changed["son", "mgc"] == {}  # its own, and the ratio is not an option of it
    assert changed["gallagher", "dissimilarity"] == {"ratio": 1.2, "measure": "dissimilarity"}
    assert {r["command"] for r in records} == {
        f"jigsolve lab run --sets {photos.name} --images 1 --runs 1 --solver gallagher,son "
        "--measure mgc,dissimilarity --ratio 1.2 --piece 56x56"
    }
    code, said = in_this_process(["lab", "report", str(out)], tmp_path)
    assert code == 0, said
    assert "## The field" in (out / "report.md").read_text()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--solvers", "gallagher,magic"], "solver: expected one of genetic"),
        (["--solvers", "son", "--measures", "mgc,feeling"], "measure: expected one of"),
        (["--solvers", "gallagher,son", "--population", "9"], "population: expected an option of"),
        (["--ladder", "--measure", "mgc"], "measure: expected none beside --ladder"),
        (["--ladder", "--ablation"], "ablation: expected none beside --ladder"),
        (["--solvers", "son", "--ablation"], "phases: expected an option of son"),
    ],
)
def test_what_does_not_go_together_is_refused(photos, tmp_path, options, said):
    command = [*map(str, lab_run(photos, tmp_path / "out", *options))]
    code, told = in_this_process(command, tmp_path)
    assert code == 2
    assert said in told.replace("--solver:", "solver:").replace("--measure:", "measure:")
    assert not (tmp_path / "out").exists()


def test_the_ladder_goes_from_the_papers_to_ours(photos):
    images = find_images(str(photos), piece=PieceSize(56, 56))
    tasks = plan_ladder(images, {"population": 20}, 2, turned=False)
    assert len(tasks) == 2 * 6 * len(images)
    assert [task.run for task in tasks] == sorted(task.run for task in tasks)
    first, last = tasks[0], tasks[len(tasks) // 2 - 1]
    assert (first.preset, first.changes) == ("paper", {"population": 20})
    assert (last.preset, last.changes) == ("default", {"population": 20})
    assert len({task.key for task in tasks}) == len(tasks)


def test_the_example_runs(photos, tmp_path):
    done = subprocess.run(
        [sys.executable, EXAMPLE, photos, tmp_path / "out"],
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report = (tmp_path / "out" / "report.md").read_text()
    assert "measure grey" in report
    assert "selection tournament" in report
    assert "two-votes" in report
