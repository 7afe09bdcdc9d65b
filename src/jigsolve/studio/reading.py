"""Reading what a person gave: how it was cut, how pieces are turned, what board they fill."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jigsolve.assembly.pictures import find_pictures
from jigsolve.core import Board
from jigsolve.detect.detecting import detect_grid
from jigsolve.detect.grid import Grid
from jigsolve.detect.known import Known, Region
from jigsolve.detect.sources import Source, read_source
from jigsolve.detect.turned import find_turns
from jigsolve.errors import InputError, NoBoardError
from jigsolve.execution.stop import Stop
from jigsolve.execution.work import Work, working
from jigsolve.io.containers import is_one_picture
from jigsolve.io.pictures import opened, read_picture, write_picture
from jigsolve.solvers.boards import find_boards, is_clear
from jigsolve.solvers.settings import Settings
from jigsolve.studio.kept import SOURCE, keep_source, write_json
from jigsolve.studio.priced import keep_priced, priced_path

if TYPE_CHECKING:
    from jigsolve.studio.engine import Teller

READ = "read.json"
"""What was found out; the server takes it from here."""

SHOWN = 4
"""Other grids and boards that are told."""


def read_puzzle(job: dict[str, Any], teller: Teller, stop: Stop) -> Callable[[], None]:
    """Read files and find out what can be; return what leaves it to the server."""
    try:
        return _read(job, teller, stop)
    except InputError as error:
        said = str(error).replace("`", "")
        for place in job["places"]:  # where it lies is nobody's business, what it is called is
            said = said.replace(place, job["title"])
        raise InputError(said) from None


def _read(job: dict[str, Any], teller: Teller, stop: Stop) -> Callable[[], None]:
    folder, places = Path(job["folder"]), [Path(place) for place in job["places"]]
    settings = Settings()
    with working(settings.threads, teller.hear, stop) as work:
        with work.clock.stage("reading") as tell:
            if is_one_picture(places):
                source, detection = _read_picture(folder, places[0], job.get("grid"))
            else:
                source = read_source(places, progress=tell)
                source, detection = _renamed(source, job.get("labels")), _of_tiles()
        detection["message"] = "; ".join([*source.notes, *filter(None, [detection["message"]])])
        if len(source.pieces) > 1 and not job.get("grid"):
            with work.clock.stage("turns"):
                turns = find_turns(source.pieces)
            source = source._replace(turns=turns.turns)
            detection["turns"] = turns.turns
            if source.board is None:
                _find_board(folder, source, settings, work, detection)
    if len(source.pieces):
        board = detection["board"]
        source = source._replace(board=Board(board[1], board[0]) if board else None)
        keep_source(folder, source)
    count, height, width = source.pieces.shape[:3]
    picture = None
    if source.names is None:
        with opened(folder / SOURCE, "the picture") as shown:
            picture = shown.size
    found = {
        "kind": "tiles" if source.names else "picture",
        "count": count,
        "width": width,
        "height": height,
        "names": source.names,
        "picture": picture,
        "detection": detection,
    }
    return lambda: write_json(folder / READ, found)


def known_of(grid: dict[str, Any], picture: np.ndarray) -> Known:
    """Return what a person says of a picture's grid as the library takes it."""
    (width, height), (x, y), gap = grid["piece"], grid["start"], grid["gap"]
    region = None
    if grid.get("board"):
        columns, rows = grid["board"]
        ends = x + columns * (width + gap) - gap, y + rows * (height + gap) - gap
        # Cells of a scaled picture end within a pixel, and their size is rounded.
        most = picture.shape[1::-1]
        region = Region(0, 0, *(min(math.ceil(e), m) for e, m in zip(ends, most, strict=True)))
    return Known(piece=(height, width), gap=gap, offset=(x, y), region=region, crop=True)


