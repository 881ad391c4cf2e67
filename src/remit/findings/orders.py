"""The one reader of sentences: words that stand in a text as an order to the agent, not quoted, taught or warned of.

What is looked for is data (`data/orders.table`). A passage is a paragraph in bare words; nearly all are passed over because none of
a pattern's words stands in them.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import DataError
from remit.core.patterns import lazy_pattern
from remit.findings.encoded import decoded_texts
from remit.findings.invisible import unmasked
from remit.skill.commands import is_warning_heading
from remit.skill.document import inner
from remit.skill.prose.context import section_worth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.subject import Subject

_FILE = Path(__file__).with_name("data") / "orders.table"
_CELLS = 4
_KINDS = ("asked", "said", "asked+", "said+")
_QUOTES = lazy_pattern('["\u201c\u201d]')
_WORD = lazy_pattern(r"[a-z][a-z'\u2019-]*[a-z]|[a-z]")
# Layout and what is not seen between letters cannot part words that belong together.
_DROP = lazy_pattern("[*\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff]|(?<!\\w)__|__(?!\\w)")
# Another person does it, or the text speaks of finding it.
_ABOUT_OTHERS = lazy_pattern(
    r"\b(?:attack\w*|malicious|adversar\w+|inject\w*|users? asks?|users? says?|detect\w*|flags?|examples?|e\.g\.|such as|attempts?"
    r"|look for|checks? for|patterns?|refuse\w*|reject\w*|suspicious|red flags?|warning signs?|scammers?|jailbreak\w*|vulnerab\w*)\b",
    re.IGNORECASE,
)
_DENIED = lazy_pattern(
    r"\b(?:never|not|don['\u2019]t|doesn['\u2019]t|cannot|can['\u2019]t|won['\u2019]t|avoid\w*|without|refuse\w*|instead of|rather than|nor|no"
    r"|prevent\w*|forbid\w*|prohibit\w*|unless|isn['\u2019]t|shouldn['\u2019]t|mustn['\u2019]t)\b(?! (?:only|forget|just|fail|skip|hesitate|affect))[^.;:!?]*$",
    re.IGNORECASE,
)
_SENTENCE_END = lazy_pattern(r"[.!?]\s|\n\n|\n\s*[-*|]|\s\|\s")
# What Markdown renders as nothing: `[//]: # (text)` and its like.
_UNSEEN = lazy_pattern(r"[ \t]*\[(?://|comment|_|#|\.)[^\]\n]*\]:[ \t]*(?:#|<>)[ \t]*(.+)$", re.IGNORECASE)
_PROSE = frozenset({"markdown", "md", "text", "txt"})
_LONGEST = 6000  # characters of a passage


class Passage(NamedTuple):
    """A paragraph, a list item, a field of the front matter or a comment, in bare words."""

    file: str
    line: int
    text: str
    words: frozenset[str]
    heading: str = ""
    hidden: bool = False  # a reader of the page does not see it
    block: bool = False  # it stands in a code block, as a text to show or to copy


class Order(NamedTuple):
    """Words of a document that ask the agent for something."""

    file: str
    line: int
    text: str  # the sentence
    match: str  # the words of it that ask
    hidden: bool = False  # it stands where a reader of the page does not see it
    heading: str = ""
    passage: str = ""  # the whole paragraph, on one line


class Pattern(NamedTuple):
    """One line of the table."""

    kind: str
    words: frozenset[str]  # one of them stands in every passage that matches
    regex: re.Pattern[str]

    @property
    def asked(self) -> bool:
        """Whether a denial before the words makes them harmless."""
        return self.kind.startswith("asked")

    @property
    def anywhere(self) -> bool:
        """Whether the words count in sections of examples and background too."""
        return self.kind.endswith("+")


@cache
def patterns() -> dict[str, tuple[Pattern, ...]]:
    """All patterns by the name of what they ask for."""
    return load(_FILE)


def load(path: Path) -> dict[str, tuple[Pattern, ...]]:
    """Read a table; a row that cannot be read is refused with its line."""
    parts: dict[str, str] = {}
    found: dict[str, list[Pattern]] = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("{"):
            name, _, meaning = line.partition(" | ")
            parts[name] = _filled(meaning, parts)
            continue
        cells = line.split(" | ", _CELLS - 1)
        if len(cells) != _CELLS or cells[1] not in _KINDS or not all(cell.strip() for cell in cells):
            message = f"{path.name}:{number}: a cell is missing, or the kind is unknown"
            raise DataError(message, "write `name | kind | words | pattern`")
        name, kind, words, regex = cells
        row = Pattern(kind, frozenset(words.split()), lazy_pattern(_filled(regex, parts), re.IGNORECASE))
        found.setdefault(name, []).append(row)
    return {name: tuple(rows) for name, rows in found.items()}


def _filled(regex: str, parts: dict[str, str]) -> str:
    for name, meaning in parts.items():
        regex = regex.replace(name, meaning)
    return regex


@cache
def _triggers() -> frozenset[str]:
    """Every word without which no pattern matches."""
    return frozenset(word for rows in patterns().values() for row in rows for word in row.words)


def index_of(passages: tuple[Passage, ...]) -> dict[str, list[int]]:
    """Which passages hold a word, for the words on which patterns depend."""
    found: dict[str, list[int]] = {}
    for at, passage in enumerate(passages):
        for word in passage.words & _triggers():
            found.setdefault(word, []).append(at)
    return found


def passages(subject: Subject) -> Iterator[Passage]:
    """Everything that the agent reads as text: descriptions, paragraphs, comments and what is encoded in them."""
    for document in subject.skill.documents:
        if document.role == "people":
            continue
        front = document.front_matter
        for key, value in front.values.items():
            for text in _texts(value):
                yield _passage(document.path, front.line(key), text)
        for text, line, heading, _ in document.paragraphs:
            yield _passage(document.path, line, text, heading)
        for fence in document.fences:
            if fence.language in _PROSE:
                for text, line, heading, _ in inner(fence):
                    yield _passage(document.path, line, text, heading)._replace(block=True)
        for text, line in document.hidden:
            yield _passage(document.path, line, text, hidden=True)
            for plain in decoded_texts(text):
                yield _passage(document.path, line, plain, hidden=True)
        source = subject.skill.read(document.path) or b""
        lines = subject.lines(document.path) if b"]: #" in source or b"]: <>" in source else ()
        for number, text in enumerate(lines, 1):
            if text.lstrip().startswith("[") and (found := _UNSEEN.match(text)):
                yield _passage(document.path, number, found[1], hidden=True)


def _texts(value: Any) -> Iterator[str]:
    """The texts of a field of the front matter: a host may show any of them to the agent."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _passage(file: str, line: int, text: str, heading: str = "", *, hidden: bool = False) -> Passage:
    bare = text[:_LONGEST]
    if "*" in bare or "__" in bare or not bare.isascii():
        bare = unmasked(_DROP.sub("", bare))
    return Passage(file, line, bare, frozenset(_WORD.findall(bare.lower())), heading, hidden)


