"""The builtins that print, steer the flow, change folders, and run code; and the table of all."""
# ruff: noqa: ARG002 - all builtins share one signature

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.domain import BOTTOM, STDIN, STDIN_PATHS, Hole, Text, Value, hole, lit
from remit.analysis.each import each
from remit.analysis.shell.conditions import decided
from remit.analysis.shell.declarations import literals
from remit.analysis.shell.dispatch import DECLARES
from remit.analysis.shell.paths import change
from remit.analysis.shell.patterns import folder_name
from remit.analysis.shell.state import (
    ASSOC,
    EXPORTED,
    INTEGER,
    LOWER,
    REF,
    UPPER,
    State,
    Var,
    join_states,
)
from remit.analysis.shell.streams import format_printf, join_echo
from remit.analysis.shell.values import (
    EMPTY,
    MACHINE,
    TOP,
    Fields,
    cat,
    join,
    join_all,
    literal_of,
    texts,
    value_origin,
)
from remit.analysis.shell.variables import Variables
from remit.analysis.world import Child
from remit.core.via import Cause, Via

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.analysis.shell.loops import Loop
    from remit.analysis.shell.refine import Result
    from remit.analysis.world import Site

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FLAG_LETTERS = {"x": EXPORTED, "i": INTEGER, "A": ASSOC, "n": REF, "l": LOWER, "u": UPPER}
_SET_LETTERS = {"e": "errexit", "a": "allexport", "u": "nounset", "f": "noglob"}
_READ_WITH_VALUE = frozenset("adinNptu")


