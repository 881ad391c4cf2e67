"""The entry: run a shell program in a world."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache

from remit.analysis.domain import ARG, BOTTOM, Hole, Text, Value, hole, lit
from remit.analysis.each import each
from remit.analysis.instructions import is_blank
from remit.analysis.parts import connect
from remit.analysis.shell.builtins import Builtins, CodeBuiltins
from remit.analysis.shell.conditions import Refinements
from remit.analysis.shell.data_flow import DataFlow, Streams
from remit.analysis.shell.dispatch import Calls, Dispatch
from remit.analysis.shell.expand import Expander
from remit.analysis.shell.interp import Flow, Loops, OutOfBudgetError
from remit.analysis.shell.lookup import Assignments, Lookup
from remit.analysis.shell.params import Arithmetic, Parameters
from remit.analysis.shell.parser import parse
from remit.analysis.shell.part import Run, ShellPart
from remit.analysis.shell.redirects import Redirects
from remit.analysis.shell.state import Flag, State, Var, ever, join_all_states, join_definitions, join_states
from remit.analysis.shell.syntax import (
    FIRST_HOLE,
    Function,
    Program,
    Unit,
    Word,
    clean,
    make_unit,
    report_raw,
    unit_raw,
)
from remit.analysis.shell.values import EMPTY, TOP, Fields, cat, join, join_fields, texts, widen
from remit.analysis.shell.variables import Declarations, Variables
from remit.analysis.world import Child, Outcome, Site, World
from remit.core.location import Location
from remit.core.patterns import lazy_pattern

STEPS = 20_000  # a public skill with a script of 46 KB takes 3,419
_DIALECTS = frozenset({"bash", "sh", "dash", "ksh"})
_MAX_CODE = 12
_SHEBANG = lazy_pattern(r"#![ \t]*(?:\S*/)?(?:env[ \t]+(?:-S[ \t]+)?(?:\S*/)?)?(\w*sh)\b")


_PARTS = (
    Arithmetic, Assignments, Builtins, Calls, CodeBuiltins, DataFlow, Declarations, Dispatch, Expander, Flow, Lookup, Loops, Parameters, Redirects,
    Refinements, Variables,
)  # fmt: skip


class Interpreter(ShellPart):
    """One run of one program."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        parts = [kind(run) for kind in _PARTS]
        connect((self, *parts))
        self.dispatch.table = {
            **self.builtins.table(),
            **self.code.table(),
            **self.variables.table(),
            **self.declarations.table(),
        }

    def program(self, program: Program, st: State, starts: tuple[int, ...] = ()) -> State | None:
        """The whole program: its commands, the traps it set, and the functions that nobody called.

        At the lines `starts` another shell may go on, which has nothing of what was set before.
        """
        end = self.flow.items(program, st) if not starts else self._blocks(program, st, starts)
        end = join_states(join_states(end, self.flow.exits), self.flow.returns)
        self._traps(end)
        last = join_all_states((end, *self.code.trap_states))
        loose = [
            (f, hole(ARG))
            for f in self.calls.defined
            if self.run.own and id(f) not in self.calls.called and f not in self.dispatch.escaped
        ]
        loose += [(f, TOP) for f in self.dispatch.escaped]
        for function, words in loose:
            if last is not None and (words is TOP or id(function) not in self.calls.called):
                self.loops.open_loops, self.flow.exits, self.flow.returns = [], None, None
                self.calls.enter(function, Fields((), words), last.copy(), function.pos)
        return end

    def _blocks(self, program: Program, st: State, starts: tuple[int, ...]) -> State | None:
        """The blocks of a document: each runs after the ones before it in the same shell, or in a new one."""
        new = st.copy()
        end: State | None = st
        left = list(reversed(starts))
        for begin, item in zip(program.begins, program.items, strict=True):
            if left and left[-1] <= program.unit.line(begin):
                while left and left[-1] <= program.unit.line(begin):
                    left.pop()
                end = _new_shell(end, new)
            end = self.flow.items(Program(program.unit, (item,)), end)
        return end

    def _traps(self, end: State | None) -> None:
        done = 0
        while done < len(self.code.traps) and done < 32:
            code, site_of, outputs = self.code.traps[done]
            state = self.code.trap_states[done].copy()
            done += 1
            if end is not None:  # functions and arguments at the end; variables had any value since the trap was set
                state.funcs = join_definitions(state.funcs, end.funcs)
                state.args = join_fields(state.args, end.args)
            for name, value in (self.lookup.ever_held or {}).items():
                if name == " cwd":
                    state.cwd = join(state.cwd, value)
                else:
                    state.vars[name] = ever(state.vars.get(name), value)
            self.loops.open_loops, self.flow.exits, self.flow.returns = [], None, None
            before, self.data_flow.outputs = self.data_flow.outputs, outputs
            self.dispatch.run_text(code, state, site_of)
            self.data_flow.outputs = before


def _new_shell(before: State | None, new: State) -> State | None:
    """The point at which a block begins, in the shell of the blocks before or in a new one.

    There, a variable that was set before is one of the environment. A blank is none: the agent fills in what it was set to.
    """
    found = join_states(before, new.copy())
    if found is not None and before is not None:
        found.vars |= {name: var for name, var in before.vars.items() if is_blank(name)}
    return found


