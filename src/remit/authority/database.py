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
    from remit.authority.program.compiled import Program
    from remit.authority.program.language import List, Policy
    from remit.authority.tables.cuckoo import Table


class Database(NamedTuple):
    """What a policy server holds."""

    layout: Layout
    tables: dict[str, Table]


def build_database(policy: Policy, key: bytes, epoch: int) -> Database:
    """Program and tables of a policy. Who has the same policy, key and epoch has the same database, to the bit."""
    program = compile_policy(policy)
    tables = {
        kept.name: build(key, kept.name, _values(program, policy.lists[kept.name]), kept.bits) for kept in program.lists
    }
    told = {name: [table.salt, table.domain, bytes_digest(table.rows.tobytes())] for name, table in tables.items()}
    salts = {name: table.salt for name, table in tables.items()}
    return Database(Layout(program, program.digest(), key, salts, digest({"v": 1, "tables": told}), epoch), tables)


def _values(program: Program, one: List) -> set[bytes]:
    """The values in the form in which the slots that look them up say them."""
    slots = {slot for slot, name in program.look_ups if name == one.name}
    out = set()
    for value in one.values:
        for form in {plain_text(value) if one.window else normal(slot, value) for slot in slots}:
            data = member(form)
            if one.window and len(data) <= one.window:
                raise DataError(
                    f"`{value}` in the list `{one.name}` is shorter than its windows of {one.window} bytes",
                    "make it longer, or the windows of the list smaller",
                )
            if form:
                out.add(data[: one.window + 1] if one.window else data)
    return out
