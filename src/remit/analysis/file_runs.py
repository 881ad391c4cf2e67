"""Files that are run but are no files of the skill: judged at the end, when everything that the skill writes is known.

A file whose text the skill wrote itself is read as that text. A file that only holds settings, and that the skill does
not write, is taken for what it is called (an assumption that is printed). Anything else is opaque.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.domain import ANYTHING, UNKNOWN, Hole, Text, Value, text
from remit.analysis.each import each
from remit.analysis.injection import raw
from remit.analysis.scopes import fixed_scopes, named_texts, scopes_of
from remit.core.effect import Origin
from remit.core.patterns import lazy_pattern
from remit.core.scope import ANY_SCOPE, PathScope, Scope, SymbolScope, is_symbol, overlaps
from remit.core.table import read_toml
from remit.core.via import Cause, Via

if TYPE_CHECKING:
    import re

    from remit.analysis.links import Links
    from remit.analysis.world import Child, Site
    from remit.core.location import Location


REDIRECTED = Via(Cause.REDIRECT, words="redirects output to a file")  # the cause of writes whose text may be known
_ANY_TEXT: Value = frozenset({Text((Hole(UNKNOWN, ANYTHING, exact=False),))})


class FileRun(NamedTuple):
    """A file that is run."""

    language: str
    path: Text
    cwd: Value
    site: Site
    args: tuple[Value, ...]
    child: Child | None
    command: bool = False  # a command line names it
    own: bool = False  # it is a file of the skill, unless the skill writes another in its place
    given: bool = False  # the caller names it, or the folder in which it lies

    @property
    def shown(self) -> str:
        """The path for a reason."""
        return "".join(part if isinstance(part, str) else f"<{part.origin}>" for part in self.path.parts)


class Verdict(NamedTuple):
    """What is known of a launched file: texts to read, an assumption, or neither (opaque, with a reason)."""

    texts: tuple[Value, ...] = ()
    assumes: str = ""
    reason: str = ""
    written: bool = False  # the skill itself writes it


class _Shapes(NamedTuple):
    settings: re.Pattern[str]
    makers: tuple[str, ...]
    movers: frozenset[str]
    copiers: frozenset[str]


@cache
def _shapes() -> _Shapes:
    data = read_toml(Path(__file__).with_name("data") / "shell.toml")["settings"]
    settings, makers = lazy_pattern("|".join(data["paths"])), tuple(data["makers"])
    return _Shapes(settings, makers, frozenset(data["movers"]), frozenset(data["copiers"]))


def may_move(via: Via) -> bool:
    """Whether what causes an effect moves files and folders, with the links in them."""
    return via.name.rpartition(".")[2] in _shapes().movers


def may_copy(via: Via) -> bool:
    """Likewise, or copies them."""
    return may_move(via) or via.name.rpartition(".")[2] in _shapes().copiers


class Write(NamedTuple):
    """A file that is written somewhere."""

    path: Text
    where: Location
    scopes: frozenset[Scope]
    via: Via
    instructed: bool = False  # a document tells the agent to do it
    cwd: Value = frozenset()


class FileRuns:
    """What the skill writes where, and what it runs from outside."""

    def __init__(self) -> None:
        self.pending: list[FileRun] = []
        self._seen: set[tuple[object, ...]] = set()
        self._texts: dict[tuple[Text, Location], Value] = {}
        self._added: dict[tuple[Text, Location], Value] = {}
        self._writes: dict[tuple[Text, Value, Location, Via], Write] = {}

    def writes(self, path: Value, cwd: Value, site: Site, via: Via) -> None:
        """A file is written here."""
        for item in named_texts(path) or ():
            if (item, cwd, site.where, via) not in self._writes:
                scopes = fixed_scopes(frozenset({item}), cwd)
                told = site.origin is Origin.INSTRUCTED
                self._writes[item, cwd, site.where, via] = Write(item, site.where, scopes, via, told, cwd)

    def wrote(self, path: Value, content: Value, site: Site, *, added: bool = False) -> None:
        """Note the text that is written there. A file to which it is added may hold anything before it."""
        for item in each(path):
            if isinstance(item, Text):
                known = self._texts.get((item, site.where), frozenset())
                self._texts[item, site.where] = known | (_ANY_TEXT if added else content)
                if added:
                    self._added[item, site.where] = self._added.get((item, site.where), frozenset()) | content
                if item.literal is not None and item.literal.startswith("/dev/fd/"):  # a process writes it
                    stream = Write(item, site.where, frozenset(), REDIRECTED)
                    self._writes[item, frozenset(), site.where, REDIRECTED] = stream

    def all_writes(self) -> tuple[Write, ...]:
        """Every file that is written."""
        return tuple(self._writes.values())

    def text_of(self, write: Write) -> Value | None:
        """The text that a redirection writes, if it was noted."""
        return self._texts.get((write.path, write.where)) if write.via == REDIRECTED else None

    def lines_of(self, write: Write) -> Value | None:
        """The whole lines that a redirection writes or adds, if they were noted."""
        added = self._added.get((write.path, write.where)) if write.via == REDIRECTED else None
        whole = added and all(isinstance(item, Text) and str((*item.parts, "")[-2]).endswith("\n") for item in added)
        return added if whole else self.text_of(write)

    def texts(self) -> tuple[tuple[Text, Value], ...]:
        """Every file that is written with a text that was noted, and that text."""
        return tuple((path, content) for (path, _), content in self._texts.items())

    def written(self, path: Value) -> Value:
        """The texts of files of this very path."""
        wanted = {_plain(item) for item in path if isinstance(item, Text)}
        found = [content for (item, _), content in self._texts.items() if _plain(item) in wanted]
        return frozenset().union(*found)

    def add(self, file_run: FileRun) -> None:
        """A file is run."""
        key = (file_run.language, file_run.path, file_run.cwd, file_run.site.where, file_run.args)
        if key not in self._seen:
            self._seen.add(key)
            self.pending.append(file_run)

    def judge(self, file_run: FileRun, links: Links) -> Verdict:
        """What the file is that is run."""
        scopes = scopes_of("file.write", frozenset({file_run.path}), file_run.cwd)
        scopes |= links.targets(scopes)
        met: dict[tuple[str, frozenset[Scope]], bool] = {}  # many programs write the same
        for write in self._writes.values():
            if (key := (write.via.name, write.scopes)) not in met:
                met[key] = _meets(write, scopes)
        writers = [w for w in self._writes.values() if w.path == file_run.path or met[w.via.name, w.scopes]]
        if file_run.given and not writers:
            return Verdict()
        if file_run.own:  # how a whole folder is installed or updated says nothing about a file of the skill
            whole = [all(isinstance(one, PathScope) and "**" in one.parts for one in w.scopes) for w in writers]
            writers = [w for w, folder in zip(writers, whole, strict=True) if not (w.instructed and folder)]
        if writers:
            texts = list(map(self.text_of, writers))
            known = tuple(text for text in texts if text and all(map(readable, text)))
            if len(known) == len(texts) and not any(ANY_SCOPE in w.scopes for w in self._writes.values()):
                return Verdict(texts=tuple(dict.fromkeys(known)))
            return Verdict(reason=f"`{file_run.shown}` is run, and the skill writes it", written=True)
        if file_run.own:
            return Verdict()
        if _shapes().settings.fullmatch(text_end(file_run.path)):
            return Verdict(assumes="settings-files")
        return Verdict(reason=f"`{file_run.shown}` is run, and it is not a file of the skill")


def _meets(write: Write, scopes: frozenset[Scope]) -> bool:
    """Whether a write may be one of the file. A path of which nothing is known is compared by its text alone."""
    if write.via.name.startswith(_shapes().makers):
        return False
    return any(
        _comparable(mine, scope) and (overlaps(mine, scope) or _replaces_folder(write, mine, scope))
        for mine in write.scopes
        for scope in scopes
    )


def _replaces_folder(write: Write, mine: Scope, scope: Scope) -> bool:
    """Whether a folder above the file is moved there, with whatever it holds."""
    if not (isinstance(mine, PathScope) and isinstance(scope, PathScope) and len(mine.parts) < len(scope.parts)):
        return False
    return may_move(write.via) and scope.parts[: len(mine.parts)] == mine.parts


def _comparable(left: Scope, right: Scope) -> bool:
    """Whether both are places of which something is known, in the same tree; the caller's own choices are none."""
    if ANY_SCOPE in (left, right) or isinstance(left, SymbolScope) or is_symbol(getattr(left, "anchor", "")):
        return False
    return getattr(left, "anchor", None) == getattr(right, "anchor", None)


def readable(item: object) -> bool:
    """Whether a written text can be read as code: no part of it may hide the skill's own text."""
    parts = item.parts if isinstance(item, Text) else (Hole(UNKNOWN),)
    return not any(isinstance(part, Hole) and raw(part) and part.origin == UNKNOWN for part in parts)


def _plain(path: Text) -> Text:
    """A path without `./` before it."""
    first = path.parts[0] if path.parts else ""
    return text(first.removeprefix("./"), *path.parts[1:]) if isinstance(first, str) else path


def text_end(path: Text) -> str:
    """The end of a path, from its last hole on; the hole itself as nothing."""
    out = ""
    for part in path.parts:
        out = "" if isinstance(part, Hole) else out + part
    return out
