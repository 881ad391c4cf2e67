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

from remit.analysis.domain import Hole, Text, Value
from remit.analysis.scoping import scopes_of
from remit.core.scope import overlaps

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remit.analysis.world import Child, Site
    from remit.core.effect import Effect
    from remit.core.location import Location
    from remit.core.scope import Scope


class Launch(NamedTuple):
    """A file that is run."""

    language: str
    path: Text
    cwd: Value
    site: Site
    args: tuple[Value, ...]
    child: Child | None
    command: bool = False  # a command line names it

    @property
    def shown(self) -> str:
        """The path for a reason."""
        return self.path.literal or "a computed path"


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


class Launches:
    """What the skill writes where, and what it runs from outside."""

    def __init__(self) -> None:
        self.pending: list[Launch] = []
        self._seen: set[tuple[object, ...]] = set()
        self._written: dict[Location, Value] = {}

    def wrote(self, content: Value, site: Site) -> None:
        """The text that is written to a file at this place."""
        self._written[site.where] = self._written.get(site.where, frozenset()) | content

    def add(self, launch: Launch) -> None:
        """A file is run."""
        key = (launch.language, launch.path, launch.cwd, launch.site.where, launch.args)
        if key not in self._seen:
            self._seen.add(key)
            self.pending.append(launch)

    def judge(self, launch: Launch, effects: Iterable[Effect]) -> Verdict:
        """What the file is that is run."""
        path: Value = frozenset({launch.path})
        scopes = scopes_of("file.write", path, launch.cwd)
        writers = [effect for effect in effects if effect.capability == "file.write" and _meets(effect, scopes)]
        if writers:
            texts = [self._written.get(effect.where) for effect in writers]
            known = tuple(text for text in texts if text and all(isinstance(item, Text) for item in text))
            if len(known) == len(texts):
                return Verdict(texts=tuple(dict.fromkeys(known)))
            return Verdict(reason=f"`{launch.shown}` is run, and the skill writes it")
        if _shapes().settings.fullmatch(_tail(launch.path)):
            return Verdict(assumes="settings-files")
        return Verdict(reason=f"`{launch.shown}` is run, and it is not a file of the skill")


def _meets(effect: Effect, scopes: frozenset[Scope]) -> bool:
    """Whether a write may be one of the file."""
    return not effect.why.startswith(_shapes().makers) and any(overlaps(effect.scope, scope) for scope in scopes)


def _tail(path: Text) -> str:
    """The end of a path, from its last hole on; the hole itself as nothing."""
    out = ""
    for part in path.parts:
        out = "" if isinstance(part, Hole) else out + part
    return out
