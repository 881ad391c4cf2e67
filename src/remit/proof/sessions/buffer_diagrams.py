"""Decision diagrams of the transaction buffer: its behaviour for one effect, found by running it.

The fate of an effect in a turn depends on a few truth values. `policy.buffer` is run on each combination of them, beside other effects
that wait, and its answers become decision diagrams: the same in every reading of `policy.logic`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from remit.core.table_store import stored
from remit.manifest.model import Verification
from remit.policy.buffer import Buffer, BufferedEffect, close_turn, open_turn
from remit.policy.logic import B, Logic, N, Plain
from remit.policy.session import Control, Rules, Subject, Turn

_IT, _BEFORE, _AFTER = "it", "before", "after"
Diagram: TypeAlias = "bool | tuple[int, Any, Any]"  # the number of a truth, and what is so if it holds and if not


class Truths(NamedTuple):
    """The truth values on which the result depends."""

    kept: Any  # it waits in the buffer when the turn begins
    mine: Any  # it is an effect of this turn's envelope
    admitted: Any
    works: Any
    reversible: Any
    scripted: Any
    flush_before: Any
    flush_after: Any
    undo: Any
    older: Any  # another effect waits, and is older
    newer: Any  # another effect waits, and is newer


class BufferedResult(NamedTuple):
    """The buffer's result for an effect after a turn."""

    kept: Any  # it waits in the buffer
    first: Any  # it was written to the log before the call
    written: Any  # it was written to the log in this turn
    restored: Any  # it was undone in this turn
    strayed: Any  # it was written twice, or stands at two places, or the turn broke off


def keep(logic: Logic[B, N], making: Any, truths: Truths) -> BufferedResult:
    """Return the result for an effect under the rules of this class."""
    values: Sequence[B] = tuple(truths)
    known: dict[Diagram, B] = {}

    def worth(diagram: Diagram) -> B:
        if isinstance(diagram, bool):
            return logic.true if diagram else logic.false
        found = known.get(diagram)
        if found is None:
            number, one, other = diagram
            value = values[number]
            found = logic.either(logic.both(value, worth(one)), logic.both(logic.no(value), worth(other)))
            known[diagram] = found
        return found

    return BufferedResult(*map(worth, diagrams(making)))


@cache
def diagrams(making: Any) -> tuple[Diagram, ...]:
    """Return the buffer's results under some rules, one diagram for each field of `Kept`."""
    return stored("buffer diagrams", lambda: _diagrams(Rules), tuple) if making is Rules else _diagrams(making)


def _diagrams(making: Any) -> tuple[Diagram, ...]:
    answers = _answers(making)
    return tuple(
        _diagram({truths: kept[place] for truths, kept in answers.items()}, ())
        for place in range(len(BufferedResult._fields))
    )


def _diagram(answers: Mapping[tuple[bool, ...], bool], fixed: tuple[bool, ...]) -> Diagram:
    if len(fixed) == len(Truths._fields):
        return answers[fixed]
    one, other = (_diagram(answers, (*fixed, value)) for value in (True, False))
    return one if one == other else (len(fixed), one, other)


def _answers(making: type[Rules[Any, Any]]) -> dict[tuple[bool, ...], tuple[bool, ...]]:
    class ControlledRules(making):  # type: ignore[misc,valid-type]
        """Rules with a given control."""

        fixed: Control[bool]

        def control(self, turn: Turn[bool], count: int) -> tuple[Control[bool], int]:  # noqa: ARG002
            return self.fixed, 0

    found = {}
    for control in product((True, False), repeat=len(Control._fields)):
        rules = ControlledRules(Plain(), dict.fromkeys(Verification, False))
        rules.fixed = Control(*control)
        for rest in product((True, False), repeat=len(Truths._fields) - len(control)):
            kept, mine, works, reversible, scripted, older, newer = rest
            admitted, before, after, undo = control
            truths = Truths(kept, mine, admitted, works, reversible, scripted, before, after, undo, older, newer)
            found[tuple(truths)] = tuple(_run(rules, truths))
    return found


def _run(rules: Rules[bool, int], truths: Truths) -> BufferedResult:
    """Run one turn of the buffer."""
    turn = Turn({}, {}, truths.flush_before, answer=False, before=False, undo=truths.undo, works=truths.works)
    names = ((_BEFORE, truths.older), (_IT, truths.kept), (_AFTER, truths.newer))
    buffer = Buffer(tuple(name for name, waits in names if waits), 0)
    subject = Subject(truths.mine, truths.reversible, truths.scripted)
    control, _ = rules.control(turn, 0)
    done = [BufferedEffect(_IT, truths.reversible, truths.scripted)] if rules.acts(turn, control, subject) else []
    try:
        opened = open_turn(rules, buffer, turn)
        closed = close_turn(rules, buffer, turn, opened, done)
    except AssertionError:
        return BufferedResult(kept=False, first=False, written=False, restored=False, strayed=True)
    written = [*opened.flush, *closed.record]
    kept, logged, restored = (found.count(_IT) for found in (closed.buffer.waiting, written, closed.restore))
    strayed = max(kept, logged, restored) > 1 or sum(map(bool, (kept, logged, restored))) > 1
    return BufferedResult(bool(kept), _IT in opened.flush, bool(logged), bool(restored), strayed)
