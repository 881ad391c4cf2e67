"""Text that is shown to be recognised or refused, and not to be carried out.

What an instruction wants done with a text is said by the sentence that announces it, or by its heading: search for it, flag it, refuse it, never do
it. Such a text is a mention. It is an instruction all the same if the sentence also says to run it, or if a later one takes it up (`run the lines above`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.skill.commands import is_warning_heading

if TYPE_CHECKING:
    from remit.skill.document import Document, Fence

_RUN = r"(?:run|execute|install|paste|apply|perform|type|enter|issue|launch|start|invoke|eval|source|follow|use|do|try|carry out|work through|go through|complete|send|upload)(?! not\b)"
_DENIAL = (
    r"(?:\b(?:never|not|cannot|avoid|without|refuse to|instead of)|n['\u2019]t)\b"
    r"(?! (?:only|just|forget|skip|fail|miss|omit|neglect|hesitate)\b)[^.;:!?]{0,40}$"
)
_BAD = lazy_pattern(
    r"\b(?:attack(?:er)?s?(?! surface)|malicious|hostile|suspicious|adversar\w+|exploits?|payloads?|injections?|red flags?|warning signs?"
    r"|indicators?|(?:examples?|samples?) of (?:an? )?(?:frauds?|fraudulent|phishing|scams?|spam)|(?:true|false) positives?|signs of|vulnerab\w+|insecure|unsafe|dangerous|bad|wrong|anti-?patterns?|attempts?)\b|[\u274c\u2717]",
    re.IGNORECASE,
)
_REFUSED = lazy_pattern(
    r"\b(?:never|not|don['\u2019]?t|cannot|can['\u2019]?t|avoid|refuse[sd]?|reject(?:s|ed)?|forbidden|prohibited|blocked|denied|disallowed)\b",
    re.IGNORECASE,
)
_SOUGHT = lazy_pattern(
    r"\b(?:look|watch|search|hunt|scan|grep)(?:s|es|ing)? (?:out )?for\b|\b(?:detect|flag|catch|recogni[sz]e|spot)(?:s|es|ed|ing|ged|ging)?\b",
    re.IGNORECASE,
)
# A section about what is done against something tells what to do.
_REMEDY = lazy_pattern(
    r"\b(?:protect\w*|prevent\w*|remov\w*|respon\w*|defen[cs]e\w*|mitigat\w*|remed\w*|clean\w*|fix\w*|set ?up|install\w*|scan\w*|hardening|check|checks|tools?)\b",
    re.IGNORECASE,
)
_ORDERED = lazy_pattern(
    rf"(?:^|[,;:(]|\b(?:then|and|or|to|must|should|always|please|first|now|you|can|will|just)) *{_RUN}\b", re.IGNORECASE
)
# What stands before a command that is run.
_TOLD = lazy_pattern(
    rf"\b(?:needs?|requires?|required|must|has to|have to|by (?:running|executing))\b|\b{_RUN}\W*\Z", re.IGNORECASE
)
_BACK = (
    r"(?:them|these|those|it|that|each|every|all|both|above|listed|quoted|shown|previous|samples?|examples?|strings?|patterns?|indicators?|"
    r"red flags?|first|second|third|last)"
)
_TAKES_UP = lazy_pattern(rf"\b{_RUN}\b(?:[^.;:!?\n]{{0,30}}\s)??{_BACK}\b", re.IGNORECASE)
_EXPLICIT = lazy_pattern(
    r"\b(?:above|listed|quoted|shown|previous|samples?|examples?|strings?|patterns?|indicators?|red flags?)\b",
    re.IGNORECASE,
)
_DENIED = lazy_pattern(_DENIAL, re.IGNORECASE)
_SENTENCE = lazy_pattern(r"(?<=[.!?])\s+")
_ITEM = lazy_pattern(r"\s*(?:[-*+|]|\d+[.)])\s")
_DOCUMENTS = frozenset({"markdown", "md"})  # a block of these is a text to write
_SHELLS = frozenset({"bash", "sh", "shell", "zsh", "console", "powershell", "ps1", "pwsh", "cmd", "bat", "terminal"})


@lru_cache(4096)
def is_mention(announcement: str, heading: str, *, runnable: bool = False) -> bool:
    """Whether the words that announce a text, or its heading if they do not say, want it recognised or refused.

    `runnable`: it is a block of commands, which may as well be what searches: `Search for secrets:` announces how.
    """
    said = _SENTENCE.split(announcement.strip())[-1]
    if orders(said):
        return False
    if _REFUSED.search(said) or _BAD.search(said) or (_SOUGHT.search(said) and not runnable):
        return True
    if is_warning_heading(heading):
        return True
    last = heading.rpartition(" / ")[2]
    if runnable or _REMEDY.search(last):
        return False
    return _BAD.search(last) is not None or _SOUGHT.search(last) is not None


def orders(sentence: str) -> bool:
    """Whether a sentence says that something is to be run, and does not deny it."""
    return any(not _DENIED.search(sentence[: found.start() + 1]) for found in _ORDERED.finditer(sentence))


def is_taken_up(after: Iterable[tuple[str, bool]]) -> bool:
    """Whether one of the texts that follow a mention says to carry it out; of other sections (`False`) only one that points back by a noun."""
    for text, near in after:
        ways = _ways_to_take_up(text)
        if ways and (near or any(map(_EXPLICIT.search, ways))):
            return True
    return False


@lru_cache(4096)
def _ways_to_take_up(text: str) -> tuple[str, ...]:
    """The words of a text that say to carry out what was mentioned: each text follows many mentions."""
    ways: list[str] = []
    for found in _TAKES_UP.finditer(text):
        begin = max(text.rfind(mark, 0, found.start()) for mark in ".;:!?\n") + 1
        if not _DENIED.search(text[begin : found.start()]):
            ways.append(found[0])
    return tuple(ways)


def mentioned_lines(document: Document) -> frozenset[int]:
    """The lines of code blocks and commands in sentences that a document only mentions."""
    found: set[int] = set()
    starts = [paragraph.line for paragraph in document.paragraphs]
    for fence in document.fences:
        if _is_shown(fence) and not _taken_up(document, fence.line, fence.heading):
            found.update(range(fence.line, fence.line + fence.text.count("\n") + 1))
    ordered: set[int] = set()
    for span in document.spans:
        if " " not in span.text.strip():
            continue
        at = bisect_right(starts, span.line) - 1
        lead = _lead(document, at)
        before = span.sentence.partition("\0")[0]
        told = orders(before) or _TOLD.search(before)
        shown = not told and (
            is_mention(span.sentence.replace("\0", ""), span.heading) or (lead and is_mention(lead, ""))
        )
        (found if shown and not _taken_up(document, span.line, span.heading) else ordered).add(span.line)
    return frozenset(found - ordered)


def _is_shown(fence: Fence) -> bool:
    template = fence.language in _DOCUMENTS and not orders(fence.before)
    return template or is_mention(fence.before, fence.heading, runnable=fence.language in _SHELLS)


def _lead(document: Document, at: int) -> str:
    """The paragraph that announces the list or table to which a paragraph belongs."""
    item = document.paragraphs[at].text if at >= 0 else ""
    while at > 0 and _ITEM.match(document.paragraphs[at].text):
        at -= 1
        if document.paragraphs[at].level == 0 and not _ITEM.match(document.paragraphs[at].text):
            text = document.paragraphs[at].text
            return text if announces(text, item) else ""
    return ""


def announces(text: str, item: str) -> bool:
    """Whether a paragraph speaks of the list or table that follows: a table needs no colon."""
    return text.rstrip().endswith(":") or (bool(text) and item.lstrip().startswith("|"))


def _taken_up(document: Document, line: int, heading: str) -> bool:
    return is_taken_up((part.text, part.heading == heading) for part in document.paragraphs if part.line > line)
