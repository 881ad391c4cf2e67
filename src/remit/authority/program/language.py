"""The parser of policy files: lists, and for each intent when it is allowed, denied, confirmed or changed.

    policy  office
    list    recipients  from recipients.txt
    list    domains     example.org *.example.com
    list    limit       <=5000
    list    fragments   windows 12 from fragments.txt

    intent  SendMessage
    allow   recipient in recipients
    allow   domain in domains and not text shows key
    deny    text has fragments
    confirm domain not in domains
    redact  text shows card
    clamp   text longer than 4000

Lines with the same keyword are alternatives. An intent happens if one `allow` holds and no `deny`; without an `allow` it never
happens, nor does an intent without a section. `#` begins a comment.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from remit.authority.dpf import LARGEST, SMALLEST
from remit.authority.intents import CHANGEABLE, intents
from remit.core.errors import DataError
from remit.policy.dlp.classes import CLASSES

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ("allow", "deny", "confirm", "redact", "clamp", "rewrite")
LARGEST_LIST = 4_000_000
WINDOW_LEAST, WINDOW_MOST = 8, 64
_NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
_COMMENT = re.compile(r"(?:^|\s)#.*")


class List(NamedTuple):
    """A list of values; with a window, of texts of at least that many bytes, each identified by that many of its first
    bytes.
    """

    name: str
    values: tuple[str, ...]
    window: int = 0
    bits: int = 0  # of its table; 0: as many as it needs


class Atom(NamedTuple):
    """One test. `in`, `has`: the slot's value is in a list; `shows`: a class of secrets; `longer`: a length."""

    slot: str
    relation: str
    operand: str

    def __str__(self) -> str:
        return f"{self.slot} {'longer than' if self.relation == 'longer' else self.relation} {self.operand}"


class Condition(NamedTuple):
    """A conjunction of atoms, each possibly negated. Without atoms it always holds."""

    atoms: tuple[tuple[Atom, bool], ...]
    where: str

    def __str__(self) -> str:
        return " and ".join(f"{'' if holds else 'not '}{atom}" for atom, holds in self.atoms) or "always"


class Policy(NamedTuple):
    """A parsed policy file. `rules`: intent -> word -> alternatives."""

    name: str
    lists: dict[str, List]
    rules: dict[str, dict[str, tuple[Condition, ...]]]
    proxy: str = ""
    files: tuple[Path, ...] = ()  # lists that lie beside it


def read_policy(path: Path) -> Policy:
    """Read a policy file and the lists beside it; DataError with the line that cannot be read."""
    return _PolicyReader(path).read()


