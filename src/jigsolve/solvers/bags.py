"""Bags of pieces of several pictures: from a bag to its pictures."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from jigsolve.assembly.pictures import ANYBODY, Picture, find_pictures
from jigsolve.core import Board, Puzzle
from jigsolve.core.bag import Bag
from jigsolve.core.checks import whole_number
from jigsolve.core.provenance import provenance
from jigsolve.core.puzzle import laid
from jigsolve.core.turns import Placement
from jigsolve.errors import InputError, NoRoomError
from jigsolve.execution.events import Message, OnEvent, PictureBegan
from jigsolve.execution.stop import EARLY, INTERRUPTED, Stop, Stopped
from jigsolve.execution.work import Helped, Work, working
from jigsolve.measures import MEASURES
from jigsolve.measures.heard import Heard
from jigsolve.pricing.prepared import Prepared, prepare
from jigsolve.seams.confidence import Confidence
from jigsolve.solvers.boards import evidence_on, priced_on
from jigsolve.solvers.foresight import foresee, foresee_pricing
from jigsolve.solvers.kernels import prepare_kernels
from jigsolve.solvers.protocol import Keeping
from jigsolve.solvers.registry import solver_of
from jigsolve.solvers.settings import Settings
from jigsolve.solvers.solution import Solution, solution_of

MOST_PICTURES = 10_000

WORTH_UNITING = 0.15
"""Two parts are one picture if, put together, more speaks for them by this share of what speaks for
the lesser one. Two pictures gain a tenth at most: one fills the other's gaps."""


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


@dataclass(frozen=True, eq=False)
class BagSolution:
    """The pictures of a bag."""

    bag: Bag = field(repr=False)
    pictures: list[BagPicture]
    """The largest first."""
    is_clear: bool
    """Whether the number of pictures is for certain."""
    settings: Settings
    stopped: str | None
    """Why it ended before all pictures were solved: "asked", "time" or "interrupted"; or None."""

    @property
    def strays(self) -> list[int]:
        """The pieces that are in no picture."""
        placed = [picture.placement.pieces.ravel() for picture in self.pictures]
        left_over = np.setdiff1d(np.arange(len(self.bag)), np.concatenate(placed))
        return [int(piece) for piece in left_over]

    def image(self, number: int) -> np.ndarray:
        """Return one of the pictures, counted from 0, uint8 of shape (height, width, 3)."""
        return laid(self.bag.pieces, *self.pictures[number].placement)

    def as_dict(self) -> dict[str, object]:
        """Return the record that JSON can hold; pieces have the numbers of the bag."""
        return {
            "format": "jigsolve-bag-solution",
            "pieces": len(self.bag),
            "turns": self.bag.turns,
            "names": None if self.bag.names is None else list(self.bag.names),
            "is_clear": self.is_clear,
            "stopped": self.stopped,
            "pictures": [self._picture_as_dict(picture) for picture in self.pictures],
            "strays": self.strays,
            **self.settings.as_record(),
            "threads": self.settings.threads,
            **provenance(),
        }

    def _picture_as_dict(self, picture: BagPicture) -> dict[str, object]:
        pieces, turns = picture.placement
        record: dict[str, object] = {} if picture.solution is None else picture.solution.as_dict()
        kept = ("cost", "seam_costs", "confidence", "believed", "damage", "stopped", "timings")
        return {
            "board": {"rows": pieces.shape[0], "columns": pieces.shape[1]},
            "arrangement": pieces.ravel().tolist(),
            "turns": turns.ravel().tolist(),
            **{name: record[name] for name in kept if name in record},
        }


def solve_bag(
    bag: Bag,
    settings: Settings | None = None,
    *,
    pictures: int | None = None,
    holes: int = 0,
    on_event: OnEvent | None = None,
    stop: Stop | None = None,
    helped: Helped | None = None,
) -> BagSolution:
    """Reassemble the pictures whose pieces are in a bag.

    Parameters
    ----------
    bag
        The pieces, in any order. Their boards need not be known, nor be equal.
    settings
        How seams are priced and who solves; the measure must be learned.
    pictures
        How many pictures there are; None to find out.
    holes
        Cells of each board that may stay empty although there are pieces left.
    on_event
        Told what happens, in order: see `jigsolve.execution.events`.
    stop
        Something to stop the run by: what was not solved yet has then its sure pieces only.
    helped
        Who helps with pricing the bag, such as `solvers.helped.kept_on(folder)`.
    """
    settings = settings or Settings()
    if pictures is not None:
        whole_number("pictures", pictures, 1, MOST_PICTURES)
    whole_number("holes", holes, 0, len(bag))
    if not MEASURES[settings.pricing.measure].reranked:
        raise InputError(
            f"measure: expected learned to tell pictures apart, found {settings.pricing.measure}"
        )
    with working(settings.threads, on_event, stop, helped) as work:
        try:
            return _solved(bag, settings, pictures, holes, work)
        except Stopped:
            raise InputError(
                f"expected time to price the seams of {len(bag):,} pieces, found that it was "
                "stopped before there was any picture"
            ) from None


