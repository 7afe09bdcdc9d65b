"""Solve the images of sets, and keep every run.

Each finished run is a line of OUT/runs.jsonl. The same command goes on where it was interrupted or
killed and repeats nothing; several may work on the same folder at once.
"""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from tqdm import tqdm

from jigsolve.cli.helped import opened_cluster
from jigsolve.cli.options import add_piece, add_quiet
from jigsolve.cli.printing import say
from jigsolve.cli.settings import add_settings, given_options, known_options, settings_of_each
from jigsolve.cli.usage import whole
from jigsolve.cluster.address import LOCAL, check_address
from jigsolve.core import PieceSize
from jigsolve.core.checks import whole_number
from jigsolve.errors import InputError, Interrupted
from jigsolve.lab.bags import USUAL_BAGS, SetBag, draw_bags
from jigsolve.lab.conduct import conduct
from jigsolve.lab.experiment import PARTIAL_CROSSOVERS, Task, plan, plan_ladder
from jigsolve.lab.records import BAG_FORMAT, GENETIC, TURNED_FORMAT, Bench, Record
from jigsolve.lab.sets import KNOWN_SETS, USUAL_PIECE, SetImage, find_images
from jigsolve.solvers.registry import check_knows, solver_of

EXAMPLES = """\
examples:
  jigsolve lab run --sets cho_432,mcgill_540 --data DIR --out results
  jigsolve lab run --sets cho_432 --images 1-5,8 --preset paper --runs 10 --out results
  jigsolve lab run --sets cho_432 --preset paper --measure mgc --out results
  jigsolve lab run --sets cho_432 --preset paper --ablation --out results
  jigsolve lab run --sets cho_432 --solvers genetic,gallagher --measures mgc,learned --out results
  jigsolve lab run --sets cho_432 --ladder --out results
  jigsolve lab run --sets my/photos --piece 35x11 --out results
  jigsolve lab run --sets cho_432 --turned --out results
  jigsolve lab run --sets mcgill_540,pomeranz_805 --mixed 5 --turned --out results
  jigsolve lab run --sets mcgill_540 --runs 10 --cluster tcp://node-1:8786 --out results
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--sets",
        required=True,
        metavar="A,B",
        help="sets of the literature (jigsolve lab sets), or folders of pictures",
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="where the literature's sets are, a folder each (default: $JIGSOLVE_DATA)",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="keep the runs here")
    parser.add_argument(
        "--images", default="", metavar="1-5,8", help="only these images of each set"
    )
    parser.add_argument("--runs", type=whole, default=1, metavar="N", help="runs per image (1)")
    parser.add_argument(
        "--ablation",
        action="store_true",
        help="each of the six partial crossovers instead of all phases",
    )
    parser.add_argument(
        "--ladder",
        action="store_true",
        help="from the paper's genetic algorithm to ours, one idea after another",
    )
    parser.add_argument(
        "--turned",
        action="store_true",
        help="turn the pieces at random: by quarters, by halves if they are not square",
    )
    parser.add_argument(
        "--mixed",
        type=whole,
        metavar="K",
        help="bags of K images each, drawn from all sets together; boards are unknown",
    )
    parser.add_argument("--bags", type=whole, metavar="N", help=f"how many bags ({USUAL_BAGS})")
    parser.add_argument("--jobs", type=whole, metavar="N", help="cores to use (all)")
    parser.add_argument(
        "--cluster",
        metavar="ADDR",
        help="spread runs over the workers of the Dask scheduler at HOST:PORT or tls://HOST:PORT, "
        "or `local`, --jobs workers on this machine; needs jigsolve[cluster]",
    )
    add_piece(parser)
    add_quiet(parser)
    add_settings(parser, threads=False, several=True)


def check(options: argparse.Namespace) -> None:
    """Raise unless the options go together and numbers are within their limits."""
    whole_number("runs", options.runs, 1, 1_000_000)
    if options.jobs is not None:
        whole_number("jobs", options.jobs, 1, 1024)
    if options.cluster is not None:
        check_address(options.cluster)
        if options.jobs is not None and options.cluster != LOCAL:
            raise InputError("jobs: expected none beside the workers of a cluster, found a number")
    _planned(options, [])
    if options.mixed is not None:
        whole_number("mixed", options.mixed, 1, 1000)
    if options.bags is not None:
        whole_number("bags", options.bags, 1, 100_000)
        if options.mixed is None:
            raise InputError("bags: expected with --mixed K, found no bags to draw")
    _names(options)


def run(options: argparse.Namespace) -> bool:
    """Carry out what is asked for and not yet done; a line for every run."""
    data = options.data or (Path(p) if (p := os.environ.get("JIGSOLVE_DATA")) else None)
    found = _images(_names(options), data, options.images, options.piece)
    images: Sequence[SetImage | SetBag] = found
    if options.mixed is not None:
        images = draw_bags(found, options.mixed, options.bags or USUAL_BAGS)
    tasks = _planned(options, images)
    with Bench(options.out) as bench:
        done = {record["key"] for record in bench.runs.records}
        left = [task for task in tasks if task.key not in done]
        if not options.quiet:
            say(f"{len(tasks)} runs, {len(tasks) - len(left)} of them done before")
        finished = 0
        with tqdm(
            total=sum(task.image.pieces for task in left),
            unit=" pieces",
            unit_scale=True,
            disable=True if options.quiet else None,
            leave=False,
        ) as bar:
            try:
                for record in _conducted(left, bench, options):
                    finished += 1
                    bar.update(record["pieces"])
                    bar.set_description(f"{finished}/{len(left)} runs")
                    if not options.quiet:
                        with bar.external_write_mode():
                            say(_line(record))
            except KeyboardInterrupt:
                raise Interrupted(
                    "interrupted; finished runs are kept, the same command goes on"
                ) from None
    if not options.quiet:
        elsewhere = len(left) - finished
        also = f", {elsewhere} taken by another process" if elsewhere else ""
        say(f"{finished} runs added to {options.out}{also}")
    return True


def _conducted(tasks: list[Task], bench: Bench, options: argparse.Namespace) -> Iterator[Record]:
    """Carry out tasks on this machine's cores, or on the workers of a cluster."""
    if options.cluster is None:
        yield from conduct(tasks, bench, _command(options), options.jobs)
        return
    with opened_cluster(options.cluster, options.jobs, quiet=options.quiet) as cluster:
        from jigsolve.lab.spread import conduct_on

        yield from conduct_on(cluster, tasks, bench, _command(options))


