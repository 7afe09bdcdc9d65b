"""Holding sure cells together: neighbours are all that is handed on, so islands would drift."""

from __future__ import annotations

import heapq

import numpy as np

DOUBTFUL, UNMATCHED = 1, 10
"""What it costs to take a cell along that is not sure."""


def held_together(sure: np.ndarray, matched: np.ndarray, spans: tuple[bool, bool]) -> np.ndarray:
    """Return the sure cells and, cheaply chosen, others that connect them all.

    Parameters
    ----------
    sure, matched
        Cells, (rows, columns) bool; those that match are taken along rather than others.
    spans
        Whether these are all rows, and all columns, of the board: then both ends are
        reached, so that nothing can be shifted.
    """
    wanted = sure if sure.any() else matched
    price = np.where(wanted, 0, np.where(matched, DOUBTFUL, UNMATCHED))
    ends = np.flatnonzero(wanted).tolist()
    depth, came_from = _cheapest_ways(price, ends[0])
    numbers = np.arange(sure.size).reshape(sure.shape)
    for reach, lines in zip(spans, (numbers, numbers.T), strict=True):
        for line in (lines[0], lines[-1]) if reach else ():
            ends.append(int(line[depth[line].argmin()]))
    kept = np.zeros(sure.size, bool)
    for cell in ends:
        while cell >= 0 and not kept[cell]:
            kept[cell] = True
            cell = came_from[cell]
    return kept.reshape(sure.shape)


def _cheapest_ways(price: np.ndarray, start: int) -> tuple[np.ndarray, list[int]]:
    """Return what the way from a start to each cell costs, and the cell before it; Dijkstra."""
    rows, columns = price.shape
    prices = price.ravel().tolist()
    depth, came_from = [float("inf")] * len(prices), [-1] * len(prices)
    depth[start] = 0
    waiting = [(0.0, start)]
    while waiting:
        cost, cell = heapq.heappop(waiting)
        if cost > depth[cell]:
            continue
        row, column = divmod(cell, columns)
        for beside, exists in (
            (cell - 1, column > 0),
            (cell + 1, column < columns - 1),
            (cell - columns, row > 0),
            (cell + columns, row < rows - 1),
        ):
            if exists and cost + prices[beside] < depth[beside]:
                depth[beside] = cost + prices[beside]
                came_from[beside] = cell
                heapq.heappush(waiting, (depth[beside], beside))
    return np.array(depth), came_from
