"""Sentences as clauses: what is asked for or forbidden, about which things, to whom it goes, and how it is to be done.

Words get their meaning from `data/lexicon.table`. A clause is a set of features:

    do:CLASS no:CLASS    a verb of a class that the agent or the skill is to do, or is not to do
    CLASS                a thing or a phrase of a class stands in the clause
    from:CLASS in:CLASS to:CLASS    the thing follows such a preposition
    if purpose           the clause is a condition, or says what something is for
    said:…               the same inside of quotation marks

What others do (attackers, the user, a program) has no `do:`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from remit.core.errors import DataError
from remit.core.patterns import lazy_pattern
from remit.core.table import read_table
from remit.core.table_store import stored_table

_FILE = Path(__file__).with_name("data") / "lexicon.table"
_KINDS = ("verb", "noun", "words")
HOLE = "~"
_NOTHING: frozenset[str] = frozenset()
_REACH = 8  # words between a verb and its particle

_TLD = "com|net|org|io|dev|app|xyz|info|site|biz|ru|cn|top|click|co|ai|cloud|online|support|eu|de|uk|us|fr|nl|jp|tech|club|icu|cc"
_WORD_OR_MARK = (
    r"(?P<word>\.?[a-z0-9][\w'\u2019]*(?:[-.][\w'\u2019]+)*)"
    r"|(?P<mark>[,;:)\u2014\"\u201c\u201d]|(?<!\])\(|\s-{1,2}\s|\u2013)"
)
# No token begins with a blank but ` - `; most words are letters with nothing behind them that could make them a part of something else.
_TOKEN = lazy_pattern(
    r"(?=\S|\s-)(?:(?!account\s)[a-z]+(?=[\s,;)\"]|\.?\Z|\.\s)"
    r"|(?P<url>\b(?:https?|ftp|wss?)://[^\s\"'`)>\]]+)"
    r"|(?P<bucket>\b(?:s3|gs|azure|r2)://[\w./-]+)"
    r"|(?P<mail>[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}(?<![-_])(?![\w-]*[-_][<{$]))"
    r"|(?P<wallet>\b0x[0-9a-fA-F]{20,}\b|(?-i:\b(?=(?: ?[A-Z0-9]){15})(?=(?:[A-Z ]*\d){10})[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}[A-Z0-9]{0,3}\b)|\bbc1[a-z0-9]{25,87}\b|\b[13][a-km-zA-HJ-NP-Z1-9]{25,34}\b|(?-i:\b(?=\w*\d)(?=\w*[A-Z])(?=\w*[a-z])[1-9A-HJ-NP-Za-km-z]{43,44}\b)|\baccount (?:no\.? |number )?\d[\d -]{5,}\d)"
    r"|(?P<tag>[?&](?:ref|aff|aff_id|affiliate|tag|partner|referral|via|coupon|promo)=[\w-]+)"
    r"|(?P<phone>\+\d[\d ()-]{7,}\d)"
    r"|(?P<address>\b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d+)?)"
    rf"|(?P<host>\b(?:[a-z0-9][a-z0-9-]*\.)+(?:{_TLD})/[^\s\"'`)>\]]+|\b(?:[a-z0-9][a-z0-9-]*\.){{2,}}(?:{_TLD})\b(?![.\w(]))"
    r"|(?P<path>(?<![\w.})>\]$*])~?/[\w.@-]+(?:/[\w.@*-]*)*)"
    rf"|{_WORD_OR_MARK})",
    re.IGNORECASE,
)
_PLAIN_TOKEN = lazy_pattern(_WORD_OR_MARK, re.IGNORECASE)
_NOT_PLAIN = lazy_pattern(r"[@/?&+\d]|\.[\w-]")  # without these all tokens are words and marks
_WORD = lazy_pattern(r"\.?[a-z0-9][\w']*(?:[-.][\w']+)*")
_ADDRESS = lazy_pattern(
    rf"://|@\w|[?&]\w+=|\+\d[\d ()-]{{7}}|\.(?:{_TLD})\b|\d\.\d+\.\d+\.\d|\b(?:0x[0-9a-f]{{20}}|[a-z]{{2}}\d\d[a-z0-9 ]{{8}})"
    r"|account [\w. ]{0,8}\d|(?<![a-z0-9])[a-z0-9]{26}",
    re.IGNORECASE,
)
# Or a long word, or an account. It begins with one class of characters, for which a text is passed over quickly.
_MAY_BE_ADDRESS = lazy_pattern(r"[@=+.\d](?:(?<=[@=])|(?<=\.)[A-Za-z\u017f\u212a]|(?<=\+)\d|(?<=\d)[xX\d.])")
_LONG = 26
_PATH_SIGN, _RECEIVER_SIGN = "/", "@"
RECEIVERS = frozenset({"url", "bucket", "mail", "wallet", "phone", "address", "host"})
_SECRET_FILES = lazy_pattern(
    r"(?:^|/)\.(?:ssh|aws|gnupg|netrc|env|kube|docker|npmrc|pypirc|git-credentials|pgpass|my\.cnf|terraformrc|bash_history|zsh_history)\b|id_(?:rsa|ed25519|ecdsa)|credentials|/etc/(?:shadow|passwd)|\.pem$|keychain",
    re.IGNORECASE,
)
# Fixed paths in places that are neither the skill's nor the system's: a path below another root is one of a project or a page.
_PLACES = r"/(?:root|home|Users|opt|var|srv|mnt|media|data|shared?|app|workspace|Volumes|private)/[\w./@-]*"
_OUTSIDE = lazy_pattern(rf"{_PLACES}[\w-]\.\w{{2,5}}\Z")
_FOLDER = lazy_pattern(rf"{_PLACES}[\w-]/\Z")
_DOCUMENTS = (".md", ".mdx", ".txt", ".rst")  # what is read as a text, and may hold orders
_SENTENCE_END = lazy_pattern(
    r"(?=[.!?\s])(?:(?<![ei]\.[ge])[.!?](?:[\"\u201d)]|\s|$)|\n\s*\n|\n\s*(?:[-*|>+]|\d+[.)])|\s\|\s|\n(?=\s*$))"
)
QUOTES = lazy_pattern('["\u201c\u201d]')
_JOINS = frozenset("and or then but nor yet plus & hence thus therefore accordingly so".split())
_CARRY = frozenset(", or nor".split())  # a negation holds for what follows
_CONDITIONS = frozenset(
    "if when whenever unless until where once while should because since after before although though".split()
)
_OPENERS = frozenset("so which who whose without lest whereas".split())
_DETERMINERS = frozenset(
    "the a an this that these those each every any all your their its our my his her no of some same final full new other such in user's"
    " another what which whose".split()
)
PREPOSITIONS = {
    "from": "from", "of": "", "off": "from", "out": "from", "in": "in", "into": "in", "inside": "in", "within": "in", "on": "in",
    "to": "to", "at": "to", "with": "to", "via": "to", "by": "to", "through": "to", "for": "for", "toward": "to", "towards": "to",
    "onto": "in", "under": "in", "as": "as", "about": "about", "among": "in", "over": "over",
}  # fmt: skip
_BEFORE = frozenset(
    "to and or then must should will shall can may also always you please first next finally now just only simply never not don't do ever but"
    " either both let if when help assistants agents so nor need & even otherwise instead no meanwhile afterwards later thereafter finally there".split()
)
# `instructions to ignore …` speaks of it.
_TOLD = frozenset(
    "instructions attempts attempt ability able ways way how requests request permission orders order option used trying tries try want wants designed asks".split()
)
_POSSIBLE = frozenset("can may might could".split())
# Behind these `can` speaks of the agent, or is a month or a tin.
_NO_THINGS = frozenset(
    "you we i it they who agent agents assistant assistants subagent subagents model llm ai bot claude codex gemini copilot cursor skill skills"
    " script scripts tool tools".split()
)
# A warning speaks of things in general; these point to a part of the task.
_POINTING = frozenset(
    "the this that these those each every any all your its our my his her their no same final full new whatever whichever which what".split()
)
_ADVERBS = frozenset("also then even still only just already first and or both either".split())
_BEING = frozenset("be is are get gets being".split())
_OMITTING = frozenset({"skip", "forget", "omit", "miss", "neglect"})
_TALE = frozenset(
    "might may could can would was were been had".split()
)  # what happens or happened, not what is to be done
_IRREGULAR = {
    "send": "sent", "hide": "hid hidden", "tell": "told", "keep": "kept", "leave": "left", "make": "made", "take": "took taken",
    "put": "put putting", "get": "got getting", "give": "gave given", "say": "said", "read": "read", "write": "wrote written",
    "forget": "forgot forgotten", "bring": "brought", "withhold": "withheld", "override": "overrode overridden", "run": "ran running",
    "pay": "paid", "buy": "bought", "sell": "sold", "steal": "stole stolen", "feed": "fed", "set": "set setting", "win": "won",
    "find": "found", "spread": "spread", "lie": "lied lying", "do": "did done does", "begin": "began begun", "go": "went gone goes",
    "know": "known knew", "see": "seen saw", "show": "shown", "forbid": "forbidden forbade", "speak": "spoke spoken", "let": "let letting",
    "hear": "heard", "learn": "learnt", "slip": "slipped slipping", "cut": "cut cutting", "stick": "stuck", "steer": "steered",
    "overwrite": "overwrote overwritten", "rewrite": "rewrote rewritten", "spell": "spelt", "bury": "buried", "choose": "chose chosen",
    "become": "became", "mislead": "misled", "come": "came", "stand": "stood", "catch": "caught", "think": "thought", "hold": "held",
    "seek": "sought", "bet": "bet betting", "submit": "submitted submitting", "permit": "permitted permitting",
    "commit": "committed committing",
    "transmit": "transmitted transmitting", "omit": "omitted omitting", "refer": "referred referring", "prefer": "preferred preferring",
    "defer": "deferred deferring", "transfer": "transferred transferring", "admit": "admitted admitting", "remit": "remitted remitting",
    "dm": "dm'd dming", "cc": "cc'd cc'ing ccs", "bcc": "bcc'd bcc'ing", "lay": "laid", "shed": "shed", "rig": "rigged rigging",
    "quit": "quit", "rm": "rm", "sync": "synced syncing", "undo": "undid undone", "sweep": "swept", "deal": "dealt",
}  # fmt: skip
ACTING = frozenset({"do", "no", "they", "did", "ing"})  # begin the features of verbs
# Features that do not come from words of the lexicon, or not from these alone
OTHER_SIGNS: dict[str, frozenset[str]] = {
    "if": _CONDITIONS, "without": frozenset({"without"}), "act": frozenset({"that"}),
    **dict.fromkeys(("path", "outside", "made", "guide", "folder", "secret"), frozenset({_PATH_SIGN})),
    **dict.fromkeys((*RECEIVERS, *(f"@{kind}" for kind in RECEIVERS), "given", "fixed", "known", "anonymous", "filled", "somebody", "brand"), frozenset({_RECEIVER_SIGN})),
}  # fmt: skip
_DOUBLED = lazy_pattern(r"[^aeiou][aeiou][bdgmnpt]\Z")


class Receiver(NamedTuple):
    """Something that a text fixes as the end of a way: an address, a mailbox, a number, an account."""

    kind: str
    text: str


class Clause(NamedTuple):
    """One clause as the set of its features."""

    features: frozenset[str]
    receivers: tuple[Receiver, ...] = ()


class Entry(NamedTuple):
    """A word or phrase of the lexicon, by its first word."""

    rest: tuple[str, ...]
    kind: str
    name: str
    participle: bool = False
    base: bool = True  # as the lexicon has it, not inflected


class Token(NamedTuple):
    """A word, a mark or a receiver of a sentence."""

    kind: str
    text: str


def _entries(rows: dict[str, list[Any]]) -> dict[str, tuple[Entry, ...]]:
    return {word: tuple(map(Entry._make, found)) for word, found in rows.items()}


@stored_table(_entries)
def lexicon() -> dict[str, tuple[Entry, ...]]:
    """Every form of every word, and what it means."""
    return load(_FILE)


@cache
def _by_class() -> dict[str, list[tuple[str, Entry]]]:
    found: dict[str, list[tuple[str, Entry]]] = {}
    for word, entries in lexicon().items():
        for entry in entries:
            found.setdefault(entry.name, []).append((word, entry))
    return found


@cache
def words_of(name: str) -> frozenset[str]:
    """The first words of all that the lexicon has for a class, and the signs of what is no word."""
    signs = _CONDITIONS if name == "if" else OTHER_SIGNS.get(name, _NOTHING) & {_PATH_SIGN, _RECEIVER_SIGN}
    return signs | {word for word, _ in _by_class().get(name, ())}


def signs_of(feature: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Words of which one stands in every text that has a feature, each with the other words of its phrase; signs stand for what is no word."""
    way, _, name = feature.removeprefix("said:").rpartition(":")
    for word, entry in _by_class().get(name, ()):
        if _may_give(word, entry, way):
            yield word, frozenset(entry.rest) - {HOLE} if entry.rest else _NOTHING
    if name == "unaware":
        yield from signs_of("they:tell")
    for word in OTHER_SIGNS.get(name, ()):
        yield word, frozenset()


