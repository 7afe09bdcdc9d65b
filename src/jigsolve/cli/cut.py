"""Cut pictures into equal pieces, shuffle them, and write them without loss.

OUT is one picture (a name ending in .png, .tif, .bmp), an archive of tiles (.zip, .tar, .tar.gz)
or a folder of tiles (a name without an ending, or with / behind it). Tiles are named at random.
Several pictures make one bag of tiles.

What is too narrow for a whole piece at the right and the bottom is left out.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

from PIL import ImageColor

from jigsolve.cli.options import add_force, add_piece, add_quiet, check_outputs
from jigsolve.cli.printing import printable, say
from jigsolve.cli.progress import Progress
from jigsolve.cli.signals import finish_in_peace
from jigsolve.cli.usage import whole
from jigsolve.core.checks import check_seed, whole_number
from jigsolve.core.cut_bag import CutBag, cut_bag
from jigsolve.core.cutting import MOST_GAP, CutTiles, cut_tiles, lay_out
from jigsolve.core.mixing import Amount
from jigsolve.errors import InputError
from jigsolve.io.files import write_text
from jigsolve.io.pictures import LOSSLESS, check_lossless, write_picture
from jigsolve.io.tile_file import is_tile_name
from jigsolve.io.tile_writing import ARCHIVES, is_archive_name, write_tiles
from jigsolve.io.tiles import MOST_ODD_LINES

EXAMPLES = """\
examples:
  jigsolve cut photo.jpg -o puzzle.png
  jigsolve cut photo.jpg -o puzzle.png --piece 35x11 --seed 7 --truth truth.json
  jigsolve cut photo.jpg -o puzzle.png --gap 3,white --border 8
  jigsolve cut photo.jpg -o tiles/ --missing 5% --stray other.jpg:5% --truth truth.json
  jigsolve cut photo.jpg -o tiles.zip --duplicates 4 --jitter 1
  jigsolve cut photo.jpg -o puzzle.png --turned
  jigsolve cut a.jpg b.jpg c.jpg -o bag/ --turned --truth truth.json
"""

WHITE = (255, 255, 255)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "images",
        type=Path,
        nargs="+",
        metavar="IMAGE",
        help="the picture to cut; several for one bag of tiles",
    )
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="OUT",
        help=f"a picture ({', '.join(LOSSLESS)}), archive ({', '.join(ARCHIVES)}) or folder",
    )
    add_piece(parser)
    parser.add_argument("--seed", type=whole, default=0, metavar="N", help="of all chance (0)")
    parser.add_argument(
        "--truth",
        type=Path,
        metavar="FILE.json",
        help="write the arrangement that restores the picture, row-major piece ids, -1 where one "
        "is missing; turns; names of tiles by id; ids of strays and of duplicates; of a bag the "
        "picture, row, column and turn of each tile",
    )
    parser.add_argument(
        "--turned",
        action="store_true",
        help="turn the pieces at random: by quarters, by halves if they are not square",
    )
    parser.add_argument(
        "--save-pieces", type=Path, metavar="DIR", help="write the tiles as files, too"
    )
    add_force(parser)
    add_quiet(parser)
    group = parser.add_argument_group("faults", "such as found puzzles have")
    group.add_argument(
        "--gap",
        type=_gap,
        default=(0, WHITE),
        metavar="N[,COLOUR]",
        help="pixels between the tiles of a picture (0,white)",
    )
    group.add_argument(
        "--border",
        type=whole,
        default=0,
        metavar="N",
        help="pixels around a picture, in the gaps' colour (0)",
    )
    group.add_argument(
        "--missing", type=_amount, default=0, metavar="N|P%", help="tiles to leave out"
    )
    group.add_argument(
        "--stray",
        type=_stray,
        action="append",
        default=[],
        metavar="PICTURE[:N|:P%]",
        help="mix in tiles of another picture (5%% of the board's cells); may be repeated",
    )
    group.add_argument(
        "--duplicates", type=_amount, default=0, metavar="N|P%", help="tiles that are there twice"
    )
    group.add_argument(
        "--jitter",
        type=whole,
        default=0,
        metavar="N",
        help="tiles are up to N pixels larger, 2 at most; not for a picture",
    )


def _amount(text: str) -> Amount:
    """Read `12` as a number of tiles, `5%` as a share."""
    if match := re.fullmatch(r"(\d{1,9})|(\d{1,3}(?:\.\d{1,6})?)%", text.strip()):
        if match[1]:
            return int(match[1])
        if (share := float(match[2])) <= 100:
            return share / 100
    raise argparse.ArgumentTypeError(f"expected a number or a share such as 5%, found {text!r}")


def _stray(text: str) -> tuple[Path, Amount]:
    """Read `PICTURE:AMOUNT`; a picture's name may have colons of its own."""
    name, colon, amount = text.rpartition(":")
    if colon and name and re.fullmatch(r"[\d.]+%?", amount.strip()):
        return Path(name), _amount(amount)
    return Path(text), 0.05


