"""Where the places of a manifest lie on this machine, and how a path of the machine is written in a manifest. Pure."""

from __future__ import annotations

import posixpath
from typing import NamedTuple

from remit.core.scope import HOME, ROOT, SKILL, WORKSPACE, PathScope
from remit.core.scope.component import escape, literal


class Ground(NamedTuple):
    """Real paths; a skill of its own folder may be missing. The temporary folder is the capsule's own, and lies nowhere."""

    workspace: str
    home: str
    skill: str = ""

    def root_of(self, anchor: str) -> str:
        """The folder that an anchor stands for; empty for one that is not there."""
        known = {ROOT: "/", WORKSPACE: self.workspace, HOME: self.home, SKILL: self.skill}
        return known.get(anchor, "")

    def base_of(self, scope: PathScope) -> tuple[str, tuple[str, ...]]:
        """The part of a scope that is one path, and the pattern that follows; an empty path if the anchor is not there."""
        root = self.root_of(scope.anchor)
        if not root:
            return "", scope.parts
        words: list[str] = []
        for part in scope.parts:
            word = None if part == "**" else literal(part)
            if word is None:
                break
            words.append(word)
        return posixpath.normpath(posixpath.join(root, *words)), scope.parts[len(words) :]

    def names_of(self, path: str) -> tuple[PathScope, ...]:
        """All ways in which a manifest can write a path."""
        found = [PathScope(ROOT, _parts(path))]
        for anchor, folder in ((WORKSPACE, self.workspace), (HOME, self.home), (SKILL, self.skill)):
            if folder and lies_in(path, folder):
                found.append(PathScope(anchor, _parts(posixpath.relpath(path, folder))))
        return tuple(found)


def lies_in(path: str, folder: str) -> bool:
    """Whether a path is a folder or lies in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _parts(path: str) -> tuple[str, ...]:
    return tuple(escape(part) for part in path.split("/") if part not in ("", "."))
