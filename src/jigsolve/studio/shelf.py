"""All projects of the studio, by ids that the server made."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path

from jigsolve.studio.projects import LOG, Project, checked_name


class Shelf:
    """All projects, by ids that the server made."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ids = {path.name for path in folder.iterdir() if (path / LOG).exists()}
        self._open: dict[str, Project] = {}

    def every(self) -> list[Project]:
        """Return all projects, those changed last first."""
        found = [self.project(each) for each in self._ids]
        return sorted(found, key=lambda each: -(each.folder / LOG).stat().st_mtime)

    def project(self, id_: str) -> Project:
        """Return a project; raise KeyError where there is none."""
        if id_ not in self._ids:  # whatever a client sends, only these become a part of a path
            raise KeyError(id_)
        if id_ not in self._open:
            self._open[id_] = Project(self._folder / id_)
        return self._open[id_]

    def add(self, name: str) -> Project:
        """Make a project."""
        id_ = secrets.token_hex(8)
        (self._folder / id_).mkdir()
        self._ids.add(id_)
        project = self.project(id_)
        project.record(facts={"name": checked_name(name)})
        return project

    def remove(self, id_: str) -> None:
        """Remove a project and all its files."""
        project = self.project(id_)
        project.check_idle()
        del self._open[id_]
        self._ids.discard(id_)
        shutil.rmtree(project.folder)

    def close(self) -> None:
        """Write the state of all beside their logs."""
        for project in self._open.values():
            project.write_state()
