"""The files on which an effect really acts: links followed, patterns expanded, streams and per-process paths
distinguished.
"""

from __future__ import annotations

import re
from fnmatch import translate
from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, FILE, TREE, Atom, Hole, Instance, Text, Value
from remit.analysis.domain import text as normal_text
from remit.analysis.engine.texts import texts_of
from remit.analysis.file_runs import REDIRECTED
from remit.core.capability import vocabulary
from remit.core.scope import ScopeKind
from remit.guard.call_analysis.commands.disk import UnclearError

if TYPE_CHECKING:
    from remit.analysis.world import Site
    from remit.core.location import Location
    from remit.core.via import Via
    from remit.guard.call_analysis.commands.analysis_session import CommandAnalysis

MAX_NAMES = 200  # files that a pattern may expand to
_URL = re.compile(r"(?:https?|ftp|s3|gs)://", re.IGNORECASE)
_STREAMS = frozenset({"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"})
_PROCESS = re.compile(r"/dev/fd/\d{7,}")  # names that the analysis gives to the streams of `<(…)`
# Capabilities whose writes may create or move links.
_LINKING = re.compile(r"(?:ln|link|mv|mount|rename|[\w.]*(?:symlink|link|rename|replace|move)[\w.]*)\b")


class FileTargets:
    """Maps the paths of effects to real paths on this disk."""

    def __init__(self, session: CommandAnalysis) -> None:
        self._session = session
        self._disk = session.disk
        self.links: dict[str, Site] = {}  # paths that the call itself may turn into links
        self.used: dict[str, Site] = {}
        self.written: dict[
            tuple[Text, Location], Value
        ] = {}  # path as spelt, and folder → the real paths that it means
        self.changed: set[str] = set()  # files that the call writes, so that their present content says nothing

    def landed(self, capability: str, value: Value, cwd: Value, site: Site, via: Via) -> Value:
        """Return a value whose paths are absolute and free of links."""
        kind = vocabulary()[capability].scope_kind
        if kind is not ScopeKind.PATH and kind is not ScopeKind.PROGRAM:
            return value
        folders = [item.literal for item in texts_of(cwd)]
        out: set[Atom] = set()
        for atom in value:
            items = (atom,) if isinstance(atom, Text) else atom.payload if isinstance(atom, Instance) else None
            if items is None:
                out.add(atom)
                continue
            for item in items:
                if kind is ScopeKind.PROGRAM and not _slashed(item):
                    out.add(item)
                else:
                    out |= self._paths(capability, item, folders, site, via)
        return frozenset(out)

    def _paths(self, capability: str, item: Text, folders: list[str | None], site: Site, via: Via) -> Value:
        first = item.parts[0] if item.parts else ""
        if not isinstance(first, str) or not first or self._is_none(item, via):
            return frozenset({item})
        if not _followed(item):
            self._session.opaque(f"`{first}…` leads to an unknown path", site)
            return ANY
        absolute = first.startswith("/")
        out: Value = frozenset()
        for folder in folders or [None]:
            if folder is None and not absolute:
                out |= {item}
            else:
                out |= self._from(capability, item, folder or "/proc/self/cwd", site, via)
                if absolute and not first.startswith("/proc"):
                    break
        return out

    def _is_none(self, item: Text, via: Via) -> bool:
        """Whether a path is a stream or an address and not a file."""
        known = item.literal
        if known is not None and (known in _STREAMS or _PROCESS.fullmatch(known)):
            return True
        if known == "-":
            return via != REDIRECTED
        first = str(item.parts[0])
        return _URL.match(first) is not None and not any(
            self._disk.is_folder(f"{folder}/{first.partition('/')[0]}")
            for folder in (self._session.disk.cwd, *self._session.ground.cwds)
        )

    def _from(self, capability: str, item: Text, folder: str, site: Site, via: Via) -> Value:
        first = str(item.parts[0])
        whole = item.literal is not None
        head = first if whole else first.rpartition("/")[0] or first[: first.startswith("/")] or "."
        rest = () if whole else ("/" + first.rpartition("/")[2], *item.parts[1:])
        deletes = capability.endswith(".delete")
        try:
            place = self._disk.land(head + ("" if whole else "/"), folder, follow=not deletes)
        except UnclearError as unclear:
            self._session.opaque(f"`{first}` leads to {unclear}", site)
            return ANY
        except (OSError, ValueError):
            self._session.opaque(f"`{first}` cannot be followed", site)
            return ANY
        lexical = _lexical(first, folder)
        self.used.setdefault(lexical, site)
        appears: tuple[Atom, ...] = ()
        if _LINKING.match(via.name) and not capability.endswith((".read", ".delete")):
            self.links.setdefault(lexical, site)
            # the content of a folder appears below the folder's name; hidden names are those that programs look for
            hidden = whole and place.path.rpartition("/")[2].startswith(".")
            appears = (normal_text(f"{place.path}/", Hole(FILE, TREE, exact=False)),) if hidden else ()
        found: set[Atom] = {normal_text("" if place.path == "/" and rest else place.path, *rest), *appears}
        if place.link and not capability.endswith(".read"):
            found.add(Text((place.link,)))  # a program may replace the link by another file
        if capability == "file.write":
            key = (item, site.where)
            self.written[key] = self.written.get(key, frozenset()) | found
            self.changed.update(atom.literal for atom in found if isinstance(atom, Text) and atom.literal)
        return frozenset(found)

    def through_own_links(self) -> list[tuple[str, Site]]:
        """Return the paths that lead through a link which the call itself may make: their targets are unknown."""
        return [
            (path, site)
            for link, maker in self.links.items()
            for path, site in self.used.items()
            if path.startswith(link + "/") or (path == link and site is not maker and site != maker)
        ]

    def names(self, pattern: str, folder: str) -> tuple[str, ...] | None:
        """Return the names that a pattern of `*` and `?` expands to in a folder; None if unknown."""
        found = ["/"] if pattern.startswith("/") else [""]
        for part in pattern.split("/"):
            if not part:
                continue
            grown: list[str] = []
            for before in found:
                grown += self._one(part, before, folder) or ()
                if self._one(part, before, folder) is None or len(grown) > MAX_NAMES:
                    return None
            found = grown
        if pattern.endswith("/"):
            found = [name.rstrip("/") + "/" for name in found if self._disk.is_folder(_lexical(name, folder))]
        else:
            found = [name.rstrip("/") for name in found]
        return tuple(found)

    def _one(self, part: str, before: str, folder: str) -> list[str] | None:
        where = before if before.startswith("/") else f"{folder}/{before}"
        plain = re.sub(r"\\(.)", r"\1", part)
        if not re.search(r"(?<!\\)(?:\\\\)*[*?]", part):
            there = plain in (".", "..") or self._disk.look(_lexical(plain, where)) is not None
            return [f"{before}{plain}/"] if there else []
        names = self._disk.names(where)
        if names is None:
            return None
        shape = re.compile(translate(re.sub(r"\\(.)", lambda found: f"[{found[1]}]", part)))
        return [
            f"{before}{name}/"
            for name in names
            if shape.match(name) and (not name.startswith(".") or part.startswith("."))
        ]


def _followed(item: Text) -> bool:
    """Whether a path with a hole can be followed: no `..` after the hole, and it is not in a per-process folder."""
    if item.literal is not None:
        return True
    tail = "".join("*" if isinstance(part, Hole) else part for part in item.parts[1:])
    return ".." not in tail.split("/") and not str(item.parts[0]).lstrip("/").startswith(("proc/", "dev/fd/"))


def _slashed(item: Text) -> bool:
    return any(isinstance(part, str) and "/" in part for part in item.parts)


def _lexical(path: str, folder: str) -> str:
    """Return a path without dots, as spelt."""
    out: list[str] = []
    for part in (path if path.startswith("/") else f"{folder}/{path}").split("/"):
        if part == "..":
            del out[-1:]
        elif part not in ("", "."):
            out.append(part)
    return "/" + "/".join(out)
