"""What a single expansion yields: variables, positional parameters, arrays, and the operators of `${…}`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANCHORS,
    ANY,
    ARG,
    BLENDED,
    BOTTOM,
    FILE,
    MIXED,
    MODEL,
    NET,
    NUMERIC,
    RANDOM,
    STDIN,
    UNKNOWN,
    Hole,
    Text,
    Value,
    env_origin,
    hole,
    lit,
    text,
)
from remit.analysis.shell.arrays import attributed, change_case, element, integer, stored, without_operator
from remit.analysis.shell.compound import parse_word
from remit.analysis.shell.knowledge import KNOWLEDGE
from remit.analysis.shell.patterns import substitute, trim
from remit.analysis.shell.state import ASSOC, INHERITED, INTEGER, LOWER, REF, UNSET, UPPER, Items, Var
from remit.analysis.shell.syntax import ShellSyntaxError
from remit.analysis.shell.units import make_unit
from remit.analysis.shell.values import (
    EMPTY,
    NUMBER,
    TOP,
    Fields,
    bag,
    blur,
    cat,
    inexact,
    is_numeric,
    join,
    join_all,
    literal_of,
    may_be_empty,
    texts,
)

if TYPE_CHECKING:
    from remit.analysis.shell.state import State
    from remit.analysis.shell.syntax import Param, ProcSub, Program, Unit, Word
    from remit.analysis.world import Site, World

CALLER = (ARG, STDIN, MODEL, MIXED, RANDOM)  # who says what comes from here is whoever runs the skill
OUTSIDE = (FILE, NET, BLENDED)  # files and programs of the machine, and the network
_PLAIN_PROMPT = re.compile(r"(?:[^$`\\]|\\[^$`]|\$\w+|\$\{\w+(?:\[0\])?(?:(?::?[-+]|##?|%%?)[^$`{}]*)?\})*")
_SUBSTITUTION = re.compile(r"\[.*[$`]", re.DOTALL)


class Parameters:
    """Lookup and operators. The interpreter extends it with commands."""

    world: World
    unit: Unit
    script: Value
    braces: bool
    dialect: str
    history: dict[str, Value] | None
    at: int = 0  # the command that is run

    # What the interpreter adds.
    def capture(self, body: Program, st: State) -> Value:
        """The output of a command substitution."""
        raise NotImplementedError

    def process(self, piece: ProcSub, st: State) -> Value:
        """The name of a process substitution."""
        raise NotImplementedError

    def arithmetic(self, expr: Word, st: State, pos: int) -> Value:
        """The value of an arithmetic expression."""
        raise NotImplementedError

    def arithmetic_text(self, value: Value, st: State, pos: int) -> Value:
        """The value of an arithmetic expression that is a text."""
        raise NotImplementedError

    def single(self, word: Word, st: State, *, assignment: bool = False) -> Value:
        """A word as one text."""
        raise NotImplementedError

    def pattern(self, word: Word, st: State, *, assignment: bool = False) -> Value:
        """A word as one pattern."""
        raise NotImplementedError

    # -- reporting --------------------------------------------------------------------------------------------------

    def site(self, pos: int) -> Site:
        """The site of an offset in the current text."""
        return self.unit.site(pos)

    def report(self, capability: str, scope: Value, st: State, pos: int, why: str) -> None:
        """Report an effect."""
        self.world.effect(capability, scope, self.site(pos), why, cwd=st.cwd)

    def code_position(self, value: Value, st: State, pos: int, what: str) -> None:
        """A place where bash evaluates text: `a[$(cmd)]` runs. Numbers and plain names are harmless."""
        for item in texts(value):
            if is_numeric(item):
                continue
            if any(isinstance(part, str) and _SUBSTITUTION.search(part) for part in item.parts):
                self.evaluate(item, st, pos)
            for part in item.parts:
                if isinstance(part, Hole) and part.alphabet != NUMERIC and part.origin not in ANCHORS:
                    self._injected_number(part, st, pos, what)

    def _injected_number(self, part: Hole, st: State, pos: int, what: str) -> None:
        """Text where a number belongs: what the caller gives is assumed to be one, other text may be a command."""
        if part.origin in CALLER or part.origin.startswith("env:"):
            self.world.assume("arithmetic-arguments", self.site(pos))
        elif part.origin in OUTSIDE:
            self.report("shell.execute", ANY, st, pos, f"{what} evaluates text from outside, which may hold a command")
        else:
            self.world.opaque(
                f"{what} evaluates text that may hold a command",
                self.site(pos),
                "check first that the text is a number",
            )

    def evaluate(self, item: Text, st: State, pos: int) -> None:
        """Expand a text once more, as the inside of double quotes: its substitutions run."""
        site = self.site(pos)
        unit = make_unit(item, lambda _: site)
        saved, self.unit = self.unit, unit
        try:
            self.single(parse_word(unit), st)
        except ShellSyntaxError:
            self.world.opaque("a text that is evaluated cannot be read", site, "write the command itself")
        self.unit = saved

    # -- variables --------------------------------------------------------------------------------------------------

    def resolve(self, name: str, st: State) -> tuple[str, ...]:
        """The variables that a name stands for: a reference stands for its target."""
        for _ in range(4):
            var = st.vars.get(name)
            if var is None or not var.flags & REF:
                return (name,)
            targets = [item.literal for item in texts(var.value)]
            if len(targets) != 1 or not targets[0]:
                return tuple(t for t in targets if t) or (name,)
            if targets[0] == name:
                return (name,)
            name = targets[0]
        return (name,)

    def lookup(self, name: str, st: State, pos: int) -> Value:
        """The text of a variable or special parameter."""
        if not name[0].isalpha() and name[0] != "_":
            return self._special(name, st)
        names = self.resolve(name, st)
        return (
            self._variable(names[0], st, pos)
            if len(names) == 1
            else join_all(self._variable(n, st, pos) for n in names)
        )

    def _variable(self, name: str, st: State, pos: int) -> Value:
        var = st.vars.get(name)
        if var is None:
            return self._environment(name, st, pos)
        value = var.value if var.arrays is None else element(var.arrays, "0")
        return join(value, self._environment(name, st, pos)) if var.unset else value

    def _environment(self, name: str, st: State, pos: int) -> Value:
        kind = KNOWLEDGE.variables.get(name)
        if kind is None:
            self.report("env.read", lit(name), st, pos, f"reads the variable `{name}`")
            return hole(env_origin(name))
        if kind == "number":
            return NUMBER
        if kind == "cwd":
            return st.cwd
        if kind == "script":
            return self.script
        if kind == "unknown":
            return TOP
        if kind == "ordinary":
            return hole(env_origin(name))
        if kind.startswith("text:"):
            return lit(kind[5:])
        return hole(kind)

    def _special(self, name: str, st: State) -> Value:
        if name == "0":
            return self.script
        if name.isdigit():
            index = int(name) - 1 if len(name) < 6 else 99999
            if index < len(st.args.words):
                return st.args.words[index]
            if not st.args.rest:
                return EMPTY
            return st.args.rest if st.args.rest == hole(ARG) else join(st.args.rest, EMPTY)
        if name in "@*":
            return self.joined(st.args, st)
        if name == "#":
            return NUMBER if st.args.rest else lit(str(len(st.args.words)))
        if name in "?$!":
            return NUMBER
        found = self.unit.holes.get(name)
        return TOP if found is None else frozenset({Text((found,))})

    def joined(self, fields: Fields, st: State) -> Value:
        """All words as one text, a separator between."""
        if fields.rest:
            everything = bag(fields)
            if len(everything) == 1:
                return frozenset(
                    Text((inexact(part),))
                    if len(item.parts) == 1 and isinstance(part := item.parts[0], Hole)
                    else blur(item)
                    for item in texts(everything)
                )
            return TOP
        first = self.separators(st)
        between = lit(first[:1]) if first is not None else TOP
        out = EMPTY
        for index, word in enumerate(fields.words):
            out = cat(cat(out, between) if index else out, word)
        return out

    def separators(self, st: State) -> str | None:
        """IFS, if it is known."""
        var = st.vars.get("IFS")
        if var is None:
            return " \t\n"
        known = literal_of(var.value)
        return None if known is None or (var.unset and known != " \t\n") else known

    # -- lists ------------------------------------------------------------------------------------------------------

    def list_value(self, piece: Param, st: State) -> list[Fields] | None:
        """The words of `$@`, `${a[@]}`, `${!a[@]}` …; None if the expansion is one text."""
        if piece.length:
            return None
        if piece.index is None:
            if piece.op == "names":
                return [Fields((), TOP)]
            if piece.name not in ("@", "*") or piece.indirect:
                return None
            base = [st.args]
            if piece.op == ":" and piece.arg is not None:
                zero = Fields((self.script, *st.args.words), st.args.rest)
                return [self._cut(piece, zero, st)]
        elif piece.index.bare in ("@", "*"):
            arrays = self.arrays(piece.name, st, piece.pos)
            if piece.indirect:
                var = st.vars.get(self.resolve(piece.name, st)[0])
                more = TOP if var is not None and var.flags & ASSOC else NUMBER
                return [Fields(tuple(lit(key) for key, _ in a.pairs), more if a.rest else BOTTOM) for a in arrays]
            base = [a.fields for a in arrays]
            if piece.op == ":" and piece.arg is not None:
                return [self._cut(piece, fields, st) for fields in base]
        else:
            return None
        if not piece.op or piece.op == ":":
            return base
        return [
            Fields(
                tuple(self.operate(piece, word, st) for word in fields.words),
                self.operate(piece, fields.rest, st) if fields.rest else BOTTOM,
            )
            for fields in base
        ]

    def _cut(self, piece: Param, fields: Fields, st: State) -> Fields:
        assert piece.arg is not None
        start = integer(self.arithmetic(piece.arg, st, piece.pos))
        size = integer(self.arithmetic(piece.arg2, st, piece.pos)) if piece.arg2 is not None else -1
        if start is None or size is None or start < 0 or (fields.rest and start > len(fields.words)):
            return Fields((), bag(fields))
        if size < 0 and piece.arg2 is None:
            return Fields(fields.words[start:], fields.rest)
        words = fields.words[start : start + size]
        return Fields(words, fields.rest if len(words) < size else BOTTOM)

    def arrays(self, name: str, st: State, pos: int) -> frozenset[Items]:
        """The possible contents of an array; a text is an array of one."""
        out: frozenset[Items] = frozenset()
        for target in self.resolve(name, st):
            var = st.vars.get(target)
            if var is None:
                if KNOWLEDGE.variables.get(target) is not None:
                    out |= {Items((), self._environment(target, st, pos))}
                else:
                    out |= {Items()}
            elif var.arrays is None:
                out |= {Items((("0", var.value),))}
            else:
                out |= var.arrays | ({Items()} if var.unset else frozenset())
        return out

    # -- operators --------------------------------------------------------------------------------------------------

    def base(self, piece: Param, st: State) -> Value:
        """The parameter's own value, before its operator."""
        value = self.lookup(piece.name, st, piece.pos) if piece.index is None else self._element(piece, st)
        return self._indirect(value, piece, st) if piece.indirect else value

    def _element(self, piece: Param, st: State) -> Value:
        assert piece.index is not None
        if KNOWLEDGE.variables.get(piece.name) == "script" and piece.name not in st.vars:
            return self.script
        if piece.index.bare in ("@", "*"):
            return join_all(self.joined(a.fields, st) for a in self.arrays(piece.name, st, piece.pos))
        key = self.key(piece.name, piece.index, st, piece.pos)
        return element(self.arrays(piece.name, st, piece.pos), key)

    def key(self, name: str, index: Word, st: State, pos: int) -> str | None:
        """The key that a subscript names, if it is known."""
        names = self.resolve(name, st)
        var = st.vars.get(names[0])
        if var is not None and var.flags & ASSOC:
            return literal_of(self.single(index, st))
        number = integer(self.arithmetic(index, st, pos))
        return None if number is None or number < 0 else str(number)

    def _indirect(self, value: Value, piece: Param, st: State) -> Value:
        out: Value = BOTTOM
        for item in texts(value):
            name = item.literal
            if name and (name.isidentifier() or name.isdigit()) and name.isascii():
                out = join(out, self.lookup(name, st, piece.pos))
            elif name != "":
                self.code_position(frozenset({item}), st, piece.pos, "an indirect expansion")
                self.report("env.read", frozenset({item}), st, piece.pos, "reads a variable by a computed name")
                out = join(out, join(TOP, join_all(var.value for var in st.vars.values())))
        return out or EMPTY

    def scalar(self, piece: Param, st: State) -> Value:
        """An expansion that is one text."""
        if piece.length:
            return self._length(piece, st)
        value = self.base(piece, st)
        return self.operate(piece, value, st) if piece.op else value

    def _length(self, piece: Param, st: State) -> Value:
        if piece.index is not None and piece.index.bare in ("@", "*"):
            sizes = {NUMBER if a.rest else lit(str(len(a.pairs))) for a in self.arrays(piece.name, st, piece.pos)}
            return join_all(sizes) or lit("0")
        known = [item.literal for item in texts(self.base(piece, st))]
        if any(k is None for k in known) or piece.name in "@*":
            return NUMBER
        return frozenset(text(str(len(k or ""))) for k in known)

    def choose(self, piece: Param, st: State) -> tuple[Value | list[Fields], bool]:
        """`${x:-w}` and its like: what of the value itself remains, and whether the word may be used."""
        lists = self.list_value(without_operator(piece), st)
        plus = piece.op in ("+", ":+")
        if lists is not None:
            empty = any(not fields.words for fields in lists)
            filled = any(fields.words or fields.rest for fields in lists)
            if plus:
                return BOTTOM, filled
            return [f for f in lists if f.words or f.rest], empty
        value = self.base(piece, st)
        colon = piece.op[0] == ":"
        empty = any(may_be_empty(item) for item in texts(value))
        if not colon:
            empty = self._may_be_unset(piece, st)
        if plus:
            return BOTTOM, any(item.parts for item in texts(value)) or not colon
        kept = frozenset(item for item in texts(value) if item.parts or not colon)
        if not colon and empty and value == EMPTY:
            kept = frozenset()  # it is not set at all
        return kept, empty

    def _may_be_unset(self, piece: Param, st: State) -> bool:
        if piece.name[0].isdigit() or piece.name in "@*":
            index = int(piece.name) if piece.name.isdigit() and len(piece.name) < 6 else 0
            return index > len(st.args.words) or piece.name in "@*"
        var = st.vars.get(self.resolve(piece.name, st)[0])
        return var is None or var.unset or var.arrays is not None or bool(var.flags & UNSET)

    def operate(self, piece: Param, value: Value, st: State) -> Value:
        """The operator of an expansion, on each text."""
        op = piece.op
        if op[0] == "@":
            return self._transform(op[1], value, piece, st)
        if op in ("?", ":?"):
            if piece.arg is not None:
                self.single(piece.arg, st)
            return frozenset(item for item in texts(value) if item.parts) or EMPTY
        if op == ":":
            return self._slice(piece, value, st)
        if piece.arg is None:
            return value
        pattern = self.pattern(piece.arg, st)
        if op[0] in "^,":
            return frozenset(change_case(item, op) for item in texts(value))
        if op[0] in "#%":
            return frozenset(trim(item, p, op) for item in texts(value) for p in texts(pattern))
        new = self.single(piece.arg2, st) if piece.arg2 is not None else EMPTY
        return frozenset(substitute(i, p, r, op) for i in texts(value) for p in texts(pattern) for r in texts(new))

    def _transform(self, op: str, value: Value, piece: Param, st: State) -> Value:
        if op == "P":
            return self._prompt(value, piece, st)
        if op in "UuL":
            return frozenset(change_case(item, {"U": "^^", "u": "^", "L": ",,"}[op]) for item in texts(value))
        if op == "a":
            return TOP
        if op == "Q":
            return frozenset(Text((Hole(UNKNOWN, "quoted", False),)) for _ in texts(value))
        return frozenset(blur(item) for item in texts(value))

    def _prompt(self, value: Value, piece: Param, st: State) -> Value:
        """`${x@P}`: the text is decoded as a prompt and then expanded like the inside of double quotes."""
        out: Value = BOTTOM
        for item in texts(value):
            known = item.literal
            if known is not None and not set(known) & set("$`\\!"):
                out = join(out, frozenset({item}))
            elif known is not None and "\\" not in known:
                self.evaluate(item, st, piece.pos)
                out = TOP
            elif not is_numeric(item):
                self.world.opaque("a prompt expansion evaluates text as code", self.site(piece.pos), "avoid `@P`")
                out = TOP
        return out or value

    def _slice(self, piece: Param, value: Value, st: State) -> Value:
        if piece.arg is None:
            return value
        start = integer(self.arithmetic(piece.arg, st, piece.pos))
        size = integer(self.arithmetic(piece.arg2, st, piece.pos)) if piece.arg2 is not None else None
        out = set[Text]()
        for item in texts(value):
            known = item.literal
            if known is None or start is None or (piece.arg2 is not None and size is None):
                out.add(blur(item))
                continue
            begin = start if start >= 0 else max(len(known) + start, 0)
            end = len(known) if size is None else begin + size if size >= 0 else len(known) + size
            out.add(text(known[begin:end]))
        return frozenset(out)

    # -- assignment -------------------------------------------------------------------------------------------------

    def assign(self, name: str, value: Value, st: State, *, weak: bool = False) -> None:
        """Set a variable; `weak` if it may also keep its value."""
        if not name or not (name[0].isalpha() or name[0] == "_"):
            return
        targets = self.resolve(name, st)
        weak = weak or len(targets) > 1
        for target in targets:
            old = st.vars.get(target)
            flags = old.flags & ~(UNSET | INHERITED) if old is not None else 0
            if flags & INTEGER:
                self.arithmetic_text(value, st, self.at)
            if flags & (INTEGER | LOWER | UPPER):
                value = attributed(value, flags)
            if old is not None and old.arrays is not None:
                arrays = frozenset(stored(a, "0", value) for a in old.arrays)
                new = Var(value, arrays | old.arrays if weak else arrays, flags, old.unset and weak)
            elif weak and old is not None:
                new = Var(join(old.value, value), None, flags, old.unset)
            else:
                new = Var(value, None, flags, weak)
            st.vars[target] = new
            self.note(target, new.value)
            if target == "PS4":
                self._traced(value)

    def _traced(self, value: Value) -> None:
        """`PS4` is expanded before every command that is traced: only plain variables in it are harmless."""
        if not all(item.literal is not None and _PLAIN_PROMPT.fullmatch(item.literal) for item in texts(value)):
            self.world.opaque("`PS4` is expanded like code", self.site(self.at), "use plain variables in it")

    def note(self, name: str, value: Value) -> None:
        """Remember a value for traps, which may run at any time."""
        if self.history is not None:
            self.history[name] = join(self.history.get(name, BOTTOM), value)
