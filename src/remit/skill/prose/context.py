"""The strength of a verb in a sentence: an instruction, a statement about the skill, or a mention."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    import re

    from remit.skill.prose.sentences import Sentence

FULL = 4  # an instruction, in quarters
_NEGATION_REACH = 16  # words before a verb: `do not write code, scaffold a project or …` holds for the whole list
_SHORT = 5  # words of an announcement that counts like a heading
STOPS = frozenset({".", ";", "!", "?", "\u2192", ":"})
_NEGATIONS = frozenset(
    "not never don't doesn't didn't avoid avoids avoiding without cannot can't won't shouldn't mustn't no nor instead rather "
    "isn't aren't refuse unless neither stop prevent prevents preventing".split()
)
_LEFT_OUT = frozenset("forget fail neglect omit hesitate".split())  # negated, they ask for what follows
_NO_NEGATION = frozenset("only already yet just sure forget".split())
_BEFORE_BASE = frozenset(
    "to and or then must should can will may could also always you please first next finally now just only simply "
    "immediately directly automatically carefully , ( : ; \u2192 \u2014 \u2013 / . ! ? let we i claude agent step ~command ~code "
    "optionally either both \u2705 \u2022 help helps helping".split()
)
_BEFORE_THIRD = frozenset("skill script tool it that which also , and workflow agent".split())
_BEFORE_GERUND = frozenset("for and , by when or before after while : start consider including involves of".split())
_ASKING = frozenset({"how", "whether", "where", "when"})  # `how to run it` is explained, not asked for
_OTHER_PEOPLE = frozenset(
    "user users they customer customers attacker attackers reader readers developer developers people human person engineer "
    "client server them everyone someone owner operator admin administrator maintainer author team".split()
)
_TALK = frozenset(
    "how instruction instructions way ways attempt attempts".split()
)  # of doing something: it is not asked for
_NEEDING = frozenset("requires required requirement requirements prerequisite prerequisites".split())
_NEEDS = lazy_pattern(
    r"\b(?:prerequisites?|(?:system |setup )?requirements?\Z|what you(?:'ll)? need|before you (?:start|begin))|\Acredentials\Z"
)


@cache
def _headings() -> tuple[tuple[re.Pattern[str], int], ...]:
    path = Path(__file__).with_name("data") / "headings.table"
    return tuple(
        _heading(line) for line in path.read_text("utf-8").splitlines() if line.strip() and line[0] not in "#["
    )


def _heading(line: str) -> tuple[re.Pattern[str], int]:
    pattern, _, worth = line.rpartition(" | ")
    return lazy_pattern(pattern.strip()), int(worth)


@cache
def section_worth(heading: str) -> int:
    """Return the weight of a sentence under these headings, in quarters."""
    for part in reversed(heading.lower().split(" / ")):
        for pattern, worth in _headings():
            if pattern.search(part):
                return worth
    return FULL


def list_worth(sentence: Sentence) -> int:
    """Return the weight of an item under the words that announce its list, as under a heading: `Never:`, `Examples:`."""
    if sentence.lead is None:
        return FULL
    words = sentence.lead.words[:-1]
    if len(words) > _SHORT:
        return FULL
    if any(
        word in _NEGATIONS and words[at + 1 : at + 2] not in {(kept,) for kept in _NO_NEGATION}
        for at, word in enumerate(words)
    ):
        return 0
    said = section_worth(" ".join(words))
    return said if said <= 1 else FULL  # `Follow these guidelines:` asks for what it announces


def lists_needs(sentence: Sentence) -> bool:
    """Whether a sentence lists requirements: by its position, its heading, or its first word."""
    if sentence.place == "needs" or sentence.words[0] in _NEEDING:
        return True
    return sentence.place != "title" and _heads_needs(sentence.heading)


@cache
def _heads_needs(heading: str) -> bool:
    return bool(_NEEDS.search(heading.lower().rpartition(" / ")[2]))


def verb_worth(sentence: Sentence, at: int, form: str) -> int:  # noqa: C901, PLR0911  one case for each form of sentence
    """Return the weight of a verb by its form and what precedes it, in quarters; 0 if it is no request."""
    words = sentence.words
    if words[-1] == "?":
        return 0  # a question asks for an answer
    before = words[at - 1] if at else ""
    if form == "base":
        if before and before not in _BEFORE_BASE and not before.endswith("ly") and not before.isdigit():
            return 0
        if before == "to" and at >= 2 and words[at - 2] in _TALK:
            return 1
        if (
            before in {"to", "can", "may", "will", "could", "should", "must"}
            and at >= 2
            and words[at - 2] in _OTHER_PEOPLE
        ):
            return 1
        if before == "to" and at >= 2 and words[at - 2] in _ASKING:
            return 1
        if sentence.place == "about":
            return 3 if at else FULL  # a description that begins with a verb says what the skill does
        return 2 if sentence.place == "title" else FULL
    if form == "s":
        if not before and sentence.place == "about":
            return FULL
        return 3 if not before or before in _BEFORE_THIRD else 0
    if form == "ing":
        if words[at] == "using" and before:
            return 3  # the means by which something is done
        if before == "by":
            return FULL  # how to do what is asked for
        return 2 if not before or before in _BEFORE_GERUND else 0
    return 0


def negated(words: tuple[str, ...], at: int) -> bool:
    """Whether a negation stands before a word in its clause."""
    for index in range(at - 1, max(-1, at - _NEGATION_REACH), -1):
        word = words[index]
        if word in STOPS or word in {"but", "\u2014", "otherwise"}:
            return False
        if word in _NEGATIONS:
            after = words[index + 1] if index + 1 < len(words) else ""
            return after not in _NO_NEGATION and _LEFT_OUT.isdisjoint(words[index + 1 : at])
    return False


def quoted(words: tuple[str, ...], at: int) -> bool:
    """Whether a word is inside quotation marks, which a later sentence may close: it is quoted speech, not a request of
    the skill.
    """
    return words[:at].count('"') % 2 == 1
