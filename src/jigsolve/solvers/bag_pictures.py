"""One picture of a bag: which parts are one, on which board, with which spare pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from jigsolve.assembly.pictures import ANYBODY, Picture
from jigsolve.core import Board, Puzzle
from jigsolve.core.bag import Bag
from jigsolve.core.turns import Placement
from jigsolve.execution.events import PictureBegan
from jigsolve.execution.work import Work
from jigsolve.measures.heard import Heard
from jigsolve.pricing.prepared import Prepared, prepare
from jigsolve.seams.confidence import Confidence
from jigsolve.solvers.boards import evidence_on
from jigsolve.solvers.foresight import foresee
from jigsolve.solvers.protocol import Keeping
from jigsolve.solvers.registry import solver_of
from jigsolve.solvers.settings import Settings
from jigsolve.solvers.solution import Solution, solution_of

WORTH_UNITING = 0.15
"""Two parts are one picture if, put together, more speaks for them by this share of what speaks for
the lesser one. Two pictures gain a tenth at most: one fills the other's gaps."""

FEW_SPARE = 1000
"""So many pieces of no picture are tried in every picture that has room. Of more those are that fit
it best, half as many as it has pieces."""


@dataclass(frozen=True, eq=False)
class BagPicture:
    """One of the pictures that were found in a bag."""

    placement: Placement
    """Ids of the bag's pieces, -1 where a cell is empty, and their turns."""
    solution: Solution | None
    """How it was found, in numbers of its own; None if the run was stopped before."""

    def confidence(self) -> Confidence | None:
        """Return how likely seams and pieces are right; None if it was not solved."""
        return self.solution.confidence() if self.solution else None


class Shared(NamedTuple):
    """What every picture of a bag is solved with."""

    bag: Bag
    settings: Settings
    work: Work
    heard: Heard | None
    """What the network said of the bag's seams."""


def united(pictures: list[Picture], spare: np.ndarray, shared: Shared) -> list[Picture]:
    """Return pictures with those put together that are one: as one much more speaks for them.

    A picture may fall apart along a plain sky. Only those are asked whose board is in doubt, and
    only where their number is: every question takes as long as solving a picture.
    """
    said: dict[tuple[int, ...], float] = {}

    def evidence(picture: Picture) -> float:
        key = tuple(picture.pieces.tolist())
        if key not in said:
            said[key] = _on_boards(picture, spare, 0, shared).likeliest(shared.work)[1]
        return said[key]

    def apart(one: float, two: float) -> float:
        return one + two + WORTH_UNITING * min(one, two)

    while True:
        doubtful = [picture for picture in pictures if not picture.is_complete]
        pairs = ((one, two) for i, one in enumerate(doubtful) for two in doubtful[i + 1 :])
        better = next(
            (
                (one, two)
                for one, two in pairs
                if evidence(one.with_part(two)) > apart(evidence(one), evidence(two))
            ),
            None,
        )
        if better is None:
            return pictures
        one, two = better
        rest = [picture for picture in pictures if picture not in (one, two)]
        pictures = sorted([*rest, one.with_part(two)], key=lambda each: -len(each.pieces))


class _OnBoards(NamedTuple):
    """A picture's pieces, priced, and the boards they may fill."""

    ids: np.ndarray
    """The picture's own pieces come first."""
    own: int
    """How many these are."""
    puzzles: list[Puzzle]
    prepared: Prepared

    def likeliest(self, work: Work) -> tuple[Puzzle, float]:
        """Return the pieces on the board for which most speaks, and how much that is.

        Spare pieces may be parts of other pictures: what their own seams say is not about this one.
        """
        about = np.arange(len(self.ids)) < self.own
        with work.clock.stage("boards") as tell:
            said = []
            for puzzle in self.puzzles:
                said.append(evidence_on(self.prepared.on(puzzle), work, ANYBODY, about))
                tell(len(said), len(self.puzzles))
        best = int(np.argmax(said))
        return self.puzzles[best], said[best]


def _on_boards(picture: Picture, spare: np.ndarray, holes: int, shared: Shared) -> _OnBoards:
    """Price a picture's pieces, and those of no picture where it has room."""
    bag, settings, work, heard = shared
    most = min(len(spare), max(FEW_SPARE, len(picture.pieces) // 2))
    boards = picture.boards(most)
    ids = picture.pieces
    if holes or any(board.rows * board.columns > len(ids) for board in boards):
        if heard and len(spare) > most:
            spare = heard.likeliest(spare, ids, most)
        ids = np.concatenate([ids, spare])
    pieces = bag.pieces[ids]
    names = None if bag.names is None else tuple(bag.names[piece] for piece in ids)

    def on(board: Board) -> Puzzle:
        """Return the pieces on a board; those that have no room are strays."""
        cells = board.rows * board.columns
        empty = max(cells - len(ids), min(holes, cells - 2))
        strays = len(ids) + empty - cells
        return Puzzle(pieces, board, names, empty, strays, damage=bag.damage, turns=bag.turns)

    puzzles = [on(board) for board in boards]
    foresee(puzzles[0], settings)
    prepared = prepare(
        puzzles[0],
        settings.pricing,
        settings.seed,
        work,
        keep_scores=True,
        heard=heard.about(ids) if heard else None,
    )
    return _OnBoards(ids, len(picture.pieces), puzzles, prepared)


def solve_picture(
    picture: Picture, number: int, spare: np.ndarray, holes: int, shared: Shared
) -> BagPicture:
    """Solve one picture: its pieces, and those that no picture has yet where it has room."""
    settings, work = shared.settings, shared.work
    on_boards = _on_boards(picture, spare, holes, shared)
    ids, prepared = on_boards.ids, on_boards.prepared
    if len(on_boards.puzzles) > 1:
        prepared = prepared.on(on_boards.likeliest(work)[0])
    work.events.tell(PictureBegan(number, ids))
    found = solver_of(settings.options).solve(
        prepared, settings.options, settings.seed, work, Keeping()
    )
    solution = solution_of(prepared, found, settings, dict(work.clock.timings))
    pieces = np.append(ids, -1)[solution.arrangement].astype(np.int32)
    return BagPicture(Placement(pieces, solution.placement.turns), solution)


def as_core(picture: Picture) -> Placement:
    """Return what is sure of a picture."""
    pieces = np.full(picture.core.extent, -1, np.int32)
    turns = np.zeros(picture.core.extent, np.int8)
    pieces[*picture.core.places.T] = picture.core.pieces
    turns[*picture.core.places.T] = picture.core.turns
    return Placement(pieces, turns)


def is_worth_more(one: BagPicture, picture: Picture) -> bool:
    """Whether a search that was cut short has more right seams, probably, than the sure pieces."""
    confidence = one.confidence()
    if confidence is None:
        return False
    right = float(np.nansum(confidence.right) + np.nansum(confidence.below))
    held = as_core(picture).pieces >= 0
    return right > int((held[:, 1:] & held[:, :-1]).sum() + (held[1:] & held[:-1]).sum())
