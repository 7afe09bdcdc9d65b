"""Carrying out tasks on the workers of a cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from distributed import get_worker

from jigsolve.cluster.connection import Cluster, Worker
from jigsolve.cluster.jobs import Job, Seat, seat_by_host, seat_each, work_off
from jigsolve.errors import InputError
from jigsolve.execution.stop import Stop
from jigsolve.io.files import replacing
from jigsolve.lab.bags import SetBag
from jigsolve.lab.conduct import SIDE_BY_SIDE, check_failures
from jigsolve.lab.experiment import Task
from jigsolve.lab.records import Bench, Record
from jigsolve.lab.sets import SetImage, has_its_pixels
from jigsolve.lab.trial import carry_out


class Lacking:
    """What a worker returns that has not all pictures of a task."""


def conduct_on(cluster: Cluster, tasks: list[Task], bench: Bench, command: str) -> Iterator[Record]:
    """Carry out tasks as `conduct` does, but on the workers of a cluster.

    A worker has one run at a time, on its threads; of large puzzles a machine has one at a time,
    on the threads of all its workers, and memory for one only.
    """
    small = [task for task in tasks if task.image.pieces <= SIDE_BY_SIDE]
    large = [task for task in tasks if task.image.pieces > SIDE_BY_SIDE]
    yield from _carry_out_all(cluster, small, bench, command, seat_each)
    yield from _carry_out_all(cluster, large, bench, command, seat_by_host)


def _carry_out_all(
    cluster: Cluster,
    tasks: list[Task],
    bench: Bench,
    command: str,
    seats: Callable[[list[Worker]], list[Seat]],
) -> Iterator[Record]:
    left = {task.key: task for task in tasks}
    laden: deque[Job] = deque()
    failures: list[InputError] = []

    def draw() -> Job | None:
        if laden:
            return laden.popleft()
        key = bench.claim(left)
        return None if key is None else _job(left.pop(key), command, {})

    for outcome in work_off(cluster, draw, seats):
        task: Task = outcome.job.arguments[0]
        try:
            if outcome.error:
                raise outcome.error
            if isinstance(outcome.value, Lacking):
                laden.append(_job(task, command, _contents(task)))
                continue
        except InputError as error:  # the others may go well
            failures.append(error)
            bench.give_up(task.key)
        else:
            bench.hand_in(outcome.value)
            yield outcome.value
    check_failures(failures)


def _job(task: Task, command: str, contents: dict[str, bytes]) -> Job:
    return Job(f"{task.image.set_name}/{task.image.number}", _work, (task, command, contents))


def _contents(task: Task) -> dict[str, bytes]:
    """Return the files of a task's pictures, by the checksums of their pixels."""
    try:
        return {image.pixels: image.path.read_bytes() for image in _images(task)}
    except OSError as error:
        raise InputError(f"{error.filename}: cannot be read: {error.strerror}") from None


def _images(task: Task) -> tuple[SetImage, ...]:
    return task.image.images if isinstance(task.image, SetBag) else (task.image,)


def _work(
    task: Task, command: str, contents: dict[str, bytes], threads: int, stop: Stop
) -> Record | Lacking:
    """Carry out a task on a worker; contents are sent where its disk has not the same pictures."""
    place = Path(get_worker().local_directory) / "pictures"
    images = [_found(image, place, contents) for image in _images(task)]
    there = [image for image in images if image is not None]
    if len(there) < len(images):
        return Lacking()
    image = replace(task.image, images=tuple(there)) if isinstance(task.image, SetBag) else there[0]
    return carry_out(replace(task, image=image), threads, command, stop)


def _found(image: SetImage, place: Path, contents: dict[str, bytes]) -> SetImage | None:
    """Return the image as this worker has it, its pixels verified; None if it must be sent."""
    sent = replace(image, path=place / image.pixels / image.path.name)
    for one in (image, sent):
        if has_its_pixels(one):
            return one
    if image.pixels not in contents:
        return None
    sent.path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(sent.path) as beside:
        beside.write_bytes(contents[image.pixels])
    if not has_its_pixels(sent):
        raise InputError(
            f"{image.path}: expected the pixels of checksum {image.pixels[:12]} on worker "
            f"{get_worker().address}, found others"
        )
    return sent