def run_shell(  # noqa: PLR0913  the settings of a shell
    world: World,
    code: Value,
    site_of: Callable[[int], Site],
    *,
    args: tuple[Value, ...] | None = None,
    child: Child = Child(()),  # noqa: B008  (it is never changed)
    dialect: str | None = None,
    script: Value | None = None,
    placeholders: Mapping[str, Hole] | None = None,
    own: bool = True,
    judged: bool = False,
    starts: tuple[int, ...] = (),
    steps: int = STEPS,
    streams: Streams = Streams(),  # noqa: B008  (it is never changed)
) -> Outcome:
    """Run `code` as a shell program.

    `site_of` maps a line of the text to its site. `args` None: the caller's arguments are not known (`<arg>`); otherwise
    `$1 …` are `args` and then any number out of the `rest` of `child`, which also has the folder, the variables and the input of the
    process. `script` is `$0`. `placeholders` are the characters of a
    document that stand for what the model fills in. `own` False: another program built the text, so nobody else can call
    its functions. `judged`: what steers in its variables was reported where it was set. `starts`: lines at which a new shell may begin. `dialect` None: as its first line says. A hole in the text is an injection. Never raises.
    """
    dialect = dialect or _dialect(code)
    if dialect not in _DIALECTS:
        world.opaque(f"a program for `{dialect}`, which is not read", site_of(1), "write it for bash or sh")
        return Outcome(TOP)
    given = Fields((), hole(ARG)) if args is None else Fields(args, child.rest)
    out: Value = BOTTOM
    items = texts(code)
    if len(items) > _MAX_CODE:
        items = texts(widen(code))
    for item, lenient in (found for one in each(items) for found in _readings(one)):
        report_raw(world, item, site_of(1), child.cwd)
        program = _program(item, site_of, placeholders or {}, dialect)
        unit = program.unit
        state = State(child.cwd, given, child.stdin)
        run = Run(world, unit, lit("sh") if script is None else script, dialect, steps, streams)
        run.own, run.lenient = own, lenient
        run.injected = {ch for ch, found in unit.holes.items() if ch >= FIRST_HOLE and unit_raw(found)}
        runner = Interpreter(run)
        elsewhere, unit.site_of = unit.site_of, site_of  # the same text may be running at another site
        _environment(state, child.env or {}, runner, judged=judged)
        printed = _guarded(runner, program, state, site_of, starts)
        out = join(out, TOP if runner.redirects.aside else printed)
        unit.site_of = elsewhere
    return Outcome(out)


def _dialect(code: Value) -> str:
    """The shell that the first line asks for."""
    for item in each(texts(code)):
        first = item.parts[0] if item.parts else ""
        match = _SHEBANG.match(first) if isinstance(first, str) else None
        if match is not None:
            return match.group(1)
    return "bash"


def _readings(item: Text) -> Iterator[tuple[Text, bool]]:
    """A program whose lines all end as on Windows is meant without these ends; a shell that takes them for text stumbles."""
    known = item.literal
    if known is not None and "\r\n" in known and known.count("\r\n") == known.count("\n"):
        yield Text((known.replace("\r\n", "\n"),)), False
        yield item, True
    else:
        yield item, False


def _program(item: Text, site_of: Callable[[int], Site], placeholders: Mapping[str, Hole], dialect: str) -> Program:
    known = item.literal
    if known is not None:
        return _parsed(known, dialect) if not placeholders else parse(Unit(clean(known), site_of, 1, placeholders))
    unit = make_unit(item, site_of)
    return parse(Unit(unit.text, site_of, 1, {**placeholders, **unit.holes}))


@lru_cache(64)
def _parsed(source: str, _dialect: str) -> Program:
    """A text without holes; what its words remember depends on the dialect."""
    return parse(Unit(clean(source), _nowhere))


def _nowhere(line: int) -> Site:
    message = f"line {line} of a text that does not run"
    raise AssertionError(message)


def _environment(state: State, env: Mapping[str, Value], runner: Interpreter, *, judged: bool) -> None:
    for name, value in env.items():
        if name.startswith("BASH_FUNC_") and name.endswith("%%"):
            definitions = cat(lit(name[10:-2]), frozenset(texts(value)) - EMPTY)
            end = runner.dispatch.run_text(definitions, state.copy(), runner.run.unit.site_of)
            joined = join_states(end, state) if value >= EMPTY else end
            state.funcs = joined.funcs if joined is not None else state.funcs
        else:
            runner.data_flow.inherited(name, runner.run.streams.given)
            flags = Flag.EXPORTED | Flag.INHERITED if judged else Flag.EXPORTED
            state.vars[name] = Var(frozenset(texts(value)), None, flags)


def _guarded(
    runner: Interpreter, program: Program, state: State, site_of: Callable[[int], Site], starts: tuple[int, ...]
) -> Value:
    try:
        end = runner.program(program, state, starts)
    except OutOfBudgetError:
        runner.run.world.opaque("the shell program takes too many steps to follow", site_of(1), "make it simpler")
    except RecursionError:
        runner.run.world.opaque("the shell program is nested too deeply", site_of(1), "make it simpler")
    except ValueError as error:
        if "digits" not in str(error):
            raise
        runner.run.world.opaque("a number of the shell program is too long", site_of(1), "write a shorter one")
    else:
        return end.out if end is not None else BOTTOM
    return TOP


def functions_of(source: bytes, file: str) -> list[Function]:
    """Every function that a file of the skill defines, at any depth."""
    unit = Unit(clean(source.decode("utf-8", "replace")), lambda line: Site(Location(file, line)))
    try:
        return list(_functions(parse(unit).items))
    except RecursionError:
        return []


def _functions(node: object) -> Iterator[Function]:
    if isinstance(node, Function):
        yield node
    if isinstance(node, tuple):
        for item in node:
            yield from _functions(item)
    elif is_dataclass(node) and not isinstance(node, (Word, Unit)):
        for part in fields(node):
            yield from _functions(getattr(node, part.name))
