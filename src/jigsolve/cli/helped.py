"""The options `--cluster` and `--shelf` of solve: help with the largest pieces of work."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from jigsolve.cli.printing import counted, say
from jigsolve.cluster.address import check_address
from jigsolve.errors import InputError
from jigsolve.execution.work import Helped
from jigsolve.solvers.helped import both, kept_on

if TYPE_CHECKING:
    from jigsolve.cluster.connection import Cluster


def add_helped(parser: argparse.ArgumentParser) -> None:
    """Add `--cluster` and `--shelf`."""
    parser.add_argument(
        "--cluster",
        metavar="ADDR",
        help="have the workers of the Dask scheduler at HOST:PORT or tls://HOST:PORT, or `local` "
        "ones, price the seams of a large puzzle; needs jigsolve[cluster]",
    )
    parser.add_argument(
        "--shelf",
        type=Path,
        metavar="DIR",
        help="keep what is priced in this folder: a run that was killed goes on when the same "
        "command is given again, and tables need no memory",
    )


def check_helped(options: argparse.Namespace) -> None:
    """Raise unless the address may be one."""
    if options.cluster is not None:
        check_address(options.cluster)


@contextmanager
def helped_by(options: argparse.Namespace, threads: int) -> Iterator[Helped | None]:
    """Open what helps with a run; None if nothing was asked for."""
    shelf = kept_on(options.shelf) if options.shelf else None
    if options.cluster is None:
        yield shelf
        return
    with opened_cluster(options.cluster, threads, quiet=options.quiet) as cluster:
        from jigsolve.cluster.hands import spread_over

        workers = spread_over(cluster)
        yield both(workers, shelf) if shelf else workers


@contextmanager
def opened_cluster(address: str, count: int | None, *, quiet: bool) -> Iterator[Cluster]:
    """Open a cluster and say where it is; raise where Dask is not installed."""
    try:
        from jigsolve.cluster.connection import connected
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("dask", "distributed"):
            raise
        raise InputError(
            f"cluster: expected the extra `cluster` (pip install 'jigsolve[cluster]'), found no "
            f"{error.name}"
        ) from None
    with connected(address, count) as cluster:
        if not quiet:
            workers = counted(len(cluster.workers()), "worker")
            say(f"cluster of {workers}, Dask's dashboard at {cluster.dashboard}")
        yield cluster
