"""Experiments over sets of images: run them, keep every run, report and draw."""

from __future__ import annotations

import argparse

from jigsolve.cli.lab import figure, report, run_sets, sets
from jigsolve.cli.verbs import add_verbs

HELP = "run experiments over image sets and report them"
EXAMPLES = """\
examples:
  jigsolve lab sets                                          what the literature uses
  jigsolve lab run --sets cho_432 --data DIR --out results   solve all 20 images once
  jigsolve lab run --sets cho_432 --data DIR --out results --preset paper --runs 10
  jigsolve lab report results                                tables, plots, one HTML page
  jigsolve lab figure crossover photo.jpg -o crossover.png   a kernel growing
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the verbs of the lab."""
    add_verbs(parser, {"run": run_sets, "report": report, "figure": figure, "sets": sets})
