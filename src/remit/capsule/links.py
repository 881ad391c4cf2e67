"""Symbolic links that are known: those that a skill brings along, and those that are made while it is watched."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

_MOST = 40  # links on one way, as the kernel counts


class Links:
    """Where links lead, by absolute path."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self._known = dict(known)

    def resolve(self, path: str, *, follow: bool = True) -> str:
        """The path behind the links on the way; `follow` also looks behind the last name."""
        path = posixpath.normpath(path)
        for _ in range(_MOST if self._known else 0):
            link = next((place for place in _prefixes(path) if place in self._known), None)
            if link is None or (link == path and not follow):
                break
            target = posixpath.join(posixpath.dirname(link), self._known[link])
            path = posixpath.normpath(target + path[len(link) :])
        return path

    def add(self, place: str, target: str) -> None:
        """A link was made."""
        self._known[place] = target

    def remove(self, place: str) -> None:
        """What stood there is gone."""
        self._known.pop(place, None)

    def move(self, old: str, new: str) -> None:
        """What stood at a place, and below it, stands at another."""
        self._known.pop(new, None)
        for place in [place for place in self._known if place == old or place.startswith(old + "/")]:
            self._known[new + place[len(old) :]] = self._known.pop(place)


def _prefixes(path: str) -> list[str]:
    """The path of each component on the way, the shortest first."""
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(2, len(parts) + 1)]
