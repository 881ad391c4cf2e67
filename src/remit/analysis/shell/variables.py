"""The builtins that change variables, options and aliases."""
# ruff: noqa: ARG002 - all builtins share one signature

from __future__ import annotations

import re

from remit.analysis.domain import ANY, FILE, STDIN, Hole, Part, Text, Value, hole, lit
from remit.analysis.shell.arrays import store
from remit.analysis.shell.dispatch import Dispatch
from remit.analysis.shell.refine import Result, fork
from remit.analysis.shell.state import (
    ASSOC,
    EXPORTED,
    INTEGER,
    LOWER,
    REF,
    UNSET,
    UPPER,
    Items,
    State,
    Var,
)
from remit.analysis.shell.streams import read_values
from remit.analysis.shell.syntax import Assign, Word
from remit.analysis.shell.values import (
    EMPTY,
    NUMBER,
    TOP,
    Fields,
    bag,
    join,
    literal_of,
    texts,
)

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FLAG_LETTERS = {"x": EXPORTED, "i": INTEGER, "A": ASSOC, "n": REF, "l": LOWER, "u": UPPER}
_SET_LETTERS = {"e": "errexit", "a": "allexport", "u": "nounset", "f": "noglob"}
_STDIN = ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
_READ_WITH_VALUE = frozenset("adinNptu")


def literals(fields: Fields) -> list[str | None]:
    """The words as far as they are known; None for those that are not."""
    return [literal_of(word) for word in fields.words]


