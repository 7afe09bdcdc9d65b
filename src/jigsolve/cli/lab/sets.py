"""List the image sets of the literature that the lab knows."""

from __future__ import annotations

import argparse

from jigsolve.lab.sets import KNOWN_SETS, count_images

EXAMPLES = """\
examples:
  jigsolve lab sets
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare nothing: there is nothing to choose."""


def check(options: argparse.Namespace) -> None:
    """There are no options."""


def run(options: argparse.Namespace) -> bool:
    """Print the sets."""
    for known in KNOWN_SETS.values():
        print(f"{known.name:<16}{count_images(known.name):>3} images of {known.pieces:,} pieces")
        print(f"    {known.citation}")
        print(f"    to be had from {known.published_at}")
        if known.remark:
            print(f"    {known.remark}")
    print(
        "\nImages are not shipped. Put them into DIR/SET/01.png (or .jpg) and so on and give\n"
        "--data DIR, or set JIGSOLVE_DATA. Any folder of pictures is a set, too: give its path."
    )
    return True
