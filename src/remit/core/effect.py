"""Effects of a skill, each with its witness, and opaque locations."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.core.location import Location
    from remit.core.scope import Scope
    from remit.core.via import Via


class Origin(StrEnum):
    """What triggers an effect."""

    SCRIPT = "script"  # a file of the skill, when it is run
    INSTRUCTED = "instructed"  # the agent, following the text
    HOOK = "hook"  # the host or a tool, without being asked


class Effect(NamedTuple):
    """One capability that the skill can exercise, with the scope, the line and the cause."""

    capability: str
    scope: Scope
    where: Location
    via: Via
    origin: Origin = Origin.SCRIPT
    path: tuple[Location, ...] = ()  # the calls that lead to it, outermost first

    @property
    def why(self) -> str:
        """Return the cause, for a reader."""
        return self.via.render()


class Command(NamedTuple):
    """A command line that a document tells the agent to run, or a host to run for it."""

    program: str  # as in the scope of `shell.execute`
    text: str  # the words as far as they are known: `<model>`, `$NAME` and `…` stand for unknown ones
    where: Location
    origin: Origin = Origin.INSTRUCTED


class Unread(NamedTuple):
    """A sentence that asks the agent for something that the analysis cannot identify."""

    text: str
    where: Location
    likely: tuple[str, ...] = ()  # capabilities that it seems to ask for


class Assumed(NamedTuple):
    """A location that depends on an assumption which the author of the skill can violate."""

    ident: str
    where: Location
    origin: Origin = Origin.SCRIPT


class Opaque(NamedTuple):
    """A location that the analysis does not understand. Opaque is never contained."""

    reason: str
    where: Location
    remedy: str = ""
    origin: Origin = Origin.SCRIPT
