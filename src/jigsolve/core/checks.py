"""Checking whole numbers that users give."""

import operator
from typing import SupportsIndex

from jigsolve.errors import InputError

MOST_SEED = 2**63 - 1


def whole_number(name: str, value: SupportsIndex, lowest: int, highest: int) -> int:
    """Return a value as a Python int; raise unless it is a whole number within the limits."""
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None or not lowest <= number <= highest:
        raise InputError(
            f"{name}: expected a whole number from {lowest} to {highest:,}, found {value!r}"
        )
    return number


def check_seed(seed: SupportsIndex) -> int:
    """Return a seed as a Python int; raise unless it is one."""
    return whole_number("seed", seed, 0, MOST_SEED)
