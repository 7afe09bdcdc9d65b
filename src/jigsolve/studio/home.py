"""Where projects are kept: the user's data folder, which one studio at a time may use."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path

from filelock import FileLock, Timeout

from jigsolve.errors import InputError
from jigsolve.io.files import cannot_write

OVERRIDE = "JIGSOLVE_STUDIO_HOME"
"""The environment's variable that names another folder."""


def data_folder() -> Path:
    """Return where the studio keeps its projects."""
    if chosen := os.environ.get(OVERRIDE):
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "jigsolve" / "studio"


class Home:
    """The data folder, held by one server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with cannot_write(folder):
            (folder / "projects").mkdir(parents=True, exist_ok=True)
            folder.chmod(0o700)  # nobody else on this machine is asked for a token by the disk
        self._lock = FileLock(folder / "lock")
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise InputError(self._who_has_it()) from None

    def _who_has_it(self) -> str:
        address = self.folder / "address"
        at = f" at {address.read_text().strip()}" if address.exists() else ""
        return f"{self.folder}: expected no other studio there, found one running{at}"

    @property
    def projects(self) -> Path:
        """The folder of the projects."""
        return self.folder / "projects"

    def say_where(self, address: str) -> None:
        """Leave the address for whoever starts a second studio."""
        self._write_privately("address", address + "\n")

    def cookie(self) -> str:
        """Return the secret of the cookie; it stays, so that an open page survives a restart."""
        path = self.folder / "cookie"
        if not path.exists() or len(path.read_text()) < 43:
            self._write_privately("cookie", secrets.token_urlsafe(32))
        return path.read_text()

    def _write_privately(self, name: str, text: str) -> None:
        path = self.folder / name
        path.unlink(missing_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:  # noqa: PTH123
            file.write(text)

    def leave(self) -> None:
        """Let another server have the folder."""
        (self.folder / "address").unlink(missing_ok=True)
        self._lock.release()
