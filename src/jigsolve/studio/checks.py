"""Checking what a request says: its keys, and its whole numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from jigsolve.errors import InputError


def check_keys(given: Mapping[str, Any], known: Collection[str]) -> None:
    """Raise if a request has a key that means nothing: somebody meant something by it."""
    for name in given:
        if name not in known:
            expected = f"one of {', '.join(known)}" if known else "none"
            raise InputError(f"unknown key: expected {expected}, found {name!r:.40}")


def checked_number(name: str, value: object, low: int, high: int) -> int:
    """Return a whole number of a request; raise unless it is one, within limits."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InputError(
            f"{name}: expected a whole number from {low} to {high}, found {value!r:.40}"
        )
    return value
