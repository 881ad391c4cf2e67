"""What a text would do as a program, if it is one: by the same analysis as a script of a skill, alone in its folder.

Every function counts, not only those that the program itself calls: somebody else may. What other files hold that it imports is not
known; those are looked at when they are written.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from remit.skill.classify import by_name, classify
from remit.skill.frontmatter import FrontMatter
from remit.skill.model import Limits, Skill, Stance
from remit.skill.walk import RawFile

if TYPE_CHECKING:
    from remit.core.effect import Effect, Opaque

LONGEST = 100_000  # characters of a program that is looked at as a whole
_STEPS = 400_000
_HEAD = 8192
_LIMITS = Limits(max_source_bytes=4 * LONGEST)
_PAGES = (".html", ".htm", ".xhtml", ".vue", ".svelte", ".astro")
_PROSE = frozenset({"markdown", "text", "markup"})
_SETTINGS = frozenset({"json", "yaml", "toml"})
_CONFIGURES = (".ini", ".cfg", ".conf", ".properties")


class Doing(NamedTuple):
    """What a program can do, and where nobody can say."""

    effects: tuple[Effect, ...] = ()
    opaque: tuple[Opaque, ...] = ()


class Sort(NamedTuple):
    """What a written text is."""

    program: bool  # it can be run, or something runs what it holds
    understood: bool  # by one of our front ends
    prose: bool  # people or agents read it
    settings: bool = False  # a program reads it


def sort_of(name: str, text: str) -> Sort:
    """What a text is, by the name of its file and by how it begins."""
    if name.lower().endswith(_PAGES):
        return Sort(program=True, understood=True, prose=True)
    kind = by_name(name)
    file = classify(_raw(name, text[:_HEAD]), _LIMITS)
    prose = file.kind in _PROSE or kind is None or kind.name in _PROSE
    program = bool(file.languages) or bool(file.extract) or file.kind in ("notebook", "makefile")
    opaque = file.stance is Stance.OPAQUE
    settings = file.kind in _SETTINGS or name.lower().endswith(_CONFIGURES)
    return Sort(program or opaque, not opaque, prose and not file.languages, settings)


@lru_cache(128)
def doing(name: str, text: str) -> Doing:
    """What a text would do under this name, which is that in the workspace. Kept by content: most texts are looked at twice."""
    from remit.analysis.session import Session  # noqa: PLC0415  (only where code is written)

    if name.lower().endswith(_PAGES):
        name, text = f"{name}.js", scripts_of(text)
    raw = _raw(name, text)
    file = classify(raw, _LIMITS)
    if file.stance is Stance.OPAQUE or raw.data is None:
        return Doing()
    alone = Skill(
        "written",
        Path("/"),
        "",
        FrontMatter(),
        (file,),
        (),
        contents=MappingProxyType({name: raw.data}),
        by_path=MappingProxyType({name: file}),
    )
    session = Session(alone)
    session.parts.engine.work.budget = _STEPS
    found = session.analyse()
    return Doing(found.effects, found.opaque)


def _raw(name: str, text: str) -> RawFile:
    data = text.encode("utf-8", "replace")
    digest = hashlib.sha256(data).hexdigest()
    return RawFile(name, len(data), digest, data[:_HEAD], data, executable=False, tail=data[-_HEAD:])


def scripts_of(page: str) -> str:
    """The scripts of a page, each on the lines on which it stands."""
    reader = _Scripts()
    reader.feed(page)
    return reader.text


class _Scripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        kind = dict(attrs).get("type") or ""
        self._inside = tag == "script" and ("script" in kind or kind in ("", "module"))

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "script"

    def handle_data(self, data: str) -> None:
        if self._inside:
            missing = self.getpos()[0] - 1 - self.text.count("\n")
            self.text += "\n" * max(missing, 1) + data + ";"
