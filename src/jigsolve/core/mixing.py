"""Mixing the pieces of pictures, with the faults that found puzzles have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from jigsolve.core.checks import check_seed, whole_number
from jigsolve.core.puzzle import Puzzle
from jigsolve.core.turns import NONE, Placement, random_turns, widest_turns
from jigsolve.errors import InputError
from jigsolve.io.tiles import MOST_ODD_LINES

Picture = np.ndarray | str | Path
Amount = int | float
"""A number of tiles, or as a float a share of all cells."""

_CHOICES, _NAMES, _JITTER = range(1, 4)
"""Random streams apart from the shuffle's, which is that of `Puzzle.shuffle`, and the turns'."""


@dataclass(frozen=True, eq=False)
class Mixed:
    """Shuffled tiles, and the truth about them."""

    tiles: tuple[np.ndarray, ...]
    names: tuple[str, ...]
    """Eight hexadecimal digits each, which say nothing."""
    truth: tuple[Placement, ...]
    """Of each picture, in numbers of the tiles; -1 where one is missing."""
    strays: tuple[int, ...]
    duplicates: tuple[tuple[int, int], ...]
    """(copy, original)."""


def mix(
    cuts: Sequence[Puzzle],
    *,
    seed: int,
    missing: Amount,
    strays: Sequence[tuple[Picture, Amount]],
    duplicates: Amount,
    jitter: int,
    turned: bool,
) -> Mixed:
    """Shuffle the pieces of pictures, which have one size; see `cut_tiles` for the faults."""
    check_seed(seed)
    whole_number("jitter", jitter, 0, MOST_ODD_LINES)
    first = np.cumsum([0, *map(len, cuts)])
    cells = int(first[-1])
    rng = np.random.default_rng([seed, _CHOICES])
    left_out = rng.permutation(cells)[: _count("missing", missing, cells, cells - 2)]
    kept = np.setdiff1d(np.arange(cells), left_out)
    twice = rng.choice(kept, _count("duplicates", duplicates, cells, len(kept)), replace=False)
    jittered = _Jitter(jitter, np.random.default_rng([seed, _JITTER]))
    pool: list[np.ndarray] = []
    twice = twice[np.argsort(np.searchsorted(first, twice, "right"), kind="stable")]  # by picture
    for where in (kept, twice):
        for cut, begin in zip(cuts, first, strict=False):
            own = where[(where >= begin) & (where < begin + len(cut))]
            pool += jittered.tiles(cut, own - begin)
    for picture, amount in strays:
        pool += _strays(picture, amount, cells, cuts[0], jittered, rng)
    order = np.random.default_rng(seed).permutation(len(pool))
    number = np.argsort(order)  # of each tile in the pool
    truth = np.full(cells, -1, np.int32)
    truth[kept] = number[: len(kept)]
    copies = number[len(kept) : len(kept) + len(twice)]
    kind = widest_turns(*cuts[0].piece_size) if turned else NONE
    needed = random_turns(len(pool), kind, seed)
    return Mixed(
        tiles=tuple(np.rot90(pool[i], needed[n]) for n, i in enumerate(order)),
        names=_random_names(len(pool), seed),
        truth=tuple(
            _placement(truth[begin : begin + len(cut)].reshape(cut.board), needed)
            for cut, begin in zip(cuts, first, strict=False)
        ),
        strays=tuple(sorted(number[len(kept) + len(twice) :].tolist())),
        duplicates=tuple(sorted(zip(copies.tolist(), truth[twice].tolist(), strict=True))),
    )


def _placement(pieces: np.ndarray, needed: np.ndarray) -> Placement:
    return Placement(pieces, np.where(pieces >= 0, needed[pieces], 0).astype(np.int8))


class _Jitter:
    """Tiles cut with random lines too many."""

    def __init__(self, most: int, rng: np.random.Generator) -> None:
        self._most = most
        self._rng = rng

    def tiles(self, cut: Puzzle, where: np.ndarray) -> list[np.ndarray]:
        """Return the pieces of these cells, each with up to so many lines of its neighbours."""
        if not self._most:
            return [cut.pieces[cell] for cell in where]
        pixels = cut.image()
        corners = np.stack(np.unravel_index(where, cut.board), axis=1) * cut.piece_size
        found = []
        for corner in corners:
            extra = self._rng.integers(0, self._most + 1, 2)
            size = np.minimum(cut.piece_size + extra, pixels.shape[:2])
            first = corner - self._rng.integers(0, extra + 1)
            top, left = np.clip(first, 0, np.array(pixels.shape[:2]) - size)
            found.append(pixels[top : top + size[0], left : left + size[1]])
        return found


def _strays(
    picture: Picture,
    amount: Amount,
    cells: int,
    cut: Puzzle,
    jittered: _Jitter,
    rng: np.random.Generator,
) -> list[np.ndarray]:
    name = f"{picture}" if isinstance(picture, str | Path) else "the strays' picture"
    other = Puzzle.cut(picture, cut.piece_size)
    wanted = _count("strays", amount, cells, 10**9)
    if wanted > len(other):
        raise InputError(f"{name}: expected {wanted:,} tiles or more, found {len(other):,}")
    return jittered.tiles(other, rng.permutation(len(other))[:wanted])


def _count(name: str, amount: Amount, cells: int, most: int) -> int:
    """Return how many tiles an amount is; a share is rounded, to one at least."""
    if isinstance(amount, float):
        if not 0 <= amount <= 1:
            raise InputError(f"{name}: expected a share from 0 to 1, found {amount!r}")
        amount = max(round(amount * cells), 1) if amount else 0
    return whole_number(name, amount, 0, most)


def _random_names(count: int, seed: int) -> tuple[str, ...]:
    """Return so many different names of eight hexadecimal digits."""
    rng = np.random.default_rng([seed, _NAMES])
    names: dict[str, None] = {}
    while len(names) < count:
        names.update((f"{number:08x}", None) for number in rng.integers(0, 2**32, count))
    return tuple(names)[:count]
