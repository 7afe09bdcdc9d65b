"""Options that say how a shuffled picture was cut, as far as that is known."""

from __future__ import annotations

import argparse
import re

from PIL import ImageColor

from jigsolve.detect.known import Known, Region

_NUMBER = r"-?\d{1,9}(?:\.\d{1,6})?"


def add_known(parser: argparse.ArgumentParser) -> None:
    """Add `--piece`, `--gap`, `--border`, `--offset`, `--region` and `--crop`."""
    group = parser.add_argument_group(
        "pieces", "how a shuffled picture was cut; what is not given is detected"
    )
    group.add_argument(
        "--piece",
        type=_piece,
        metavar="28|WxH",
        help="size of a piece in pixels, width x height; 19.6 or 126.75x182.75 if the picture "
        "was scaled after it was shuffled",
    )
    group.add_argument(
        "--gap",
        type=_gap,
        metavar="N[,COLOUR]",
        help="pixels between two pieces; their colour need not be said",
    )
    group.add_argument(
        "--border", type=_length, metavar="N", help="pixels around all pieces, on every side"
    )
    group.add_argument(
        "--offset", type=_offset, metavar="X,Y", help="pixels left of and above the first piece"
    )
    group.add_argument(
        "--region",
        type=_region,
        metavar="X,Y,W,H",
        help="look only at this part of the picture, a board in a screenshot say; --border and "
        "--offset count from its corner",
    )
    group.add_argument(
        "--crop",
        action="store_true",
        help="with --piece: leave out what is too narrow for one at the right and the bottom",
    )


def known_from(options: argparse.Namespace) -> Known:
    """Return what the options say."""
    return Known(
        piece=options.piece,
        gap=options.gap,
        border=options.border,
        offset=options.offset,
        region=options.region,
        crop=options.crop,
    )


def _piece(text: str) -> tuple[float, float]:
    """Read `28`, `19.6` or `WxH` as (height, width)."""
    match = re.fullmatch(rf"({_NUMBER})(?:x({_NUMBER}))?", text.strip().lower())
    if not match:
        raise argparse.ArgumentTypeError(
            f"expected a number or WxH such as 35x11 or 126.75x182.75, found {text!r}"
        )
    width = float(match[1])
    return (float(match[2]) if match[2] else width), width


def _length(text: str) -> float:
    if not re.fullmatch(_NUMBER, text.strip()):
        raise argparse.ArgumentTypeError(f"expected pixels such as 8, found {text!r}")
    return float(text)


def _gap(text: str) -> float:
    """Read `3` or `3,white`, as `cut` takes it."""
    pixels, comma, colour = text.partition(",")
    try:
        if comma:
            ImageColor.getrgb(colour.strip())
        return _length(pixels)
    except (ValueError, argparse.ArgumentTypeError):
        raise argparse.ArgumentTypeError(
            f"expected pixels and perhaps a colour, such as 3,white or 3,#336699, found {text!r}"
        ) from None


def _offset(text: str) -> tuple[float, float]:
    match = re.fullmatch(rf"({_NUMBER}),({_NUMBER})", text.strip())
    if not match:
        raise argparse.ArgumentTypeError(f"expected X,Y such as 12,40, found {text!r}")
    return float(match[1]), float(match[2])


def _region(text: str) -> Region:
    match = re.fullmatch(r",".join([r"(-?\d{1,9})"] * 4), text.strip())
    if not match:
        raise argparse.ArgumentTypeError(f"expected X,Y,W,H such as 40,120,640,480, found {text!r}")
    return Region(*map(int, match.groups()))
