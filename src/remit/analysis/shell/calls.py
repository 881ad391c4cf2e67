"""Functions of a shell program: defined, called, and settled where they call themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.shell.part import Run, ShellPart
from remit.analysis.shell.state import (
    Result,
    Shadow,
    State,
    each_way,
    either,
    join_options,
    join_results,
    join_states,
    widen_states,
)
from remit.analysis.shell.values import TOP, Fields, bag, join_fields, widen_against, within

if TYPE_CHECKING:
    from remit.analysis.shell.syntax import Function

MAX_CALLS = 24


class _Call(NamedTuple):
    """An active call of a function: how it was entered, and what it has returned so far."""

    function: Function
    entry: State
    result: list[State | None]
    used: list[bool]


class Calls(ShellPart):
    """What a call of a function does."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.active: list[_Call] = []
        self.called: set[int] = set()
        self.defined: list[Function] = []
        self.depth = 0  # of calls, and of commands with variables of their own
        self.frame = 0  # the depth of the function that runs; 0: none does

    def define(self, node: Function, st: State) -> Result:
        """A function is defined; a definition on one branch only leaves the other in place (states join)."""
        st.funcs[node.name] = (node,)
        if node.unit is self.run.home_unit:
            self.defined.append(node)
        return st, None

    def call(self, name: str, args: Fields, st: State, pos: int) -> Result:
        """Call a function of the program."""
        definitions = [function for function in st.funcs[name] if function is not None]
        return join_results(self.enter(function, args, way, pos) for function, way in each_way(definitions, st))

    def enter(self, function: Function, args: Fields, st: State, pos: int) -> Result:
        """Run the body of a function."""
        with self.data_flow.inside(function.name):
            return self._enter(function, args, st, pos)

    def _enter(self, function: Function, args: Fields, st: State, pos: int) -> Result:
        self.loops.step()
        self.called.add(id(function))
        caller_args = st.args
        st.args = args
        active = [c for c in self.active if c.function is function]
        for call in active:
            if _covers(call.entry, st):
                call.used[0] = True
                result = call.result[0]
                end = result.copy() if result is not None else None
                if end is not None:
                    end.args, end.stdin, end.fds = caller_args, st.stdin, st.fds
                return end, end
        if len(self.active) >= MAX_CALLS:
            self.lookup.opaque("functions call each other too deeply", pos, "make the recursion shallower")
            st.args = caller_args
            return st, st
        if len(active) >= 2:
            before, hard = active[-1].entry, len(active) >= 3
            args = _widened(before.args, st.args, hard=hard)
            st = widen_states(before, st, hard=hard)
            st.args = args
        end = self._settle(function, st)
        if end is not None:
            end.args = caller_args
        return end, end

    def _settle(self, function: Function, st: State) -> State | None:
        """Run the body until its result no longer changes what its recursive calls return."""
        result: State | None = None
        for number in range(8):
            call = _Call(function, st.copy(), [result], [False])
            self.active.append(call)
            end = self._body(function, st.copy())
            self.active.pop()
            if not call.used[0]:
                return end
            new = join_states(result, end)
            if new is None or (result is not None and new.same(result)):
                return new
            result = new if result is None else widen_states(result, new, hard=number >= 2)
        reason = f"the recursion of `{function.name}` does not settle"
        self.run.world.opaque(reason, function.unit.site(function.pos), "use a loop")
        return result

    def _body(self, function: Function, st: State) -> State | None:
        saved = (self.loops.open_loops, self.flow.returns, self.run.unit, self.frame)
        self.loops.open_loops, self.flow.returns, self.run.unit = [], None, function.unit
        self.depth += 1
        self.frame, options = self.depth, st.options

        def leave(way: State) -> None:
            if (self.depth, "-") in way.shadows:  # `local -`
                way.options = join_options(options, way.options)
            self.unhide(way)

        end = join_states(*self.flow.undone(lambda: self.flow.last(function.body, st), leave))
        end = join_states(end, self.flow.returns)
        self.loops.open_loops, self.flow.returns, self.run.unit, self.frame = saved
        self.depth -= 1
        return end.copy() if end is not None and end is self.flow.exits else end

    def hide(self, name: str, st: State, depth: int) -> None:
        """A variable gets a local one before it, until this depth is left."""
        before, var = st.shadows.get((depth, name)), st.vars.get(name)
        if before is None:
            st.shadows = {**st.shadows, (depth, name): Shadow(var)}
        elif not before.sure:
            st.shadows = {**st.shadows, (depth, name): Shadow(either(before.var, var))}

    def unhide(self, st: State) -> None:
        """The call is left: what its variables hid is there again."""
        if not any(depth >= self.depth for depth, _ in st.shadows):
            return
        for (depth, name), shadow in sorted(st.shadows.items(), reverse=True, key=lambda item: item[0]):
            if depth >= self.depth:
                var = shadow.var if shadow.sure else either(shadow.var, st.vars.get(name))
                if var is None:
                    st.vars.pop(name, None)
                else:
                    st.vars[name] = var
        st.shadows = {key: shadow for key, shadow in st.shadows.items() if key[0] < self.depth}


def _widened(before: Fields, args: Fields, *, hard: bool) -> Fields:
    """The arguments of a recursive call, each by its place; of another number they are anything."""
    if len(before.words) != len(args.words) or before.rest or args.rest:
        return Fields((), TOP) if hard else join_fields(before, args)
    return Fields(tuple(widen_against(a, b, hard=hard) for a, b in zip(before.words, args.words, strict=True)))


def _covers(entry: State, st: State) -> bool:
    """Whether an active call was entered with at least this."""
    if not _args_within(st.args, entry.args) or not within(st.cwd, entry.cwd) or not within(st.stdin, entry.stdin):
        return False
    if (st.fds, st.options, st.aliases) != (entry.fds, entry.options, entry.aliases):
        return False
    if any(set(definitions) - set(entry.funcs.get(name, ())) for name, definitions in st.funcs.items()):
        return False
    for name, var in st.vars.items():
        mine = entry.vars.get(name)
        if mine is var or mine == var:
            continue
        if mine is None or var.arrays is not None or mine.arrays is not None or not within(var.value, mine.value):
            return False
        if (var.unset and not mine.unset) or var.flags != mine.flags:
            return False
    return True


def _args_within(args: Fields, entry: Fields) -> bool:
    """Whether every place of one list of arguments holds no more than that of another."""
    if entry.rest and not entry.words:
        return within(bag(args), entry.rest)
    if len(args.words) != len(entry.words) or not within(args.rest, entry.rest):
        return False
    return all(within(mine, theirs) for mine, theirs in zip(args.words, entry.words, strict=True))
