"""Findings as JSON values: the form in which they cross processes and rest in the cache."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from remit.core.location import Location
from remit.findings.model import Basis, Confidence, Finding, Role, Severity, Witness


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