def _may_give(word: str, entry: Entry, way: str) -> bool:
    """Whether a word may give a feature: a verb by its form, a noun with a preposition or alone."""
    if way not in ACTING:
        return entry.kind != "verb" and (not way or entry.kind == "noun")
    if entry.kind != "verb" or way == "they":
        return entry.kind == "verb"
    if way == "did":
        return entry.participle
    return word.endswith("ing") or (way != "ing" and (entry.base or entry.participle))


class WordBits(NamedTuple):
    """What words say of features before a sentence is read: the bits of all that they may give, in whatever clauses."""

    alone: dict[str, int]
    phrases: dict[str, tuple[tuple[frozenset[str], int], ...]]  # with other words of a phrase

    def reached(self, words: set[str]) -> int:
        """The bits of the features that a sentence with these words may have."""
        alone, phrases, found = self.alone, self.phrases, 0
        for word in alone.keys() & words:
            found |= alone[word]
        for word in phrases.keys() & words:
            for others, bits in phrases[word]:
                if others <= words:
                    found |= bits
        return found


def word_bits(features: dict[str, int]) -> WordBits:
    """By the bits of features the bits of words."""
    alone: dict[str, int] = {}
    phrases: dict[str, dict[frozenset[str], int]] = {}
    for feature, bits in features.items():
        for word, others in signs_of(feature):
            if others:
                known = phrases.setdefault(word, {})
                known[others] = known.get(others, 0) | bits
            else:
                alone[word] = alone.get(word, 0) | bits
    return WordBits(alone, {word: tuple(known.items()) for word, known in phrases.items()})


