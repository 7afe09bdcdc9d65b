"""Bags of pieces, and the hard candidates of their sides.

A bag holds the pieces of one or several pictures of the same kind. All seams in it are read as if
they ran from a near side to a far side across a vertical line; pictures are transposed to read
the horizontal seams the same way.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import torch

DEPTH = 14
"""So many lines of pixels are seen on each side of a seam; in a piece that has fewer, the last of
them stands for those that are missing."""

NO_PARTNER = -1


@dataclass(frozen=True)
class Bag:
    """The sides that may meet in a bag: the near (right) and the far (left) side of each piece."""

    near: torch.Tensor  # (n, length, DEPTH, 3) uint8, the outermost line first
    far: torch.Tensor  # (n, length, DEPTH, 3) uint8
    far_of: torch.Tensor  # (n,) the right partner of each near side, or NO_PARTNER
    near_of: torch.Tensor  # (n,) the right partner of each far side, or NO_PARTNER
    picture: torch.Tensor  # (n,) which picture a piece is from
    twins: torch.Tensor  # (n,) equal for pieces with equal pixels
    near_twins: torch.Tensor  # (n,) equal for pieces whose near sides look the same
    far_twins: torch.Tensor  # (n,) likewise for far sides


def cut(pictures: torch.Tensor, size: int, *, transposed: bool) -> Bag:
    """Cut pictures, (m, height, width, 3) uint8, into square pieces."""
    if transposed:
        pictures = pictures.transpose(1, 2)
    count, rows, columns = (
        len(pictures),
        pictures.shape[1] // size,
        pictures.shape[2] // size,
    )
    pieces = (
        pictures[:, : rows * size, : columns * size]
        .reshape(count, rows, size, columns, size, 3)
        .transpose(2, 3)
        .reshape(-1, size, size, 3)
    )
    inward = torch.arange(DEPTH, device=pictures.device).clamp(max=size - 1)
    near, far = pieces[:, :, size - 1 - inward], pieces[:, :, inward]
    ids = torch.arange(len(pieces), device=pictures.device)
    column = ids % columns
    return Bag(
        near=near,
        far=far,
        far_of=torch.where(column < columns - 1, ids + 1, NO_PARTNER),
        near_of=torch.where(column > 0, ids - 1, NO_PARTNER),
        picture=ids // (rows * columns),
        twins=fingerprints(pieces),
        near_twins=fingerprints(near),
        far_twins=fingerprints(far),
    )


def fingerprints(things: torch.Tensor) -> torch.Tensor:
    """Return numbers that are equal for equal things (and by chance for others, 2^-64 or so)."""
    flat = things.flatten(1).long()
    # Whole-number products wrap around, on every device in the same way.
    return (flat * _factors(flat.shape[1], flat.device)).sum(1)


@cache
def _factors(count: int, device: torch.device) -> torch.Tensor:
    generator = torch.Generator().manual_seed(count)
    return torch.randint(-(2**62), 2**62, (count,), generator=generator).to(device)


def cheapest(costs: torch.Tensor, count: int) -> torch.Tensor:
    """Return the cheapest partners of each row, cheapest first, (n, count)."""
    return costs.topk(min(count, costs.shape[1]), largest=False).indices


def is_right(candidates: torch.Tensor, partner: torch.Tensor, twins: torch.Tensor) -> torch.Tensor:
    """Say which candidates are the right partner, or cannot be told from it."""
    same = twins[candidates] == twins[partner.clamp(min=0)][:, None]
    return same & (partner != NO_PARTNER)[:, None]
