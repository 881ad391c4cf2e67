"""Orders to the agent: what a skill's text asks for that harms the person for whom the agent works.

A passage is a paragraph, a list item, a field of the front matter or a comment in bare words. Passages are read as clauses
(`clauses.py`) and compared with what is harmful (`harms.py`). What is quoted, warned of or said of others is no order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.patterns import lazy_pattern
from remit.core.via import Cause
from remit.findings.clauses import ACTING, Clause, Receiver, Sentence, sentences_of
from remit.findings.encoded import decoded_texts
from remit.findings.harms import ANYTHING, Row, named, possible
from remit.findings.hosts import is_placeholder, kind_of, stands_for_other
from remit.findings.invisible import unmasked
from remit.findings.model import Severity
from remit.findings.order_score import Scores
from remit.findings.quotation import announces, is_mention, is_taken_up
from remit.findings.trust import is_anonymous, is_vendor, publisher_known
from remit.skill.document import caption, inner
from remit.skill.prose.transfers import may_send_to

if TYPE_CHECKING:
    from remit.findings.subject import Subject

# Layout and what is not seen between letters cannot part words that belong together.
_DROP = lazy_pattern("[*\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff]|(?<!\\w)__|__(?!\\w)")
# What Markdown renders as nothing: `[//]: # (text)` and its like.
_UNSEEN = lazy_pattern(r"[ \t]*\[(?://|comment|_|#|\.)[^\]\n]*\]:[ \t]*(?:#|<>)[ \t]*(.+)$", re.IGNORECASE)
_PROSE = frozenset({"markdown", "md", "text", "txt"})
_LONGEST = 6000  # characters of a passage
# A text with a lower score reads like what honest skills say; one without a known word has -440. What an order names that can be looked up
# (a host of an unknown owner, a file of others) speaks for itself: there the words have to speak against it.
_HONEST, _HONEST_OF_CONCRETE = -450, -650
_CONCRETE = frozenset({"fixed", "memoryfile", "wallet", "prior", "secret", "unseen"})
# A file or folder of others, all that is in a file of secrets, what a reviewer does not get
_CERTAIN = frozenset({"outside", "guide", "folder", "is:copied", "is:withheld"})
_AROUND = 2  # passages to either side that belong to an order
_ITEM = lazy_pattern(r"\s*(?:[-*+|]|\d+[.)])\s")
_PLACEHOLDER = lazy_pattern(
    r"^\w@\w\.|@(?:example|test|your\w*|my\w*|company|domain|email|acme|corp|mail|foo|x|host|site)\.|(?:someone|user|you|name|secret|manager|team|boss|person|bcc|recipient)\w*@",
    re.IGNORECASE,
)
_SAMPLE_NUMBER = lazy_pattern(r"1234567|(\d)\1{6}")  # digits that nobody has
_NO_DIGIT = lazy_pattern(r"\D")
# An address into which data is put: `?q=<text>`, `?q={text}`, `?q=TEXT`
_FILLED = lazy_pattern(r"[?&/#][^?&\s]*[<{$\[]|[?&]\w+=[A-Z][A-Z_]{2,}(?![\w%])")
# `| option | what it does |`: a row that begins with a name in code marks.
_DEFINITION = lazy_pattern(r"\s*\|\s*`[^`|\s]+`\s*\|")
_HOST = lazy_pattern(r"(?:\w+://)?(?:[^/@]*@)?([\w.-]+|\[[0-9a-f:]+\])(?::\d+)?(/.*)?\Z", re.IGNORECASE)


# A cross marks what not to do; a question asks for an answer, unless it is a polite order.
_NO_ORDER = lazy_pattern(
    r"[\u274c\u2717]|^(?!.*\b(?:you|why not|how about|what about)\b).*\?[\"'\u201d)*_]*$", re.IGNORECASE | re.DOTALL
)
_LINK = lazy_pattern(r"\W*\[[^\]]*\]\([^()\s]*\)\W*\Z")  # nothing but a link: an entry of a list of pages


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
    clauses: tuple[frozenset[str], ...]
    whole: frozenset[str]  # the features of all clauses
    receivers: tuple[Receiver, ...]


class Order(NamedTuple):
    """A sentence that asks the agent for something harmful."""

    file: str
    line: int
    text: str
    severity: Severity
    message: str


def passages(subject: Subject) -> Iterator[Passage]:  # noqa: C901  one case for each form of what is found
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
    return Passage(file, line, caption(bare), heading, hidden)


class Reading:
    """The sentences of a skill. A sentence is read when a rule may find something in it, and then once."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.passages = tuple(passages(subject))
        self.warned = tuple(_warned(self.passages))
        self._read: dict[tuple[int, Sentence], Statement] = {}

    @cached_property
    def sentences(self) -> tuple[tuple[Sentence, ...], ...]:
        """The sentences of each passage. Passages with the same text share them: documents repeat each other."""
        known: dict[str, tuple[Sentence, ...]] = {}
        for passage in self.passages:
            if passage.text not in known:
                known[passage.text] = sentences_of(passage.text)
        return tuple([known[passage.text] for passage in self.passages])

    @cached_property
    def possible(self) -> dict[str, list[tuple[int, Sentence, list[Row]]]]:
        """For each rule the passages and sentences in which it may find something, and by which rows."""
        found: dict[str, list[tuple[int, Sentence, list[Row]]]] = {}
        for number, sentences in enumerate(self.sentences):
            for sentence, row in possible(sentences):
                if self.warned[number] and (self.passages[number].block or not _is_certain(row)):
                    continue
                before = found.setdefault(row.rule, [])
                if not before or before[-1][:2] != (number, sentence):
                    before.append((number, sentence, []))
                before[-1][2].append(row)
        return found

    @cached_property
    def scores(self) -> Scores:
        """How much each part of the text reads like an order against the user."""
        return Scores(self)

    def statement(self, number: int, sentence: Sentence) -> Statement:
        """A sentence of a passage, read as clauses."""
        known = self._read.get((number, sentence))
        if known is None:
            known = self._read[number, sentence] = self._statement(self.passages[number], sentence)
        return known

    def _statement(self, passage: Passage, sentence: Sentence) -> Statement:
        text, read = sentence.text, sentence.clauses
        owned = [_with_owners(self.subject, clause) for clause in read]
        row = passage.text[passage.text.rfind("\n", 0, sentence.begin) + 1 : sentence.end] if "\n" not in text else text
        clauses = named(_handing_over(clause, row if row.lstrip().startswith("|") else text) for clause in owned)
        receivers = tuple(receiver for clause in read for receiver in clause.receivers)
        whole = frozenset().union(*clauses)
        line = passage.line + sentence.lines_before
        return Statement(passage.file, line, " ".join(text.split()), passage.hidden, clauses, whole, receivers)

    def neighbours(self, number: int) -> Iterator[int]:
        """The passages around one under the same heading, without what is shown or warned of."""
        here = self.passages[number]
        for other in range(max(0, number - _AROUND), min(len(self.passages), number + _AROUND + 1)):
            there = self.passages[other]
            if not self.warned[other] and (there.file, there.heading) == (here.file, here.heading):
                yield other

    def around(self, number: int, statement: Statement) -> frozenset[str]:
        """The features of what stands around a sentence under the same heading, and whether commands act there."""
        found: set[str] = set()
        for other in self.neighbours(number):
            found.update(*(self.statement(other, one).whole for one in self.sentences[other]))
        if _acts_near(self.subject, statement.file, statement.line):
            found.add("acts")
        return frozenset(found)