class _PolicyReader:
    """A reader of one file, line by line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.where = path.name
        self.name = ""
        self.proxy = ""
        self.lists: dict[str, List] = {}
        self.rules: dict[str, dict[str, tuple[Condition, ...]]] = {}
        self.intent = ""
        self.files: list[Path] = []

    def read(self) -> Policy:
        try:
            lines = self.path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise self._unread(f"the policy `{self.path}`", error) from None
        for number, line in enumerate(lines, 1):
            self.where = f"{self.path.name}:{number}"
            word, _, rest = _COMMENT.sub("", line).strip().partition(" ")
            if word:
                self._line(word, rest.strip())
        if not self.name:
            raise self._fault("a policy begins with `policy NAME`")
        return Policy(self.name, self.lists, self.rules, self.proxy, tuple(self.files))

    def _line(self, word: str, rest: str) -> None:
        if word in WORDS:
            self._rule(word, rest)
        elif word == "policy" and not self.name and _NAME.fullmatch(rest):
            self.name = rest
        elif word == "proxy" and not self.proxy and rest.startswith("https://"):
            self.proxy = rest
        elif word == "list":
            self._list(rest)
        elif word == "intent":
            if rest not in intents() or rest in self.rules:
                raise self._fault(f"`{rest}` is not an intent, or occurs twice")
            self.intent = rest
            self.rules[rest] = {}
        else:
            raise self._fault(f"`{word}` does not begin a line, or occurs twice")

    def _list(self, rest: str) -> None:
        name, *words = rest.split() or [""]
        window = bits = 0
        while words and words[0] in ("windows", "bits"):
            if not words[1:] or not _NUMBER.fullmatch(words[1]):
                raise self._fault(f"`{words[0]}` wants a number")
            window, bits = (int(words[1]), bits) if words[0] == "windows" else (window, int(words[1]))
            words = words[2:]
        if not _NAME.fullmatch(name) or name in self.lists:
            raise self._fault(f"`{name}` is not the name of a list, or occurs twice")
        if window and not WINDOW_LEAST <= window <= WINDOW_MOST:
            raise self._fault(f"a window has {WINDOW_LEAST} to {WINDOW_MOST} bytes")
        if bits and not SMALLEST <= bits <= LARGEST:
            raise self._fault(f"a table has {SMALLEST} to {LARGEST} bits")
        self.lists[name] = List(name, self._values(words), window, bits)

    def _values(self, words: list[str]) -> tuple[str, ...]:
        if words[:1] != ["from"]:
            return tuple(words)
        file = self.path.parent / " ".join(words[1:])
        if file.parent != self.path.parent:
            raise self._fault("a list must be in the folder of its policy")
        try:
            lines = [line.strip() for line in file.read_text("utf-8").splitlines()]
        except (OSError, UnicodeDecodeError) as error:
            raise self._unread(f"the list `{file}`", error) from None
        self.files.append(file)
        values = tuple(line for line in lines if line and not line.startswith("#"))
        if len(values) > LARGEST_LIST:
            raise self._fault(f"the list `{file.name}` has more than {LARGEST_LIST} values")
        return values

    def _rule(self, word: str, rest: str) -> None:
        if not self.intent:
            raise self._fault(f"`{word}` stands before the first intent")
        if word == "rewrite" and not self.proxy:
            raise self._fault("`rewrite` needs a `proxy` above it")
        atoms = () if rest == "always" else tuple(self._atom(text) for text in re.split(r"\s+and\s+", rest))
        self._possible(word, atoms)
        rules = self.rules[self.intent]
        rules[word] = (*rules.get(word, ()), Condition(atoms, self.where))

    def _possible(self, word: str, atoms: tuple[tuple[Atom, bool], ...]) -> None:
        """Refuse a change that cannot be made to the intent's inputs."""
        intent = intents()[self.intent]
        if word == "rewrite" and not intent.of_types("domain", "url"):
            raise self._fault(f"`{intent.name}` has no URL to be rewritten")
        if word in ("redact", "clamp") and not intent.of_types("text", *CHANGEABLE):
            raise self._fault(f"`{intent.name}` has no text to be changed")
        if word == "clamp" and not any(holds and atom[:2] == ("text", "longer") for atom, holds in atoms):
            raise self._fault("`clamp` says from which length on: `clamp text longer than NUMBER`")

    def _atom(self, text: str) -> tuple[Atom, bool]:
        words = text.split()
        holds = words[:1] != ["not"]
        words = words if holds else words[1:]
        if words[1:3] == ["not", "in"] and holds:
            holds, words = False, [words[0], *words[2:]]
        match words:
            case [slot, "in" | "has" as relation, name] if self._fits(slot, relation, name):
                return Atom(slot, relation, name), holds
            case ["amount", *_]:
                pass  # a number is compared only with lists
            case [slot, "shows", name] if name in CLASSES and self._says(slot):
                return Atom(slot, "shows", name), holds
            case [slot, "longer", "than", length] if _NUMBER.fullmatch(length) and self._says(slot):
                return Atom(slot, "longer", str(int(length))), holds
        raise self._fault(f"`{text}` is not a condition of `{self.intent}`")

    def _says(self, slot: str) -> bool:
        """Return whether the intent has the slot; a condition on any other slot would be constant."""
        return slot in intents()[self.intent].slots

    def _fits(self, slot: str, relation: str, name: str) -> bool:
        known = self.lists.get(name)
        right = known is not None and bool(known.window) == (relation == "has")
        return right and self._says(slot) and (slot, relation) != ("amount", "has")

    def _unread(self, what: str, error: OSError | UnicodeDecodeError) -> DataError:
        why = (error.strerror or "error").lower() if isinstance(error, OSError) else "not UTF-8"
        return DataError(f"{self.where}: {what} cannot be read: {why}", "name a file that you can read")

    def _fault(self, problem: str) -> DataError:
        return DataError(f"{self.where}: {problem}", "docs/authority.md has the form of a policy file")
