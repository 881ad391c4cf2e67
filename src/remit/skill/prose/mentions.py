"""Statements that something happens to something outside of the conversation, in any form of sentence.

`orders.py` reads what is asked for. A sentence may ask without an order ("a copy of it goes to a@x.example"): a word of
movement, change, access or duty and a thing outside are enough to call it unread. The words are data/mentions.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from remit.core.patterns import lazy_pattern
from remit.core.table import read_toml
from remit.core.table_store import stored_table
from remit.skill.prose.context import STOPS, quoted
from remit.skill.prose.lexicon import forms_of
from remit.skill.prose.orders import detects, is_about_others, is_addressed, is_known, verbs, words_of
from remit.skill.prose.sentences import Sentence, is_sensitive
from remit.skill.prose.spans import DATA_ENDING

_ALWAYS = frozenset(
    "~address ~url ~api ~tool ~agent ~settings ~profile ~schedule ~hooks ~skills ~memory ~apikey ~secret".split()
)
_FILES = frozenset({"~data", "~source", "~folder", "~code"})
_SETTINGS = frozenset({"~code", "~variable"})
# Names that are no usual words: files, folders, hosts, tables, variables, settings, handles, commands of PowerShell
_NAME = lazy_pattern(
    r"(?<![\w./@$~-])[\w./@$~-]*(?:\w\.[a-z]\w{1,8}\b|\w/(?!\w)|\w_\w|(?<!\w)@\w|\$\w)[\w./@-]*|\b[A-Za-z]:\\[\w\\. -]*\w|%[A-Z]\w+%"
    r"|\b(?!macOS|iOS|iPad|iPhone|eBay)[a-z]+[A-Z]\w+"
    r"|\b(?:Add|Clear|Copy|Disable|Enable|Export|Get|Import|Install|Invoke|Move|New|Out|Register|Remove|Send|Set|Start|Stop|Write)-[A-Z]\w+"
)
_MAY_BE_NAME = lazy_pattern(r"[/@$%_]|\w\.[a-z]|:\\|[a-z]-?[A-Z]")  # skips most sentences quickly
_SETTING = lazy_pattern(r"\b[a-z]{2,}(?:[A-Z][a-z]+){1,4}\b|\b(?:core|http|remote|credential|url|filter)\.[a-z]\w+")
_SPOKEN = lazy_pattern(r"[A-Z](?:\S*[ \n]){4}.*[.:!]\s*\Z", re.DOTALL)  # a sentence, not a line of output or code
_NAMED_FILE = lazy_pattern(rf"[\w}}>]{DATA_ENDING}\Z")
_PARTS = lazy_pattern(r"[A-Z]?[a-z]+|[A-Z]+")
_WHO = frozenset({"who", "that", "which"})
_NOT = frozenset("not never don't doesn't cannot can't avoid without mustn't shouldn't won't refuse nor no".split())
_CONDITIONS = frozenset(
    "if when whenever whether once after before until unless that which who where while as since because how".split()
)
_PASSIVE = frozenset("is are gets get being be been was were".split())
_CLEFTS = frozenset({("is", "that"), ("is", "when")})
_LOOKS_FOR = frozenset("for whether if that".split())
_MAY = frozenset("could can would will".split())
_BEGIN = 8  # words with which a sentence says that it looks for something
_NEAR = 3  # words between a negation and its verb


@stored_table(dict[str, frozenset[str]])
def _words() -> dict[str, frozenset[str]]:
    """data/mentions.toml, with the forms of its verbs and of those of verbs.toml."""
    raw = read_toml(Path(__file__).with_name("data") / "mentions.toml")
    data = {name: frozenset(text.split()) for name, text in raw.items()}
    acts = frozenset(verb for verb in verbs().act if "_" not in verb)
    nouns = {form for noun in data["nouns"] for form in (noun, f"{noun}s")}
    data["done"] = (
        frozenset(form for verb in acts for form, kind in forms_of(verb).items() if kind == "ed") - data["state"]
    )
    data["made"] = frozenset(form for verb in verbs().make for form, kind in forms_of(verb).items() if kind == "ed") | {
        "made"
    }
    data["look"] = _every_form(verbs().detect)
    moved = _every_form(data["moves"] | acts) | data["irregular"]
    data["said"] = (moved - nouns) | data["duty"] | data["nominal"] | data["done"]
    data["any_of"] = data["said"] | data["when"] | data["guarded"] | data["told"] | {"need", "without"}
    more = words_of()
    data["outside"] = more.outside | more.goal | more.secret
    data["begins"] = frozenset(name.partition("_")[0] for name in data["outside"] if "_" in name)
    return data


def _every_form(bases: frozenset[str]) -> frozenset[str]:
    return frozenset({form for verb in bases for form in (verb, *forms_of(verb))})


def says_something(words: tuple[str, ...]) -> bool:
    """Whether a sentence has a word of movement, change, access, duty or consent; many have none."""
    return not _words()["any_of"].isdisjoint(words)


def acts_outside(sentence: Sentence, covered: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Return each word of movement, change, access or duty with each thing outside that its sentence names. `covered`:
    names that effects report.
    """
    words, known = sentence.words, _words()
    if _is_question(words) or sentence.place == "title" or _looks(words) or is_about_others(words):
        return
    yield from ((word, "") for word in _passives(words, known))
    if _obeys(words, known):
        yield "obey", ""
    said = [at for at, word in enumerate(words) if word in known["said"]]
    things = {*_things(sentence, covered)} if said else ()
    for at in said:
        if not _denied(words, at):
            yield from ((words[at], thing) for thing in things if thing != words[at])


