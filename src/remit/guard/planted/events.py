"""Entries of a calendar that a text or a command would make, and whether the user asked for them.

An entry speaks in the user's name to whoever shares the calendar. Most words of its title must be the user's: who wants a meeting with
the sales team gets no `Free prizes`. Only titles that stand there in full are looked at, and only where somebody said what they want.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CALENDAR = re.compile(
    r"(?i)\bVEVENT\b|\bicalendar\b|\bimport ics\b|\bfrom ics\b|\bcaldav\b|\bCalendarItem\b|\bgcalcli\b"
)
_TITLES = (
    re.compile(r"(?m)^\s*SUMMARY(?:;[^:\n]*)?:(?P<title>[^\n]{1,200})"),
    re.compile(
        r"(?i)[\"']?\bsummary\b[\"']?\s*[\]\)]?\s*[,:=]\s*(?P<quote>[\"'])(?P<title>(?:(?!(?P=quote))[^\n]){1,200})(?P=quote)"
    ),
    re.compile(r"(?i)\bEvent\(\s*name\s*=\s*(?P<quote>[\"'])(?P<title>(?:(?!(?P=quote))[^\n]){1,200})(?P=quote)"),
    re.compile(r"(?i)\binsert\s+into\s+CalendarItem\b[^;]*?\bvalues\s*\([^)']*'(?P<title>[^'\n]{1,200})'"),
)
_COMPUTED = re.compile(r"[{}$%<>]")
_WORD = re.compile(r"[^\W_]{3,}")
_SMALL = frozenset(
    {
        "the",
        "and",
        "for",
        "with",
        "from",
        "next",
        "this",
        "new",
        "event",
        "meeting",
        "reminder",
        "appointment",
        "session",
    }
)
_STEM = 4  # letters by which forms of a word are known
_SHOWN = 60


def unwanted(text: str, prompts: Sequence[str], before: str = "") -> Iterator[str]:
    """Titles of entries that the user's words do not ask for."""
    if not any(prompts) or not _CALENDAR.search(text):
        return
    said = {word[:_STEM] for prompt in prompts for word in _words(prompt)}
    known = set(_titles(before))
    for title in dict.fromkeys(_titles(text)):
        words = [word for word in _words(title) if word not in _SMALL]
        theirs = sum(word[:_STEM] in said for word in words)
        if title not in known and words and theirs * 2 < len(words):
            yield f"`{title[:_SHOWN]}`"


def _titles(text: str) -> Iterator[str]:
    for pattern in _TITLES:
        for found in pattern.finditer(text):
            title = found["title"].strip()
            if title and not _COMPUTED.search(title):
                yield title


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
