"""What a person can do at the page, with a mouse: each test is one sitting."""

import csv
import io
import itertools

import numpy as np
import pytest
from helpers_of_browser import LONG, expect_words
from PIL import Image
from playwright.sync_api import expect


@pytest.fixture
def solved(person):
    """Open the example and solve it."""
    person.page.get_by_role("button", name="Try the example").click()
    expect_words(person.page, "Ready to solve")
    person.sees_pieces()
    person.page.get_by_role("button", name="Solve", exact=False).first.click()
    person.is_solved()
    return person


def test_example_is_solved_and_put_right_by_hand(solved):
    person, page = solved, solved.page
    state = person.state()
    columns = state["pictures"][0]["columns"]
    right = person.cells()

    person.click(3)
    expect_words(page, "Likeliest pieces for this cell")
    person.press("l")
    person.until(lambda state: state["locked"] == [right[3] >> 2], "locked")

    person.click(columns + 5)
    person.click_too(columns + 6)
    person.press("x")
    cut = person.until(lambda state: len(state["parted"]) == 1, "cut")["parted"][0]
    assert {cut[0], cut[2]} == {right[columns + 5] >> 2, right[columns + 6] >> 2}

    # A rubber band around six pieces, then the block is dragged two rows down.
    first, last = 4 * columns + 4, 5 * columns + 6
    page.mouse.click(*person.middle(10 * columns + 15))
    person.drag(person.middle(first), person.middle(last))
    expect(page.get_by_role("tab", name="Pieces 6")).to_be_visible()
    person.drag(person.middle(first), person.middle(first + 2 * columns))
    block = [row * columns + column for row in (4, 5) for column in (4, 5, 6)]
    person.until(lambda state: "move" in (state["undoLabel"] or ""), "moved")
    page.wait_for_timeout(100)
    moved = person.cells()
    assert [moved[cell + 2 * columns] for cell in block] == [right[cell] for cell in block]
    assert sorted(moved) == sorted(right)

    page.get_by_role("button", name="Undo").first.click()
    person.until(lambda state: state["canRedo"], "undone")
    page.wait_for_timeout(100)
    assert person.cells() == right

    page.get_by_role("button", name="Redo").first.click()
    person.until(lambda state: not state["canRedo"], "done again")
    page.get_by_role("button", name="Solve on").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    person.is_solved()
    again = person.state()
    assert again["locked"] == [right[3] >> 2]
    page.wait_for_timeout(100)
    solved_on = person.cells()
    assert solved_on[3] == right[3], "a locked piece stays where it is"
    apart = [(a >> 2, b >> 2) for a, b in itertools.pairwise(solved_on)]
    assert (right[columns + 5] >> 2, right[columns + 6] >> 2) not in apart

    page.get_by_role("button", name="Compare with before").click()
    assert person.cells() == moved
    page.get_by_role("button", name="Shown: before").click()

    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Where each piece lies").click()
    rows = list(csv.reader(io.StringIO(download.value.path().read_text())))
    assert len(rows) == len(right) + 1


def test_board_shows_what_the_picture_is(solved):
    person, page = solved, solved.page
    person.click(40)
    person.press("p")
    person.until(lambda state: state["undoLabel"], "parked")
    page.get_by_role("tab", name="Tray 1").click()
    page.get_by_role("button", name="Lift piece").click()
    person.click(41)  # what lies there goes to the tray
    person.until(lambda state: "place" in state["undoLabel"] or "put" in state["undoLabel"], "put")
    person.press("Control+z", "Control+z")
    person.until(lambda state: state["undoLabel"] == "solve", "undone")
    person.press("Escape")
    seen = person.looks_one_to_one()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
        page.get_by_role("menuitem", name="The picture", exact=False).first.click()
    exported = np.asarray(Image.open(download.value.path()).convert("RGB")).astype(int)
    seen = seen[: exported.shape[0], : exported.shape[1]]
    assert np.abs(seen - exported[: seen.shape[0], : seen.shape[1]]).max() <= 2


