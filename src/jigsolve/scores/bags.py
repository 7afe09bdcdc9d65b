"""Scores of several pictures put together from one bag.

Pictures found are matched to the true ones by most shared pieces. *Direct* and *neighbour* are as
for one picture, over the pieces of all true pictures: a piece counts as in its place if it lies in
its cell and turn of the picture that is matched to its own, upper left corners on each other and
the picture found turned as is best for it. A seam counts wherever it is.

SEDAS is the shiftable enhanced direct accuracy score of Hammoudeh and Pollett 2016, the mean over
true pictures. Of true picture i and found picture j it is the number of pieces in place divided by
the pieces of i and those of others in j; the largest over j counts. Where the upper left corner of
j is empty, j may be shifted by up to the (Manhattan) distance from that corner to its nearest
piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from jigsolve.core.bag import Bag
from jigsolve.core.turns import Placement, checked_turns, possible_turns
from jigsolve.errors import InputError
from jigsolve.scores.assignment import best_assignment
from jigsolve.scores.looks import Looks, pixel_looks, strict_looks
from jigsolve.scores.touching import shared, touching


@dataclass(frozen=True)
class BagScores:
    """Shares from 0 to 1, over the pieces of all true pictures."""

    neighbour: float
    direct: float
    neighbour_aware: float
    direct_aware: float
    perfect: bool
    """Whether all pictures are restored, pixel for pixel, and there are no others."""
    sedas: float
    pictures: int
    """True ones."""
    found: int
    matched: tuple[int | None, ...]
    """For each true picture the one found that is matched to it, counted from 0."""
    turns: tuple[int | None, ...]
    """And the quarter turns clockwise by which that was turned to compare it."""

    def as_dict(self) -> dict[str, object]:
        """Return what JSON can hold."""
        return {n: list(v) if isinstance(v, tuple) else v for n, v in asdict(self).items()}


@dataclass(frozen=True)
class _Match:
    """A true picture beside one found, turned: how many cells are right."""

    turn: int
    aware: int
    strict: int
    is_whole: bool
    """Whether the one looks like the other, cell for cell."""


def score_bag(found: Sequence[Placement], truth: Sequence[Placement], bag: Bag) -> BagScores:
    """Score pictures found in a bag against the true ones.

    Parameters
    ----------
    found, truth
        One placement each, in ids of the bag's pieces; -1 where a cell is empty.
    bag
        The pieces, and how they may be turned.
    """
    found, truth = _checked("found", found, bag), _checked("truth", truth, bag)
    strict, aware = strict_looks(len(bag)), pixel_looks(bag.pieces, bag.turns)
    total = sum(int((true.pieces >= 0).sum()) for true in truth)
    in_common = np.array(
        [[np.isin(true.pieces, _ids(mine)).sum() for mine in found] for true in truth]
    ).reshape(len(truth), len(found))
    columns = best_assignment(in_common) if found else [-1] * len(truth)
    pairs = [j if j >= 0 and in_common[i, j] else None for i, j in enumerate(columns)]
    matches = [
        None if j is None else _best_match(found[j], true, strict, aware, bag.turns)
        for true, j in zip(truth, pairs, strict=True)
    ]
    held = [match for match in matches if match]
    is_whole = len(held) == len(truth) == len(found) and all(match.is_whole for match in held)
    seams = [_seam_share(found, truth, looks, bag.turns) for looks in (strict, aware)]
    return BagScores(
        neighbour=seams[0],
        direct=sum(match.strict for match in held) / total,
        neighbour_aware=seams[1],
        direct_aware=sum(match.aware for match in held) / total,
        perfect=is_whole,
        sedas=float(np.mean([_sedas(true, found, strict, bag.turns) for true in truth])),
        pictures=len(truth),
        found=len(found),
        matched=tuple(pairs),
        turns=tuple(None if match is None else match.turn for match in matches),
    )


def _checked(name: str, placements: Sequence[Placement], bag: Bag) -> list[Placement]:
    """Return placements with turns of their kind; raise where a piece is in two cells."""
    result = []
    for placement in placements:
        pieces = np.asarray(placement.pieces)
        if pieces.ndim != 2 or pieces.dtype.kind not in "iu" or not pieces.size:
            raise InputError(
                f"{name}: expected pieces as whole numbers of shape (rows, columns), found "
                f"{pieces.dtype} of shape {pieces.shape}"
            )
        result.append(Placement(pieces, checked_turns(placement.turns, pieces, bag.turns)))
    ids = np.concatenate([_ids(placement) for placement in result] or [np.empty(0, int)])
    if ids.size and not 0 <= ids.min() <= ids.max() < len(bag):
        raise InputError(f"{name}: expected pieces from 0 to {len(bag) - 1}, found {ids.max()}")
    if len(np.unique(ids)) < len(ids):
        raise InputError(f"{name}: expected each piece once, found one in two cells")
    if name == "truth" and not ids.size:
        raise InputError("truth: expected pictures with pieces, found none")
    return result


def _ids(placement: Placement) -> np.ndarray:
    return np.asarray(placement.pieces[placement.pieces >= 0])


def _seam_share(
    found: Sequence[Placement], truth: Sequence[Placement], looks: Looks, turns: str
) -> float:
    mine, true = (touching(map(looks.of, some), looks, turns) for some in (found, truth))
    if not true.total:
        raise InputError("expected a truth with two pieces side by side, found none")
    return shared(mine, true) / true.total


def _best_match(
    found: Placement, true: Placement, strict: Looks, aware: Looks, turns: str
) -> _Match:
    """Return how a picture matches in its best turn, aware before strict."""
    matches = []
    for turn in possible_turns(turns):
        turned = found.turned(turn)
        seen, expected = aware.of(turned), aware.of(true)
        matches.append(
            _Match(
                turn,
                aware=_in_place(seen, expected),
                strict=_in_place(strict.of(turned), strict.of(true)),
                is_whole=np.array_equal(seen, expected),
            )
        )
    return max(matches, key=lambda match: (match.aware, match.strict, -match.turn))


def _in_place(seen: np.ndarray, expected: np.ndarray, down: int = 0, right: int = 0) -> int:
    """Return how many cells show what is expected, if this corner lies on the first cell."""
    part = seen[down:, right:][: expected.shape[0], : expected.shape[1]]
    there = expected[: part.shape[0], : part.shape[1]]
    return int(((part == there) & (there >= 0)).sum())


def _sedas(true: Placement, found: Sequence[Placement], strict: Looks, turns: str) -> float:
    """Return the shiftable enhanced direct accuracy score of one true picture."""
    own, expected = _ids(true), strict.of(true)
    best = 0.0
    for picture in found:
        foreign = int((~np.isin(_ids(picture), own)).sum())
        if foreign == len(_ids(picture)):
            continue
        for turn in possible_turns(turns):
            turned = picture.turned(turn)
            seen = strict.of(turned)
            for down, right in _corners(turned.pieces):
                right_ones = _in_place(seen, expected, down, right)
                best = max(best, right_ones / (len(own) + foreign))
    return best


def _corners(pieces: np.ndarray) -> Iterator[tuple[int, int]]:
    """Yield cells no farther from the upper left one than the nearest that holds a piece."""
    rows, columns = np.nonzero(pieces >= 0)
    farthest = int((rows + columns).min(initial=pieces.size)) if rows.size else 0
    for down in range(min(farthest, pieces.shape[0] - 1) + 1):
        for right in range(min(farthest - down, pieces.shape[1] - 1) + 1):
            yield down, right
