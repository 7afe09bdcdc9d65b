"""Scores where pieces are turned, as the literature has them.

The whole may come out turned, so it is compared in each turn that fits the board, and the best one
counts: the one with most cells right, aware before strict. *Direct* asks for the right piece in the
right turn, *neighbour* for the same two sides to touch. A piece stands in for another, or for
itself in another turn, where the pixels in the cell are the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jigsolve.core import Puzzle
from jigsolve.core.turns import NONE, Placement, possible_turns, widest_turns
from jigsolve.errors import InputError
from jigsolve.scores.looks import Looks, pixel_looks, strict_looks
from jigsolve.scores.result import Scores
from jigsolve.scores.touching import expected_shared, seam_keys, shared, touching


class Faces(NamedTuple):
    """What is seen in the cells of what was found, and of the truth."""

    found: np.ndarray
    truth: np.ndarray


def whole_turns(found: tuple[int, ...], truth: tuple[int, ...], turns: str) -> list[int]:
    """Return the turns in which a board of one shape fits another."""
    return [t for t in possible_turns(turns) if (found if t % 2 == 0 else found[::-1]) == truth]


def score_turned(puzzle: Puzzle, found: Placement, truth: Placement) -> Scores:
    """Score pieces as they were placed and turned."""
    turns = puzzle.turns
    strict, aware = strict_looks(len(puzzle)), pixel_looks(puzzle.pieces, turns)
    present = truth.pieces >= 0

    def right(looks: Looks, turn: int) -> np.ndarray:
        return np.asarray(looks.of(found.turned(turn)) == looks.of(truth))

    def in_place(turn: int) -> tuple[float, float]:
        return _share(right(aware, turn), present), _share(right(strict, turn), present)

    fitting = whole_turns(found.pieces.shape, truth.pieces.shape, turns)
    turn = max(fitting, key=lambda t: (in_place(t), -t))
    neighbour, neighbour_aware = (
        _shared_share(looks.of(found), looks.of(truth), looks, turns) for looks in (strict, aware)
    )
    return Scores(
        neighbour=neighbour,
        direct=in_place(turn)[1],
        neighbour_aware=neighbour_aware,
        direct_aware=in_place(turn)[0],
        perfect=bool(right(aware, turn).all()),
        turn=turn,
    )


def wrong_turned_seams(
    puzzle: Puzzle, found: Placement, truth: Placement
) -> tuple[np.ndarray, np.ndarray]:
    """Return which seams join no two sides that touch in the truth, look-alikes interchangeable."""
    looks = pixel_looks(puzzle.pieces, puzzle.turns)
    true = touching([looks.of(truth)], looks, puzzle.turns).keys
    across, down = (
        (keys >= 0) & ~np.isin(keys, true)
        for keys in seam_keys(looks.of(found), looks, puzzle.turns)
    )
    return across, down


def turned_ceiling(puzzle: Puzzle, truth: Placement) -> Scores:
    """Return what a perfect picture scores on average: see `scores.strict_ceiling`."""
    looks = pixel_looks(puzzle.pieces, puzzle.turns)
    cells = looks.of(truth)
    return _dealt_at_random(Faces(cells, cells), looks, looks.copies, puzzle.turns)


def score_turned_pictures(original: Puzzle, solved: Puzzle) -> tuple[Scores | None, int]:
    """Score a picture whose pieces may be turned; how many of them the original lacks.

    There are no scores unless it has them all.
    """
    turns, count = widest_turns(*original.piece_size), len(original)
    if not whole_turns(tuple(solved.board), tuple(original.board), turns):
        return None, len(solved)
    looks = pixel_looks(np.concatenate([original.pieces, solved.pieces]), turns)
    kinds = looks.kinds[looks.seen[:-1, 0]]
    surplus = np.bincount(kinds[count:], minlength=len(looks.after))
    surplus -= np.bincount(kinds[:count], minlength=len(looks.after))
    if strangers := int(surplus[surplus > 0].sum()):
        return None, strangers
    truth, found = looks.seen[:count, 0], looks.seen[count:-1, 0]
    copies = Looks(looks.seen[:count], looks.after).copies
    faces = Faces(found.reshape(solved.board), truth.reshape(original.board))
    return _dealt_at_random(faces, looks, copies, turns), 0


def _dealt_at_random(faces: Faces, looks: Looks, copies: np.ndarray, turns: str) -> Scores:
    """Score looks; strict scores are the mean over all ways to number and turn look-alikes."""
    found, truth = faces
    present = truth >= 0

    def turned(turn: int) -> np.ndarray:
        return np.asarray(looks.after[np.rot90(found, -turn), turn])

    def in_place(turn: int) -> tuple[float, float]:
        right = turned(turn) == truth
        return _share(right, present), _share(right / np.maximum(copies[truth], 1), present)

    fitting = whole_turns(found.shape, truth.shape, turns)
    turn = max(fitting, key=lambda t: (in_place(t), -t))
    mine, true = (touching([grid], looks, turns) for grid in faces)
    if not true.total:
        raise InputError("expected a truth with two pieces side by side, found none")
    return Scores(
        neighbour=expected_shared(mine, true, looks, copies) / true.total,
        direct=in_place(turn)[1],
        neighbour_aware=shared(mine, true) / true.total,
        direct_aware=in_place(turn)[0],
        perfect=bool((turned(turn) == truth).all()),
        turn=None if turns == NONE else turn,
    )


def _share(values: np.ndarray, present: np.ndarray) -> float:
    return float(np.mean(values[present]))


def _shared_share(found: np.ndarray, truth: np.ndarray, looks: Looks, turns: str) -> float:
    """Return the share of true seams that are found."""
    true = touching([truth], looks, turns)
    if not true.total:
        raise InputError("expected a truth with two pieces side by side, found none")
    return shared(touching([found], looks, turns), true) / true.total
