"""All variables of the environment, or everything in the home folder, go to a host."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.core.scope import DEEP, HOME, AnyScope, HostScope, NameScope, PathScope
from remit.core.via import Cause
from remit.findings.destinations import effects_of, leaving, severity_at
from remit.findings.evidence import by_flow
from remit.findings.model import Finding, Rule, Severity
from remit.findings.trust import standing
from remit.findings.wording import host_words

if TYPE_CHECKING:
    from remit.core.flow import Flow
    from remit.core.location import Location
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Flows of everything to a host."""
    for flow, sink in leaving(subject):
        if not (what := _everything(flow)) or not _is_meant(subject, flow, sink):
            continue
        yield by_flow(RULE, subject, flow, severity_at(subject, flow, sink), f"sends {what} to {host_words(sink)}")


def _is_meant(subject: Subject, flow: Flow, sink: HostScope) -> bool:
    """Whether the line speaks of the environment; where the receiver is known, any mapping that the analysis lost may look like it.

    A program that may read anything below the home folder is not told to send all of it, and a look-up of one variable by
    a name that the code chooses is not all of them.
    """
    if isinstance(flow.source.scope, PathScope):
        return not _is_programs_own(subject, flow) or _HOME.search(_text_at(subject, flow.source.where)) is not None
    line = subject.line(flow.source.where)
    if _KEPT.fullmatch(line) or (_LOOKUP.search(line) and _names_known(subject, flow)):
        return False
    if standing(subject, sink.host.removeprefix("*.")).hidden or not isinstance(flow.source.scope, AnyScope):
        return True
    return _ENVIRONMENT.search(line) is not None


def _is_programs_own(subject: Subject, flow: Flow) -> bool:
    """Whether only a command reads it, whose summary says so."""
    read = effects_of(subject, flow.source)
    return bool(read) and all(effect.via.cause is Cause.COMMAND for effect in read)


def _text_at(subject: Subject, where: Location) -> str:
    return subject.line(where) if where.file in subject.documents else "\n".join(subject.lines(where.file))


def _names_known(subject: Subject, flow: Flow) -> bool:
    """Whether the variables that the same line may read are known by name as well."""
    return any(
        other.source.where == flow.source.where
        and isinstance(other.source.scope, NameScope)
        and "*" not in other.source.scope.pattern
        for other in subject.flows
    )


_HOME = lazy_pattern(r"~|home|userprofile|/root\b|/Users\b", re.IGNORECASE)
_LOOKUP = lazy_pattern(r"environ\.get\(|getenv\(|\benviron\[|process\.env\[")
# A setting of a file that becomes a variable, unless there is one: what is read here goes nowhere.
_KEPT = lazy_pattern(r"\s*(?:os\.)?environ\.setdefault\(((?!environ|getenv|;).)*")
_ENVIRONMENT = lazy_pattern(r"env|\bset\b|declare|export", re.IGNORECASE)


def _everything(flow: Flow) -> str:
    scope = flow.source.scope
    if flow.source.capability in ("env.read", "secret.read") and (
        (isinstance(scope, AnyScope) and flow.source.capability == "env.read")
        or (isinstance(scope, NameScope) and scope.pattern in ("*", "env:*"))
    ):
        return "all environment variables"
    if isinstance(scope, PathScope) and scope.anchor == HOME and scope.parts == (DEEP,):
        return "your home folder"
    return ""


RULE = Rule(
    "environment-to-network",
    "secrets",
    "all environment variables or the whole home folder are sent to a host",
    Severity.CRITICAL,
    "An agent's environment holds the keys of every service that its user works with. No task needs all of them.",
    "Variables that a program passes to the programs that it starts. Well-known services are reported as low.",
    "Send only what the task needs, by name.",
    find,
)
