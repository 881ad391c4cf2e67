"""Events of hosts and our answers, in one form for all hosts. The adapters in `hosts/` convert both ways."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from remit.core.digest import digest
from remit.core.errors import RemitError

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Kind(StrEnum):
    """The kinds of events."""

    SESSION = "session"  # a session begins
    PROMPT = "prompt"  # the user wrote a prompt
    SKILL = "skill"  # the user loaded a skill; when the model loads one, it is a tool call
    BEFORE = "before"  # a tool is about to run; also any unknown event
    AFTER = "after"  # it ran
    FAILED = "failed"  # it ran and failed
    DELEGATE = "delegate"  # a subagent begins
    RETURN = "return"  # it ended
    STOP = "stop"  # the agent is about to give its answer to the user
    END = "end"  # the session ends
    NOTICE = "notice"  # a report that no answer can change, such as a file of instructions that the host read


class Event(NamedTuple):
    """One event of a host. What the host does not report is empty."""

    host: str
    kind: Kind
    name: str  # as the host calls the event
    session: str
    cwd: str
    tool: str = ""  # as the host calls it
    args: Mapping[str, Any] = _NOTHING
    call: str = ""  # the host's name for this call: it links what is about to run to what ran
    agent: str = ""  # the subagent; empty for the main one
    mode: str = ""  # the host's permission mode, in its own words
    text: str = ""  # the prompt, the result of a tool, or the final answer
    skill: str = ""  # the skill that the user loads
    asks: bool = False  # the host can ask its user now, if we ask for it
    result: Mapping[str, Any] | None = None  # a tool's result, in a form that we may return changed
    parent: str = ""  # the host's position in a trace; for spans only
    confined: bool = False  # the host runs in a capsule or container of its own: its commands cannot enter walls
    authority: bool = False  # every effect must go through the two policy servers (`guard install --through-authority`)


class Outcome(StrEnum):
    """The possible answers, from most to least permissive."""

    PASS = "pass"  # noqa: S105  we have nothing against it; the host's own rules go on
    ASK = "ask"  # the user must approve, and the host asks
    DENY = "deny"


class Verdict(NamedTuple):
    """The answer to an event."""

    outcome: Outcome
    reason: str = ""  # for the model and the user
    approval: str = ""  # the name under which a person can approve elsewhere
    note: str = ""  # text for the model along with a call that passes
    changed: Mapping[str, Any] | None = None  # arguments that replace those of the call, such as a redacted text


PASS = Verdict(Outcome.PASS)


class Reply(NamedTuple):
    """What a host's hook prints, and its exit status."""

    stdout: str = ""
    stderr: str = ""
    exit: int = 0


class Host(Protocol):
    """The adapter of one host."""

    @property
    def name(self) -> str:
        """The name that users write: `claude-code`."""
        ...

    def read(self, name: str, payload: Mapping[str, Any]) -> Event:
        """Parse a hook's input. An unknown event becomes kind BEFORE: it is judged, not skipped."""
        ...

    def reply(self, event: Event, verdict: Verdict) -> Reply:
        """Return what the hook prints."""
        ...


_newest: tuple[Event | None, str] = None, ""


def content_digest(event: Event) -> str:
    """Return the digest of what a host is about to run: tool and arguments, unchanged."""
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
