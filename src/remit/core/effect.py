"""Effects: what a skill can do, each with its witness; and the places that nobody understands."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.core.location import Location
    from remit.core.scope import Scope


class Origin(StrEnum):
    """Who makes the effect happen."""

    SCRIPT = "script"  # a file of the skill, when it is run
    INSTRUCTED = "instructed"  # the agent, following the text
    HOOK = "hook"  # the host or a tool, without being asked


class Effect(NamedTuple):
    """One capability that the skill can exercise, with the scope, the line and the reason."""

    capability: str
    scope: Scope
    where: Location
    why: str
    origin: Origin = Origin.SCRIPT
    path: tuple[Location, ...] = ()  # the calls that lead here, outermost first


class Command(NamedTuple):
    """A command line that a document tells the agent to run, or a host to run for it."""

    program: str  # as in the scope of `shell.execute`
    text: str  # the words as far as they are known: `<model>`, `$NAME` and `…` stand for what is not
    where: Location
    origin: Origin = Origin.INSTRUCTED


class Opaque(NamedTuple):
    """A place that the analysis does not understand. Opaque is never contained."""

    reason: str
    where: Location
    remedy: str = ""
    origin: Origin = Origin.SCRIPT
