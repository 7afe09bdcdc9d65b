"""SplitMix64 random streams that kernels carry explicitly.

A stream is a one-element uint64 array. Every child has its own, derived from (seed,
generation, child), so the result does not depend on which thread makes which child.

Reference: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
"""

import numpy as np

from jigsolve._kernels.geometry import TURNS
from jigsolve._kernels.jit import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
HALF_WORD = np.uint64(32)


@kernel
def scramble(word):
    """Return a well-mixed version of a 64-bit word."""
    word = (word ^ (word >> np.uint64(30))) * MIX_1
    word = (word ^ (word >> np.uint64(27))) * MIX_2
    return word ^ (word >> np.uint64(31))


@kernel
def seed_stream(stream, seed, generation, child):
    """Start the stream that belongs to one child of one generation."""
    word = scramble(np.uint64(seed) + GOLDEN)
    word = scramble(word ^ (np.uint64(generation) + GOLDEN))
    stream[0] = scramble(word ^ (np.uint64(child) + GOLDEN))


@kernel
def next_word(stream):
    """Advance the stream and return 64 random bits."""
    stream[0] += GOLDEN
    return scramble(stream[0])


@kernel
def below(stream, bound):
    """Return a random integer in 0..bound-1 (bias below bound / 2**32)."""
    return np.int64(((next_word(stream) >> HALF_WORD) * np.uint64(bound)) >> HALF_WORD)


@kernel
def unit(stream):
    """Return a random float in [0, 1)."""
    return np.float64(next_word(stream) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def draw_turn(poses, stream):
    """Return a random turn of those that pieces may need which lie in so many ways."""
    if poses == 1:
        return np.int64(0)
    return TURNS // poses * below(stream, poses)


@kernel
def shuffle(stream, values):
    """Shuffle a one-dimensional array in place (Fisher and Yates)."""
    for last in range(values.shape[0] - 1, 0, -1):
        other = below(stream, last + 1)
        values[last], values[other] = values[other], values[last]
