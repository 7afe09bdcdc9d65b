"""Actions do what a slow and obvious desk does; undo takes all of them back, redo makes them."""

import json
import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import RefusedError, SlowDesk

from jigsolve.core import Board
from jigsolve.core.turns import possible_turns
from jigsolve.errors import InputError
from jigsolve.studio.actions import acted
from jigsolve.studio.desk import Change, Desk, Picture
from jigsolve.studio.projects import Project, first_desk
from jigsolve.studio.state import State

PIECES = 20
KINDS = (
    "move", "swap", "turn", "park", "place", "lock", "unlock", "accept", "reject", "forget",
)  # fmt: skip


@st.composite
def desks(draw, turns):
    """Return one or two small boards, some cells empty, some pieces in the tray."""
    pieces = draw(st.permutations(range(PIECES)))
    pictures, used = [], 0
    for rows, columns in draw(st.sampled_from([[(3, 4)], [(2, 3), (3, 3)], [(4, 4)], [(1, 5)]])):
        cells = np.full(rows * columns, -1, np.int32)
        for cell in range(len(cells)):
            if draw(st.integers(0, 5)):
                turn = draw(st.sampled_from([*possible_turns(turns)]))
                cells[cell] = 4 * pieces[used] + turn
                used += 1
        pictures.append(Picture(rows, columns, cells))
    placed = [pose >> 2 for each in pictures for pose in each.cells.tolist() if pose >= 0]
    locked = draw(st.sets(st.sampled_from(placed), max_size=2)) if placed else set()
    return Desk(tuple(pictures), frozenset(locked))


@st.composite
def actions(draw, desk):
    number = draw(st.integers(0, len(desk.pictures) - 1))
    picture = desk.pictures[number]
    cell = st.integers(0, len(picture.cells) - 1)
    cells = st.lists(cell, min_size=1, max_size=6)
    kind = draw(st.sampled_from(KINDS))
    action = {"kind": kind, "picture": number}
    if kind in ("move", "turn", "park", "lock", "unlock"):
        action["cells"] = draw(cells)
    if kind == "move":
        action["by"] = [draw(st.integers(-2, 2)), draw(st.integers(-2, 2))]
    if kind == "turn":
        action["by"] = draw(st.sampled_from([1, -1, 2]))
    if kind == "swap":
        other = draw(st.integers(0, len(desk.pictures) - 1))
        last = len(desk.pictures[other].cells) - 1
        return {"kind": kind, "a": [number, draw(cell)], "b": [other, draw(st.integers(0, last))]}
    if kind == "place":
        action |= {"pose": draw(st.integers(0, 4 * PIECES - 1)), "cell": draw(cell)}
    if kind in ("accept", "reject", "forget"):
        action |= {
            "row": draw(st.integers(0, picture.rows - 1)),
            "column": draw(st.integers(0, picture.columns - 1)),
            "dir": draw(st.sampled_from(["right", "below"])),
        }
    return action


@settings(max_examples=300)
@given(data=st.data(), turns=st.sampled_from(["none", "half", "quarter"]))
def test_actions_do_what_the_slow_desk_does(data, turns):
    desk = data.draw(desks(turns))
    slow = SlowDesk.of(desk, [*possible_turns(turns)])
    for _ in range(4):
        action = data.draw(actions(desk))
        try:
            slow.act(action)
            refused = False
        except RefusedError:
            refused = True
            slow = SlowDesk.of(desk, slow.kinds)  # it may have done half of it
        if refused:
            with pytest.raises(InputError):
                acted(desk, action, pieces=PIECES, turns=turns)
        else:
            desk, _ = acted(desk, action, pieces=PIECES, turns=turns)
        fast = SlowDesk.of(desk, slow.kinds)
        assert vars(fast) == vars(slow), action


@given(data=st.data())
def test_a_change_and_its_inverse_take_a_desk_there_and_back(data):
    one, other = data.draw(desks("quarter")), data.draw(desks("quarter"))
    change = Change.between(one, other)
    record = json.loads(json.dumps(change.as_record()))
    change = Change.from_record(record)
    assert one.changed(change) == other
    assert other.changed(change.inverse()) == one
    assert Desk.from_record(json.loads(json.dumps(one.as_record()))) == one


