"""Executors: values in order, progress, errors and stops."""

import threading

import pytest

from jigsolve.execution.crew import ALONE, SHARDS_AT_ONCE, crew
from jigsolve.execution.stop import Stop, Stopped


@pytest.fixture(params=[0, 1, 3])
def executor(request):
    if not request.param:
        yield ALONE
        return
    with crew(request.param) as hands:
        yield hands


def test_values_come_in_the_order_of_the_shards_and_progress_ends_with_all(executor):
    told = []
    found = executor.map(lambda n: n * n, range(50), lambda *done: told.append(done))
    assert found == [n * n for n in range(50)]
    assert told == sorted(told)
    assert told[-1] == (50, 50)


def test_no_shards_are_no_values(executor):
    assert executor.map(lambda n: n, []) == []


def test_an_error_of_a_shard_is_raised(executor):
    with pytest.raises(ZeroDivisionError):
        executor.map(lambda n: 1 // n, [1, 0, 2])
    executor.check()  # nobody asked for a stop


def test_work_that_takes_long_hears_of_a_stop():
    stop, begun = Stop(), threading.Event()

    def work(shard):
        begun.set()
        for _ in range(10_000):
            hands.check()
            threading.Event().wait(0.01)

    threading.Thread(target=lambda: begun.wait() and stop.ask()).start()
    with crew(1, stop) as hands, pytest.raises(Stopped):
        hands.map(work, [1, 2])


class Squares:
    """A task that notes which shards are begun, and looks for a stop where it is told to wait."""

    name = "squares"
    memory = 0
    digest = "squares"

    def __init__(self, wait_at=None):
        self.begun = []
        self.wait_at = wait_at
        self.waits, self.ended = threading.Event(), threading.Event()

    def begin(self, crew):
        return self.work

    def work(self, shard, check):
        self.begun.append(shard)
        try:
            while shard == self.wait_at:
                self.waits.set()
                check()
                threading.Event().wait(0.01)
        finally:
            if shard == self.wait_at:
                self.ended.set()
        return (shard * shard,)

    def accepts(self, shard, value):
        return value == (shard * shard,)


def test_a_task_is_done_shard_by_shard(executor):
    task = Squares()
    assert list(executor.spread(task, [5, 3, *range(100)])) == [
        (25,), (9,), *((n * n,) for n in range(100))
    ]  # fmt: skip
    assert sorted(task.begun) == sorted([5, 3, *range(100)])
    assert list(executor.spread(task, [])) == []


def test_a_value_is_there_before_all_shards_are_done(executor):
    task = Squares()
    values = executor.spread(task, range(10_000))
    assert [next(values), next(values)] == [(0,), (1,)]
    values.close()
    assert len(task.begun) <= 2 * SHARDS_AT_ONCE


def test_who_wants_no_more_values_waits_for_no_shard():
    task = Squares(wait_at=1)
    with crew(2) as hands:
        values = hands.spread(task, range(10))
        assert next(values) == (0,)
        task.waits.wait()
        values.close()  # as Ctrl-C does
        assert task.ended.is_set()
        assert hands.map(abs, [-1]) == [1]


def test_a_task_heeds_a_stop():
    stop, task = Stop(), Squares(wait_at=0)
    threading.Thread(target=lambda: task.waits.wait() and stop.ask()).start()
    with crew(2, stop) as hands, pytest.raises(Stopped):
        list(hands.spread(task, range(10)))
    assert task.ended.is_set()
