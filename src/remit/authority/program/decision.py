"""The decision of a program about what a request says: evaluated alike by the gateway, and again by the executor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from remit.authority.question.answering import members
from remit.authority.values.outputs import Outputs

if TYPE_CHECKING:
    from remit.authority.program.compiled import Line, Program
    from remit.authority.question.asking import Asked
    from remit.authority.question.layout import Layout
    from remit.authority.question.spoken import Spoken

_TOLD = 3  # lines that are named to an agent


def decision(layout: Layout, said: Spoken, asked: Asked, answered: tuple[bytes, bytes]) -> Outputs:
    """What is decided on both servers' answers; RowsForgedError if they are not rows of the lists."""
    return decided(layout.program, said, members(layout, asked, answered))


def refusal(layout: Layout, said: Spoken, asked: Asked, answered: tuple[bytes, bytes]) -> str:
    """Which line of the policy does not allow it, in words; `decision` said that it is not allowed."""
    rules = layout.program.rules[said.intent] if said.intent >= 0 else {}
    bits = _bits(layout.program, said, members(layout, asked, answered))
    for line in _holding(rules, "deny", bits):
        return f"`deny {line.text}` ({line.where}) refuses it"
    allowing = [f"`allow {line.text}` ({line.where})" for line in rules.get("allow", ())]
    if not allowing:
        return "no line of the policy allows this intent"
    return f"no line that allows it holds: {', '.join(allowing[:_TOLD])}{' …' if allowing[_TOLD:] else ''}"


def decided(program: Program, said: Spoken, found: Mapping[tuple[str, str], bool]) -> Outputs:
    """The decision. `found`: whether what a slot says is in a list. An intent that the policy does not name is denied."""
    if said.intent < 0:
        return Outputs(*(False for _ in Outputs._fields))
    bits, rules = _bits(program, said, found), program.rules[said.intent]
    allow = any(_holding(rules, "allow", bits)) and not any(_holding(rules, "deny", bits))
    return Outputs(allow, *(any(_holding(rules, word, bits)) for word in Outputs._fields[1:]))


def _bits(program: Program, said: Spoken, found: Mapping[tuple[str, str], bool]) -> list[bool]:
    return [*(found[pair] for pair in program.look_ups), *said.facts]


def _holding(rules: Mapping[str, tuple[Line, ...]], word: str, bits: list[bool]) -> Iterator[Line]:
    """The lines of a word that hold."""
    return (line for line in rules.get(word, ()) if all(bits[bit] is holds for bit, holds in line.bits))
