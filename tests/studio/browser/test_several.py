"""Several pictures, browsers and fingers; what the command line and the page hand each other.

All but the first share the example as an opened solution, whose seams are priced and not solved;
each undoes what it did.
"""

import json

import numpy as np
import pytest
from helpers import in_this_process
from helpers_of_browser import Person, expect_words
from PIL import Image
from playwright.sync_api import expect

from jigsolve import Puzzle, demo_photo
from jigsolve.studio.studio import EXAMPLE_PIECE, EXAMPLE_SEED

PUZZLE, TRUTH = Puzzle.cut(demo_photo(), EXAMPLE_PIECE).shuffle(EXAMPLE_SEED)
ROWS, COLUMNS = PUZZLE.board


def record(pieces):
    rows, columns = pieces.shape
    return {"board": {"rows": rows, "columns": columns}, "arrangement": pieces.ravel().tolist()}


def solution(*pictures):
    """Return a record as the command line writes it, of one picture or of several."""
    if len(pictures) == 1:
        return json.dumps({"format": "jigsolve-solution", **record(pictures[0])})
    every = [record(pieces) for pieces in pictures]
    return json.dumps({"format": "jigsolve-bag-solution", "pictures": every})


@pytest.fixture
def person(person):
    """Somebody for whom things happen soon: no test here waits for a search of all pieces."""
    person.page.set_default_timeout(30_000)
    return person


@pytest.fixture(scope="module")
def opened(server):
    """Return a project that is as if it were solved."""
    client = server.client()
    project = client.post("/api/projects", {"example": True})["id"]
    client.post(f"/api/projects/{project}/import", json.loads(solution(TRUTH)))
    client.wait_for(project, "solved")
    return project


@pytest.fixture
def at_work(person, server, opened):
    """Somebody who has the example before them, put together; afterwards all is undone."""
    goes_to(person, opened)
    yield person
    client = server.client()
    while client.get(f"/api/projects/{opened}/state")["undoLabel"] != "open a solution":
        client.post(f"/api/projects/{opened}/actions", {"kind": "undo"})


def goes_to(person, project):
    person.page.goto(f"http://{person.server.host}/#{project}")
    person.sees_pieces()
    person.settles()


def poses(pieces):
    return [4 * piece if piece >= 0 else -1 for piece in np.ravel(pieces).tolist()]


def at(row, column, columns=COLUMNS):
    return row * columns + column


def moved(pieces, rows, columns, by):
    """Return pieces with a block exchanged for another, as a move does it."""
    there = slice(rows.start + by[0], rows.stop + by[0])
    beside = slice(columns.start + by[1], columns.stop + by[1])
    after = pieces.copy()
    after[there, beside], after[rows, columns] = pieces[rows, columns], pieces[there, beside]
    return after