def test_picture_is_opened_its_grid_corrected_and_a_piece_turned(person, shuffled):
    path, pixels = shuffled
    page = person.page
    page.get_by_label("A picture or an archive").set_input_files(path)
    expect_words(page, "Is this how it was cut?")
    page.get_by_label("Width").fill("16")
    page.get_by_label("Height").fill("32")
    expect_words(page, "12 across, 4 down")
    expect(page.locator("canvas.board")).to_be_visible()
    page.wait_for_timeout(300)
    left, top, scale = page.locator("canvas.board").evaluate(
        """(canvas) => { const { x, y, width, height } = canvas.getBoundingClientRect();
           const scale = Math.min((width - 48) / 192, (height - 88) / 128, 4);
           return [x + width / 2 - 96 * scale, y + height / 2 - 64 * scale - 14, scale]; }"""
    )
    # The third upright line is pulled from 48 to 96 pixels: pieces become 32 wide.
    person.drag((left + 48 * scale, top + 50 * scale), (left + 96 * scale, top + 50 * scale))
    expect_words(page, "6 across, 4 down")
    page.get_by_label("Pieces are").select_option("quarter")
    page.get_by_role("button", name="Cut the pieces").click()
    expect_words(page, "Ready to solve")
    person.sees_pieces()
    person.click(8)
    person.press("e")
    person.until(lambda state: state["canUndo"], "turned")
    person.press("Escape")
    wanted = pixels.astype(int)
    wanted[32:64, 64:96] = np.rot90(pixels[32:64, 64:96], -1)
    assert np.abs(person.looks_one_to_one() - wanted).max() <= 2


def test_dropped_file_is_opened_and_left_for_the_list_of_projects(person, shuffled):
    page = person.page
    drop = """(bytes) => { const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(bytes)], "dropped.png"));
      window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true })); }"""
    page.evaluate(drop, list(shuffled[0].read_bytes()))
    expect_words(page, "Is this how it was cut?")
    page.get_by_label("Width").fill("32")
    page.get_by_label("Height").fill("32")
    page.get_by_role("button", name="Cut the pieces").click()
    person.sees_pieces()
    person.click(3)
    expect_words(page, "Nothing is known before the first solve")
    person.drag(person.middle(3), person.middle(9))
    person.until(lambda state: state["canUndo"], "moved")
    page.get_by_role("link", name="All projects").click()
    page.get_by_role("link", name="dropped.png").click()
    person.sees_pieces()
    assert person.cells()[9] == 12


def test_tiles_of_a_folder_are_opened(person, shuffled, tmp_path):
    _, pixels = shuffled
    folder = tmp_path / "tiles"
    folder.mkdir()
    for number in range(24):
        row, column = divmod(number, 6)
        tile = pixels[32 * row : 32 * row + 32, 32 * column : 32 * column + 32]
        Image.fromarray(tile).save(folder / f"{number}.png")
    (folder / "notes.txt").write_text("not a picture")
    person.page.get_by_label("A folder of tiles").set_input_files(folder)
    expect_words(person.page, "What these tiles are")
    expect_words(person.page, "24 pieces")


def test_what_is_no_picture_is_refused_in_words(person, tmp_path):
    path = tmp_path / "poem.png"
    path.write_text("no picture")
    with person.page.expect_response(lambda answer: answer.status >= 400):
        person.page.get_by_label("A picture or an archive").set_input_files(path)
    expect(person.page.get_by_role("alert")).to_be_visible(timeout=LONG)
    person.troubles = [each for each in person.troubles if "Failed to load" not in each]


def test_doubtful_seams_are_asked_and_answered(person, tmp_path):
    """Half of the picture is flat: nobody can tell its pieces apart."""
    rng = np.random.default_rng(1)
    pixels = np.full((4 * 24, 6 * 24, 3), 200, np.uint8)
    pixels += rng.integers(0, 3, pixels.shape, dtype=np.uint8)
    smooth = np.add.outer(np.arange(96) * 1.5, np.arange(72) * 1.2)[..., None] * [1, 0.6, 0.3]
    pixels[:, :72] = smooth.astype(np.uint8)
    path = tmp_path / "flat.png"
    Image.fromarray(pixels).save(path)
    page = person.page
    page.get_by_label("A picture or an archive").set_input_files(path)
    expect_words(page, "Is this how it was cut?")
    page.get_by_label("Width").fill("24")
    page.get_by_label("Height").fill("24")
    page.get_by_role("button", name="Cut the pieces").click()
    expect_words(page, "Ready to solve")
    person.sees_pieces()
    person.press("s")
    person.is_solved()
    asks = page.get_by_role("heading", name="Do these belong together?")

    def comes_to_a_seam():
        for _ in range(60):
            person.press("n")
            page.wait_for_timeout(60)
            if asks.count():
                return
        raise AssertionError("no seam is asked about")

    comes_to_a_seam()
    person.press("a")
    person.until(lambda state: len(state["joined"]) == 1, "joined")
    expect_words(page, "You joined 1 and cut 0")
    page.wait_for_timeout(500)
    comes_to_a_seam()
    page.get_by_role("button", name="No", exact=True).click()
    person.until(lambda state: len(state["parted"]) == 1, "parted")
    page.get_by_label("Show doubt on the board").check()
    page.get_by_role("tab", name="Steps").click()
    page.get_by_label("Name of the snapshot").fill("after two answers")
    page.get_by_role("button", name="Keep").click()
    expect_words(page, "after two answers")
    person.press("?")
    expect(page.get_by_role("dialog", name="Shortcuts")).to_be_visible()


