"""The builtins that change the shell itself: variables, options, flow, code."""
# ruff: noqa: ARG002 - all builtins share one signature

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.domain import STDIN, Hole, Text, Value, hole, lit
from remit.analysis.shell.dispatch import Dispatch
from remit.analysis.shell.interp import Loop, Result, fork
from remit.analysis.shell.knowledge import KNOWLEDGE
from remit.analysis.shell.paths import change
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
    join_states,
)
from remit.analysis.shell.streams import format_printf, join_echo, read_values
from remit.analysis.shell.syntax import Assign, Word
from remit.analysis.shell.values import (
    EMPTY,
    NUMBER,
    TOP,
    Fields,
    bag,
    cat,
    join,
    join_all,
    literal_of,
    texts,
    value_origin,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.analysis.world import Site

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FLAG_LETTERS = {"x": EXPORTED, "i": INTEGER, "A": ASSOC, "n": REF, "l": LOWER, "u": UPPER}
_SET_LETTERS = {"e": "errexit", "a": "allexport", "u": "nounset", "f": "noglob"}
_STDIN = ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
_READ_WITH_VALUE = frozenset("adinNptu")


def literals(fields: Fields) -> list[str | None]:
    """The words as far as they are known; None for those that are not."""
    return [literal_of(word) for word in fields.words]


class Builtins(Dispatch):
    """One method a builtin: `(args, st, pos) -> Result`."""

    traps: list[tuple[Value, Callable[[int], Site]]]

    # -- output -----------------------------------------------------------------------------------------------------

    def echo(self, args: Fields, st: State, pos: int) -> Result:
        """`echo`."""
        st.emit(join_echo(args))
        return st, None

    def printf(self, args: Fields, st: State, pos: int) -> Result:
        """`printf [-v name] format …`."""
        words = args.words
        if words and literal_of(words[0]) == "-v" and len(words) > 1:
            value = format_printf(Fields(words[2:], args.rest))
            self.assign_computed(words[1], value, st, pos, "printf -v")
        elif args.rest and (not words or literal_of(words[0]) == "-v"):
            self.assign_computed(args.rest, TOP, st, pos, "printf -v")
            st.emit(TOP)
        else:
            if literal_of(words[0]) == "--":
                words = words[1:]
            st.emit(format_printf(Fields(words, args.rest)))
        return st, None

    def assign_computed(self, name: Value, value: Value, st: State, pos: int, what: str) -> None:
        """Assign to a variable whose name is a value: a subscript in it would be evaluated."""
        for item in texts(name):
            known = item.literal
            weak = len(texts(name)) > 1
            if known is not None and _NAME.fullmatch(known):
                self.assign(known, value, st, weak=weak)
            elif known is not None and (match := re.fullmatch(r"(\w+)\[(\w*)\]", known)):
                self.assign(match.group(1), value, st, weak=True)
            else:
                self.code_position(frozenset({item}), pos, f"`{what}`")
                self.havoc(value, st)

    def havoc(self, value: Value, st: State) -> None:
        """Any variable may have been set to this."""
        for name, var in list(st.vars.items()):
            st.vars[name] = var._replace(value=join(var.value, value))

    # -- variables --------------------------------------------------------------------------------------------------

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
        return st, st

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
        self.code_position(frozenset({item}), pos, "a declaration")
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
                    self.code_position(frozenset({item}), pos, "`unset`")
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
                self.code_position(word, pos, "`mapfile`")
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
                self.code_position(args.words[0], pos, "`shift`")
            st.args = Fields((), bag(st.args))
        return st, st

    def set_(self, args: Fields, st: State, pos: int) -> Result:
        """`set`: options, and the positional parameters."""
        words = list(args.words)
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

    # -- flow -------------------------------------------------------------------------------------------------------

    def true(self, args: Fields, st: State, pos: int) -> Result:
        """`true` and `:`."""
        return st, None

    def false(self, args: Fields, st: State, pos: int) -> Result:
        """`false`."""
        return None, st

    def nothing(self, args: Fields, st: State, pos: int) -> Result:
        """Builtins without an effect outside the shell."""
        return st, st

    def prints(self, args: Fields, st: State, pos: int) -> Result:
        """Builtins that only print something of the shell."""
        st.emit(TOP)
        return st, st

    def test(self, args: Fields, st: State, pos: int) -> Result:
        """`test` and `[`: only `-v` evaluates its operand."""
        words = literals(args)
        for index, known in enumerate(words):
            if known == "-v" and index + 1 < len(words):
                self.code_position(args.words[index + 1], pos, "a test for a variable")
        return st, st

    def exit(self, args: Fields, st: State, pos: int) -> Result:
        """`exit`, `logout`."""
        self.exits = join_states(self.exits, st)
        return None, None

    def return_(self, args: Fields, st: State, pos: int) -> Result:
        """`return`."""
        self.returns = join_states(self.returns, st)
        return None, None

    def break_(self, args: Fields, st: State, pos: int) -> Result:
        """`break`."""
        loop = self._loop(args)
        if loop is None:
            return st, None
        loop.breaks = join_states(loop.breaks, st)
        return None, None

    def continue_(self, args: Fields, st: State, pos: int) -> Result:
        """`continue`."""
        loop = self._loop(args)
        if loop is None:
            return st, None
        loop.continues = join_states(loop.continues, st)
        return None, None

    def _loop(self, args: Fields) -> Loop | None:
        count = literal_of(args.words[0]) if args.words else "1"
        if not self.loops:
            return None
        depth = int(count) if count and count.isdigit() and len(count) < 4 else 1
        return self.loops[-min(max(depth, 1), len(self.loops))]

    # -- folders ----------------------------------------------------------------------------------------------------

    def cd(self, args: Fields, st: State, pos: int) -> Result:
        """`cd`: the state after failure keeps the old folder."""
        words = [w for w in args.words if literal_of(w) not in ("-P", "-L", "-e", "-@", "--", "-")]
        old = st.cwd
        fail = st.copy()
        if any(literal_of(w) == "-" for w in args.words):
            st.cwd, st.dirs = st.dirs or TOP, join(st.dirs, old)
        elif words or args.rest:
            target = words[0] if words else args.rest
            if "CDPATH" in st.vars:
                self.world.opaque("`CDPATH` changes where `cd` goes", self.site(pos), "use a full path")
            st.cwd = change(old, target)
            st.dirs = old
        else:
            home = st.vars.get("HOME")
            st.cwd, st.dirs = hole("home") if home is None else home.value, old
        self.note(" cwd", st.cwd)
        sure = all(item == Text((Hole("home"),)) or item in self.own_folders for item in texts(st.cwd))
        return st, None if sure else fail

    own_folders: frozenset[Text]

    def pushd(self, args: Fields, st: State, pos: int) -> Result:
        """`pushd`."""
        before = join(st.dirs, st.cwd)
        ok, fail = self.cd(args, st, pos)
        for state in (ok, fail):
            if state is not None:
                state.dirs = before
        if ok is not None:
            ok.emit(TOP)
        return ok, fail

    def popd(self, args: Fields, st: State, pos: int) -> Result:
        """`popd`: back to any folder that was left."""
        fail = st.copy()
        st.cwd = st.dirs or TOP
        self.note(" cwd", st.cwd)
        st.emit(TOP)
        return st, fail

    def pwd(self, args: Fields, st: State, pos: int) -> Result:
        """`pwd`."""
        st.emit(cat(st.cwd, lit("\n")))
        return st, None

    # -- code and programs ------------------------------------------------------------------------------------------

    def eval(self, args: Fields, st: State, pos: int, temporary: dict[str, Var] | None = None) -> Result:
        """`eval`: the words, joined, are a program."""
        code = EMPTY
        for index, word in enumerate(args.words):
            code = cat(cat(code, lit(" ")) if index else code, word)
        if args.rest:
            origin = value_origin(args.rest)
            code = cat(code, frozenset({Text((Hole(origin, exact=False),))}))
        site = self.site(pos)
        end = self.run_text(code, st, lambda _: site)
        return end, end

    def source(self, args: Fields, st: State, pos: int, temporary: dict[str, Var] | None = None) -> Result:
        """`source`, `.`: a file in this shell."""
        if not args.words and not args.rest:
            return st, st
        target = args.words[0] if args.words else args.rest
        saved = st.args
        if len(args.words) > 1 or (args.words and args.rest):
            st.args = Fields(args.words[1:], args.rest)
        out: State | None = None
        for item in texts(target):
            out = join_states(out, self._source_one(item, st.copy(), pos))
        if out is not None:
            out.args = saved
        return out, out

    def _source_one(self, item: Text, st: State, pos: int) -> State | None:
        known = item.literal
        if known is not None and (known in self.streams or known in _STDIN):
            site = self.site(pos)
            code = self.streams[known] if known in self.streams else st.stdin or hole(STDIN)
            return self.run_text(code, st, lambda _: site)
        if known is not None and KNOWLEDGE.sourced.get(known):
            self.report("file.read", frozenset({item}), st, pos, "sources a settings file")
            return st
        files = self.world.skill_files(frozenset({item}), st.cwd)
        if files is None and known is not None and "/" not in known:
            for folder in self.own_folders:
                files = self.world.skill_files(change(frozenset({folder}), frozenset({item})), st.cwd)
        if not files or len(self.sourcing) > 12:
            self.world.run_file("shell", frozenset({item}), self.site(pos))
            return st
        out: State | None = None
        here = self.site(pos)
        for file in files:
            if self.sourcing.count(file) > 1:
                out = join_states(out, st)
                continue
            self.sourcing.append(file)
            saved, self.returns = self.returns, None
            end = self.run_text(self.world.file_text(file), st.copy(), self.file_site(file, here))
            out = join_states(join_states(out, end), self.returns)
            self.returns = saved
            self.sourcing.pop()
        return out

    sourcing: list[str]

    def file_site(self, file: str, here: Site) -> Callable[[int], Site]:
        """Sites in a file that is sourced here."""
        where = type(here.where)

        def site(line: int) -> Site:
            return here._replace(where=where(file, line), path=(*here.path, here.where))

        return site

    def exec(self, args: Fields, st: State, pos: int, temporary: dict[str, Var] | None = None) -> Result:
        """`exec`: without a command its redirections stay; with one the shell is gone."""
        words = list(args.words)
        while words and (known := literal_of(words[0])) is not None and known.startswith("-"):
            words.pop(0)
            if known == "-a" and words:
                words.pop(0)
        if not words and not args.rest:
            return st, None
        name = words[0] if words else args.rest
        fail = st.copy()
        ok, _ = self.external(name, Fields(tuple(words[1:]), args.rest), st, pos, temporary or {})
        self.exits = join_states(self.exits, ok)
        return None, fail

    def command(self, args: Fields, st: State, pos: int) -> Result:
        """`command`: asks where a program is, or runs it past functions."""
        words = list(args.words)
        asks = False
        while words and (known := literal_of(words[0])) in ("-v", "-V", "-p", "--", "-pv"):
            asks = asks or (known or "").lower().endswith("v")
            words.pop(0)
        if asks:
            for word in words[:1]:
                st.emit(cat(word, lit("\n")))
            if not words:
                st.emit(args.rest or EMPTY)
            return st, st
        if not words and not args.rest:
            return st, None
        return self._direct(words[0] if words else args.rest, Fields(tuple(words[1:]), args.rest), st, pos)

    def _direct(self, name: Value, args: Fields, st: State, pos: int) -> Result:
        ok: State | None = None
        fail: State | None = None
        for item in texts(name):
            one, other = self.invoke(item, args, st.copy(), pos, {}, functions=False)
            ok, fail = join_states(ok, one), join_states(fail, other)
        return ok, fail

    def builtin(self, args: Fields, st: State, pos: int) -> Result:
        """`builtin`."""
        if not args.words:
            return st, st
        return self._direct(args.words[0], Fields(args.words[1:], args.rest), st, pos)

    def trap(self, args: Fields, st: State, pos: int) -> Result:
        """`trap`: the code may run at any later time."""
        words = [w for w in args.words if literal_of(w) not in ("--", "-p", "-l")]
        if len(words) + bool(args.rest) < 2:
            return st, None
        if self.history is None:
            self.history = {}
        for name, var in st.vars.items():
            self.note(name, var.value)
        self.note(" cwd", st.cwd)
        for item in texts(words[0]):
            if item.literal not in ("", "-"):
                site = self.site(pos)
                self.traps.append((frozenset({item}), _always(site)))
                self.trap_states.append(st.copy())
        return st, None

    trap_states: list[State]

    def kill(self, args: Fields, st: State, pos: int) -> Result:
        """`kill`: signal 0 only asks."""
        known = literals(args)
        if known[:1] in (["-0"], ["-l"], ["-L"]) or known[:2] == ["-s", "0"]:
            return st, st
        targets = [w for w in args.words if not (literal_of(w) or "").startswith("-")]
        scope = join_all((*targets, args.rest)) or lit("")
        self.report("process.kill", scope, st, pos, "sends a signal to a process")
        return st, st

    def enable(self, args: Fields, st: State, pos: int) -> Result:
        """`enable -f` loads code."""
        if any(known is None or "f" in known[:3] for known in literals(args) if known is None or known.startswith("-")):
            self.world.opaque("`enable -f` loads a builtin from a library", self.site(pos), "do without it")
        return st, st

    def compgen(self, args: Fields, st: State, pos: int) -> Result:
        """`compgen`: a word list is expanded once more."""
        for word in args.words:
            for item in texts(word):
                if item.literal is None or "$" in item.literal or "`" in item.literal:
                    self.code_position(frozenset({item}), pos, "`compgen`")
        st.emit(TOP)
        return st, st

    def history_(self, args: Fields, st: State, pos: int) -> Result:
        """`history`: with a file it reads or writes it."""
        if any(known is None or known[:2] in ("-w", "-a", "-r", "-n", "-s", "-p") for known in literals(args)):
            self.world.opaque("`history` reads or writes the user's history", self.site(pos), "leave the history alone")
        st.emit(TOP)
        return st, st

    def code_builtin(self, args: Fields, st: State, pos: int) -> Result:
        """`fc`, `bind -x`: run or bind commands that are not in the program."""
        self.world.opaque("a builtin runs commands from outside the program", self.site(pos), "do without it")
        return st, st


def _always(site: Site) -> Callable[[int], Site]:
    return lambda _: site


def _tail(item: Text) -> Text:
    first = item.parts[0] if item.parts else ""
    return (
        Text(((first[2:],) if first[2:] else ()) + item.parts[1:])
        if isinstance(first, str) and first[:1] == "-"
        else item
    )


TABLE: dict[str, Callable[..., Result]] = {
    "echo": Builtins.echo, "printf": Builtins.printf, "unset": Builtins.unset, "read": Builtins.read,
    "mapfile": Builtins.mapfile, "readarray": Builtins.mapfile, "getopts": Builtins.getopts, "let": Builtins.let,
    "shift": Builtins.shift, "set": Builtins.set_, "shopt": Builtins.shopt, "alias": Builtins.alias,
    "unalias": Builtins.unalias, "true": Builtins.true, ":": Builtins.true, "false": Builtins.false,
    "test": Builtins.test, "[": Builtins.test, "exit": Builtins.exit, "logout": Builtins.exit,
    "return": Builtins.return_, "break": Builtins.break_, "continue": Builtins.continue_, "cd": Builtins.cd,
    "pushd": Builtins.pushd, "popd": Builtins.popd, "pwd": Builtins.pwd, "dirs": Builtins.prints,
    "eval": Builtins.eval, "source": Builtins.source, ".": Builtins.source, "exec": Builtins.exec,
    "command": Builtins.command, "builtin": Builtins.builtin, "trap": Builtins.trap, "kill": Builtins.kill,
    "enable": Builtins.enable, "compgen": Builtins.compgen, "history": Builtins.history_,
    "fc": Builtins.code_builtin, "bind": Builtins.code_builtin,
    "type": Builtins.prints, "hash": Builtins.nothing, "umask": Builtins.prints, "ulimit": Builtins.prints,
    "wait": Builtins.nothing, "jobs": Builtins.prints, "bg": Builtins.nothing, "fg": Builtins.nothing,
    "disown": Builtins.nothing, "times": Builtins.prints, "caller": Builtins.prints, "help": Builtins.prints,
    "suspend": Builtins.nothing, "complete": Builtins.nothing, "compopt": Builtins.nothing,
}  # fmt: skip
