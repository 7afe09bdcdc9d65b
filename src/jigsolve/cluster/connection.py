"""A connection to a Dask cluster, and who of its workers is let in."""

from __future__ import annotations

import asyncio
import logging
import signal
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from multiprocessing import resource_tracker
from typing import Any, NoReturn

from distributed import Client, LocalCluster
from distributed.comm.core import CommClosedError, connect
from distributed.security import Security

from jigsolve.cluster.address import LOCAL
from jigsolve.cluster.identity import difference, identity
from jigsolve.errors import InputError
from jigsolve.execution.crew import available_threads

LONGEST_CONNECTING = 10.0
"""Seconds in which a scheduler must answer."""
LONGEST_WITHOUT_WORKERS = 60.0
"""Seconds to wait for the first worker, and for another where the last one went."""
LOOKS = 0.5
"""Seconds between two looks at who is there."""
GONE = (OSError, TimeoutError, CommClosedError)
"""What Dask raises when nobody answers any more."""


@dataclass(frozen=True)
class Worker:
    """A process that takes work."""

    address: str
    host: str
    threads: int


class Cluster:
    """The workers of a scheduler that are the same as we are."""

    def __init__(self, client: Client, address: str) -> None:
        self.client = client
        self._address = address
        self._ours = identity()
        self._admitted: dict[str, bool] = {}
        self._workers: list[Worker] = []
        self._looked = self._seen = time.monotonic()
        while not self.workers(otherwise=_refuse):
            time.sleep(LOOKS)

    @property
    def dashboard(self) -> str:
        """Where Dask's dashboard is."""
        return str(self.client.dashboard_link)

    def workers(self, otherwise: Callable[[str, str], None] | None = None) -> list[Worker]:
        """Return the workers there are, as of half a second ago at most; raise if long none.

        One that came later and is not as we are is left out, and warned of.
        """
        now = time.monotonic()
        if self._workers and now - self._looked < LOOKS:
            return self._workers
        present = self._present()
        new = [worker for worker in present if worker.address not in self._admitted]
        self._admit(new, otherwise or _leave_out)
        self._workers = [worker for worker in present if self._admitted.get(worker.address)]
        self._looked = time.monotonic()
        if self._workers:
            self._seen = self._looked
        elif now - self._seen > LONGEST_WITHOUT_WORKERS:
            raise InputError(
                f"cluster: expected workers at {self._address}, found none for "
                f"{LONGEST_WITHOUT_WORKERS:.0f} s"
            )
        return self._workers

    def gone(self) -> InputError:
        """Return what is to be raised when the scheduler is gone."""
        return InputError(f"cluster: expected the scheduler at {self._address}, found it gone")

    def _present(self) -> list[Worker]:
        info: Any = (
            self.client.scheduler_info(n_workers=-1) if self.client.status == "running" else None
        )
        if self.client.status != "running":
            raise self.gone()
        return [
            Worker(address, worker["host"], worker["nthreads"])
            for address, worker in info["workers"].items()
            if worker["status"] == "running"
        ]

    def _admit(self, workers: list[Worker], otherwise: Callable[[str, str], None]) -> None:
        if not workers:
            return
        addresses = [worker.address for worker in workers]
        try:
            said = self.client.run(identity, workers=addresses, on_error="return")
        except GONE:
            return  # one of them went meanwhile; the next look tells which
        for address, theirs in said.items():
            if isinstance(theirs, GONE):
                continue
            if isinstance(theirs, dict):
                why = difference(self._ours, theirs)
            else:  # it cannot import us, or a version that has no such function
                why = f"expected jigsolve {self._ours['jigsolve']} with the extra `cluster`, found "
                why += " ".join(f"{type(theirs).__name__}: {theirs}".split())
            self._admitted[address] = not why
            if why:
                otherwise(address, why)


def _refuse(address: str, why: str) -> NoReturn:
    raise InputError(f"cluster: worker {address}: {why}")


def _leave_out(address: str, why: str) -> None:
    warnings.warn(f"worker {address} is given no work: {why}", RuntimeWarning, stacklevel=4)


@contextmanager
def connected(address: str, count: int | None = None) -> Iterator[Cluster]:
    """Open a cluster by the address of its scheduler, or `local`, one on this machine.

    Certificates and all else are Dask's to know, by its own settings.

    Parameters
    ----------
    address
        Where the scheduler is, or `local`.
    count
        How many workers to start on this machine, one per core by default.
    """
    for name in ("distributed", "distributed.client", "tornado", "asyncio"):  # we say what matters
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with ExitStack() as opened:
        scheduler = address
        if address == LOCAL:
            local = opened.enter_context(_local(count or available_threads()))
            scheduler = local.scheduler_address
        yield Cluster(opened.enter_context(closing(_client(scheduler, address))), address)


@contextmanager
def _local(count: int) -> Iterator[LocalCluster]:
    """Start workers of one thread each, for this machine only, at ports that are free.

    Ctrl-C reaches all processes of a terminal, but is for us to heed. Who is started while it is
    held back never hears of it; it comes to us when all are there.
    """
    held = _hold_back_interrupts()
    try:
        local = LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,  # in the workers as well
            memory_limit=0,  # runs know what they need, and refuse what does not fit
        )
    except BaseException:
        held()
        raise
    with closing(local):
        held()
        yield local


def _hold_back_interrupts() -> Callable[[], object]:
    """Return what lets them come again."""
    if not hasattr(signal, "pthread_sigmask"):  # a system where workers are asked to heed them
        return lambda: None
    resource_tracker.ensure_running()  # started later, it would let them through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    return lambda: signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _client(scheduler: str, address: str) -> Client:
    try:
        asyncio.run(_knock(scheduler))  # a client that finds nobody is not closed without a word
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of other versions: such workers are refused
            return Client(scheduler, timeout=LONGEST_CONNECTING, set_as_default=False)
    except (*GONE, ValueError, TypeError, RuntimeError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(
            f"cluster: expected a Dask scheduler at {address}, found none ({reason})"
        ) from None


async def _knock(scheduler: str) -> None:
    """Raise unless somebody answers who speaks as Dask does, with certificates that we trust."""
    how = Security().get_connection_args("client")
    comm = await connect(scheduler, timeout=LONGEST_CONNECTING, **how)
    await comm.close()
