"""The builtins that declare, set and unset variables, options and aliases: which variable a name means, and what it then is."""
# ruff: noqa: ARG002 - all builtins share one signature

from __future__ import annotations

import re
from functools import partial, reduce
from typing import NamedTuple

from remit.analysis.domain import ANY, BOTTOM, FILE, STDIN, Hole, Part, Text, Value, hole, lit, of_caller
from remit.analysis.each import each
from remit.analysis.shell.conditions import Found
from remit.analysis.shell.expand import spelled
from remit.analysis.shell.lookup import store
from remit.analysis.shell.parser import DECLARES
from remit.analysis.shell.part import Builtin, ShellPart
from remit.analysis.shell.state import (
    UNEXPANDED,
    Alias,
    Flag,
    Items,
    Result,
    Shadow,
    State,
    Var,
    each_way,
    either,
    ever,
    fork,
    join_all_states,
    join_definitions,
    join_options,
    join_states,
    join_vars,
)
from remit.analysis.shell.streams import read_values
from remit.analysis.shell.syntax import Assign, Word
from remit.analysis.shell.values import EMPTY, NUMBER, TOP, Fields, bag, blur, join, join_all, literal_of, texts
from remit.core.patterns import lazy_pattern
from remit.core.via import Cause, Via

NAME = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_]*")
_DECLARED = lazy_pattern(r"([A-Za-z_][A-Za-z0-9_]*)(\+?=)?")
_LETTERS = lazy_pattern(r"[-+][A-Za-z]+|--")
_FLAG_LETTERS = {
    "x": Flag.EXPORTED,
    "i": Flag.INTEGER,
    "A": Flag.ASSOC,
    "n": Flag.REF,
    "l": Flag.LOWER,
    "u": Flag.UPPER,
    "r": Flag.READONLY,
}
_MAX_DECLARED = 64


def literals(fields: Fields) -> list[str | None]:
    """The words as far as they are known; None for those that are not."""
    return [literal_of(word) for word in fields.words]


class _Declared(NamedTuple):
    """A name of a declaration, with its assignment as it is written, or the value of a word that was expanded."""

    name: str
    assign: Assign | None = None
    value: Value | None = None


class _Scope(NamedTuple):
    """What a declaration does to each of its names: attributes that it gives and takes, and which variable is meant."""

    flags: int
    cleared: int
    local: bool
    outermost: bool
    inherits: bool
    array: bool


