"""Files that are run but are no files of the skill: judged at the end, when everything that the skill writes is known.

A file whose text the skill wrote itself is read as that text. A file that only holds settings, and that the skill does
not write, is taken for what it is called (an assumption that is printed). Anything else is opaque.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.domain import UNKNOWN, Hole, Text, Value
from remit.analysis.each import each
from remit.analysis.injection import raw
from remit.analysis.scoping import scopes_of
from remit.core.effect import Origin
from remit.core.scope import ANY_SCOPE, PathScope, SymbolScope, is_symbol, overlaps

if TYPE_CHECKING:
    from remit.analysis.world import Child, Site
    from remit.core.location import Location
    from remit.core.scope import Scope


REDIRECTED = "redirects output to a file"  # the reason of writes whose text may be known


class Launch(NamedTuple):
    """A file that is run."""

    language: str
    path: Text
    cwd: Value
    site: Site
    args: tuple[Value, ...]
    child: Child | None
    command: bool = False  # a command line names it
    own: bool = False  # it is a file of the skill, unless the skill writes another in its place

    @property
    def shown(self) -> str:
        """The path for a reason."""
        return "".join(part if isinstance(part, str) else f"<{part.origin}>" for part in self.path.parts)


class Verdict(NamedTuple):
    """What is known of a launched file: texts to read, an assumption, or neither (opaque, with a reason)."""

    texts: tuple[Value, ...] = ()
    assumes: str = ""
    reason: str = ""


class _Shapes(NamedTuple):
    settings: re.Pattern[str]
    makers: tuple[str, ...]


@cache
def _shapes() -> _Shapes:
    data = tomllib.loads(files("remit.analysis").joinpath("data/shell.toml").read_text("utf-8"))["settings"]
    return _Shapes(re.compile("|".join(data["paths"])), tuple(f"`{name}" for name in data["makers"]))


class Write(NamedTuple):
    """A file that is written somewhere."""

    path: Text
    where: Location
    scopes: frozenset[Scope]
    why: str
    instructed: bool = False  # a document tells the agent to do it


class Launches:
    """What the skill writes where, and what it runs from outside."""

    def __init__(self) -> None:
        self.pending: list[Launch] = []
        self._seen: set[tuple[object, ...]] = set()
        self._texts: dict[tuple[Text, Location], Value] = {}
        self._writes: dict[tuple[Text, Value, Location, str], Write] = {}

    def writes(self, path: Value, cwd: Value, site: Site, why: str) -> None:
        """A file is written here."""
        for item in each(path):
            if isinstance(item, Text) and (item, cwd, site.where, why) not in self._writes:
                scopes = scopes_of("file.write", frozenset({item}), cwd)
                told = site.origin is Origin.INSTRUCTED
                self._writes[item, cwd, site.where, why] = Write(item, site.where, scopes, why, told)

    def wrote(self, path: Value, content: Value, site: Site) -> None:
        """Note the text that is written there."""
        for item in each(path):
            if isinstance(item, Text):
                self._texts[item, site.where] = self._texts.get((item, site.where), frozenset()) | content
                if item.literal is not None and item.literal.startswith("/dev/fd/"):  # a process writes it
                    stream = Write(item, site.where, frozenset(), REDIRECTED)
                    self._writes[item, frozenset(), site.where, REDIRECTED] = stream

    def texts(self) -> tuple[tuple[Text, Value], ...]:
        """Every file that is written with a text that was noted, and that text."""
        return tuple((path, content) for (path, _), content in self._texts.items())

    def written(self, path: Value) -> Value:
        """The texts of files of this very path."""
        found = [content for (item, _), content in self._texts.items() if item in path]
        return frozenset().union(*found)

    def add(self, launch: Launch) -> None:
        """A file is run."""
        key = (launch.language, launch.path, launch.cwd, launch.site.where, launch.args)
        if key not in self._seen:
            self._seen.add(key)
            self.pending.append(launch)

    def judge(self, launch: Launch) -> Verdict:
        """What the file is that is run."""
        scopes = scopes_of("file.write", frozenset({launch.path}), launch.cwd)
        writers = [w for w in self._writes.values() if w.path == launch.path or _meets(w, scopes)]
        if launch.own:  # how a whole folder is installed or updated says nothing about a file of the skill
            writers = [w for w in writers if not w.instructed or not all(map(_whole_folder, w.scopes))]
        if writers:
            texts = [self._texts.get((w.path, w.where)) if w.why == REDIRECTED else None for w in writers]
            known = tuple(text for text in texts if text and all(map(_readable, text)))
            if len(known) == len(texts) and not any(ANY_SCOPE in w.scopes for w in self._writes.values()):
                return Verdict(texts=tuple(dict.fromkeys(known)))
            return Verdict(reason=f"`{launch.shown}` is run, and the skill writes it")
        if launch.own:
            return Verdict()
        if _shapes().settings.fullmatch(_tail(launch.path)):
            return Verdict(assumes="settings-files")
        return Verdict(reason=f"`{launch.shown}` is run, and it is not a file of the skill")


def _meets(write: Write, scopes: frozenset[Scope]) -> bool:
    """Whether a write may be one of the file. A path of which nothing is known is compared by its text alone."""
    if write.why.startswith(_shapes().makers):
        return False
    return any(_comparable(mine, scope) and overlaps(mine, scope) for mine in write.scopes for scope in scopes)


def _whole_folder(scope: Scope) -> bool:
    return isinstance(scope, PathScope) and "**" in scope.parts


def _comparable(left: Scope, right: Scope) -> bool:
    """Whether both are places of which something is known, in the same tree; the caller's own choices are none."""
    if ANY_SCOPE in (left, right) or isinstance(left, SymbolScope) or is_symbol(getattr(left, "anchor", "")):
        return False
    return getattr(left, "anchor", None) == getattr(right, "anchor", None)


def _readable(item: object) -> bool:
    """Whether a written text can be read as code: no part of it may hide the skill's own text."""
    parts = item.parts if isinstance(item, Text) else (Hole(UNKNOWN),)
    return not any(isinstance(part, Hole) and raw(part) and part.origin == UNKNOWN for part in parts)


def _tail(path: Text) -> str:
    """The end of a path, from its last hole on; the hole itself as nothing."""
    out = ""
    for part in path.parts:
        out = "" if isinstance(part, Hole) else out + part
    return out
