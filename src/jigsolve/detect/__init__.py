"""From what was given to a puzzle: how a shuffled picture was cut, what names of files say."""

from jigsolve.detect.detecting import detect_grid
from jigsolve.detect.grid import Detection, Grid

__all__ = ["Detection", "Grid", "detect_grid"]
