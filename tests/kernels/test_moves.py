"""Annealing move by move, beside a slow twin; and what hints say."""

import itertools
import math

import naive
import numpy as np
import pytest
from helpers import random_pieces, seam_table
from hypothesis import given, settings
from hypothesis import strategies as st

from jigsolve import Board, Puzzle
from jigsolve._kernels import annealing as kernels
from jigsolve._kernels.hints import least_energy
from jigsolve._kernels.site import energy
from jigsolve.core.poses import poses_of
from jigsolve.execution.crew import crew
from jigsolve.measures import LEARNED
from jigsolve.seams.table import SeamTable
from jigsolve.solvers.genetic.annealing import Annealing
from jigsolve.solvers.genetic.site import site_of

ROWS, COLUMNS = 4, 5
WORD = 2**64


@pytest.fixture(scope="module")
def noise():
    """Make the table of twenty pieces of noise, four of which there are twice; few are scored."""
    pieces = random_pieces(np.random.default_rng(5), 20, 7, 7)
    pieces[[3, 8, 13, 18]] = pieces[[2, 7, 12, 17]]
    with crew(1) as hands:
        arrays = seam_table(
            Puzzle(pieces, Board(ROWS, COLUMNS)), np.arange(20), LEARNED, 16, hands
        ).arrays
    return SeamTable(arrays._replace(scored=np.minimum(arrays.scored, 6)))


def scrambled(word):
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % WORD
    return word ^ (word >> 31)


class Draws:
    """The random numbers of one move."""

    golden = 0x9E3779B97F4A7C15

    def __init__(self, key, move):
        self.state = scrambled(key ^ (move * self.golden % WORD))

    def word(self):
        self.state = (self.state + self.golden) % WORD
        return scrambled(self.state)

    def unit(self):
        return (self.word() >> 11) / 2**53

    def below(self, bound):
        return (self.word() >> 32) * bound >> 32


