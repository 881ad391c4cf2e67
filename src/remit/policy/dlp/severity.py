"""How grave a finding is. It is said for each rule, never computed."""

from __future__ import annotations

from enum import StrEnum


class Severity(StrEnum):
    """The gravest first."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
