"""Findings as JSON values: the form in which they cross processes and rest in the cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remit.core.location import Location
from remit.findings.model import Basis, Confidence, Finding, Role, Severity, Witness

if TYPE_CHECKING:
    from collections.abc import Iterable


def encode(findings: Iterable[Finding]) -> list[Any]:
    """As JSON values, for the cache."""
    return [
        [
            item.rule,
            item.severity,
            item.message,
            [[witness.role, *witness.where, witness.text] for witness in item.witnesses],
            item.basis,
            item.confidence,
            item.fix,
            item.digest,
        ]
        for item in findings
    ]


def decode(data: list[Any]) -> tuple[Finding, ...]:
    """From JSON values; KeyError, TypeError or ValueError if they are not such a form."""
    return tuple(
        Finding(
            str(rule),
            Severity(severity),
            str(message),
            tuple(Witness(Role(role), Location(file, line), text) for role, file, line, text in witnesses),
            Basis(basis),
            Confidence(confidence),
            str(fix),
            str(digest),
        )
        for rule, severity, message, witnesses, basis, confidence, fix, digest in data
    )
