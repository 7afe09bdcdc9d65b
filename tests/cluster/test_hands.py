"""Tasks done by workers of a cluster: the same values, whatever becomes of a worker."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from helpers import in_this_process

pytest.importorskip("distributed")

import numpy as np
from distributed import Client
from PIL import Image
from skimage import data

from jigsolve import InputError, Puzzle, Settings, Stop, solve
from jigsolve.cluster import hands
from jigsolve.cluster.connection import Cluster
from jigsolve.cluster.hands import Workers, spread_over
from jigsolve.cluster.jobs import Outcome
from jigsolve.execution.crew import ALONE, crew
from jigsolve.execution.spreading import are_arrays, digest_of
from jigsolve.execution.stop import Stopped
from jigsolve.solvers.helped import both, kept_on

QUICK = {"population": 10, "generations": 3, "annealing": 20, "threads": 2}


class Processes:
    """A task whose values say which process did them; some shards are special."""

    name = "processes"
    memory = 0

    def __init__(self, folder="", deadly=None, wrong=None, waits=None):
        self.folder, self.deadly, self.wrong, self.waits = str(folder), deadly, wrong, waits

    @property
    def digest(self):
        return digest_of(type(self), self.folder, self.deadly, self.wrong, self.waits)

    def begin(self, crew):
        self.note("begun")
        return self.work

    def note(self, what):
        """Leave a file; return whether it is the first of its kind."""
        if self.folder:
            first = not list(Path(self.folder).glob(f"{what}-*"))
            Path(self.folder, f"{what}-{os.getpid()}-{time.monotonic_ns()}").touch()
            return first
        return True

    def work(self, shard, check):
        if shard == self.deadly and self.note("died"):
            os.kill(os.getpid(), signal.SIGKILL)
        while shard == self.waits:
            self.note("waits")
            check()
            time.sleep(0.05)
        if shard == self.wrong:
            return (np.zeros(3),)
        return (np.array([shard, os.getpid()]),)

    def accepts(self, shard, value):
        return are_arrays(value, ((2,), int)) and value[0][0] == shard


class Altered(Processes):
    """A task that is another one where it arrives."""

    @property
    def digest(self):
        return digest_of(os.getpid())


class Large(Processes):
    memory = 10**15


class Failing(Processes):
    def work(self, shard, check):
        raise ZeroDivisionError("what\nis this")


def of_whom(values, shards):
    """Return the processes that did shards."""
    found = [array for (array,) in values]
    assert [shard for shard, _ in found] == list(shards)
    return {process for _, process in found} - {os.getpid()}


def test_values_come_in_order_and_from_workers(cluster, tmp_path):
    executor = Workers(ALONE, cluster)
    assert of_whom(executor.spread(Processes(tmp_path), range(50)), range(50))
    assert len(list(tmp_path.glob("begun-*"))) == 1  # a machine is sent it once
    assert list(executor.spread(Processes(), [])) == []
    assert executor.map(lambda n: n + os.getpid(), [1]) == [1 + os.getpid()]
    assert executor.room() is None


def test_a_worker_that_is_killed_loses_nothing(cluster, tmp_path):
    executor = Workers(ALONE, cluster)
    values = executor.spread(Processes(tmp_path, deadly=23), range(40))
    assert len(of_whom(values, range(40))) >= 2  # another one went on
    assert len(list(tmp_path.glob("died-*"))) == 2


def test_a_task_of_which_workers_die_is_given_up(cluster, monkeypatch):
    monkeypatch.setattr("jigsolve.cluster.jobs.MOST_DEATHS", 1)
    with pytest.raises(InputError, match=r"^processes: 1 workers died of it"):
        list(Workers(ALONE, cluster).spread(Processes(deadly=1), range(4)))


@pytest.mark.parametrize(
    ("task", "complaint"),
    [
        (Processes(wrong=2), "^cluster: a worker returned something else than processes$"),
        (Altered(), "^cluster: expected processes of checksum .* to arrive at a worker, found oth"),
        (Large(), r"^cluster: a worker that prices processes needs about 1\.0 PB of memory, .* is"),
        (Failing(), r"^cluster: a worker failed \(ZeroDivisionError: what is this\)$"),
    ],
)
def test_what_goes_wrong_on_a_worker_is_said_in_a_line(cluster, task, complaint):
    with pytest.raises(InputError, match=complaint) as failed:
        list(Workers(ALONE, cluster).spread(task, range(4)))
    assert "\n" not in str(failed.value)


def test_a_scheduler_that_is_gone_is_said_in_a_line(cluster):
    client = Client(cluster.client.scheduler.address, set_as_default=False)
    values = Workers(ALONE, Cluster(client, "node-1:8786")).spread(Processes(), range(20))
    next(values)
    client.close()
    with pytest.raises(InputError, match="cluster: expected the scheduler at node-1:8786, found "):
        list(values)


def test_a_stop_reaches_workers(cluster, tmp_path):
    stop = Stop()

    def ask():
        while not list(tmp_path.glob("waits-*")):
            time.sleep(0.02)
        stop.ask()

    asking = threading.Thread(target=ask)
    asking.start()
    with crew(1, stop) as own, pytest.raises(Stopped):
        list(Workers(own, cluster).spread(Processes(tmp_path, waits=3), range(20)))
    asking.join()
    values = Workers(ALONE, cluster).spread(Processes(), range(5))
    assert of_whom(values, range(5))  # nobody waits any more, or no worker would be free
    noted = len(list(tmp_path.glob("waits-*")))
    time.sleep(0.2)
    assert len(list(tmp_path.glob("waits-*"))) == noted


def test_workers_may_be_missing_for_a_moment(cluster, monkeypatch):
    usual = cluster.workers
    answers = iter([[], []])
    monkeypatch.setattr(cluster, "workers", lambda: next(answers, usual()))
    assert of_whom(Workers(ALONE, cluster).spread(Processes(), range(5)), range(5))


def test_values_that_come_early_wait_for_their_turn(cluster, monkeypatch):
    def work_off(cluster, draw, seats, check):
        jobs = [*iter(draw, None)]
        for job in reversed(jobs):
            yield Outcome(job, [(np.array([shard, 1]),) for shard in job.arguments[2]])

    monkeypatch.setattr(hands, "work_off", work_off)
    values = Workers(ALONE, cluster).spread(Processes(), range(50))
    assert of_whom(values, range(50)) == {1}


class Timer:
    """A timer that goes off when a test says so."""

    def __init__(self, seconds, call):
        self.call, self.goes = call, False

    def start(self):
        self.goes = True

    def cancel(self):
        self.goes = False

    def go_off(self):
        if self.goes:
            self.call()


def test_a_worker_forgets_what_nobody_asks_for(monkeypatch):
    begun = hands._Begun()
    monkeypatch.setattr(hands, "_begun", begun)
    monkeypatch.setattr(hands.threading, "Timer", Timer)
    task = Processes()
    assert isinstance(hands._do(task.digest, None, [1], 1, Stop()), hands.Lacking)
    assert len(hands._do(task.digest, task, [1], 1, Stop())) == 1
    timer = begun._forgetting
    assert begun.work(task.digest, None, ALONE) == task.work
    timer.go_off()  # a job has begun since
    assert begun.work(task.digest, None, ALONE) == task.work
    begun.leave()
    begun.leave()
    begun._forgetting.go_off()
    assert begun.work(task.digest, None, ALONE) is None


@pytest.mark.parametrize(
    ("turns", "settings", "has_shelf"),
    [("none", {}, False), ("quarter", {}, True), ("none", {"damage": "jpeg"}, True)],
)
def test_solutions_are_those_of_one_machine(
    cluster, tmp_path, monkeypatch, turns, settings, has_shelf
):
    for module in ("seams.all_pairs", "seams.blocks", "seams.rows"):
        monkeypatch.setattr(f"jigsolve.{module}.TILE", 32)
    puzzle = Puzzle.cut(data.chelsea()[:112, :168], 14).shuffle(3, turns=turns)[0]
    settings = Settings.of(**QUICK, **settings)
    expected = solve(puzzle, settings)
    helped = spread_over(cluster)
    if has_shelf:
        helped = both(helped, kept_on(tmp_path / "shelf"))
    found = solve(puzzle, settings, helped=helped)
    for name, mine in expected.prepared.table.arrays._asdict().items():
        np.testing.assert_array_equal(mine, getattr(found.prepared.table.arrays, name), name)
    np.testing.assert_array_equal(found.arrangement, expected.arrangement)
    assert found.cost == expected.cost
    assert bool(list(tmp_path.rglob("0*.npz"))) == has_shelf


def test_the_command_solves_on_a_cluster(cluster, tmp_path):
    puzzle = Puzzle.cut(data.chelsea()[:112, :168], 28).shuffle(3)[0]
    Image.fromarray(puzzle.image(np.arange(24))).save(tmp_path / "puzzle.png")
    solve_it = ["solve", "puzzle.png", "--piece", 28]
    address = cluster.client.scheduler.address
    for more in (["-o", "alone.png"], ["-o", "there.png", "--cluster", address, "--shelf", "kept"]):
        code, said = in_this_process([*solve_it, *more], tmp_path)
        assert code == 0, said
    there, alone = (Image.open(tmp_path / name) for name in ("there.png", "alone.png"))
    assert (np.asarray(there) == np.asarray(alone)).all()
    assert list((tmp_path / "kept").rglob("0*.npz"))