def load(path: Path) -> dict[str, tuple[Entry, ...]]:
    """Read a lexicon; a section of another kind is refused with its line."""
    found: dict[str, list[Entry]] = {}
    for row in read_table(path, 1):
        kind, _, name = row.section.partition(" ")
        if kind not in _KINDS or not name:
            message = f"{row.where}: `{row.section}` is no kind of section"
            raise DataError(message, f"begin it with {', '.join(_KINDS)}")
        for entry in row.cells[0].split(","):
            words = entry.lower().split()
            if not words:
                continue
            if kind == "noun":
                for last in {words[-1], _plural(words[-1])} if len(words[-1]) > 2 else words[-1:]:  # `its` is no plural
                    phrase = (*words[:-1], last)
                    found.setdefault(phrase[0], []).append(Entry(phrase[1:], kind, name))
            else:
                for form, participle in _forms(words[0]) if kind == "verb" else {(words[0], False)}:
                    found.setdefault(form, []).append(Entry(tuple(words[1:]), kind, name, participle, form == words[0]))
    return {word: tuple(dict.fromkeys(entries)) for word, entries in found.items()}


def _plural(noun: str) -> str:
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"


def _forms(verb: str) -> Iterator[tuple[str, bool]]:
    """The inflections of a verb, and whether each may be a participle."""
    yield verb, False
    irregular = _IRREGULAR.get(verb, "").split()
    for form in irregular:
        yield form, not form.endswith("ing")
    if verb.endswith("e"):
        stem, past = verb[:-1], f"{verb}d"
    elif verb.endswith("y") and verb[-2:-1] not in "aeiou":
        stem, past = verb, f"{verb[:-1]}ied"
    elif _DOUBLED.search(verb) and len(verb) < 5:
        stem, past = verb + verb[-1], f"{verb}{verb[-1]}ed"
    else:
        stem, past = verb, f"{verb}ed"
    yield f"{stem}ing", False
    yield past, True
    yield _plural(verb), False