class Builtins(Variables):
    """One method a builtin: `(args, st, pos) -> Result`."""

    traps: list[tuple[Value, Callable[[int], Site]]]

    # -- output -----------------------------------------------------------------------------------------------------

    def echo(self, args: Fields, st: State, pos: int) -> Result:
        """`echo`."""
        st.emit(join_echo(args, self.dialect))
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
            if words and literal_of(words[0]) == "--":
                words = words[1:]
            st.emit(format_printf(Fields(words, args.rest)))
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
        for index, word in enumerate(args.words[:-1]):
            if any(item.literal == "-v" for item in texts(word)):
                self.code_position(args.words[index + 1], st, pos, "a test for a variable")
        verdict = decided(args, strict=self.dialect != "bash")
        return (st, st) if verdict is None else (st, None) if verdict else (None, st)

    def exit(self, args: Fields, st: State, pos: int) -> Result:
        """`exit`, `logout`."""
        self.exits = join_states(self.exits, st)
        return None, None

    def return_(self, args: Fields, st: State, pos: int) -> Result:
        """`return`."""
        self.returns = join_states(self.returns, st)
        return (
            (None, None) if self.frame or self.sourcing else (None, st.copy())
        )  # outside of functions it may be refused

    def break_(self, args: Fields, st: State, pos: int) -> Result:
        """`break`."""
        for loop in self._left(args):
            loop.breaks = join_states(loop.breaks, st.copy())
        return (None, None) if self.loops else (st, None)

    def continue_(self, args: Fields, st: State, pos: int) -> Result:
        """`continue`."""
        for loop in self._left(args):
            loop.continues = join_states(loop.continues, st.copy())
        return (None, None) if self.loops else (st, None)

    def _left(self, args: Fields) -> list[Loop]:
        """The loop that a number names, counted from the innermost; any of them if it is not known."""
        count = literal_of(args.words[0]) if args.words else None if args.rest else "1"
        if count is None or not count.isdigit() or len(count) > 3:
            return self.loops
        return self.loops[-max(int(count), 1) :][:1]

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
            if "CDPATH" in st.vars and st.vars["CDPATH"].value != EMPTY:
                self.world.opaque("`CDPATH` changes where `cd` goes", self.site(pos), "use a full path")
            st.cwd = change(old, target)
            st.dirs = old
        else:
            home = st.vars.get("HOME")
            st.cwd, st.dirs = hole("home") if home is None else home.value, old
        self.note(" cwd", st.cwd)
        sure = all(
            item == Text((Hole("home"),)) or item in self.own_folders or self.world.is_folder(item)
            for item in texts(st.cwd)
        )
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
        for item in each(texts(target)):
            out = join_states(out, self._source_one(item, st.copy(), pos))
        if out is not None:
            out.args = saved
        return out, out

    def _source_one(self, item: Text, st: State, pos: int) -> State | None:
        known = item.literal
        if known is not None and (known in self.streams or known in STDIN_PATHS):
            site = self.site(pos)
            code = self.streams[known] if known in self.streams else st.stdin or hole(STDIN)
            return self.run_text(code, st, lambda _: site)
        files = self.world.skill_files(frozenset({item}), st.cwd)
        if files is None and known is not None and "/" not in known:
            for folder in self.own_folders:
                files = self.world.skill_files(change(frozenset({folder}), frozenset({item})), st.cwd)
        if not files or len(self.sourcing) > 12:
            if item.literal != "":
                self.report("file.read", frozenset({item}), st, pos, Via(Cause.SHELL, words="sources a file"))
                self.world.run_file("shell", frozenset({item}), self.site(pos), child=Child((), BOTTOM, st.cwd))
            return self._source_written(item, st, pos)
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

    def _source_written(self, item: Text, st: State, pos: int) -> State | None:
        """A file that is not of the skill; what this program wrote there sets variables here."""
        site = self.site(pos)
        out: State | None = st
        for text in each(self.world.written(frozenset({item}))):
            if isinstance(text, Text) and text.literal is not None:
                out = join_states(out, self.run_text(frozenset({text}), st.copy(), lambda _: site))
        return out

    sourcing: list[str]

    def file_site(self, file: str, here: Site) -> Callable[[int], Site]:
        """Sites in a file that is sourced here."""
        where = type(here.where)

        def site(line: int) -> Site:
            return here._replace(where=where(file, line), path=(*here.path, here.where), hosted=False)

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
        for item in each(texts(name)):
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
        if len(words) < 2 and not args.rest:
            return st, None
        if self.history is None:
            self.history = {}
        for name, var in st.vars.items():
            self.note(name, var.value)
        self.note(" cwd", st.cwd)
        for item in each(texts(words[0] if words else args.rest)):
            if item.literal not in ("", "-"):
                site = self.site(pos)
                self.traps.append((frozenset({item}), _always(site)))
                self.trap_states.append(st.copy())
                self.aside += 1  # it prints when the program ends
        return st, None

    trap_states: list[State]

    def kill(self, args: Fields, st: State, pos: int) -> Result:
        """`kill`: signal 0 only asks."""
        known = literals(args)
        if known[:1] in (["-0"], ["-l"], ["-L"]) or known[:2] == ["-s", "0"]:
            return st, st
        targets = [w for w in args.words if not (literal_of(w) or "").startswith("-")]
        scope = join_all((*targets, args.rest)) or lit("")
        self.report("process.kill", scope, st, pos, Via(Cause.SHELL, words="sends a signal to a process"))
        return st, st

    def enable(self, args: Fields, st: State, pos: int) -> Result:
        """`enable -f` loads code, `-n` makes a name mean a program."""
        if any(known is None or "f" in known[:3] for known in literals(args) if known is None or known.startswith("-")):
            self.world.opaque("`enable -f` loads a builtin from a library", self.site(pos), "do without it")
        if any(known is None or known.startswith(("-n", "-d")) for known in literals(args)):
            self.world.opaque("`enable` turns a builtin off", self.site(pos), "call the program by its path")
        return st, st

    def hash_(self, args: Fields, st: State, pos: int) -> Result:
        """`hash -p file name`: the name then means that file."""
        if any(known is None or (known.startswith("-") and "p" in known) for known in literals(args)):
            self.world.opaque(
                "`hash -p` gives a name to another program", self.site(pos), "call the program by its path"
            )
        return st, st

    def compgen(self, args: Fields, st: State, pos: int) -> Result:
        """`compgen`: a word list is expanded once more, a command is run, a pattern lists files."""
        words = list(args.words)
        for index, word in enumerate(words[1:], 1):
            kind = literal_of(words[index - 1]) or ""
            if kind == "-W":
                for item in each(texts(word)):
                    if item.literal is None:
                        self.code_position(frozenset({item}), st, pos, "`compgen`")
                    elif "$" in item.literal or "`" in item.literal:
                        self.evaluate(item, st, pos)
            elif kind in ("-C", "-F"):
                self.world.opaque("`compgen` runs a command", self.site(pos), "run the command itself")
            elif kind == "-G":
                folder = frozenset(folder_name(item) for item in texts(word))
                self.report("file.read", folder, st, pos, Via(Cause.SHELL, words="lists files that match a pattern"))
        st.emit(TOP if args.rest else MACHINE)
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


def _declares(name: str) -> Callable[..., Result]:
    """A declaration whose name is expanded, so that its words are too."""

    def run(self: Builtins, args: Fields, st: State, pos: int) -> Result:
        words = (*args.words, *((args.rest,) if args.rest else ()))
        end = self.declaration(name, [item for word in words for item in each(texts(word))], st, pos)
        return end, end

    return run


def _always(site: Site) -> Callable[[int], Site]:
    return lambda _: site


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
    "type": Builtins.prints, "hash": Builtins.hash_, "umask": Builtins.prints, "ulimit": Builtins.prints,
    "wait": Builtins.nothing, "jobs": Builtins.prints, "bg": Builtins.nothing, "fg": Builtins.nothing,
    "disown": Builtins.nothing, "times": Builtins.prints, "caller": Builtins.prints, "help": Builtins.prints,
    "suspend": Builtins.nothing, "complete": Builtins.nothing, "compopt": Builtins.nothing,
    **{name: _declares(name) for name in sorted(DECLARES)},
}  # fmt: skip
