"""A prepared bag: its seams are priced once, and any number of solves read them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from jigsolve.core import Puzzle
from jigsolve.core.fingerprint import fingerprint
from jigsolve.core.layout import Layout, way_up
from jigsolve.core.pieces import laid
from jigsolve.core.poses import lying_upright, poses_of, ways_up
from jigsolve.core.provenance import provenance
from jigsolve.core.randomness import RENUMBERING, stream
from jigsolve.core.turns import Placement
from jigsolve.damage.words import resolved
from jigsolve.errors import InputError
from jigsolve.execution.work import Work
from jigsolve.measures import MEASURES, Measure
from jigsolve.measures.heard import Heard
from jigsolve.measures.learned import Reranking
from jigsolve.measures.upright import possible_ways
from jigsolve.pricing.pricing import Priced, priced
from jigsolve.pricing.settings import Pricing
from jigsolve.seams.stored import read_header, read_table, write_table
from jigsolve.seams.table import SeamTable

FORMAT = "jigsolve-prepared-1"


@dataclass(frozen=True, eq=False)
class Prepared:
    """A puzzle whose seams are priced.

    Pieces have other numbers here: where costs tie, the lower number wins, and the order in which
    pieces are given may be the truth.
    """

    puzzle: Puzzle
    """With the damage that its seams were priced for."""
    pricing: Pricing
    seed: int
    """What the numbers of the pieces derive from."""
    order: np.ndarray
    """The given number of each of the numbers used here."""
    table: SeamTable
    """What a solver reads: under constraints it knows them."""
    plain: SeamTable
    """The same as if nothing were known."""
    layout: Layout | None = None
    """What constraints say, by the numbers used here."""
    _reranking: Reranking | None = None
    """What gives its seams other costs on another board."""

    @property
    def measure(self) -> Measure:
        """What its seams were priced by."""
        return MEASURES[self.pricing.measure]

    @cached_property
    def numbers(self) -> np.ndarray:
        """The number used here of each of the given ones, -1 last: an empty cell stays one."""
        return np.asarray(np.append(np.argsort(self.order), -1), np.int32)

    def poses(self, arrangement: np.ndarray, turns: np.ndarray | None = None) -> np.ndarray:
        """Return an arrangement of the given numbers, and turns, as poses by those used here."""
        return poses_of(self.numbers[arrangement], turns)

    def given(self, poses: np.ndarray) -> Placement:
        """Return poses by the numbers that pieces were given by, the way up they belong."""
        return way_up(poses, self.order, self.puzzle.turns, self.layout)

    def turn_upright(self, placement: Placement) -> int:
        """Return by how much a placement is to be turned for what traces of compression say.

        Where they leave several ways up, that in which most pieces lie; 0 where something else says
        which way up it is.
        """
        puzzle, layout = self.puzzle, self.layout
        ways = ways_up(puzzle.turns, puzzle.board)
        is_said = layout is not None and (layout.fixes_cells or bool((layout.lies >= 0).any()))
        if len(ways) == 1 or is_said or not self.pricing.traces or not puzzle.damage.is_none:
            return 0
        picture = laid(puzzle.pieces, *placement)
        possible = possible_ways(picture, puzzle.piece_size, ways)
        return max(possible, key=lambda way: lying_upright(placement.turned(way)))

    def heard(self) -> Heard | None:
        """Return what the network said of seams, by the given numbers; None unless it was kept.

        What is said of damaged pieces depends on where all of them lay.
        """
        if self._reranking is None or not self.puzzle.damage.is_none:
            return None
        return self._reranking.heard().about(self.numbers[:-1])

    def ruled(self, layout: Layout) -> Prepared:
        """Return the same under constraints, given by the numbers that pieces were given by."""
        own = layout.renumbered(self.numbers)
        return replace(self, layout=own, table=self.plain.ruled(own))

    @property
    def has_fixed_cells(self) -> bool:
        """Whether the cell of some piece is known."""
        return self.layout is not None and self.layout.fixes_cells

    def save(self, path: str | Path) -> None:
        """Write it to a file, to be loaded instead of pricing the seams again.

        What constraints say is not written, nor what it takes to put it on another board.
        """
        header = {
            "format": FORMAT,
            "puzzle": fingerprint(self.puzzle),
            "pricing": dataclasses.asdict(self.pricing),
            "seed": self.seed,
            "order": self.order.tolist(),
            "made_by": provenance(),
        }
        write_table(Path(path), self.plain, header)

    @classmethod
    def load(cls, path: str | Path, puzzle: Puzzle) -> Prepared:
        """Read what was saved of the same puzzle; raise if the file is of another, or damaged.

        Seams that another version priced, or other weights, may cost something else.
        """
        path = Path(path)
        header = read_header(path)
        try:
            if header["format"] != FORMAT:
                raise ValueError("another format")
            pricing, seed = Pricing(**header["pricing"]), int(header["seed"])
            order = np.array(header["order"], np.int64)
            named, made_by = header["puzzle"], header["made_by"]
            before = (made_by["versions"]["jigsolve"], made_by["weights"])
        except (KeyError, TypeError, ValueError):
            raise InputError(
                f"{path}: expected a prepared puzzle ({FORMAT}), found another kind"
            ) from None
        puzzle = replace(puzzle, damage=resolved(pricing.damage, puzzle.damage))
        if named != fingerprint(puzzle):
            raise InputError(f"{path}: expected this puzzle prepared, found another")
        ours: Any = provenance()
        if before != (ours["versions"]["jigsolve"], ours["weights"]):
            raise InputError(
                f"{path}: expected seams priced by version {ours['versions']['jigsolve']} with its "
                f"weights, found those of version {before[0]}, or of other weights"
            )
        if not np.array_equal(np.sort(order), np.arange(len(puzzle))):
            raise InputError(f"{path}: expected {len(puzzle):,} numbers of pieces, found others")
        table = read_table(path, len(puzzle))
        return cls(puzzle, pricing, seed, order, table, table)

    def on(self, puzzle: Puzzle) -> Prepared:
        """Return the same pieces prepared for another board.

        What the network said of seams stays; how many sides have no partner is the board's.
        """
        table = self.table
        if self._reranking is not None:
            table = table.with_costs(self._reranking.table(puzzle.board))
        return replace(
            self,
            puzzle=replace(puzzle, damage=self.puzzle.damage),
            table=table,
            plain=table,
            _reranking=None,
        )


def prepare(
    puzzle: Puzzle,
    pricing: Pricing,
    seed: int,
    work: Work,
    *,
    order: np.ndarray | None = None,
    keep_scores: bool = False,
    heard: Heard | None = None,
) -> Prepared:
    """Price the seams of a puzzle, stage by stage.

    With its scores kept, it can be put on another board. What was heard before of its pieces, by
    the numbers they are given by, is not scored again.
    """
    puzzle = replace(puzzle, damage=resolved(pricing.damage, puzzle.damage))
    if order is None:
        order = numbering(len(puzzle), seed)
    own = heard.about(order) if heard is not None else None
    found: Priced = priced(puzzle, order, pricing, work.crew, work.clock.stage, own)
    return Prepared(
        puzzle,
        pricing,
        seed,
        order,
        found.table,
        found.table,
        _reranking=found.reranking if keep_scores else None,
    )


def numbering(pieces: int, seed: int) -> np.ndarray:
    """Return the given number of each of the numbers that a prepared bag uses."""
    return stream(seed, RENUMBERING).permutation(pieces)