class Sentence:
    """A sentence of a text. Its words and its clauses are read when a rule asks for them, and then once."""

    __slots__ = ("_clauses", "_vocabulary", "_words", "begin", "end", "source", "text")

    def __init__(self, source: str, begin: int, end: int) -> None:
        self.source, self.begin, self.end, self.text = source, begin, end, source[begin:end]
        self._words: list[str] | None = None
        self._vocabulary: set[str] | None = None
        self._clauses: tuple[Clause, ...] | None = None

    @property
    def words(self) -> list[str]:
        """The words in lower case; of one with hyphens also what stands behind the first."""
        if self._words is None:
            self._words = found = _WORD.findall(self.text.lower().replace("\u2019", "'"))
            if "-" in self.text:
                found += [word.partition("-")[2] for word in found if "-" in word]
        return self._words

    @property
    def vocabulary(self) -> set[str]:
        """The words, and signs for addresses and paths: by these it is known fast what a sentence cannot hold."""
        if self._vocabulary is None:
            text = self.text
            self._vocabulary = found = set(self.words)
            if "/" in text:
                found.add(_PATH_SIGN)
            may = _MAY_BE_ADDRESS.search(text) or max(map(len, found), default=0) >= _LONG or "account" in text.lower()
            if "://" in text or (may and _ADDRESS.search(text)):
                found.add(_RECEIVER_SIGN)
        return self._vocabulary

    @property
    def lines_before(self) -> int:
        """The line ends of the text before the first word."""
        return self.source.count("\n", 0, self.begin + len(self.text) - len(self.text.lstrip()))

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """What the sentence says, clause by clause."""
        if self._clauses is None:
            line = self.source.rfind("\n", 0, self.begin) + 1
            quoted = len(QUOTES.findall(self.source, line, self.begin)) % 2 == 1
            self._clauses = tuple(_clauses(tokens(self.text), quoted=quoted))
        return self._clauses


def names_file_of_others(text: str) -> bool:
    """Whether a text has the fixed path of a file that is neither the skill's nor the system's."""
    return "/" in text and any(one.kind == "path" and _OUTSIDE.match(one.text) for one in tokens(text))


