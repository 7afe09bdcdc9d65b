"""What scoring gives."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Scores:
    """Shares from 0 to 1; see `scores.scores` for what they mean."""

    neighbour: float
    direct: float
    neighbour_aware: float
    direct_aware: float
    perfect: bool
    """Whether the picture is restored, pixel for pixel."""
    turn: int | None = None
    """Quarter turns clockwise that the whole was turned by to compare it; None where pieces are not
    turned."""

    def as_dict(self) -> dict[str, float | bool]:
        """Return the scores by name; the turn if there is one."""
        return {name: value for name, value in asdict(self).items() if value is not None}