def test_pieces_go_from_one_picture_to_another(person, tmp_path):
    page = person.page
    left, right = np.hsplit(TRUTH, [11])
    page.get_by_role("button", name="Try the example").click()
    expect_words(page, "Ready to solve")
    person.sees_pieces()
    path = tmp_path / "two.json"
    path.write_text(solution(left, right))
    page.get_by_label("A solution", exact=True).set_input_files(path)
    person.shows(poses(left))
    person.is_solved()
    person.settles()
    expect(page.get_by_label("Result").get_by_text("%")).to_be_visible()  # its seams are priced

    # Two pieces are dragged to the other picture, and put down where they are clicked.
    person.drag(person.middle(at(3, 4, 11)), person.middle(at(3, 5, 11)))
    expect(page.get_by_text("2 pieces selected")).to_be_visible()
    arrow = page.get_by_role("button", name="Next picture").bounding_box()
    person.drag(person.middle(at(3, 4, 11)), (arrow["x"] + 9, arrow["y"] + 9))
    person.shows(poses(right))
    person.click(at(6, 2, 10))
    carried = right.copy()
    carried[6, 2:4] = left[3, 4:6]
    person.shows(poses(carried))
    assert person.state()["undoLabel"] == "move 2 pieces to picture 2"
    expect_words(page, "a piece of another picture lies there")
    person.press("Control+z")
    person.shows(poses(right))

    # One goes by the tray.
    person.click(at(0, 0, 10))
    person.press("p", "PageUp")
    person.shows(poses(left))
    page.get_by_role("tab", name="Tray 1").click()
    tray = page.get_by_role("button", name="Lift piece").bounding_box()
    person.drag((tray["x"] + 20, tray["y"] + 20), person.middle(at(5, 5, 11)))
    put = left.copy()
    put[5, 5] = right[0, 0]
    person.shows(poses(put))
    person.press("Control+z", "Control+z")
    person.shows(poses(left))

    # A picture is solved on by itself.
    page.get_by_label("Picture", exact=True).select_option("1")
    person.shows(poses(right))
    person.click(at(2, 2, 10))
    person.drag(person.middle(at(2, 2, 10)), person.middle(at(9, 7, 10)))
    person.shows(poses(moved(right, slice(2, 3), slice(2, 3), (7, 5))))
    person.press("s")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    person.is_solved()
    person.shows(poses(right))
    person.press("PageUp")
    person.shows(poses(left))


def test_only_the_selection_is_solved(at_work):
    person, page = at_work, at_work.page
    elsewhere = moved(TRUTH, slice(10, 11), slice(15, 17), (2, 2))
    mess = moved(elsewhere, slice(1, 3), slice(1, 3), (2, 2))
    person.does({"kind": "move", "picture": 0, "cells": [at(10, 15), at(10, 16)], "by": [2, 2]})
    block = [at(row, column) for row in (1, 2) for column in (1, 2)]
    person.does({"kind": "move", "picture": 0, "cells": block, "by": [2, 2]})
    person.shows(poses(mess))
    person.press("Shift+S")
    expect_words(page, "Select two pieces or more first")
    person.drag(person.middle(at(0, 0)), person.middle(at(5, 5)))
    expect(page.get_by_role("button", name="Only these 36")).to_be_visible()
    person.press("Shift+S")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    person.is_solved()
    person.shows(poses(elsewhere))
    person.page.keyboard.down("c")
    person.shows(poses(mess))
    person.page.keyboard.up("c")
    person.shows(poses(elsewhere))


def test_a_snapshot_is_gone_back_to(at_work):
    person, page = at_work, at_work.page
    after = moved(TRUTH, slice(4, 5), slice(4, 5), (3, 3))
    person.does({"kind": "move", "picture": 0, "cells": [at(4, 4)], "by": [3, 3]})
    page.get_by_role("tab", name="Steps").click()
    page.get_by_label("Name of the snapshot").fill("a try")
    person.press("Enter")
    expect_words(page, "Kept as “a try”")
    page.get_by_role("button", name="Undo: move a piece").last.click()
    person.shows(poses(TRUTH))
    page.get_by_role("button", name="Go back to it").click()
    person.shows(poses(after))
    page.reload()
    person.sees_pieces()
    person.shows(poses(after))
    person.press("Control+z")
    person.shows(poses(TRUTH))


def test_two_browsers_see_the_same(at_work, browser):
    context = browser.new_context(viewport={"width": 800, "height": 700}, color_scheme="dark")
    other = Person(context.new_page(), at_work.server)
    other.open(at_work.server.address)
    goes_to(other, at_work.id)
    at_work.click(at(2, 3))
    at_work.press("l", "p")  # what is locked stays
    expect_words(at_work.page, "unlock it first")
    expect(other.page.get_by_text("locked 1 piece")).to_be_visible()
    other.click(at(5, 5))
    other.press("p")
    parked = TRUTH.copy()
    parked[5, 5] = -1
    at_work.shows(poses(parked))
    at_work.press("Control+z")
    other.shows(poses(TRUTH))
    assert other.page.evaluate("document.documentElement.scrollWidth") == 800
    context.close()
    assert other.troubles == []
    at_work.excuses("400")


