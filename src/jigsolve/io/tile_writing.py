"""Writing tiles as files of a folder, or as members of an archive."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from jigsolve.execution.crew import Progress
from jigsolve.io.files import replacing, replacing_folder
from jigsolve.io.pictures import QUICK
from jigsolve.io.tile_file import is_tile_name

TARS = {".tar": "w:", ".tar.gz": "w:gz", ".tgz": "w:gz", ".tar.bz2": "w:bz2", ".tar.xz": "w:xz"}
ARCHIVES = (".zip", *TARS)


def is_archive_name(path: Path) -> bool:
    """Whether a name's ending is that of an archive that can be written."""
    return path.name.lower().endswith(ARCHIVES)


def write_tiles(
    path: str | Path,
    tiles: Sequence[np.ndarray],
    names: Sequence[str],
    *,
    force: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write tiles as PNG files NAME.png into an archive, by the path's ending, or a folder.

    A folder must be new or empty; `force` also replaces one that holds nothing but tiles.
    """
    path = Path(path)
    files = _files(tiles, names, progress or (lambda done, total: None))
    if not is_archive_name(path):
        with replacing_folder(path, is_tile_name if force else None) as beside:
            for name, content in files:
                (beside / name).write_bytes(content)
        return
    # Members have no times: the same tiles make the same archive.
    with replacing(path) as beside:
        if path.suffix.lower() == ".zip":
            with zipfile.ZipFile(beside, "w") as archive:
                for name, content in files:
                    archive.writestr(zipfile.ZipInfo(name), content)
            return
        mode = next(TARS[ending] for ending in TARS if path.name.lower().endswith(ending))
        with tarfile.open(beside, mode) as tar:  # type: ignore[call-overload]
            for name, content in files:
                member = tarfile.TarInfo(name)
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))


def _files(
    tiles: Sequence[np.ndarray], names: Sequence[str], tell: Progress
) -> Iterator[tuple[str, bytes]]:
    for number, (tile, name) in enumerate(zip(tiles, names, strict=True)):
        tell(number, len(tiles))
        content = io.BytesIO()
        Image.fromarray(tile).save(content, "PNG", compress_level=QUICK)
        yield f"{name}.png", content.getvalue()
    tell(len(tiles), len(tiles))
