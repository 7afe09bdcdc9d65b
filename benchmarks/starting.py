"""How long the command takes to begin, and to solve a small picture from start to finish.

    python benchmarks/starting.py PICTURE
    python benchmarks/starting.py PICTURE --against other/.venv/bin/jigsolve

PICTURE is cut into pieces of 28 pixels and shuffled. Each command is run several times, in turn
with the other version's where one is given; kernels are compiled before. The least wall and CPU
seconds of all runs: what else the machine does only adds to them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import describe_machine

COMMANDS = {
    "--version": ["--version"],
    "--help": ["--help"],
    "solve --help": ["solve", "--help"],
    "solve": ["solve", "puzzle.png", "-o", "solved.png", "--force", "--quiet"],
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("picture", type=Path)
    parser.add_argument("--against", type=Path, metavar="JIGSOLVE", help="another one's command")
    parser.add_argument("--times", type=int, default=7, help="runs of each command (7)")
    options = parser.parse_args()
    ours = Path(sys.executable).with_name("jigsolve")
    versions = [ours, *filter(None, [options.against])]
    print(describe_machine())
    others = " wall s, other | CPU s, other |" if options.against else ""
    print(f"| command | wall s | CPU s |{others}")
    print("|---" * (1 + 2 * len(versions)) + "|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        cut = ["cut", str(options.picture.resolve()), "-o", "puzzle.png"]
        timed(ours, cut, folder)
        for version in versions:
            timed(version, COMMANDS["solve"], folder)  # compiles
        for name, command in COMMANDS.items():
            runs = [
                [timed(version, command, folder) for version in versions]
                for _ in range(options.times)
            ]
            least = [
                f"{min(run[which][kind] for run in runs):.2f}"
                for which in range(len(versions))
                for kind in range(2)
            ]
            print(f"| `{name}` | {' | '.join(least)} |", flush=True)
    return 0


def timed(command: Path, arguments: list[str], folder: str) -> tuple[float, float]:
    """Run a command; return wall and CPU seconds, of all its threads."""
    # Where compiled Python is not kept, all of it is compiled each time.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before, began = os.times(), time.perf_counter()
    subprocess.run(
        [command, *arguments], cwd=folder, check=True, capture_output=True, env=environment
    )
    wall, after = time.perf_counter() - began, os.times()
    cpu = after.children_user + after.children_system
    return wall, cpu - before.children_user - before.children_system


if __name__ == "__main__":
    sys.exit(main())
