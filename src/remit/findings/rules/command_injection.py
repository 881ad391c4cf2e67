"""A text from outside becomes part of a command."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.scope import AnyScope
from remit.core.via import Cause
from remit.findings.evidence import by_effect
from remit.findings.model import Basis, Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Text that is not known and runs as a shell program, in scripts."""
    for effect in subject.with_capability("shell.execute"):
        if (
            effect.via.cause is Cause.CODE
            and isinstance(effect.scope, AnyScope)
            and subject.basis_of(effect) is Basis.SCRIPT
        ):
            yield by_effect(
                RULE, subject, effect, Severity.LOW, "puts a text that it does not know into a shell command"
            )


RULE = Rule(
    "command-injection",
    "vulnerability",
    "text from outside becomes part of a command",
    Severity.LOW,
    "A blank, quote or semicolon in the value changes the command, so the supplier of the value can run commands as the user.",
    "Values that are quoted or passed as a list of arguments.",
    "Pass arguments as a list, without a shell.",
    find,
)