class Declarations(ShellPart):
    """`declare` and its like, and `unset`."""

    def declare(self, name: str, words: tuple[Word | Assign, ...], st: State, pos: int) -> Result:
        """`declare`, `typeset`, `local`, `export`, `readonly`, for each way to spell out the words that are expanded."""
        cases: list[list[Assign | Text]] = [[]]
        loose: Value = BOTTOM
        for word in words:
            choices, more = self._choices(word, st)
            loose = join(loose, more)
            cases = [[*case, *choice] for case in cases for choice in choices]
            if not 0 < len(cases) <= _MAX_DECLARED:
                self.lookup.opaque(f"`{name}` has too many possible words", pos, "write the words themselves")
                return st, st
        end = join_all_states(self.declaration(name, case, way, pos) for case, way in each_way(cases, st))
        assert end is not None
        for item in each(texts(loose)):
            end = join_states(end, self.declaration(name, [item], end.copy(), pos)) or end
        return end, end

    def _choices(self, word: Word | Assign, st: State) -> tuple[list[list[Assign | Text]], Value]:
        """The lists of words that a word may become, and what else may be among them any number of times."""
        if isinstance(word, Assign):
            return [[word]], BOTTOM
        lists = self.expander.fields((word,), st)
        cases = [case for fields in lists for case in spelled(fields, every=True) or ()]
        return [[item for one in case.words for item in texts(one)] for case in cases], join_all(f.rest for f in lists)

    def declaration(self, name: str, words: list[Assign | Text], st: State, pos: int) -> State:
        """A declaration whose words are known as far as they can be."""
        letters = "".join(w.literal or "" for w in words if isinstance(w, Text) and _LETTERS.fullmatch(w.literal or ""))
        pending: list[_Declared] = []
        for word in words:
            if isinstance(word, Assign):
                pending.append(_Declared(word.name, word))
            elif word.literal == "-" and name == "local" and self.calls.frame:
                self.calls.hide("-", st, self.calls.frame)
            elif not _LETTERS.fullmatch(word.literal or ""):
                self._declared(word, pending, st, pos, exported=name == "export" or "x" in letters)
        flags, cleared = _attributes("-", letters), _attributes("+", letters)
        if name == "export":
            flags, cleared = (flags & ~Flag.REF, Flag.EXPORTED) if flags & Flag.REF else (flags | Flag.EXPORTED, 0)
        if name == "readonly":
            flags |= Flag.READONLY
        functions = "f" in letters or "F" in letters
        scope = _Scope(
            flags,
            cleared,
            local=name == "local" or (name in ("declare", "typeset") and "g" not in letters),
            outermost="g" in letters,
            inherits="I" in letters or "localvar_inherit" in st.options or self.run.dialect != "bash",
            array="a" in letters,
        )
        for declared in pending:
            if functions:
                if flags & Flag.EXPORTED:
                    st.vars[f"BASH_FUNC_{declared.name}%%"] = Var(EMPTY)
                continue
            self._declare_one(declared, scope, st)
        if "p" in letters or (not pending and name != "local"):
            st.emit(TOP)
            self.shown_variables([one.name for one in pending if one.assign is None], st, pos, functions=functions)
        return st

    def shown_variables(self, names: list[str], st: State, pos: int, *, functions: bool) -> None:
        """Variables are printed: those that are named, or all that there are. What the program itself set is no secret."""
        if functions:
            return
        for name in names:
            if name not in st.vars:
                self.lookup.report("env.read", lit(name), st, pos, Via(Cause.VARIABLE, name, words="prints {}"))
        if not names:
            via = Via(Cause.VARIABLE, words="prints all variables")
            self.lookup.report("env.read", ANY, st, pos, via)
            self.lookup.report("secret.read", lit("env:*"), st, pos, via)

    def _declared(self, item: Text, pending: list[_Declared], st: State, pos: int, *, exported: bool) -> None:
        """A word of a declaration that was expanded: `name`, `name=value` or `name+=value`."""
        first = item.parts[0] if item.parts else ""
        match = _DECLARED.match(first) if isinstance(first, str) else None
        if match is not None and isinstance(first, str):
            if item.literal == match.group(1):
                pending.append(_Declared(match.group(1)))
                return
            if match.group(2):
                rest = first[match.end() :]
                value: Value = frozenset({Text(((rest,) if rest else ()) + item.parts[1:])})
                if match.group(2) == "+=":
                    value = self.assignments.appended(match.group(1), value, st, pos)
                pending.append(_Declared(match.group(1), None, value))
                return
        if not item.parts or (item.literal is not None and "=" not in item.literal and "[" not in item.literal):
            return
        self.lookup.code_position(frozenset({item}), st, pos, "a declaration")
        if exported and item.literal is None and all(map(_from_file, item.parts)):
            # Lines of a file are read instead of sourced.
            self.run.world.assume("settings-files", self.lookup.site(pos))
            return
        # What the caller names and that sets for programs is the caller's affair.
        named_by_caller = isinstance(first, Hole) and of_caller(first)
        self.lookup.havoc(TOP, st, Flag.EXPORTED if exported and not named_by_caller else 0)

    def _declare_one(self, declared: _Declared, scope: _Scope, st: State) -> None:  # noqa: C901, PLR0912  one case for each form of the grammar
        name, assign, value = declared
        flags, array = scope.flags & ~Flag.READONLY, scope.array or bool(scope.flags & Flag.ASSOC)
        if assign is not None and isinstance(assign.value, Word) and assign.index is None and not flags & Flag.REF:
            value = self.expander.single(assign.value, st, assignment=True)
            if assign.append:
                value = self.assignments.appended(name, value, st, assign.pos)
            assign = None
        elif assign is not None and flags & Flag.REF and isinstance(assign.value, Word):
            value, assign = self.expander.single(assign.value, st), None
        elif array and value is not None and any(_list(item) for item in texts(value)):
            self.lookup.opaque("a declaration evaluates a text as an array", self.run.at, "write the array itself")
        if scope.local and self.calls.frame:
            self._declare_local(name, scope, st, array=array)
        old = st.vars.get(name)
        if old is None and (array or assign is not None or value is not None):
            st.vars[name] = Var(EMPTY, frozenset({Items()}) if array else None, flags)
        elif old is not None:
            arrays = frozenset({_as_array(old)}) if old.arrays is None and array else old.arrays
            kept = old.flags & ~(Flag.REF | scope.cleared | (Flag.PERHAPS_HIDDEN if flags & Flag.EXPORTED else 0))
            st.vars[name] = old._replace(flags=kept | flags, arrays=arrays)
        elif flags & (Flag.INTEGER | Flag.LOWER | Flag.UPPER):
            st.vars[name] = Var(EMPTY, None, flags | Flag.UNSET, unset=True)
        elif flags & Flag.EXPORTED:
            return  # exporting what the caller's environment holds changes nothing
        if flags & Flag.REF:
            self.lookup.code_position(value or EMPTY, st, self.run.at, "a reference to a variable")
            st.vars[name] = Var(EMPTY, None, flags | Flag.UNSET) if value is None else Var(value, None, flags)
            return
        if assign is not None:
            self.assignments.assignment(assign, st)
            if name in st.vars:
                st.vars[name] = st.vars[name]._replace(flags=st.vars[name].flags | flags)
        elif value is not None:
            self.lookup.assign(name, value, st)
        if scope.outermost:
            self._declared_outside(name, old, st)
        if scope.flags & Flag.READONLY and name in st.vars:
            st.vars[name] = st.vars[name]._replace(flags=st.vars[name].flags | Flag.READONLY)

    def _declare_local(self, name: str, scope: _Scope, st: State, *, array: bool) -> None:
        """A variable of this call. A second declaration leaves it as it is."""
        before, outer = st.shadows.get((self.calls.frame, name)), st.vars.get(name)
        self.calls.hide(name, st, self.calls.frame)
        fresh = Var(EMPTY, frozenset({Items()}) if array else None, (scope.flags & ~Flag.READONLY) | Flag.UNSET)
        inherits = outer is not None and (scope.inherits or outer.flags & Flag.READONLY)
        if before is None and not inherits:
            st.vars[name] = fresh
        elif (before is None or not before.sure) and outer is not None:
            st.vars[name] = join_vars(fresh, outer)

    def _declared_outside(self, name: str, old: Var | None, st: State) -> None:
        """`declare -g`: behind a local variable of this name it is the outermost that is set."""
        new = st.vars.get(name)
        keys = [key for key in st.shadows if key[1] == name]
        if not keys or new is None:
            return
        st.shadows = st.shadows | {key: Shadow(either(st.shadows[key].var, new), st.shadows[key].sure) for key in keys}
        st.vars[name] = either(old, new) or new

    def unset(self, args: Fields, st: State, pos: int) -> Result:
        """`unset`."""
        options = "".join(known for known in literals(args) if known is not None and known.startswith("-"))
        for word in args.words:
            for item in each(texts(word)):
                self._unset_one(item, options, st, pos)
        for item in each(texts(args.rest)):
            kept = st.copy()
            self._unset_one(item, options, st, pos)
            st = join_states(kept, st) or st
        return st, None

    def _unset_one(self, item: Text, options: str, st: State, pos: int) -> None:
        known = item.literal
        if known is not None and known.startswith("-"):
            return
        if known is not None and NAME.fullmatch(known):
            if known in st.funcs and "v" not in options and "n" not in options:
                self._unset_function(known, st, sure="f" in options)
            if "f" not in options:
                targets = (known,) if "n" in options else self.lookup.resolve(known, st)
                for target in targets:
                    self._unset_variable(target, st, sure=len(targets) == 1)
        elif known is not None and (match := re.fullmatch(r"(\w+)\[([\w.@*/-]*)\]", known)):
            for target in self.lookup.resolve(match.group(1), st):
                var = st.vars.get(target)
                if var is not None and var.arrays is not None:
                    loose = frozenset(Items((), bag(a.fields)) for a in var.arrays)
                    st.vars[target] = var._replace(arrays=loose)
                elif var is not None and match.group(2) in ("@", "*", "0"):
                    self._unset_variable(target, st, sure=False)
        elif item.parts:
            self.lookup.code_position(frozenset({item}), st, pos, "`unset`")
            self.lookup.havoc(EMPTY, st)
            for name in st.funcs if "f" in options else ():
                self._unset_function(name, st, sure=False)

    def _unset_function(self, name: str, st: State, *, sure: bool) -> None:
        """A function is gone; without `-f` it is only where there is no variable of its name."""
        if sure:
            del st.funcs[name]
        elif (var := st.vars.get(name)) is None or var.unset or var.flags & Flag.UNSET:
            st.funcs[name] = tuple(dict.fromkeys((*st.funcs[name], None)))

    def _unset_variable(self, name: str, st: State, *, sure: bool) -> None:
        """A variable is gone; what a caller's local variable of its name had hidden is there again."""
        gone: Var | None = Var(EMPTY, None, Flag.UNSET)
        depths = [depth for depth, hidden in st.shadows if hidden == name]
        if depths and max(depths) != self.calls.frame:
            for depth in depths:
                gone = either(gone, st.shadows[depth, name].var)
        old = st.vars.get(name)
        new = gone if sure and not (old is not None and old.flags & Flag.READONLY) else either(gone, old)
        if new is not None:
            st.vars[name] = new

    def table(self) -> dict[str, Builtin]:
        """These builtins, by name; a declaration whose name is expanded, so that its words are too."""
        return {"unset": self.unset, **{name: partial(self._expanded, name) for name in sorted(DECLARES)}}

    def _expanded(self, name: str, args: Fields, st: State, pos: int) -> Result:
        words = (*args.words, *((args.rest,) if args.rest else ()))
        end = self.declaration(name, [item for word in words for item in each(texts(word))], st, pos)
        return end, end


