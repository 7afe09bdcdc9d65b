"""Experiments over sets of images: run them, keep every run, report and draw."""

from __future__ import annotations

import argparse

from jigsolve.cli.verbs import Verb, add_verbs

VERBS = {
    "run": Verb("jigsolve.cli.lab.run_sets", "solve the images of sets, and keep every run"),
    "report": Verb("jigsolve.cli.lab.report", "write tables and plots of the runs in a folder"),
    "figure": Verb("jigsolve.cli.lab.figure", "draw generations, a growing kernel or wrong seams"),
    "sets": Verb("jigsolve.cli.lab.sets", "list the literature's image sets"),
}

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
    add_verbs(parser, VERBS)
