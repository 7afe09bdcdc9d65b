"""Puzzles as people find them: compressed, scaled or eroded after they were shuffled.

Images of sets are cut, shuffled, damaged and written to files, which are read and solved as the
command line does. Lines of borders that were lost are the only thing it is told (--damage
eroded:N); the rest is found out. A run is a line of JSON; what is there already is not run again.

    python benchmarks/damage.py run runs.jsonl --data DATA --sets mcgill_540 pomeranz_805
    python benchmarks/damage.py report runs.jsonl
"""

from __future__ import annotations

import argparse
import io
import json
import multiprocessing
import tempfile
import time
import zipfile
from collections import defaultdict
from pathlib import Path

import numpy as np
from PIL import Image

KINDS = {
    "PNG": {},
    "JPEG 95, full colour": {"format": "JPEG", "quality": 95, "subsampling": 0},
    "JPEG 90": {"format": "JPEG", "quality": 90},
    "JPEG 75": {"format": "JPEG", "quality": 75},
    "JPEG 50": {"format": "JPEG", "quality": 50},
    "WebP 75": {"format": "WEBP", "quality": 75},
    "scaled by 0.7": {"scale": 0.7},
    "scaled by 1.5": {"scale": 1.5},
    "eroded by 1": {"lost": 1},
    "eroded by 2": {"lost": 2},
    "eroded by 4": {"lost": 4},
    "tiles, JPEG 75": {"format": "JPEG", "quality": 75, "tiles": True},
}
FLOORS = {
    28: {
        "JPEG 90": 94, "JPEG 75": 85, "JPEG 50": 60, "WebP 75": 75, "eroded by 1": 97,
        "eroded by 2": 94, "eroded by 4": 85, "scaled by 0.7": 95, "scaled by 1.5": 95,
        "tiles, JPEG 75": 97,
    },
    56: {"JPEG 90": 99, "JPEG 75": 98, "JPEG 50": 95, "WebP 75": 95},
}  # fmt: skip
MEASURES = "learned", "dissimilarity", "mgc"
BINS = 15
WARNED = 0.8


def written(path: Path, size: int, kind: dict, folder: Path, seed: int) -> tuple[Path, np.ndarray]:
    """Write the damaged puzzle of an image; return its file and the order of its pieces."""
    pixels = np.asarray(Image.open(path).convert("RGB"))
    rows, columns = pixels.shape[0] // size, pixels.shape[1] // size
    pieces = pixels[: rows * size, : columns * size].reshape(rows, size, columns, size, 3)
    pieces = pieces.swapaxes(1, 2).reshape(-1, size, size, 3)
    lost = kind.get("lost", 0)
    pieces = pieces[:, lost : size - lost, lost : size - lost]
    order = np.random.default_rng(seed).permutation(len(pieces))
    side = pieces.shape[1]
    options = {name: kind[name] for name in ("quality", "subsampling") if name in kind}
    file_format = kind.get("format", "PNG")
    if kind.get("tiles"):
        target = folder / "tiles.zip"
        with zipfile.ZipFile(target, "w") as archive:
            for place, piece in enumerate(order):
                file = io.BytesIO()
                Image.fromarray(pieces[piece]).save(file, file_format, **options)
                archive.writestr(f"{place:05d}.jpg", file.getvalue())
        return target, order
    shuffled = pieces[order].reshape(rows, columns, side, side, 3).swapaxes(1, 2)
    picture = Image.fromarray(shuffled.reshape(rows * side, columns * side, 3))
    if scale := kind.get("scale"):
        wanted = tuple(round(extent * scale) for extent in picture.size)
        picture = picture.resize(wanted, Image.Resampling.BICUBIC)
    target = folder / f"puzzle.{file_format.lower()}"
    picture.save(target, file_format, **options)
    return target, order


