"""Where a text came from."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """Who wrote it."""

    USER = "user"  # prompts, and nothing else
    MANIFEST = "manifest"
    WORKSPACE = (
        "workspace"  # its configuration as it stood when the session began: remotes of git, package.json, .remit
    )
    SKILL = "skill"
    TOOL = "tool"  # what a tool returned
    SECRET = "secret"  # noqa: S105  a kind of text
    HELD = "held"  # what was read by the right of one skill alone: it is named by the skill


# Only a person, or what a person agreed to, can say where things may go.
NAMING = frozenset({Kind.USER, Kind.MANIFEST, Kind.WORKSPACE})


class Source(NamedTuple):
    """One source: its kind, and which one it is (a skill, a tool, a path)."""

    kind: Kind
    name: str = ""
