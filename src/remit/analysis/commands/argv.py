"""Reads the words after a command: which options are given, which values they have, what is an operand.

A word that begins with a hole may be an option. If the hole is exactly what the user passes, that is an assumption
that is printed; otherwise (file names from a glob, text from a file or the network) every option counts, with any value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from remit.analysis.commands.values import WILD, cut, dash, has_hole, head, literal, partition, texts
from remit.analysis.domain import NUMERIC, Text, Value
from remit.analysis.each import each

if TYPE_CHECKING:
    from remit.analysis.commands.model import Action, Command, Operands, Option

ENDS = frozenset({";", "+"})  # of a command inside a command line
FIND_MARKS = frozenset({"(", ")", "!", ","})
_NOT_KNOWN: tuple[Value, Value] = (frozenset(), frozenset())
UNIVERSAL = frozenset({"--help", "--version"})
YES = frozenset({"true", "yes", "on", "1"})  # values that leave an option on


@dataclass(slots=True)
class Reading:
    """What a command line says. Names are bound to every value that they may have."""

    sure: set[str] = field(default_factory=set)  # options that are given
    maybe: set[str] = field(default_factory=set)  # options that may be given
    bound: dict[str, list[Value]] = field(default_factory=dict)
    lists: dict[str, tuple[list[Value], Value]] = field(default_factory=dict)  # names bound to words in order, and more
    unsure: set[str] = field(default_factory=set)  # names that may be unbound
    actions: list[tuple[Action, dict[str, list[Value]], str]] = field(default_factory=list)
    operands: list[Value] = field(default_factory=list)
    rest: Value = frozenset()
    last: tuple[Value, Value] = _NOT_KNOWN  # what is before the last operand in `rest`, and that operand
    unknown: list[str] = field(default_factory=list)  # options without a summary
    given: dict[str, list[Value]] = field(default_factory=dict)  # what may be their values
    wild: set[Text] = field(default_factory=set)  # words that are not the user's and may be options
    user: bool = False  # a word of the user may be an option

    def bind(self, name: str, value: Value) -> None:
        """Add a value of a name."""
        if name != "_":
            self.bound.setdefault(name, []).append(value)


class ArgvReader:
    """Walks over the words of one command line."""

    def __init__(
        self,
        command: Command,
        words: Sequence[Value],
        rest: Value,
        last: tuple[Value, Value] = _NOT_KNOWN,
        *,
        stops: bool = False,
    ) -> None:
        self.command = command
        self.words = list(words)
        self.more = rest
        self.stops = stops or command.style == "posix" or "stops" in command.marks
        self.reading = Reading(rest=rest, last=_NOT_KNOWN if _may_be_values(rest, last[1]) else last)
        self.at = 0
        self.owed = -1  # the place of a word that may be the value of an option that is not known

    def read(self) -> Reading:
        """Read all words; with `stops`, all words after the first operand are operands."""
        reading = self.reading
        if self.command.style == "words":
            reading.operands = self.words
            return reading
        while self.at < len(self.words):
            word = self.words[self.at]
            self.at += 1
            if (self._option_like(word) and self._options(word)) or self._plus(word):
                continue
            if self.command.style == "keys" and self._key(word):
                continue
            if self.command.style == "find" and literal(word) in FIND_MARKS:
                continue
            reading.operands.append(word)
            if self.stops:
                reading.operands.extend(self.words[self.at :])
                return reading
            if self.command.style == "tar" and self.at == 1:
                reading.operands.pop()
                self._old_cluster(word)
        self._read_rest()
        return reading

    def _option_like(self, word: Value) -> bool:
        """Whether a word is certainly an option; doubtful words are noted and stay operands."""
        kinds = {dash(item) for item in texts(word)}
        if kinds == {"yes"}:
            return True
        if "wild" in kinds:
            self.reading.wild.update(item for item in texts(word) if dash(item) == "wild")
        elif "user" in kinds:
            self.reading.user = True
        before = self.at
        for item in each(texts(word)) if "yes" in kinds else ():
            if dash(item) == "yes":
                self._option(item, sure=False)
                self.at = before  # what the option would take stands alone if the word is no option
        return False

    def _plus(self, word: Value) -> bool:
        """Options that begin with a plus: `bash +x`, `cargo +nightly`."""
        name = literal(word)
        if name is None or not name.startswith("+"):
            return False
        option = self.command.options.get(name) or self.command.options.get("+*")
        if option is not None:
            self._given(option, name, None, sure=True, may_take=True)
        return option is not None

    def _options(self, word: Value) -> bool:
        """Read a word all of whose texts begin with a dash. Returns False at `--`."""
        found = texts(word)
        if len(found) == 1 and next(iter(found)).literal == "--":
            self.reading.operands.extend(self.words[self.at :])
            self.reading.lists["--"] = (self.words[self.at :], self.more)
            self.at = len(self.words)
            return True
        before = self.at
        ends = set()
        sure = len(found) == 1 and before - 1 != self.owed
        for item in each(found):
            self.at = before
            self._option(item, sure=sure)
            ends.add(self.at)
        self.at = max(ends)
        if len(ends) > 1:  # whether the next word belongs to the option is undecided: it may stand alone too
            self.at = min(ends)
        return True

    def _option(self, item: Text, *, sure: bool) -> None:
        start = head(item)
        if self.command.style in {"long", "find"}:
            self._long(item, sure=sure, single=not start.startswith("--"))
        elif start.startswith("--"):
            self._long(item, sure=sure, single=False)
        else:
            self._cluster(cut(item, 1), sure=sure)

    def _long(self, item: Text, *, sure: bool, single: bool) -> None:
        split = partition(item, "=")
        name_text, value = split or (item, None)
        name = name_text.literal
        if name is None:  # `--$x`: any long option
            self.reading.wild.add(WILD)
            return
        found = self._named(name)
        if not found and single and self._attached(item, name, sure=sure):
            return
        if not found:
            if name not in UNIVERSAL and not self._negates(name):
                self._unlisted(name, value)
            self.reading.sure.add(name)
            self._undo(name)
            return
        for option in found:
            off = value is not None and not option.values and value.literal not in YES  # `--dry-run=false`
            given = frozenset({value}) if value is not None else None
            self._given(option, name, given, sure=sure and len(found) == 1 and not off, may_take=split is None)
            if off:
                self.reading.maybe |= self.reading.sure.intersection(option.names)
                self.reading.sure.difference_update(option.names)
        self._undo(name)

    def _unlisted(self, name: str, value: Text | None) -> None:
        """Note an option without a summary. Its value is what is attached to it, or the next word if that is no option."""
        self.reading.unknown.append(name)
        given = self.reading.given.setdefault(name, [])
        if value is not None:
            given.append(frozenset({value}))
            return
        self.owed = self.at
        follows = self.words[self.at] if self.at < len(self.words) else self.more
        value_like = frozenset(item for item in texts(follows) if dash(item) != "yes") if follows else None
        if value_like:
            given.append(value_like)

    def _negates(self, name: str) -> bool:
        """Whether a name only takes a listed option back."""
        return (
            "negations" in self.command.marks
            and name.startswith("--no-")
            and f"--{name.removeprefix('--no-')}" in self.command.options
        )

    def _undo(self, name: str) -> None:
        """`--no-x` may undo `--x`, and the other way round: which of them counts is not decided."""
        other = f"--{name.removeprefix('--no-')}" if name.startswith("--no-") else f"--no-{name[2:]}"
        option = self.command.options.get(other)
        names = {other, *(option.names if option is not None else ())}
        if other in self.reading.sure:
            self.reading.maybe |= names
            self.reading.sure -= names

    def _named(self, name: str) -> list[Option]:
        """The options that a (possibly shortened) long name means."""
        options = self.command.options
        if name in options:
            return [options[name]]
        if self.command.style in {"long", "find"}:
            other = name[1:] if name.startswith("--") else f"-{name}"
            if other not in options and ":" in name:  # `-c:v:0`: the option for one of several streams
                return self._named(name.rpartition(":")[0])
            return [options[other]] if other in options else []
        if "exact" in self.command.marks:
            return []
        found = {id(option): option for key, option in options.items() if key.startswith(name) and key.startswith("--")}
        return list(found.values()) if len(name) > 2 and name not in UNIVERSAL else []

    def _attached(self, item: Text, name: str, *, sure: bool) -> bool:
        """Options of the long style that are a letter with a value behind it (`-O2`, `-Idir`)."""
        option = self.command.options.get(f"{name[:2]}*")
        if option is None:
            return False
        self._given(option, f"{name[:2]}*", frozenset({cut(item, 2)}), sure=sure, may_take=False)
        return True

    def _cluster(self, letters: Text, *, sure: bool) -> None:
        """Short options in one word: `-rf`, `-ofile`; a word that is listed as it stands (`-version`) is one option."""
        whole = self.command.options.get(f"-{letters.literal}")
        if whole is not None and len(letters.literal or "") > 1:
            self._given(whole, f"-{letters.literal}", None, sure=sure, may_take=True)
            return
        numbers = "numbers" in self.command.marks
        while letters.parts:
            start = head(letters)
            if not start:  # a hole among the letters: any option
                first = letters.parts[0]
                if not isinstance(first, str) and first.alphabet == NUMERIC:  # digits name no option that acts
                    letters = Text(letters.parts[1:])
                    continue
                self.reading.wild.add(WILD)
                return
            name = f"-{start[0]}"
            option = self.command.options.get(name)
            letters = cut(letters, 1)
            if option is None:
                if numbers and start[0].isdigit():
                    continue
                self._unlisted(name, letters if letters.parts else None)
                self.reading.sure.add(name)
                sure = False  # the letters behind it may be its value, and so may the next word
                self.owed = self.at
                continue
            if not option.values:
                self._given(option, name, None, sure=sure, may_take=True)
                continue
            attached = frozenset({letters}) if letters.parts else None
            self._given(option, name, attached, sure=sure, may_take=True)
            return

    def _given(self, option: Option, name: str, value: Value | None, *, sure: bool, may_take: bool) -> None:
        reading = self.reading
        (reading.sure if sure else reading.maybe).update(option.names)
        local: dict[str, list[Value]] = {}
        for number, bound in enumerate(option.values):
            if (
                number
                or (value is None and may_take and not option.optional)
                or (value is None and may_take and "bsd" in self.command.marks and self._is_suffix())
            ):
                value = self._take()
            if value is not None:
                reading.bind(bound, value)
                local[bound] = [value]
        if option.until is not None:
            local[option.until] = self._until()
        if option.rest is not None:
            remaining = self.words[self.at :]
            reading.lists[option.rest] = (remaining, self.more)
            reading.bound.setdefault(option.rest, []).extend(remaining)
            self.at = len(self.words)
        reading.actions.extend((action, local, name) for action in option.actions)

    def _is_suffix(self) -> bool:
        """Whether the next word can only be the suffix that BSD tools take there (`sed -i '' …`)."""
        known = literal(self.words[self.at]) if self.at < len(self.words) else None
        return known is not None and (known in {"", "''", '""'} or (known[0] == "." and known[1:].isalnum()))

    def _until(self) -> list[Value]:
        """The words of a command that ends in `;` or `+`."""
        out: list[Value] = []
        while self.at < len(self.words):
            word = self.words[self.at]
            self.at += 1
            if literal(word) in ENDS:
                break
            out.append(word)
        return out

    def _take(self) -> Value | None:
        """The next word as the value of an option."""
        if self.at < len(self.words):
            self.at += 1
            return self.words[self.at - 1]
        return self.more or None

    def _key(self, word: Value) -> bool:
        """`key=value` operands."""
        found = texts(word)
        known = 0
        for item in each(found):
            split = partition(item, "=")
            name = split[0].literal if split else None
            if split is None or name is None:
                if has_hole(item):
                    self.reading.wild.add(WILD)
                continue
            option = self.command.options.get(f"{name}=")
            known += 1
            if option is None:
                self._unlisted(f"{name}=", split[1])
            else:
                self._given(option, f"{name}=", frozenset({split[1]}), sure=len(found) == 1, may_take=False)
        return known == len(found)

    def _old_cluster(self, word: Value) -> None:
        """`tar xzf archive`: letters without a dash, whose values follow in order."""
        found, before, ends = texts(word), self.at, {self.at}
        for item in each(found):
            letters, self.at = item.literal, before
            if letters is None:
                self.reading.wild.add(WILD)
                continue
            for letter in letters:
                option = self.command.options.get(f"-{letter}")
                if option is None:
                    self._unlisted(f"-{letter}", None)
                else:
                    self._given(option, f"-{letter}", None, sure=len(found) == 1, may_take=True)
            ends.add(self.at)
        self.at = max(ends) if len(found) == 1 else min(ends)

    def _read_rest(self) -> None:
        """Words of unknown number: each of their texts may be an option or an operand."""
        if not self.more:
            return
        self.at = len(self.words)
        for item in each(texts(self.more)):
            kind = dash(item)
            if kind == "yes" and item.literal != "--":
                self._option(item, sure=False)
            elif kind == "wild":
                self.reading.wild.add(item)
            elif kind == "user":
                self.reading.user = True


def _may_be_values(rest: Value, last: Value) -> bool:
    """Whether the last word may be an option, or the value of one."""
    return any(dash(item) == "wild" for item in texts(last)) or any(dash(item) == "yes" for item in texts(rest))


def assign(reading: Reading, operands: Operands) -> dict[str, list[Value]]:
    """Bind the operands to their places. Words of unknown number are tried as none, one, two and three."""
    inner, last = reading.last
    loose, ends = (inner, [last]) if last else (reading.rest, [])
    counts = range(4) if loose else (0,)
    tries = [_assign(reading.operands + [loose] * n + ends, operands) for n in counts]
    out: dict[str, list[Value]] = {}
    for found in tries:
        for name, values in found.items():
            known = out.setdefault(name, [])
            known.extend(value for value in values if value not in known)
    reading.unsure.update(name for name in out if any(name not in found for found in tries))
    for slot in operands.slots:
        if slot.many:
            reading.lists[slot.name] = (tries[0].get(slot.name, []), reading.rest)
    return out


def _assign(words: list[Value], operands: Operands) -> dict[str, list[Value]]:
    slots = operands.slots
    if not slots:
        return {}
    many = next((index for index, slot in enumerate(slots) if slot.many), None)
    before = slots if many is None else slots[:many]
    after = () if many is None else slots[many + 1 :]
    out: dict[str, list[Value]] = {}
    left = list(words)
    if after and left:  # `SRC... DST`: the last words are served before the many
        for slot in reversed(after):
            if len(left) > len(before):
                out[slot.name] = [left.pop()]
    for slot in before:
        if left:
            out[slot.name] = [left.pop(0)]
    if left:
        name = slots[many].name if many is not None else slots[-1].name
        out.setdefault(name, []).extend(left)
    return out
