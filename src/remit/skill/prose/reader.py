"""The capabilities that a sentence asks for, how strongly, and by which words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from remit.skill.prose.context import FULL, STOPS, list_worth, lists_needs, negated, quoted, section_worth, verb_worth
from remit.skill.prose.lexicon import Lexicon, Phrase, Rule, lexicon

if TYPE_CHECKING:
    from remit.skill.prose.sentences import Sentence


_PREPOSITIONS = frozenset(
    "from with for by via using based about on onto to into in inside as at against without within across through before "
    "after when while if so that which where because until unless per under over between among".split()
)
_ORIGINS = frozenset("from using based about via".split())
_MEASURES = frozenset("set sets suite series collection number kind kinds piece bunch group list version".split())
_JOINTS = frozenset({",", "/"})
_CALLED_SO = frozenset(
    "file files folder directory document page script module".split()
)  # `go.mod` file: the file itself
_FUNCTION_WORDS = _PREPOSITIONS | frozenset(
    "a an the this that these those its their your our his her my and or nor but of than then also too only again now here "
    "there it they them you we i he she is are was were be been has have had does do did can could may might must shall "
    "should will would not never just still already both either each every any all some no one two other another such same "
    "first next last yourself itself themselves how what why who whose once during since like e i g etc vs plus instead "
    "rather together accordingly directly first if unless otherwise whether up down out off away back more most less least "
    "end goes go needs need uses use works work fails fail passes pass contains contain exists exist changes matches match "
    "runs run requires require matters depends depend".split()
)


def modifies(words: tuple[str, ...], after: int) -> bool:
    """Whether a noun is only part of a longer one: `feature` in `feature branch`. `after` is the position of the next
    word.
    """
    if after >= len(words):
        return False
    word = words[after]
    if words[after - 1].startswith("~") and word in _CALLED_SO:
        return False
    return (
        word[0].isalpha() and word not in _FUNCTION_WORDS and not word.endswith(("ed", "ing", "ly")) and "'" not in word
    )


def ends_object(words: tuple[str, ...], at: int, kind: str) -> bool:
    """Whether the object of a verb ends before this word.

    `make`: with its noun phrase. `put`: at words for the origin, since only the product and its destination count.
    `do`: with the clause.
    """
    word = words[at]
    if word == "without":
        return True
    if kind != "make":
        return kind == "put" and word in _ORIGINS
    return word in _PREPOSITIONS or (word == "of" and words[at - 1] not in _MEASURES)


def enumerates_verbs(words: tuple[str, ...], start: int, at: int) -> bool:
    """Whether a word is in a row of verbs: `test` in `build, run, test`, which builds no test. `start` follows the
    verb.
    """
    return words[start] in _JOINTS and words[at - 1] in _JOINTS


def closes(words: tuple[str, ...], start: int, at: int) -> bool:
    """Whether a bracket closes here that was opened before the verb: what follows is another clause."""
    return words[at] == ")" and "(" not in words[start:at]


def begins_aside(words: tuple[str, ...], at: int) -> bool:
    """Whether a comma begins an accompanying action: `as you build, taking notes` builds no notes."""
    return words[at] == "," and at + 1 < len(words) and words[at + 1].endswith("ing")


_REACH = 9  # words between a verb and its object


class RequestedCapability(NamedTuple):
    """A capability, its points (`ENOUGH` require it) and the rule that matched."""

    capability: str
    points: int
    rule: str


def asked(sentence: Sentence, lexic: Lexicon | None = None) -> Iterator[RequestedCapability]:
    """Return what one sentence asks for; each capability once, by its strongest words."""
    worth = FULL if sentence.place == "about" else min(section_worth(sentence.heading), list_worth(sentence))
    if not worth or "\u274c" in sentence.words:
        return
    best: dict[str, tuple[int, str]] = {}
    lexic = lexic or lexicon()
    for capability, points, rule in (*_hits(sentence, lexic), *_announced(sentence, lexic)):
        score = points * worth // FULL
        if score > best.get(capability, (0, ""))[0]:
            best[capability] = (score, rule)
    for capability, (points, rule) in best.items():
        yield RequestedCapability(capability, points, rule)


def _hits(sentence: Sentence, lexic: Lexicon) -> Iterator[tuple[str, int, str]]:
    words = sentence.words
    ones = tuple(map(singular, words)) if lists_needs(sentence) else ()
    for at, word in enumerate(words):
        if word not in lexic.begins and not (ones and ones[at] in lexic.needs):
            continue
        for phrase, spoken in _phrases_at(lexic, words, ones, at):
            if _stands(spoken, at, phrase.words) and not negated(words, at) and phrase.without.isdisjoint(words):
                yield (
                    phrase.capability,
                    1 if quoted(words, at) else phrase.points,
                    f"{phrase.name} `{' '.join(words[at : at + len(phrase.words)])}`",
                )
        for base, form in _verbs_at(lexic, words, at):
            worth = verb_worth(sentence, at, form)
            if not worth or negated(words, at):
                continue
            worth = min(worth, 1) if quoted(words, at) else worth
            start = at + 1 + base.count("_")
            near = _near(words, start)
            for rule in lexic.verbs[base]:
                if rule.begins.isdisjoint(near):
                    continue  # most rules of a verb: its object is something else
                found = _object(words, start, rule, lexic.compounds)
                if found and not _spoken_against(words, at, rule.without):
                    yield rule.capability, max(1, rule.points * worth // FULL), f"{rule.name} `{base} … {found}`"


def _announced(sentence: Sentence, lexic: Lexicon) -> Iterator[tuple[str, int, str]]:
    """Return what the verb of an announcement does to the file that begins an item of its list: `Read these:` and
    `go.mod`.

    Only code counts: an item that begins with a plain word may well be a sentence of its own.
    """
    lead, item = sentence.lead, sentence.words[:1]
    if lead is None or not item[0].startswith("~"):
        return
    for at in range(len(lead.words)):
        for base, form in _verbs_at(lexic, lead.words, at):
            worth = verb_worth(lead, at, form)
            if (
                not worth
                or negated(lead.words, at)
                or not STOPS.isdisjoint(lead.words[at:-1])
                or quoted(lead.words, at)
            ):
                continue
            for rule in lexic.verbs[base]:
                if item in rule.objects and not _spoken_against((*lead.words[:-1], *item), at, rule.without):
                    yield rule.capability, max(1, rule.points * worth // FULL), f"{rule.name} `{base}: {item[0]}`"


def _phrases_at(
    lexic: Lexicon, words: tuple[str, ...], ones: tuple[str, ...], at: int
) -> Iterator[tuple[Phrase, tuple[str, ...]]]:
    """Return the phrases that may begin at a position, each with the words to look at: requirements are listed in the
    plural as well.
    """
    then = {words[at + 1], "*"} if at + 1 < len(words) else set()
    for phrase in lexic.phrases.get(words[at], ()):
        if len(phrase.words) == 1 or phrase.words[1] in then:  # many begin with `via` or `using`
            yield phrase, words
    for phrase in lexic.needs.get(ones[at], ()) if ones else ():
        yield phrase, ones


def _stands(words: tuple[str, ...], at: int, phrase: tuple[str, ...]) -> bool:
    """Whether a phrase is at a position; `*` in it is any word that ends no clause."""
    found = words[at : at + len(phrase)]
    return found == phrase or (
        "*" in phrase
        and len(found) == len(phrase)
        and all(
            word == meant or (meant == "*" and (word[0].isalnum() or word[0] == "~"))
            for word, meant in zip(found, phrase, strict=True)
        )
    )


def _verbs_at(lexic: Lexicon, words: tuple[str, ...], at: int) -> Iterator[tuple[str, str]]:
    yield from lexic.forms.get(words[at], ())
    if at + 1 < len(words):
        yield from lexic.forms.get(f"{words[at]}_{words[at + 1]}", ())


def _near(words: tuple[str, ...], start: int) -> set[str]:
    """Return the words that may begin the object of a verb; `*` is always one."""
    reached = words[start : start + _REACH]
    return {"*", *reached, *map(singular, reached)}


def _object(words: tuple[str, ...], start: int, rule: Rule, compounds: frozenset[tuple[str, str]]) -> str:
    """Return the object soon after a verb, in the same clause; empty if there is none.

    `*` is any, or none; `pdf_*` is `pdf` even as a part of a longer noun.
    """
    if ("*",) in rule.objects:
        return "*"
    for at in range(start, min(len(words), start + _REACH)):
        word = words[at]
        if (
            word in STOPS
            or closes(words, start, at)
            or begins_aside(words, at)
            or (at > start and ends_object(words, at, rule.kind))
        ):
            return ""
        one = singular(word)
        if (word not in rule.begins and one not in rule.begins) or (at and (words[at - 1], one) in compounds):
            continue
        if enumerates_verbs(words, start, at):
            continue
        for size in (3, 2, 1):
            group = words[at : at + size]
            if len(group) == size and (
                (*group, "*") in rule.objects or (_named(group, rule.objects) and not modifies(words, at + size))
            ):
                return " ".join(group)
    return ""


def _named(group: tuple[str, ...], objects: frozenset[tuple[str, ...]]) -> bool:
    return group in objects or (*group[:-1], singular(group[-1])) in objects


def _spoken_against(words: tuple[str, ...], at: int, without: frozenset[str]) -> bool:
    """Whether a word that counts against a rule is in the clause after the verb."""
    if not without:
        return False
    for word in words[at + 1 :]:
        if word in STOPS:
            return False
        if word in without or singular(word) in without:
            return True
    return False


@lru_cache(8192)
def singular(word: str) -> str:
    """Return a noun without its plural ending."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word
