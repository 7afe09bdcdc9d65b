"""How right is it? Scoring is a separate step; no solver sees a truth.

Four scores, all from 0 to 1. *Direct* is the share of cells that hold the right piece,
*neighbour* the share of seams that join two pieces that were neighbours. Strict scores tell all
pieces apart, as the literature does; aware scores let pieces with equal pixels stand in for each
other, because no solver can tell them apart. Where pieces are missing, only the cells and seams
that could be right count. What turns change is said in `turned.py`.
"""

from __future__ import annotations

import numpy as np

from jigsolve.core import Puzzle
from jigsolve.core.puzzle import checked_arrangement
from jigsolve.core.turns import Placement, checked_turns
from jigsolve.errors import InputError
from jigsolve.scores.looks import look_alikes
from jigsolve.scores.result import Scores
from jigsolve.scores.turned import (
    score_turned,
    score_turned_pictures,
    turned_ceiling,
    wrong_turned_seams,
)
from jigsolve.solvers.solution import Solution

Truth = np.ndarray | Placement
"""An arrangement, (rows, columns), or where pieces are turned a placement."""


def score(solution: Solution, truth: Truth) -> Scores:
    """Score a solution against the truth that `Puzzle.shuffle` gave.

    Where pieces are turned, the whole may be turned as well; `turn` says by how much.

    Examples
    --------
    >>> from jigsolve import Settings, solve
    >>> ramp = np.add.outer(np.arange(0, 120, 2), np.arange(80)).astype(np.uint8)
    >>> puzzle, truth = Puzzle.cut(ramp, piece=20).shuffle(seed=3)
    >>> score(solve(puzzle, Settings.of(population=20, generations=10)), truth).perfect
    True
    """
    found = solution.arrangement if solution.turns is None else solution.placement
    return score_arrangement(solution.puzzle, found, truth)


def _placed(puzzle: Puzzle, grid: Truth) -> Placement:
    """Return an arrangement as a placement; raise unless it is one of the puzzle's."""
    pieces, turns = grid if isinstance(grid, Placement) else (grid, np.zeros_like(grid))
    cells = checked_arrangement(pieces, puzzle)
    return Placement(cells, checked_turns(turns, cells, puzzle.turns))


def score_arrangement(puzzle: Puzzle, arrangement: Truth, truth: Truth) -> Scores:
    """Score any arrangement of a puzzle against the truth."""
    if isinstance(arrangement, Placement) or isinstance(truth, Placement):
        return score_turned(puzzle, _placed(puzzle, arrangement), _placed(puzzle, truth))
    truth = checked_arrangement(truth, puzzle)
    found = checked_arrangement(arrangement, puzzle)
    looks = np.append(look_alikes(puzzle.pieces), -1)
    return _scores(found, truth, looks[found], looks[truth])


def wrong_seams(puzzle: Puzzle, arrangement: Truth, truth: Truth) -> tuple[np.ndarray, np.ndarray]:
    """Return which seams join no two neighbours of the truth, identical pieces interchangeable.

    The first array holds the seams to the right, (rows, columns - 1), the second those to the
    bottom, (rows - 1, columns). Beside an empty cell there is no seam, and so none that is wrong.
    """
    if isinstance(arrangement, Placement) or isinstance(truth, Placement):
        return wrong_turned_seams(puzzle, _placed(puzzle, arrangement), _placed(puzzle, truth))
    looks = look_alikes(puzzle.pieces)
    empty = int(looks.max()) + 1
    looks = np.append(looks, empty)  # where -1 points to
    found = looks[checked_arrangement(arrangement, puzzle)]
    true = looks[checked_arrangement(truth, puzzle)]
    base = empty + 1
    keys, true_keys = (
        (grid[:, :-1] * base + grid[:, 1:], grid[:-1] * base + grid[1:]) for grid in (found, true)
    )
    across, down = (~np.isin(mine, right) for mine, right in zip(keys, true_keys, strict=True))
    held = found != empty
    return across & held[:, :-1] & held[:, 1:], down & held[:-1] & held[1:]


def score_pictures(original: Puzzle, solved: Puzzle) -> Scores:
    """Score a solved picture against the original, recognising pieces by their pixels.

    Which of several identical pieces is which cannot be seen in a picture. The strict scores
    are then what the solver would get on average if their numbers had been dealt at random;
    without identical pieces they are exact. Where pieces are the original's only if they are
    turned, they are scored as turned ones.
    """
    is_upright, is_turned = (
        board == original.board and solved.piece_size == original.piece_size
        for board in (solved.board, solved.board[::-1])
    )
    if not is_upright and not (is_turned and len(set(solved.piece_size)) == 1):
        raise InputError(
            f"expected a solved picture of {original.board.columns} x {original.board.rows} "
            f"pieces of {original.piece_size} pixels, found {solved.board.columns} x "
            f"{solved.board.rows} of {solved.piece_size}"
        )
    if is_upright:
        truth, found, strangers = kinds_of(original, solved)
        if not strangers:
            return score_kinds(found, truth)
    scores, strangers = score_turned_pictures(original, solved)
    if scores is None:
        raise InputError(
            f"expected the original's pieces in the solved picture, found {strangers} of "
            f"{len(solved)} that are not among them (another picture or piece size, or saved with "
            "loss?)"
        )
    return scores


