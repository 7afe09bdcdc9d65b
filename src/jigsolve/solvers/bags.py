"""Bags of pieces of several pictures: from a bag to its pictures."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from jigsolve.assembly.pictures import Picture, find_pictures
from jigsolve.core.bag import Bag
from jigsolve.core.checks import whole_number
from jigsolve.core.pieces import laid
from jigsolve.core.provenance import provenance
from jigsolve.errors import InputError, NoRoomError
from jigsolve.execution.events import Message, OnEvent
from jigsolve.execution.stop import EARLY, INTERRUPTED, Stop, Stopped
from jigsolve.execution.work import Helped, Work, working
from jigsolve.measures import MEASURES
from jigsolve.pricing.prepared import Prepared, prepare
from jigsolve.solvers.bag_pictures import (
    BagPicture,
    Shared,
    as_core,
    is_worth_more,
    solve_picture,
    united,
)
from jigsolve.solvers.boards import priced_on
from jigsolve.solvers.foresight import foresee_pricing
from jigsolve.solvers.kernels import prepare_kernels
from jigsolve.solvers.settings import Settings

MOST_PICTURES = 10_000


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
    shared = Shared(bag, settings, work.by_itself(), prepared.heard())
    del prepared
    spare = np.setdiff1d(np.arange(len(bag)), np.concatenate([d.pieces for d in drawers]))
    stopped: str | None = None
    if not found.is_clear:
        try:
            drawers = united(drawers, spare, shared)
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
                one = solve_picture(picture, len(solved), spare, holes, shared)
                assert one.solution
                stopped = one.solution.stopped if one.solution.stopped in EARLY else None
            except Stopped as early:
                stopped = early.reason
            except KeyboardInterrupt:
                stopped = INTERRUPTED
            except NoRoomError as error:
                said = f"picture {len(solved) + 1} is left at what is sure of it: {error}"
                work.events.tell(Message(said))
        if one is None or (stopped and not is_worth_more(one, picture)):
            one = BagPicture(as_core(picture), None)
        solved.append(one)
        spare = np.setdiff1d(spare, one.placement.pieces)
    return BagSolution(bag, solved, found.is_clear, settings, stopped)


def _given(picture: Picture, prepared: Prepared) -> Picture:
    """Return a picture by the numbers that pieces were given by."""
    core = replace(picture.core, pieces=prepared.order[picture.core.pieces])
    return Picture(core, prepared.order[picture.pieces])
