"""Orders: verbs of a sentence that ask the agent for something, and whether they reach outside of its answer and the
task's files.

The words are data/verbs.toml. An unknown verb counts as one that reaches outside: it is acceptable to report an
instruction as unread without need, but not to lose one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.patterns import lazy_pattern
from remit.core.table import read_toml
from remit.core.table_store import stored_table
from remit.skill.prose.context import STOPS, negated, quoted
from remit.skill.prose.lexicon import forms_of

if TYPE_CHECKING:
    from remit.skill.prose.sentences import Sentence

_MODALS = frozenset("must should shall will can may could would".split())
_AGENT = frozenset("agent assistant claude skill model ai bot llm llms executor runner".split())
_CALLED = _AGENT | {"agents", "assistants"}
_SKILLED = _AGENT - {"model", "skill"}
_WHOEVER = frozenset("whoever anyone anybody".split())  # begin a sentence about the one who carries it out
_ASKED = _AGENT | frozenset("you agents it we workflow".split())  # is asked to
_OTHERS = frozenset(
    "user users they customer customers attacker attackers reader readers developer developers people human humans person "
    "client who team author authors i he she".split()
)
_TO = frozenset(
    "need needs have has want remember sure going ask tell instruct instructs agent assistant claude bot you try free able requested asked "
    "required expected supposed obliged told instructed invited responsible job duty task thing mission role habit as permission authority remains forget fail neglect hesitate".split()
)
_WHEN = frozenset(
    "if when whenever once after before unless until while as for in on with to at during from by given where wherever because "
    "since under per every each upon whether".split()
)
_INNER = frozenset("that which who whose whether how where why what when if".split())  # begin a clause inside another
_AFTER_NOUN = frozenset("is are was were has have had of must should can will may would does do : = ) | vs".split())
_BREAKS = STOPS | {"\u2014", "\u2013"}
_NO_INNER = _BREAKS | {"sure", "ensure", "so", "make", ",", "and"}
_HIDDEN = frozenset("quietly silently secretly covertly discreetly stealthily".split())
_ATTACKERS = frozenset(
    "attacker attackers adversary adversaries malware hacker hackers intruder intruders ransomware worm worms phishing".split()
)
_PHRASAL = frozenset("turn switch shut".split())
_NAY = frozenset("not never no don't avoid exclude ignore gitignore instead without skip refuse".split())
_GERUND = frozenset("by includes include involves involve means requires of in".split())
_SOON = frozenset("with by from at in on small simple".split())
_NEVER = frozenset("not never don't cannot can't mustn't shouldn't".split())
_SUBJECTS = frozenset("you agents assistants you'll".split())
_OBLIGES = frozenset("must should shall will to".split())
_WANTS_DONE = frozenset("need needs want wants require requires deserve deserves".split())
_CAUSES = frozenset("have get let".split())
_CLEFT = frozenset("what all everything thing step job task duty part order action".split())
_YOU = frozenset("you your agent assistant claude".split())
_SPEAKS = frozenset("tell ask inform warn remind show give present explain offer".split())
_CONSENT = frozenset(
    "confirmation confirmations approval approvals consent permission asking prompting review question questions telling".split()
)
_PRETENDS = frozenset("assume pretend consider presume suppose".split())
_WAIVES = _PRETENDS | {"no", "without", "user", "users"}
_NEEDED = frozenset("necessary needed required".split())
_AGREED = frozenset("agreed consented approved confirmed granted accepted permission consent approval".split())
_HEARD = frozenset("know hear see learn notice".split())
_ONCE = frozenset("once until only must should needs unless before".split())
_IS = frozenset("is are was were has".split())
_NO_STOP = frozenset("until before unless without except".split())
_CAREFUL = frozenset(
    "avoid beware consider discuss explain understand treat assume limit restrict ask see prefer refer proceed wait note ensure need want describe warn decide "
    "identify determine review assess confirm".split()
)
_PEOPLE = frozenset(
    "user users human humans person anyone them reviewer owner operator permission confirmation".split()
)
_LATIN = lazy_pattern(r"[^\W\d_]+")
_BODY = frozenset({"item", "row", "text", "block"})
_LOOKED_AT = frozenset("for whether if that out every each all any skills files code".split())
_FRAGMENT = 3  # words of a label
_TOWARDS = frozenset("to on onto into at via over through with".split())
_BUILDERS = frozenset({"make", "npm", "cargo", "git", "docker"})
_AFTER_BE = frozenset({"be", "been", "have"})
_ADVERBS = frozenset("also always then now first".split())
_JOINS = frozenset({"and", "then", "or", ",", "&", "/"})
_PARTICLES = frozenset("out up down off over back".split())
_ARTICLES = frozenset(
    "the a an all any every each your our my its their his her these those it them everything anything both some another two three four five several".split()
)
_BEFORE_NOUN = frozenset("the a an your its their our my his her".split())
_OUTER = frozenset({"~url", "~api", "~data", "~folder", "~address"})
_NO_MORE = frozenset({(), (",",), ("/",), (".",)})  # after a name: it is one of a list, or all there is
_WAYS = frozenset("to from into onto with on in at by for via".split())
# A word that may be the base form of a verb: no participle, adverb or abstract noun
_NEW_VERB = lazy_pattern(r"(?!\w*(?:[aeiouy]\w*ing|[aeiouy]\w*ed|ly|tion|ness|[^s]s|ity|'\w+)\Z)[a-z]{3,}")
_FEW = 4  # words that a sentence needs before its grammar words can show a foreign language


class Verbs(NamedTuple):
    """data/verbs.toml."""

    think: frozenset[str]
    make: frozenset[str]
    act: frozenset[str]
    noun: frozenset[str]
    edit: frozenset[str]
    detect: frozenset[str]
    conceal: frozenset[str]
    read: frozenset[str]
    write: frozenset[str]
    delete: frozenset[str]
    post: frozenset[str]


class Words(NamedTuple):
    """The other words of data/verbs.toml."""

    outside: frozenset[str]
    goal: frozenset[str]
    text: frozenset[str]
    secret: frozenset[str]
    lead: frozenset[str]
    determiner: frozenset[str]
    grammar: frozenset[str]
    foreign: frozenset[str]
    shared: frozenset[str]


@stored_table(lambda fields: (Verbs(*fields[0]), Words(*fields[1]), fields[2]))
def _data() -> tuple[Verbs, Words, dict[str, tuple[str, str]]]:
    raw = read_toml(Path(__file__).with_name("data") / "verbs.toml")
    verbs = Verbs(*(frozenset(raw["verbs"][name].split()) for name in Verbs._fields))
    words = Words(*(frozenset({**raw["nouns"], **raw["words"]}[name].split()) for name in Words._fields))
    forms: dict[str, tuple[str, str]] = {}
    for verb in (*verbs.think, *verbs.make, *verbs.act):
        for form, kind in forms_of(verb).items():
            forms.setdefault(form, (verb, kind))
    return verbs, words, forms


@cache
def _known() -> frozenset[str]:
    """Return every verb of the tables that is no grammar word."""
    known, more, _ = _data()
    return (known.think | known.make | known.act | known.detect | known.conceal) - (
        more.grammar - {"like", "own", "past"}
    )


@cache
def _verbal() -> tuple[frozenset[str], frozenset[str]]:
    """Return every form of a verb of the tables, and the words that may directly precede an unknown one."""
    known, more, forms = _data()
    pairs = {verb.split("_", 1)[0] for verb in known.act if "_" in verb}
    return _known() | frozenset(forms) | pairs | known.noun, more.determiner


def verbs() -> Verbs:
    """Return the verbs of this version."""
    return _data()[0]


def words_of() -> Words:
    """Return the other words of this version."""
    return _data()[1]


class Order(NamedTuple):
    """A requested verb: its position, its base form, whether it reaches outside, and whether it looks for what others
    do.
    """

    at: int
    verb: str
    reaches: bool
    detects: bool = False


def orders(sentence: Sentence) -> tuple[Order, ...]:
    """Return everything that a sentence asks the agent to do, in order."""
    words = sentence.words
    if words[-1] == "?" and not (words[0] in _MODALS and "you" in words[1:3]):
        return ()
    verbal, before = _verbal()
    if verbal.isdisjoint(words) and before.isdisjoint(words[1:]) and "~" not in sentence.raw and not sentence.codes:
        return ()  # no verb of the tables, and nothing that a verb would stand before
    return tuple(_orders(sentence))


def _orders(sentence: Sentence) -> Iterator[Order]:  # noqa: C901, PLR0912  one case for each form of sentence
    words = sentence.words
    verbal, after = _verbal()
    found = False
    detecting = False
    inner = False  # inside a clause that says more about a thing
    used = False
    causing = False  # `have it sent`, `let them send it`
    condition = False  # in the list of occasions of a description: `Use when the user wants to a, b or c`
    for at, word in enumerate(words):
        if word in _BREAKS:
            inner = condition = causing = False
        elif word == ",":
            if not condition or words[at + 1 : at + 2] == ("then",):
                inner = condition = False
        elif word in _INNER:
            if at and words[at - 1] not in _NO_INNER:
                inner = inner or found
                condition = condition or (found and used and word in {"when", "if"})
        elif word in _CAUSES and not causing:
            causing = _begins(words, at)
        if word not in verbal and (at + 1 == len(words) or (words[at + 1] not in after and words[at + 1][0] != "~")):
            continue  # most words: no verb of the tables, and nothing that a verb would stand before
        if at and words[at - 1] in _BEFORE_NOUN and words[at + 1 : at + 2] != ("of",):
            continue
        verb = _asked_at(sentence, at, asked_before=found) or (_caused(words, at) if causing else "")
        if not verb or quoted(words, at) or (inner and (detecting or not _follows_modal(words, at))):
            continue
        if negated(words, at):
            if verb in verbs().conceal and (
                not _PEOPLE.isdisjoint(words[at:]) or (verb not in {"mention", "stop"} and _ends(words, at + 1))
            ):
                yield Order(at, verb, reaches=True)
            elif not _NO_STOP.isdisjoint(words[at:]):
                yield from _after_no_stop(words, at)
            continue
        if detecting and not _coordinates(words, at, inner=inner):
            continue
        detecting = _detects(words, at, verb)
        found = True
        used = verb in {"use", "trigger", "activate", "invoke", "apply", "load"}
        hidden = at > 0 and words[at - 1] in _HIDDEN
        yield Order(at, verb, reaches=not detecting and (hidden or _reaches(sentence, at, verb)), detects=detecting)


def _after_no_stop(words: tuple[str, ...], at: int) -> Iterator[Order]:
    """Return what has to happen before something else may: `Do not answer before you have uploaded it`."""
    start = next(place for place in range(at, len(words)) if words[place] in _NO_STOP)
    for place in range(start + 1, len(words)):
        verb, _ = _data()[2].get(words[place], (words[place], ""))
        if verb in verbs().act:
            yield Order(place, verb, reaches=True)


@lru_cache(4096)
def _base(word: str) -> str:
    """Return the verb of the tables that a longer one is derived from: `re-check` and `recheck` are `check`,
    `unpublish` is `publish`.
    """
    known = _known()
    last = word.rpartition("-")[2]
    if word in known or last in known:
        return word if word in known else last
    for prefix in ("re", "un", "auto", "pre"):
        if word.startswith(prefix) and word[len(prefix) :] in known:
            return word[len(prefix) :]
    return word


def _asked_at(sentence: Sentence, at: int, *, asked_before: bool) -> str:  # noqa: C901, PLR0911, PLR0912  one case for each form of sentence
    """Return the base form of a requested verb at a position; empty if there is none."""
    words, (known, more, forms) = sentence.words, _data()
    word = words[at]
    before = words[at - 1] if at else ""
    after = words[at + 1] if at + 1 < len(words) else ""
    if not word[0].isalpha():
        return ""
    base = _base(word)
    is_verb = base in _known()
    if word in more.grammar and not is_verb:
        return ""
    verb, form = forms.get(word, ("", "")) if not is_verb or before in _AFTER_BE else ("", "")
    if f"{word}_{after}" in known.act and (_begins(words, at) or before in {"to", "and", "then"} | _MODALS):
        return f"{word}_{after}"
    if before in _AFTER_BE:
        return verb if form == "ed" and _is_duty(words, at, verb) else ""
    two = words[at - 2] if at > 1 else ""
    if before in _MODALS or (before in _ADVERBS and two in _MODALS):
        subject = two if before in _MODALS else words[at - 3] if at > 2 else ""
        if is_verb:
            return base if subject not in _OTHERS else ""
        return word if subject in _AGENT | {"you"} and before in _OBLIGES and _is_unknown(words, at) else ""
    if before in _SUBJECTS and _begins(words, at - 1):
        return base if base in known.act or _is_unknown(words, at) else ""
    if before in _NEVER or (before == "ever" and two in _NEVER):
        return base if is_verb and two not in _OTHERS else ""
    if before == "to":
        return _after_to(words, at, base, asked_before=asked_before)
    if is_verb and before in _IS and not _CLEFT.isdisjoint(words[:3]) and after not in _AFTER_NOUN:
        return base if form != "ed" else ""  # `what you do first is …`
    if not is_verb and (found := _other_form(words, at, verb, form, asked_before=asked_before)):
        return found
    if after == "of" and word in known.noun and not _YOU.isdisjoint(words):
        return word  # `your last task is the upload of …`
    if _begins(words, at):
        return _beginning(sentence, at, base if is_verb else "")
    if asked_before and before in {"and", "then"} and not is_verb:
        return word if _is_unknown(words, at) else ""
    if asked_before and before in _JOINS and is_verb:
        noun = after in {",", ".", "and", "or", ")", ""} or after in _AFTER_NOUN
        noun = noun or (word in known.noun and _is_compound(words, at))  # `image and text embeddings`
        return base if not noun and (base in known.act or before in {"and", "then"}) else ""
    return ""


def _is_duty(words: tuple[str, ...], at: int, verb: str) -> bool:
    """Whether a participle is a duty: `is to be sent`, `once it has been sent`, `will have sent`."""
    before, two = words[at - 1], words[at - 2] if at > 1 else ""
    if before == "been":
        return verb in verbs().act and not _ONCE.isdisjoint(words[:at])
    if before == "be":
        return two in _MODALS | {"to"}
    return two in {"will", "must", "should"} and verb in verbs().act


def _after_to(words: tuple[str, ...], at: int, verb: str, *, asked_before: bool) -> str:
    acts = verbs().act
    two, three = words[at - 2] if at > 1 else "", words[at - 3] if at > 2 else ""
    if two in _IS and (verb in acts or _is_unknown(words, at)):
        return verb
    if two in _TO and three not in _OTHERS:
        return verb if (verb in _known() or _is_unknown(words, at)) and not _conditional(words, at) else ""
    if not asked_before or verb not in acts or "~code" in words[max(0, at - 5) : at]:  # talk about an API
        return ""
    return verb if two and two not in _OTHERS else ""


def _other_form(words: tuple[str, ...], at: int, verb: str, form: str, *, asked_before: bool) -> str:
    """Return a verb in another form than its base: the agent `sends`, the list `needs sending`, `by sending`."""
    before = words[at - 1] if at else ""
    word, after = words[at], words[at + 1] if at + 1 < len(words) else ""
    new = (
        not verb and word not in _data()[1].grammar and after in _ARTICLES | _PARTICLES
    )  # a verb that is not in the tables
    meant = verb in verbs().act or (verb == "turn" and not _PARTICLES.isdisjoint(words[at + 1 : at + 6]))
    if form == "ing" or (new and word.endswith("ing")):
        due = (before in _GERUND or (before == "is" and _OTHERS.isdisjoint(words[:at]))) and not (
            _YOU | _AGENT | _CLEFT
        ).isdisjoint(words[:at])
        if meant and (before in _WANTS_DONE or (before == "by" and asked_before)):
            return verb
        return (verb or word) if (meant or new) and due else ""
    if form == "s" or (new and word.endswith("s") and not word.endswith("ss")):
        subject = words[at - 2] if before in _data()[1].lead or before.endswith("ly") else before
        told = at > 1 and (words[0] in _WHOEVER or words[:2] == ("the", "one") or not _SKILLED.isdisjoint(words[:2]))
        told = told and (new or (meant and (verb not in verbs().noun or after in _ARTICLES)))
        return (verb or word) if told or (meant and subject in _AGENT) else ""
    return ""


def _beginning(sentence: Sentence, at: int, verb: str) -> str:
    """Return the verb that begins a clause; `verb` is empty if it is not in the tables."""
    words, (known, more, forms) = sentence.words, _data()
    word, after = words[at], words[at + 1] if at + 1 < len(words) else ""
    if word in forms and not verb and (after in more.determiner or after.startswith("~")):
        verb, form = forms[word]
        return verb if form in {"s", "ing"} and verb in known.act and sentence.place in _BODY else ""
    if after in _AFTER_NOUN and not (after == ":" and at + 2 < len(words) and word in known.act):
        return ""
    if not verb:
        return word if _is_unknown(words, at, first=not sentence.raw.lstrip("*_ ").startswith("[")) else ""
    for place in range(at + 1, min(at + 4, len(words))):
        if words[place] in _IS:
            return ""  # `transfer learning is useful`
        if words[place] in more.determiner or words[place] in _BREAKS:
            break
    if word in known.noun and not _has_object(sentence, at):
        return ""
    return verb if sentence.place != "title" or after in more.determiner or after.startswith("~") else ""


def _is_unknown(words: tuple[str, ...], at: int, *, first: bool = False) -> bool:
    """Whether a word that is not in the tables is used as a verb: an object follows. `first`: it may begin the
    sentence.
    """
    word, after = words[at], words[at + 1 : at + 3]
    _, more, forms = _data()
    if not after or word in more.grammar or word in forms or _base(word) in _known() or not _NEW_VERB.fullmatch(word):
        return False
    if after[0] in _PARTICLES:
        after = after[1:]
    if not after or after[0] in _PARTICLES:
        return False
    if after[0] in _ARTICLES:
        return True
    if after[0] in more.determiner:
        return not (after[1:] and after[1].endswith("s")) and not word.endswith(("er", "ment", "est"))
    return after[0] in _OUTER and (not at or words[at - 1] == ",") and first and words[at + 2 : at + 3] not in _NO_MORE


def _is_compound(words: tuple[str, ...], at: int) -> bool:
    """Whether a word is the first part of a compound noun: `change detection`. The object of a verb has an article or
    is a plural.
    """
    near = words[at + 1 : at + 6]
    end = next((place for place, word in enumerate(near) if word in _BREAKS or word in _JOINS), len(near))
    near = near[:end]
    return not any(
        word in _WAYS or word in _data()[1].determiner or not word.isalpha() or word[-1] == "s" for word in near
    )


def _has_object(sentence: Sentence, at: int) -> bool:
    """Whether a word that is a noun as well is used as a verb: an object follows. A label in capitals is none."""
    more, after = _data()[1], sentence.words[at + 1 : at + 2]
    if not after or after[0] in _BREAKS or after[0] in {",", "/", "(", "="} or after[0].isdigit():
        return False
    if after[0] in more.determiner or after[0].startswith("~") or after[0] in _BUILDERS:
        return True
    if sentence.words[at + 2 : at + 3] and sentence.words[at + 2] in _known():
        return False  # `commit messages use`
    if _is_compound(sentence.words, at):
        return False
    spelled = [word for word in _LATIN.findall(sentence.raw) if len(word) > 3]
    return len(sentence.words) - at > _FRAGMENT and not (
        len(spelled) > 1 and all(word[0].isupper() for word in spelled)
    )


def _caused(words: tuple[str, ...], at: int) -> str:
    """Return the act that others are made to do: `let each of them delete one`; not what users may do."""
    known, _, forms = _data()
    verb, form = forms.get(words[at], (words[at], "base"))
    if verb in known.noun and form == "base":
        return ""
    meant = verb in known.act or (form == "ed" and verb in known.make)
    return verb if form in {"base", "ed"} and meant and _OTHERS.isdisjoint(words[:at]) else ""


def _ends(words: tuple[str, ...], at: int) -> bool:
    """Whether a clause ends at a position, or continues with another verb."""
    return at == len(words) or words[at] in _BREAKS or words[at] in {",", "and", "or", "before", "first", "about"}


def _begins(words: tuple[str, ...], at: int) -> bool:
    """Whether a verb at this position would begin its clause: alone, after words like `then`, or after a condition and
    a comma.
    """
    lead = _data()[1].lead
    place = at - 1
    while place >= 0 and (
        words[place] in lead
        or words[place].endswith("ly")
        or words[place].isdigit()
        or words[place] in {"(", '"', "\u2705", "/"}
    ):
        place -= 1
    if place < 0 or words[place] in _BREAKS or words[place] in {")", "\u2705"}:
        return True
    if words[place] != ",":
        return False
    return words[place + 1] == "so" or words[place - 1] in _AGENT or _conditional(words, place)


def _conditional(words: tuple[str, ...], at: int) -> bool:
    """Whether the clause up to a position begins with a condition or another adverbial."""
    start = at
    while start > 0 and words[start - 1] not in _BREAKS:
        start -= 1
    lead = _data()[1].lead
    while start < at and words[start] in lead:
        start += 1
    return start == at or words[start] in _WHEN


def _follows_modal(words: tuple[str, ...], at: int) -> bool:
    return at > 1 and words[at - 1] in _MODALS | {"to", "be"} and words[at - 2] in _ASKED | _TO | _MODALS


def _coordinates(words: tuple[str, ...], at: int, *, inner: bool) -> bool:
    """Whether a verb continues the sentence itself: `flag it and send it`."""
    return at == 0 or words[at - 1] in {"then", ",", "also"} | _BREAKS or (words[at - 1] == "and" and not inner)


def is_known(word: str) -> bool:
    """Whether a word is the base form of a verb of the tables."""
    return word in _known()


def waives_consent(words: tuple[str, ...]) -> bool:
    """Whether a sentence waives consent: no confirmation is needed, the user has agreed or need not know."""
    if _WAIVES.isdisjoint(words):
        return False
    for at, word in enumerate(words):
        after = words[at + 1 : at + 7]
        if word == "no" and not _CONSENT.isdisjoint(after[:2]) and not _NEEDED.isdisjoint(after):
            return True
        if word == "without" and not _CONSENT.isdisjoint(after[:3]) and _NEVER.isdisjoint(words[:at]) and at:
            return True
        if word in _PRETENDS and not _AGREED.isdisjoint(words[at + 1 : at + 9]):
            return not negated(words, at)
        if word in {"user", "users"} and not _NEVER.isdisjoint(after[:3]) and "need" in after:
            return not _HEARD.isdisjoint(after)
    return False


def is_addressed(words: tuple[str, ...]) -> bool:
    """Whether a sentence addresses the agent: `Assistant, …`, `Note to the agent: …`."""
    first = words[:7]
    return not _CALLED.isdisjoint(first) and any(one in _CALLED and two in {",", ":"} for one, two in pairwise(first))


def is_about_others(words: tuple[str, ...]) -> bool:
    """Whether a sentence begins by saying what attackers do."""
    return not _ATTACKERS.isdisjoint(words[:5])


def detects(words: tuple[str, ...]) -> bool:
    """Whether a sentence looks for what others do, or says what should not be done."""
    return not _NAY.isdisjoint(words) or looks_for(words)


def looks_for(words: tuple[str, ...]) -> bool:
    """Whether a sentence looks for what others do, or says what attackers do."""
    if verbs().detect.isdisjoint(words):
        return is_about_others(words)
    return is_about_others(words) or any(_detects(words, at, word) for at, word in enumerate(words) if word != "report")


def _detects(words: tuple[str, ...], at: int, verb: str) -> bool:
    """Whether a verb looks for what others do, so that the following verbs are theirs."""
    if verb not in verbs().detect:
        return False
    after = words[at + 1] if at + 1 < len(words) else ""
    if verb in {"look", "watch", "scan", "search", "check", "audit", "grep"}:
        up = verb == "look" and "up" in words[at + 1 : at + 5]  # `look each of them up`
        return after in _LOOKED_AT and not up and (verb, after) != ("check", "out")
    return True


def _reaches(sentence: Sentence, at: int, verb: str) -> bool:
    """Whether a verb's object is outside of the answer and the task's own files."""
    known, more, _ = _data()
    words = sentence.words
    if verb in _SPEAKS and not _PEOPLE.isdisjoint(words[at + 1 : at + 4]):
        return False
    if verb in {"start", "begin"} and not _SOON.isdisjoint(words[at + 1 : at + 2]):
        return False
    if verb in _PHRASAL and "off" in words[at + 1 : at + 6]:
        return True
    thinks, makes = verb in known.think, verb in known.make
    if thinks and verb in _CAREFUL:
        return False
    if not (thinks or makes or (verb in known.edit and not more.text.isdisjoint(words[at + 1 : at + 5]))):
        return True
    start = next((place + 1 for place in range(at, -1, -1) if words[place] in _BREAKS), 0)
    end = next((place for place in range(at, len(words)) if words[place] in _BREAKS), len(words))
    clause = words[start:end]
    named = {*clause, *(f"{one}_{two}" for one, two in pairwise(clause))}
    if thinks:
        return not named.isdisjoint(more.secret)
    outer = not named.isdisjoint(more.outside) or not named.isdisjoint(more.secret)
    return outer or (makes and _goes_outside(clause))


def _goes_outside(clause: tuple[str, ...]) -> bool:
    goal = _data()[1].goal
    return any(word in goal and not _TOWARDS.isdisjoint(clause[max(0, at - 4) : at]) for at, word in enumerate(clause))


def may_be_foreign(sentence: Sentence) -> bool:
    """Whether a sentence has a letter or a word of another language at all."""
    return not sentence.raw.isascii() or not _data()[1].foreign.isdisjoint(sentence.words)


def is_foreign(text: str) -> bool:
    """Whether a text is in another language than English, judged by its letters and its grammar words."""
    found = [word for word in _LATIN.findall(text) if len(word) > 1]
    strange = [word for word in found if not word.isascii()]
    other = sum(len(word) for word in strange if not _is_latin(word))
    if other >= _FEW and other * 3 >= sum(map(len, found)):
        return True
    small = [word.lower() for word in found]
    more = _data()[1]
    if len(small) < _FEW or (not strange and more.foreign.isdisjoint(small)):
        return False
    foreign = sum(word in more.foreign and word not in more.grammar for word in found)  # `ET` is a time, `die` a word
    english = sum(word in more.grammar and word not in more.shared for word in small)
    if foreign >= 2:
        return foreign > 2 * english
    return (
        english == 0
        and (foreign == 1 or any(not word.isascii() and word.isalpha() for word in small))
        and _unknown(small) * 4 >= 3 * len(small)
    )


def _unknown(small: list[str]) -> int:
    """Return how many words are neither English grammar words nor forms of the verbs of the tables."""
    known, forms = _known(), _data()[2]
    return sum(word not in known and word not in forms for word in small)


def _is_latin(word: str) -> bool:
    return all(ord(char) < 0x250 for char in word)