def test_without_webgl_it_says_so_and_draws(person, shuffled):
    page = person.page
    page.goto(f"http://{person.server.host}/?draw=2d")
    path, pixels = shuffled
    page.get_by_label("A picture or an archive").set_input_files(path)
    expect_words(page, "Is this how it was cut?")
    page.get_by_label("Width").fill("32")
    page.get_by_label("Height").fill("32")
    page.get_by_role("button", name="Cut the pieces").click()
    expect_words(page, "This browser has no WebGL 2")
    person.sees_pieces()
    assert np.abs(person.looks_one_to_one() - pixels.astype(int))[40:].mean() <= 2


def test_blocks_and_pieces_are_asked_about_and_answered_by_keys(solved):
    """A block and a piece are in the wrong place; what lay there is where they came from."""
    person, page = solved, solved.page
    right = person.cells()
    columns = person.state()["pictures"][0]["columns"]
    block = [row * columns + column for row in (3, 4, 5) for column in (3, 4, 5, 6)]
    act = """async ([id, action]) => (await fetch(`/api/projects/${id}/actions`,
      { method: "POST", body: JSON.stringify(action) })).status"""
    one, other = 1 * columns + 14, 11 * columns + 3
    for action in (
        {"kind": "move", "picture": 0, "cells": block, "by": [4, 6]},
        {"kind": "swap", "a": [0, one], "b": [0, other]},
    ):
        assert page.evaluate(act, [person.id, action]) == 200
    page.evaluate("document.activeElement.blur()")

    person.press("n")
    expect_words(page, "Does this block lie where it belongs?")
    person.press("a")
    person.until(lambda state: len(state["locked"]) == 1, "the largest block is held by a piece")

    counted = page.get_by_text("or into it: 12 pieces")
    expect(counted).to_be_visible()
    moved = sorted(page.evaluate("[...window.studio.selected()]"))
    assert moved in (block, [cell + 4 * columns + 6 for cell in block])
    page.wait_for_timeout(500)  # the board has come to rest
    person.click_too(moved[0])
    expect(page.get_by_text("or into it: 11 pieces")).to_be_visible()
    person.press("a")
    state = person.until(lambda state: len(state["locked"]) == 12, "eleven are locked")
    assert person.cells()[moved[0]] >> 2 not in state["locked"], "what was taken out is not"
    assert page.evaluate(act, [person.id, {"kind": "undo"}]) == 200
    person.until(lambda state: len(state["locked"]) == 1, "undone")
    for _ in range(50):
        if counted.is_visible():
            break
        person.press("n")
        page.wait_for_timeout(100)
    expect(counted).to_be_visible()
    moved = sorted(page.evaluate("[...window.studio.selected()]"))  # or the one it changed with
    page.locator("canvas.board").focus()
    steps = ("ArrowDown", "ArrowRight") if moved == block else ("ArrowUp", "ArrowLeft")
    person.press("m", *[steps[0]] * 4, *[steps[1]] * 6, "Enter")
    person.until(lambda state: len(state["locked"]) == 13, "the block is locked where it belongs")
    page.wait_for_timeout(200)
    assert [person.cells()[cell] for cell in block] == [right[cell] for cell in block]

    expect_words(page, "Which piece belongs here?")
    shown = page.get_by_role("list", name="Pieces that may belong here").get_by_role("button")
    first = shown.first.get_attribute("aria-label")
    person.press("1")
    person.until(lambda state: len(state["joined"]) == 1, "the piece is joined to its neighbour")
    page.wait_for_timeout(200)
    pieces = [right[cell] // 4 + 1 for cell in (one, other)]
    assert first.startswith(tuple(f"Piece {piece}," for piece in pieces))
    assert person.cells() == right

    person.press("t")
    expect(
        page.get_by_role("button", name="Stop").or_(page.get_by_text("since the last"))
    ).to_be_visible()
    person.is_solved()
    assert person.cells() == right
