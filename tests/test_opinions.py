"""Other kinds of damage are tried where a result is not believed."""

from dataclasses import dataclass, replace

import pytest

from jigsolve import InputError, Puzzle, Settings
from jigsolve.damage import Damage
from jigsolve.io.demo import demo_photo
from jigsolve.solvers.opinions import MOST_PIECES, NOT_BELIEVED, best_opinion


@dataclass(frozen=True)
class Found:
    """A solution, as far as opinions look at one."""

    share: float | None
    puzzle: Puzzle
    stopped: str
    settings: Settings
    code: object

    def believed(self):
        return self.share


PUZZLE = Puzzle.cut(demo_photo(), 120)


def found(share, puzzle=PUZZLE, stopped="patience", code=None, **settings):
    return Found(share, puzzle, stopped, Settings.of(**settings), code)


def opinions(first, shares):
    """Return the best of a first opinion and further ones, and which were tried."""
    tried = []

    def solve(puzzle):
        tried.append(puzzle.damage)
        return found(shares[puzzle.damage], puzzle)

    return best_opinion(first, solve), tried


SOFT, ERODED = Damage(soft=True), Damage(eroded=True)


def test_the_better_explained_one_is_kept():
    best, tried = opinions(found(0.4), {SOFT: 0.3, ERODED: 0.5})
    assert tried == [SOFT, ERODED]
    assert best.puzzle.damage == ERODED
    best, _ = opinions(found(0.4), {SOFT: 0.3, ERODED: 0.2})
    assert best.puzzle.damage.is_none


@pytest.mark.parametrize(
    "first",
    [
        found(NOT_BELIEVED),
        found(None),
        found(0.1, damage="none"),
        found(0.1, stopped="interrupted"),
        found(0.1, code="a QR code"),
        found(0.1, puzzle=[None] * (MOST_PIECES + 1)),
    ],
)
def test_nothing_is_tried_without_need(first):
    best, tried = opinions(first, {})
    assert best is first
    assert not tried


def test_what_is_known_stays_known():
    damage = Damage("jpeg", soft=True)
    first = found(0.2, Puzzle(PUZZLE.pieces, PUZZLE.board, damage=damage))
    _, tried = opinions(first, {Damage("jpeg", soft=True, eroded=True): 0.1})
    assert tried == [Damage("jpeg", soft=True, eroded=True)]


def test_ctrl_c_ends_the_trying():
    tried = []

    def solve(puzzle):
        tried.append(puzzle.damage)
        return found(0.1, puzzle, stopped="interrupted")

    first = found(0.4)
    assert best_opinion(first, solve) == replace(first, stopped="interrupted")
    assert tried == [SOFT]


def test_ctrl_c_before_anything_is_found_keeps_what_there_is():
    def solve(puzzle):
        raise KeyboardInterrupt

    first = found(0.4)
    assert best_opinion(first, solve) == replace(first, stopped="interrupted")


def test_an_opinion_that_does_not_fit_into_memory_is_none():
    def solve(puzzle):
        raise InputError("too large")

    first = found(0.4)
    assert best_opinion(first, solve) is first
