"""Origins of texts."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class AuthorKind(StrEnum):
    """The author of a text."""

    USER = "user"  # prompts, and nothing else
    MANIFEST = "manifest"
    WORKSPACE = "workspace"  # its configuration when the session began: remotes of git, package.json, .remit
    SKILL = "skill"
    TOOL = "tool"  # what a tool returned
    SECRET = "secret"  # noqa: S105  a kind of text
    HELD = "held"  # what was read by the right of one skill alone; the name is that skill's


# Only a person, or what a person approved, can say where things may go.
NAMING = frozenset({AuthorKind.USER, AuthorKind.MANIFEST, AuthorKind.WORKSPACE})


class Source(NamedTuple):
    """One source: its kind, and which one (a skill, a tool, a path)."""

    kind: AuthorKind
    name: str = ""