def _planned(options: argparse.Namespace, images: Sequence[SetImage | SetBag]) -> list[Task]:
    """Return what is asked for, of these images; raise where options do not go together."""
    if options.ladder:
        for name in ("preset", "solver", "measure", "ablation"):
            if getattr(options, name):
                raise InputError(f"{name}: expected none beside --ladder, which goes through them")
        return plan_ladder(images, given_options(options), options.runs, turned=options.turned)
    variants = settings_of_each(options)
    for one in variants if options.turned else ():
        check_knows(solver_of(one.options), "turns")
    if options.ablation:
        if options.phases is not None:
            raise InputError("phases: expected none beside --ablation, which goes through them")
        variants = [one.changed(phases=some) for one in variants for some in PARTIAL_CROSSOVERS]
    preset = options.preset or "default"
    return plan(images, preset, variants, options.runs, turned=options.turned)


def _names(options: argparse.Namespace) -> list[str]:
    """Return the names of `--sets`; a folder's name may have commas."""
    if Path(options.sets).is_dir():
        return [options.sets]
    names = [name.strip() for name in options.sets.split(",") if name.strip()]
    if not names:
        raise InputError(f"sets: expected names such as {next(iter(KNOWN_SETS))}, found none")
    return list(dict.fromkeys(names))


def _images(names: list[str], data: Path | None, wanted: str, piece: PieceSize) -> list[SetImage]:
    """Return the images of all sets; raise where two folders have the same name."""
    images: dict[str, list[SetImage]] = {}
    for name in names:
        found = find_images(name, data, wanted, piece)
        if found[0].set_name in images:
            raise InputError(
                f"sets: expected folders of different names, found {found[0].set_name} twice"
            )
        images[found[0].set_name] = found
    return [image for found in images.values() for image in found]


def _line(record: Record) -> str:
    """Say in one line what a run gave."""
    scores, changes = record["scores"], record["changes"]
    changed = "".join(f" {name}={value}" for name, value in changes.items())
    who = record["preset"] if record["solver"] == GENETIC else record["solver"]
    return (
        f"{record['set']}/{_which(record)} {who}{changed} run {record['run']}: "
        f"neighbour {scores['neighbour']:.2%} strict, {scores['neighbour_aware']:.2%} aware, "
        f"{record['cpu']:.2f} CPU s"
    )


def _which(record: Record) -> str:
    """Return an image's number, or a bag's and how many of its pictures were found."""
    if record["format"] != BAG_FORMAT:
        return f"{record['image']:02}" + (" turned" if record["format"] == TURNED_FORMAT else "")
    scores = record["scores"]
    turned = " turned" if record["turned"] else ""
    return f"{record['file']}{turned}, {scores['found']} pictures of {scores['pictures']},"


def _command(options: argparse.Namespace) -> str:
    """Return the command that repeats this, without the folders of this machine."""
    parts = ["jigsolve", "lab", "run"]
    shown = ["sets", "images", "turned", "mixed", "bags", "runs"]
    shown += ["preset", "ladder", "solver", "measure", "ablation", "phases"]
    shown += [name for name in known_options() if name not in (*shown, "threads")]
    for name in shown:
        value = getattr(options, name)
        if name == "sets":
            value = ",".join(v if v in KNOWN_SETS else Path(v).name for v in _names(options))
        if value is True:
            parts.append(f"--{name}")
        elif value is False and name in known_options():
            parts.append(f"--no-{name}")
        elif value is not None and value is not False and value != "":
            parts += [f"--{name}", str(value)]
    piece = options.piece
    if piece != USUAL_PIECE:
        parts += ["--piece", f"{piece.width}x{piece.height}"]
    return shlex.join(parts)
