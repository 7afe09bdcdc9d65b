"""Nothing is lost: a reload, and a server that is killed, in the middle of a solve."""

from clients import Server
from helpers_of_browser import Person, expect_words
from playwright.sync_api import expect


def test_solve_survives_a_reload_and_a_killed_server(browser, own_server, tmp_path):
    [server] = own_server
    context = browser.new_context()
    context.set_default_timeout(60_000)
    page = context.new_page()
    person = Person(page, server)
    person.open(server.address)
    page.get_by_role("button", name="Try the example").click()
    expect_words(page, "Ready to solve")
    person.sees_pieces()
    person.press("s")
    begun = page.get_by_role("button", name="Stop").or_(solved_button(page))
    expect(begun).to_be_visible(timeout=60_000)  # an idle machine may have solved it already
    page.reload()
    expect(begun).to_be_visible(timeout=60_000)

    person.knows_it_is_gone = True
    port = server.host.rpartition(":")[2]
    server.kill()
    expect_words(page, "The studio does not answer")
    own_server.append(Server(tmp_path / "home", "--port", port))
    expect(page.get_by_text("The studio does not answer")).to_have_count(0)
    person.is_solved()
    person.knows_it_is_gone = False
    assert person.state()["undoLabel"] == "solve"
    person.sees_pieces()
    assert sorted(person.cells()) == [4 * piece for piece in range(294)]
    context.close()
    assert person.troubles == []


def solved_button(page):
    return page.get_by_role("button", name="Solve on")
