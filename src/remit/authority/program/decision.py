"""The decision of a program about what a request says: evaluated alike by the gateway, and again by the executor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.authority.question.answering import members
from remit.authority.values.outputs import Outputs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.authority.program.compiled import Program
    from remit.authority.question.asking import Asked
    from remit.authority.question.layout import Layout
    from remit.authority.question.spoken import Spoken


def decision(layout: Layout, said: Spoken, asked: Asked, answered: tuple[bytes, bytes]) -> Outputs:
    """What is decided on both servers' answers; RowsForgedError if they are not rows of the lists."""
    return decided(layout.program, said, members(layout, asked, answered))


def decided(program: Program, said: Spoken, found: Mapping[tuple[str, str], bool]) -> Outputs:
    """The decision. `found`: whether what a slot says is in a list. An intent that the policy does not name is denied."""
    if said.intent < 0:
        return Outputs(*(False for _ in Outputs._fields))
    bits = [*(found[pair] for pair in program.look_ups), *said.facts]
    rules = program.rules[said.intent]

    def one_of(word: str) -> bool:
        return any(all(bits[atom] is holds for atom, holds in condition) for condition in rules.get(word, ()))

    allow = one_of("allow") and not one_of("deny")
    return Outputs(allow, *(one_of(word) for word in Outputs._fields[1:]))
