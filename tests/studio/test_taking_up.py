"""A server that starts finds what another left in the middle: a result, a job, or nothing."""

import asyncio

import numpy as np
import pytest

from jigsolve.core import Board
from jigsolve.studio.desk import Change, Desk, Picture
from jigsolve.studio.hub import MOST_KEPT, MOST_WAITING, Hub
from jigsolve.studio.kept import write_json
from jigsolve.studio.projects import Project, first_desk
from jigsolve.studio.studio import Studio

FOUND = Picture(2, 3, 4 * np.array([5, 4, 3, 2, 1, 0], np.int32))
JOB = {
    "kind": "solve",
    "pictures": 1,
    "picture": 0,
    "ids": None,
    "before": "cut",
}


@pytest.fixture
def left(tmp_path):
    """Return the folder of a project that was being solved."""
    folder = tmp_path / ("0" * 16)
    folder.mkdir()
    project = Project(folder)
    facts = {"name": "left", "stage": "cut", "pieces": {"count": 6}}
    change = Change.between(Desk(), first_desk(6, Board(2, 3)))
    project.record(stack="reset", change=change.as_record(), facts=facts)
    project.record(facts={"stage": "solving"})
    return folder


def started(folder):
    """Return the project as a server finds it when it starts, and when the next one does."""

    async def start():
        studio = Studio(folder.parent)
        project = studio.shelf.project(folder.name)
        await studio.close()
        return project

    project = asyncio.run(start())
    assert asyncio.run(start()).state == project.state
    return project


def test_a_result_that_was_not_logged_is_taken_over(left):
    write_json(left / "job.json", JOB)
    result = {"pictures": [FOUND.as_record()], "cost": 5.0, "believed": 0.5, "stopped": "asked"}
    write_json(left / "result.json", result)
    project = started(left)
    assert project.state.facts["stage"] == "solved"
    assert project.state.desk.pictures == (FOUND,)
    assert {path.name for path in left.iterdir()} == {"log", "state.json"}
    project.act({"kind": "undo"})
    assert project.state.desk == first_desk(6, Board(2, 3))


def test_a_job_that_is_lost_is_told_of(left):
    project = started(left)
    assert project.state.facts["stage"] == "cut"
    assert "begin it again" in project.state.facts["messages"][-1]


def test_a_job_whose_result_was_logged_is_over(left):
    project = Project(left)
    project.change_to(Desk((FOUND,)), "solve", stage="solved")
    write_json(left / "job.json", JOB)
    write_json(left / "result.json", {"pictures": []})
    assert started(left).state == project.state
    assert not (left / "job.json").exists()


def test_a_page_that_is_too_far_behind_is_sent_away():
    async def listen():
        hub = Hub(0)
        slow = hub.join(0)
        for n in range(1, MOST_WAITING + 2):
            hub.tell({"n": n, "kind": "changed"})
            hub.tell({"kind": "run", "done": n})
        assert await slow.next() is None
        back = hub.join(MOST_WAITING + 1 - MOST_KEPT)
        told = [await back.next() for _ in range(MOST_KEPT)]
        assert [each["n"] for each in told] == [
            *range(MOST_WAITING + 2 - MOST_KEPT, MOST_WAITING + 2)
        ]
        late = hub.join(5)
        assert await late.next() == {"kind": "reload", "n": MOST_WAITING + 1}

    asyncio.run(listen())


def test_of_what_has_no_number_a_slow_page_gets_the_latest():
    async def listen():
        hub = Hub(0)
        page = hub.join(0)
        for done in range(100):
            hub.tell({"kind": "run", "done": done})
            hub.tell({"kind": "arranged", "picture": done % 2, "cost": done})
        hub.tell({"n": 1, "kind": "changed"})
        told = [await page.next() for _ in range(4)]
        assert told == [
            {"n": 1, "kind": "changed"},
            {"kind": "run", "done": 99},
            {"kind": "arranged", "picture": 0, "cost": 98},
            {"kind": "arranged", "picture": 1, "cost": 99},
        ]
        hub.leave(page)
        hub.tell({"n": 2, "kind": "changed"})
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(page.next(), 0.05)

    asyncio.run(listen())
