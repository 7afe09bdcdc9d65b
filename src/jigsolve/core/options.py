"""Options: fields that know what they may be and how they are explained.

A dataclass of options says all of it once. Checks, the command line, its help and records are made
from the fields.
"""

from __future__ import annotations

import dataclasses
import numbers
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from jigsolve.core.checks import whole_number
from jigsolve.errors import InputError

Check = Callable[[str, Any], Any]
"""From a name and a value to the value as it is kept; raises if it cannot be."""

WHOLE, REAL, TEXT, NAMES, FLAG = "whole", "real", "text", "names", "flag"


@dataclass(frozen=True)
class Option:
    """What is known of an option."""

    kind: str
    help: str
    check: Check
    metavar: str | Callable[[], str] = "N"
    none: int | None = None
    """The number that stands for None on the command line, if one does."""
    highest: int = 0
    """The largest number there may be, of whole ones."""

    @property
    def shown(self) -> str:
        """What stands for its value in help."""
        return self.metavar if isinstance(self.metavar, str) else self.metavar()


class Options:
    """Checks every field of a dataclass of options."""

    def __post_init__(self) -> None:
        for name, option in options_of(type(self)).items():
            object.__setattr__(self, name, option.check(name, getattr(self, name)))


def options_of(kind: type) -> dict[str, Option]:
    """Return the options of a dataclass by their names."""
    return {f.name: f.metadata["option"] for f in dataclasses.fields(kind)}


def whole(
    default: int | None, lowest: int, highest: int, help: str, *, none: int | None = None
) -> Any:
    """Return a field that is a whole number within limits; None, too, if that is its default."""

    def check(name: str, value: Any) -> int | None:
        if value is None and (default is None or none is not None):
            return None
        return whole_number(name, value, lowest, highest)

    return _field(default, Option(WHOLE, help, check, none=none, highest=highest))


def share(default: float, help: str) -> Any:
    """Return a field that is a number from 0 to 1."""

    def check(name: str, value: Any) -> float:
        if not (isinstance(value, numbers.Real) and 0 <= float(value) <= 1):
            raise InputError(f"{name}: expected a number from 0 to 1, found {value!r}")
        return float(value)

    return _field(default, Option(REAL, help, check, metavar="P"))


def number(default: float, lowest: float, highest: float, help: str) -> Any:
    """Return a field that is a number within limits."""

    def check(name: str, value: Any) -> float:
        is_real = isinstance(value, numbers.Real) and not isinstance(value, bool)
        if not (is_real and lowest <= float(value) <= highest):
            raise InputError(
                f"{name}: expected a number from {lowest:g} to {highest:g}, found {value!r}"
            )
        return float(value)

    return _field(default, Option(REAL, help, check, metavar="X"))


def choice(default: str, known: Collection[str], help: str) -> Any:
    """Return a field that is one of some names; more may become known later."""

    def check(name: str, value: Any) -> str:
        if not isinstance(value, str) or value not in known:
            raise InputError(f"{name}: expected one of {', '.join(known)}, found {value!r}")
        return value

    return _field(default, Option(TEXT, help, check, metavar=lambda: "|".join(known)))


def text(default: str, check: Callable[[str], object], metavar: str, help: str) -> Any:
    """Return a field that is text, with a check of its own."""

    def checked(_: str, value: Any) -> str:
        check(value)
        return str(value)

    return _field(default, Option(TEXT, help, checked, metavar=metavar))


def names(
    default: tuple[str, ...], check: Callable[[Any], tuple[str, ...]], metavar: str, help: str
) -> Any:
    """Return a field that is several names, with a check of its own."""
    return _field(default, Option(NAMES, help, lambda _, value: check(value), metavar=metavar))


def flag(default: bool, help: str) -> Any:
    """Return a field that is true or false."""

    def check(name: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise InputError(f"{name}: expected True or False, found {value!r}")
        return value

    return _field(default, Option(FLAG, help, check))


def _field(default: Any, option: Option) -> Any:
    return field(default=default, metadata={"option": option})