def project_in(folder, rows=4, columns=4):
    folder.mkdir(exist_ok=True)
    project = Project(folder)
    desk = first_desk(PIECES, Board(rows, columns))
    facts = {"pieces": {"count": PIECES}, "turns": "quarter", "stage": "cut"}
    project.record(stack="reset", change=Change.between(Desk(), desk).as_record(), facts=facts)
    return project


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    return tmp_path_factory.mktemp("projects")


@settings(max_examples=40)
@given(data=st.data())
def test_undo_all_is_the_start_and_redo_all_the_end(room, data):
    shutil.rmtree(room / "p", ignore_errors=True)
    project = project_in(room / "p")
    start, seen = project.state.desk, []
    for _ in range(data.draw(st.integers(1, 8))):
        if seen and not data.draw(st.integers(0, 3)):
            project.act({"kind": "undo"})
            seen.pop()
        if not data.draw(st.integers(0, 4)):  # what a solve finds is undone like anything else
            size = len(project.state.desk.pictures[0].cells)
            order = data.draw(st.permutations(range(PIECES)))[:size]
            found = Picture(4, 4, 4 * np.array(order, np.int32))
            project.change_to(Desk((found,), project.state.desk.locked), "solve")
        else:
            try:
                project.act(data.draw(actions(project.state.desk)))
            except InputError:
                continue
        seen.append(project.state.desk)
    end = project.state.desk
    assert len(project.state.done) == len(seen)
    for before in reversed([start, *seen[:-1]] if seen else []):
        project.act({"kind": "undo"})
        assert project.state.desk == before
    assert project.state.desk == start
    with pytest.raises(InputError, match="nothing to undo"):
        project.act({"kind": "undo"})
    if data.draw(st.booleans()):  # another server
        project.write_state()
        project = Project(room / "p")
    for after in seen:
        project.act({"kind": "redo"})
        assert project.state.desk == after
    assert project.state.desk == end
    project.write_state()
    assert Project(room / "p").state == project.state


def test_the_state_is_what_the_log_says_with_and_without_its_copy(tmp_path):
    project = project_in(tmp_path / "p")
    for number in range(130):
        project.act({"kind": "swap", "a": [0, number % 16], "b": [0, (number * 7 + 3) % 16]})
        if number % 9 == 0:
            project.act({"kind": "undo"})
        if number == 60:
            project.act({"kind": "snapshot", "name": "here"})
    state = project.state
    assert (tmp_path / "p" / "state.json").exists(), "it is written from time to time"
    for damage in (None, b"", b"{", b'{"n": 5}'):
        if damage is None:
            (tmp_path / "p" / "state.json").unlink()
        else:
            (tmp_path / "p" / "state.json").write_bytes(damage)
        assert Project(tmp_path / "p").state == state


def test_a_copy_that_is_ahead_of_a_cut_log_is_not_used(tmp_path):
    project = project_in(tmp_path / "p")
    project.act({"kind": "park", "picture": 0, "cells": [3]})
    before = project.state
    project.act({"kind": "park", "picture": 0, "cells": [4]})
    project.write_state()
    log = tmp_path / "p" / "log"
    log.write_bytes(log.read_bytes()[:-5])
    assert Project(tmp_path / "p").state == before


def test_snapshots_are_restored_and_that_is_undone(tmp_path):
    project = project_in(tmp_path / "p")
    project.act({"kind": "park", "picture": 0, "cells": [3, 5]})
    project.act({"kind": "lock", "picture": 0, "cells": [0]})
    named = project.state.desk
    project.act({"kind": "snapshot", "name": "two parked"})
    project.act({"kind": "swap", "a": [0, 1], "b": [0, 2]})
    project.act({"kind": "unlock", "picture": 0, "cells": [0]})
    last = project.state.desk
    project.act({"kind": "restore", "name": "two parked"})
    assert project.state.desk == named
    project.act({"kind": "undo"})
    assert project.state.desk == last
    with pytest.raises(InputError, match="name of a snapshot"):
        project.act({"kind": "restore", "name": "never made"})


def test_the_state_of_nothing_is_empty():
    assert State().desk == Desk()
    assert State.from_record(json.loads(json.dumps(State().as_record()))) == State()
