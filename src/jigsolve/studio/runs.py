"""What is under way: reading and solving, in processes of their own, and taking them up again.

A job is in the project's folder as long as it is under way. A server that starts and finds one goes
on with it: a solve from its checkpoint, or from its result if that is there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from jigsolve.execution.stop import ASKED, TIME
from jigsolve.studio.constraining import homes_of
from jigsolve.studio.desk import Change, Picture
from jigsolve.studio.hub import Message
from jigsolve.studio.kept import read_json, write_json
from jigsolve.studio.process import Worker
from jigsolve.studio.projects import Project, pieces_in_words
from jigsolve.studio.uploads import clear

JOB, READ, RESULT, CHECKPOINT = "job.json", "read.json", "result.json", "checkpoint.npz"
SECONDS_TO_STOP = 10.0
MOST_MESSAGES = 20
MOST_POINTS = 2000

ENDED_IN_WORDS = {
    "read": "The pieces are read; please look at the grid.",
    "price": "The seams are priced; what lies there stays.",
}
REASONS = {
    ASKED: "Stopped; the best so far is kept.",
    TIME: "The time is up; the best so far is kept.",
    "patience": "Done: nothing better was found any more.",
}


def in_words(stopped: str | None) -> str:
    """Say why a solve ended."""
    return REASONS.get(stopped or "", "Done.")


class Run:
    """A job that is under way, and how far it is."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.worker: Worker | None = None
        self.ended = asyncio.Event()
        self.error: str | None = None
        self._since = time.time()
        self._how_far: dict[str, Any] = {
            "stage": "starting",
            "done": 0,
            "total": 0,
            "rate": 0,
            "left": None,
        }
        self._curve: list[tuple[float, float]] = []
        self.latest: dict[str, Any] | None = None

    def hear(self, message: dict[str, Any]) -> None:
        """Note how far it is."""
        match message["kind"]:
            case "run":
                self._how_far = {name: of for name, of in message.items() if name != "kind"}
            case "cost":
                self._curve.append((message["seconds"], message["cost"]))
                if len(self._curve) > MOST_POINTS:
                    del self._curve[1:-1:2]
            case "picture":  # what another one costs is no part of the same curve
                self._curve.clear()
            case "arranged":
                self.latest = message

    def describe(self) -> dict[str, Any]:
        """Return what pages are told of it."""
        return {
            "job": self.kind,
            **self._how_far,
            "curve": self._curve,
            "since": self._since,
            "arranged": self.latest,
        }