def _as_array(var: Var) -> Items:
    """A text that becomes an array is its first element."""
    return Items() if var.flags & Flag.UNSET else Items((("0", var.value),))


def _list(item: Text) -> bool:
    first = item.parts[0] if item.parts else ""
    return isinstance(first, str) and first.startswith("(")


def _attributes(sign: str, letters: str) -> int:
    """The attributes whose letters stand after this sign."""
    found = "".join(re.findall(rf"[{sign}]([A-Za-z]+)", letters))
    return sum(bit for letter, bit in _FLAG_LETTERS.items() if letter in found)


def _from_file(part: Part) -> bool:
    return part.origin == FILE if isinstance(part, Hole) else "[" not in part


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
        name, options, delimiter = lit("MAPFILE"), "", None
        words = list(args.words)
        while words:
            word = words.pop(0)
            known = literal_of(word)
            if known is not None and known.startswith("-"):
                options += re.sub("(?<=[dnOsuCc]).*", "", known)
                if known[-1] in "dnOsuCc" and words:
                    value = literal_of(words.pop(0))
                    delimiter = value if known[-1] == "d" else delimiter
            else:
                name = word
        if "C" in options:
            self.lookup.opaque("`mapfile -C` runs a callback", pos, "read the lines in a loop")
        source = hole("file", exact=False) if "u" in options else st.stdin or hole(STDIN)
        if delimiter is None and "d" not in options:  # a line ends at a NUL in it
            source = frozenset(blur(item) if "\0" in (item.literal or "") else item for item in texts(source))
        elif delimiter != "":  # pieces between other marks than the ends of lines
            source = frozenset(blur(item) for item in texts(source))
        lines = read_values(source, 1, "", delimiter, each=False, raw=True)[0]
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
