"""A credential of the user goes to a host that has nothing to do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.scope import AnyScope, ScopeKind
from remit.findings.destinations import belongs_to
from remit.findings.model import Confidence, Finding, Role, Rule, Severity, Witness
from remit.findings.wording import host_words, secret_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.core.flow import Flow
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Flows from a credential to a host."""
    for flow in subject.flows:
        if (
            flow.source.capability != "secret.read"
            or vocabulary()[flow.sink.capability].scope_kind is not ScopeKind.HOST
        ):
            continue
        if belongs_to(flow.source.scope, flow.sink.scope, subject):
            continue
        yield _finding(subject, flow)


def _finding(subject: Subject, flow: Flow) -> Finding:
    secret, host = secret_words(flow.source.scope), host_words(flow.sink.scope)
    unknown = isinstance(flow.sink.scope, AnyScope) or isinstance(flow.source.scope, AnyScope)
    return Finding(
        RULE.ident,
        Severity.MEDIUM if unknown or flow.model else Severity.CRITICAL,
        f"sends {secret} to {host}",
        (
            Witness(Role.SOURCE, flow.source.where, f"reads {flow.source.scope.render()}"),
            *(Witness(Role.STEP, step) for step in flow.steps),
            Witness(Role.SINK, flow.sink.where, f"sends it to {flow.sink.scope.render()}"),
        ),
        subject.basis(flow.sink.where, flow.origin),
        Confidence.MEDIUM if unknown or flow.model else Confidence.HIGH,
        RULE.fix,
    )


RULE = Rule(
    "secret-to-network",
    "secrets",
    "a credential is sent to a host that it does not belong to",
    Severity.CRITICAL,
    "A key, token, password or cookie that leaves the machine gives its finder the user's account. A skill needs a credential only for"
    " the service that it belongs to.",
    "A key that goes to its own service: the variable or file, the host and the description speak of the same name. A host that"
    " the user names by an argument or a setting.",
    "Send a credential only to the service that it is for, and name that service in the description.",
    find,
)
