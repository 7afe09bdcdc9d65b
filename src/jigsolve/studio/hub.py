"""Who listens to a project, and what each has still to be told.

Numbered messages are told all and in order. Of those without a number, such as how far a run is,
a slow listener gets the latest of each kind only.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

MOST_KEPT = 500
"""Numbered messages that are kept for those who come back."""
MOST_WAITING = 1000
"""A listener that is further behind is sent away, and asks again from its last number."""

Message = dict[str, Any]
LATEST_ONLY = ("run", "arranged", "cost", "assessed")


class Listener:
    """One page that listens."""

    def __init__(self) -> None:
        self._waiting: deque[Message] = deque()
        self._latest: dict[tuple[str, int], Message] = {}
        self._is_any = asyncio.Event()
        self.is_behind = False

    def tell(self, message: Message) -> None:
        """Have a message sent soon."""
        if "n" not in message and message["kind"] in LATEST_ONLY:
            self._latest[message["kind"], message.get("picture", 0)] = message
        elif len(self._waiting) < MOST_WAITING:
            self._waiting.append(message)
        else:
            self.is_behind = True
        self._is_any.set()

    async def next(self) -> Message | None:
        """Return the next message; None when it is too far behind."""
        while not self._waiting and not self._latest and not self.is_behind:
            self._is_any.clear()
            await self._is_any.wait()
        if self.is_behind:
            return None
        if self._waiting:
            return self._waiting.popleft()
        return self._latest.pop(next(iter(self._latest)))


class Hub:
    """All who listen to one project."""

    def __init__(self, n: int) -> None:
        self._kept: deque[Message] = deque(maxlen=MOST_KEPT)
        self._n = n
        self._listeners: set[Listener] = set()

    def tell(self, message: Message) -> None:
        """Tell all."""
        if "n" in message:
            self._kept.append(message)
            self._n = message["n"]
        for listener in self._listeners:
            listener.tell(message)

    def join(self, after: int) -> Listener:
        """Listen, from the message after a number on."""
        listener = Listener()
        first = self._kept[0]["n"] if self._kept else self._n + 1
        if first - 1 <= after <= self._n:
            for message in self._kept:
                if message["n"] > after:
                    listener.tell(message)
        else:
            listener.tell({"kind": "reload", "n": self._n})
        self._listeners.add(listener)
        return listener

    def leave(self, listener: Listener) -> None:
        """Listen no longer."""
        self._listeners.discard(listener)
