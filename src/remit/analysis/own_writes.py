"""Writes into the folder of the skill itself: what may change what the skill is.

The files of a skill are analysed as they lie there. A skill that writes a module beside its scripts, over a script or over its
instructions runs, afterwards, what nobody has seen; so such a write is opaque, whatever the manifest grants. What stays an
ordinary effect is a file that nothing loads: its name ends like data (a closed list, `data/own_writes.table`), it is no name that
a tool or host looks for, and it is no file of the skill that was read as code, instructions or a known text.

A path of which nothing is known is not judged here: that the folder of a skill cannot be written to without a grant that names it
is an assumption of every result (`read-only-skill-folder`).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.domain import ANCHORS, CWD, SKILL, Atom, Hole, Text, Value
from remit.analysis.scopes import fixed_scopes, named_texts
from remit.core import scope as forms
from remit.core.capability import FILE_WRITES
from remit.core.errors import DataError
from remit.core.scope import ANY_SCOPE, DEEP, PathScope, Scope, overlaps
from remit.core.scope.component import escape, literal, match, meet, tokens
from remit.core.sensitive import fold
from remit.core.table import read_table
from remit.skill.model import Skill, Stance

if TYPE_CHECKING:
    from remit.analysis.world import Site
    from remit.core.via import Via

DATA = Path(__file__).with_name("data")
REMEDY = "write outputs to the workspace, or to $SKILL/output with a fixed data suffix such as `.json`"
_HERE = Text((Hole(CWD),))
_ORIGINS = frozenset({SKILL, "env:CLAUDE_SKILL_DIR", "env:CLAUDE_PLUGIN_ROOT"})
_HOLDER = "<env:CLAUDE_PLUGIN_ROOT>"  # the folder of a plugin, which holds the skill
_UNKNOWN = "a file of any name may be written into the skill's own folder"


class Names(NamedTuple):
    """The table: endings of data, names that are loaded (and where), folders that are, what only makes a folder, and what
    puts whole folders somewhere."""

    data: tuple[str, ...]
    names: tuple[tuple[str, str], ...]
    loaded: frozenset[str]
    makers: frozenset[str]
    trees: frozenset[str]


def load(path: Path) -> Names:
    """Read a table of names; refuses an unknown section, a place that does not exist, and a name that is listed twice."""
    found: dict[str, dict[str, str]] = {"data": {}, "names": {}, "loaded": {}, "makers": {}, "trees": {}}
    for row in read_table(path, 3):
        name, where, _ = row.cells
        known = found.get(row.section)
        if known is None or name in known or (where in {"code", "named", "always"}) != (row.section == "names"):
            message = f"{row.where}: `{name}` is listed twice, or its section or place does not exist"
            raise DataError(message, f"sections are {', '.join(found)}; places are code, named and always")
        known[name if row.section in {"makers", "trees"} else fold(name)] = where
    endings = tuple(found["data"])
    folders, makers, trees = (frozenset(found[section]) for section in ("loaded", "makers", "trees"))
    return Names(endings, tuple(found["names"].items()), folders, makers, trees)


@cache
def _names() -> Names:
    return load(DATA / "own_writes.table")


def trees() -> frozenset[str]:
    """Commands and functions that put whole folders somewhere, whose files nobody names."""
    return _names().trees


class _Write(NamedTuple):
    path: Text | None  # None: anything
    cwd: Text
    site: Site


class OwnWrites:
    """What the skill writes, judged at the end, when it is known which of its files were read for what they hold."""

    def __init__(self, skill: Skill) -> None:
        self._skill = skill
        self._writes: dict[_Write, None] = {}
        self._made: dict[_Write, None] = {}  # folders
        self.known: set[str] = set()  # files whose text the analysis relies on

    def add(self, capability: str, path: Value, cwd: Value, site: Site, via: Via) -> None:
        """Something is written."""
        if capability not in FILE_WRITES:
            return
        makes = via.label.rpartition(".")[2] in _names().makers
        folders = [item for item in cwd if isinstance(item, Text)] or [_HERE]
        texts = {text for item in path for text in named_texts(frozenset({item})) or (None,)}
        for text in texts:
            for folder in folders:
                (self._made if makes else self._writes)[_Write(text, folder, site)] = None

    def judge(self) -> Iterator[tuple[str, Site]]:
        """The writes that may change what the skill is, each with the reason."""
        if not self._writes:
            return
        own = _Own(self._skill, self.known, {scope for folder in self._made for scope in _scopes(folder)})
        beside: dict[Site, set[Scope]] = {}
        for write in self._writes:
            beside.setdefault(write.site, set()).update(_scopes(write))
        for write in self._writes:
            for scope in _scopes(write):
                if not isinstance(scope, PathScope) and not _from_skill(write.path, write.cwd):
                    continue
                reason = own.reason(scope, write.path, beside[write.site])
                if reason:
                    yield reason, write.site


def _scopes(write: _Write) -> frozenset[Scope]:
    if write.path is None:
        return frozenset({ANY_SCOPE})
    return fixed_scopes(frozenset({write.path}), frozenset({write.cwd}))


def _from_skill(path: Text | None, folder: Text) -> bool:
    """Whether a path is made from the folder of the skill, or may be relative to it."""
    below = in_skill(folder)
    if path is None:
        return below
    if in_skill(path):
        return True
    first = path.parts[0] if path.parts else ""
    if isinstance(first, Hole):
        return below and first.origin not in ANCHORS
    return below and not first.startswith(("/", "~"))


def in_skill(path: Atom) -> bool:
    """Whether a path is made from the folder of the skill."""
    parts = path.parts if isinstance(path, Text) else ()
    return any(isinstance(part, Hole) and part.origin in _ORIGINS for part in parts)


class _Own:
    """The files of a skill that are loaded, and the folders above them."""

    def __init__(self, skill: Skill, known: Iterable[str], made: Iterable[Scope]) -> None:
        people = {document.path for document in skill.documents if document.role == "people"}
        taken = {document.path for document in skill.documents} - people
        code = {file.path for file in skill.files if file.stance is not Stance.INERT or file.autoload} - people
        self._scripts = {file.path for file in skill.files if file.languages}
        # in their order: which of several files a reason names must not hang on anything but the skill
        self._files = {_scope(path): path for path in sorted(taken | code | set(known) | set(_linked(skill)))}
        self._folders = tuple(_scope(one) for one in {one for path in (*code, skill.main) for one in _above(path)})
        self._made = [scope for scope in made if isinstance(scope, PathScope)]

    def reason(self, scope: Scope, path: Text | None, beside: set[Scope]) -> str:
        """Why a write to this scope may change what the skill is; empty if it does not."""
        if not isinstance(scope, PathScope):
            name = _last(path)
            fixed = bool(name) and not any(fold(posixpath.basename(one)) == name for one in self._files.values())
            loaded = any(match(pattern, name) for pattern, _ in _names().names)
            return "" if fixed and _is_data(name) and not loaded else _UNKNOWN
        if scope.anchor == forms.WORKSPACE:  # a document or a caller may start a script in the skill's folder
            plain = "/".join(part for part in map(literal, scope.parts) if part)
            return f"`{plain}` is a script of the skill, and may be written over" if plain in self._scripts else ""
        return self._inside(scope, beside) if scope.anchor in (forms.SKILL, _HOLDER) else ""

    def _inside(self, scope: PathScope, beside: set[Scope]) -> str:
        shown = scope.render()
        for file, path in self._files.items():
            if scope.anchor == forms.SKILL and overlaps(scope, file):
                return f"`{shown}` may be written, and `{path}` is loaded as code or read as instructions"
        if self._copied(scope, beside):
            return ""
        if not scope.parts or not _is_data(_ending(scope.parts[-1])):
            return f"`{shown}` may be written, and may be loaded as code: its name does not end like data"
        loaded = self._loaded(scope)
        return f"`{shown}` may be written, and `{loaded}` is loaded by tools or hosts" if loaded else ""

    def _copied(self, scope: PathScope, beside: set[Scope]) -> bool:
        """A copy to `x.json` would go into a folder of that name. If only the copy speaks of it, there is none."""
        target = PathScope(scope.anchor, scope.parts[:-1])
        named = bool(target.parts) and target in beside and _is_data(_ending(target.parts[-1]))
        return named and scope.parts[-1] != DEEP and not any(overlaps(target, folder) for folder in self._made)

    def _loaded(self, scope: PathScope) -> str:
        """The name that a tool or host looks for, if the scope may hold it."""
        parts = tuple(map(fold, scope.parts))
        for number, part in enumerate(parts[:-1]):
            for name in sorted(_names().loaded):
                if part == name or (part != DEEP and self._holds(scope.parts[:number]) and meet(part, escape(name))):
                    return f"{name}/"
        fixed = literal(parts[-1]) is not None
        beside = self._holds(scope.parts[:-1])
        for name, where in _names().names:
            if (beside or where == "always" or (where == "named" and fixed)) and meet(parts[-1], name):
                return name
        return ""

    def _holds(self, folder: tuple[str, ...]) -> bool:
        """Whether files that are loaded may lie in or below a folder."""
        return any(overlaps(PathScope(forms.SKILL, folder), one) for one in self._folders)


def _scope(path: str) -> PathScope:
    return PathScope(forms.SKILL, tuple(escape(part) for part in path.split("/") if part))


def _above(path: str) -> Iterator[str]:
    """The folders that hold a file, the skill's own (empty) included."""
    folder = posixpath.dirname(path)
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


def _linked(skill: Skill) -> Iterator[str]:
    """What documents tell the model to read, whether it is there yet or not."""
    for document in skill.documents:
        for target, _ in document.links if document.role != "people" else ():
            path = posixpath.normpath(posixpath.join(posixpath.dirname(document.path), target.partition("#")[0]))
            if target.partition("#")[0] and "://" not in target and not path.startswith(("..", "/")):
                yield path


def _ending(part: str) -> str:
    """The fixed end of a component, as the most forgiving file system compares it."""
    out = ""
    for token in tokens(fold(part)):
        out = out + token if isinstance(token, str) else ""
    return out


def _last(path: Text | None) -> str:
    """The last component of a path, if all of it is fixed."""
    if path is not None and path.literal is not None:
        return fold(posixpath.basename(path.literal))
    last = path.parts[-1] if path is not None and path.parts else ""
    return fold(last.rpartition("/")[2]) if isinstance(last, str) and "/" in last else ""


def _is_data(ending: str) -> bool:
    return ending.endswith(_names().data)
