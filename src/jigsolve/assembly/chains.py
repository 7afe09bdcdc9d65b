"""Putting single lines of pixels in order, where the two sides of a piece are one and the same.

A line fits another as well on its left as on its right, so segments would have to be turned round
to be joined, which no other part of the solver does. It is the shortest way through all lines:
cheapest links first, then parts of the way are turned and moved until it gets no shorter. Nothing
tells the beginning of it from the end: the picture may come out mirrored.
"""

from __future__ import annotations

import numpy as np

from jigsolve._kernels.geometry import ACROSS, DOWN, SIDES
from jigsolve.core import Puzzle
from jigsolve.execution.memory import require_memory

_NEAREST = 24
_PIXELS = 1024
_MOVED = (1, 2, 3, 5, 8, 13)
"""Lines that are moved to another place together."""
_MOST_SWEEPS = 30


def are_single_lines(puzzle: Puzzle) -> bool:
    """Whether the pieces are lines of one pixel, side by side."""
    (rows, columns), (height, width) = puzzle.board, puzzle.piece_size
    whole = not (puzzle.holes or puzzle.strays)
    return whole and len(puzzle) > 2 and ((rows, width) == (1, 1) or (columns, height) == (1, 1))


def chained(puzzle: Puzzle) -> np.ndarray:
    """Return neighbours of single lines in the shortest way through them, (n, 4).

    It is what `solve` takes as `start`. Whether the lines are columns or rows goes by the board.

    Examples
    --------
    >>> ramp = np.arange(0, 200, 10, dtype=np.uint8)[None].repeat(9, axis=0)
    >>> puzzle, truth = Puzzle.cut(ramp, (9, 1)).shuffle(seed=1)
    >>> chained(puzzle).shape
    (20, 4)
    """
    way = shortest_way(puzzle.pieces.reshape(len(puzzle), -1, 3))
    before, after = ACROSS if puzzle.board.rows == 1 else DOWN
    neighbours = np.full((len(puzzle), SIDES), -1, np.int32)
    neighbours[way[1:], before] = way[:-1]
    neighbours[way[:-1], after] = way[1:]
    return neighbours


def shortest_way(lines: np.ndarray) -> np.ndarray:
    """Return the order of lines, (n, pixels, 3), in which neighbours differ least.

    Examples
    --------
    >>> lines = np.array([30, 10, 40, 20])[:, None, None].repeat(3, axis=2)
    >>> np.diff(lines[shortest_way(lines), 0, 0]).tolist() in ([10, 10, 10], [-10, -10, -10])
    True
    """
    distances = _distances(lines)
    way = _from_links(distances)
    # A line that is as near to all others is where the way begins and ends.
    closed = np.append(way, len(way))
    distances = np.pad(distances, (0, 1))
    for _ in range(_MOST_SWEEPS):
        closed, turned = _turn_parts(closed, distances)
        closed, moved = _move_parts(closed, distances)
        if not (turned or moved):
            break
    cut = int(np.flatnonzero(closed == len(way))[0])
    return np.roll(closed, -cut)[1:]


def _distances(lines: np.ndarray) -> np.ndarray:
    count = len(lines)
    require_memory(16 * count**2, f"distances between {count:,} lines")
    flat = lines[:, :: max(lines.shape[1] // _PIXELS, 1)].reshape(count, -1).astype(np.float32)
    norms = (flat**2).sum(axis=1)
    squares = norms[:, None] + norms - 2 * (flat @ flat.T)
    distances = np.sqrt(np.maximum(squares, 0.0))
    np.fill_diagonal(distances, 0.0)
    return np.asarray(distances)


def _from_links(distances: np.ndarray) -> np.ndarray:
    """Return a way made of the cheapest links that leave it one."""
    count = len(distances)
    part = np.arange(count)
    ways = {line: [line] for line in range(count)}

    def link(one: int, other: int) -> None:
        mine, others = ways[part[one]], ways[part[other]]
        if part[one] == part[other] or one not in (mine[0], mine[-1]):
            return
        if other not in (others[0], others[-1]):
            return
        first = mine if mine[-1] == one else mine[::-1]
        joined = first + (others if others[0] == other else others[::-1])
        del ways[part[other]]
        ways[part[one]] = joined
        part[others] = part[one]

    masked = distances + np.where(np.eye(count, dtype=bool), np.inf, 0.0)
    nearest = np.argpartition(masked, min(_NEAREST, count - 1) - 1, axis=1)[:, :_NEAREST]
    rows = np.repeat(np.arange(count), nearest.shape[1])
    costs = masked[rows, nearest.ravel()]
    for index in np.argsort(costs, kind="stable"):
        link(int(rows[index]), int(nearest.ravel()[index]))
    while len(ways) > 1:
        ends = np.array([end for way in ways.values() for end in dict.fromkeys((way[0], way[-1]))])
        between = masked[np.ix_(ends, ends)] + np.where(
            part[ends][:, None] == part[ends], np.inf, 0.0
        )
        one, other = np.unravel_index(int(between.argmin()), between.shape)
        link(int(ends[one]), int(ends[other]))
    return np.array(next(iter(ways.values())))


def _turn_parts(way: np.ndarray, distances: np.ndarray) -> tuple[np.ndarray, bool]:
    """Turn parts of a closed way round where that makes it shorter."""
    way, count, changed = way.copy(), len(way), False
    for first in range(count - 2):
        after = np.roll(way, -1)
        before = distances[way[first], after[first]] + distances[way, after]
        gain = before - distances[way[first], way] - distances[after[first], after]
        gain[: first + 2] = 0.0
        best = int(gain.argmax())
        if gain[best] > 1e-3:
            way[first + 1 : best + 1] = way[first + 1 : best + 1][::-1]
            changed = True
    return way, changed


def _move_parts(way: np.ndarray, distances: np.ndarray) -> tuple[np.ndarray, bool]:
    """Move short parts of a closed way elsewhere, turned round or not, where it gets shorter."""
    changed = False
    for length in _MOVED:
        for _ in range(len(way) if len(way) > length + 2 else 0):
            # The part to be moved is brought to the front.
            way = np.roll(way, -1)
            part, rest = way[:length], way[length:]
            first, last = part[0], part[-1]
            removed = distances[rest[-1], first] + distances[last, rest[0]]
            removed -= distances[rest[-1], rest[0]]
            links = distances[rest[:-1], rest[1:]]
            kept = distances[rest[:-1], first] + distances[last, rest[1:]] - links
            turned = distances[rest[:-1], last] + distances[first, rest[1:]] - links
            for added, piece in ((kept, part), (turned, part[::-1])):
                place = int(added.argmin())
                if removed - added[place] > 1e-3:
                    way = np.concatenate([rest[: place + 1], piece, rest[place + 1 :]])
                    changed = True
                    break
    return way, changed
