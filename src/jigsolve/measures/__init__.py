"""Measures: the rules that give a seam its cost. One file each."""

from jigsolve._kernels.costs import EUCLIDEAN, GRADIENTS, MAGNITUDES
from jigsolve.measures.dissimilarity import DISSIMILARITY
from jigsolve.measures.extrapolation import EXTRAPOLATION
from jigsolve.measures.learned import LEARNED
from jigsolve.measures.measure import Measure
from jigsolve.measures.mgc import MGC
from jigsolve.measures.prediction import ONE_SIDED, PREDICTION
from jigsolve.measures.qr import QR
from jigsolve.measures.rgb import SSD_RGB

MEASURES = {
    measure.name: measure
    for measure in (
        DISSIMILARITY,
        SSD_RGB,
        MGC,
        PREDICTION,
        ONE_SIDED,
        EXTRAPOLATION,
        LEARNED,
        QR,
    )
}

__all__ = [
    "DISSIMILARITY",
    "EUCLIDEAN",
    "EXTRAPOLATION",
    "GRADIENTS",
    "LEARNED",
    "MAGNITUDES",
    "MEASURES",
    "MGC",
    "ONE_SIDED",
    "PREDICTION",
    "QR",
    "SSD_RGB",
    "Measure",
]
