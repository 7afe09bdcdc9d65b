"""Damage in words: what a user asks for, and what is said to them."""

from __future__ import annotations

import re
from dataclasses import replace

from jigsolve.damage.damage import UNDAMAGED, Damage
from jigsolve.errors import InputError

AUTO = "auto"
KINDS = ("none", "jpeg", "webp", "scaled", "eroded")
MOST_LOST = 16
EXPECTED = f"{AUTO}, none, jpeg, webp, scaled, eroded, eroded:2, or several such as scaled+jpeg"


def check_damage(text: object) -> str:
    """Return what is asked for; raise unless it is `auto` or kinds of damage."""
    if not isinstance(text, str):
        raise InputError(f"damage: expected {EXPECTED}, found {text!r}")
    if text != AUTO:
        asked_for(text, UNDAMAGED)
    return text


def resolved(text: str, found: Damage) -> Damage:
    """Return the damage that is asked for, or with `auto` what was found."""
    return found if text == AUTO else asked_for(text, found)


def asked_for(text: str, found: Damage) -> Damage:
    """Return the damage that a text names, with what was found out about such a one.

    Examples
    --------
    >>> asked_for("eroded:2", UNDAMAGED).lost
    2.0
    """
    damage = UNDAMAGED
    words = text.split("+")
    kinds = [word.partition(":")[0] for word in words]
    if len(set(kinds)) < len(kinds) or {"jpeg", "webp"} <= set(kinds):
        raise InputError(f"damage: expected {EXPECTED}, found {text!r}")
    for word in words:
        kind, colon, number = word.partition(":")
        if kind not in KINDS or (colon and (kind != "eroded" or not _is_lost(number))):
            raise InputError(f"damage: expected {EXPECTED}, found {text!r}")
        if kind == found.codec:
            damage = replace(
                damage,
                codec=kind,
                blocks=found.blocks,
                steps=found.steps,
                apart=found.apart,
            )
        elif kind in ("jpeg", "webp"):
            damage = replace(damage, codec=kind)
        elif kind == "scaled":
            damage = replace(damage, soft=True)
        elif kind == "eroded":
            damage = replace(damage, eroded=True, lost=float(number) if number else None)
        elif "+" in text:
            raise InputError(f"damage: expected none alone, found {text!r}")
    return damage


def described(damage: Damage) -> str:
    """Say what happened to the pieces.

    Examples
    --------
    >>> described(Damage("jpeg", steps=(29.0, 43.0), soft=True))
    'scaled or blurred and compressed as JPEG (steps of 29 and 43) after they were shuffled'
    """
    parts = []
    if damage.eroded:
        lines = "lines" if damage.lost is None else f"{damage.lost:g} lines"
        parts.append(f"with {lines} of pixels lost at every side")
    if damage.soft:
        parts.append("scaled or blurred")
    if damage.codec:
        codec = {"jpeg": "JPEG", "webp": "WebP"}[damage.codec]
        steps = " and ".join(f"{step:.0f}" for step in damage.steps or ())
        parts.append(f"compressed as {codec}" + (f" (steps of {steps})" if steps else ""))
    when = "one by one" if damage.apart else "after they were shuffled"
    if not damage.codec and not damage.soft:
        return " and ".join(parts) or "as they were cut"
    return f"{' and '.join(parts)} {when}"


def as_record(damage: Damage) -> dict[str, object]:
    """Return the damage for JSON."""
    return {
        "codec": damage.codec or None,
        "steps": list(damage.steps) if damage.steps else None,
        "apart": damage.apart,
        "scaled": damage.soft,
        "eroded": damage.eroded,
        "lost": damage.lost,
    }


def _is_lost(number: str) -> bool:
    return bool(re.fullmatch(r"\d{1,2}(\.\d{1,3})?", number)) and 0 < float(number) <= MOST_LOST
