"""The seam network on a GPU against threads.

    python benchmarks/gpu.py save PICTURE seams.npz
    python benchmarks/gpu.py score seams.npz

`save` prints CPU seconds of the parts of the network stage, and keeps the seams between right and
left sides with their scores. `score`, there or on another machine, scores them on a GPU and
compares.
"""

import argparse
import time
from pathlib import Path

import numpy as np

from jigsolve import Puzzle
from jigsolve._kernels import facing
from jigsolve.execution.crew import available_threads, crew, spans
from jigsolve.measures import LEARNED, MGC, learned
from jigsolve.measures.gpu import open_gpu
from jigsolve.measures.judges import WholeBorders
from jigsolve.measures.kinds import Kinds
from jigsolve.measures.network import SeamNetwork, Seams, Sides
from jigsolve.measures.proposals import listed
from jigsolve.measures.scorer import Scorer
from jigsolve.measures.shares import STEPS, negative_log_shares
from jigsolve.seams.table import SeamTable

FACING, _ = facing.FACING[1]
REPEATS = 5


def save(picture: Path, kept: Path) -> None:
    from machine import describe_machine

    from jigsolve.solvers.kernels import load_kernels

    load_kernels()
    puzzle, _ = Puzzle.cut(picture, 28).shuffle(seed=1)
    order = np.arange(len(puzzle))
    with crew(available_threads()) as hands:
        most = listed(len(puzzle))
        tables = tuple(
            SeamTable.build(m.borders(puzzle.pieces), kept, hands, rule=m.rule).arrays
            for m, kept in ((LEARNED, 64), (MGC, most))
        )
        clock = [time.process_time()]
        reranking = learned.Reranking(
            WholeBorders(puzzle.pieces, order), puzzle.board, *tables, hands
        )
        reranking.score_candidates()
        reranking.table()
        clock.append(time.process_time())
        pairs = reranking._scored[FACING][:2]
        near, far = WholeBorders(puzzle.pieces, order).sides(FACING)
        clock.append(time.process_time())
        seams = reranking._described(pairs, FACING, puzzle.piece_size.height)
        clock.append(time.process_time())
        scores = Scorer(SeamNetwork.load(), hands, 0).scores(near, far, seams)
        clock.append(time.process_time())
    stage, _, cheap, network = np.diff(clock)
    print(describe_machine())
    print(
        f"{len(puzzle):,} pieces, CPU seconds: network stage {stage:.2f}; of one direction, "
        f"{len(seams):,} seams: cheap measures {cheap:.2f}, network {network:.2f}"
    )
    parts = {"near": near, "far": far, "seams": seams}
    arrays = {f"{part}_{name}": a for part, of in parts.items() for name, a in vars(of).items()}
    np.savez_compressed(kept, scores=scores, alone=1 / puzzle.board.columns, **arrays)


def score(kept: Path) -> None:
    arrays = dict(np.load(kept))

    def part(name: str) -> dict[str, np.ndarray]:
        return {n.partition("_")[2]: a for n, a in arrays.items() if n.startswith(f"{name}_")}

    near, far, seams = Sides(**part("near")), Sides(**part("far")), Seams(**part("seams"))
    start = time.perf_counter()
    gpu = open_gpu(SeamNetwork.load())
    if gpu is None:
        raise SystemExit("no CuPy, or no GPU")
    gpu.scores(near, far, seams.part(0, 1000))
    print(f"ready after {time.perf_counter() - start:.2f} s")
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        found = np.concatenate(
            [
                gpu.scores(near, far, seams.part(*span))
                for span in spans(len(seams), learned.SEAMS_PER_ROUND)
            ]
        )
        seconds.append(time.perf_counter() - start)
    print(
        f"{len(seams):,} seams in {min(seconds):.3f} to {max(seconds):.3f} s, "
        f"{len(seams) / min(seconds):,.0f} a second"
    )
    kinds = Kinds.of(near.lines), Kinds.of(far.lines)
    nones = tuple(SeamNetwork.load().none_of_these(sides) for sides in (near, far))
    missing = float(arrays["alone"]) + WholeBorders.unlisted
    costs = [
        negative_log_shares(nones, seams.ones, seams.others, s, missing, kinds)
        for s in (arrays["scores"], found)
    ]
    steps = np.abs(costs[0] - costs[1]) * STEPS
    print(
        f"scores differ by at most {np.abs(found - arrays['scores']).max():.1e}; "
        f"{np.mean(steps > 0):.3%} of costs do, by at most {steps.max():.0f} / {STEPS}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    saving = verbs.add_parser("save")
    saving.add_argument("picture", type=Path)
    saving.add_argument("seams", type=Path)
    verbs.add_parser("score").add_argument("seams", type=Path)
    options = parser.parse_args()
    if options.verb == "save":
        save(options.picture, options.seams)
    else:
        score(options.seams)


if __name__ == "__main__":
    main()
