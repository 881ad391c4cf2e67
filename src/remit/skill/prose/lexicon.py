"""The lexicon: data/*.lex, read once. An invalid line is refused with its location."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.core.table_store import stored_table

ENOUGH = 4  # points at which a capability is required
_GAP = ".."  # in a phrase: none to three words
_GAPS = ["", "*", "*_*", "*_*_*"]


class Rule(NamedTuple):
    """A verb rule: the capability asked for if one of the verbs applies to one of the objects, and none of `without` is
    near.
    """

    capability: str
    points: int
    verbs: frozenset[str]
    objects: frozenset[tuple[str, ...]]
    begins: frozenset[str]  # the first word of each object, to skip other words quickly
    kind: str  # `do`, `make` or `put`: how far the object may be from the verb (nouns.py)
    without: frozenset[str]
    name: str


class Phrase(NamedTuple):
    """Adjacent words; `*` is any one word."""

    capability: str
    words: tuple[str, ...]
    points: int
    without: frozenset[str]  # words anywhere in the sentence that count against it
    name: str


class Lexicon(NamedTuple):
    """Rules by their first verbs, and phrases by their first word."""

    verbs: dict[str, tuple[Rule, ...]]
    forms: dict[str, tuple[tuple[str, str], ...]]  # a form of a verb → its base and the kind of form
    phrases: dict[str, tuple[Phrase, ...]]
    needs: dict[str, tuple[Phrase, ...]]  # phrases that count only where a text lists requirements
    compounds: frozenset[tuple[str, str]]  # pairs of words that mean something else than their last word
    begins: frozenset[str]  # the first word of each form and phrase, to skip other words quickly


def _records(fields: Any) -> Lexicon:
    verbs, forms, phrases, needs, compounds, begins = fields
    said, needed = ({word: tuple(map(Phrase._make, rows)) for word, rows in some.items()} for some in (phrases, needs))
    rules = {verb: tuple(map(Rule._make, rows)) for verb, rows in verbs.items()}
    return Lexicon(rules, forms, said, needed, compounds, begins)


@stored_table(_records)
def lexicon() -> Lexicon:
    """Return the lexicon of this version: all of data/*.lex; classes of `classes.lex` are available to the others."""
    folder = Path(__file__).with_name("data")
    names = sorted(
        (entry.name for entry in folder.iterdir() if entry.name.endswith(".lex")),
        key=lambda name: (name != "classes.lex", name),
    )
    return load([(name, folder.joinpath(name).read_text("utf-8")) for name in names])


def load(texts: list[tuple[str, str]]) -> Lexicon:
    """Parse a lexicon from files with their names."""
    classes: dict[str, list[str]] = {}
    verbs: dict[str, list[Rule]] = {}
    spoken: dict[str, dict[str, list[Phrase]]] = {"say": {}, "need": {}}
    compounds: set[tuple[str, str]] = set()
    for where, line in _lines(texts):
        head, _, rest = line.partition(" ")
        if head == "class":
            name, _, words = rest.partition("=")
            if name.strip() in classes:
                raise DataError(
                    f"{where}: the class `{name.strip()}` is defined twice", "give one of them another name"
                )
            classes[name.strip()] = _expanded(words.split(), classes, where)
        elif head == "none":
            compounds.update(_pair(word, where) for word in rest.split())
        elif head in {"do", "make", "put"}:
            kind = head
            head, listed, objects, without = _parts(rest, where)
            capability, points = _head(head, where)
            named = frozenset(tuple(word.split("_")) for word in _expanded(objects.split(), classes, where))
            rule = Rule(
                capability,
                points,
                frozenset(listed.split()),
                named,
                frozenset(words[0] for words in named),
                kind,
                frozenset(_expanded(without.split(), classes, where)),
                where,
            )
            for verb in rule.verbs:
                verbs.setdefault(verb, []).append(rule)
        elif head in spoken:
            for phrase in _phrases(rest, classes, where):
                spoken[head].setdefault(phrase.words[0], []).append(phrase)
        else:
            raise DataError(
                f"{where}: `{head}` begins no line of a lexicon",
                "begin it with `class`, `do`, `make`, `need`, `none`, `put` or `say`",
            )
    forms = _forms(verbs)
    return Lexicon(
        {verb: tuple(rules) for verb, rules in verbs.items()},
        forms,
        {word: tuple(found) for word, found in spoken["say"].items()},
        {word: tuple(found) for word, found in spoken["need"].items()},
        frozenset(compounds),
        frozenset(spoken["say"]) | {form.partition("_")[0] for form in forms},
    )


def _phrases(rest: str, classes: dict[str, list[str]], where: str) -> Iterator[Phrase]:
    head, listed, *more = (part.strip() for part in rest.split(" : ")) if " : " in rest else (rest, "")
    capability, points = _head(head, where)
    spoken = [phrase.split() for phrase in listed.split("|")]
    if len(more) > 1 or any(not phrase or _GAP in {phrase[0], phrase[-1]} for phrase in spoken):
        raise DataError(
            f"{where}: phrases are missing, or there are too many parts",
            "write `say CAPABILITY POINTS : phrase | phrase [: words that speak against it]`",
        )
    without = frozenset(_expanded(more[0].split() if more else [], classes, where))
    for phrase in spoken:
        yield from (Phrase(capability, words, points, without, where) for words in _spoken(phrase, classes, where))


def _lines(texts: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for file, text in texts:
        for number, raw in enumerate(text.split("\n"), 1):
            line = raw.strip()
            if line and not line.startswith("#"):
                yield f"{file}:{number}", line


def _head(text: str, where: str) -> tuple[str, int]:
    """Return a capability, and its points if they are not the usual ones."""
    capability, _, points = text.strip().partition(" ")
    if capability not in vocabulary():
        raise DataError(f"{where}: `{capability}` is not a capability", "`remit explain` lists all")
    if points and not points.isdigit():
        raise DataError(f"{where}: `{points}` is no number of points", "write a number, or nothing for the usual ones")
    return capability, int(points or ENOUGH)


def _pair(word: str, where: str) -> tuple[str, str]:
    first, _, last = word.partition("_")
    if not first or not last or "_" in last:
        raise DataError(
            f"{where}: `{word}` is not a pair of words", "write `none first_last`, the last in the singular"
        )
    return first, last


def _parts(rest: str, where: str) -> tuple[str, str, str, str]:
    parts = [part.strip() for part in rest.split(" : ")]
    if len(parts) not in {3, 4}:
        raise DataError(
            f"{where}: three or four parts are needed",
            "write `do CAPABILITY : verbs : objects [: words that speak against it]`",
        )
    return parts[0], parts[1], parts[2], parts[3] if len(parts) == 4 else ""


def _expanded(words: list[str], classes: dict[str, list[str]], where: str) -> list[str]:
    out: list[str] = []
    for word in words:
        if not word.startswith("@"):
            out.append(word)
            continue
        name, joint, tail = word[1:].partition("_")  # `@service_api`: each word of the class with `api` after it
        if name not in classes:
            raise DataError(f"{where}: the class `@{name}` is not defined above", "define it, or correct it")
        out += [found + joint + tail for found in classes[name]]
    return out


def _spoken(phrase: list[str], classes: dict[str, list[str]], where: str) -> Iterator[tuple[str, ...]]:
    """Return a phrase once for each word of the classes in it, and for each length of a gap."""
    for chosen in product(*(_GAPS if word == _GAP else _expanded([word], classes, where) for word in phrase)):
        yield tuple(part for word in chosen for part in word.split("_") if part)


_DOUBLED = frozenset(
    "run scan get set map ship plot stop log commit drop submit refer tag crop strip skip trim wrap swap slip shut rebut transfer scrub".split()
)
_PAST = {"write": "written", "read": "read", "build": "built", "run": "run", "send": "sent", "find": "found", "keep": "kept", "put": "put", "set": "set", "get": "got", "make": "made", "take": "taken", "drive": "driven", "see": "seen", "hit": "hit", "begin": "begun", "understand": "understood"}  # fmt: skip


def forms_of(verb: str) -> dict[str, str]:
    """Return the other forms of a verb: `s`, `ing`, `ed`."""
    first, _, rest = verb.partition("_")
    tail = f"_{rest}" if rest else ""
    if first.endswith(("s", "sh", "ch", "x", "z", "o")):
        third = first + "es"
    elif first.endswith("y") and first[-2] not in "aeiou":
        third = first[:-1] + "ies"
    else:
        third = first + "s"
    stem = (
        first[:-1]
        if first.endswith("e") and not first.endswith("ee")
        else first + first[-1]
        if first in _DOUBLED
        else first
    )
    past = _PAST.get(first) or (first[:-1] + "ied" if first.endswith("y") and first[-2] not in "aeiou" else stem + "ed")
    return {third + tail: "s", stem + "ing" + tail: "ing", past + tail: "ed"}


def _forms(verbs: dict[str, list[Rule]]) -> dict[str, tuple[tuple[str, str], ...]]:
    out: dict[str, list[tuple[str, str]]] = {}
    for verb in verbs:
        out.setdefault(verb, []).insert(0, (verb, "base"))
        for form, kind in forms_of(verb).items():
            if form != verb:
                out.setdefault(form, []).append((verb, kind))
    return {form: tuple(found) for form, found in out.items()}
