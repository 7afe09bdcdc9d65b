"""Trimming a cluster to the board: the window that keeps most of its pieces."""

from __future__ import annotations

import numpy as np

from jigsolve._kernels.geometry import TURNS, pose_of
from jigsolve.assembly.joining import Segment
from jigsolve.core import Board
from jigsolve.core.layout import Layout


def trimmed(
    segment: Segment, board: Board, poses: int = 1, layout: Layout | None = None
) -> np.ndarray:
    """Return the arrangement of poses, -1 for gaps, of what a window keeps of a cluster.

    The window is the one with most pieces, the uppermost and leftmost of those; where pieces may
    lie in four ways the cluster is also tried lying on its side. Pieces in fixed cells decide it
    where the cluster has any, and all of them are in their cells.

    Reference: Gallagher, "Jigsaw puzzles with pieces of unknown orientation", CVPR 2012.
    """
    grid = np.full(board, -1, np.int32)
    row, column = 0, 0
    fixed = np.empty(0, np.int64)
    if layout is not None:
        fixed = np.flatnonzero(layout.cells >= 0)
    anchors = np.flatnonzero(np.isin(segment.pieces, fixed))
    if len(anchors):
        assert layout is not None
        anchor = segment.pieces[anchors[0]]
        segment = segment.turned(int(layout.turns[anchor] - segment.turns[anchors[0]]) % TURNS)
        cell = int(layout.cells[anchor])
        place = segment.places[anchors[0]]
        row, column = place[0] - cell // board.columns, place[1] - cell % board.columns
    else:
        ways = [segment, segment.turned(1)] if poses == TURNS else [segment]
        windows = [fullest_window(way.places, board) for way in ways]
        best = max(range(len(ways)), key=lambda way: windows[way][0])
        segment, (_, row, column) = ways[best], windows[best]
    rows, columns = segment.places[:, 0] - row, segment.places[:, 1] - column
    inside = (rows >= 0) & (rows < board.rows) & (columns >= 0) & (columns < board.columns)
    grid[rows[inside], columns[inside]] = pose_of(segment.pieces, segment.turns)[inside]
    if len(fixed):
        assert layout is not None
        grid[np.isin(grid // TURNS, fixed)] = -1
        grid.ravel()[layout.cells[fixed]] = pose_of(fixed, layout.turns[fixed])
    return grid


def ways_to_lie(arrangement: np.ndarray) -> list[np.ndarray]:
    """Return an arrangement of poses with its gaps, -1, at one end of the board or the other.

    What does not reach across the board may lie anywhere on it. It is shifted as far as it goes:
    there are up to four ways.
    """
    there = np.argwhere(arrangement >= 0)
    if not len(there):
        return [arrangement]
    first, last = there.min(axis=0), there.max(axis=0) + 1
    part = arrangement[first[0] : last[0], first[1] : last[1]]
    slack = np.subtract(arrangement.shape, part.shape)
    ways = []
    for row in dict.fromkeys((0, slack[0])):
        for column in dict.fromkeys((0, slack[1])):
            way = np.full(arrangement.shape, -1, np.int32)
            way[row : row + part.shape[0], column : column + part.shape[1]] = part
            ways.append(way)
    return ways


def fullest_window(places: np.ndarray, board: Board) -> tuple[int, int, int]:
    """Return how many places the fullest window of a board's size has, its row and its column.

    Places are (k, 2), the uppermost row and the leftmost column 0. Memory is linear in their
    number, however far a cluster reaches.
    """
    height, width = (int(last) + 1 for last in places.max(axis=0))
    order = np.argsort(places[:, 0], kind="stable")
    rows, columns = places[order, 0], places[order, 1]
    many = np.zeros(width, np.int64)  # of the places within the rows of a window, by column
    best = (-1, 0, 0)
    begins = np.searchsorted(rows, np.arange(height + 1))
    np.add.at(many, columns[: begins[min(board.rows, height)]], 1)
    for row in range(max(height - board.rows, 0) + 1):
        sums = np.concatenate([[0], np.cumsum(many)])
        span = min(board.columns, width)
        within = sums[span:] - sums[: width - span + 1]
        column = int(within.argmax())
        if within[column] > best[0]:
            best = (int(within[column]), row, column)
        if row + board.rows < height:
            np.add.at(many, columns[begins[row + board.rows] : begins[row + board.rows + 1]], 1)
            np.add.at(many, columns[begins[row] : begins[row + 1]], -1)
    return best