# What commands near a sentence do that makes it grave: they send, read secrets, delete, or change what the agent is told.
_ACTS = frozenset(
    "web.post api.call net.connect message.send commit.push secret.read memory.write policy.expand file.delete"
    " schedule.create".split()
)
_LINES_NEAR = 10  # to either side


def _acts_near(subject: Subject, file: str, line: int) -> bool:
    return any(
        effect.where.file == file
        and abs(effect.where.line - line) <= _LINES_NEAR
        and effect.via.cause is not Cause.SENTENCE
        and not effect.via.possible
        for effect in subject.with_capability(*_ACTS)
    )


def _warned(every: tuple[Passage, ...]) -> Iterator[bool]:
    """For each passage whether it is a text to show or a list of what not to do."""
    lead = ""
    for at, passage in enumerate(every):
        item = _ITEM.match(passage.text) is not None
        if not item:
            lead = passage.text
        announced = item and announces(lead, passage.text)
        shown = is_mention("", passage.heading) or (announced and is_mention(lead, ""))
        yield passage.block or (shown and not passage.hidden and not _is_taken_up(every, at))


def _is_taken_up(every: tuple[Passage, ...], at: int) -> bool:
    here = every[at]
    after = (one for one in every[at + 1 :] if one.file == here.file)
    return is_taken_up((one.text, one.heading == here.heading) for one in after)


def _with_owners(subject: Subject, clause: Clause) -> Clause:
    """A clause with what is known of its receivers."""
    if not clause.receivers:
        return clause
    found = {feature for receiver in clause.receivers for feature in _owner(subject, receiver)}
    return clause._replace(features=clause.features | found)


def _handing_over(clause: Clause, sentence: str) -> Clause:
    """A clause with the feature `given` if something is handed over to a receiver that the text fixes."""
    if "fixed" not in clause.features:
        return clause
    places = [sentence.find(receiver.text) for receiver in clause.receivers]
    given = any(at > 0 and may_send_to(sentence[:at]) for at in places)
    return clause._replace(features=clause.features | {"given"}) if given else clause


