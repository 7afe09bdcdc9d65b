"""Measures: the rules that give a seam its cost. One file each."""

from jigsolve._kernels.costs import EUCLIDEAN, GRADIENTS, MAGNITUDES
from jigsolve.measures.dissimilarity import DISSIMILARITY
from jigsolve.measures.extrapolation import EXTRAPOLATION
from jigsolve.measures.learned import LEARNED
from jigsolve.measures.measure import Measure
from jigsolve.measures.mgc import MGC
from jigsolve.measures.qr import QR

MEASURES = {measure.name: measure for measure in (DISSIMILARITY, MGC, EXTRAPOLATION, LEARNED, QR)}

__all__ = [
    "DISSIMILARITY",
    "EUCLIDEAN",
    "EXTRAPOLATION",
    "GRADIENTS",
    "LEARNED",
    "MAGNITUDES",
    "MEASURES",
    "MGC",
    "QR",
    "Measure",
]
