"""Places in the text of a skill that a draft must not bless: hidden text, handing out everything, switched-off checks."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import DataError
from remit.skill.commands import is_warning_heading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.skill.document import Document
    from remit.skill.model import Skill

# Characters that a reader does not see and a model does: zero width, direction marks, tags. A joiner inside emoji is usual.
_INVISIBLE = re.compile("[\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
_HIDING = re.compile(
    r"(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|color\s*:\s*(?:white|#fff(?:fff)?)\b|opacity\s*:\s*0\b)",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"(?:\bnever|\bnot|n't|\bavoid|\bwithout|\brefuse to|\bdetects?|\bflags?|\blooks? for|\bsuch as|\be\.g\.|\battempts? to|\btry to)\s+(?:\w+\s+){0,3}$",
    re.IGNORECASE,
)


class Suspicion(NamedTuple):
    """A suspicious place: its first and last line, what is wrong and the words."""

    file: str
    line: int
    last: int
    reason: str
    text: str


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str], str], ...]:
    parts: dict[str, str] = {}
    out: list[tuple[str, re.Pattern[str], str]] = []
    name = "suspicious.table"
    text = Path(str(files("remit.manifest.draft").joinpath(f"data/{name}"))).read_text("utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line[0] in "#[":
            continue
        head, _, rest = line.partition(" | ")
        pattern, _, why = rest.rpartition(" | ")
        if head.startswith("{"):
            parts[head] = pattern
        elif head in ("text", "hidden"):
            for part, meaning in parts.items():
                pattern = pattern.replace(part, meaning)
            out.append((head, re.compile(pattern, re.IGNORECASE), why))
        else:
            raise DataError(
                f"{name}:{number}: `{head}` is no kind of row", "begin it with `text`, `hidden` or a part in braces"
            )
    return tuple(out)


def suspicions(skill: Skill) -> tuple[Suspicion, ...]:
    """Every suspicious place of the skill's documents, in order."""
    found = {item for document in skill.documents if document.role != "people" for item in _in_document(document)}
    return tuple(sorted(found))


def _in_document(document: Document) -> Iterator[Suspicion]:
    about = document.front_matter.text("description")
    places = [(about, document.front_matter.line("description"), "")] if about else []
    places += [(text, line, heading) for text, line, heading, _ in document.paragraphs]
    places += [(fence.text, fence.line, fence.heading) for fence in document.fences]
    for text, line, heading in places:
        yield from _in_text(document.path, text, line, heading)
    for text, line in document.hidden:
        for kind, pattern, why in _patterns():
            if found := pattern.search(text):
                reason = why if kind == "hidden" else f"it is hidden from a reader of the page, and {why}"
                yield _place(document.path, text, line, found, reason)


def _in_text(path: str, text: str, line: int, heading: str) -> Iterator[Suspicion]:
    if invisible := _INVISIBLE.search(text):
        yield _place(path, text, line, invisible, "it holds characters that a reader does not see")
    hiding = "<" in text and _HIDING.search(text)
    if hiding:
        yield _place(path, text, line, hiding, "it is hidden from a reader of the page")
    if is_warning_heading(heading) or "\u274c" in text:
        return
    for kind, pattern, why in _patterns():
        if kind != "text":
            continue
        for found in pattern.finditer(text):
            if not _NEGATED.search(text[max(0, found.start() - 60) : found.start()]):
                yield _place(path, text, line, found, why)
                break


def _place(path: str, text: str, line: int, found: re.Match[str], reason: str) -> Suspicion:
    first = line + text.count("\n", 0, found.start())
    last = line + text.count("\n", 0, found.end())
    shown = text[max(0, text.rfind("\n", 0, found.start()) + 1) : found.end() + 80].partition("\n\n")[0]
    return Suspicion(path, first, last, reason, " ".join(shown.split())[:200])
