"""Other kinds of damage are tried where a result is not believed."""

from types import SimpleNamespace

import pytest

from jigsolve import Puzzle, Settings
from jigsolve.damage import Damage
from jigsolve.demo import demo_photo
from jigsolve.evolution.opinions import MOST_PIECES, NOT_BELIEVED, best_opinion


class Found(SimpleNamespace):
    """A solution, as far as opinions look at one."""

    def believed(self):
        return self.share


PUZZLE = Puzzle.cut(demo_photo(), 120)


def found(share, puzzle=PUZZLE, stopped="patience", **settings):
    return Found(share=share, puzzle=puzzle, stopped=stopped, settings=Settings(**settings))


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
    assert best_opinion(first, solve) is first
    assert tried == [SOFT]
