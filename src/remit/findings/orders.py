"""The one reader of sentences: words that stand in a text as an order to the agent, not quoted, taught or warned of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from remit.skill.commands import is_warning_heading
from remit.skill.prose.context import section_worth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.subject import Subject

_QUOTES = re.compile('["\u201c\u201d]')
# Somebody else does it, or the text speaks of finding it.
_ABOUT_OTHERS = re.compile(
    r"\b(?:attack\w*|malicious|adversar\w+|inject\w*|users? asks?|detect\w*|flags?|example|e\.g\.|such as|attempts?|look for|checks? for|patterns?)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?]\s|\n\n|\n\s*[-*|]")
_SHOWN = 160


class Order(NamedTuple):
    """Words of a document that ask the agent for something."""

    file: str
    line: int
    text: str  # the sentence
    hidden: bool = False  # it stands in a comment, which a reader of the page does not see


def ordered(subject: Subject, words: re.Pattern[str]) -> Iterator[Order]:
    """Every order in the documents that matches."""
    for document in subject.skill.documents:
        if document.role == "people":
            continue
        for text, line, heading, _ in document.paragraphs:
            if is_warning_heading(heading) or section_worth(heading) < 1:
                continue
            yield from _in_text(document.path, text, line, words)
        for text, line in document.hidden:
            yield from (order._replace(hidden=True) for order in _in_text(document.path, text, line, words))


def _in_text(file: str, text: str, line: int, words: re.Pattern[str]) -> Iterator[Order]:
    for found in words.finditer(text):
        begin, end = _sentence(text, found.start(), found.end())
        before = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        if len(_QUOTES.findall(before)) % 2 or "\u274c" in before or _ABOUT_OTHERS.search(text, begin, found.start()):
            continue
        shown = " ".join(text[begin:end].split())[:_SHOWN]
        yield Order(file, line + text.count("\n", 0, found.start()), shown)


def _sentence(text: str, start: int, stop: int) -> tuple[int, int]:
    """The sentence around some words."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text, 0, start)]
    final = _SENTENCE_END.search(text, stop)
    return (ends[-1] if ends else 0), (final.start() + 1 if final else len(text))
