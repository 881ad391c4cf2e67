"""Types of the rules: what they inspect and what they return."""

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
    from remit.policy.decide import Decided, JudgedRequest
    from remit.policy.limits import Situation


class Action(StrEnum):
    """The action of a rule, the strictest first."""

    DENY = "deny"
    ASK = "ask"  # asked once: the answer is remembered for the skill, the workspace and the exact object
    NOTICE = "notice"  # the call runs, and the person at the host sees a message, if the host shows messages
    OFF = "off"


class Hit(NamedTuple):
    """What a rule finds in a call."""

    about: str  # the exact effect, command prefix or destination; an answer is remembered for it
    sentence: str  # for a person
    action: Action | None = None  # if it is stricter or milder than usual for the rule


class CallView(NamedTuple):
    """A call as rules see it."""

    live: SessionState
    event: Event
    drafted: CallRequests
    skills: tuple[str, ...]  # on whose behalf the call is made; empty if no skill is active
    decided: Decided  # every request, judged by rights alone
    flows: Flows
    state: Path  # the guard's own folder
    situation: Situation
    facts: tuple[tuple[str, Hit], ...] = ()  # facts found before the rules run, each with the rule that reports it
    inside: bool = False  # it runs inside walls

    @property
    def skill(self) -> str:
        """The acting skill, as a sentence names it."""
        return " and ".join(f"`{name}`" for name in self.skills) if self.skills else "the agent"

    def judged_as(self, kind: type) -> Iterable[JudgedRequest]:
        """Return the requests with this judgement."""
        return (one for one in self.decided.judged if isinstance(one.judgement, kind))

    def found(self, rule: str) -> Iterable[Hit]:
        """Return the facts for a rule that were found before the rules ran."""
        return (hit for name, hit in self.facts if name == rule)


class Rule(NamedTuple):
    """One rule."""

    ident: str
    action: Action  # default; settings can change it
    summary: str  # one sentence for the docs
    fires: str  # an example that must be stopped; the test of the rule runs it
    silent: str  # the closest one that must not be stopped
    find: Callable[[CallView], Iterable[Hit]] | None = None  # None: it reports facts found before
    code: str = ""  # the reason code; by default the identifier in capitals
    fixed: bool = False  # no setting changes it
    always: bool = False  # it also applies without an active skill

    @property
    def reason_code(self) -> str:
        """The reason code, as answers and logs name it."""
        return self.code or self.ident.upper().replace("-", "_")


class Stop(NamedTuple):
    """A hit of a rule, and its consequence."""

    rule: str
    action: Action
    hit: Hit
