"""The builtins that print, steer the flow, change folders, and run code and programs; traps."""
# ruff: noqa: ARG002 - all builtins share one signature

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from remit.analysis.domain import BOTTOM, STDIN, STDIN_PATHS, Hole, Text, Value, hole, lit
from remit.analysis.each import each
from remit.analysis.shell.conditions import decided
from remit.analysis.shell.data_flow import ANY_VARIABLE
from remit.analysis.shell.part import Builtin, Run, ShellPart
from remit.analysis.shell.patterns import change, folder_name
from remit.analysis.shell.state import Result, State, Var, each_way, join_all_states, join_results, join_states
from remit.analysis.shell.streams import format_printf, join_echo, up_to_nul
from remit.analysis.shell.values import (
    EMPTY,
    MACHINE,
    TOP,
    Fields,
    cat,
    cat_words,
    join,
    join_all,
    literal_of,
    texts,
    value_origin,
)
from remit.analysis.shell.variables import literals
from remit.analysis.world import Child, Site
from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.core.via import Cause, Via

if TYPE_CHECKING:
    from remit.analysis.flows import Node
    from remit.analysis.shell.interp import Loop


_PRINTING = "dirs type umask ulimit jobs times caller help".split()
_WITHOUT_EFFECT = "wait bg fg disown suspend complete compopt".split()


