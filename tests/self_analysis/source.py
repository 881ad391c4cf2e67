"""Python source of ours as a skill in memory, so that the analysis can be asked about it."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

import remit
from remit.skill.frontmatter import FrontMatter
from remit.skill.model import Skill, SkillFile, Stance

Source: TypeAlias = "Mapping[str, str]"  # path, as in an import (`remit/core/table.py`), → text

_PACKAGE = Path(remit.__file__).parent


def own_source() -> Source:
    """The source of the Remit that runs."""
    return read_source(_PACKAGE)


def read_source(package: Path) -> Source:
    """The modules of a package."""
    return {
        path.relative_to(package.parent).as_posix(): path.read_text("utf-8") for path in sorted(package.rglob("*.py"))
    }


def as_skill(source: Source) -> Skill:
    """A skill that holds these files and no document."""
    contents = {path: text.encode() for path, text in source.items()}
    files = tuple(
        SkillFile(
            path, len(data), hashlib.sha256(data).hexdigest(), "python", ("python",), Stance.ANALYSED, "our own source"
        )
        for path, data in sorted(contents.items())
    )
    by_path = MappingProxyType({file.path: file for file in files})
    return Skill(
        "remit", Path("remit"), "", FrontMatter({}), files, (), contents=MappingProxyType(contents), by_path=by_path
    )


def module_name(path: str) -> str:
    """`remit/policy/__init__.py` is imported as `remit.policy`."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def room_of(path: str) -> str:
    """The room that a file lies in; empty for the files of the package itself."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else ""


def in_room(path: str, room: str) -> bool:
    """Whether a file belongs to a room."""
    return room_of(path) == room


def room_files(source: Source, room: str) -> Source:
    """The files of a room."""
    return {path: text for path, text in source.items() if in_room(path, room)}


def parsed(source: Source, path: str) -> ast.Module:
    """The syntax of a file, which nobody changes."""
    return _parsed(source[path])


def nodes(source: Source, path: str) -> tuple[ast.AST, ...]:
    """All nodes of the syntax of a file, as `ast.walk` gives them."""
    return _nodes(source[path])


@lru_cache(1024)
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


@lru_cache(1024)
def _nodes(text: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(_parsed(text)))
