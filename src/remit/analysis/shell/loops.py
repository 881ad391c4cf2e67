"""Loops, followed to a fixed point within a budget of steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from remit.analysis.domain import STDIN, hole
from remit.analysis.shell.part import Run, ShellPart
from remit.analysis.shell.state import Flag, Result, State, Var, join_states, widen_states
from remit.analysis.shell.syntax import ArithFor, For, While
from remit.analysis.shell.values import bag, join, join_all

_ROUNDS = 12
_UNROLLED = 40


class OutOfBudgetError(Exception):
    """The program takes more steps than it may."""


class Loop:
    """Where a loop is left or begun anew."""

    __slots__ = ("breaks", "continues")

    def __init__(self) -> None:
        self.breaks: State | None = None
        self.continues: State | None = None


class Loops(ShellPart):
    """Repeated commands."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.open_loops: list[Loop] = []

    def step(self, cost: int = 1) -> None:
        """Count a step."""
        self.run.budget -= cost
        if self.run.budget < 0:
            raise OutOfBudgetError

    def _fixpoint(self, entry: State, round_: Callable[[State], Result]) -> State | None:
        """Run a loop until nothing new reaches its head. `round_` gives the state at its end and the one that leaves it.

        A loop that takes known arguments one after the other is followed round by round, as long as they become fewer."""
        left: State | None = None
        known: Result | None = None
        while entry.args.words and not entry.args.rest and len(entry.args.words) <= _UNROLLED:
            budget = self.run.budget
            back, leaves = self._round(entry, round_)
            left = join_states(left, leaves)
            if back is None:
                return left
            if back.args.rest or len(back.args.words) >= len(entry.args.words):
                known = back, leaves  # the first round of what follows: it is not run again, but counts again
                self.step(budget - self.run.budget)
                break
            entry = back
        return join_states(left, self._settled(entry, round_, known))

    def _round(self, entry: State, round_: Callable[[State], Result]) -> Result:
        """One round: where the next begins, and where the loop is left."""
        loop = Loop()
        self.open_loops.append(loop)
        end, leaves = round_(entry.copy())
        self.open_loops.pop()
        return join_states(end, loop.continues), join_states(leaves, loop.breaks)

    def _settled(self, entry: State, round_: Callable[[State], Result], known: Result | None) -> State | None:
        """Rounds until the head of the loop holds nothing new; `known` is what the first leads to."""
        for number in range(_ROUNDS):
            back, leaves = known if known and not number else self._round(entry, round_)
            if back is None:
                return leaves
            new = join_states(entry, back)
            assert new is not None
            if number >= 1:
                new = widen_states(entry, new, hard=number >= 3)
            if new.same(entry):
                return leaves
            entry = new
        raise OutOfBudgetError

    def while_loop(self, node: While, st: State) -> Result:
        """`while` and `until`."""

        def round_(entry: State) -> Result:
            ok, fail = self.flow.cond(node.cond, entry)
            if node.until:
                ok, fail = fail, ok
            return self.flow.go(node.body, ok), fail

        leaves = self._fixpoint(st, round_)
        return leaves, leaves

    def for_loop(self, node: For, st: State) -> Result:
        """`for` over words, and `select`."""
        flows = self.data_flow.flows
        outer, flows.context = flows.context, set(self.data_flow.base)
        if node.words is None:
            self.data_flow.read_arguments()
        words = [st.args] if node.words is None else self.expander.fields(node.words, st)
        value = join_all(bag(fields) for fields in words)
        if not value:
            flows.context = outer
            return st, None
        if node.words is None and st.args.rest:
            value = join(value, st.args.rest)
        sure = all(fields.words for fields in words)
        if node.select:
            self.lookup.assign("REPLY", hole(STDIN), st)

        def round_(entry: State) -> Result:
            leaves = entry.copy()
            var = entry.vars.get(node.name)
            if var is not None and var.flags & Flag.REF:  # the loop changes what it refers to
                entry.vars[node.name] = Var(value, None, var.flags)
            else:
                self.lookup.assign(node.name, value, entry)
            end = self.flow.go(node.body, entry)
            return end, leaves

        leaves = self._fixpoint(st, round_)
        flows.context = outer
        if sure and leaves is not None and (var := leaves.vars.get(node.name)) is not None and var.unset:
            leaves.vars[node.name] = var._replace(unset=False)
        return leaves, leaves

    def arith_for_loop(self, node: ArithFor, st: State) -> Result:
        """`for ((…))`."""
        first, check, after = node.parts
        self.arithmetic.value(first, st, node.pos)

        def round_(entry: State) -> Result:
            self.arithmetic.value(check, entry, node.pos)
            leaves = entry.copy()
            end = self.flow.go(node.body, entry)
            if self.open_loops[-1].continues is not None:
                end = join_states(end, self.open_loops[-1].continues)
                self.open_loops[-1].continues = None
            if end is not None:
                self.arithmetic.value(after, end, node.pos)
            return end, leaves

        leaves = self._fixpoint(st, round_)
        return leaves, leaves


LOOPS: dict[type, Callable[[Loops, Any, State], Result]] = {
    ArithFor: Loops.arith_for_loop,
    For: Loops.for_loop,
    While: Loops.while_loop,
}