def test_fingers_on_a_fine_screen(browser, server, opened, at_work):
    context = browser.new_context(
        viewport={"width": 1000, "height": 760}, device_scale_factor=2, has_touch=True
    )
    person = Person(context.new_page(), server)
    person.open(server.address)
    goes_to(person, opened)
    page, touch = person.page, person.fingers()
    camera = "(({x, y, scale}) => [x, y, scale])(window.studio.camera)"
    _, _, scale = page.evaluate(camera)
    x, y = person.middle(at(6, 8))

    touch([(x - 30, y)], [(x - 30, y), (x + 30, y)], [(x - 60, y), (x + 60, y)])  # pinch
    assert page.evaluate(camera)[2] == pytest.approx(2 * scale)
    before = page.evaluate(camera)
    touch([(x, y), (x + 60, y)], [(x + 40, y + 20), (x + 100, y + 20)])  # pan
    after = page.evaluate(camera)
    assert [after[i] + (40, 20)[i] / after[2] for i in (0, 1)] == pytest.approx(before[:2])
    assert page.evaluate("window.studio.selected()") == []
    page.get_by_role("button", name="Fit the board").tap()
    canvas = page.locator("canvas.board")
    assert canvas.evaluate("(canvas) => canvas.width / canvas.clientWidth") == 2

    here, there = person.middle(at(2, 2)), person.middle(at(5, 6))
    touch([here])
    assert page.evaluate("window.studio.selected()") == [at(2, 2)]
    touch([here], [there])
    person.shows(poses(moved(TRUTH, slice(2, 3), slice(2, 3), (3, 4))))
    touch([there])  # what is selected is lifted
    expect(page.get_by_text("Click a cell to put it down")).to_be_visible()
    touch([(x, y), (x + 60, y)], [(x - 20, y), (x + 80, y)])
    expect(page.get_by_text("Click a cell to put it down")).to_be_visible()
    page.get_by_role("button", name="Fit the board").tap()
    touch([here])
    person.shows(poses(TRUTH))

    page.get_by_role("button", name="Park in the tray").tap()
    page.get_by_role("tab", name="Tray 1").tap()
    box = page.get_by_role("button", name="Lift piece").bounding_box()
    touch([(box["x"] + 20, box["y"] + 20)], [(box["x"] - 60, box["y"] + 20)], [here])
    person.shows(poses(TRUTH))
    context.close()
    assert person.troubles == []


def test_command_line_and_page_hand_each_other_what_they_know(at_work, tmp_path):
    person, page = at_work, at_work.page
    person.click(at(7, 7))
    person.press("l")
    person.click(at(3, 3))
    person.click_too(at(3, 4))
    person.press("x")
    state = person.until(lambda state: state["parted"] and state["locked"], "locked and cut")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="What you fixed").click()
    download.value.save_as(tmp_path / "constraints.json")
    Image.fromarray(PUZZLE.image()).save(tmp_path / "puzzle.png")
    command = "solve puzzle.png -o out.png --piece 28 --json out.json --quiet --constraints"
    assert in_this_process([*command.split(), "constraints.json"], tmp_path) == (0, "")
    found = json.loads((tmp_path / "out.json").read_text())
    pieces = np.reshape(found["arrangement"], (ROWS, COLUMNS))
    assert state["locked"] == [pieces[7, 7]]
    pairs = {*zip(pieces[:, :-1].ravel(), pieces[:, 1:].ravel(), strict=True)}
    assert (TRUTH[3, 3], TRUTH[3, 4]) not in pairs

    page.get_by_label("A solution", exact=True).set_input_files(tmp_path / "out.json")
    expect_words(page, "Opened out.json")
    person.shows(poses(pieces))
    (tmp_path / "poem.json").write_text("roses are red")
    page.get_by_label("A solution", exact=True).set_input_files(tmp_path / "poem.json")
    expect_words(page, "Expected a solution")
    person.excuses("400")