class Builtins(ShellPart):
    """One method for each builtin: `(args, st, pos) -> Result`."""

    # -- output -----------------------------------------------------------------------------------------------------

    def _echo(self, args: Fields, st: State, pos: int) -> Result:
        st.emit(join_echo(args, self.run.dialect))
        return st, None

    def _printf(self, args: Fields, st: State, pos: int) -> Result:
        words = args.words
        if words and literal_of(words[0]) == "-v" and len(words) > 1:
            value = up_to_nul(format_printf(Fields(words[2:], args.rest)))
            self.variables.assign_computed(words[1], value, st, pos, "printf -v")
        elif args.rest and (not words or literal_of(words[0]) == "-v"):
            self.variables.assign_computed(args.rest, TOP, st, pos, "printf -v")
            st.emit(TOP)
        else:
            for item in each(texts(words[0])) if words else ():
                if not item.parts or not isinstance(item.parts[0], str):  # it may be `-v` with a name
                    self.lookup.code_position(frozenset({item}), st, pos, "`printf`")
            if words and literal_of(words[0]) == "--":
                words = words[1:]
            st.emit(format_printf(Fields(words, args.rest)))
        return st, None

    # -- flow -------------------------------------------------------------------------------------------------------

    def _true(self, args: Fields, st: State, pos: int) -> Result:
        """`true` and `:`."""
        return st, None

    def _false(self, args: Fields, st: State, pos: int) -> Result:
        return None, st

    def _nothing(self, args: Fields, st: State, pos: int) -> Result:
        """Builtins without an effect outside the shell."""
        return st, st

    def _prints(self, args: Fields, st: State, pos: int) -> Result:
        """Builtins that only print something of the shell."""
        st.emit(TOP)
        return st, st

    def _test(self, args: Fields, st: State, pos: int) -> Result:
        """`test` and `[`: only `-v` evaluates its operand."""
        for index, word in enumerate(args.words[:-1]):
            if any(item.literal == "-v" for item in texts(word)):
                self.lookup.code_position(args.words[index + 1], st, pos, "a test for a variable")
        verdict = decided(args, strict=self.run.dialect != "bash")
        return (st, st) if verdict is None else (st, None) if verdict else (None, st)

    def _exit(self, args: Fields, st: State, pos: int) -> Result:
        self.flow.exits = join_states(self.flow.exits, st)
        return None, None

    def _return(self, args: Fields, st: State, pos: int) -> Result:
        self.flow.returns = join_states(self.flow.returns, st)
        inside = self.calls.frame or self.code.sourcing  # elsewhere it may be refused
        return None, None if inside else st.copy()

    def _break(self, args: Fields, st: State, pos: int) -> Result:
        for loop in self._left(args):
            loop.breaks = join_states(loop.breaks, st.copy())
        return (None, None) if self.loops.open_loops else (st, None)

    def _continue(self, args: Fields, st: State, pos: int) -> Result:
        for loop in self._left(args):
            loop.continues = join_states(loop.continues, st.copy())
        return (None, None) if self.loops.open_loops else (st, None)

    def _left(self, args: Fields) -> list[Loop]:
        """The loop that a number names, counted from the innermost; any of them if it is not known."""
        count = literal_of(args.words[0]) if args.words else None if args.rest else "1"
        if count is None or not count.isdigit() or len(count) > 3:
            return self.loops.open_loops
        return self.loops.open_loops[-max(int(count), 1) :][:1]

    # -- folders ----------------------------------------------------------------------------------------------------

    def _cd(self, args: Fields, st: State, pos: int) -> Result:
        """`cd`: the state after failure keeps the old folder."""
        words = [w for w in args.words if literal_of(w) not in ("-P", "-L", "-e", "-@", "--", "-")]
        old = st.cwd
        fail = st.copy()
        if any(literal_of(w) == "-" for w in args.words):
            st.cwd, st.dirs = st.dirs or TOP, join(st.dirs, old)
        elif words or args.rest:
            target = words[0] if words else args.rest
            if "CDPATH" in st.vars and st.vars["CDPATH"].value != EMPTY:
                self.lookup.opaque("`CDPATH` changes where `cd` goes", pos, "use a full path")
            st.cwd = change(old, target)
            st.dirs = old
        else:
            home = st.vars.get("HOME")
            st.cwd, st.dirs = hole("home") if home is None else home.value, old
        self.lookup.note(" cwd", st.cwd)
        sure = all(
            item == Text((Hole("home"),)) or item in self.run.own_folders or self.run.world.is_folder(item)
            for item in texts(st.cwd)
        )
        return st, None if sure else fail

    def _pushd(self, args: Fields, st: State, pos: int) -> Result:
        before = join(st.dirs, st.cwd)
        ok, fail = self._cd(args, st, pos)
        for state in (ok, fail):
            if state is not None:
                state.dirs = before
        if ok is not None:
            ok.emit(TOP)
        return ok, fail

    def _popd(self, args: Fields, st: State, pos: int) -> Result:
        """`popd`: back to any folder that was left."""
        fail = st.copy()
        st.cwd = st.dirs or TOP
        self.lookup.note(" cwd", st.cwd)
        st.emit(TOP)
        return st, fail

    def _pwd(self, args: Fields, st: State, pos: int) -> Result:
        st.emit(cat(st.cwd, lit("\n")))
        return st, None

    def table(self) -> dict[str, Builtin]:
        """These builtins, by name."""
        return {
            "echo": self._echo,
            "printf": self._printf,
            "true": self._true,
            ":": self._true,
            "false": self._false,
            "test": self._test,
            "[": self._test,
            "exit": self._exit,
            "logout": self._exit,
            "return": self._return,
            "break": self._break,
            "continue": self._continue,
            "cd": self._cd,
            "pushd": self._pushd,
            "popd": self._popd,
            "pwd": self._pwd,
            **dict.fromkeys(_PRINTING, self._prints),
            **dict.fromkeys(_WITHOUT_EFFECT, self._nothing),
        }


_OPTIONS = (
    ("enable", lazy_pattern(r"-.?f.*", re.DOTALL), "`enable -f` loads a builtin from a library", "do without it"),
    ("enable", lazy_pattern(r"-[nd].*", re.DOTALL), "`enable` turns a builtin off", "call the program by its path"),
    (
        "hash",
        lazy_pattern(r"-.*p.*", re.DOTALL),
        "`hash -p` gives a name to another program",
        "call the program by its path",
    ),
    (
        "history",
        lazy_pattern(r"-[warnsp].*", re.DOTALL),
        "`history` reads or writes the user's history",
        "leave the history alone",
    ),
)