def _owner(subject: Subject, receiver: Receiver) -> tuple[str, ...]:
    filled = ("filled",) if _FILLED.search(receiver.text) else ()
    if receiver.kind == "phone" and _SAMPLE_NUMBER.search(_NO_DIGIT.sub("", receiver.text)):
        return ("somebody",)
    if receiver.kind in ("wallet", "phone", "bucket"):
        return "fixed", receiver.kind
    found = _HOST.match(receiver.text)
    host = found[1].lower().rstrip(".") if found else ""
    if receiver.kind == "mail" and _PLACEHOLDER.search(receiver.text):
        return ("somebody",)
    if not host or kind_of(host) == "local" or is_placeholder(host):
        return ("url",)
    if is_anonymous(host):
        return "fixed", "anonymous", receiver.kind, *filled
    if receiver.kind == "mail" and kind_of(host) == "mailbox":
        return "mail", "known" if receiver.text.lower() in subject.description else "fixed", *filled
    known = "vendor" if is_vendor(host) else publisher_known(subject, host, (found[2] or "") if found else "")
    if stands_for_other(host) or (known == "mentioned" and receiver.kind != "url"):
        known = ""  # a bare address mentions itself
    return receiver.kind, "known" if known else "fixed", *filled


def ordered(subject: Subject, rule: str) -> Iterator[Order]:
    """Every harmful order of which a rule speaks."""
    reading = subject.reading
    for number, sentence, rows in reading.possible.get(rule, ()):
        statement = reading.statement(number, sentence)
        row = next((row for row in rows if _holds(row, reading, number, statement)), None)
        if row is not None:
            receiver = next((one.text for one in statement.receivers), "others")
            message = row.message.replace("{receiver}", receiver)
            severity = row.severity
            if severity is Severity.HIGH and not statement.hidden:
                defined = not statement.receivers and _defines(reading.passages[number], sentence)
                if defined or not _agrees(reading, number, statement, row):
                    severity = Severity.MEDIUM
            yield Order(statement.file, statement.line, statement.text, severity, message)


def has_orders(reading: Reading, passages: Iterable[int]) -> bool:
    """Whether a harmful order of any kind stands in one of the passages."""
    some = frozenset(passages)
    return any(
        any(_holds(row, reading, number, reading.statement(number, sentence)) for row in rows)
        for found in reading.possible.values()
        for number, sentence, rows in found
        if number in some
    )


def has_fixed_receiver(reading: Reading, number: int) -> bool:
    """Whether a passage names an address, a mailbox or an account whose owner neither the description nor the rest of the text names."""
    return any("fixed" in reading.statement(number, one).whole for one in reading.sentences[number])


def _defines(passage: Passage, sentence: Sentence) -> bool:
    """Whether a sentence stands in the second cell of a table and says what the name in the first one does."""
    begin = passage.text.rfind("\n", 0, sentence.begin + 1) + 1
    found = _DEFINITION.match(passage.text, begin)
    return (
        found is not None and found.end() <= sentence.end and "\n" not in passage.text[begin : sentence.begin].strip()
    )


def _agrees(reading: Reading, number: int, statement: Statement, row: Row) -> bool:
    """Whether the words around an order do not speak against it: one reader alone is no reason to refuse a skill."""
    if _is_certain(row):
        return True
    concrete = any(row.clause.hold(clause) and not clause.isdisjoint(_CONCRETE) for clause in statement.clauses)
    return reading.scores.reaches(number, _HONEST_OF_CONCRETE if concrete else _HONEST)


def _is_certain(row: Row) -> bool:
    """Whether a row speaks of something that is one under whichever heading and whatever the words around it."""
    return any(group <= _CERTAIN for group in row.clause.groups)


def _holds(row: Row, reading: Reading, number: int, statement: Statement) -> bool:
    if not row.sentence.hold(statement.whole) or (not statement.hidden and _is_no_order(statement)):
        return False
    at = next((at for at, clause in enumerate(statement.clauses) if row.clause.hold(clause)), None)
    if at is None or (not statement.hidden and _about_others(statement, at)):
        return False
    if _is_report(statement.clauses[at]) and not any(_names_act(group) for group in row.clause.groups):
        return False
    return row.near == ANYTHING or row.near.hold(reading.around(number, statement))


def _is_no_order(statement: Statement) -> bool:
    """Whether a sentence is a question, a row with a cross, or a link whose text asks for nothing."""
    if _NO_ORDER.search(statement.text):
        return True
    return _LINK.match(statement.text) is not None and not any(
        one.startswith(("do:", "no:")) for one in statement.whole
    )


def _is_report(clause: frozenset[str]) -> bool:
    """Whether a clause says what happened, and asks for nothing."""
    return any(one.startswith("did:") for one in clause) and not any(one.startswith(_ASKING) for one in clause)


def _names_act(group: frozenset[str]) -> bool:
    return any(feature.partition(":")[0] in ACTING for feature in group if ":" in feature)


_ASKING = ("do:", "no:")


def _about_others(statement: Statement, at: int) -> bool:
    return any(not clause.isdisjoint(("cited", "outsider")) for clause in statement.clauses[: at + 1])
