"""Executors: values in order, progress, errors and stops."""

import threading

import pytest

from jigsolve.execution.crew import ALONE, crew
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
