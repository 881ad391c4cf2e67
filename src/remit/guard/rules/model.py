"""Rules, what they look at and what they find."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from remit.guard.call_analysis.flows import Flows
    from remit.guard.call_analysis.requests import CallRequests
    from remit.guard.event import Event
    from remit.guard.session.state import SessionState
    from remit.policy.decide import Decided, Judged
    from remit.policy.limits import Situation


class Action(StrEnum):
    """What a rule does to a call, the strictest first."""

    DENY = "deny"
    ASK = "ask"  # once: the answer is remembered for the skill, the workspace and what exactly was asked
    NOTICE = "notice"  # the call runs, and the person before the host is told, where it shows messages
    OFF = "off"


class Hit(NamedTuple):
    """What a rule finds in a call."""

    about: str  # what exactly: an effect, a command prefix, a destination. An answer is remembered for it
    sentence: str  # for a person
    action: Action | None = None  # if it is stricter or milder than the rule usually is


class CallView(NamedTuple):
    """A call as rules see it."""

    live: SessionState
    event: Event
    drafted: CallRequests
    skills: tuple[str, ...]  # on whose behalf it is made; empty if no skill is active
    decided: Decided  # every request, judged by rights alone
    flows: Flows
    state: Path  # the guard's own folder
    situation: Situation
    facts: tuple[tuple[str, Hit], ...] = ()  # what was found on the way, each with the rule that reports it
    inside: bool = False  # it runs inside of walls

    @property
    def skill(self) -> str:
        """As a sentence names who acts."""
        return " and ".join(f"`{name}`" for name in self.skills) if self.skills else "the agent"

    def judged_as(self, kind: type) -> Iterable[Judged]:
        """The requests that were judged so."""
        return (one for one in self.decided.judged if isinstance(one.judgement, kind))

    def found(self, rule: str) -> Iterable[Hit]:
        """What was found for a rule before the rules ran."""
        return (hit for name, hit in self.facts if name == rule)


class Rule(NamedTuple):
    """One rule."""

    ident: str
    action: Action  # unless settings say otherwise
    summary: str  # one sentence for the docs
    fires: str  # an example that must be stopped, as the test of the rule runs it
    silent: str  # the nearest one that must not be
    find: Callable[[CallView], Iterable[Hit]] | None = None  # None: what was found for it on the way
    code: str = ""  # the reason code; by default the identifier in capitals
    fixed: bool = False  # no setting changes it
    always: bool = False  # it counts without an active skill too

    @property
    def reason_code(self) -> str:
        """As answers and logs name it."""
        return self.code or self.ident.upper().replace("-", "_")


class Stop(NamedTuple):
    """A hit of a rule, and what follows from it."""

    rule: str
    action: Action
    hit: Hit
