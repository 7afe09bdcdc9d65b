"""The state of a project: what its log's entries make, one after the other. Values only.

An entry has `facts` that replace those of the same name, a `change` of the desk, and `stack`, which
says what it does to what can be undone: "do" adds to it, "undo" and "redo" move the last of it from
one stack to the other, and "reset" leaves nothing to undo: other pieces are cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from jigsolve.studio.desk import Change, Desk
from jigsolve.studio.log import Entry

FIRST_FACTS: dict[str, Any] = {
    "name": "",
    "stage": "empty",
    "source": None,
    "detection": None,
    "pieces": None,
    "turns": "none",
    "cost": None,
    "believed": None,
    "previous": None,
    "snapshots": [],
    "messages": [],
}


class Done(NamedTuple):
    """Something that was done: the number of its entry, and what it is called."""

    number: int
    label: str


@dataclass(frozen=True)
class State:
    """A project after a number of entries."""

    n: int = 0
    facts: Mapping[str, Any] = field(default_factory=lambda: dict(FIRST_FACTS))
    desk: Desk = field(default_factory=Desk)
    done: tuple[Done, ...] = ()
    undone: tuple[Done, ...] = ()

    def after(self, entry: Entry) -> State:
        """Return the state after one more entry."""
        desk = self.desk
        if "change" in entry:
            desk = desk.changed(Change.from_record(entry["change"]))
        done, undone = self.done, self.undone
        match entry.get("stack"):
            case "do":
                done, undone = (*done, Done(self.n + 1, entry["label"])), ()
            case "undo":
                done, undone = done[:-1], (*undone, done[-1])
            case "redo":
                done, undone = (*done, undone[-1]), undone[:-1]
            case "reset":
                done = undone = ()
        facts = {**self.facts, **entry.get("facts", {})}
        return replace(self, n=self.n + 1, facts=facts, desk=desk, done=done, undone=undone)

    def what_can_be_undone(self) -> dict[str, Any]:
        """Return what a page needs for its buttons."""
        return {
            "canUndo": bool(self.done),
            "canRedo": bool(self.undone),
            "undoLabel": self.done[-1].label if self.done else None,
            "redoLabel": self.undone[-1].label if self.undone else None,
        }

    def as_record(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return {
            "n": self.n,
            "facts": dict(self.facts),
            "desk": self.desk.as_record(),
            "done": self.done,
            "undone": self.undone,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> State:
        """Return the state of a record."""
        return cls(
            int(record["n"]),
            {**FIRST_FACTS, **record["facts"]},
            Desk.from_record(record["desk"]),
            tuple(Done(*each) for each in record["done"]),
            tuple(Done(*each) for each in record["undone"]),
        )
