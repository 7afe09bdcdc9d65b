"""Projects on disk: one folder each, with a log that is all there is to know of it.

The state is what the log's entries make. It is written beside the log from time to time, so that
opening does not read all of it; where that file is missing or damaged, the log is enough.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jigsolve.core import Board
from jigsolve.errors import InputError
from jigsolve.studio.actions import Action, acted
from jigsolve.studio.atlas import atlas_of
from jigsolve.studio.checks import check_keys
from jigsolve.studio.desk import Change, Desk, Picture
from jigsolve.studio.hub import Hub, Message
from jigsolve.studio.kept import read_json, write_json
from jigsolve.studio.log import Entry, Log
from jigsolve.studio.state import State

if TYPE_CHECKING:
    from jigsolve.studio.runs import Run

LOG, STATE = "log", "state.json"
ENTRIES_BETWEEN_STATES = 50
MOST_TOLD = 2000
"""Cells that a message lists; where more change, pages ask for the whole state."""
LONGEST_NAME = 120
_OF_ALL: dict[str, tuple[str, ...]] = {
    "snapshot": ("name",),
    "restore": ("name",),
    "undo": (),
    "redo": (),
}
"""Actions that are about the whole desk, and the parameters they have."""


class BusyError(InputError):
    """Something else is under way."""


class Project:
    """One puzzle, with all that was done to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.id = folder.name
        self._log = Log(folder / LOG)
        self.state = self._opened()
        self._written = self.state.n
        self.hub = Hub(self.state.n)
        self.one_at_a_time = asyncio.Lock()
        self._lock = threading.RLock()  # actions are recorded in threads, messages are not
        self.run: Run | None = None
        self.worth: dict[str, float | None] | None = None
        """Cost and belief of what lies on the desk, once they are worked out."""

    def _opened(self) -> State:
        state = State()
        if (record := read_json(self.folder / STATE)) is not None:
            try:
                saved = State.from_record(record)
                state = saved if saved.n <= len(self._log) else state
            except (KeyError, TypeError, ValueError):
                pass
        for entry in self._log.after(state.n):
            state = state.after(entry)
        return state

    def record(self, **entry: Any) -> Message:
        """Add an entry to the log; return the message that tells of it."""
        with self._lock:
            self._log.append({"at": round(time.time(), 3), **entry})
            before, self.state = self.state, self.state.after(entry)
            if self.state.n - self._written >= ENTRIES_BETWEEN_STATES:
                self.write_state()
            return told(entry, before, self.state)

    def write_state(self) -> None:
        """Write the state beside the log."""
        write_json(self.folder / STATE, self.state.as_record())
        self._written = self.state.n

    def change_to(self, desk: Desk, label: str, **facts: Any) -> Message:
        """Record another desk, as something that can be undone."""
        with self._lock:
            change = Change.between(self.state.desk, desk).as_record()
            return self.record(label=label, stack="do", change=change, facts=facts)

    def act(self, action: Action) -> Message:
        """Do what a person asks for; raise where it cannot be done."""
        with self._lock:
            return self._acted(action)

    def _acted(self, action: Action) -> Message:
        kind = action.get("kind")
        if isinstance(kind, str) and kind in _OF_ALL:
            check_keys(action, ("kind", *_OF_ALL[kind]))
        if kind == "snapshot":
            return self._snapshot(action)
        self.check_idle()
        if kind in ("undo", "redo"):
            return self._go_back(kind)
        if kind == "restore":
            desk, label = self._snapshot_of(action), f"restore {action['name']!r}"
            return self.change_to(desk, label, heeded={})
        desk, label = self.after(action)
        return self.change_to(desk, label)

    def after(self, action: Action) -> tuple[Desk, str]:
        """Return the desk after an action, and what it is called."""
        about = self.state.facts["pieces"]
        if about is None:
            raise InputError("expected a puzzle that is cut, found none yet")
        turns = self.state.facts["turns"]
        return acted(self.state.desk, action, pieces=about["count"], turns=turns)

    def check_idle(self) -> None:
        """Raise while something is under way."""
        if self.run is not None:
            raise BusyError("a run is under way: wait until it has ended, or stop it")

    def _go_back(self, kind: str) -> Message:
        stack = self.state.done if kind == "undo" else self.state.undone
        if not stack:
            raise InputError(f"there is nothing to {kind}")
        entry = self._log.entry(stack[-1].number)
        change, facts = Change.from_record(entry["change"]), {}
        if "heeded" in entry.get("facts", {}):  # undone, it is heeded no longer
            facts["heeded"] = entry["facts"]["heeded"] if kind == "redo" else {}
        change = change.inverse() if kind == "undo" else change
        return self.record(stack=kind, change=change.as_record(), facts=facts)

    def _snapshot(self, action: Action) -> Message:
        name = checked_name(action.get("name"))
        others = [each for each in self.state.facts["snapshots"] if each["name"] != name]
        facts = {"snapshots": [*others, {"name": name, "n": self.state.n + 1}]}
        return self.record(desk=self.state.desk.as_record(), facts=facts)

    def _snapshot_of(self, action: Action) -> Desk:
        for each in self.state.facts["snapshots"]:
            if each["name"] == action.get("name"):
                return Desk.from_record(self._log.entry(each["n"])["desk"])
        raise InputError(f"expected the name of a snapshot, found {action.get('name')!r:.60}")

    def describe(self) -> dict[str, Any]:
        """Return the whole state as pages take it."""
        facts, desk = dict(self.state.facts), self.state.desk
        return {
            "n": self.state.n,
            "id": self.id,
            **facts,
            **(self.worth or {}),
            **desk.as_record(),
            **self.state.what_can_be_undone(),
            "run": None if self.run is None else self.run.describe(),
        }

    def in_short(self) -> dict[str, Any]:
        """Return a line of the list of projects."""
        facts = self.state.facts
        count = facts["pieces"]["count"] if facts["pieces"] else 0
        changed = (self.folder / LOG).stat().st_mtime
        return {
            "id": self.id,
            "name": facts["name"],
            "pieces": count,
            "stage": facts["stage"],
            "changed": changed,
        }

    def desks(self) -> Iterator[Desk]:
        """Return the desk after each entry since the pieces were cut that changed it."""
        state, found = State(), list[Desk]()
        for entry in self._log.after(0):
            state = state.after(entry)
            if entry.get("stack") == "reset":
                found = []
            if "change" in entry:
                found.append(state.desk)
        return iter(found)


