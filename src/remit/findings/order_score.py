"""Scores windows of a few sentences by how much they read like orders that work against the user.

The score is a sum of weights over the words and pairs of words of a window and over what its clauses mean, fitted by
`bench/fit_orders.py` to passages that were written for it (bench/data/orders.jsonl) and to public skills. It finds what no list of phrases can name; it is a sign, not a proof.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from remit.core.errors import DataError
from remit.core.patterns import lazy_pattern
from remit.core.table_store import stored_table
from remit.findings.clauses import PREPOSITIONS, QUOTES, Sentence, WordBits, sentences_of, word_bits, words_of

if TYPE_CHECKING:
    from remit.findings.orders import Reading

# Hundredths of a unit of log odds: a text to look at first, and one that is a reason to refuse
LEAST, GRAVE = -40, 130
FILE = Path(__file__).with_name("data") / "order_weights.table"
# Measured on public skills: windows of a short text, and what twice as many add to the highest score of all and of those in which
# a row of harms.table holds
_SHORT, _BY_LENGTH, _BY_LENGTH_OF_ORDERS = 30, 40, 50
_SENTENCES = 3  # of a window: what an order takes, so that honest sentences around it do not outweigh it
_WORDS = 50  # of a window: 95 % of the hostile passages of bench/data/orders.jsonl have fewer in theirs
_ADDRESS = lazy_pattern(r"\w+://\S+|\S+@\S+|\b(?:[\w-]+\.)+[a-z]{2,}(?:/\S*)?", re.IGNORECASE)
_MAY_BE_ADDRESS = lazy_pattern(r"://|@|\.[a-z]", re.IGNORECASE)  # what every address has, inside of one word
_WORD = lazy_pattern(r"[a-z][a-z']+")
_ACTIVATION = lazy_pattern(
    r"\W*(?:always )?(?:load|use|activate|invoke|apply|trigger|open|consult) (?:this|the) skill (?:when(?:ever)?|if|before|after|for|as soon as)\b",
    re.IGNORECASE,
)
# Words that say nothing by themselves: two of them together only tell one author's style from another's.
_FUNCTION_WORDS = frozenset(
    "a an the this that these those it its of in on at by for from with as is are was were be been being to and or but if then so than into"
    " over under per via each any all some only also just more most very own same such there here they them he she his her we our us i my me"
    " do does did has have had will would can could should may might must shall what which who whom whose when where why how one two up out"
    " about between during while because until both once again further other another first next last new within through across against".split()
)


S = TypeVar("S")


class SentenceScore:
    """A sentence of a passage with the weights of what it holds. What its clauses mean is read when a score depends on it."""

    __slots__ = ("gain", "most", "passage", "sentence", "weights")

    def __init__(self, passage: int, sentence: Sentence, terms: set[str], *, quotes: bool) -> None:
        self.passage, self.sentence = passage, sentence
        self.weights = _weighed(terms)
        self.most = _most(sentence, quotes=quotes)  # that its clauses may add
        self.gain = _gain(self.weights) + self.most  # that it adds to a window at most

    def read(self) -> None:
        """Add the weights of what the clauses mean."""
        self.weights |= _weighed(meanings(self.sentence))
        self.most, self.gain = 0, _gain(self.weights)


class Scores:
    """The windows of a text, and how much each reads like an order against the user."""

    def __init__(self, reading: Reading) -> None:
        self._windows: list[Sequence[SentenceScore]] = []
        for section in sections(reading):
            scores = [
                SentenceScore(number, sentence, terms, quotes=QUOTES.search(sentence.source) is not None)
                for number, sentence, terms in section
            ]
            self._windows += windows(scores)

    def above(self, least: int) -> list[tuple[int, Sequence[SentenceScore]]]:
        """The windows with at least this score, less what the length of the text alone brings; the highest first."""
        chance = _by_chance(len(self._windows), _BY_LENGTH)
        found = [(_sum(window) - chance, window) for window in self._windows if _reaches(window, least + chance)]
        return sorted(found, key=lambda one: -one[0])

    def reaches(self, passage: int, least: int) -> bool:
        """Whether a window that touches a passage has at least this score, less what the length of the text alone brings.

        True where nothing is scored.
        """
        near = [window for window in self._windows if any(one.passage == passage for one in window)]
        least += _by_chance(len(self._windows), _BY_LENGTH_OF_ORDERS)
        return not near or any(_reaches(window, least) for window in near)


@stored_table(dict[str, int])
def weights() -> dict[str, int]:
    """The weight of each word and pair of words; of no word the score of a text without any of them."""
    return load(FILE)


def load(path: Path) -> dict[str, int]:
    """Read `terms | weight`; a line that cannot be read is refused."""
    found: dict[str, int] = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line.startswith("#"):
            continue
        term, _, weight = line.partition(" | ")
        if not weight.lstrip("-").isdigit() or term in found:
            raise DataError(f"{path.name}:{number}: not `words | weight`, or there twice", "run bench/fit_orders.py")
        found[term] = int(weight)
    return found


def words(text: str) -> set[str]:
    """The words of a text and the pairs of neighbours among them; addresses say nothing about the order."""
    if _MAY_BE_ADDRESS.search(text):
        text = " ".join(
            [_ADDRESS.sub(" ", word) if "." in word or "@" in word or "://" in word else word for word in text.split()]
        )
    every = _WORD.findall(text.lower().replace("\u2019", "'"))
    found = set(every) - _FUNCTION_WORDS
    if found:
        found.update([f"{one} {two}" for one, two in itertools.pairwise(every) if one in found or two in found])
    return found


def meanings(sentence: Sentence) -> set[str]:
    """The features of the clauses of a sentence (clauses.py), each after `=`, and the kinds of receivers, after `=@`."""
    found: set[str] = set()
    for clause in sentence.clauses:
        found.update([f"={feature}" for feature in clause.features])
        found.update([f"=@{receiver.kind}" for receiver in clause.receivers])
    return found


def sections(reading: Reading) -> Iterator[list[tuple[int, Sentence, set[str]]]]:
    """The sentences that stand together under one heading, each with the number of its passage and its words; what is shown or warned of is left out."""
    section: list[tuple[int, Sentence, set[str]]] = []
    place: tuple[str, str, bool] = ("", "", False)
    for number, passage in enumerate(reading.passages):
        if (here := (passage.file, passage.heading, passage.hidden)) != place:
            if section:
                yield section
            section, place = [], here
        if not reading.warned[number]:
            section += [(number, *one) for one in _spoken(reading.sentences[number])]
    if section:
        yield section


def _spoken(sentences: tuple[Sentence, ...]) -> Iterator[tuple[Sentence, set[str]]]:
    """The sentences that say something, each with its words: no rows of dashes and numbers."""
    for whole in sentences:
        sentence = _without_activation(whole)
        found = words(sentence.text)
        if found or "://" in sentence.source or "@" in sentence.source:
            yield sentence, found


def _without_activation(sentence: Sentence) -> Sentence:
    """A sentence without its beginning if that only says when to load the skill: `Use this skill whenever`."""
    found = _ACTIVATION.match(sentence.text)
    return Sentence(sentence.source, sentence.begin + found.end(), sentence.end) if found else sentence


def windows(section: Sequence[S]) -> Iterator[Sequence[S]]:
    """The parts of a section that are scored: as many neighbouring sentences as an order takes."""
    for begin in range(max(1, len(section) - _SENTENCES + 1)):
        yield section[begin : begin + _SENTENCES]


def read(text: str) -> list[set[str]]:
    """All by which each sentence of a text is scored: its words, and what its clauses mean."""
    return [found | meanings(sentence) for sentence, found in _spoken(sentences_of(text))]


def score(text: str) -> int:
    """How much a text reads like an order against the user: the score of its worst window."""
    every = [SentenceScore(0, sentence, terms, quotes=True) for sentence, terms in _spoken(sentences_of(text))]
    for one in every:
        one.read()
    return max(map(_sum, windows(every)), default=weights().get("", 0))


def _weighed(found: set[str]) -> dict[str, int]:
    known = weights()
    return {term: known[term] for term in known.keys() & found}


def _by_chance(windows: int, by_length: int) -> int:
    """How much higher the highest score of a long harmless text is: the more windows it has, the more of them look like an order by chance."""
    return round(by_length * math.log2(max(1.0, windows / _SHORT)))


def _sum(window: Sequence[SentenceScore]) -> int:
    """The score of a window: at most, while some of its clauses are unread.

    A term counts once, in however many sentences it stands. Of a window longer than an order takes the share of an order counts: many words
    add up by chance.
    """
    every: dict[str, int] = {}
    for one in window:
        every |= one.weights
    found = sum(every.values()) + sum([one.most for one in window])
    if found > 0 and (length := sum([len(one.sentence.words) for one in window])) > _WORDS:
        found = found * _WORDS // length
    return weights().get("", 0) + found


def _gain(found: dict[str, int]) -> int:
    return sum([weight for weight in found.values() if weight > 0])


def _reaches(window: Sequence[SentenceScore], least: int) -> bool:
    """Whether a window has at least this score. Its clauses are read only as long as they could make it so."""
    if weights().get("", 0) + sum([one.gain for one in window]) < least:
        return False  # most windows, even if nothing in them spoke against it
    unread = sorted((one for one in window if one.most), key=lambda one: one.most)
    while _sum(window) >= least:
        if not unread:
            return True
        unread.pop().read()
    return False


# ── what the clauses of a sentence may add, known from its words ──


class _Gains(NamedTuple):
    """The features that add to a score, each a bit."""

    weights: tuple[int, ...]  # by the number of the bit
    words: WordBits
    quoted: int  # what stands in quotation marks
    only_with: tuple[tuple[frozenset[str], int], ...]  # words without which a sentence has none of some features


@stored_table(lambda fields: _Gains(fields[0], WordBits(*fields[1]), *fields[2:]))
def _gains() -> _Gains:
    known = {term[1:]: weight for term, weight in weights().items() if term.startswith("=") and weight > 0}
    bits = {feature: 1 << number for number, feature in enumerate(known)}
    ways: dict[str, set[str]] = {"no": set(words_of("not"))}
    for word, way in PREPOSITIONS.items():
        ways.setdefault(way, set()).add(word)
    only_with = tuple(
        (frozenset(some), sum(bits[one] for one in bits if one.removeprefix("said:").startswith(f"{way}:")))
        for way, some in ways.items()
        if way
    )
    quoted = sum(bits[one] for one in bits if one.startswith("said:"))
    return _Gains(tuple(known.values()), word_bits(bits), quoted, only_with)


def _most(sentence: Sentence, *, quotes: bool) -> int:
    """What the clauses of a sentence add to its score at most. `quotes`: quotation marks stand in its text."""
    vocabulary, gains = sentence.vocabulary, _gains()
    found = gains.words.reached(vocabulary)
    if not quotes:
        found &= ~gains.quoted
    for words, bits in gains.only_with:
        if found & bits and words.isdisjoint(vocabulary):
            found &= ~bits
    most = 0
    while found:
        most += gains.weights[found.bit_length() - 1]
        found ^= 1 << found.bit_length() - 1
    return most
