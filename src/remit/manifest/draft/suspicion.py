"""Locations in the text of a skill that a draft must not bless: hidden text, handing out everything, switched-off checks."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.core.scope import ScopeKind, parse_scope
from remit.manifest.draft.clues import Clue
from remit.manifest.model import Evidence
from remit.skill.commands import is_instruction, is_warning_heading
from remit.skill.prose.context import section_worth
from remit.skill.prose.lexicon import ENOUGH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.skill.document import Document
    from remit.skill.model import Skill

_DROP = re.compile(
    "[*`\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff]|(?<!\\w)_+|_+(?!\\w)|\\\\(?=[A-Za-z])"
)
_GAP = re.compile(r"(?:\s|<br\s{0,9}/?>|&nbsp;|&#(?:32|160|x20|xa0);|(?<=\s)>)+", re.IGNORECASE)
_NOISE = re.compile(f"{_DROP.pattern}|{_GAP.pattern}", re.IGNORECASE)


def bare(text: str) -> str:
    """The words of a text, with one space between them."""
    return _GAP.sub(" ", _DROP.sub("", text))


def raw_places(text: str, words: str) -> list[int]:
    """For each character of the bare words of a text, where it stands in the text."""
    solid = _solid(text)
    out: list[int] = []
    at = 0
    for letter in words:
        if letter != " ":
            at = next(solid, at)
        out.append(at)
    return out


def _solid(text: str) -> Iterator[int]:
    at = 0
    for noise in _NOISE.finditer(text):
        yield from range(at, noise.start())
        at = noise.end()
    yield from range(at, len(text))


_PATTERNS_FILE = "suspicious.table"
_KINDS = ("sentence", "words", "command", "hidden")


class Pattern(NamedTuple):
    """Where words are looked for, the words, why they are suspicious and what is denied for them."""

    kind: str
    words: re.Pattern[str]
    why: str
    denies: str
    quick: re.Pattern[str] | None = None  # finds the same in `lowered` text, in a third of the time

    def may_be_in(self, text: str) -> bool:
        """Whether the words can stand in a text, given as `lowered` gives it."""
        return self.quick is None or self.quick.search(text) is not None


_LETTERS = str.maketrans({"\u0130": "i", "\u0131": "i", "\u017f": "s"})  # which count as these if case is ignored


def lowered(text: str) -> str:
    """A text in lower case, with the letters that a pattern takes for others when it ignores case."""
    return (text if text.isascii() else text.translate(_LETTERS)).lower()


def _quick_pattern(words: str) -> re.Pattern[str] | None:
    return re.compile(words) if words.isascii() and words == words.lower() else None


@cache
def patterns() -> tuple[Pattern, ...]:
    """The patterns of this version."""
    return read_patterns(files("remit.manifest.draft").joinpath(f"data/{_PATTERNS_FILE}").read_text("utf-8"))


def read_patterns(text: str) -> tuple[Pattern, ...]:
    """Read a table; a row that cannot be read is refused with its line."""
    parts: dict[str, str] = {}
    out: list[Pattern] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        where = f"{_PATTERNS_FILE}:{number}"
        head, _, rest = line.partition(" | ")
        for part, meaning in parts.items():
            rest = rest.replace(part, meaning)
        if head.startswith("{"):
            parts[head] = rest
            continue
        cells = rest.rsplit(" | ", 2)
        if head not in _KINDS or len(cells) != 3 or not all(cells):
            raise DataError(
                f"{where}: `{head}` is no kind of row, or a cell is missing", f"begin it with {', '.join(_KINDS)}"
            )
        if cells[2] not in vocabulary():
            raise DataError(f"{where}: `{cells[2]}` is not a capability", "`remit explain` lists all")
        try:
            out.append(Pattern(head, re.compile(cells[0], re.IGNORECASE), cells[1], cells[2], _quick_pattern(cells[0])))
        except re.error as error:
            raise DataError(f"{where}: the pattern cannot be read: {error}", "correct it") from None
    return tuple(out)


# Characters that a reader does not see and a model does: zero width, direction marks, tags. Joiners inside emoji and scripts are usual.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u115f\u1160\u180e\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\u3164\ufeff\uffa0\U000e0000-\U000e0fff]"
)
HIDING = re.compile(
    r"<\w+[^>]{0,300}style\s*=\s*[\"'][^\"']{0,200}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|"
    r"color\s*:\s*(?:white|#fff(?:fff)?)\b|opacity\s*:\s*0(?![.\d]))[^\"']{0,200}[\"'][^>]{0,100}>\s*\S"
    r"|<\w+(?:\s[^>]{0,100})?\shidden(?:\s[^>]{0,100})?>\s*\S",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"(?:^|[.:;,!?(|\[#>\u2014\u2013]|\b(?:and|then|to|must|should|always|also|you|please|first|next|now|immediately|silently|will|can))[\s*_`>\d.)-]*$",
    re.IGNORECASE,
)
_ABOUT_OTHERS = re.compile(
    r"\b(?:attack\w*|malicious|adversar\w+|users? asks?|detect\w*|flags?|example|e\.g\.|such as|attempts?)\b",
    re.IGNORECASE,
)
_QUOTES = re.compile('["\u201c\u201d]')
_SHELLS = frozenset({"", "bash", "sh", "shell", "zsh", "console", "text", "powershell"})
_HIDDEN = "it is hidden from a reader of the page"
_HOST = re.compile(r"(?:https?://|@)([\w.-]+\.[a-z]{2,})", re.IGNORECASE)


_PARTS = re.compile(r"&&|\|\||;")  # of a line of commands
_SENTENCE_END = re.compile(r"[.!?]\s|\n\n")
_LONGEST = 1000  # characters of a sentence to either side of suspicious words


class Suspicion(NamedTuple):
    """A suspicious place: its first and last line, what is wrong and the words."""

    file: str
    line: int
    last: int
    reason: str
    text: str
    denies: str  # a capability


def suspicions(skill: Skill) -> tuple[Suspicion, ...]:
    """Every suspicious place of the skill's documents, in order."""
    return tuple(
        item
        for document in skill.documents
        if document.role != "people"
        for item in sorted(set(_in_document(document)))
    )


