"""The phases of the crossover, and phases of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jigsolve._kernels.phases import compile_phase
from jigsolve.errors import InputError

PHASES = ("agreed", "best-buddy", "greedy")
"""The paper's, in the order they are tried."""

OWN_PHASES: dict[str, Any] = {}
"""Compiled phases of one's own, by name. One of them may stand before "greedy"."""


def own_phase(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function a phase of the crossover, to be named in the option `phases`.

    It is asked when neither "agreed" nor "best-buddy" has a piece, for a random free cell beside
    the kernel, and compiled by Numba: plain loops over arrays. What it is given, in this order:

    partners
        Candidates of every side, cheapest first, (4n, k); side `s` of piece `p` is `4 p + s`,
        with sides in the order left, right, top, bottom. A candidate is a side, too.
    costs
        What they cost, (4n, k).
    slot
        Negative for pieces that are used, (n,).
    around
        For each of the four sides of the cell, the side of a placed piece that a piece there
        would touch, or -1.

    It returns an available piece, or -1 to leave the placement to "greedy" (or chance); any other
    answer counts as -1. Where pieces may be turned the piece is placed in the turn in which its
    seams with what is around the cell cost least. What it reads outside these arrays is not
    checked, and it must not write to them.

    Examples
    --------
    >>> @own_phase("first-come")
    ... def first_come(partners, costs, slot, around):
    ...     for side in around:
    ...         if side >= 0 and slot[partners[side, 0] // 4] >= 0:
    ...             return partners[side, 0] // 4
    ...     return -1
    >>> from jigsolve import Settings
    >>> Settings.of(phases=("agreed", "best-buddy", "first-come", "greedy")).options.phases[2]
    'first-come'
    >>> del OWN_PHASES["first-come"]
    """
    if not isinstance(name, str) or name in PHASES:
        raise InputError(f"phase: expected a name other than {', '.join(PHASES)}, found {name!r}")

    def register(choose: Callable[..., Any]) -> Callable[..., Any]:
        OWN_PHASES[name] = compile_phase(choose)
        return choose

    return register