def _gap(text: str) -> tuple[int, tuple[int, ...]]:
    """Read `3`, `3,white` or `3,#336699`."""
    pixels, _, colour = text.partition(",")
    try:
        return int(pixels), ImageColor.getrgb(colour.strip() or "white")[:3]
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"expected pixels and perhaps a colour, such as 3,white or 3,#336699, found {text!r}"
        ) from None


def check(options: argparse.Namespace) -> None:
    """Raise unless numbers are within their limits, and what is written can have the faults."""
    check_seed(options.seed)
    whole_number("jitter", options.jitter, 0, MOST_ODD_LINES)
    whole_number("gap", options.gap[0], 0, MOST_GAP)
    whole_number("border", options.border, 0, MOST_GAP)
    in_files = _in_files(options.output)
    if not in_files and len(options.images) > 1:
        raise InputError(
            f"{options.output}: expected an archive or folder for the tiles of several pictures, "
            "found a picture"
        )
    if not in_files:
        check_lossless(Path(options.output))
    _check_faults(options, in_files=in_files)


def run(options: argparse.Namespace) -> bool:
    """Cut and write."""
    output = Path(options.output)
    in_files = _in_files(options.output)
    in_folder = in_files and not is_archive_name(output)
    check_outputs(
        [*options.images, *(picture for picture, _ in options.stray)],
        [None if in_folder else output, options.truth],
        folders=dict.fromkeys(
            filter(None, [output if in_folder else None, options.save_pieces]), is_tile_name
        ),
        force=options.force,
    )
    cut = _cut(options)
    with Progress(quiet=options.quiet) as progress:
        for place in filter(None, [output if in_files else None, options.save_pieces]):
            with progress.clock().stage("writing") as tell:
                write_tiles(place, cut.tiles, cut.names, force=options.force, progress=tell)
    if isinstance(cut, CutTiles) and not in_files:
        gap, colour = options.gap
        picture = lay_out(
            cut.tiles, cut.board.columns, gap=gap, border=options.border, colour=colour
        )
        write_picture(output, picture)
    finish_in_peace()
    if options.truth:
        write_text(options.truth, json.dumps(cut.as_dict()) + "\n")
    if not options.quiet:
        say(printable(f"{output}: {_summary(cut, turned=options.turned)}"))
    return True


def _cut(options: argparse.Namespace) -> CutTiles | CutBag:
    faults = {
        "seed": options.seed,
        "missing": options.missing,
        "strays": options.stray,
        "duplicates": options.duplicates,
        "jitter": options.jitter,
        "turned": options.turned,
    }
    if len(options.images) == 1:
        return cut_tiles(options.images[0], options.piece, **faults)
    return cut_bag(options.images, options.piece, **faults)


def _in_files(text: str) -> bool:
    """Whether tiles are written as files: into an archive or a folder."""
    path = Path(text)
    return is_archive_name(path) or text.endswith("/") or path.is_dir() or not path.suffix


def _check_faults(options: argparse.Namespace, *, in_files: bool) -> None:
    if in_files and (options.gap[0] or options.border):
        raise InputError(
            f"{options.output}: expected a picture for --gap and --border, found an archive or "
            "folder"
        )
    if options.jitter and not in_files:
        raise InputError(
            f"{options.output}: expected an archive or folder for --jitter, found a picture"
        )


def _summary(cut: CutTiles | CutBag, *, turned: bool) -> str:
    """Say in one line what the tiles are."""
    grids = [cut.truth] if isinstance(cut, CutTiles) else [pieces for pieces, _ in cut.truth]
    boards = " + ".join(f"{grid.shape[1]} x {grid.shape[0]}" for grid in grids)
    text = f"{boards} = {sum(grid.size for grid in grids):,} pieces of {cut.piece_size} pixels"
    if len(grids) > 1:
        text = f"{len(grids)} pictures, {text}"
    missing = sum(int((grid < 0).sum()) for grid in grids)
    counts = ((missing, "missing"), (len(cut.strays), "strays"), (len(cut.duplicates), "twice"))
    said = ["turned"] if turned else []
    return ", ".join([text, *said, *(f"{count:,} {what}" for count, what in counts if count)])