def asked_by(item: Suspicion) -> Iterator[Clue]:
    """What is denied because of a suspicious place: on the hosts that it names, if the capability is about hosts."""
    place = Evidence(item.file, item.line, item.text, item.reason)
    hosts = _HOST.findall(item.text) if vocabulary()[item.denies].scope_kind is ScopeKind.HOST else []
    for host in hosts:
        yield Clue(item.denies, ENOUGH, "suspicion", place, parse_scope(ScopeKind.HOST, host.lower()))
    if not hosts:
        yield Clue(item.denies, ENOUGH, "suspicion", place)


def _in_document(document: Document) -> Iterator[Suspicion]:
    path = document.path
    front = document.front_matter
    for key, value in front.values.items():
        for text in _texts(value):
            yield from _in_prose(path, text, front.line(key), "")
    for text, line, heading, _ in document.paragraphs:
        yield from _in_prose(path, text, line, heading)
    for fence in document.fences:
        yield from _invisible(path, fence.text, fence.line)
        if fence.language in _SHELLS and section_worth(fence.heading) > 1:
            for index, command in enumerate(fence.text.split("\n")):
                yield from _in_command(path, command.strip().removeprefix("$ "), fence.line + index)
    for span in document.spans:
        if is_instruction(span.sentence, span.heading) and section_worth(span.heading) > 1:
            yield from _in_command(path, span.text.strip(), span.line)
    for text, line in document.hidden:
        yield from _in_hidden(path, text, line)


def _texts(value: Any) -> Iterator[str]:
    """The texts of a field of the front matter: a host may show any of them to the agent."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _in_prose(path: str, text: str, line: int, heading: str) -> Iterator[Suspicion]:
    yield from _invisible(path, text, line)
    if "<" in text and (hiding := HIDING.search(text)):
        yield _place(path, text, line, hiding.span(), _HIDDEN)
    if is_warning_heading(heading) or "\u274c" in text:
        return
    words = bare(text)
    plain = lowered(words)
    back: list[int] = []
    for pattern in patterns():
        if pattern.kind not in ("sentence", "words") or not pattern.may_be_in(plain):
            continue
        for found in pattern.words.finditer(words):
            back = back or raw_places(text, words)
            begin, end = back[found.start()], back[found.end() - 1] + 1
            if _is_request(text[max(0, begin - 200) : begin], pattern.kind, heading):
                yield _place(path, text, line, (begin, end), pattern.why, pattern.denies)
                break


def _is_request(before: str, kind: str, heading: str) -> bool:
    """Whether words stand for themselves: nobody is quoted, nothing is said about others who do it."""
    line = before.rpartition("\n")[2]
    if len(_QUOTES.findall(line)) % 2 or _ABOUT_OTHERS.search(re.split(r"[.|]", line)[-1]):
        return False
    return kind == "words" or (section_worth(heading) > 1 and _REQUEST.search(before) is not None)


def _in_command(path: str, command: str, line: int) -> Iterator[Suspicion]:
    if not command:
        return
    parts = {command, *(part.strip() for part in _PARTS.split(command))}
    for pattern in patterns():
        if pattern.kind == "command" and any(pattern.words.match(part) for part in parts):
            yield Suspicion(path, line, line, pattern.why, command[:200], pattern.denies)


def _in_hidden(path: str, text: str, line: int) -> Iterator[Suspicion]:
    words = bare(text)
    for pattern in patterns():
        if pattern.kind == "hidden" and (found := pattern.words.search(text)):
            yield _place(path, text, line, found.span(), pattern.why, pattern.denies)
            return
        if pattern.kind in ("sentence", "words") and (found := pattern.words.search(words)):
            reason = f"{_HIDDEN}, and {pattern.why}"
            back = raw_places(text, words)
            span = (back[found.start()], back[found.end() - 1] + 1)
            yield _place(path, text, line, span, reason, pattern.denies)
            return


def _invisible(path: str, text: str, line: int) -> Iterator[Suspicion]:
    if found := _INVISIBLE.search(text):
        yield _place(path, text, line, found.span(), "it holds characters that a reader does not see")


def _place(path: str, text: str, line: int, span: tuple[int, int], reason: str, denies: str = "web.post") -> Suspicion:
    """The sentence that holds the words: what else it asks for is as suspicious, on whichever line it stands."""
    begin, end = span
    ends = [found.end() for found in _SENTENCE_END.finditer(text, max(0, begin - _LONGEST), begin)]
    start = ends[-1] if ends else max(0, begin - _LONGEST)
    final = _SENTENCE_END.search(text, end, end + _LONGEST)
    stop = final.start() if final else min(len(text.rstrip()), end + _LONGEST)
    first = line + text.count("\n", 0, start)
    last = line + text.count("\n", 0, stop)
    shown = text[text.rfind("\n", 0, begin) + 1 : end + 80].partition("\n\n")[0]
    return Suspicion(path, first, last, reason, " ".join(shown.split())[:200], denies)
