"""The builtins that change variables, options and aliases."""
# ruff: noqa: ARG002 - all builtins share one signature

from __future__ import annotations

import re
from functools import reduce

from remit.analysis.domain import STDIN, Text, Value, hole, lit
from remit.analysis.each import each
from remit.analysis.shell.assign import store
from remit.analysis.shell.conditions import Found
from remit.analysis.shell.declarations import NAME, literals
from remit.analysis.shell.part import Builtin, ShellPart
from remit.analysis.shell.state import (
    UNEXPANDED,
    Alias,
    Flag,
    Items,
    Result,
    State,
    Var,
    either,
    ever,
    fork,
    join_definitions,
    join_options,
)
from remit.analysis.shell.streams import read_values
from remit.analysis.shell.values import EMPTY, NUMBER, TOP, Fields, bag, blur, join, literal_of, texts

_SET_LETTERS = {"e": "errexit", "a": "allexport", "u": "nounset", "f": "noglob"}
_READ_WITH_VALUE = frozenset("adinNptu")


class Variables(ShellPart):
    """One method a builtin: `(args, st, pos) -> Result`."""

    def assign_computed(self, name: Value, value: Value, st: State, pos: int, what: str) -> None:
        """Assign to a variable whose name is a value: a subscript in it would be evaluated."""
        for item in each(texts(name)):
            known = item.literal
            weak = len(texts(name)) > 1
            if known is not None and NAME.fullmatch(known):
                self.lookup.assign(known, value, st, weak=weak)
            elif known is not None and (match := re.fullmatch(r"(\w+)\[(\w*)\]", known)):
                self._assign_at(match.group(1), match.group(2), value, st)
            else:
                self.lookup.code_position(frozenset({item}), st, pos, f"`{what}`")
                self.lookup.havoc(value, st)

    def _assign_at(self, name: str, key: str, value: Value, st: State) -> None:
        """`name[key]`, where the name is computed: the element may also keep its value."""
        for target in self.lookup.resolve(name, st):
            var = st.vars.get(target, Var(EMPTY, frozenset({Items()})))
            known = key if key.isdigit() or var.flags & Flag.ASSOC else None
            changed = frozenset(
                store(items, known, value, assoc=bool(var.flags & Flag.ASSOC)) for items in var.contents
            )
            st.vars[target] = Var(var.value, var.contents | changed, var.flags, var.unset)
            self.lookup.note(target, value)

    def _read(self, args: Fields, st: State, pos: int) -> Result:
        """`read`: the variables become pieces of standard input."""
        names, options = self._read_arguments(args)
        fd = options.get("u")
        source = (st.stdin or hole(STDIN)) if fd is None or fd == "0" else hole("file", exact=False)
        if options.keys() & {"n", "N"}:  # a number of characters, of which a line may be the first few
            source = frozenset(blur(item) for item in texts(source))
        raw = "r" in options
        ok, fail = fork(st, st)
        assert ok is not None
        assert fail is not None
        if "a" in options:
            pieces = read_values(source, 1, self.lookup.separators(st), options.get("d"), each=True, raw=raw)[0]
            for state in (ok, fail):
                self._fill(lit(options["a"]) if options["a"] else TOP, pieces, state, pos, "read")
            return ok, fail
        separators = self.lookup.separators(st) if names else ""
        values = read_values(source, max(len(names), 1), separators, options.get("d"), each=False, raw=raw)
        for name, value in zip(names or [lit("REPLY")], values, strict=False):
            self.assign_computed(name, value, ok, pos, "read")
            self.assign_computed(name, join(value, EMPTY), fail, pos, "read")
        return ok, fail

    def _fill(self, name: Value, elements: Value, st: State, pos: int, what: str, *, kept: bool = False) -> None:
        """An array gets elements; it has other elements too if it is `kept`."""
        for item in each(texts(name)):
            if item.literal is None or not NAME.fullmatch(item.literal):
                self.lookup.code_position(frozenset({item}), st, pos, f"`{what}`")
                self.lookup.havoc(elements, st)
                continue
            targets = self.lookup.resolve(item.literal, st)
            for target in targets:
                old = st.vars.get(target)
                new = Var(EMPTY, frozenset({Items((), elements)}))
                self.lookup.evaluate_number(old.flags if old is not None else 0, elements, st)
                if kept and old is not None and old.arrays is not None:
                    st.vars[target] = ever(old, elements)
                elif kept or len(name) > 1 or len(targets) > 1 or (old is not None and old.flags & Flag.READONLY):
                    st.vars[target] = either(old, new) or new
                else:
                    st.vars[target] = new
                self.lookup.note(target, elements)

    def _read_arguments(self, args: Fields) -> tuple[list[Value], dict[str, str]]:
        names: list[Value] = []
        options: dict[str, str] = {}
        words = list(args.words)
        while words:
            word = words.pop(0)
            known = literal_of(word)
            if known is None or names or not known.startswith("-") or known == "-":
                names.append(word)
                continue
            for index, letter in enumerate(known[1:], 1):
                if letter in _READ_WITH_VALUE:
                    value = known[index + 1 :] or (literal_of(words.pop(0)) if words else None)
                    options[letter] = value if value is not None else "?" if letter != "a" else ""
                    break
                options[letter] = ""
        if args.rest:
            names.append(args.rest)
        return names, options

    def _mapfile(self, args: Fields, st: State, pos: int) -> Result:
        name, options = lit("MAPFILE"), ""
        words = list(args.words)
        while words:
            word = words.pop(0)
            known = literal_of(word)
            if known is not None and known.startswith("-"):
                options += re.sub("(?<=[dnOsuCc]).*", "", known)
                if known[-1] in "dnOsuCc" and words:
                    words.pop(0)
            else:
                name = word
        if "C" in options:
            self.lookup.opaque("`mapfile -C` runs a callback", pos, "read the lines in a loop")
        source = hole("file", exact=False) if "u" in options else st.stdin or hole(STDIN)
        if "d" in options:  # pieces between other marks than the ends of lines
            source = frozenset(blur(item) for item in texts(source))
        lines = read_values(source, 1, "", None, each=False, raw=True)[0]
        self._fill(join(name, args.rest), lines, st, pos, "mapfile", kept="O" in options)
        return st, None

    def _getopts(self, args: Fields, st: State, pos: int) -> Result:
        words = args.words
        letters = literal_of(words[0]) if words else None
        value = TOP if letters is None else frozenset(Text((ch,)) for ch in (*letters.replace(":", ""), "?", ":"))
        if len(words) > 1:
            self.assign_computed(words[1], value, st, pos, "getopts")
        self.data_flow.read_arguments()
        source = bag(Fields(words[2:], args.rest)) if len(words) > 2 else bag(st.args)
        taken = join(frozenset(_tail(item) for item in texts(source)), source)
        self.lookup.assign("OPTARG", taken or EMPTY, st)
        self.lookup.assign("OPTIND", NUMBER, st)
        return st, st

    def _let(self, args: Fields, st: State, pos: int) -> Result:
        for word in (*args.words, *((args.rest,) if args.rest else ())):
            self.arithmetic.value_of_text(word, st, pos)
        return st, st

    def _shift(self, args: Fields, st: State, pos: int) -> Result:
        """`shift`: by more words than there are it fails, and nothing moves."""
        count = literal_of(args.words[0]) if args.words else None if args.rest else "1"
        if count is None or not count.isdigit() or len(count) > 5:
            self.lookup.code_position(bag(args), st, pos, "`shift`")
            st.args = Fields((), bag(st.args))
            return st, st
        if int(count) <= len(st.args.words):
            st.args = Fields(st.args.words[int(count) :], st.args.rest)
            return st, None
        ok, fail = fork(st, st)
        assert ok is not None
        assert fail is not None
        ok.args = Fields((), st.args.rest)
        # An option that was found there would be found there for ever: what was known before says no less.
        words = tuple(word.before if isinstance(word, Found) else word for word in fail.args.words)
        fail.args = fail.args._replace(words=words)
        return (ok, fail) if st.args.rest else (None, fail)

    def _set(self, args: Fields, st: State, pos: int) -> Result:
        """`set`: options, and the positional parameters; without any word it prints all variables."""
        words = list(args.words)
        if not words and not args.rest:
            st.emit(TOP)
            self.declarations.shown_variables([], st, pos, functions=False)
        while words:
            known = literal_of(words[0])
            if known is None or len(known) < 2 or known[0] not in "-+":
                break
            words.pop(0)
            if known == "--":
                self.data_flow.stored_arguments()
                st.args = Fields(tuple(words), args.rest)
                return st, None
            for letter in known[1:]:
                named = words.pop(0) if letter == "o" and words else lit(_SET_LETTERS.get(letter, ""))
                self._switch(named, st, on=known[0] == "-")
        if words or args.rest:
            self.data_flow.stored_arguments()
            st.args = Fields(tuple(words), args.rest)
        return st, None

    def _switch(self, named: Value, st: State, *, on: bool) -> None:
        """An option of the shell is switched on or off, one of several."""
        ways = [
            (st.options | {known} if on else st.options - {known})
            - ({UNEXPANDED} if known == "expand_aliases" else set())
            for known in (item.literal for item in texts(named))
            if known
        ]
        if len(ways) < len(named):
            ways.append(st.options)
        st.options = reduce(join_options, ways)

    def _shopt(self, args: Fields, st: State, pos: int) -> Result:
        letters = "".join(known for known in literals(args) if known is not None and known.startswith("-"))
        for word in args.words:
            if ("s" in letters or "u" in letters) and not (literal_of(word) or "").startswith("-"):
                self._switch(word, st, on="s" in letters)
                if "s" in letters and any(item.literal in (None, "nocaseglob") for item in texts(word)):
                    self.lookup.opaque("patterns match names in small and capital letters", pos, "write both")
        return st, st

    def _alias(self, args: Fields, st: State, pos: int) -> Result:
        for word in (*args.words, *((args.rest,) if args.rest else ())):
            for item in each(texts(word)):
                first = item.parts[0] if item.parts else ""
                if isinstance(first, str) and "=" in first:
                    name, _, rest = first.partition("=")
                    value = Text(((rest,) if rest else ()) + item.parts[1:])
                    new = Alias(frozenset({value}), self.run.unit.line(pos), self.run.unit)
                    st.aliases = {**st.aliases, name: (new,)}
                elif item.literal is None:
                    self.lookup.opaque("an alias with a computed name", pos, "use a function")
        return st, None

    def _unalias(self, args: Fields, st: State, pos: int) -> Result:
        names = literals(args)
        left = {} if "-a" in names else {k: v for k, v in st.aliases.items() if k not in names}
        unsure = bool(args.rest) or None in names
        st.aliases = join_definitions(st.aliases, {}) if unsure else left
        return st, None

    def table(self) -> dict[str, Builtin]:
        """These builtins, by name."""
        return {
            "read": self._read,
            "mapfile": self._mapfile,
            "readarray": self._mapfile,
            "getopts": self._getopts,
            "let": self._let,
            "shift": self._shift,
            "set": self._set,
            "shopt": self._shopt,
            "alias": self._alias,
            "unalias": self._unalias,
        }


def _tail(item: Text) -> Text:
    first = item.parts[0] if item.parts else ""
    return (
        Text(((first[2:],) if first[2:] else ()) + item.parts[1:])
        if isinstance(first, str) and first[:1] == "-"
        else item
    )