def kinds_of(original: Puzzle, solved: Puzzle) -> tuple[np.ndarray, np.ndarray, int]:
    """Return numbers of the kinds of pieces in both, and how many of solved original lacks."""
    n = len(original)
    looks = look_alikes(np.concatenate([original.pieces, solved.pieces]))
    truth, found = looks[:n].reshape(original.board), looks[n:].reshape(original.board)
    kinds = int(looks.max()) + 1
    surplus = np.bincount(found.ravel(), minlength=kinds)
    surplus -= np.bincount(truth.ravel(), minlength=kinds)
    return truth, found, int(surplus[surplus > 0].sum())


def score_kinds(found: np.ndarray, truth: np.ndarray) -> Scores:
    """Score kinds of pieces, (rows, columns) whole numbers, equal where pieces look the same."""
    copies = np.bincount(truth.ravel(), minlength=int(found.max()) + 1)
    return _dealt_at_random(found, truth, copies)


def strict_ceiling(puzzle: Puzzle, truth: Truth) -> Scores:
    """Return what a perfect picture scores on average: identical pieces cost strict points.

    Those that are left over cost them, too: any of them may lie in another's place. So does a piece
    that looks the same when it is turned, where pieces are.
    """
    if isinstance(truth, Placement):
        return turned_ceiling(puzzle, _placed(puzzle, truth))
    looks = look_alikes(puzzle.pieces)
    kinds = np.append(looks, -1)[checked_arrangement(truth, puzzle)]
    return _dealt_at_random(kinds, kinds, np.bincount(looks))


def _dealt_at_random(found: np.ndarray, truth: np.ndarray, copies: np.ndarray) -> Scores:
    """Score kinds of pieces; strict scores are the mean over all ways to number look-alikes.

    So many copies there are of each kind. A cell that is empty, -1, in the truth does not count.
    """
    copies = copies.astype(float)
    aware = _scores(found, truth, found, truth)
    right = (found == truth) / np.maximum(copies[found], 1)
    joined = seams = 0.0
    for axis in (0, 1):
        true_joins = _joins(truth, axis)
        joined += _expected_joins(_joins(found, axis), true_joins, copies)
        seams += float(true_joins[1].sum())
    return Scores(
        neighbour=joined / seams,
        direct=float(np.mean(right[truth >= 0])),
        neighbour_aware=aware.neighbour_aware,
        direct_aware=aware.direct_aware,
        perfect=aware.perfect,
    )


def _scores(
    found: np.ndarray, truth: np.ndarray, found_looks: np.ndarray, truth_looks: np.ndarray
) -> Scores:
    seams = sum(int(_joins(truth, axis)[1].sum()) for axis in (0, 1))
    if not seams:
        raise InputError("expected a truth with two pieces side by side, found none")
    present = truth >= 0
    strict = sum(_shared_joins(found, truth, axis) for axis in (0, 1))
    aware = sum(_shared_joins(found_looks, truth_looks, axis) for axis in (0, 1))
    alike = found_looks == truth_looks
    return Scores(
        neighbour=strict / seams,
        direct=float(np.mean((found == truth)[present])),
        neighbour_aware=aware / seams,
        direct_aware=float(np.mean(alike[present])),
        perfect=bool(alike.all()),
    )


def _joins(grid: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the different (piece, next piece) pairs along an axis, and how often each is."""
    first = np.delete(grid, -1, axis).ravel()
    second = np.delete(grid, 0, axis).ravel()
    pairs = np.stack([first, second], axis=1)[(first >= 0) & (second >= 0)]
    return np.unique(pairs, axis=0, return_counts=True)


def _match(pairs: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where rows that both hold stand in each; both are sorted and without repeats."""
    base = 1 + max(int(pairs.max(initial=0)), int(others.max(initial=0)))
    keys, other_keys = (p[:, 0].astype(np.int64) * base + p[:, 1] for p in (pairs, others))
    _, here, there = np.intersect1d(keys, other_keys, return_indices=True)
    return here, there


def _shared_joins(found: np.ndarray, truth: np.ndarray, axis: int) -> int:
    (pairs, counts), (true_pairs, true_counts) = _joins(found, axis), _joins(truth, axis)
    here, there = _match(pairs, true_pairs)
    return int(np.minimum(counts[here], true_counts[there]).sum())


def _expected_joins(
    found: tuple[np.ndarray, np.ndarray],
    truth: tuple[np.ndarray, np.ndarray],
    copies: np.ndarray,
) -> float:
    """Return how many joins are right on average when look-alikes are numbered at random."""
    (pairs, counts), (true_pairs, true_counts) = found, truth
    here, there = _match(pairs, true_pairs)
    first, second = pairs[here, 0], pairs[here, 1]
    ways = copies[first] * (copies[second] - (first == second))
    return float((counts[here] * true_counts[there] / ways).sum())
