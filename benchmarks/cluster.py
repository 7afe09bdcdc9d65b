"""Runs of 540 pieces on a local cluster against the ideal, and with a worker killed in the middle.

Two ideals, both of workers that never wait: the wall times of the cluster's own runs, added up and
divided by the workers; and the CPU time of all runs without a cluster, divided by the workers, or
by the cores if there are fewer. The second holds on an idle machine only. Workers load kernels
before time is taken; without a cluster they do so within it.
"""

import argparse
import os
import signal
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from jigsolve import Settings
from jigsolve.cluster.connection import connected
from jigsolve.execution.crew import available_threads
from jigsolve.lab.conduct import conduct
from jigsolve.lab.experiment import plan
from jigsolve.lab.records import Bench, Runs
from jigsolve.lab.sets import find_images
from jigsolve.lab.spread import conduct_on

OF_THE_MOMENT = ("cpu", "wall", "stages", "memory", "finished", "threads")


def lasting(folder):
    """Return the runs of a folder, sorted, without what differs each time."""
    records = sorted(Runs(folder).records, key=lambda record: record["key"])
    return [{n: v for n, v in record.items() if n not in OF_THE_MOMENT} for record in records]


def differing(one, other):
    """Return the fields in which runs differ, or that there are more or fewer of them."""
    pairs = lasting(one), lasting(other)
    if len(pairs[0]) != len(pairs[1]):
        return ["number"]
    return sorted({n for a, b in zip(*pairs, strict=True) for n in a if a[n] != b[n]})


def spread(cluster, tasks, folder, *, kill=False):
    """Return the wall time of all runs on a cluster."""
    began = time.perf_counter()
    with Bench(folder) as bench:
        for number, _ in enumerate(conduct_on(cluster, tasks, bench, "benchmark")):
            if kill and number == len(tasks) // 2:
                victim = next(iter(cluster.client.run(os.getpid).values()))
                os.kill(victim, signal.SIGKILL)
    return time.perf_counter() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("picture_folder", type=Path, help="pictures of 540 pieces")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--workers", type=int, default=3)
    options = parser.parse_args()
    images = find_images(str(options.picture_folder))
    each = -(-options.runs // len(images))
    tasks = plan(images, "default", [Settings.preset("default")], each)[: options.runs]
    lanes = min(options.workers, available_threads())
    with tempfile.TemporaryDirectory() as place:
        alone, whole, killed = (Path(place) / name for name in ("alone", "whole", "killed"))
        began = time.perf_counter()
        with Bench(alone) as bench:
            records = list(conduct(tasks, bench, "benchmark", lanes))
        without = time.perf_counter() - began
        with connected("local", options.workers) as cluster:
            warm = [replace(t, settings=t.settings.changed(seed=9999)) for t in tasks]
            spread(cluster, warm[: 2 * options.workers], Path(place) / "warm")
            wall = spread(cluster, tasks, whole)
            wall_killed = spread(cluster, tasks, killed, kill=True)
        by_wall = sum(record["wall"] for record in Runs(whole).records) / options.workers
        by_cpu = sum(record["cpu"] for record in records) / lanes
        print(f"{len(tasks)} runs, {options.workers} workers on {available_threads()} cores")
        print(f"cluster {wall:.1f} s; without, {lanes} processes: {without:.1f} s")
        print(f"ideal by wall times of its runs {by_wall:.1f} s: {wall / by_wall - 1:+.0%}")
        print(f"ideal by CPU time without a cluster {by_cpu:.1f} s: {wall / by_cpu - 1:+.0%}")
        print(f"one worker killed: {wall_killed:.1f} s")
        for what, folder in (("cluster", whole), ("one worker killed", killed)):
            print(f"{what}: records differ in {differing(alone, folder) or 'nothing'}")


if __name__ == "__main__":
    main()