def ordered(subject: Subject, name: str) -> Iterator[Order]:
    """Every order of a kind in the documents."""
    rows = patterns()[name]
    index = subject.passage_index
    words = frozenset().union(*(row.words for row in rows))
    for at in sorted({at for word in words for at in index.get(word, ())}):
        passage = subject.passages[at]
        for row in rows:
            if row.words.isdisjoint(passage.words):
                continue
            if passage.block and not row.anywhere:
                continue
            if not passage.hidden and not row.anywhere and _is_background(passage.heading):
                continue
            found = next(_meant(passage, row), None)
            if found is not None:
                yield found
                break


@cache
def _is_background(heading: str) -> bool:
    return is_warning_heading(heading) or section_worth(heading) < 1


def _meant(passage: Passage, row: Pattern) -> Iterator[Order]:
    text = " ".join(passage.text.split("\n")) if "\n" in passage.text else passage.text
    for found in row.regex.finditer(text):
        begin, end = _sentence(passage.text, found.start(), found.end())
        before = passage.text[begin : found.start()]
        if not passage.hidden:
            line = passage.text[passage.text.rfind("\n", 0, found.start()) + 1 : found.start()]
            if len(_QUOTES.findall(line)) % 2 or "\u274c" in line or "\u2717" in line:
                continue
            if _ABOUT_OTHERS.search(before):
                continue
        if row.asked and _DENIED.search(before):
            continue
        sentence = " ".join(passage.text[begin:end].split())
        words = " ".join(passage.text[found.start() : max(found.end(), end)].split())
        at = passage.line + passage.text.count("\n", 0, found.start())
        yield Order(passage.file, at, sentence, words, passage.hidden, passage.heading, " ".join(passage.text.split()))


def _sentence(text: str, start: int, stop: int) -> tuple[int, int]:
    """The sentence around some words."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text, 0, start)]
    final = _SENTENCE_END.search(text, max(start, stop - 1))
    return (ends[-1] if ends else 0), (final.start() + 1 if final else len(text))
