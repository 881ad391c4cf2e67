"""The builtins that print, steer the flow and change folders."""
# ruff: noqa: ARG002 - all builtins share one signature

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import Hole, Text, hole, lit
from remit.analysis.each import each
from remit.analysis.shell.conditions import decided
from remit.analysis.shell.part import Builtin, ShellPart
from remit.analysis.shell.paths import change
from remit.analysis.shell.state import Result, State, join_states
from remit.analysis.shell.streams import format_printf, join_echo
from remit.analysis.shell.values import EMPTY, TOP, Fields, cat, join, literal_of, texts

if TYPE_CHECKING:
    from remit.analysis.shell.loops import Loop


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
            value = format_printf(Fields(words[2:], args.rest))
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
