"""The severity of a finding. Each rule declares it; it is never computed."""

from __future__ import annotations

from enum import StrEnum


class Severity(StrEnum):
    """The severities, the gravest first."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
