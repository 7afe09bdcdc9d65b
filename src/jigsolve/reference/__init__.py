"""Placing pieces by a picture of what they show."""

from jigsolve.reference.placement import Placement, place_by_reference

__all__ = ["Placement", "place_by_reference"]
