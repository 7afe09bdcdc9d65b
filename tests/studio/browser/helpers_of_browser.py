"""What a person does at the page, and sees there."""

import io
import json
import time

import numpy as np
from PIL import Image
from playwright.sync_api import expect

LONG = 90_000
"""Milliseconds; solving takes a few seconds on an idle machine."""


class Person:
    def __init__(self, page, server):
        self.page = page
        self.server = server
        self.troubles = []
        self.knows_it_is_gone = False
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, message):
        excused = self.knows_it_is_gone and (
            "net::ERR_" in message.text or "WebSocket" in message.text
        )
        if message.type == "error" and not excused:
            self.troubles.append(message.text)

    def open(self, address):
        self.page.goto(address)
        expect(self.page.get_by_role("button", name="Try the example")).to_be_visible()

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    @property
    def id(self):
        return self.page.url.partition("#")[2]

    def state(self):
        return self.page.evaluate(
            "async (id) => await (await fetch(`/api/projects/${id}/state`)).json()", self.id
        )

    def until(self, holds, what):
        """Wait until something holds of the state; return it."""
        end = time.monotonic() + LONG / 1000
        while time.monotonic() < end:
            state = self.state()
            if holds(state):
                return state
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never: {what}")

    def does(self, action):
        """Do what the page could ask for, at once."""
        path = f"/api/projects/{self.id}/actions"
        script = "async ([path, body]) => (await fetch(path, { method: 'POST', body })).status"
        assert self.page.evaluate(script, [path, json.dumps(action)]) == 200

    def shows(self, poses):
        """Wait until the board shows an arrangement, and has drawn it."""
        end = time.monotonic() + LONG / 1000
        while self.cells() != poses:
            assert time.monotonic() < end, "never: the arrangement is shown"
            self.page.wait_for_timeout(20)
        self.page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))")

    def settles(self):
        """Wait until the board has come to rest: it is fitted as the panel gets its width."""
        place, before = self.middle(0), None
        while place != before:
            self.page.wait_for_timeout(60)
            place, before = self.middle(0), place

    def excuses(self, words):
        """Take back troubles that were meant."""
        self.troubles = [each for each in self.troubles if words not in each]

    def fingers(self):
        """Return what puts fingers on the screen, moves them along, and lifts them."""
        session = self.page.context.new_cdp_session(self.page)

        def touch(*steps):
            for number, places in enumerate(steps):
                at = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(places)]
                same = number and len(places) == len(steps[number - 1])
                kind = "touchMove" if same else "touchStart"
                session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
            session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

        return touch

    def cells(self):
        """Return the poses of the board's cells."""
        return self.page.evaluate("window.studio.poses()")

    def sees_pieces(self):
        """Wait until the pieces are drawn."""
        expect(self.page.locator("canvas.board")).to_be_visible()
        while not self.page.evaluate("window.studio?.loaded()"):
            self.page.wait_for_timeout(20)

    def middle(self, cell):
        """Where a cell is on the page."""
        x, y = self.page.evaluate("(cell) => window.studio.middle(cell)", cell)
        box = self.page.locator("canvas.board").bounding_box()
        return box["x"] + x, box["y"] + y

    def click(self, cell):
        self.page.mouse.click(*self.middle(cell))

    def click_too(self, cell):
        """Click with Ctrl."""
        self.page.keyboard.down("Control")
        self.click(cell)
        self.page.keyboard.up("Control")

    def drag(self, start, end):
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=6)
        self.page.mouse.up()

    def is_solved(self):
        expect(self.page.get_by_role("button", name="Solve on")).to_be_visible(timeout=LONG)

    def looks_one_to_one(self):
        """Return the board's pixels as they are seen, one to one."""
        self.press("0", "1")
        self.page.mouse.move(5, 400)
        self.page.wait_for_timeout(300)
        rows, columns, width, height = self.page.evaluate("window.studio.extent()")
        left, top = self.page.evaluate("window.studio.camera.toScreen(0, 0)")
        shot = self.page.locator("canvas.board").screenshot()
        seen = np.asarray(Image.open(io.BytesIO(shot)).convert("RGB")).astype(int)
        left, top = round(left), round(top)
        return seen[top : top + rows * height, left : left + columns * width]


def expect_words(page, words):
    expect(page.get_by_text(words).first).to_be_visible(timeout=LONG)
