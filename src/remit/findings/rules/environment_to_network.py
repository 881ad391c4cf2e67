"""All variables of the environment, or everything in the home folder, go to a host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.scope import DEEP, HOME, AnyScope, NameScope, PathScope
from remit.findings.destinations import leaving, severity_at
from remit.findings.evidence import by_flow
from remit.findings.model import Rule, Severity
from remit.findings.wording import host_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.core.flow import Flow
    from remit.findings.model import Finding
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Flows of everything to a host."""
    for flow, sink in leaving(subject):
        if not (what := _everything(flow)):
            continue
        severity = severity_at(subject, sink, asked_for=False)
        if severity is not None:
            yield by_flow(RULE, subject, flow, severity, f"sends {what} to {host_words(sink)}")


def _everything(flow: Flow) -> str:
    scope = flow.source.scope
    if flow.source.capability in ("env.read", "secret.read") and (
        (isinstance(scope, AnyScope) and flow.source.capability == "env.read")
        or (isinstance(scope, NameScope) and scope.pattern in ("*", "env:*"))
    ):
        return "all environment variables"
    if isinstance(scope, PathScope) and scope.anchor == HOME and scope.parts in ((), (DEEP,)):
        return "your home folder"
    return ""


RULE = Rule(
    "environment-to-network",
    "secrets",
    "all environment variables or the whole home folder are sent to a host",
    Severity.CRITICAL,
    "The environment of an agent holds the keys of every service that its user works with. No task needs all of them.",
    "Variables that a program passes to the programs that it starts. Well-known services are reported as low.",
    "Send only what the task needs, by name.",
    find,
)
