"""The same without a mouse."""

from helpers_of_browser import expect_words
from playwright.sync_api import expect


def tab_to(page, name, steps=60):
    """Press Tab until something of a name has the focus."""
    for _ in range(steps):
        page.keyboard.press("Tab")
        said = page.evaluate(
            "document.activeElement.getAttribute('aria-label') || document.activeElement.innerText"
        )
        if said and said.strip().startswith(name):
            return
    raise AssertionError(f"Tab never comes to {name}")


def test_everything_by_keyboard(person):
    page = person.page
    tab_to(page, "Try the example")
    person.press("Enter")
    expect_words(page, "Ready to solve")
    person.sees_pieces()
    tab_to(page, "Solve")
    person.press("Enter")
    person.is_solved()
    page.wait_for_timeout(200)
    right = person.cells()
    columns = person.state()["pictures"][0]["columns"]

    page.evaluate("document.activeElement.blur()")
    tab_to(page, "Board of")
    person.press("ArrowDown", "ArrowRight", "Enter")
    here = columns + 1
    expect(page.get_by_role("tab", name="Pieces 1")).to_be_attached()
    person.press("l")
    person.until(lambda state: state["locked"] == [right[here] >> 2], "locked")
    person.press("l")
    person.until(lambda state: state["locked"] == [], "unlocked")

    person.press("Shift+ArrowRight", "x")
    person.until(lambda state: len(state["parted"]) == 1, "cut")

    person.press("m", "ArrowDown", "ArrowDown", "ArrowDown", "Enter")
    person.until(lambda state: "move" in state["undoLabel"], "moved")
    page.wait_for_timeout(100)
    moved = person.cells()
    below = here + 3 * columns
    assert moved[below : below + 2] == right[here : here + 2]
    person.press("Control+z")
    person.until(lambda state: state["canRedo"], "undone")
    page.wait_for_timeout(100)
    assert person.cells() == right
    person.press("Control+y")
    person.until(lambda state: not state["canRedo"], "done again")

    person.press("Escape", "s")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    person.is_solved()

    page.evaluate("document.activeElement.blur()")
    tab_to(page, "Export")
    person.press("Enter")
    expect(page.get_by_role("menuitem").first).to_be_focused()
    with page.expect_download() as download:
        person.press("ArrowDown", "Enter")
    assert download.value.suggested_filename.endswith(".csv")
