"""Measures: the rules that give a seam its cost. One file each."""

from jigsolve.measures.dissimilarity import DISSIMILARITY
from jigsolve.measures.extrapolation import EXTRAPOLATION
from jigsolve.measures.measure import Measure

MEASURES = {measure.name: measure for measure in (DISSIMILARITY, EXTRAPOLATION)}

__all__ = ["DISSIMILARITY", "EXTRAPOLATION", "MEASURES", "Measure"]
