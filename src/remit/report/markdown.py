"""Untrusted text in Markdown: in code and escaped, so that it can neither format a comment, nor mention anyone, nor
hide in it.
"""

from __future__ import annotations

import re

from remit.report.screen import visible

TICKS = re.compile(r"`+")
_LONG = 300


def code(text: str) -> str:
    """Return text as a code span that nothing in it can end."""
    text = visible(text)
    text = text if len(text) <= _LONG else text[:_LONG] + "…"
    if not text:
        return ""
    ticks = "`" * (1 + max((len(run) for run in TICKS.findall(text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def cell(text: str) -> str:
    """Return the same inside a table, where a bar ends a cell even in code, and a backslash before it does not help
    twice.
    """
    return code(text.replace("|", "\\x7c" if "\\|" in text else "\\|"))
