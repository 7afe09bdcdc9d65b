"""Placing the most confident piece first, against a slow and obvious twin."""

import numpy as np
import pytest
from helpers import random_pieces, table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import STEP
from turning import pose_with, side_of

from jigsolve._kernels import confident as kernels
from jigsolve._kernels.costs import one_sided_cost
from jigsolve.assembly.floating import Growth
from jigsolve.core import Board
from jigsolve.measures import DISSIMILARITY, ONE_SIDED
from jigsolve.solvers.paikin_tal import new_ranks

TURNS = st.sampled_from(["none", "quarter"])


class Slowly:
    """The solver of Paikin and Tal, everything worked out anew whenever it is asked for."""

    def __init__(self, arrays, board):
        self.arrays, self.board = arrays, board
        self.grid = {}
        self.ranked = [
            sorted((float(one_sided_cost(arrays, side, int(p))), int(p)) for p in partners)
            for side, partners in enumerate(arrays.partners)
        ]
        self.look()

    def cell_beside(self, side):
        """Return the cell that a side of a placed piece points to."""
        (row, column), pose = next(i for i in self.grid.items() if i[1] // 4 == side // 4)
        toward = next(way for way in STEP if side_of(pose, way) == side)
        return (row + STEP[toward][0], column + STEP[toward][1]), toward

    def is_placed(self, side):
        return any(pose // 4 == side // 4 for pose in self.grid.values())

    def is_open(self, side):
        cell, _ = self.cell_beside(side)
        rows, columns = zip(*self.grid, cell, strict=True)
        reach = max(rows) - min(rows) < self.board.rows
        return cell not in self.grid and reach and max(columns) - min(columns) < self.board.columns

    def look(self):
        """Find the best two of every side that can still be had."""
        self.best = {}
        for side, ranked in enumerate(self.ranked):
            placed = self.is_placed(side)
            if placed and not self.is_open(side):
                continue
            left = [
                (cost, p)
                for cost, p in ranked
                if not self.is_placed(p) or (not placed and self.is_open(p))
            ]
            if left:
                second = left[1][0] if len(left) > 1 else ranked[-1][0]
                self.best[side] = left[0][1], left[0][0], second

    def mutual(self, side, partner):
        """Return the mean confidence of two sides in each other."""
        total = 0.0
        for one, other in ((side, partner), (partner, side)):
            cost = float(one_sided_cost(self.arrays, one, other))
            second = self.best[one][2] if one in self.best else self.ranked[one][-1][0]
            total += 1 - cost / second
        return total / 2

    def buddy(self, side):
        """Return the best buddy of a side, if it has one."""
        if side not in self.best:
            return None
        partner, cost, second = self.best[side]
        back = self.best.get(partner)
        if back is None or back[0] != side or cost >= second or back[1] >= back[2]:
            return None
        return partner

    def worth(self, piece):
        """Return how good a start a piece is."""
        sides = range(4 * piece, 4 * piece + 4)
        buddies = [(s, b) for s in sides if (b := self.buddy(s)) is not None]
        theirs = sum(self.buddy(4 * (b // 4) + own) is not None for _, b in buddies for own in STEP)
        sure = sum(self.mutual(s, b) for s, b in buddies)
        return 4 * len(buddies) + theirs + 0.2 * sure

    def offers(self, pieces):
        """Return what placed pieces offer: confidence, side and best buddy."""
        return [
            (self.mutual(side, partner), side, partner)
            for piece in pieces
            for side in range(4 * piece, 4 * piece + 4)
            if (partner := self.buddy(side)) is not None
            and not self.is_placed(partner)
            and self.is_open(side)
        ]

    def run(self, start):
        self.grid[0, 0] = 4 * start
        pool = []
        while len(self.grid) < self.board.rows * self.board.columns:
            if not pool:
                self.look()
                placed = sorted(pose // 4 for pose in self.grid.values())
                pool = self.offers(placed)
                if not pool:
                    sides = [
                        s
                        for piece in placed
                        for s in range(4 * piece, 4 * piece + 4)
                        if s in self.best
                    ]
                    every = [(self.mutual(s, self.best[s][0]), s, self.best[s][0]) for s in sides]
                    if not every:
                        break
                    pool = [max(every, key=lambda offer: offer[0])]
            surest = max(pool, key=lambda offer: offer[0])
            pool.remove(surest)
            _, side, partner = surest
            if self.is_placed(partner) or not self.is_open(side):
                continue
            cell, toward = self.cell_beside(side)
            self.grid[cell] = pose_with(partner, toward ^ 1)
            pool += self.offers([partner // 4])
        return self.grid


def run_kernels(arrays, board, at_once):
    n = len(arrays.partners) // 4
    ranks = new_ranks(*arrays.partners.shape)
    kernels.rank_all(arrays, ranks, 0, 4 * n)
    growth = Growth(n, board)
    kernels.look_again_at_all(ranks, growth.state)
    start = kernels.best_start(arrays, ranks, np.empty(n, np.int32))
    growth.begin(np.array([4 * start]), np.zeros((1, 2), np.int64))
    pool = kernels.Pool(
        np.empty(8 * n, np.float32), np.empty(8 * n, np.int64), np.zeros(1, np.int64)
    )
    while kernels.place_confidently(arrays, ranks, growth.state, pool, at_once, n):
        pass
    return growth, int(start)


@settings(max_examples=40)
@given(
    st.integers(1, 4), st.integers(2, 5), st.integers(0, 10**6), TURNS,
    st.sampled_from([ONE_SIDED, DISSIMILARITY]), st.sampled_from([1, 100]),
)  # fmt: skip
def test_the_most_confident_piece_is_placed_first(rows, columns, seed, turns, measure, at_once):
    board, n = Board(rows, columns), rows * columns
    pieces = random_pieces(np.random.default_rng(seed), n, 5, 5)
    arrays = table_of(pieces, 6, measure=measure, turns=turns).arrays
    growth, start = run_kernels(arrays, board, at_once)
    slowly = Slowly(arrays, board)
    assert slowly.worth(start) == pytest.approx(max(map(slowly.worth, range(n))), abs=1e-5)
    expected = slowly.run(start)
    top, left = (min(cell[axis] for cell in expected) for axis in (0, 1))
    grid = growth.arrangement()
    found = {tuple(cell): int(grid[tuple(cell)]) for cell in np.argwhere(grid >= 0).tolist()}
    assert found == {(r - top, c - left): pose for (r, c), pose in expected.items()}


@pytest.mark.parametrize("board", [Board(1, 9), Board(9, 1), Board(3, 3), Board(1, 2)])
def test_equals_are_placed_as_well(board):
    n = board.rows * board.columns
    arrays = table_of(np.full((n, 4, 4, 3), 9, np.uint8), 64, measure=ONE_SIDED).arrays
    assert run_kernels(arrays, board, 100)[0].placed == n
