"""What happened to a picture after it was shuffled, and what that says about its pieces."""

from jigsolve.damage.conditions import Conditions
from jigsolve.damage.damage import UNDAMAGED, Blocks, Damage
from jigsolve.damage.places import Places

__all__ = ["UNDAMAGED", "Blocks", "Conditions", "Damage", "Places"]