def _read_picture(
    folder: Path, path: Path, grid: dict[str, Any] | None
) -> tuple[Source, dict[str, Any]]:
    """Read a shuffled picture, cut as is said, or as is likeliest."""
    pixels = read_picture(path)
    write_picture(folder / SOURCE, pixels)
    try:
        if grid is not None:
            source = read_source([path], known=known_of(grid, pixels))
            if grid["board"]:  # otherwise it is to be found
                grid = grid | {"board": [*reversed(source.board)]}  # type: ignore[arg-type]
            return source, grid
        found = detect_grid(pixels)
    except InputError as error:
        if grid is not None:
            raise
        said = str(error).removeprefix(f"{path}: ").replace("`", "")
        none = Source(np.empty((0, 0, 0, 3), np.uint8), None, None, ())
        return none, _of_tiles() | {"message": said, "confidence": 0.0}
    detection = _of_grid(found.grid) | {
        "confidence": round(found.confidence, 4),
        "alternatives": [
            _of_grid(other.grid) | {"confidence": round(other.confidence, 4)}
            for other in found.runners_up[:SHOWN]
        ],
        "turns": "none",
        "pictures": 1,
        "message": "" if found.is_sure else "the cuts are not clear: please look at the grid",
    }
    return read_source([path], known=known_of(detection, pixels)), detection


def _of_grid(grid: Grid) -> dict[str, Any]:
    across, down = grid.across, grid.down
    return {
        "piece": [_number(across.cell), _number(down.cell)],
        "start": [_number(across.start), _number(down.start)],
        "gap": _number(max(across.gap, down.gap)),
        "board": [across.count, down.count],
    }


def _number(length: float) -> float:
    return int(length) if float(length).is_integer() else round(float(length), 4)


def _of_tiles() -> dict[str, Any]:
    """Return what is detected where nothing is yet."""
    return {
        "piece": None,
        "start": [0, 0],
        "gap": 0,
        "board": None,
        "turns": "none",
        "pictures": 1,
        "confidence": 1.0,
        "alternatives": [],
        "message": "",
    }


def _renamed(source: Source, labels: dict[str, str] | None) -> Source:
    """Return tiles by the names that a person knows them by."""
    if not labels or source.names is None:
        return source
    return source._replace(names=tuple(labels.get(name, name) for name in source.names))


def _find_board(
    folder: Path, source: Source, settings: Settings, work: Work, detection: dict[str, Any]
) -> None:
    """Find the board that tiles fill, or that they are of several pictures.

    Their seams, once priced, are kept for the solve.
    """
    height, width = source.pieces.shape[1:3]
    detection["piece"] = [width, height]
    try:
        found = find_boards(source.pieces, settings, work, damage=source.damage, turns=source.turns)
    except NoBoardError:
        said = (
            f"{len(source.pieces):,} tiles fill no board that suits them: they may be of several "
        )
        said += (
            "pictures, or some may be missing; that is found out by solving, or say what you know"
        )
        detection |= {"confidence": 0.0, "pictures": None, "message": said}
        return
    boards = [[guess.board.columns, guess.board.rows] for guess in found.guesses]
    detection["board"] = boards[0]
    detection["alternatives"] = [{"board": board} for board in boards[1 : SHOWN + 1]]
    clear = is_clear(found.guesses)
    if not clear:
        detection |= {"confidence": 0.5, "message": "the board is not clear: please choose one"}
    if found.prepared is not None:
        pictures = find_pictures(found.prepared.table, work.crew)
        # Pictures of equal height fill one board side by side, so that a clear one proves little.
        proven = not clear or all(picture.is_complete for picture in pictures.found)
        if pictures.is_clear and len(pictures.found) > 1 and proven:
            count = len(pictures.found)
            said = f"the tiles seem to be of {count} pictures"
            detection |= {"pictures": count, "board": None, "message": said}
            return
        board = found.guesses[0].board
        keep_priced(priced_path(folder, None, board), found.prepared.on(source.puzzle(board)))
