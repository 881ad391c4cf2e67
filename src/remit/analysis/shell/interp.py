"""The interpreter: commands over states, in order, both ways of every condition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from remit.analysis.domain import STDIN, Text, Value, hole
from remit.analysis.flows import Node
from remit.analysis.shell import syntax
from remit.analysis.shell.conditions import ORDER, SAME, holds, ordered
from remit.analysis.shell.part import Run, ShellPart
from remit.analysis.shell.patterns import matched
from remit.analysis.shell.state import EITHER, ERR, OUT, Flag, Result, State, Var, fork, join_states, widen_states
from remit.analysis.shell.values import (
    EMPTY,
    NUMBER,
    TOP,
    bag,
    both_printed,
    join,
    join_all,
    literal_of,
    texts,
    trim_newlines,
)
from remit.core.patterns import lazy_pattern
from remit.core.via import Cause, Via

# Loops, followed to a fixed point within a budget of steps.

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

    def while_loop(self, node: syntax.While, st: State) -> Result:
        """`while` and `until`."""

        def round_(entry: State) -> Result:
            ok, fail = self.flow.cond(node.cond, entry)
            if node.until:
                ok, fail = fail, ok
            return self.flow.go(node.body, ok), fail

        leaves = self._fixpoint(st, round_)
        return leaves, leaves

    def for_loop(self, node: syntax.For, st: State) -> Result:
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

    def arith_for_loop(self, node: syntax.ArithFor, st: State) -> Result:
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


# Under `set -e` these end the program by failing; a compound command does not where its last command was excused.
_FAILS_BY_ITSELF = (syntax.Simple, syntax.Pipeline, syntax.Subshell, syntax.Test, syntax.ArithCommand)
INTEGER_TESTS = frozenset(ORDER)
_DIGITS = lazy_pattern(
    r"\^-?\??(?:\[0-9\]|\[\[:digit:\]\])[+]\$|\^[1-9]\[0-9\]\*\$|\^\[1-9\]\[0-9\]\*\$|\^\[0-9\]\{[\d,]+\}\$"
)


class Flow(ShellPart):
    """Control flow."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.exits: State | None = None
        self.returns: State | None = None
        self.checked = 0  # inside a condition, where `set -e` does not apply

    # -- entry ------------------------------------------------------------------------------------------------------

    def command(self, node: syntax.Command, st: State) -> Result:
        """One command."""
        return self._run[type(node)](self, node, st)

    def go(self, node: syntax.Command, st: State | None) -> State | None:
        """One command whose status is not asked for; under `set -e` failure ends the program."""
        if st is None:
            return None
        return join_states(*self.last(node, st))

    def last(self, node: syntax.Command, st: State) -> Result:
        """One command, which may be the last of a compound: under `set -e` failure ends the program, but not again where a
        compound fails as its last command did."""
        ok, fail = self.command(node, st)
        if (
            fail is not ok
            and fail is not None
            and "errexit" in fail.options
            and not self.checked
            and isinstance(node, _FAILS_BY_ITSELF)
        ):
            self.exits = join_states(self.exits, fail)
            return ok, None
        return ok, fail

    def cond(self, node: syntax.Command, st: State) -> Result:
        """A command whose status decides; the two states are independent."""
        self.checked += 1
        ok, fail = fork(*self.command(node, st))
        self.checked -= 1
        return ok, fail

    def items(self, program: syntax.Program, st: State | None) -> State | None:
        """The commands of a text, with its own lines."""
        saved, self.run.unit = self.run.unit, program.unit
        for item in program.items:
            if st is None:
                break
            st = self.go(item, st)
        self.run.unit = saved
        return st

    def sub(self, body: Callable[[State], State | None], st: State) -> State | None:
        """Something that runs in a process of its own: it may exit, and nothing of it remains but its output."""
        saved = (self.loops.open_loops, self.exits, self.returns)
        self.loops.open_loops, self.exits, self.returns = [], None, None
        end = body(st)
        end = join_states(join_states(end, self.exits), self.returns)
        self.loops.open_loops, self.exits, self.returns = saved
        return end

    def capture(self, body: object, st: State, *, trim: bool = True) -> Value:
        """What a program prints."""
        assert isinstance(body, syntax.Program)
        self.loops.step()
        self.run.naming = False
        if (opened := _only_input(body)) is not None:
            target = self.expander.single(opened.word, st)
            return trim_newlines(self.redirects.read_file(target, st, opened.pos))
        inner = st.copy()
        inner.out, inner.fds = EMPTY, {1: OUT, 2: _beside(st)}
        if "inherit_errexit" not in st.options and self.run.dialect == "bash":
            inner.options = st.options - {"errexit"}
        failing: list[State | None] = []
        aside = self.redirects.aside
        begun = self.data_flow.capture()
        end = self.sub(lambda s: self._captured(body, s, failing), inner)
        self.data_flow.captured(begun)
        if self.redirects.aside > aside:
            return TOP
        if failing and not (self.run.assigning and "errexit" in st.options and not self.checked):
            end = join_states(end, failing[0])
        if end is None:
            return EMPTY
        return trim_newlines(end.out) if trim else end.out

    def _captured(self, body: syntax.Program, st: State, failing: list[State | None]) -> State | None:
        """Run a substitution; of a single command the state after failure is kept apart."""
        if len(body.items) != 1:
            return self.items(body, st)
        saved, self.run.unit = self.run.unit, body.unit
        assigning, self.run.assigning = self.run.assigning, False
        ok, fail = fork(*self.command(body.items[0], st))
        failing.append(fail)
        self.run.unit, self.run.assigning = saved, assigning
        return ok

    # -- lists ------------------------------------------------------------------------------------------------------

    def _seq(self, node: syntax.Seq, st: State) -> Result:
        current: State | None = st
        for item in node.items[:-1]:
            current = self.go(item, current)
        if current is None:
            return None, None
        if not node.items:
            return current, None
        return self.last(node.items[-1], current)

    def _and_or(self, node: syntax.AndOr, st: State) -> Result:
        before = st.out
        ok, fail = self.cond(node.left, st)
        taken, skipped = (ok, fail) if node.op == "&&" else (fail, ok)
        if taken is None:
            return ok, fail
        printed = taken.out
        if node.op == "||" and printed != before:
            # What fails seldom prints; if it did, its text and what follows are one text that is not known.
            taken.out = before
        ok2, fail2 = self.command(node.right, taken)
        if node.op == "||" and printed != before:
            for state in (ok2, fail2 if fail2 is not ok2 else None):
                if state is not None:
                    state.out = join(state.out, both_printed(before, printed, state.out))
        if node.op == "&&":
            return ok2, join_states(skipped, fail2)
        return join_states(skipped, ok2), fail2

    def _not(self, node: syntax.Not, st: State) -> Result:
        ok, fail = self.cond(node.body, st)
        return fail, ok

    def _pipeline(self, node: syntax.Pipeline, st: State) -> Result:
        stdin, last = st.stdin, len(node.stages) - 1
        end: State | None = None
        data, streams = self.data_flow, (self.data_flow.fed, self.data_flow.outputs)
        pipe: Node | None = data.fed
        for index, stage in enumerate(node.stages):
            data.fed, pipe = pipe, Node()
            data.outputs = {pipe} if index != last else streams[1]
            inner = st.copy()
            inner.stdin = stdin
            if index != last:
                inner.out = EMPTY
                inner.fds = {**st.fds, 1: OUT, 2: OUT if node.both[index] else _beside(st)}
            aside = self.redirects.aside
            end = self.sub(lambda s, stage=stage: self.go(stage, s), inner)  # type: ignore[misc]
            stdin = end.out if end is not None and index != last else EMPTY
            if self.redirects.aside > aside:
                stdin = TOP
        data.fed, data.outputs = streams
        if end is not None:
            st.out, st.partial = end.out, end.partial
            if "lastpipe" in st.options:
                return join_states(st, end), st.copy()
        return st, st

    def _subshell(self, node: syntax.Subshell, st: State) -> Result:
        end = self.sub(lambda s: join_states(*self.command(node.body, s)), st.copy())
        if end is not None:
            st.out, st.partial = end.out, end.partial
        return st, st

    def _background(self, node: syntax.Background, st: State) -> Result:
        end = self.sub(lambda s: join_states(*self.command(node.body, s)), st.copy())
        if end is not None:
            st.out = join(st.out, end.out)
        return st, None

    def _coproc(self, node: syntax.Coproc, st: State) -> Result:
        inner = st.copy()
        inner.stdin, inner.out = TOP, EMPTY
        data, streams = self.data_flow, (self.data_flow.fed, self.data_flow.outputs)
        data.aside = data.aside or Node()
        data.fed, data.outputs = data.aside, {data.aside}
        self.sub(lambda s: join_states(*self.command(node.body, s)), inner)
        data.fed, data.outputs = streams
        self.lookup.assign(node.name, NUMBER, st)
        return st, None

    def _redirected(self, node: syntax.Redirected, st: State) -> Result:
        saved = self.redirects.redirect(node.redirects, st, collect=not self.loops.open_loops)
        return self.undone(lambda: self.last(node.body, st), lambda way: self.redirects.restore(way, saved))

    def undone(self, body: Callable[[], Result], undo: Callable[[State], None]) -> Result:
        """Run something whose surroundings end with it, on every way out."""
        exits, returns = self.exits, self.returns
        left = [(loop, loop.breaks, loop.continues) for loop in self.loops.open_loops]
        self.exits = self.returns = None
        for loop in self.loops.open_loops:
            loop.breaks = loop.continues = None
        ok, fail = body()
        jumps = [way for loop in self.loops.open_loops for way in (loop.breaks, loop.continues)]
        ways = (ok, fail, self.exits, self.returns, *jumps)
        for way in {id(way): way for way in ways if way is not None}.values():
            undo(way)
        self.exits, self.returns = join_states(exits, self.exits), join_states(returns, self.returns)
        for loop, breaks, continues in left:
            loop.breaks, loop.continues = join_states(breaks, loop.breaks), join_states(continues, loop.continues)
        return ok, fail

    # -- conditions and loops ---------------------------------------------------------------------------------------

    def _if(self, node: syntax.If, st: State) -> Result:
        ok: State | None = None
        fail: State | None = None
        current: State | None = st
        for cond, body in node.clauses:
            if current is None:
                break
            taken, current = self.cond(cond, current)
            if taken is not None:
                one, other = self.last(body, taken)
                ok, fail = join_states(ok, one), join_states(fail, other)
        if current is not None:
            if node.otherwise is None:
                ok = join_states(ok, current)
            else:
                one, other = self.last(node.otherwise, current)
                ok, fail = join_states(ok, one), join_states(fail, other)
        return ok, fail

    def _case(self, node: syntax.Case, st: State) -> Result:
        left = set(texts(self.expander.single(node.subject, st)))  # what no pattern has taken for certain
        unchanged = True  # no body has run before a pattern is tried
        exact = "nocasematch" not in st.options
        ok: State | None = None
        fail: State | None = None
        through: State | None = None
        for patterns, body, end in node.items:
            found = [
                matched(item, one) for p in patterns for one in texts(self.expander.pattern(p, st)) for item in left
            ]
            sure = {item for item, verdict in found if verdict is True} if exact else set[Text]()
            possible = not exact or any(verdict is not False for _, verdict in found)
            taken = st.copy() if possible and left else None
            if taken is not None and exact and unchanged:
                perhaps = frozenset(item for item, verdict in found if verdict is not False)
                self.refinements.among(taken, node.subject, perhaps)
                self.refinements.known_to_be(taken, node.subject, patterns)
            entry = join_states(through, taken)
            through = None
            if entry is not None:
                one, other = self.last(body, entry)
                if end == ";&":
                    through = join_states(one, other)
                else:
                    ok, fail = join_states(ok, one), join_states(fail, other)
                if end == ";;&":
                    st = join_states(join_states(st.copy(), one), other) or st
                    unchanged = False
            if end != ";;&":
                left -= sure
                if not left and through is None:
                    break
        if left:
            ok = join_states(ok, st)
        return join_states(ok, through), fail

    def _arith(self, node: syntax.ArithCommand, st: State) -> Result:
        if self.run.dialect in ("sh", "dash"):
            self.lookup.opaque("in sh `((` starts subshells", node.pos, "write the script for bash")
        known = literal_of(self.arithmetic.value(node.expr, st, node.pos))
        if known is None:
            return st, st
        return (None, st) if known == "0" else (st, None)

    def _test(self, node: syntax.Test, st: State) -> Result:
        self.loops.step()
        numbers: list[syntax.Word] = []
        verdicts: list[bool | None] = []
        with self.data_flow.apart():
            for op, operands in node.terms:
                if op in INTEGER_TESTS:
                    left, right = (self.arithmetic.value(operand, st, node.pos) for operand in operands)
                    verdicts.append(ordered(op, left, right))
                    continue
                values = [
                    self.expander.pattern(operand, st) if i else self.expander.single(operand, st)
                    for i, operand in enumerate(operands)
                ]
                verdicts.append(None if "nocasematch" in st.options else holds(op, values))
                # There `[[` is a command, and this a redirection.
                if op in ("<", ">") and self.run.dialect in ("sh", "dash"):
                    capability = "file.read" if op == "<" else "file.write"
                    via = Via(Cause.REDIRECT, words="in sh this is a redirection")
                    self.lookup.report(capability, values[1], st, node.pos, via)
                elif op == "-v":
                    self.lookup.code_position(values[0], st, node.pos, "a test for a variable")
                elif op == "=~":
                    self.refinements.rematched(values[0], operands[1], st)
                    if _DIGITS.fullmatch(literal_of(self.expander.single(operands[1], st)) or ""):
                        numbers.append(operands[0])
        if node.holds and len(node.terms) == 1 and node.terms[0][0] in ("-z", "-n") and verdicts == [None]:
            return self.refinements.filled(st, node.terms[0][1][0], (node.terms[0][0] == "-n") is (node.holds == "ok"))
        exact = "nocasematch" not in st.options
        if node.holds and len(node.terms) == 1 and node.terms[0][0] in SAME and verdicts == [None] and exact:
            op, (subject, *options) = node.terms[0]
            return self.refinements.compared(st, subject, tuple(options), (op != "!=") is (node.holds == "ok"))
        if node.holds and (False in verdicts or None not in verdicts):
            truth = (False not in verdicts) is (node.holds == "ok")
            return (st, None) if truth else (None, st)
        return self.refinements.refined(st, st, numbers, node.holds)

    def _broken(self, node: syntax.Broken, _: State) -> Result:
        if self.run.lenient:
            return None, None
        self.lookup.opaque(f"the shell program cannot be read: {node.reason}", node.pos, "check it with `bash -n`")
        return None, None

    def _simple(self, node: syntax.Simple, st: State) -> Result:
        self.loops.step()
        self.run.at = node.pos
        begun = self.data_flow.begin()
        result = self.dispatch.simple(node, st)
        self.data_flow.end(begun)
        return result

    # Which method runs which command.
    _run: ClassVar[dict[type, Callable[[Any, Any, State], Result]]] = {
        syntax.AndOr: _and_or,
        syntax.ArithCommand: _arith,
        syntax.ArithFor: lambda flow, node, st: flow.loops.arith_for_loop(node, st),
        syntax.Background: _background,
        syntax.Broken: _broken,
        syntax.Case: _case,
        syntax.Coproc: _coproc,
        syntax.For: lambda flow, node, st: flow.loops.for_loop(node, st),
        syntax.Function: lambda flow, node, st: flow.calls.define(node, st),
        syntax.If: _if,
        syntax.Not: _not,
        syntax.Pipeline: _pipeline,
        syntax.Redirected: _redirected,
        syntax.Seq: _seq,
        syntax.Simple: _simple,
        syntax.Subshell: _subshell,
        syntax.Test: _test,
        syntax.While: lambda flow, node, st: flow.loops.while_loop(node, st),
    }


def _beside(st: State) -> str:
    """Where errors go while the output is followed by itself."""
    leads = st.fds.get(2, ERR)
    return ERR if leads in (OUT, EITHER) else leads


def _only_input(body: syntax.Program) -> syntax.Redirect | None:
    """The redirection of `$(< file)`."""
    node = body.items[0] if len(body.items) == 1 else None
    if not isinstance(node, syntax.Simple) or node.words or node.assigns or len(node.redirects) != 1:
        return None
    return node.redirects[0] if node.redirects[0].op == "<" else None
