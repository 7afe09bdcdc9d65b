"""The assignment with the largest sum: who gets whom, nobody twice."""

from __future__ import annotations

import numpy as np


def best_assignment(values: np.ndarray) -> list[int]:
    """Return for each row its column, or -1, so that the values add up to most.

    The Hungarian method, a row at a time with potentials (Kuhn 1955, Jonker and Volgenant 1987):
    each row is brought in by the cheapest path that moves the columns of others.

    Examples
    --------
    >>> best_assignment(np.array([[5, 4], [4, 1]]))
    [1, 0]
    """
    rows, columns = values.shape
    size = max(rows, columns)
    costs = np.zeros((size, size))
    costs[:rows, :columns] = -values.astype(float)
    of_row, of_column = np.zeros(size), np.zeros(size + 1)
    holder = np.full(size + 1, -1)  # who has each column; paths begin at the last
    for row in range(size):
        holder[size] = row
        column, length = size, np.full(size, np.inf)
        came_from, is_done = np.full(size, size), np.zeros(size, bool)
        while holder[column] >= 0:
            if column < size:
                is_done[column] = True
            own = holder[column]
            reach = costs[own] - of_row[own] - of_column[:size]
            nearer = ~is_done & (reach < length)
            length[nearer], came_from[nearer] = reach[nearer], column
            step = length[~is_done].min()
            following = int(np.flatnonzero(~is_done & (length == step))[0])
            done = np.append(np.flatnonzero(is_done), size)
            of_row[holder[done]] += step
            of_column[done] -= step
            length[~is_done] -= step
            column = following
        while column < size:
            holder[column] = holder[came_from[column]]
            column = came_from[column]
    found = np.full(size, -1)
    found[holder[:size]] = np.arange(size)
    return [int(column) if column < columns else -1 for column in found[:rows]]
