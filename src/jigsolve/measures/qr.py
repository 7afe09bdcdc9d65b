"""For QR codes: what is known of a code says where pieces belong (`jigsolve.qr`), not seams.

What a seam costs only says how far the two halves of modules differ that it cuts.
"""

from jigsolve._kernels.costs import MAGNITUDES
from jigsolve.measures.colour import UNITS
from jigsolve.measures.dissimilarity import outermost
from jigsolve.measures.measure import Measure

QR = Measure(name="qr", look=outermost, rule=MAGNITUDES, units=UNITS, placed=True)
