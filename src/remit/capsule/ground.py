"""The paths of a manifest's anchors on this machine, and how a path of the machine is written in a manifest. Pure."""

from __future__ import annotations

import posixpath
from typing import NamedTuple

from remit.core.scope import HOME, ROOT, SKILL, WORKSPACE, PathScope
from remit.core.scope.component import escape, literal


class Ground(NamedTuple):
    """Real paths of the anchors; a skill may have no folder of its own. The capsule's own temporary folder has no path."""

    workspace: str
    home: str
    skill: str = ""

    def root_of(self, anchor: str) -> str:
        """Return the folder that an anchor stands for; empty if it has none."""
        known = {ROOT: "/", WORKSPACE: self.workspace, HOME: self.home, SKILL: self.skill}
        return known.get(anchor, "")

    def base_of(self, scope: PathScope) -> tuple[str, tuple[str, ...]]:
        """Return the fixed path of a scope, and the pattern that follows; an empty path if the anchor has none."""
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
        """Return all ways in which a manifest can write a path."""
        found = [PathScope(ROOT, _parts(path))]
        for anchor, folder in ((WORKSPACE, self.workspace), (HOME, self.home), (SKILL, self.skill)):
            if folder and lies_in(path, folder):
                found.append(PathScope(anchor, _parts(posixpath.relpath(path, folder))))
        return tuple(found)


def lies_in(path: str, folder: str) -> bool:
    """Return whether a path is a folder or lies in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _parts(path: str) -> tuple[str, ...]:
    return tuple(escape(part) for part in path.split("/") if part not in ("", "."))
