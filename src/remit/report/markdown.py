"""Text of a skill in Markdown: in code and made visible, so that it can neither format a comment, nor mention anybody, nor hide in it."""

from __future__ import annotations

import re

from remit.report.screen import visible

TICKS = re.compile(r"`+")
_LONG = 300


def code(text: str) -> str:
    """Text of a skill as a code span that nothing in it can end."""
    text = visible(text)
    text = text if len(text) <= _LONG else text[:_LONG] + "…"
    if not text:
        return ""
    ticks = "`" * (1 + max((len(run) for run in TICKS.findall(text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def cell(text: str) -> str:
    """The same inside a table, where a bar ends a cell even in code, and a backslash before it does not help twice."""
    return code(text.replace("|", "\\x7c" if "\\|" in text else "\\|"))
