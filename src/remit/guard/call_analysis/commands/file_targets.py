"""On which files an effect really acts: links followed, patterns expanded, streams and parts of processes told apart."""

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

MAX_NAMES = 200  # that a pattern becomes
_URL = re.compile(r"(?:https?|ftp|s3|gs)://", re.IGNORECASE)
_STREAMS = frozenset({"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"})
_PROCESS = re.compile(r"/dev/fd/\d{7,}")  # the names that the analysis gives to the streams of `<(…)`
# Whose writes may be links, or move them.
_LINKING = re.compile(r"(?:ln|link|mv|mount|rename|[\w.]*(?:symlink|link|rename|replace|move)[\w.]*)\b")


class FileTargets:
    """Turns the paths of effects into places of this disk."""

    def __init__(self, session: CommandAnalysis) -> None:
        self._session = session
        self._disk = session.disk
        self.links: dict[str, Site] = {}  # paths that the call itself may make links
        self.used: dict[str, Site] = {}
        self.written: dict[
            tuple[Text, Location], Value
        ] = {}  # path as it is spelt, and where → the places that it means
        self.changed: set[str] = set()  # files that the call writes, so that what lies there now says nothing

    def landed(self, capability: str, value: Value, cwd: Value, site: Site, via: Via) -> Value:
        """A value whose paths are absolute and lead through no link."""
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
        """A stream, or an address: no file."""
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
            # what lies in a folder appears below the name that the folder gets; hidden names are those that programs look for
            hidden = whole and place.path.rpartition("/")[2].startswith(".")
            appears = (normal_text(f"{place.path}/", Hole(FILE, TREE, exact=False)),) if hidden else ()
        found: set[Atom] = {normal_text("" if place.path == "/" and rest else place.path, *rest), *appears}
        if place.link and not capability.endswith(".read"):
            found.add(Text((place.link,)))  # a program may put another file in the place of the link
        if capability == "file.write":
            key = (item, site.where)
            self.written[key] = self.written.get(key, frozenset()) | found
            self.changed.update(atom.literal for atom in found if isinstance(atom, Text) and atom.literal)
        return frozenset(found)

    def through_own_links(self) -> list[tuple[str, Site]]:
        """Paths that lead through a link which the call itself may make: nobody knows where they will lead."""
        return [
            (path, site)
            for link, maker in self.links.items()
            for path, site in self.used.items()
            if path.startswith(link + "/") or (path == link and site is not maker and site != maker)
        ]

    def names(self, pattern: str, folder: str) -> tuple[str, ...] | None:
        """The names that a pattern of `*` and `?` becomes in a folder; None if that cannot be said."""
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
    """Whether a path with a hole can be followed: nothing goes up after the hole, and it does not lie among processes."""
    if item.literal is not None:
        return True
    tail = "".join("*" if isinstance(part, Hole) else part for part in item.parts[1:])
    return ".." not in tail.split("/") and not str(item.parts[0]).lstrip("/").startswith(("proc/", "dev/fd/"))


def _slashed(item: Text) -> bool:
    return any(isinstance(part, str) and "/" in part for part in item.parts)


def _lexical(path: str, folder: str) -> str:
    """A path without dots, as it is spelt."""
    out: list[str] = []
    for part in (path if path.startswith("/") else f"{folder}/{path}").split("/"):
        if part == "..":
            del out[-1:]
        elif part not in ("", "."):
            out.append(part)
    return "/" + "/".join(out)