def _solved(
    bag: Bag, settings: Settings, number: int | None, holes: int, work: Work
) -> BagSolution:
    whole = priced_on(bag.pieces, damage=bag.damage, turns=bag.turns)
    foresee_pricing(whole, settings, work.crew)
    prepare_kernels(work.clock)
    prepared = prepare(whole, settings.pricing, settings.seed, work, keep_scores=True)
    with work.clock.stage("pictures") as tell:
        found = find_pictures(prepared.table, work.crew, number, progress=tell)
    if not found.found or (number is not None and len(found.found) < number):
        raise InputError(
            f"expected {number or 'some'} pictures in a bag of {len(bag):,} pieces, found "
            f"{len(found.found) or 'none'}: too few seams are sure"
        )
    drawers = [_given(picture, prepared) for picture in found.found]
    table = _Table(bag, settings, work.by_itself(), prepared.heard())
    del prepared
    spare = np.setdiff1d(np.arange(len(bag)), np.concatenate([d.pieces for d in drawers]))
    stopped: str | None = None
    if not found.is_clear:
        try:
            drawers = _united(drawers, spare, table)
        except Stopped as early:
            stopped = early.reason
        except KeyboardInterrupt:
            stopped = INTERRUPTED
        except NoRoomError as error:
            work.events.tell(Message(f"what may be parts of one picture is left apart: {error}"))
        said = f"the bag seems to hold {len(drawers)} pictures, but that is not certain"
        work.events.tell(Message(said))
    solved: list[BagPicture] = []
    for picture in drawers:
        one = None
        if stopped is None:
            try:
                one = _solve_one(picture, len(solved), spare, holes, table)
                assert one.solution
                stopped = one.solution.stopped if one.solution.stopped in EARLY else None
            except Stopped as early:
                stopped = early.reason
            except KeyboardInterrupt:
                stopped = INTERRUPTED
            except NoRoomError as error:
                said = f"picture {len(solved) + 1} is left at what is sure of it: {error}"
                work.events.tell(Message(said))
        if one is None or (stopped and not _is_worth_more(one, picture)):
            one = BagPicture(_as_core(picture), None)
        solved.append(one)
        spare = np.setdiff1d(spare, one.placement.pieces)
    return BagSolution(bag, solved, found.is_clear, settings, stopped)


def _given(picture: Picture, prepared: Prepared) -> Picture:
    """Return a picture by the numbers that pieces were given by."""
    core = replace(picture.core, pieces=prepared.order[picture.core.pieces])
    return Picture(core, prepared.order[picture.pieces])


def _as_core(picture: Picture) -> Placement:
    pieces = np.full(picture.core.extent, -1, np.int32)
    turns = np.zeros(picture.core.extent, np.int8)
    pieces[*picture.core.places.T] = picture.core.pieces
    turns[*picture.core.places.T] = picture.core.turns
    return Placement(pieces, turns)


def _is_worth_more(one: BagPicture, picture: Picture) -> bool:
    """Whether a search that was cut short has more right seams, probably, than the sure pieces."""
    confidence = one.confidence()
    if confidence is None:
        return False
    right = float(np.nansum(confidence.right) + np.nansum(confidence.below))
    held = _as_core(picture).pieces >= 0
    return right > int((held[:, 1:] & held[:, :-1]).sum() + (held[1:] & held[:-1]).sum())


class _Table(NamedTuple):
    """What every picture of a bag is solved with."""

    bag: Bag
    settings: Settings
    work: Work
    heard: Heard | None
    """What the network said of the bag's seams."""


def _united(pictures: list[Picture], spare: np.ndarray, table: _Table) -> list[Picture]:
    """Return pictures with those put together that are one: as one much more speaks for them.

    A picture may fall apart along a plain sky. Only those are asked whose board is in doubt, and
    only where their number is: every question takes as long as solving a picture.
    """
    said: dict[tuple[int, ...], float] = {}

    def evidence(picture: Picture) -> float:
        key = tuple(picture.pieces.tolist())
        if key not in said:
            said[key] = _on_likeliest_board(picture, spare, 0, table).evidence
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


class _OnBoard(NamedTuple):
    """A picture's pieces on the board for which most speaks."""

    ids: np.ndarray
    prepared: Prepared
    evidence: float


def _on_likeliest_board(picture: Picture, spare: np.ndarray, holes: int, table: _Table) -> _OnBoard:
    """Price a picture's pieces, and those of no picture where it has room, on its board."""
    bag, settings, work, heard = table
    boards = picture.boards(len(spare))
    has_room = any(board.rows * board.columns > len(picture.pieces) for board in boards)
    ids = np.concatenate([picture.pieces, spare]) if has_room or holes else picture.pieces
    puzzles = [_puzzle(bag, ids, board, holes) for board in boards]
    foresee(puzzles[0], settings)
    prepared = prepare(
        puzzles[0],
        settings.pricing,
        settings.seed,
        work,
        keep_scores=True,
        heard=heard.about(ids) if heard else None,
    )
    every = [prepared.on(puzzle) for puzzle in puzzles]
    with work.clock.stage("boards"):
        said = [evidence_on(each, work, ANYBODY) for each in every]
    best = int(np.argmax(said))
    return _OnBoard(ids, every[best], said[best])


def _solve_one(
    picture: Picture, number: int, spare: np.ndarray, holes: int, table: _Table
) -> BagPicture:
    """Solve one picture: its pieces, and those that no picture has yet where it has room."""
    settings, work = table.settings, table.work
    ids, prepared, _ = _on_likeliest_board(picture, spare, holes, table)
    work.events.tell(PictureBegan(number, ids))
    found = solver_of(settings.options).solve(
        prepared, settings.options, settings.seed, work, Keeping()
    )
    solution = solution_of(prepared, found, settings, dict(work.clock.timings))
    pieces = np.append(ids, -1)[solution.arrangement].astype(np.int32)
    return BagPicture(Placement(pieces, solution.placement.turns), solution)


def _puzzle(bag: Bag, ids: np.ndarray, board: Board, holes: int) -> Puzzle:
    """Return some pieces of a bag on a board; those that have no room are strays."""
    cells = board.rows * board.columns
    holes = max(cells - len(ids), min(holes, cells - 2))
    names = None if bag.names is None else tuple(bag.names[piece] for piece in ids)
    strays = len(ids) + holes - cells
    return Puzzle(bag.pieces[ids], board, names, holes, strays, damage=bag.damage, turns=bag.turns)
