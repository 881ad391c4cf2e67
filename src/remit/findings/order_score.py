"""Scores windows of a few sentences by how much they read like orders that work against the user.

The score is a sum of weights over the words and pairs of words of a window and over what its clauses mean, fitted by
`bench/fit_orders.py` to passages that were written for it (bench/data/orders.jsonl) and to public skills. It finds what no list of phrases can name; it is a sign, not a proof.
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from remit.core.errors import DataError
from remit.core.patterns import lazy_pattern
from remit.core.table_store import stored_table
from remit.findings.clauses import clauses_of, spans

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remit.findings.orders import Passage

# Hundredths of a unit of log odds: a text to look at first, and one that is a reason to refuse
LEAST, GRAVE = -40, 75
FILE = Path(__file__).with_name("data") / "order_weights.table"
_SENTENCES = 3  # of a window: what an order takes, so that honest sentences around it do not outweigh it
_ADDRESS = lazy_pattern(r"\w+://\S+|\S+@\S+|\b(?:[\w-]+\.)+[a-z]{2,}(?:/\S*)?", re.IGNORECASE)
_MAY_BE_ADDRESS = lazy_pattern(r"://|@|\.[a-z]", re.IGNORECASE)  # what every address has, inside of one word
_WORD = lazy_pattern(r"[a-z][a-z']+")
# Words that say nothing by themselves: two of them together only tell one author's style from another's.
_FUNCTION_WORDS = frozenset(
    "a an the this that these those it its of in on at by for from with as is are was were be been being to and or but if then so than into"
    " over under per via each any all some only also just more most very own same such there here they them he she his her we our us i my me"
    " do does did has have had will would can could should may might must shall what which who whom whose when where why how one two up out"
    " about between during while because until both once again further other another first next last new within through across against".split()
)


S = TypeVar("S")


class Sentence(NamedTuple):
    """A sentence of a passage, and all by which it is scored."""

    passage: int
    begin: int
    end: int
    terms: set[str]


class Scored(NamedTuple):
    """A window with its score, and its sentences with the weights of what each of them holds."""

    score: int
    sentences: Sequence[tuple[Sentence, dict[str, int]]]


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
    found = {
        f"{one} {two}"
        for one, two in set(itertools.pairwise(every))
        if one not in _FUNCTION_WORDS or two not in _FUNCTION_WORDS
    }
    found.update(every)
    return found - _FUNCTION_WORDS


def meanings(text: str, begin: int, end: int) -> set[str]:
    """The features of the clauses of a sentence (clauses.py), each after `=`, and the kinds of receivers, after `=@`."""
    found: set[str] = set()
    for clause in clauses_of(text, begin, end):
        found.update([f"={feature}" for feature in clause.features])
        found.update([f"=@{receiver.kind}" for receiver in clause.receivers])
    return found


def sentences(passages: tuple[Passage, ...], warned: tuple[bool, ...]) -> Iterator[list[Sentence]]:
    """The sentences that stand together under one heading; what is shown or warned of is left out."""
    section: list[Sentence] = []
    place: tuple[str, str, bool] = ("", "", False)
    for number, passage in enumerate(passages):
        if (here := (passage.file, passage.heading, passage.hidden)) != place:
            if section:
                yield section
            section, place = [], here
        if not warned[number]:
            section += (Sentence(number, *one) for one in read(passage.text))
    if section:
        yield section


def read(text: str) -> Iterator[tuple[int, int, set[str]]]:
    """Where each sentence of a text begins and ends, and all by which it is scored: its words, and what its clauses mean."""
    for begin, end in spans(text):
        found = words(text[begin:end])
        if found or "://" in text or "@" in text:  # no rows of dashes and numbers
            yield begin, end, found | meanings(text, begin, end)


def windows(section: Sequence[S]) -> Iterator[Sequence[S]]:
    """The parts of a section that are scored: as many neighbouring sentences as an order takes."""
    for begin in range(max(1, len(section) - _SENTENCES + 1)):
        yield section[begin : begin + _SENTENCES]


def score(text: str) -> int:
    """How much a text reads like an order against the user: the score of its worst window."""
    every = [_weighed(found) for *_, found in read(text)]
    return max((_sum(window) for window in windows(every)), default=weights().get("", 0))


def scored(passages: tuple[Passage, ...], warned: tuple[bool, ...]) -> list[Scored]:
    """The score of every window of a text."""
    found: list[Scored] = []
    for section in sentences(passages, warned):
        every = [(sentence, _weighed(sentence.terms)) for sentence in section]
        for window in windows(every):
            reached = _sum([known for _, known in window])
            found.append(Scored(reached, window))
    return found


def _weighed(found: set[str]) -> dict[str, int]:
    known = weights()
    return {term: known[term] for term in found if term in known}


def _sum(window: Sequence[dict[str, int]]) -> int:
    """A term counts once, in however many sentences of a window it stands."""
    every: dict[str, int] = {}
    for one in window:
        every |= one
    return weights().get("", 0) + sum(every.values())