def told(entry: Entry, before: State, after: State) -> Message:
    """Return the message that tells pages of an entry."""
    change = Change.from_record(entry["change"]) if "change" in entry else Change()
    facts_stay = all(before.facts.get(name) == of for name, of in entry.get("facts", {}).items())
    if change.pictures is not None or len(change.cells) > MOST_TOLD or not facts_stay:
        return {"n": after.n, "kind": "reload"}
    said = {
        name: sorted(getattr(after.desk, name))
        for name in ("locked", "joined", "parted")
        if change.added[name] or change.removed[name]
    }
    return {
        "n": after.n,
        "kind": "changed",
        "cells": change.cells[:, [0, 1, 3]].tolist(),
        **said,
        "label": entry.get("label", entry.get("stack", "")),
        **after.what_can_be_undone(),
        "stage": after.facts["stage"],
    }


def pieces_in_words(count: int, height: int, width: int, names: Any) -> dict[str, Any]:
    """Return what pages are told of the pieces."""
    return {
        "count": count,
        "width": width,
        "height": height,
        "names": names,
        "atlas": atlas_of(count, height, width),
    }


def checked_name(name: object) -> str:
    """Return a name that a person gives; raise unless it is one."""
    plain = "".join(c for c in name if c.isprintable()).strip() if isinstance(name, str) else ""
    if not plain:
        raise InputError(f"name: expected some letters, found {name!r:.40}")
    return plain[:LONGEST_NAME]


def first_desk(count: int, board: Board | None) -> Desk:
    """Return the pieces in the order they were given, where the board is known."""
    if board is None:
        return Desk()
    cells = np.full(board.rows * board.columns, -1, np.int32)
    used = min(count, len(cells))
    cells[:used] = 4 * np.arange(used)
    return Desk((Picture(board.rows, board.columns, cells),))