class CodeBuiltins(ShellPart):
    """One method for each builtin: `(args, st, pos) -> Result`."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.traps: list[tuple[Value, Callable[[int], Site], set[Node]]] = []  # code, where it stands, where it prints
        self.trap_states: list[State] = []
        self.sourcing: list[str] = []

    def _eval(self, args: Fields, st: State, pos: int, temporary: dict[str, Var] | None = None) -> Result:
        """`eval`: the words, joined, are a program."""
        code = cat_words(args.words, lit(" "))
        if args.rest:
            origin = value_origin(args.rest)
            code = cat(code, frozenset({Text((Hole(origin, exact=False),))}))
        site = self.lookup.site(pos)
        end = self.dispatch.run_text(code, st, lambda _: site)
        return end, end

    def _source(self, args: Fields, st: State, pos: int, temporary: dict[str, Var] | None = None) -> Result:
        """`source`, `.`: a file in this shell."""
        if not args.words and not args.rest:
            return st, st
        target = args.words[0] if args.words else args.rest
        saved = st.args
        if len(args.words) > 1 or (args.words and args.rest):
            st.args = Fields(args.words[1:], args.rest)
        out = join_all_states(self._source_one(item, way, pos) for item, way in each_way(each(texts(target)), st))
        if out is not None:
            out.args = saved
        return out, out

    def _source_one(self, item: Text, st: State, pos: int) -> State | None:
        known = item.literal
        if known is not None and (known in self.redirects.streams or known in STDIN_PATHS):
            site = self.lookup.site(pos)
            code = self.redirects.streams[known] if known in self.redirects.streams else st.stdin or hole(STDIN)
            return self.dispatch.run_text(code, st, lambda _: site)
        files = self.run.world.skill_files(frozenset({item}), st.cwd)
        if files is None and known is not None and "/" not in known:
            for folder in self.run.own_folders:
                files = self.run.world.skill_files(change(frozenset({folder}), frozenset({item})), st.cwd)
        if not files or len(self.sourcing) > 12:
            if item.literal != "":
                self.lookup.report("file.read", frozenset({item}), st, pos, Via(Cause.SHELL, words="sources a file"))
                self.data_flow.stored(ANY_VARIABLE)
                child = Child((), BOTTOM, st.cwd)
                self.run.world.run_file("shell", frozenset({item}), self.lookup.site(pos), child=child)
            return self._source_written(item, st, pos)
        out: State | None = None
        here = self.lookup.site(pos)
        for file in files:
            if self.sourcing.count(file) > 1:
                out = join_states(out, st)
                continue
            self.sourcing.append(file)
            saved, self.flow.returns = self.flow.returns, None
            end = self.dispatch.run_text(self.run.world.file_text(file, here), st.copy(), self.file_site(file, here))
            out = join_states(join_states(out, end), self.flow.returns)
            self.flow.returns = saved
            self.sourcing.pop()
        return out

    def _source_written(self, item: Text, st: State, pos: int) -> State | None:
        """A file that is not of the skill; what this program wrote there sets variables here."""
        site = self.lookup.site(pos)
        out: State | None = st
        for text in each(self.run.world.written(frozenset({item}))):
            if isinstance(text, Text) and text.literal is not None:
                out = join_states(out, self.dispatch.run_text(frozenset({text}), st.copy(), lambda _: site))
        return out

    def file_site(self, file: str, here: Site) -> Callable[[int], Site]:
        """Sites in a file that is sourced here."""
        path = (*here.path, here.where)
        return lambda line: here._replace(where=Location(file, line), path=path, hosted=False)

    def _exec(self, args: Fields, st: State, pos: int, temporary: dict[str, Var] | None = None) -> Result:
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
        ok, _ = self.dispatch.external(name, Fields(tuple(words[1:]), args.rest), st, pos, temporary or {})
        self.flow.exits = join_states(self.flow.exits, ok)
        return None, fail

    def _command(self, args: Fields, st: State, pos: int) -> Result:
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
        return join_results(
            self.dispatch.invoke(item, args, way, pos, {}, functions=False)
            for item, way in each_way(each(texts(name)), st)
        )

    def _builtin(self, args: Fields, st: State, pos: int) -> Result:
        if not args.words:
            return st, st
        return self._direct(args.words[0], Fields(args.words[1:], args.rest), st, pos)

    def _trap(self, args: Fields, st: State, pos: int) -> Result:
        """`trap`: the code may run at any later time."""
        words = [w for w in args.words if literal_of(w) not in ("--", "-p", "-l")]
        if len(words) < 2 and not args.rest:
            return st, None
        if self.lookup.ever_held is None:
            self.lookup.ever_held = {}
        for name, var in st.vars.items():
            self.lookup.note(name, var.value)
        self.lookup.note(" cwd", st.cwd)
        site = self.lookup.site(pos)
        for item in each(texts(words[0] if words else args.rest)):
            if item.literal not in ("", "-"):
                self.traps.append((frozenset({item}), lambda _: site, self.data_flow.outputs))
                self.trap_states.append(st.copy())
                self.redirects.aside += 1  # it prints when the program ends
        return st, None

    def _kill(self, args: Fields, st: State, pos: int) -> Result:
        """`kill`: signal 0 only asks."""
        known = literals(args)
        if known[:1] in (["-0"], ["-l"], ["-L"]) or known[:2] == ["-s", "0"]:
            return st, st
        targets = [w for w in args.words if not (literal_of(w) or "").startswith("-")]
        scope = join_all((*targets, args.rest)) or lit("")
        self.lookup.report("process.kill", scope, st, pos, Via(Cause.SHELL, words="sends a signal to a process"))
        return st, st

    def _with_options(self, name: str, args: Fields, st: State, pos: int) -> Result:
        """Builtins that are harmless but for some options."""
        for builtin, options, reason, remedy in _OPTIONS:
            if builtin == name and any(one is None or options.fullmatch(one) for one in literals(args)):
                self.lookup.opaque(reason, pos, remedy)
        if name == "history":
            st.emit(TOP)
        return st, st

    def _compgen(self, args: Fields, st: State, pos: int) -> Result:
        """`compgen`: a word list is expanded once more, a command is run, a pattern lists files."""
        words = list(args.words)
        for index, word in enumerate(words[1:], 1):
            kind = literal_of(words[index - 1]) or ""
            if kind == "-W":
                for item in each(texts(word)):
                    if item.literal is None:
                        self.lookup.code_position(frozenset({item}), st, pos, "`compgen`")
                    elif "$" in item.literal or "`" in item.literal:
                        self.lookup.evaluate(item, st, pos)
            elif kind in ("-C", "-F"):
                self.lookup.opaque("`compgen` runs a command", pos, "run the command itself")
            elif kind == "-G":
                folder = frozenset(folder_name(item) for item in texts(word))
                via = Via(Cause.SHELL, words="lists files that match a pattern")
                self.lookup.report("file.read", folder, st, pos, via)
        st.emit(TOP if args.rest else MACHINE)
        return st, st

    def _code_builtin(self, args: Fields, st: State, pos: int) -> Result:
        """`fc`, `bind -x`: run or bind commands that are not in the program."""
        self.lookup.opaque("a builtin runs commands from outside the program", pos, "do without it")
        return st, st

    def table(self) -> dict[str, Builtin]:
        """These builtins, by name."""
        return {
            "eval": self._eval,
            "source": self._source,
            ".": self._source,
            "exec": self._exec,
            "command": self._command,
            "builtin": self._builtin,
            "trap": self._trap,
            "kill": self._kill,
            "compgen": self._compgen,
            "fc": self._code_builtin,
            "bind": self._code_builtin,
            **{name: partial(self._with_options, name) for name, *_ in _OPTIONS},
        }
