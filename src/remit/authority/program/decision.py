"""Evaluation of a program on a request, which gateway and executor each do for themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from remit.authority.question.answers import members
from remit.authority.values.outputs import Outputs

if TYPE_CHECKING:
    from remit.authority.program.compiled import CompiledCondition, Program
    from remit.authority.question.layout import Layout
    from remit.authority.question.questions import QuestionPair
    from remit.authority.question.slots import Spoken

_TOLD = 3  # lines that are shown to an agent


def decision(layout: Layout, said: Spoken, asked: QuestionPair, answered: tuple[bytes, bytes]) -> Outputs:
    """Decide a request from both servers' answers; RowsForgedError if the answers are not rows of the lists."""
    return decided(layout.program, said, members(layout, asked, answered))


def refusal(layout: Layout, said: Spoken, asked: QuestionPair, answered: tuple[bytes, bytes]) -> str:
    """Explain which line of the policy does not allow a request that `decision` did not allow."""
    rules = layout.program.rules[said.intent] if said.intent >= 0 else {}
    bits = _bits(layout.program, said, members(layout, asked, answered))
    for line in _holding(rules, "deny", bits):
        return f"`deny {line.text}` ({line.where}) refuses it"
    allowing = [f"`allow {line.text}` ({line.where})" for line in rules.get("allow", ())]
    if not allowing:
        return "no line of the policy allows this intent"
    return f"no line that allows it holds: {', '.join(allowing[:_TOLD])}{' …' if allowing[_TOLD:] else ''}"


def decided(program: Program, said: Spoken, found: Mapping[tuple[str, str], bool]) -> Outputs:
    """Decide a request. `found`: whether the value of a slot is in a list. An intent that the policy does not name is
    denied.
    """
    if said.intent < 0:
        return Outputs(*(False for _ in Outputs._fields))
    bits, rules = _bits(program, said, found), program.rules[said.intent]
    allow = any(_holding(rules, "allow", bits)) and not any(_holding(rules, "deny", bits))
    return Outputs(allow, *(any(_holding(rules, word, bits)) for word in Outputs._fields[1:]))


def _bits(program: Program, said: Spoken, found: Mapping[tuple[str, str], bool]) -> list[bool]:
    return [*(found[pair] for pair in program.look_ups), *said.facts]


def _holding(
    rules: Mapping[str, tuple[CompiledCondition, ...]], word: str, bits: list[bool]
) -> Iterator[CompiledCondition]:
    """Yield the lines of a word that hold."""
    return (line for line in rules.get(word, ()) if all(bits[bit] is holds for bit, holds in line.bits))
