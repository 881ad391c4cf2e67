"""Orders to the agent: what a skill's text asks for that harms the person for whom the agent works.

A passage is a paragraph, a list item, a field of the front matter or a comment in bare words. Passages are read as clauses
(`clauses.py`) and compared with what is harmful (`harms.py`). What is quoted, warned of or said of others is no order.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.findings.clauses import Clause, sentences
from remit.findings.encoded import decoded_texts
from remit.findings.harms import named, table
from remit.findings.hosts import kind_of, stands_for_other
from remit.findings.invisible import unmasked
from remit.findings.surroundings import acts_near
from remit.findings.trust import is_anonymous, publisher_known
from remit.skill.commands import is_warning_heading
from remit.skill.document import inner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.clauses import Receiver
    from remit.findings.model import Severity
    from remit.findings.subject import Subject

# Layout and what is not seen between letters cannot part words that belong together.
_DROP = re.compile("[*\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff]|(?<!\\w)__|__(?!\\w)")
# What Markdown renders as nothing: `[//]: # (text)` and its like.
_UNSEEN = re.compile(r"[ \t]*\[(?://|comment|_|#|\.)[^\]\n]*\]:[ \t]*(?:#|<>)[ \t]*(.+)$", re.IGNORECASE)
_PROSE = frozenset({"markdown", "md", "text", "txt"})
_LONGEST = 6000  # characters of a passage
_AROUND = 2  # passages to either side that belong to an order
_ITEM = re.compile(r"\s*(?:[-*+|]|\d+[.)])\s")
_PLACEHOLDER = re.compile(
    r"@(?:example|test|company|domain|your|email|acme|corp|mail|foo|x)\b|(?:someone|user|you|name|secret|manager|team|boss|person|bcc|recipient)\w*@",
    re.IGNORECASE,
)
_FILLED = re.compile(r"[?&/#][^?&\s]*[<{$\[]")  # an address into which data is put
_HOST = re.compile(r"(?:\w+://)?(?:[^/@]*@)?([\w.-]+|\[[0-9a-f:]+\])(?::\d+)?(/.*)?\Z", re.IGNORECASE)


class Passage(NamedTuple):
    """A paragraph, a list item, a field of the front matter or a comment, in bare words."""

    file: str
    line: int
    text: str
    heading: str = ""
    hidden: bool = False  # a reader of the page does not see it
    block: bool = False  # it stands in a code block, as a text to show or to copy


class Statement(NamedTuple):
    """A sentence that may be an order: where it stands, and the features of its clauses."""

    file: str
    line: int
    text: str
    hidden: bool
    passage: int  # its number
    clauses: tuple[frozenset[str], ...]
    whole: frozenset[str]  # the features of all clauses
    receivers: tuple[Receiver, ...]
    meant: bool  # it is no quotation, warning or talk of others


class Order(NamedTuple):
    """A sentence that asks the agent for something harmful."""

    file: str
    line: int
    text: str
    severity: Severity
    message: str
    hidden: bool = False


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
        for inside in value.values() if isinstance(value, dict) else value:
            yield from _texts(inside)


def _passage(file: str, line: int, text: str, heading: str = "", *, hidden: bool = False) -> Passage:
    bare = text[:_LONGEST]
    if "*" in bare or "__" in bare or not bare.isascii():
        bare = unmasked(_DROP.sub("", bare))
    return Passage(file, line, bare, heading, hidden)


def statements(subject: Subject) -> Iterator[Statement]:
    """Every sentence of the passages, read as clauses."""
    lead = False  # the list that follows is one of what not to do
    for number, passage in enumerate(subject.passages):
        if passage.block:
            continue
        item = _ITEM.match(passage.text) is not None
        warned = not passage.hidden and (_is_warning(passage.heading) or (item and lead))
        whole: frozenset[str] = frozenset()
        for sentence in sentences(passage.text):
            text = passage.text[sentence.start : sentence.end]
            clauses = named(_with_owners(subject, clause) for clause in sentence.clauses)
            whole = frozenset().union(*clauses)
            bad = warned or (not passage.hidden and ("\u274c" in text or "\u2717" in text))
            at = passage.line + passage.text.count("\n", 0, sentence.start + len(text) - len(text.lstrip()))
            shown = " ".join(text.split())
            yield Statement(
                passage.file, at, shown, passage.hidden, number, clauses, whole, sentence.receivers, not bad
            )
        if not item:
            ends = passage.text.rstrip().endswith(":")
            lead = ends and not whole.isdisjoint(("not", "others", "outsider"))


def _with_owners(subject: Subject, clause: Clause) -> Clause:
    """A clause with what is known of its receivers."""
    if not clause.receivers:
        return clause
    found = {feature for receiver in clause.receivers for feature in _owner(subject, receiver)}
    return clause._replace(features=clause.features | found)


def _owner(subject: Subject, receiver: Receiver) -> tuple[str, ...]:
    filled = ("filled",) if _FILLED.search(receiver.text) else ()
    if receiver.kind in ("wallet", "phone", "bucket"):
        return "fixed", receiver.kind
    found = _HOST.match(receiver.text)
    host = found[1].lower().rstrip(".") if found else ""
    if receiver.kind == "mail" and _PLACEHOLDER.search(receiver.text):
        return ("somebody",)
    if not host or kind_of(host) == "local":
        return ("url",)
    if is_anonymous(host):
        return "fixed", "anonymous", receiver.kind, *filled
    known = not stands_for_other(host) and publisher_known(subject, host, (found[2] or "") if found else "")
    return receiver.kind, "known" if known else "fixed", *filled


@cache
def _is_warning(heading: str) -> bool:
    return is_warning_heading(heading)


def ordered(subject: Subject, rule: str) -> Iterator[Order]:
    """Every harmful order of which a rule speaks."""
    rows = table().rows[rule]
    for statement in subject.statements:
        if not statement.meant:
            continue
        for row in rows:
            if not row.sentence.hold(statement.whole):
                continue
            at = next((n for n, clause in enumerate(statement.clauses) if row.clause.hold(clause)), -1)
            if at < 0 or (not statement.hidden and _about_others(statement, at)):
                continue
            if row.near.groups or row.near.without:
                if not row.near.hold(_around(subject, statement)):
                    continue
            receiver = next((one.text for one in statement.receivers), "")
            message = row.message.replace("{receiver}", receiver or "others")
            yield Order(statement.file, statement.line, statement.text, row.severity, message, statement.hidden)
            break


def _about_others(statement: Statement, at: int) -> bool:
    return any(not clause.isdisjoint(("others", "outsider")) for clause in statement.clauses[: at + 1])


def _around(subject: Subject, statement: Statement) -> frozenset[str]:
    """The features of what stands around a sentence under the same heading, and whether commands act there."""
    every = subject.passages
    here = every[statement.passage]
    found: set[str] = set()
    for other in subject.statements:
        if abs(other.passage - statement.passage) <= _AROUND and other.meant:
            there = every[other.passage]
            if there.file == here.file and there.heading == here.heading:
                found |= other.whole
    if acts_near(subject, statement.file, statement.line):
        found.add("acts")
    return frozenset(found)
