"""Chromium, a studio and somebody who uses it. Playwright's own loop runs only while these do.

Its plugin for pytest would keep that loop running to the end of the session, and no other test of
the same process could run one.
"""

import shutil

import numpy as np
import pytest
from clients import Server, serving
from helpers_of_browser import Person
from PIL import Image

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-compositing",
]
"""Containers have no sandbox to offer, and no graphics card."""


def chromium():
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def pytest_collection_modifyitems(items):
    if chromium() is None:
        for item in items:
            if "studio/browser" in item.path.as_posix():
                item.add_marker(pytest.mark.skip(reason="no Chromium"))


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("studio")) as server:
        yield server


@pytest.fixture
def person(browser, server):
    """Somebody at the first page of the studio; whatever goes wrong on the page fails the test."""
    context = browser.new_context(viewport={"width": 1200, "height": 800}, accept_downloads=True)
    context.set_default_timeout(60_000)
    person = Person(context.new_page(), server)
    person.open(server.address)
    yield person
    context.close()
    assert person.troubles == []


@pytest.fixture
def own_server(tmp_path):
    """Run a studio that a test may kill."""
    servers = [Server(tmp_path / "home")]
    yield servers
    servers[-1].end()


@pytest.fixture
def shuffled(tmp_path):
    """Make a picture of 6 by 4 pieces of 32 pixels; return its file and its pixels."""
    rng = np.random.default_rng(5)
    coarse = rng.integers(0, 256, (4 * 4, 6 * 4, 3), dtype=np.uint8)
    pixels = coarse.repeat(8, axis=0).repeat(8, axis=1)
    path = tmp_path / "shuffled.png"
    Image.fromarray(pixels).save(path)
    return path, pixels
