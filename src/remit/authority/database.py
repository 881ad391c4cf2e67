"""The lists of a policy as tables, and what everyone else knows of them: sizes, salts and one digest."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.authority.program.compiled import compile_policy
from remit.authority.question.asking import member
from remit.authority.question.layout import Layout
from remit.authority.question.spoken import normal, plain_text
from remit.authority.tables.cuckoo import build
from remit.core.digest import bytes_digest, digest
from remit.core.errors import DataError

if TYPE_CHECKING:
    from remit.authority.program.compiled import Kept, Program
    from remit.authority.program.language import Policy
    from remit.authority.tables.cuckoo import Table


class Database(NamedTuple):
    """What a policy server holds."""

    layout: Layout
    tables: dict[str, Table]


def build_database(policy: Policy, key: bytes, epoch: int) -> Database:
    """Program and tables of a policy. Who has the same policy, key and epoch has the same database, to the bit."""
    program = compile_policy(policy)
    tables = {kept.name: build(key, kept.name, _values(program, kept, policy), kept.bits) for kept in program.lists}
    told = {name: [table.salt, table.domain, bytes_digest(table.rows.tobytes())] for name, table in tables.items()}
    salts = {name: table.salt for name, table in tables.items()}
    return Database(Layout(program, program.digest(), key, salts, digest({"v": 1, "tables": told}), epoch), tables)


def _values(program: Program, kept: Kept, policy: Policy) -> set[bytes]:
    """The values in the form in which the slots that look them up say them."""
    values = policy.lists[kept.name].values
    if kept.window:
        return {window for value in values for window in _windows(kept, value)}
    slots = {slot for slot, name in program.look_ups if name == kept.name}
    return {member(form) for value in values for slot in slots if (form := normal(slot, value))}


def _windows(kept: Kept, value: str) -> list[bytes]:
    """The windows by which a fragment is known: the first ones, of which any that is looked up is found."""
    text = plain_text(value).encode()
    if len(text) < kept.window + kept.step - 1:
        raise DataError(
            f"`{value}` in the list `{kept.name}` is shorter than its windows of {kept.window} bytes",
            "make it longer, or the windows of the list smaller",
        )
    return [member(text[at : at + kept.window]) for at in range(kept.step)]
