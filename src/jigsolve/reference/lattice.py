"""Finding at what scale, and where, a puzzle's cells lie in a reference picture.

Some well-textured pieces are looked for everywhere in the picture, at several scales. Nobody
knows which cell a piece belongs to, but left edges of cells are a whole number of steps apart, and
so must be the places where pieces were found: the step for which most of them agree is a peak of
their periodogram, in each direction by itself. Wrong finds agree on nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jigsolve.core import Board
from jigsolve.core.turns import NONE, POSES
from jigsolve.reference.sampling import Axis, Lattice, resampled, sample_pieces, sample_poses

PROBES = 200
"""Pieces that are looked for."""
FEWEST = 24
"""So few agree on something by chance."""
FINEST, COARSEST = 5, 3
"""Pixels across a piece while it is looked for."""
SCALES = tuple(1.15**step for step in (0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6, 6, -7, 7))
"""Scales tried, the whole picture being 1: from two and a half times less to as much more."""
AROUND = 0.1
"""How far from a scale tried the step may be, as a share."""
PLACES_AT_ONCE = 16384
PLAIN = 2.0
"""Contrast, in grey levels, below which texture is taken for noise."""
AGREED = 0.3
"""Share of probes that settles the scale: no others are tried."""
NARROWEST = 2.5
"""Pixels of the reference to a piece; with fewer, places are whole pixels and agree on those."""
STRIPS = 6
"""Widths tried of strips that were cut off."""
NEAR = 0.12
"""How far from the lattice, in steps, a probe that agrees with it may be."""


@dataclass(frozen=True)
class Guess:
    """A lattice, and the pieces whose places agree with it."""

    lattice: Lattice
    pieces: np.ndarray
    """Those that agree, as rows of `sampling.sample_poses`."""
    rows: np.ndarray
    """Of the cells they were found in, counted from the lattice's beginning."""
    columns: np.ndarray
    share: float
    """Of all pieces looked for."""


def whole_pictures(pieces: np.ndarray, reference: np.ndarray, board: Board) -> list[Guess]:
    """Return lattices if the reference shows the board and no more than was cut off.

    That may be nothing, at any stretch, or strips too narrow for a piece, at one scale.
    """
    height, width = reference.shape[:2]
    lattices = [Lattice(Axis(0.0, height / board.rows), Axis(0.0, width / board.columns))]
    piece = pieces.shape[1:3]
    sizes = tuple(zip(reference.shape, board, piece, strict=False))
    least = max(length / ((cells + 1) * pixels) for length, cells, pixels in sizes)
    most = min(length / (cells * pixels) for length, cells, pixels in sizes)
    if least < most:
        for scale in np.linspace(most, least, STRIPS, endpoint=False).tolist():
            lattices.append(Lattice(*(Axis(0.0, pixels * scale) for pixels in piece)))
    nobody = np.empty(0, int)
    return [
        Guess(lattice, nobody, nobody, nobody, 0.0)
        for lattice in lattices
        if min(axis.step for axis in (lattice.down, lattice.across)) >= 1  # a pixel
    ]


def guess_lattices(pieces: np.ndarray, reference: np.ndarray, turns: str = NONE) -> list[Guess]:
    """Return lattices on which places of pieces agree, best first."""
    height, width = reference.shape[:2]
    whole = np.sqrt(height * width / (len(pieces) * pieces.shape[1] * pieces.shape[2]))
    texture = sample_pieces(pieces, (4, 4)).std(axis=(1, 2)).mean(axis=1)
    textured = np.argsort(-texture, kind="stable")[: max(len(pieces) // 2, PROBES)]
    probes = np.random.default_rng(0).permutation(textured)[:PROBES]
    guesses: list[Guess] = []
    if len(probes) < FEWEST:
        return guesses
    for scale in SCALES:
        guess = _guess(pieces, probes, reference, whole * scale, turns)
        if guess is not None:
            guesses.append(guess)
            if guess.share >= AGREED:
                break
    return sorted(guesses, key=lambda guess: -guess.share)


def _guess(
    pieces: np.ndarray, probes: np.ndarray, reference: np.ndarray, scale: float, turns: str
) -> Guess | None:
    """Return the best lattice near a scale, or None where the picture has too few pixels."""
    height, width = reference.shape[:2]
    steps = pieces.shape[1] * scale, pieces.shape[2] * scale
    grid = tuple(int(np.clip(round(step), COARSEST, FINEST)) for step in steps)
    shape = (round(height / steps[0] * grid[0]), round(width / steps[1] * grid[1]))
    if min(steps) < NARROWEST or shape[0] < 2 * grid[0] or shape[1] < 2 * grid[1]:
        return None
    picture = resampled(reference, shape, (0, 0, width, height))
    templates = sample_poses(pieces[probes], grid, turns)  # type: ignore[arg-type]
    likeness, down, across = _best_places(templates, picture)
    poses = POSES[turns]
    best = likeness.reshape(-1, poses).argmax(axis=1)  # each in the turn it is found best in
    chosen = poses * np.arange(len(probes)) + best
    down, across, posed = down[chosen], across[chosen], poses * probes + best
    places = down * (height / shape[0]), across * (width / shape[1])
    axes = [_fit_axis(p, step) for p, step in zip(places, steps, strict=True)]
    agree = np.ones(len(probes), bool)
    cells = []
    for axis, place in zip(axes, places, strict=True):
        number = (place - axis.begin) / axis.step
        cells.append(np.rint(number).astype(int))
        agree &= np.abs(number - cells[-1]) < NEAR
    return Guess(
        Lattice(*axes), posed[agree], cells[0][agree], cells[1][agree], float(agree.mean())
    )


def _best_places(
    templates: np.ndarray, picture: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return how each template correlates with a picture at best, and the row and column there."""
    grid = templates.shape[1:3]
    wanted = _normalised(templates)
    windows = np.lib.stride_tricks.sliding_window_view(picture, grid, axis=(0, 1))
    rows, columns = windows.shape[:2]
    best, place = np.full(len(wanted), -np.inf), np.zeros(len(wanted), int)
    rows_at_once = max(1, PLACES_AT_ONCE // columns)
    for first in range(0, rows, rows_at_once):
        some = windows[first : first + rows_at_once].reshape(-1, 3, *grid)
        likeness = _normalised(some.transpose(0, 2, 3, 1)) @ wanted.T
        here = likeness.argmax(axis=0)
        value = likeness[here, np.arange(len(wanted))]
        better = value > best
        best[better], place[better] = value[better], here[better] + first * columns
    return best, *np.divmod(place, columns)


def _normalised(colours: np.ndarray) -> np.ndarray:
    """Return textures, (n, down, across, 3), as rows of length one, or less where plain."""
    texture = (colours - colours.mean(axis=(1, 2), keepdims=True)).reshape(len(colours), -1)
    least = PLAIN * np.sqrt(texture.shape[1])
    length = np.linalg.norm(texture, axis=1, keepdims=True)
    return np.asarray(texture / np.maximum(length, least))


def _fit_axis(places: np.ndarray, step: float) -> Axis:
    """Return the step, near the given one, and the beginning on which most places agree."""
    extent = max(float(np.ptp(places)), step)
    finest = 0.2 * step / extent  # so many steps that nothing falls between them
    steps = step * np.arange(1 - AROUND, 1 + AROUND, finest)
    turns = np.exp(2j * np.pi * places / steps[:, None]).sum(axis=1)
    best = int(np.abs(turns).argmax())
    begin = np.angle(turns[best]) / (2 * np.pi) * steps[best]
    return Axis(float(begin), float(steps[best]))
