"""Scores sections of the text by how much they read like orders that work against the user.

The score is a sum of weights over the words and pairs of words of a section and over what its clauses mean, fitted by
`bench/fit_orders.py` to passages that were written for it (bench/data/orders.jsonl) and to public skills. It finds what no list of phrases can name; it is a sign, not a proof.
"""

from __future__ import annotations

import itertools
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import DataError
from remit.core.patterns import lazy_pattern
from remit.findings.clauses import clauses_of, spans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.orders import Passage, Reading

FILE = Path(__file__).with_name("data") / "order_weights.table"
_LONGEST = 1200  # characters of a section that is scored at once
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
_SENTENCE = lazy_pattern(r"(?<=[.!?:;|])\s+|\n")


class Scored(NamedTuple):
    """A section with its score, and the sentence that speaks most for it."""

    score: int
    file: str
    line: int
    text: str
    passages: tuple[int, ...]  # by their numbers


@cache
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


def terms(text: str) -> set[str]:
    """All by which a text is scored: its words, and what its clauses mean."""
    return words(text) | meanings(text)


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


def meanings(text: str) -> set[str]:
    """The features of the clauses of a text (clauses.py), each after `=`, and the kinds of receivers, after `=@`."""
    found: set[str] = set()
    for begin, end in spans(text):
        for clause in clauses_of(text, begin, end):
            found.update([f"={feature}" for feature in clause.features])
            found.update([f"=@{receiver.kind}" for receiver in clause.receivers])
    return found


def score(text: str) -> int:
    """How much a text reads like an order against the user."""
    known = weights()
    return known.get("", 0) + sum([known[term] for term in known.keys() & terms(text)])


def sections(passages: tuple[Passage, ...]) -> Iterator[list[int]]:
    """Numbers of passages that stand together under one heading; long sections in parts that overlap."""
    part: list[int] = []
    size = 0
    for number, passage in enumerate(passages):
        last = passages[part[-1]] if part else passage
        if part and (last.file, last.heading, last.hidden) != (passage.file, passage.heading, passage.hidden):
            yield part
            part, size = [], 0
        elif part and size + len(passage.text) > _LONGEST:
            yield part
            part, size = part[-1:], len(last.text)
        part.append(number)
        size += len(passage.text)
    if part:
        yield part


def scores(passages: tuple[Passage, ...], warned: tuple[bool, ...]) -> dict[int, int]:
    """By the number of a passage the score of its section; what is shown or warned of is left out."""
    found: dict[int, int] = {}
    for numbers in sections(passages):
        some = [number for number in numbers if not warned[number]]
        reached = score("\n".join(passages[number].text for number in some))
        for number in some:
            found[number] = max(reached, found.get(number, reached))
    return found


def scored(reading: Reading, least: int) -> Iterator[Scored]:
    """The sections whose score is not below the least, each once."""
    known = reading.scores
    for numbers in sections(reading.passages):
        some = [number for number in numbers if known.get(number, least - 1) >= least]
        lines = [(number, *one) for number in some for one in _sentences(reading.passages[number])]
        if lines:
            number, line, text = max(lines, key=lambda one: score(one[2]))
            yield Scored(known[number], reading.passages[number].file, line, text, tuple(some))


def _sentences(passage: Passage) -> Iterator[tuple[int, str]]:
    begin = 0
    for end in [*(found.end() for found in _SENTENCE.finditer(passage.text)), len(passage.text)]:
        text = " ".join(passage.text[begin:end].split())
        if text:
            yield passage.line + passage.text.count("\n", 0, begin), text
        begin = end
