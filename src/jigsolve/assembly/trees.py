"""Clusters that grow along the surest seams, one after another.

Reference: Gallagher, "Jigsaw puzzles with pieces of unknown orientation", CVPR 2012.
"""

from __future__ import annotations

import numpy as np

from jigsolve._kernels import trees as kernels
from jigsolve._kernels.segments import Segments, join_known
from jigsolve.assembly.joining import Segment, segment_of, single_pieces
from jigsolve.assembly.keeping import kept_by
from jigsolve.core import Board
from jigsolve.core.layout import Layout
from jigsolve.execution.crew import Progress
from jigsolve.seams.table import SeamTable

JOINS_AT_ONCE = 4096


def known_clusters(table: SeamTable, board: Board, layout: Layout | None = None) -> Segments:
    """Return every piece as a cluster of its own, but for those that constraints join."""
    clusters = single_pieces(table.pieces)
    if layout is not None:
        join_known(clusters, table.arrays.touching, kept_by(layout, board).fixed, *board)
    return clusters


def sure_seams(table: SeamTable, most: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the two sides of all seams among candidates, and their ratios, the surest first.

    The ratio of a seam is what it costs in terms of the cheapest seam that one of its sides has
    instead. Those with more than `most` are left out.
    """
    room = len(table.arrays.partners) * 2
    while True:
        sides, partners = np.empty((2, room), np.int32)
        ratios = np.empty(room)
        count = kernels.list_ratios(table.arrays, most, sides, partners, ratios)
        if count <= room:
            break
        room = count
    order = np.argsort(ratios[:count], kind="stable")
    return sides[order], partners[order], ratios[order]


def join_surest(
    clusters: Segments, sides: np.ndarray, partners: np.ndarray, progress: Progress | None = None
) -> None:
    """Join clusters along seams, in order, unless two pieces would share a cell."""
    for first in range(0, len(sides), JOINS_AT_ONCE):
        last = min(first + JOINS_AT_ONCE, len(sides))
        kernels.join_surest(clusters, sides, partners, first, last)
        if progress:
            progress(last, len(sides))


def main_cluster(clusters: Segments, layout: Layout | None = None) -> Segment:
    """Return the largest cluster; where cells of pieces are fixed, the one that has them."""
    number = int(clusters.segment[clusters.size[clusters.segment].argmax()])
    if layout is not None and (layout.cells >= 0).any():
        number = int(clusters.segment[np.flatnonzero(layout.cells >= 0)[0]])
    return segment_of(clusters, number)


def trees_bytes(pieces: int) -> int:
    """Return about how much memory clusters and their seams take, a picture of equals aside."""
    return 16 * pieces * (8 + 4) + pieces * 15 * 4 + 8 * pieces * 3 * 16
