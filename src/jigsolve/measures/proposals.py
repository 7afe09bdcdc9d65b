"""Which seams cheap measures propose for the network to look at."""

from __future__ import annotations

import math

import numpy as np

from jigsolve._kernels.costs import SeamArrays

SURE = 0.6
"""Sides that are each other's cheapest, costing less than this share of the next ones, are taken
for granted; on photographs two or three in a thousand of them are wrong."""


def listed(pieces: int, poses: int = 1) -> int:
    """Return how many candidates of each measure are scored where they leave doubt.

    The more pieces there are, the more of them look alike. Where a piece may lie in several ways
    there are as many more as there would be of so many times the pieces.
    """
    return int(np.clip(round(3 * math.log2(pieces)) - 15, 8, 24)) + 3 * (poses.bit_length() - 1)


def is_sure(table: SeamArrays, second: SeamArrays) -> np.ndarray:
    """Say which sides have a partner that the cheap measures are sure of."""
    clear = table.nearest_cost < SURE * table.runner_up_cost
    mutual = table.nearest[table.nearest] == np.arange(len(table.nearest))
    return np.asarray(clear & clear[table.nearest] & mutual & (second.nearest == table.nearest))


def likeliest_partners(theirs: np.ndarray, said: np.ndarray, most: int) -> np.ndarray:
    """Say which of the ranked partners of sides, (n, ranks), are likeliest, offsets considered.

    Of those of a kind only the first is one. At rank r of a cheap measure about one in r is right.
    """
    order = np.argsort(theirs, axis=1, kind="stable")
    again = np.zeros(theirs.shape, np.bool_)
    repeated = np.diff(np.take_along_axis(theirs, order, axis=1), axis=1) == 0
    np.put_along_axis(again, order[:, 1:], repeated, axis=1)
    unlikely = np.log(np.cumsum(~again, axis=1, dtype=np.float32)) - said
    unlikely[again] = np.inf
    first = np.argsort(unlikely, axis=1, kind="stable")[:, :most]
    likeliest = np.zeros(said.shape, np.bool_)
    np.put_along_axis(likeliest, first, True, axis=1)
    return likeliest & ~again


def distinct(keys: np.ndarray) -> np.ndarray:
    """Return keys, each once, sorted; NumPy's own way of millions of them is far slower."""
    keys = np.sort(keys)
    return np.asarray(keys[np.diff(keys, prepend=-1) != 0])