def solved(task: tuple[str, str, int, str, str]) -> dict[str, object]:
    """Solve one puzzle and return its record."""
    from jigsolve import Board, Settings, score, solve
    from jigsolve.detect.known import Known
    from jigsolve.detect.sources import read_source

    path, kind_name, size, measure, key = task
    kind = KINDS[kind_name]
    seed = int(Path(path).stem)
    with tempfile.TemporaryDirectory() as folder:
        file, order = written(Path(path), size, kind, Path(folder), seed)
        with Image.open(path) as image:
            board = Board(image.height // size, image.width // size)
        piece = (size - 2 * kind.get("lost", 0)) * kind.get("scale", 1.0)
        known = None if kind.get("tiles") else Known(piece=(piece, piece))
        source = read_source([file], known=known)
    puzzle = source.puzzle(board)
    if source.names:  # tiles come in an order of their own
        order = order[[int(Path(name).stem) for name in source.names]]
    truth = np.argsort(order).reshape(board).astype(np.int32)
    lost = kind.get("lost")
    settings = Settings.of(seed=seed, threads=1, measure=measure)
    if lost:
        settings = Settings.of(seed=seed, threads=1, measure=measure, damage=f"eroded:{lost}")
    began = time.process_time()
    solution = solve(puzzle, settings)
    scores = score(solution, truth)
    return {
        "key": key,
        "kind": kind_name,
        "size": size,
        "measure": measure,
        "neighbour": scores.neighbour,
        "neighbour_aware": scores.neighbour_aware,
        "direct": scores.direct,
        "believed": solution.believed(),
        "reliability": reliability(solution, puzzle, truth),
        "found": [source.damage.codec, source.damage.soft],
        "cpu": time.process_time() - began,
    }


def reliability(solution, puzzle, truth) -> list[list[float]] | None:
    """Return the sum of what is stated, of what is right, and the number of seams, bin by bin."""
    from jigsolve.scores.scores import wrong_seams

    if (confidence := solution.confidence()) is None:
        return None
    stated = np.concatenate([confidence.right.ravel(), confidence.below.ravel()])
    wrong = [part.ravel() for part in wrong_seams(puzzle, solution.arrangement, truth)]
    right = ~np.concatenate(wrong)
    which = np.minimum((stated * BINS).astype(int), BINS - 1)
    return [
        np.bincount(which, values, BINS).round(4).tolist()
        for values in (stated, right, np.ones_like(stated))
    ]


def run(given: argparse.Namespace) -> None:
    """Run what is not there yet."""
    there = set()
    if given.runs.exists():
        there = {json.loads(line)["key"] for line in given.runs.read_text().splitlines()}
    tasks = []
    for measure in given.measures:
        for size in given.sizes:
            for name in given.sets:
                for path in sorted((given.data / name).glob("*.*")):
                    for kind in given.kinds or KINDS:
                        key = f"{name}/{path.stem} {size} {kind} {measure}"
                        if key not in there:
                            tasks.append((str(path), kind, size, measure, key))
    done = 0
    with (
        given.runs.open("a") as file,
        multiprocessing.get_context("spawn").Pool(given.workers) as pool,
    ):
        for record in pool.imap_unordered(solved, tasks):
            file.write(json.dumps(record) + "\n")
            file.flush()
            done += 1
            print(f"{done} of {len(tasks)}: {record['key']} {record['neighbour']:.3f}", flush=True)


def report(given: argparse.Namespace) -> None:
    """Print the table: neighbour accuracy in percent, strict, and what was believed."""
    records = [json.loads(line) for line in given.runs.read_text().splitlines()]
    for size in sorted({record["size"] for record in records}):
        found = defaultdict(list)
        for record in records:
            if record["size"] == size:
                found[record["kind"], record["measure"]].append(record)
        print(f"\n{size} pixels\n")
        print(
            "| kind | images | learned, strict / aware | floor | believed | calibration error | "
            "CPU s | others |"
        )
        print("|---|---|---|---|---|---|---|---|")
        for kind in KINDS:
            own = found.get((kind, "learned"))
            if not own:
                continue
            strict, aware, believed = (
                f"{100 * np.mean([record[name] for record in own]):.1f}"
                for name in ("neighbour", "neighbour_aware", "believed")
            )
            others = ", ".join(
                f"{measure} {100 * np.mean([r['neighbour'] for r in found[kind, measure]]):.1f}"
                for measure in MEASURES[1:]
                if found.get((kind, measure))
            )
            cpu = np.mean([record["cpu"] for record in own])
            floor = FLOORS.get(size, {}).get(kind, "")
            stated, right, count = np.sum([record["reliability"] for record in own], axis=0)
            error = 100 * np.abs(stated - right).sum() / count.sum()
            print(
                f"| {kind} | {len(own)} | {strict} / {aware} | {floor} | {believed} | "
                f"{error:.1f} % | {cpu:.1f} | {others} |"
            )
    own = [record for record in records if record["measure"] == "learned"]
    warned = [record["believed"] < WARNED for record in own]
    wrong = [record["neighbour_aware"] < WARNED for record in own]
    print(
        f"\nWarned of {sum(warned)} of {len(own)} puzzles; {sum(wrong)} are below {WARNED:.0%} "
        f"aware; right about {sum(map(np.equal, warned, wrong))}"
    )


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("do", choices=["run", "report"])
    parser.add_argument("runs", type=Path, help="the file of runs")
    parser.add_argument("--data", type=Path, help="folder of the sets")
    parser.add_argument("--sets", nargs="+", default=["mcgill_540", "pomeranz_805"])
    parser.add_argument("--sizes", type=int, nargs="+", default=[28, 56])
    parser.add_argument("--kinds", nargs="+", choices=KINDS)
    parser.add_argument("--measures", nargs="+", default=["learned"], choices=MEASURES)
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    given = parser.parse_args()
    (run if given.do == "run" else report)(given)


if __name__ == "__main__":
    main()
