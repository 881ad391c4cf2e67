"""What the scan of a text finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.policy.dlp.severity import Severity


class Finding(NamedTuple):
    """A place in a text: which rule, where, the sentence, what it would make an agent do, and how grave that is."""

    rule: str
    line: int
    sentence: str
    does: str
    severity: Severity
    by_command: bool = False  # a command asks for it, whose effects the analysis sees as well
