"""Putting a QR code together."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from jigsolve.qr.cells import Cells
from jigsolve.qr.contents import Content, as_modules, content_bits, contents, header_bits
from jigsolve.qr.fits import Fit
from jigsolve.qr.frames import Frame
from jigsolve.qr.search import Search
from jigsolve.qr.symbol import UNKNOWN, Format, known_modules, size_of

MOST_EFFORT = 26.0
"""What would try more than two to this power of pieces is not begun."""

MOST_LOOKED_AT = 20_000_000
"""Pairs of piece and cell, over all contents that are supposed: some seconds. Short texts come
first, for they leave the most to padding."""

MOST_TRIED = 1 << 28
"""Pieces tried in all searches together: seconds, or half a minute where sums are long."""

BY_CHANCE = 10.0
"""An arrangement is believed if all others together have two to this power less than one chance
that their check sums are even, too."""


@dataclass(frozen=True, eq=False)
class Code:
    """A QR code that pieces make, and where they belong."""

    frame: Frame
    module: int
    """The size of a module in pixels."""
    format: Format | None
    """None if it is not known."""
    arrangement: np.ndarray = field(repr=False)
    """Ids of pieces, (rows, columns)."""
    sure: np.ndarray = field(repr=False)
    """Cells whose piece is known, or looks like all that may lie there, (rows, columns) bool."""
    by_patterns: int
    """How many cells are sure by the fixed patterns, and modules that are cut, alone."""
    confirmed: bool
    """Whether the check sums of the code are right: it can be read without correcting errors."""

    def __str__(self) -> str:
        size, cells, sure = size_of(self.frame.version), self.sure.size, int(self.sure.sum())
        level = f"-{self.format.level}" if self.format else ""
        pixels = "1 pixel" if self.module == 1 else f"{self.module} pixels"
        told = f"{self.by_patterns} of {cells} tiles placed by its fixed patterns"
        if sure > self.by_patterns:
            told += f", {sure - self.by_patterns} by its check sums"
        if sure < cells:
            told += f", {cells - sure} unsure"
        if self.confirmed:
            told += "; it can be read"
        return (
            f"QR code version {self.frame.version}{level}, {size} x {size} modules of {pixels}; "
            f"{told}"
        )

    def renumbered(self, ids: np.ndarray) -> Code:
        """Return the same with other ids of the pieces."""
        return dataclasses.replace(self, arrangement=ids[self.arrangement])

    def neighbours(self) -> np.ndarray:
        """Return the neighbours of each piece, (n, 4): left, right, top, bottom, or -1."""
        padded = np.pad(self.arrangement, 1, constant_values=-1)
        around = padded[1:-1, :-2], padded[1:-1, 2:], padded[:-2, 1:-1], padded[2:, 1:-1]
        table = np.empty((self.arrangement.size, len(around)), np.int32)
        for side, beside in enumerate(around):
            table[self.arrangement, side] = beside
        return table

    def as_dict(self) -> dict[str, object]:
        """Return what JSON can hold."""
        return {
            "version": self.frame.version,
            "level": self.format.level if self.format else None,
            "mask": self.format.mask if self.format else None,
            "module": self.module,
            "sure": self.sure.ravel().tolist(),
            "by_patterns": self.by_patterns,
            "confirmed": self.confirmed,
        }


def place(fit: Fit) -> Code:
    """Put a code together, as far as what is known of it tells."""
    cells = fit.cells
    by_patterns = cells.sure(fit.possible)
    chosen = next(iter(fit.by_format)) if len(fit.by_format) == 1 else None
    # With several formats not every matching is one of a single format.
    possible = min(fit.by_format.values(), key=lambda left: int(left.sum()))
    sure, confirmed, budget = by_patterns, False, MOST_TRIED
    searches = [(search.effort(), number, search) for number, search in enumerate(_searches(fit))]
    for effort, _, search in sorted(searches, key=lambda entry: entry[:2]):
        if effort > MOST_EFFORT or budget <= 0:
            break
        enough = search.margin() > math.log2(len(searches)) + BY_CHANCE
        if search.missing and not enough:
            continue
        outcome = search.run(budget)
        budget -= outcome.tried
        if outcome.possible is not None:
            chosen, possible, confirmed = search.format, outcome.possible, not search.missing
            if outcome.unique and enough:
                sure = np.ones_like(sure)
            break
    return Code(
        frame=fit.frame,
        module=cells.module,
        format=chosen,
        arrangement=cells.arrangement(possible),
        sure=sure.reshape(fit.frame.board),
        by_patterns=int(by_patterns.sum()),
        confirmed=confirmed,
    )


def _searches(fit: Fit) -> Iterator[Search]:
    """Yield searches for each format, and for contents that some arrangement may have."""
    for chosen, possible in fit.by_format.items():
        yield Search(fit.cells, possible, chosen)
    supposed = [
        (number, chosen, content)
        for chosen in fit.by_format
        for number, content in enumerate(contents(fit.frame.version, chosen.level))
    ]
    looked_at = 0
    for _, chosen, content in sorted(supposed, key=lambda entry: entry[0]):
        if looked_at > MOST_LOOKED_AT:
            return
        possible = fit.by_format[chosen]
        if not _has_header(fit.cells, possible, chosen, content):
            continue
        looked_at += possible.size
        known = known_modules(fit.frame.version, chosen)
        bits = content_bits(fit.frame.version, chosen.level, content)
        modules, values = as_modules(fit.frame.version, chosen, bits)
        known.ravel()[modules] = values
        narrowed = fit.cells.narrowed(possible & fit.cells.possible(known))
        if narrowed is not None:
            yield Search(fit.cells, narrowed, chosen)


def _has_header(cells: Cells, possible: np.ndarray, chosen: Format, content: Content) -> bool:
    """Whether pieces can make what a content begins with; most are sorted out by that."""
    version = cells.frame.version
    header = content_bits(version, chosen.level, content)
    header[header_bits(version, content.mode) :] = UNKNOWN
    return cells.allow(possible, *as_modules(version, chosen, header))
