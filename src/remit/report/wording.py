"""Words and sort orders that text reports share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.capability import Level, vocabulary
from remit.core.counting import counted
from remit.findings.model import Level as Answer
from remit.findings.model import Severity
from remit.proof import Verdict
from remit.report.screen import Screen, visible, width_of

if TYPE_CHECKING:
    from remit.checker.report import Report

LEVELS = (Level.SYSTEM, Level.DANGEROUS, Level.REDACT, Level.NORMAL)  # the worst first
LEVEL_STYLE = {Answer.BLOCK: "bad", Answer.REVIEW: "yellow", Answer.CLEAR: "green"}
SEVERITY_STYLE = {
    Severity.CRITICAL: "bad",
    Severity.HIGH: "bad",
    Severity.MEDIUM: "yellow",
    Severity.LOW: "dim",
    Severity.INFO: "dim",
}
SEVERITY_WIDTH = 10  # columns of a severity, with the blanks after it
NO_REMEDY = "write it so that it can be followed, or remove it"  # for opaque locations without a specific remedy


def verdict_words(report: Report) -> str:
    """Return the verdict, and whether it depends on conditions."""
    if report.failure:
        return "failed"
    needed = any(item.kind != "assumption" for item in report.containment.residuals)
    if report.verdict is Verdict.CONTAINED and needed:
        return "contained if its conditions hold"
    return str(report.verdict)


def unread_words(count: int) -> str:
    """Return that sentences ask for something that is not checked."""
    return f"{counted(count, 'sentence')} {'asks' if count == 1 else 'ask'} the agent for something that Remit cannot check"


def rank(capability: str) -> tuple[int, str]:
    """Return a sort key: the worst first."""
    return LEVELS.index(vocabulary()[capability].level), capability


def remedy_lines(screen: Screen, text: str, indent: int) -> list[str]:
    """Return what to do."""
    lines = screen.wrap(f"→ {visible(text)}", indent + 2, indent) if text else []
    return [screen.style(line, "cyan") for line in lines]


def cut(text: str, width: int) -> str:
    """Cut a text to a number of columns; an ellipsis replaces the rest."""
    if width_of(text) <= width:
        return text
    while text and width_of(text) >= width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def pad(text: str, width: int) -> str:
    """Pad a text to a number of columns."""
    return text + " " * max(0, width - width_of(text))