class Runs:
    """All that is under way."""

    def __init__(self, changed: Callable[[Project, Message], None]) -> None:
        self._changed = changed  # told of every entry that changed a project
        self._loop = asyncio.get_running_loop()
        self._every: dict[str, tuple[Project, Run]] = {}
        self._is_closing = False

    def start(self, project: Project, job: dict[str, Any]) -> Run:
        """Start a job; raise if one of the project is under way."""
        project.check_idle()
        for name in (READ, RESULT, CHECKPOINT):
            (project.folder / name).unlink(missing_ok=True)
        stage = "reading" if job["kind"] == "read" else "solving"
        job = {**job, "before": project.state.facts["stage"]}
        write_json(project.folder / JOB, job)
        facts = {"stage": stage, "messages": []}
        self._changed(project, project.record(facts=facts))
        return self._under_way(project, job)

    def take_up(self, project: Project) -> None:
        """Go on with what was under way when a server ended."""
        job = read_json(project.folder / JOB)
        if project.state.facts["stage"] not in ("reading", "solving"):
            (project.folder / JOB).unlink(missing_ok=True)  # all of it was taken over
            return
        if job is None:
            stage = "cut" if project.state.desk.pictures else "empty"
            self._give_up(project, stage, "what was to be done is lost; please begin it again")
            return
        done = READ if job["kind"] == "read" else RESULT
        if (project.folder / done).exists():
            self._finish(project, job, None)
        else:
            self._under_way(project, job)

    def _under_way(self, project: Project, job: dict[str, Any]) -> Run:
        run = project.run = Run(job["kind"])
        self._every[project.id] = project, run

        def told(message: dict[str, Any]) -> None:
            self._loop.call_soon_threadsafe(self._hear, project, run, job, message)

        run.worker = Worker({**job, "folder": str(project.folder)}, told)
        return run

    def _hear(
        self, project: Project, run: Run, job: dict[str, Any], message: dict[str, Any]
    ) -> None:
        if self._is_closing:
            return
        run.hear(message)
        if message["kind"] == "message":
            messages = [*project.state.facts["messages"], message["text"]][-MOST_MESSAGES:]
            self._changed(project, project.record(facts={"messages": messages}))
        if message["kind"] != "ended":
            project.hub.tell(message)
            return
        run.error = message["error"]
        del self._every[project.id]
        try:
            self._finish(project, job, run.error)
        finally:
            project.run = None
            run.ended.set()

    def _finish(self, project: Project, job: dict[str, Any], error: str | None) -> None:
        """Take over what a job has found."""
        done = READ if job["kind"] == "read" else RESULT
        found = read_json(project.folder / done)
        if found is None:
            self._give_up(project, job["before"], error or "the run ended without a result")
        else:
            entry = _TAKEN_OVER[job["kind"]](project, job, found)
            project.worth = None  # what it says itself counts, until it is worked out
            self._changed(project, project.record(**entry))
            reason = ENDED_IN_WORDS.get(job["kind"]) or in_words(found["stopped"])
            project.hub.tell({"kind": "run-ended", "reason": reason})
        for name in (JOB, done, CHECKPOINT):
            (project.folder / name).unlink(missing_ok=True)
        if job["kind"] == "read":
            clear(project.folder)

    def _give_up(self, project: Project, stage: str, error: str) -> None:
        facts = project.state.facts
        messages = [*facts["messages"], error][-MOST_MESSAGES:]
        self._changed(project, project.record(facts={"stage": stage, "messages": messages}))
        project.hub.tell({"kind": "error", "text": error})
        project.hub.tell({"kind": "run-ended", "reason": "It ended without a result."})

    def stop(self, project: Project) -> None:
        """Ask what is under way to stop soon; the best so far is its result."""
        if project.run is not None and project.run.worker is not None:
            project.run.worker.stop()

    async def close(self) -> None:
        """Stop all that is under way, so that it can be taken up again."""
        self._is_closing = True
        under_way = [run.worker for _, run in self._every.values() if run.worker]
        for worker in under_way:
            worker.leave()
        for worker in under_way:
            await asyncio.to_thread(worker.wait, SECONDS_TO_STOP)


def _read_entry(project: Project, job: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    source = {
        "kind": found["kind"],
        "width": found["picture"][0] if found["picture"] else None,
        "height": found["picture"][1] if found["picture"] else None,
        "files": job.get("files", 1),
    }
    pieces = None
    if found["count"]:
        pieces = pieces_in_words(found["count"], found["height"], found["width"], found["names"])
    facts = {
        "stage": "grid",
        "source": source,
        "detection": found["detection"],
        "turns": found["detection"]["turns"],
        "pieces": pieces,
        "solved": False,
    }
    return {"facts": facts}


def _solved_entry(project: Project, job: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    desk, facts = project.state.desk, project.state.facts
    solved = [Picture.from_record(each) for each in found["pictures"]]
    pictures = solved
    if "board" in job:
        pictures = [*desk.pictures]
        pictures[job["picture"]] = solved[0]
    after = replace(desk, pictures=tuple(pictures))
    homes, heeded = {}, {str(job["picture"]): desk.sayings()}
    if "board" not in job:
        count = facts["pieces"]["count"]
        homes = {"homes": homes_of(solved, count)}
        heeded = {str(number): desk.sayings() for number in range(len(solved))}
    return {
        "label": "solve",
        "stack": "do",
        "change": Change.between(desk, after).as_record(),
        "facts": {
            "stage": "solved",
            "solved": True,
            "previous": {
                **(project.worth or {"cost": facts["cost"], "believed": facts["believed"]}),
                "pictures": [picture.as_record() for picture in desk.pictures],
            },
            "cost": found["cost"] if len(pictures) == len(solved) else None,
            "believed": found["believed"] if len(pictures) == len(solved) else None,
            "heeded": {**facts.get("heeded", {}), **heeded},
            **homes,
        },
    }


def _priced_entry(project: Project, job: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    return {"facts": {"stage": job["before"]}}


_TAKEN_OVER = {"read": _read_entry, "solve": _solved_entry, "price": _priced_entry}
