"""What a host tells us and what we answer, in one form for all hosts. The adapters in `hosts/` translate both ways."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from remit.core.digest import digest
from remit.core.errors import RemitError

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Kind(StrEnum):
    """What happened in a host."""

    SESSION = "session"  # a session begins
    PROMPT = "prompt"  # the user said something, in the user's own words
    SKILL = "skill"  # the user loaded a skill; one that the model loads is a tool call
    BEFORE = "before"  # a tool is about to run, or anything that we do not know
    AFTER = "after"  # it ran
    FAILED = "failed"  # it ran and failed
    DELEGATE = "delegate"  # a subagent begins
    RETURN = "return"  # it ended
    STOP = "stop"  # the agent is about to hand its answer to the user
    END = "end"  # the session ends
    NOTICE = "notice"  # the host tells something that no answer can change, such as a file of instructions that it read


class Event(NamedTuple):
    """One thing that a host tells us. What it does not say is empty."""

    host: str
    kind: Kind
    name: str  # as the host calls the event
    session: str
    cwd: str
    tool: str = ""  # as the host calls it
    args: Mapping[str, Any] = _NOTHING
    call: str = ""  # the host's name for this one call: it ties what is about to run to what ran
    agent: str = ""  # the subagent; empty for the main one
    mode: str = ""  # the host's permission mode, in its words
    text: str = ""  # the prompt, the result of a tool, the final answer
    skill: str = ""  # the skill that the user loads
    asks: bool = False  # the host can ask its user now, if we say so
    result: Mapping[str, Any] | None = None  # what a tool returned, in a form that we may hand back changed
    parent: str = ""  # where the host is in a trace, if it says so: for spans, and for nothing else
    confined: bool = False  # the host runs in a capsule or container of its own: what it runs cannot enter walls
    authority: bool = False  # every effect must go through the two policy servers (`guard install --through-authority`)


class Outcome(StrEnum):
    """What we answer, the freest first."""

    PASS = "pass"  # noqa: S105  we have nothing against it; the host's own rules go on
    ASK = "ask"  # the user must agree, and the host asks
    DENY = "deny"


class Verdict(NamedTuple):
    """What we answer to an event."""

    outcome: Outcome
    reason: str = ""  # for the model and the user
    approval: str = ""  # the name under which a person can agree elsewhere
    note: str = ""  # text for the model that goes along with what passes
    changed: Mapping[str, Any] | None = None  # arguments that replace those of the call, such as a redacted text


PASS = Verdict(Outcome.PASS)


class Reply(NamedTuple):
    """What the hook of a host prints and how it exits."""

    stdout: str = ""
    stderr: str = ""
    exit: int = 0


class Host(Protocol):
    """The adapter of one host."""

    @property
    def name(self) -> str:
        """As users write it: `claude-code`."""
        ...

    def read(self, name: str, payload: Mapping[str, Any]) -> Event:
        """What a hook was told. An event that the adapter does not know is of kind BEFORE: judged, not skipped."""
        ...

    def reply(self, event: Event, verdict: Verdict) -> Reply:
        """What the hook answers."""
        ...


_newest: tuple[Event | None, str] = None, ""


def content_digest(event: Event) -> str:
    """The digest of what a host is about to run: tool and arguments as they are."""
    global _newest  # noqa: PLW0603  (several parts ask this of one event, one after the other)
    of, known = _newest
    if of is not event:
        known = _worked_out(event)
        _newest = event, known
    return known


def _worked_out(event: Event) -> str:
    try:
        return digest([event.host, event.tool, dict(event.args)])
    except (RemitError, TypeError, ValueError):
        return digest([event.host, event.tool, repr(event.args)])
