"""Findings from what they rest on: an effect, a command line, a passage of text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.effect import Effect, Origin
from remit.core.location import Location
from remit.core.scope import AnyScope, PathScope, Scope, ScopeKind, SymbolScope
from remit.findings.model import Basis, Confidence, Finding, Role, Rule, Severity, Witness
from remit.findings.orders import ordered
from remit.findings.wording import source_words

if TYPE_CHECKING:
    from remit.core.flow import Flow
    from remit.findings.commandlines import CommandLine
    from remit.findings.orders import Order
    from remit.findings.subject import Subject

_SHOWN = 160
_SHELLS = frozenset({"bash", "sh", "shell", "zsh", "console"})
_BELOW = 4  # lines from a caption to the first line of its block


def by_effect(rule: Rule, subject: Subject, effect: Effect, severity: Severity, message: str) -> Finding:
    """What an effect shows."""
    witness = Witness(Role.SINK, effect.where, subject.line(effect.where)[:_SHOWN])
    return Finding(rule.ident, severity, message, (witness,), subject.basis_of(effect), fix=rule.fix)


def by_flow(rule: Rule, subject: Subject, flow: Flow, severity: Severity, message: str) -> Finding:
    """What a flow shows, from its source to its sink. Data that passes a test or a sample only moves there."""
    source, sink = flow.source, flow.sink
    if vocabulary()[sink.capability].scope_kind is ScopeKind.HOST:
        takes = "sends it"
    elif sink.capability in ("source.execute", "shell.execute"):
        takes = "runs it"
    else:
        takes = f"writes it to {sink.scope.render()}"
    witnesses = (
        Witness(Role.SOURCE, source.where, f"reads {source_words(source.capability, source.scope)}"),
        *(Witness(Role.STEP, step) for step in flow.steps),
        Witness(Role.SINK, sink.where, takes),
    )
    shown = any(subject.basis(where) is Basis.SAMPLE for where in (source.where, *flow.steps))
    basis = Basis.SAMPLE if shown else subject.basis(sink.where, flow.origin)
    return Finding(rule.ident, severity, message, witnesses, basis, fix=rule.fix)


def is_text(scope: Scope) -> bool:
    """Whether what is run is a text, of any origin or of a known one (`<net>`), and not a file."""
    if isinstance(scope, PathScope):
        return scope.anchor.startswith("<") and not scope.parts
    return isinstance(scope, (AnyScope, SymbolScope))


def by_command(rule: Rule, command: CommandLine, severity: Severity, message: str) -> Finding:
    """What a command line shows."""
    witness = Witness(Role.SINK, command.where, command.text[:_SHOWN])
    return Finding(rule.ident, severity, message, (witness,), command.basis, fix=rule.fix)


def by_orders(rule: Rule, subject: Subject) -> Iterator[Finding]:
    """What sentences show."""
    for order in ordered(subject, rule.ident):
        where = Location(order.file, order.line)
        witness = Witness(Role.TEXT, where, order.text[:_SHOWN])
        basis = Basis.SAMPLE if _is_caption(subject, order) else subject.basis_of_order(where)
        yield Finding(rule.ident, order.severity, order.message, (witness,), basis, Confidence.MEDIUM, rule.fix)


def _is_caption(subject: Subject, order: Order) -> bool:
    """Whether a reference says what the commands below the sentence do: `Override the system prompt:` and a block."""
    document = subject.documents.get(order.file)
    if document is None or document.role != "reference" or not order.text.rstrip().endswith(":"):
        return False
    return any(
        fence.language in _SHELLS and 0 < fence.line - order.line <= _BELOW and fence.before.rstrip().endswith(":")
        for fence in document.fences
    )


def by_text(rule: Rule, subject: Subject, where: Location, text: str, severity: Severity, message: str) -> Finding:
    """What words at a location show."""
    prose = where.file in subject.documents
    basis = subject.basis_of_order(where) if prose else subject.basis(where, Origin.INSTRUCTED)
    witness = Witness(Role.TEXT, where, text[:_SHOWN])
    return Finding(rule.ident, severity, message, (witness,), basis, Confidence.MEDIUM, rule.fix)
