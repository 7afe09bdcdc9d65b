"""How seams are priced."""

from __future__ import annotations

from dataclasses import dataclass

from jigsolve.core.options import Options, choice, flag, text, whole
from jigsolve.damage.words import AUTO, KINDS, check_damage
from jigsolve.measures import MEASURES

MOST_CANDIDATES = 1024


@dataclass(frozen=True, kw_only=True)
class Pricing(Options):
    """What gives seams their costs."""

    measure: str = choice(
        "learned",
        MEASURES,
        "what a seam costs; qr places the tiles of a QR code by its patterns and check sums, as "
        "learned does where it finds one",
    )
    damage: str = text(
        AUTO,
        check_damage,
        "|".join((AUTO, *KINDS)),
        "what happened to the pieces after the picture was shuffled, for learned: eroded:2 says "
        "that two lines were lost at every side, scaled+jpeg both",
    )
    traces: bool = flag(True, "whether learned looks for traces of an earlier compression")
    candidates: int = whole(
        64,
        1,
        MOST_CANDIDATES,
        "partners kept per side, two at least; it changes speed, memory and, slightly, choices",
    )