def _is_question(words: tuple[str, ...]) -> bool:
    return words[-1] == "?" and not (words[0] in _MAY and "you" in words[1:3])


def _things(sentence: Sentence, covered: frozenset[str]) -> Iterator[str]:
    """Return what a sentence names that is outside and that no effect reports: by its kind, or by a name that is no
    usual word.
    """
    spoken, words = sentence.raw, sentence.words
    for word, text in sentence.codes:
        spoken = spoken.replace(text, " ", 1)
        name = text.strip().rstrip(".,;:!?")
        if name not in covered and (
            word in _ALWAYS
            or (word in _FILES and is_sensitive(name, "file.read"))
            or (word == "~data" and _NAMED_FILE.search(name) is not None)
            or (word in _SETTINGS and _guards(name))
        ):
            yield name
    if sentence.place == "block" and not _SPOKEN.match(sentence.raw):
        yield from (found[0] for found in _SETTING.finditer(spoken) if _guards(found[0]))
    else:
        if _MAY_BE_NAME.search(spoken):
            yield from (found[0] for found in _NAME.finditer(spoken))
        yield from _words()["guarded"].intersection(words)
    outer = _words()["outside"]
    yield from outer.intersection(words)
    if not (begins := _words()["begins"]).isdisjoint(words):
        yield from (f"{one}_{two}" for one, two in pairwise(words) if one in begins and f"{one}_{two}" in outer)


@lru_cache(4096)
def _guards(name: str) -> bool:
    """Whether the name of a setting or variable suggests that it guards something, or controls programs."""
    parts = [part.lower() for part in _PARTS.findall(name[:60])]
    if not parts or " " in name or "(" in name:
        return False
    return not _words()["guards"].isdisjoint(parts) or (name.isupper() and parts[0] in _words()["steering"])


def _denied(words: tuple[str, ...], at: int) -> bool:
    """Whether a negation governs a verb: directly before it, or at the beginning of its clause; `who cannot see it
    sends it` has none.
    """
    start = next((place + 1 for place in range(at - 1, -1, -1) if words[place] in STOPS), 0)
    near = {*range(max(start, at - _NEAR), at), *range(start, min(at, start + 2))}
    if any(words[place] in _NOT and not (place and words[place - 1] in _WHO and place + 1 < at) for place in near):
        return True
    return quoted(words, at)


def _looks(words: tuple[str, ...]) -> bool:
    """Whether a sentence begins by looking for what others do."""
    look = _words()["look"]
    return not look.isdisjoint(words[:_BEGIN]) and any(
        word in look
        and (
            (at < 2 and word in verbs().detect and word != "report")
            or not _LOOKS_FOR.isdisjoint(words[at + 1 : at + 2])
        )
        for at, word in enumerate(words[:_BEGIN])
    )


def _passives(words: tuple[str, ...], known: dict[str, frozenset[str]]) -> Iterator[str]:
    """Return passives without an actor: `it is committed and pushed`, but not `if it is pushed`.

    A participle of an unknown verb counts if the sentence says when it happens; one of the tables if the sentence
    addresses the agent or names something outside.
    """
    if _PASSIVE.isdisjoint(words):
        return
    called = is_addressed(words) or not words_of().outside.isdisjoint(words)
    timed = called or not known["when"].isdisjoint(words)
    for at, word in enumerate(words):
        if not at or not (
            word in known["done"] or (timed and (_is_participle(word) or (called and word in known["made"])))
        ):
            continue
        before = at - 2 if words[at - 1].endswith("ly") or words[at - 1] in {"then", "also", "always"} else at - 1
        if words[before] == "and" and before > 1:
            before -= 2
        start = next((place + 1 for place in range(at - 1, -1, -1) if words[place] in STOPS or words[place] == ","), 0)
        start = next((place + 1 for place in range(start + 1, at) if words[place - 1 : place + 1] in _CLEFTS), start)
        if words[before] in _PASSIVE and _CONDITIONS.isdisjoint(words[start:at]) and not _denied(words, at):
            yield word


@lru_cache(4096)
def _is_participle(word: str) -> bool:
    """Whether a word is the participle of a verb that is in none of the tables."""
    if not word.endswith("ed") or word in _words()["state"]:
        return False
    return not any(is_known(stem) for stem in (word[:-1], word[:-2], word[:-3], f"{word[:-3]}y"))


def _obeys(words: tuple[str, ...], known: dict[str, frozenset[str]]) -> bool:
    """Whether a sentence says to do what a text from outside says."""
    return (
        not known["told"].isdisjoint(words)
        and not known["obey"].isdisjoint(words)
        and not known["texts"].isdisjoint(words)
        and not detects(words)
    )
