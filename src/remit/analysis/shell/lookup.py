"""Variables, positional parameters and arrays: what they hold, and what is put into them."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

from remit.analysis import domain
from remit.analysis.domain import BOTTOM, Hole, Text, Value, env_origin, hole, lit, text
from remit.analysis.each import each
from remit.analysis.shell.parser import parse_word
from remit.analysis.shell.part import Run, ShellPart
from remit.analysis.shell.state import ANY_NAME, Flag, Items, State, Var, each_array, either, ever
from remit.analysis.shell.syntax import Array, Assign, Param, ShellSyntaxError, Word, make_unit
from remit.analysis.shell.values import (
    EMPTY,
    NUMBER,
    TOP,
    Fields,
    bag,
    blur,
    cat,
    cat_words,
    given,
    inexact,
    is_numeric,
    join,
    join_all,
    join_fields,
    literal_of,
    texts,
)
from remit.core.errors import DataError
from remit.core.patterns import lazy_pattern
from remit.core.table import read_toml
from remit.core.via import Cause, Via

if TYPE_CHECKING:
    from remit.analysis.world import Site


# Assignments in all their forms: texts, elements, whole arrays; and operators on single texts.


def element(arrays: Collection[Items], key: str | None) -> Value:
    """The element at a key; at an unknown one, any."""
    out: Value = BOTTOM
    for items in arrays:
        found = None if key is None else next((v for k, v in items.pairs if k == key), None)
        if found is not None:
            out = join(out, found)
        elif key is None:
            out = join_all((out, EMPTY, items.rest, *(v for _, v in items.pairs)))
        else:
            out = join_all((out, EMPTY, items.rest))
    return out or EMPTY


def stored(items: Items, key: str, value: Value) -> Items:
    """The array with this element, which comes first if its key is 0."""
    pairs = tuple((k, v) for k, v in items.pairs if k != key)
    return Items(((key, value), *pairs) if key == "0" else (*pairs, (key, value)), items.rest)


def store(items: Items, key: str | None, value: Value, *, assoc: bool) -> Items:
    """`a[key]=value`; an unknown key may be any element."""
    if key is None:
        return Items((), join_all((items.rest, value, *(v for _, v in items.pairs))))
    keys = [k for k, _ in items.pairs]
    if key in keys:
        return Items(tuple((k, value if k == key else v) for k, v in items.pairs), items.rest)
    pairs = [*items.pairs, (key, value)]
    if not assoc:
        pairs.sort(key=lambda pair: int(pair[0]) if pair[0].isdigit() else 0)
    return Items(tuple(pairs), items.rest)


def attributed(value: Value, flags: int) -> Value:
    """The value as a variable with these attributes holds it."""
    if flags & Flag.INTEGER:
        return value if all(is_numeric(item) for item in texts(value)) else NUMBER
    return frozenset(change_case(item, ",," if flags & Flag.LOWER else "^^") for item in texts(value))


def change_case(item: Text, op: str) -> Text:
    """The text in the other case."""

    def change(part: str) -> str:
        return part.upper() if op[0] == "^" else part.lower()

    if len(op) == 1:
        first = item.parts[0] if item.parts else ""
        if not isinstance(first, str):
            return Text((inexact(first), *item.parts[1:]))
        return text(change(first[:1]) + first[1:], *item.parts[1:])
    return text(*(change(p) if isinstance(p, str) else inexact(p) for p in item.parts))


def integer(value: Value) -> int | None:
    """The number that a value is."""
    known = literal_of(value)
    if known is None:
        return None
    known = known.strip()
    return int(known) if known.lstrip("-").isdigit() and known.isascii() and len(known) < 15 else None


def without_operator(piece: Param) -> Param:
    """The same parameter, as it is."""
    return type(piece)(piece.name, piece.quoted, piece.pos, index=piece.index, indirect=piece.indirect)


class Assignments(ShellPart):
    """`name=value`, `name+=value`, `name[i]=value`, `name=(…)`."""

    def assignment(self, node: Assign, st: State) -> None:
        """`name=value` in all its forms."""
        if isinstance(node.value, Array):
            self._assign_array(node, node.value, st)
            return
        value = self.expander.single(node.value, st, assignment=True)
        if node.index is not None:
            self._assign_element(node, value, st)
            return
        if node.append:
            value = self.appended(node.name, value, st, node.pos)
        self.lookup.assign(node.name, value, st)
        var = st.vars.get(node.name)
        if "allexport" in st.options and var is not None:
            st.vars[node.name] = var._replace(flags=var.flags | Flag.EXPORTED)

    def appended(self, name: str, value: Value, st: State, pos: int) -> Value:
        """What `name+=value` makes."""
        old = self.lookup.value_of(name, st, pos) if name in st.vars else EMPTY
        var = st.vars.get(self.lookup.resolve(name, st)[0])
        if var is not None and var.flags & Flag.INTEGER:
            self.lookup.evaluate_number(var.flags, value, st)
            return NUMBER
        return cat(old, value)

    def _assign_element(self, node: Assign, value: Value, st: State) -> None:
        assert node.index is not None
        key = self.lookup.key(node.name, node.index, st, node.pos)
        targets = self.lookup.resolve(node.name, st)
        for target in targets:
            var = st.vars.get(target, Var(BOTTOM, frozenset({Items()})))
            new = value
            self.lookup.evaluate_number(var.flags, value, st)
            if node.append:
                old = join_all(v for a in each_array(var.contents) for k, v in a.pairs if k == key)
                new = cat(old or EMPTY, value) if key else TOP
            changed = frozenset(store(a, key, new, assoc=bool(var.flags & Flag.ASSOC)) for a in var.contents)
            kept = len(targets) > 1 or bool(var.flags & Flag.READONLY)
            if kept:
                changed |= var.contents
            st.vars[target] = Var(var.value or EMPTY, changed, var.flags, var.unset and (key is None or kept))
            self.lookup.note(target, value)

    def _assign_array(self, node: Assign, array: Array, st: State) -> None:
        targets = self.lookup.resolve(node.name, st)
        for target in targets:
            old = st.vars.get(target)
            flags = old.flags if old is not None else 0
            start = old.contents if node.append and old is not None else frozenset({Items()})
            arrays = frozenset(self._elements(array, each_array(start), st, flags))
            self.lookup.evaluate_number(flags, join_all(bag(a.fields) for a in each_array(arrays)), st)
            new = Var(EMPTY, arrays, flags)
            kept = len(targets) > 1 or flags & Flag.READONLY
            st.vars[target] = either(old, new) or new if kept else new
            self.lookup.note(target, join_all(bag(a.fields) for a in each_array(arrays)))

    def _elements(self, array: Array, current: Collection[Items], st: State, flags: int) -> Collection[Items]:
        keyed = any(key is not None for key, _ in array.items)
        if not keyed and not flags & Flag.ASSOC:
            lists = self.expander.fields([word for _, word in array.items], st)
            out = []
            for items in current:
                for fields in lists:
                    if items.rest:
                        out.append(Items(items.pairs, join(items.rest, bag(fields))))
                        continue
                    start = max((int(k) for k, _ in items.pairs if k.isdigit()), default=-1) + 1
                    pairs = tuple((str(start + i), v) for i, v in enumerate(fields.words))
                    out.append(Items(items.pairs + pairs, fields.rest))
            return out[:6] if len(out) <= 6 else [_merge(out)]
        for key, word in array.items:
            value = self.expander.single(word, st)
            if key is None:
                current = [Items(i.pairs, join(i.rest, value)) for i in current]
                continue
            name = literal_of(self.expander.single(key, st))
            if not flags & Flag.ASSOC and (name is None or not name.isdigit()):
                number = literal_of(self.arithmetic.value(key, st, key.pos))
                name = number if number is not None and number.isdigit() else None
            current = [store(items, name, value, assoc=bool(flags & Flag.ASSOC)) for items in current]
        return current


def _merge(options: list[Items]) -> Items:
    fields = reduce(join_fields, (option.fields for option in options))
    return Items(tuple((str(i), v) for i, v in enumerate(fields.words)), fields.rest)


OUTSIDE = (domain.FILE, domain.NET, domain.BLENDED)  # files and programs of the machine, and the network
_PLAIN_PROMPT = lazy_pattern(r"(?:[^$`\\]|\\[^$`]|\$\w+|\$\{\w+(?:\[0\])?(?:(?::?[-+]|##?|%%?)[^$`{}]*)?\})*")
BLANKS = " \t\n"  # what separates words, unless the script says otherwise
_NO_VARIABLE = Var(domain.BOTTOM)
_SUBSTITUTION = lazy_pattern(r"\[.*[$`]", re.DOTALL)


def _load() -> tuple[dict[str, str], frozenset[str]]:
    data = read_toml(Path(__file__).parents[1] / "data" / "shell.toml")
    variables: dict[str, str] = {}
    for kind, names in data["variables"].items():
        for name in names.split():
            if name in variables:
                message = f"data/shell.toml: `{name}` is listed twice"
                raise DataError(message, "remove one of the two")
            variables[name] = kind
    variables |= {name: f"text:{value}" for name, value in data["constants"].items()}
    return variables, frozenset(data["devices"]["names"].split())


KNOWN_VARIABLES, DEVICES = _load()  # variables that every shell has, and files that are streams


class Lookup(ShellPart):
    """What names stand for."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.ever_held: dict[str, Value] | None = None  # by variable, while a trap may run at any time

    # -- reporting --------------------------------------------------------------------------------------------------

    def site(self, pos: int) -> Site:
        """The site of an offset in the current text."""
        return self.run.unit.site(pos)

    def report(self, capability: str, scope: Value, st: State, pos: int, via: Via) -> None:
        """Report an effect."""
        self.run.world.effect(capability, scope, self.site(pos), via, cwd=st.cwd)

    def opaque(self, reason: str, pos: int, remedy: str) -> None:
        """Report a place that is not understood."""
        self.run.world.opaque(reason, self.site(pos), remedy)

    def code_position(self, value: Value, st: State, pos: int, what: str) -> None:
        """A place where bash evaluates text: `a[$(cmd)]` runs. Numbers and plain names are harmless."""
        for item in each(texts(value)):
            if is_numeric(item):
                continue
            if any(isinstance(part, str) and _SUBSTITUTION.search(part) for part in item.parts):
                self.evaluate(item, st, pos)
            for part in item.parts:
                if isinstance(part, Hole) and part.alphabet != domain.NUMERIC and part.origin not in domain.ANCHORS:
                    self._injected_number(part, st, pos, what)

    def _injected_number(self, part: Hole, st: State, pos: int, what: str) -> None:
        """Text where a number belongs: what the caller gives is assumed to be one, other text may be a command."""
        if given(part):
            self.run.world.assume("arithmetic-arguments", self.site(pos))
        elif part.origin in OUTSIDE:
            via = Via(Cause.CODE, words=f"{what} evaluates text from outside, which may hold a command")
            self.report("shell.execute", domain.ANY, st, pos, via)
        else:
            self.opaque(f"{what} evaluates text that may hold a command", pos, "check first that the text is a number")

    def evaluate(self, item: Text, st: State, pos: int) -> None:
        """Expand a text once more, as the inside of double quotes: its substitutions run."""
        site = self.site(pos)
        unit = make_unit(item, lambda _: site)
        saved, self.run.unit = self.run.unit, unit
        try:
            self.expander.single(parse_word(unit), st)
        except ShellSyntaxError:
            self.run.world.opaque("a text that is evaluated cannot be read", site, "write the command itself")
        self.run.unit = saved

    # -- variables --------------------------------------------------------------------------------------------------

    def resolve(self, name: str, st: State) -> tuple[str, ...]:
        """The variables that a name stands for: a reference stands for its target."""
        var = st.vars.get(name)
        if var is None or not var.flags & Flag.REF:
            return (name,)
        found: dict[str, None] = {}
        pending = [name]
        for step in pending:  # it grows
            var = st.vars.get(step)
            if var is None or not var.flags & Flag.REF:
                found[step] = None
                continue
            targets = [item.literal for item in each(texts(var.value)) if item.literal]
            if len(targets) < len(var.value) or var.unset or var.flags & Flag.PERHAPS or step in targets:
                found[step] = None
            pending += [target for target in targets if target not in pending]
        return tuple(found) or (name,)

    def value_of(self, name: str, st: State, pos: int) -> Value:
        """The text of a variable or special parameter."""
        if not name[0].isalpha() and name[0] != "_":
            return self._special(name, st)
        names = self.resolve(name, st)
        return join_all(self._variable(one, st, pos) for one in names)

    def _variable(self, name: str, st: State, pos: int) -> Value:
        self.data_flow.read(name)
        var = st.vars.get(name)
        if var is None:
            return join(self._environment(name, st, pos), st.vars.get(ANY_NAME, _NO_VARIABLE).value)
        value = var.value if var.arrays is None else element(each_array(var.arrays), "0")
        return join(value, self._environment(name, st, pos)) if var.unset else value

    def _environment(self, name: str, st: State, pos: int) -> Value:
        kind = KNOWN_VARIABLES.get(name)
        if kind is None:
            self.report("env.read", lit(name), st, pos, Via(Cause.VARIABLE, name, words="reads the variable {}"))
            return hole(env_origin(name))
        if kind.startswith("text:"):
            return lit(kind[5:])
        known = {"number": NUMBER, "cwd": st.cwd, "script": self.run.script, "unknown": TOP}
        return known[kind] if kind in known else hole(env_origin(name) if kind == "ordinary" else kind)

    def _special(self, name: str, st: State) -> Value:
        if name == "0":
            return self.run.script
        if name.isdigit() or name in "@*":
            self.data_flow.read_arguments()
        if name.isdigit():
            index = int(name) - 1 if len(name) < 6 else 99999
            if index < len(st.args.words):
                return st.args.words[index]
            if not st.args.rest:
                return EMPTY
            return st.args.rest if st.args.rest == hole(domain.ARG) else join(st.args.rest, EMPTY)
        if name in "@*":
            return self.joined(st.args, st)
        if name == "#":
            return NUMBER if st.args.rest else lit(str(len(st.args.words)))
        if name in "?$!":
            return NUMBER
        found = self.run.unit.holes.get(name)
        return TOP if found is None else frozenset({Text((found,))})

    def joined(self, fields: Fields, st: State) -> Value:
        """All words as one text, a separator between."""
        if fields.rest:
            everything = bag(fields)
            if len(everything) > 1:
                return TOP
            (item,) = texts(everything)
            part = item.parts[0] if len(item.parts) == 1 else None
            return frozenset({Text((inexact(part),)) if isinstance(part, Hole) else blur(item)})
        first = self.separators(st)
        between = lit(first[:1]) if first is not None else TOP
        return cat_words(fields.words, between)

    def separators(self, st: State) -> str | None:
        """IFS, if it is known."""
        var = st.vars.get("IFS")
        if var is None:
            return BLANKS
        known = literal_of(var.value)
        return None if known is None or (var.unset and known != BLANKS) else known

    # -- arrays -----------------------------------------------------------------------------------------------------

    def arrays(self, name: str, st: State, pos: int) -> Collection[Items]:
        """The possible contents of an array; a text is an array of one."""
        out: frozenset[Items] = frozenset()
        for target in self.resolve(name, st):
            self.data_flow.read(target)
            var = st.vars.get(target)
            if var is None:
                if KNOWN_VARIABLES.get(target) is not None:
                    out |= {Items((), self._environment(target, st, pos))}
                else:
                    out |= {Items(), Items((), st.vars.get(ANY_NAME, _NO_VARIABLE).value)}
            else:
                out |= var.contents
                if var.unset and var.arrays is not None:
                    out |= {Items()}
        return each_array(out)

    def key(self, name: str, index: Word, st: State, pos: int) -> str | None:
        """The key that a subscript names, if it is known."""
        names = self.resolve(name, st)
        var = st.vars.get(names[0])
        if var is not None and var.flags & Flag.ASSOC:
            known = literal_of(self.expander.single(index, st))
            return None if var.unset or var.flags & Flag.PERHAPS else known
        number = integer(self.arithmetic.value(index, st, pos))
        return None if number is None or number < 0 else str(number)

    # -- assignment -------------------------------------------------------------------------------------------------

    def assign(self, name: str, value: Value, st: State, *, weak: bool = False) -> None:
        """Set a variable; `weak` if it may also keep its value."""
        if not name or not (name[0].isalpha() or name[0] == "_"):
            return
        targets = self.resolve(name, st)
        weak = weak or len(targets) > 1
        for target in targets:
            old = st.vars.get(target)
            if old is not None and old.flags & Flag.REF and any(item.literal is None for item in texts(old.value)):
                self.havoc(value, st)
                continue
            flags = old.flags & ~(Flag.UNSET | Flag.INHERITED) if old is not None else 0
            self.evaluate_number(flags, value, st)
            if old is not None and flags & (Flag.INTEGER | Flag.LOWER | Flag.UPPER):
                changed = attributed(value, flags)
                value = join(value, changed) if old.unset or flags & Flag.PERHAPS else changed
            kept = weak or flags & Flag.READONLY
            if old is not None and old.arrays is not None:
                arrays = frozenset(stored(a, "0", value) for a in old.arrays)
                new = Var(value, arrays | old.arrays if kept else arrays, flags, old.unset and bool(kept))
            elif kept and old is not None:
                new = Var(join(old.value, value), None, flags, old.unset)
            else:
                new = Var(value, None, flags, weak)
            st.vars[target] = new
            self.note(target, new.value)
            if target == "PS4":
                self._traced(value)

    def evaluate_number(self, flags: int, value: Value, st: State) -> None:
        """What is stored in an integer, or in an array of them, is evaluated."""
        if flags & Flag.INTEGER:
            self.arithmetic.value_of_text(value, st, self.run.at)

    def havoc(self, value: Value, st: State, flags: int = 0) -> None:
        """Any variable may have been set to this."""
        self.data_flow.stored(ANY_NAME)
        for name, var in list(st.vars.items()):
            st.vars[name] = ever(var, value)
        unknown = st.vars.get(ANY_NAME, Var(domain.BOTTOM))
        st.vars[ANY_NAME] = Var(join(unknown.value, value), None, unknown.flags | flags, True)

    def _traced(self, value: Value) -> None:
        """`PS4` is expanded before every command that is traced: only plain variables in it are harmless."""
        if not all(item.literal is not None and _PLAIN_PROMPT.fullmatch(item.literal) for item in texts(value)):
            self.opaque("`PS4` is expanded like code", self.run.at, "use plain variables in it")

    def note(self, name: str, value: Value) -> None:
        """Remember a value for traps, which may run at any time."""
        self.data_flow.stored(name)
        if self.ever_held is not None:
            self.ever_held[name] = join(self.ever_held.get(name, domain.BOTTOM), value)
