"""What a run costs: the seam table, and CPU time per child and per placement.

    python benchmarks/speed.py PICTURE [--preset paper] [--population N] [--generations N]

Without a picture, the demo's photograph is solved. CPU time is summed over threads. The last
column holds the shares of placements by agreed, best-buddy and greedy phase: a run has converged
when nearly all are agreed.
"""

import argparse
import resource
import time
from pathlib import Path

from machine import describe_machine

from jigsolve import Generation, Puzzle, Settings, demo_photo, solve
from jigsolve.execution.events import Event


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("picture", type=Path, nargs="?")
    parser.add_argument("--preset", default="paper")
    parser.add_argument("--population", type=int)
    parser.add_argument("--generations", type=int)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    settings = Settings.preset(options.preset, seed=options.seed, threads=options.threads)
    for name in ("population", "generations"):
        if getattr(options, name) is not None:
            settings = settings.changed(**{name: getattr(options, name)})
    photo = demo_photo() if options.picture is None else options.picture
    puzzle, _ = Puzzle.cut(photo, piece=28).shuffle(seed=1)
    chosen = settings.options

    print(describe_machine())
    print(f"{len(puzzle):,} pieces, preset {options.preset}, population {chosen.population}")
    print("generation   best cost   ms/child   ns/placement   agreed, buddy, greedy")
    children = chosen.population - chosen.elites
    clock = [time.process_time()]

    def hear(generation: Event) -> None:
        if not isinstance(generation, Generation):
            return
        clock.append(time.process_time())
        number = generation.number
        if number == 0 or (number & (number - 1) and number != chosen.generations):
            return
        cpu = (clock[-1] - clock[-2]) / children
        shares = [f"{generation.placements[n]:.3f}" for n in ("agreed", "best-buddy", "greedy")]
        print(
            f"{number:>10}{generation.best:>12,.0f}{1e3 * cpu:>11.3f}"
            f"{1e9 * cpu / len(puzzle):>15.0f}   {', '.join(shares)}",
            flush=True,
        )

    solution = solve(puzzle, settings, on_event=hear)
    for stage, timing in solution.timings.items():
        print(f"{stage}: {timing.cpu:.2f} CPU s, {timing.wall:.2f} s")
    placements = (len(solution.history) - 1) * children * len(puzzle)
    print(f"whole run: {1e9 * solution.timings['evolution'].cpu / placements:.0f} ns/placement")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory: {peak:.0f} MiB")


if __name__ == "__main__":
    main()
