"""Which files of the skill a path can name.

A path with holes is matched against the finite set of files: what a hole may hold says which of them it can be. Where it
may also name a file that is not part of the skill the answer is None.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis import domain
from remit.analysis.domain import Hole, Text, Value, text
from remit.analysis.shell import functions_of
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.shell.syntax import Function
    from remit.skill.model import Skill

_GIVEN = frozenset({"arg", "stdin", "model"})  # origins whose text the caller chooses
_MARK = 0xF0000  # stands for the first hole while a path is brought into normal form
_SHAPES = {domain.NUMERIC: r"[0-9eE.+-]+", domain.SEGMENT: "[^/]+", domain.FLAT: "[^/]*", domain.TREE: ".*"}


def given(part: Hole) -> bool:
    """Whether the caller chooses this text."""
    return part.origin in _GIVEN or part.origin.startswith("env:")


class Match(NamedTuple):
    """The files that a path can name, and the assumption on which that rests (empty: none)."""

    files: tuple[str, ...]
    assumes: str = ""


class SkillFiles:
    """The files of one skill, by path."""

    def __init__(self, skill: Skill) -> None:
        self.name = skill.root.name
        self._skill = skill
        self._files = frozenset(file.path for file in skill.files)
        self._functions: dict[str, list[Function]] | None = None

    def shell_functions(self, name: str) -> tuple[Function, ...]:
        """The functions of this name in all shell files: a file may be meant to be sourced beside others."""
        if self._functions is None:
            self._functions = {}
            for file in self._skill.files:
                source = self._skill.read(file.path) if "shell" in file.languages else None
                for function in functions_of(source or b"", file.path):
                    self._functions.setdefault(function.name, []).append(function)
        return tuple(self._functions.get(name, ()))

    def find(self, texts: Iterable[Text], cwd: Value) -> Match | None:
        """The files that these paths can name, seen from `cwd`; None if they may name others."""
        out: dict[str, None] = {}
        assumes = ""
        for item in texts:
            found = self._one(item, cwd)
            if found is None:
                return None
            out.update(dict.fromkeys(found.files))
            assumes = assumes or found.assumes
        return Match(tuple(out), assumes) if out else None

    def _one(self, item: Text, cwd: Value) -> Match | None:
        first, *rest = item.parts or ("",)
        if isinstance(first, Hole):
            if first.origin in {domain.SKILL, domain.CWD}:
                return self._below(rest) if rest and str(rest[0]).startswith("/") else None
            return self._installed(rest) if first.origin == domain.HOME else None
        if first.startswith("/"):
            return self._installed([first, *rest])
        if not first or first.startswith("~"):
            return None
        return self._relative([first, *rest], cwd)

    def _relative(self, parts: list[str | Hole], cwd: Value) -> Match | None:
        """A relative path, seen from each folder in which the program may run."""
        found = [
            self._one(text(*item.parts, "/", *parts), cwd) if _anchored(item) else None
            for item in cwd
            if isinstance(item, Text)
        ]
        files = {file: None for match in found if match is not None for file in match.files}
        if len(found) < len(cwd) or None in found or not files:
            return None
        return Match(tuple(files), next((match.assumes for match in found if match and match.assumes), ""))

    def _below(self, parts: list[str | Hole]) -> Match | None:
        """The files whose path in the skill has this shape."""
        holes = [part for part in parts if isinstance(part, Hole)]
        if any(part.origin in domain.ANCHORS for part in holes):
            return None
        if not holes:
            literal = posixpath.normpath("".join(map(str, parts)).lstrip("/"))
            literal = literal.removeprefix(f"../{self.name}/")
            return Match((literal,)) if literal in self._files else self._installed(["/", literal])
        marks = iter(range(_MARK, _MARK + len(holes)))
        whole = "".join(part if isinstance(part, str) else chr(next(marks)) for part in parts)
        return self._matching(posixpath.normpath(whole.lstrip("/")), holes)

    def _matching(self, path: str, holes: list[Hole]) -> Match | None:
        shape, assumes, seen = "", "", 0
        for char in path:
            index = ord(char) - _MARK
            if not 0 <= index < len(holes):
                shape += re.escape(char)
                continue
            seen += 1
            part = holes[index]
            if part.alphabet not in _SHAPES:
                if not given(part):
                    return None
                assumes = "argument-paths"  # the caller names a file of the skill
            shape += _SHAPES.get(part.alphabet, ".*")
        if seen < len(holes):  # `..` after a hole
            return None
        pattern = re.compile(shape, re.DOTALL)
        found = tuple(sorted(file for file in self._files if pattern.fullmatch(file)))
        return Match(found, assumes) if found else None

    def _installed(self, parts: list[str | Hole]) -> Match | None:
        """`…/skills/<name>/…`: where hosts put the skill."""
        if not all(isinstance(part, str) for part in parts):
            return None
        path = posixpath.normpath("".join(map(str, parts)))
        before, found, inside = path.rpartition(f"/{self.name}/")
        if not found or (before and not _HOLDS_SKILLS.search(before)) or inside not in self._files:
            return None
        return Match((inside,), "installed-skill")


_HOLDS_SKILLS = lazy_pattern(r"(?:^|[/.-])skills(?:/[^/]+)?$|^/+$")


def _anchored(cwd: Text) -> bool:
    """Whether a folder is no relative path, which would be looked up again and again."""
    first = cwd.parts[0] if cwd.parts else ""
    return isinstance(first, Hole) or first.startswith("/")
