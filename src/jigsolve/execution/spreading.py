"""Work that may be done elsewhere: begun once wherever it is, then done shard by shard."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

if TYPE_CHECKING:
    from jigsolve.execution.crew import Executor

Value_co = TypeVar("Value_co", covariant=True)

Check = Callable[[], object]
"""Raises if a stop was asked for: work that takes seconds calls it now and then."""

ShardWork = Callable[[int, Check], Value_co]
"""Returns the value of a shard."""


class Task(Protocol[Value_co]):
    """What may be sent to another machine, or whose values may be kept on disk.

    A value depends on the task and on the shard and on nothing else. It is a tuple of arrays.
    """

    @property
    def name(self) -> str:
        """What users call it."""

    @property
    def digest(self) -> str:
        """What tells it from all others; it takes a look at everything, so ask once."""

    @property
    def memory(self) -> int:
        """About how many bytes it takes besides what is sent."""

    def begin(self, crew: Executor) -> ShardWork[Value_co]:
        """Work out what all shards share; return what works off one."""

    def accepts(self, shard: int, value: Any) -> bool:
        """Whether something may be the value of a shard: kernels trust its shapes and numbers."""


def are_arrays(value: Any, *expected: tuple[tuple[int, ...], Any]) -> bool:
    """Whether something is a tuple of arrays of such shapes and types.

    Examples
    --------
    >>> are_arrays((np.zeros(3),), ((3,), np.float64))
    True
    >>> are_arrays((np.zeros(3),), ((4,), np.float64))
    False
    """
    if not isinstance(value, tuple) or not all(isinstance(array, np.ndarray) for array in value):
        return False
    return [(array.shape, array.dtype) for array in value] == [
        (shape, np.dtype(dtype)) for shape, dtype in expected
    ]


def digest_of(*facts: Any) -> str:
    """Return what tells arrays and other facts from others.

    Examples
    --------
    >>> digest_of(1, np.arange(3)) == digest_of(1, np.arange(3))
    True
    >>> digest_of(1, np.arange(3)) == digest_of(1, np.arange(3, dtype=np.int8))
    False
    """
    digest = hashlib.blake2b(digest_size=16)
    for fact in facts:
        if isinstance(fact, np.ndarray):
            digest.update(f"{fact.dtype.str}{fact.shape}".encode())
            digest.update(np.ascontiguousarray(fact).data)
        else:
            digest.update(f"{fact!r};".encode())
    return digest.hexdigest()