class Variables(Dispatch):
    """One method a builtin: `(args, st, pos) -> Result`."""

    def assign_computed(self, name: Value, value: Value, st: State, pos: int, what: str) -> None:
        """Assign to a variable whose name is a value: a subscript in it would be evaluated."""
        for item in texts(name):
            known = item.literal
            weak = len(texts(name)) > 1
            if known is not None and _NAME.fullmatch(known):
                self.assign(known, value, st, weak=weak)
            elif known is not None and (match := re.fullmatch(r"(\w+)\[(\w*)\]", known)):
                self._assign_at(match.group(1), match.group(2), value, st)
            else:
                self.code_position(frozenset({item}), st, pos, f"`{what}`")
                self.havoc(value, st)

    def _assign_at(self, name: str, key: str, value: Value, st: State) -> None:
        """`name[key]`, where the name is computed: the element may also keep its value."""
        for target in self.resolve(name, st):
            var = st.vars.get(target, Var(EMPTY, frozenset({Items()})))
            arrays = var.arrays if var.arrays is not None else frozenset({Items((("0", var.value),))})
            known = key if key.isdigit() or var.flags & ASSOC else None
            changed = frozenset(store(items, known, value, assoc=bool(var.flags & ASSOC)) for items in arrays)
            st.vars[target] = Var(var.value, arrays | changed, var.flags, var.unset)
            self.note(target, value)

    def havoc(self, value: Value, st: State) -> None:
        """Any variable may have been set to this."""
        for name, var in list(st.vars.items()):
            st.vars[name] = var._replace(value=join(var.value, value))

    def declare(self, name: str, words: tuple[Word | Assign, ...], st: State, pos: int) -> Result:
        """`declare`, `typeset`, `local`, `export`, `readonly`."""
        flags, letters, functions = 0, "", False
        if name == "export":
            flags = EXPORTED
        pending: list[tuple[str, Assign | None, Value | None]] = []
        for word in words:
            if isinstance(word, Assign):
                pending.append((word.name, word, None))
                continue
            for fields in self.fields((word,), st):
                for value in (*fields.words, *((fields.rest,) if fields.rest else ())):
                    for item in texts(value):
                        known = item.literal
                        if known is not None and re.fullmatch(r"[-+][A-Za-z]+|--", known):
                            letters += known
                            continue
                        self._declared(item, pending, st, pos, exported=name == "export" or "x" in letters)
        if "n" in letters and name == "export":
            return st, st
        functions = "f" in letters or "F" in letters
        for letter, bit in _FLAG_LETTERS.items():
            if re.search(rf"-[A-Za-z]*{letter}", letters):
                flags |= bit
        local = name == "local" or (name in ("declare", "typeset") and bool(self.local_frames) and "g" not in letters)
        for target, assign, value in pending:
            if functions:
                if flags & EXPORTED:
                    st.vars[f"BASH_FUNC_{target}%%"] = Var(EMPTY)
                continue
            self._declare_one(target, assign, value, flags, st, local=local, array="a" in letters)
        if "p" in letters or (not pending and name != "local"):
            st.emit(TOP)
            self._shown_variables(
                [target for target, assign, _ in pending if assign is None], st, pos, functions=functions
            )
        return st, st

    def _shown_variables(self, names: list[str], st: State, pos: int, *, functions: bool) -> None:
        """Variables are printed: those that are named, or all that there are. What the program itself set is no secret."""
        if functions:
            return
        for name in names:
            if name not in st.vars:
                self.world.effect("env.read", lit(name), self.site(pos), f"prints `{name}`")
        if not names:
            self.world.effect("env.read", ANY, self.site(pos), "prints all variables")

    def _declared(
        self, item: Text, pending: list[tuple[str, Assign | None, Value | None]], st: State, pos: int, *, exported: bool
    ) -> None:
        """A word of a declaration that was expanded: `name` or `name=value`."""
        first = item.parts[0] if item.parts else ""
        match = _NAME.match(first) if isinstance(first, str) else None
        if match is not None and isinstance(first, str):
            if item.literal == match.group():
                pending.append((match.group(), None, None))
                return
            if first[match.end() : match.end() + 1] == "=":
                rest = first[match.end() + 1 :]
                pending.append((match.group(), None, frozenset({Text(((rest,) if rest else ()) + item.parts[1:])})))
                return
        if not item.parts or (item.literal is not None and "=" not in item.literal and "[" not in item.literal):
            return
        self.code_position(frozenset({item}), st, pos, "a declaration")
        if exported and item.literal is None and all(map(_from_file, item.parts)):
            self.world.assume("settings-files", self.site(pos))  # lines of a file that is read instead of sourced
            return
        if exported:
            st.vars["*"] = Var(TOP, None, EXPORTED)
        self.havoc(TOP, st)

    def _declare_one(
        self, name: str, assign: Assign | None, value: Value | None, flags: int, st: State, *, local: bool, array: bool
    ) -> None:
        if assign is not None and isinstance(assign.value, Word) and assign.index is None and not flags & REF:
            value = self.single(assign.value, st, assignment=True)
            if assign.append:
                value = self._appended(name, value, st, assign.pos)
            assign = None
        elif assign is not None and flags & REF and isinstance(assign.value, Word):
            value, assign = self.single(assign.value, st), None
        if local and self.local_frames:
            frame = self.local_frames[-1]
            old = st.vars.get(name)
            if name not in frame:
                frame[name] = old
            st.vars[name] = Var(EMPTY, frozenset({Items()}) if array or flags & ASSOC else None, flags | UNSET)
        old = st.vars.get(name)
        if old is None and (array or flags & ASSOC or assign is not None or value is not None):
            st.vars[name] = Var(EMPTY, frozenset({Items()}) if array or flags & ASSOC else None, flags)
        elif old is not None:
            arrays = old.arrays
            if arrays is None and (array or flags & ASSOC):
                arrays = frozenset({Items()})
            st.vars[name] = old._replace(flags=(old.flags & ~REF) | flags, arrays=arrays)
        elif flags & (INTEGER | LOWER | UPPER):
            st.vars[name] = Var(EMPTY, None, flags | UNSET, unset=True)
        elif flags & EXPORTED:
            return  # exporting what the caller's environment holds changes nothing
        if flags & REF:
            if value is not None:
                st.vars[name] = Var(value, None, flags)
            return
        if assign is not None:
            self.assignment(assign, st)
            if name in st.vars:
                st.vars[name] = st.vars[name]._replace(flags=st.vars[name].flags | flags)
        elif value is not None:
            self.assign(name, value, st)

    def unset(self, args: Fields, st: State, pos: int) -> Result:
        """`unset`."""
        functions = "-f" in literals(args)
        for value in (*args.words, *((args.rest,) if args.rest else ())):
            for item in texts(value):
                known = item.literal
                if known is not None and known.startswith("-"):
                    continue
                if known is not None and _NAME.fullmatch(known):
                    if functions or (known in st.funcs and known not in st.vars):
                        st.funcs.pop(known, None)
                    else:
                        for target in self.resolve(known, st):
                            st.vars[target] = Var(EMPTY, None, UNSET)
                elif known is not None and (match := re.fullmatch(r"(\w+)\[([\w.@*/-]*)\]", known)):
                    var = st.vars.get(match.group(1))
                    if var is not None and var.arrays is not None:
                        loose = frozenset(Items((), bag(a.fields)) for a in var.arrays)
                        st.vars[match.group(1)] = var._replace(arrays=loose)
                else:
                    self.code_position(frozenset({item}), st, pos, "`unset`")
        return st, None

    def read(self, args: Fields, st: State, pos: int) -> Result:
        """`read`: the variables become pieces of standard input."""
        names, options = self._read_arguments(args, st, pos)
        fd = options.get("u")
        source = st.stdin if fd is None or fd == "0" else hole("file", exact=False)
        raw = source or hole(STDIN)
        ok, fail = fork(st, st)
        assert ok is not None
        assert fail is not None
        if options.get("a"):
            pieces = read_values(raw, 1, self.separators(st), options.get("d"), each=True)
            items = frozenset({Items((), pieces[0])})
            ok.vars[options["a"]] = Var(EMPTY, items)
            fail.vars[options["a"]] = Var(EMPTY, items)
            self.note(options["a"], pieces[0])
            return ok, fail
        values = read_values(raw, max(len(names), 1), self.separators(st), options.get("d"), each=False)
        for name, value in zip(names or [lit("REPLY")], values, strict=False):
            self.assign_computed(name, value, ok, pos, "read")
            self.assign_computed(name, join(value, EMPTY), fail, pos, "read")
        return ok, fail

    def _read_arguments(self, args: Fields, st: State, pos: int) -> tuple[list[Value], dict[str, str]]:
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
        if args.rest:
            names.append(args.rest)
        return names, options

    def mapfile(self, args: Fields, st: State, pos: int) -> Result:
        """`mapfile`, `readarray`."""
        name, skip = "MAPFILE", False
        for word in args.words:
            known = literal_of(word)
            if skip:
                skip = False
            elif known is not None and known.startswith("-"):
                if known[-1] == "C":
                    self.world.opaque("`mapfile -C` runs a callback", self.site(pos), "read the lines in a loop")
                skip = known[-1] in "dnOsuCc"
            elif known is not None and _NAME.fullmatch(known):
                name = known
            else:
                self.code_position(word, st, pos, "`mapfile`")
        lines = read_values(st.stdin or hole(STDIN), 1, "", None, each=False)[0]
        st.vars[name] = Var(EMPTY, frozenset({Items((), lines)}))
        self.note(name, lines)
        return st, None

    def getopts(self, args: Fields, st: State, pos: int) -> Result:
        """`getopts`."""
        words = args.words
        letters = literal_of(words[0]) if words else None
        value = TOP if letters is None else frozenset(Text((ch,)) for ch in (*letters.replace(":", ""), "?", ":"))
        if len(words) > 1:
            self.assign_computed(words[1], value, st, pos, "getopts")
        source = bag(Fields(words[2:], args.rest)) if len(words) > 2 else bag(st.args)
        taken = join(frozenset(_tail(item) for item in texts(source)), source)
        self.assign("OPTARG", taken or EMPTY, st)
        self.assign("OPTIND", NUMBER, st)
        return st, st

    def let(self, args: Fields, st: State, pos: int) -> Result:
        """`let`."""
        for word in (*args.words, *((args.rest,) if args.rest else ())):
            self.arithmetic_text(word, st, pos)
        return st, st

    def shift(self, args: Fields, st: State, pos: int) -> Result:
        """`shift`."""
        count = literal_of(args.words[0]) if args.words else "1"
        if count is not None and count.isdigit() and len(count) < 6:
            st.args = Fields(st.args.words[int(count) :], st.args.rest)
        else:
            if args.words:
                self.code_position(args.words[0], st, pos, "`shift`")
            st.args = Fields((), bag(st.args))
        return st, st

    def set_(self, args: Fields, st: State, pos: int) -> Result:
        """`set`: options, and the positional parameters; without any word it prints all variables."""
        words = list(args.words)
        if not words and not args.rest:
            st.emit(TOP)
            self._shown_variables([], st, pos, functions=False)
        while words:
            known = literal_of(words[0])
            if known is None or len(known) < 2 or known[0] not in "-+":
                break
            words.pop(0)
            if known == "--":
                st.args = Fields(tuple(words), args.rest)
                return st, None
            if known in ("-o", "+o"):
                option = literal_of(words.pop(0)) if words else None
                if option:
                    st.options = st.options | {option} if known == "-o" else st.options - {option}
                continue
            for letter in known[1:]:
                option = _SET_LETTERS.get(letter)
                if letter == "o" and words:
                    option = literal_of(words.pop(0))
                if option:
                    st.options = st.options | {option} if known[0] == "-" else st.options - {option}
        if words or args.rest:
            st.args = Fields(tuple(words), args.rest)
        return st, None

    def shopt(self, args: Fields, st: State, pos: int) -> Result:
        """`shopt`."""
        names = [name for name in literals(args) if name]
        if "-s" in names:
            st.options = st.options | frozenset(names)
        elif "-u" in names:
            st.options = st.options - frozenset(names)
        return st, st

    def alias(self, args: Fields, st: State, pos: int) -> Result:
        """`alias name=value`."""
        for word in args.words:
            for item in texts(word):
                first = item.parts[0] if item.parts else ""
                if isinstance(first, str) and "=" in first:
                    name, _, rest = first.partition("=")
                    value = Text(((rest,) if rest else ()) + item.parts[1:])
                    st.aliases = {**st.aliases, name: (frozenset({value}), self.unit.line(pos), self.unit)}
                elif item.literal is None:
                    self.world.opaque("an alias with a computed name", self.site(pos), "use a function")
        return st, None

    def unalias(self, args: Fields, st: State, pos: int) -> Result:
        """`unalias`."""
        names = literals(args)
        st.aliases = {} if "-a" in names else {k: v for k, v in st.aliases.items() if k not in names}
        return st, None


def _from_file(part: Part) -> bool:
    return part.origin == FILE if isinstance(part, Hole) else "[" not in part


def _tail(item: Text) -> Text:
    first = item.parts[0] if item.parts else ""
    return (
        Text(((first[2:],) if first[2:] else ()) + item.parts[1:])
        if isinstance(first, str) and first[:1] == "-"
        else item
    )