def sentences_of(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text."""
    found: list[Sentence] = []
    begin = 0
    for end in _SENTENCE_END.finditer(text):
        if text[begin : end.start()].strip():
            found.append(Sentence(text, begin, end.start() + 1))
        begin = end.end()
    if text[begin:].strip():
        found.append(Sentence(text, begin, len(text)))
    return tuple(found)


def tokens(text: str) -> list[Token]:
    """The words, marks and receivers of a text in order; words in lower case."""
    found: list[Token] = []
    for match in (_TOKEN if _NOT_PLAIN.search(text) else _PLAIN_TOKEN).finditer(text):
        kind, word = match.lastgroup or "word", match[0]
        if kind in RECEIVERS:
            word = word.strip().rstrip(".,;:!?")
        else:
            word = word.lower()
            if kind != "word":
                word = word.strip()
            elif "\u2019" in word:
                word = word.replace("\u2019", "'")
        found.append(Token(kind, word))
    return found


def _clauses(parts: list[Token], *, quoted: bool) -> Iterator[Clause]:
    """Cut a sentence where another act, a condition or a purpose begins."""
    known = lexicon()
    meanings = [
        _meanings(parts, at) if token.text in known or "-" in token.text else () for at, token in enumerate(parts)
    ]
    current: list[int] = []
    outer: list[int] = []
    carried, told_of = False, ""  # what holds for the next clause too: a negation, and attackers as those who act
    for at, token in enumerate(parts):
        if token.kind == "mark" and token.text in '"\u201c\u201d':
            if quoted and current:
                yield _clause(parts, meanings, current, told_of, quoted=True, carried=False)
            current, outer = (outer, []) if quoted else ([], current)  # the clause goes on behind the quotation
            quoted = not quoted
            continue
        if current and (token.kind == "mark" or token.text in _MAY_BEGIN) and _begins(parts, meanings, at):
            if all(parts[one].kind == "mark" or parts[one].text in _JOINS for one in current):
                carried = carried and token.text in _CARRY
                current = [at]
                continue
            clause = _clause(parts, meanings, current, told_of, quoted=quoted, carried=carried)
            yield clause
            told_of = told_of or ("outsider" if "outsider" in clause.features else "")
            carried = _carries(clause.features, token.text)
            if token.text == "without" and "not" in clause.features:
                current = []
                continue  # `do not X without Y` asks for Y
            current = []
        current.append(at)
    for rest, inside in ((current, quoted), (outer, False)):
        if rest:
            yield _clause(parts, meanings, rest, told_of, quoted=inside, carried=carried)


def _carries(features: frozenset[str], joint: str) -> bool:
    """Whether a negation holds for the clause behind a joint: `do not X, Y or Z`; behind `or` also if X has no meaning here."""
    if any(one.startswith(("no:", "said:no:")) for one in features):
        return joint in _CARRY
    acts = any(one.removeprefix("said:").partition(":")[0] in ACTING for one in features if ":" in one)
    return joint in ("or", "nor") and "not" in features and not acts and features.isdisjoint(("without", "if"))


def _begins(parts: list[Token], meanings: list[tuple[tuple[Entry, int], ...]], at: int) -> bool:
    word = parts[at].text
    if parts[at].kind == "mark" and word != ",":
        return True
    if word in _OPENERS and (word not in ("which", "who", "whose") or parts[at - 1].text == ","):
        return True
    if word in _CONDITIONS and parts[at - 1].text in ("even", "as"):
        return False
    if word in _CONDITIONS and (word != "should" or parts[at - 1].kind == "mark"):
        return True
    if word not in _JOINS and word != ",":
        return False
    after = at + 1
    while after < len(parts) and (
        parts[after].text in _JOINS
        or parts[after].text.endswith("ly")
        or parts[after].text in ("also", "please", "you", "always", "just")
    ):
        after += 1
    if after >= len(parts):
        return False
    if parts[after].text in _CONDITIONS or any(entry.name == "not" for entry, _ in meanings[after]):
        return True
    return any(entry.kind == "verb" for entry, _ in meanings[after]) and parts[after - 1].text not in _DETERMINERS


def _meanings(parts: list[Token], at: int) -> tuple[tuple[Entry, int], ...]:
    """What the words from a token on mean, and how many they are."""
    token = parts[at]
    if token.kind not in ("word", "path"):
        return ()
    found: list[tuple[Entry, int]] = []
    after = parts[at + 1].text if at + 1 < len(parts) else ""
    for entry in lexicon().get(token.text, ()):
        if not entry.rest:
            found.append((entry, 1))
        elif entry.rest[0] in (after, HOLE) and (length := _matched(parts, at + 1, entry.rest)) >= 0:
            found.append((entry, 1 + length))
    if "-" in token.text and not found and token.text.startswith(("pre-", "re-", "auto-")):
        return tuple((entry, 1) for entry in lexicon().get(token.text.partition("-")[2], ()) if not entry.rest)
    return tuple(found)


def _matched(parts: list[Token], at: int, rest: tuple[str, ...]) -> int:
    """How many tokens the rest of a phrase takes; -1 if it does not stand there."""
    begin = at
    for index, word in enumerate(rest):
        if word == HOLE:
            tail = rest[index + 1 :]
            for start in range(at, min(at + _REACH, len(parts))):
                if (parts[start].kind == "mark" and parts[start].text != ",") or parts[start].text in _FINITE:
                    return -1  # `make sure it is up to date` makes nothing up
                if parts[start].text == tail[0] and _matched(parts, start, tail) >= 0:
                    return 0  # the object is read for itself
            return -1
        if at >= len(parts) or parts[at].text != word:
            return -1
        at += 1
    return at - begin


class _ClauseReader:
    """Reads one clause, word by word, into its features."""

    __slots__ = (
        "carried", "covered", "features", "first_word", "meanings", "muted", "negated", "parts", "places", "possible", "receivers", "subject",
    )  # fmt: skip

    def __init__(
        self,
        parts: list[Token],
        meanings: list[tuple[tuple[Entry, int], ...]],
        places: list[int],
        subject: str,
        *,
        carried: bool,
    ) -> None:
        self.parts, self.meanings = parts, meanings
        self.places = places
        self.features: set[str] = {"not"} if carried else set()
        self.receivers: list[Receiver] = []
        self.carried = self.negated = carried
        self.subject = subject  # who acts, if it is not the agent
        self.possible = -1  # the `can` of a thing
        self.muted = False  # what follows is not done
        self.covered = -1  # the last token of a longer thing: `commit message` is no message
        words = (parts[at].text for at in places if parts[at].kind == "word" and parts[at].text not in _JOINS)
        self.first_word = next(words, "")
        if self.first_word in _CONDITIONS:
            self.features.add("if")
        if self.first_word == "without":
            self.features.add("without")
        for at in places:
            token = parts[at]
            if meanings[at] or token.kind not in _SILENT or token.text in _NOTED:  # few words
                self._read(at, token)
        if not self.features.isdisjoint(_TELLING) and _ASKS_USER.search(" ".join(parts[at].text for at in places)):
            self.features -= _TELLING  # `tell the user to run it` informs of nothing

    def _read(self, at: int, token: Token) -> None:
        if token.kind in RECEIVERS:
            self.receivers.append(Receiver(token.kind, token.text))
            return
        if token.kind not in _SILENT:
            self._read_sign(at, token)
        if token.text in _NOTED:
            self._read_small_word(at, token.text)
        known = self.meanings[at]
        if not known:
            return
        longest = max((length for entry, length in known if entry.kind != "words"), default=0)
        reached = self.covered
        for entry, length in known:
            if at + length - 1 > self.places[-1] and length > 1:
                continue
            if entry.kind == "verb":
                if length > 1 or longest == 1 or self.parts[at + 1].text not in _PARTICLES:  # `call out` is no call
                    self._read_verb(at, entry)
            elif entry.kind == "noun":
                if at + length - 1 > self.covered and length >= longest:
                    self._read_noun(at, at + length, entry.name)
                    reached = at + length - 1
            elif length > 1 or entry.name != "unasked" or not self._is_attribute(at):  # `unattended robots`
                self._read_phrase(at + length, entry.name)
        self.covered = max(self.covered, reached)

    def _read_sign(self, at: int, token: Token) -> None:
        if token.kind == "tag":
            self.features.add("brand")
        if token.kind == "path":
            self.features.add("path")
            if _SECRET_FILES.search(token.text):
                self.features.add("secret")
            elif at and self.parts[at - 1].text in _WRITTEN_TO:
                self.features.add("made")
            elif _OUTSIDE.match(token.text) and "..." not in token.text and "made" not in self.features:
                self.features.add("outside")
                if token.text.endswith(_DOCUMENTS):
                    self.features.add("guide")
            elif _FOLDER.match(token.text):
                self.features.add("folder")

    def _read_small_word(self, at: int, word: str) -> None:
        if word in ("that", "how", "why") and not self.features.isdisjoint(("no:tell", "no:say", "unaware")):
            self.negated = False  # what is not to be said is done
        if self.first_word == "without" and word in _FINITE:
            self.negated = self.carried  # `a row without a rate is left out`: only the noun is denied
        if word in _POSSIBLE and not self.subject and self._is_warning(at):
            self.subject, self.possible = _THING, at
        if word == "that" and (at == self.places[-1] or self.parts[at + 1].text in PREPOSITIONS):
            self.features.add("act")

    def _is_warning(self, at: int) -> bool:
        """Whether `can` says what things do in general: `transfers can silently break`.

        What the agent writes and what the task names does as the agent is told, and a warning hands nothing over and keeps nothing
        from people: such a sentence is an order in other words.
        """
        head = self.parts[at - 1].text
        subject = self.parts[self.places[0] : at]
        if at == self.places[0] or self.parts[at - 1].kind != "word" or head.rpartition("-")[2] in _NO_THINGS | _BEFORE:
            return False
        if head in PREPOSITIONS or any(one.text in _POINTING for one in subject):
            return False
        of_agent = any(entry.name in _OF_AGENT for known in self.meanings[self.places[0] : at] for entry, _ in known)
        kept = any(entry.name == "tell" for known in self.meanings for entry, _ in known)
        return not of_agent and not kept and all(one.kind not in RECEIVERS for one in self.parts)

    def _acts_itself(self, at: int) -> bool:
        """Whether a verb is what its subject does: of a thing only what stands right behind `can`, and what it does by that."""
        if self.subject != _THING or self.parts[at].text.endswith("ing"):
            return bool(self.subject)
        between = self.parts[self.possible + 1 : at]
        return all(one.text in _ADVERBS or one.text.endswith("ly") for one in between)

    def _read_verb(self, at: int, entry: Entry) -> None:
        parts, name = self.parts, entry.name
        word, before = parts[at].text, parts[at - 1].text if at else ""
        if self.muted or (word in _ADDRESSING and parts[at + 1 : at + 2] == [_IT]):
            return  # who is not told is no person
        if before in _DETERMINERS and not entry.participle:
            return
        learns = name == "tell" and word.rpartition("-")[2] in _LEARNING and not entry.participle
        if learns and _PEOPLE.isdisjoint(self.features):
            return  # `you cannot see that from here` keeps it from no person
        if entry.rest == _KEPT_FROM and self._is_prevention(at):
            return  # `keep the effort from drifting`
        if entry.participle and self._is_attribute(at):
            return  # `hidden inputs`
        leading = _NOTHING
        if entry.participle or self.subject:
            leading = frozenset([parts[back].text for back in range(max(self.places[0], at - 4), at)])
        passive = entry.participle and not _BEING.isdisjoint(leading) and _TALE.isdisjoint(leading)
        if passive and self._is_of_nothing(at):
            return  # `no cookies are sent`
        if (passive and self._is_consequence(at)) or (not passive and self._acts_itself(at)):
            self._read_act_of_others(entry, leading)
        elif passive and self.negated and name == "tell" and not _PEOPLE.isdisjoint(self.features):
            self.features.update(("no:tell", "unaware"))
        elif word.endswith("ing") and (at == self.places[0] or before in _CONDITIONS):
            self.features.add(f"ing:{name}")
        elif passive or _is_asked(parts, at, self.places[0], entry, negated=self.negated):
            act = "no" if self.negated else "they" if "if" in self.features else "do"
            self.features.add(f"{act}:{name}")

    def _is_of_nothing(self, at: int) -> bool:
        """Whether the subject before a passive begins with `no`."""
        first = next((back for back in range(self.places[0], at) if self.parts[back].text not in _MAY_BEGIN), at)
        return self.parts[first].text == "no" and all(entry.name != "not" for entry, _ in self.meanings[first])

    def _is_consequence(self, at: int) -> bool:
        """Whether a passive says what comes of an omission: `skip the test and the release is broken`."""
        between = [self.parts[back].text for back in range(self.places[0], at)]
        return self.first_word in _OMITTING and not {"and", "or"}.isdisjoint(between)

    def _is_prevention(self, at: int) -> bool:
        """Whether `keep … from` is followed by what is not to happen, and no person stands behind the verb."""
        rest = range(at, self.places[-1] + 1)
        act = next((one + 1 for one in rest if self.parts[one].text == "from"), at)
        if act not in rest or not self.parts[act].text.endswith("ing"):
            return False
        return not any(entry.name in _PEOPLE for one in rest for entry, _ in self.meanings[one])

    def _is_attribute(self, at: int) -> bool:
        """Whether a participle that is an adjective as well has its noun behind it."""
        after = self.parts[at + 1] if at < self.places[-1] else _COLON
        bare = after.kind == "word" and after.text not in _JOINS | _DETERMINERS | PREPOSITIONS.keys()
        return bare and not after.text.endswith("ly") and any(entry.kind == "words" for entry, _ in self.meanings[at])

    def _read_act_of_others(self, entry: Entry, leading: frozenset[str]) -> None:
        self.features.add(f"did:{entry.name}" if entry.participle else f"they:{entry.name}")
        kept_from = entry.name == "tell" and self.negated and self.subject in _PEOPLE
        if kept_from and not _BINDING.isdisjoint(leading):
            self.features.add("unaware")

    def _read_noun(self, at: int, after: int, name: str) -> None:
        if name in _DATA and at and self.parts[at - 1].text in _NAMING:
            return  # a field named `credential` is a field
        self.features.add(name)
        preposition = _preposition(self.parts, at)
        if preposition:
            self.features.add(f"{preposition}:{name}")
        elif name in _ACTORS and (name in _PEOPLE or not self.subject) and _is_subject(self.parts, after):
            self.subject = name

    def _read_phrase(self, after: int, name: str) -> None:
        if name == "not":
            following = self.meanings[after] if after < len(self.parts) else ()
            if not any(entry.name == "unneg" for entry, _ in following):
                self.negated = True
                self.features.add("not")
        elif name == "instead":
            self.muted = True
        elif name != "unneg":
            self.features.add(name)


def _clause(
    parts: list[Token],
    meanings: list[tuple[tuple[Entry, int], ...]],
    places: list[int],
    subject: str,
    *,
    quoted: bool,
    carried: bool,
) -> Clause:
    read = _ClauseReader(parts, meanings, places, subject, carried=carried)
    features = {f"said:{feature}" for feature in read.features} if quoted else read.features
    return Clause(frozenset(features), tuple(read.receivers))


def _is_asked(parts: list[Token], at: int, first: int, entry: Entry, *, negated: bool) -> bool:
    """Whether a verb stands where an order has it: at the beginning, after what asks (`must`, `to`) or after another verb."""
    if entry.participle and parts[at].text.endswith("ed"):
        return False  # neither passive nor an order: `the file sent`
    before = parts[at - 1].text if at > first else ""
    if not before and parts[at + 1 : at + 2] == [_COLON]:
        return False  # the name of an item: `Allowlist: what may pass`
    if parts[at].text.endswith("ing"):
        name = at == 1 and parts[0].text == "not" and all(part.kind == "word" for part in parts)  # of what is wrong
        return (negated and not name) or _is_manner(parts, at)
    if not before or before in _BEFORE or before.endswith("ly") or parts[at - 1].kind == "mark":
        told = before == "to" and at - 2 >= first and parts[at - 2].text in _TOLD
        return entry.base and not told
    return entry.base and bool(entry.rest)


def _is_manner(parts: list[Token], at: int) -> bool:
    """Whether a form with `-ing` says how an order is carried out: `begin by reading … and including …`."""
    before = parts[at - 1].text if at else ""
    if before in _JOINS:  # as another one before it
        return any(parts[back].text.endswith("ing") and _is_manner(parts, back) for back in range(at - 1))
    return before in ("by", "start", "begin", "keep", "consider")


def _preposition(parts: list[Token], at: int) -> str:
    for back in range(at - 1, max(-1, at - 6), -1):
        word = parts[back].text
        if parts[back].kind == "mark":
            break
        if word in PREPOSITIONS:
            if word == "of" and back and parts[back - 1].text == "out":
                return "from"
            if PREPOSITIONS[word]:
                return PREPOSITIONS[word]
    return ""


_ASKS_USER = lazy_pattern(
    r"\b(?:tell|ask|advise|warn|instruct|alert|remind)\w* (?:\w+ ){0,2}(?:users?|them|customers?|developers?|people|person|human) (?:not )?to\b"
)
_TELLING = frozenset({"no:tell", "do:tell"})
_PEOPLE = frozenset({"user", "reviewer"})
_ADDRESSING = frozenset(
    "tell telling inform informing notify notifying warn warning brief briefing advise advising alert alerting".split()
)
_DATA = frozenset({"secret", "personal", "talk"})
_NAMING = frozenset("named called titled labeled labelled".split())
_LEARNING = frozenset("hear learn find become be see realise realize discover spot notice know".split())
_KEPT_FROM = (HOLE, "from")
_PARTICLES = frozenset(
    "out up off down on over in away back through aside along".split()
)  # make another verb of a verb
_WRITTEN_TO = frozenset({"to", "into", "as"})  # before a file that is made and not obeyed
_IT, _COLON = Token("word", "it"), Token("mark", ":")
_BINDING = frozenset("won't cannot can't never should must shall needs need have has to ought may can will".split())
_FINITE = frozenset("is are was were has have must should will shall".split())
_SILENT = frozenset({"word", "mark"})
_NOTED = _FINITE | _POSSIBLE | frozenset({"that", "how", "why"})  # words that count without a meaning
_MAY_BEGIN = _OPENERS | _CONDITIONS | _JOINS | {","}  # words that may begin a clause
_THING = "thing"  # as a subject
_OF_AGENT = frozenset({"log", "self", "instructions", "peers"})  # what the agent writes and reads, and other agents
_ACTORS = frozenset({"user", "outsider", "machine", "guard", "reviewer", "claimant"})
_VERBAL = frozenset(
    "will can may might could would should must shall has have had do does did is are was were to who that often usually typically then also".split()
)


def _is_subject(parts: list[Token], at: int) -> bool:
    """Whether a noun that ends before a token is followed by what it does."""
    if at >= len(parts) or parts[at].kind != "word":
        return False
    word = parts[at].text
    return word in _VERBAL or any(entry.kind == "verb" and not entry.rest for entry in lexicon().get(word, ()))