class Chain:
    """Moves that are tried one after the other, each as simply as it can be said."""

    def __init__(self, site, table, moves):
        self.seams, self.site, self.moves = table.arrays, site, moves
        self.pieces = table.pieces
        self.grid = site.grid.reshape(-1, site.width)[1:-1, 1:-1].copy()
        self.still = site.still.reshape(-1, site.width)[1:-1, 1:-1]

    def at(self, grid, cell):
        row, column = cell
        inside = 0 <= row < grid.shape[0] and 0 <= column < grid.shape[1]
        return int(grid[row, column]) if inside else -1

    def beside(self, cell, toward):
        return cell[0] + naive.STEP[toward][0], cell[1] + naive.STEP[toward][1]

    def energy(self, cell, toward):
        one, other = self.at(self.grid, cell), self.at(self.grid, self.beside(cell, toward))
        first, second = (one, other) if toward % 2 else (other, one)
        return float(energy(self.seams, self.site, first, toward | 1, second))

    def total(self, grid):
        every = self.grid
        self.grid = grid
        cells = itertools.product(range(grid.shape[0]), range(grid.shape[1]))
        found = sum(self.energy(cell, toward) for cell in cells for toward in (1, 3))
        self.grid = every
        return found

    def where(self, piece):
        found = np.argwhere(self.grid // 4 == piece)
        return tuple(int(number) for number in found[0]) if len(found) else None

    def grown(self, seed, draws):
        dearest = 0.0
        if draws.unit() >= 0.4:
            dearest = self.site.scale.dearest * draws.unit() ** 1.5
        room = 4
        while room < 64 and draws.unit() < 0.56:
            room *= 2
        body = [seed]
        for cell in body:
            for toward in range(4):
                other = self.beside(cell, toward)
                if self.energy(cell, toward) >= dearest or other in body:
                    continue
                if not 0 <= self.at(self.grid, other) < 4 * self.pieces:
                    continue
                if len(body) == room:
                    return []
                body.append(other)
        return body

    def known(self, number):
        bodies = self.moves.bodies
        members = range(bodies.starts[number], bodies.starts[number + 1])
        cells = [self.where(bodies.members[index]) for index in members]
        offsets = [
            (cell[0] - cells[0][0]) * self.site.width + cell[1] - cells[0][1] for cell in cells
        ]
        return cells if offsets == [bodies.offsets[index] for index in members] else []

    def aim(self, body, draws):
        for _ in range(8):
            cell, toward = body[draws.below(len(body))], draws.below(4)
            other = self.beside(cell, toward)
            if other in body:
                continue
            settled = self.energy(cell, toward) < self.site.scale.settled
            if self.at(self.grid, other) != -1 and settled and draws.unit() < 0.7:
                continue
            side = self.at(self.grid, cell) // 4 * 4 + toward
            if side >= len(self.seams.partners):
                return None
            rank = int(min(8, self.seams.partners.shape[1]) * draws.unit() ** 2)
            partner = int(self.seams.partners[side, rank])
            spot = self.where(partner // 4) if 0 <= partner // 4 < self.pieces else None
            if spot is None or spot in body:
                return None
            there = self.beside(spot, partner % 4)
            return there[0] - cell[0], there[1] - cell[1]
        return None

    def tried(self, number):
        """Return the board after a move, None if it is not made."""
        draws = Draws(int(self.moves.key), number)
        bodies = len(self.moves.bodies.starts) - 1
        if bodies and draws.unit() < self.moves.bodily:
            body = self.known(draws.below(bodies))
        else:
            active = self.moves.active
            body = self.grown(self.where(active[draws.below(len(active))]), draws)
        shift = self.aim(body, draws) if body else None
        if shift is None or shift == (0, 0):
            return None
        after = naive.body_moved(self.grid, body, *shift)
        aims = [(row + shift[0], column + shift[1]) for row, column in body]
        if after is None or any(self.still[cell] for cell in body + aims):
            return None
        most = self.total(self.grid) - self.moves.temperature * math.log(1 - draws.unit())
        return after if self.total(after) <= most else None

    def run(self, count):
        for first in range(0, count, kernels.AT_ONCE):
            numbers = range(first, min(first + kernels.AT_ONCE, count))
            wanted = [number for number in numbers if self.tried(number) is not None]
            for number in wanted:
                after = self.tried(number)
                self.grid = self.grid if after is None else after
        return self.grid


@settings(max_examples=25)
@given(
    st.integers(0, 3), st.integers(0, 2), st.sampled_from([0.5, 4.0, 20.0]), st.integers(0, 10**6)
)
def test_moves_are_those_of_the_slow_twin(noise, holes, still, degrees, seed):
    rng = np.random.default_rng(seed)
    arrangement = rng.permutation(20).reshape(ROWS, COLUMNS)
    arrangement.flat[rng.permutation(20)[:holes]] = -1
    work = Annealing(noise, poses_of(arrangement))
    site = work._site
    filled = np.flatnonzero((site.grid >= 0) & (site.grid < 80))
    held = rng.permutation(filled)[:still]
    site.still[held] = True
    with crew(1) as hands:
        bodies = work._parts(hands)
    active = arrangement[arrangement >= 0].astype(np.int32)
    key = rng.integers(WORD, dtype=np.uint64)
    moves = kernels.Moves(active, bodies, 0.3, degrees, key)
    before = site.grid.copy()
    expected = Chain(site, noise, moves).run(90)
    for first, last in ((0, 32), (32, 90)):
        kernels.anneal(noise.arrays, site, moves, first, last)
    found = site.grid.reshape(-1, site.width)[1:-1, 1:-1]
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(site.grid[held], before[held])
    anew = site_of(noise, np.where(found < 80, found, -1))
    np.testing.assert_array_equal(site.across, anew.across)
    np.testing.assert_array_equal(site.down, anew.down)
    assert degrees < 20 or still or (before != site.grid).any()


def test_hints_say_the_least_that_a_seam_can_have(noise):
    site = site_of(noise, poses_of(np.arange(20).reshape(ROWS, COLUMNS)))
    close = listed = 0
    for own, other in itertools.permutations(range(20), 2):
        for toward in range(4):
            seam = (own, toward | 1, other) if toward % 2 else (other, toward | 1, own)
            exact = energy(noise.arrays, site, 4 * seam[0], seam[1], 4 * seam[2])
            least = least_energy(noise.arrays, site, 4 * own, toward, 4 * other)
            assert least <= exact
            if exact <= site.scale.least_unscored:
                listed += 1
                close += exact - least < 1 / 16
            else:
                assert least == site.scale.least_unscored or least < exact
    assert close > 0.8 * listed > 100
