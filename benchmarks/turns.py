"""Does `--turns auto` know whether pieces are turned?.

    python benchmarks/turns.py DATA
    python benchmarks/turns.py DATA --sets mcgill_540 --piece 35x11

DATA is a folder with a folder of pictures for each set. Every picture is cut and shuffled twice,
once as it is and once with its pieces turned (by halves if they are not square).
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from machine import describe_machine

from jigsolve import Puzzle
from jigsolve.cli.options import piece_size
from jigsolve.core import PieceSize
from jigsolve.core.turns import NONE, widest_turns
from jigsolve.detect.turned import find_turns

SETS = ("mcgill_540", "pomeranz_805", "cho_432", "sholomon_5015", "sholomon_10375")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", nargs="+", default=SETS, metavar="SET")
    parser.add_argument("--piece", type=piece_size, default=PieceSize(28, 28), metavar="28|WxH")
    options = parser.parse_args()
    turned = widest_turns(*options.piece)
    print(describe_machine())
    print("| set | puzzles | right and sure | sure but wrong | not sure | CPU s each |")
    print("|---" * 6 + "|", flush=True)
    for name in options.sets:
        right = wrong = unsure = 0
        cpu = 0.0
        paths = [p for p in sorted((options.data / name).iterdir()) if p.suffix in (".png", ".jpg")]
        for path in paths:
            cut = Puzzle.cut(path, tuple(options.piece))
            for turns in (NONE, turned):
                pieces = cut.shuffle(1, turns)[0].pieces
                before = time.process_time()
                found = find_turns(pieces)
                cpu += time.process_time() - before
                unsure += not found.is_sure
                right += found.is_sure and found.turns == turns
                wrong += found.is_sure and found.turns != turns
        asked = 2 * len(paths)
        print(
            f"| {name} | {asked} | {right} | {wrong} | {unsure} | {cpu / asked:.2f} |", flush=True
        )


if __name__ == "__main__":
    main()
