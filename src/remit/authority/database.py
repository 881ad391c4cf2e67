"""Tables for the policy servers, and layouts for gateway and executor, as the operator builds them from a policy.

Lists stay with the operator. Servers hold rows (keyed digests of values, with tags) and none of the keys. Gateway and
executor hold the program, the keys for row positions and for their own tags, and no rows. Each build draws new keys.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from remit.authority.program.compiled import CompiledList, Program, compile_policy
from remit.authority.question.answers import answer_digest, look_up
from remit.authority.question.layout import EXECUTOR, GATEWAY, Layout, windows_key
from remit.authority.question.questions import ask, nobody
from remit.authority.question.slots import entries
from remit.authority.tables.batch import KEY_BYTES, Table, build
from remit.authority.tables.tags import TAG_KEY_BYTES, tags
from remit.authority.tables.windows import window_of_each
from remit.core.digest import bytes_digest, digest
from remit.core.errors import DataError
from remit.core.text_views import folded

if TYPE_CHECKING:
    from remit.authority.dpf.blocks import Words
    from remit.authority.program.language import Policy

_PROBES = 64


class Keys(NamedTuple):
    """The keys of one build."""

    table: bytes  # of places and fingerprints: gateway and executor have it
    gateway: bytes  # of the tags that the gateway checks
    executor: bytes  # of those that the executor checks


class Holdings(NamedTuple):
    """What a policy server holds: the same for both."""

    program: Program
    digest: str  # of the program
    database: str  # digest of the tables
    epoch: int
    tables: dict[str, Words]  # (words of a row, 2**bits)


class Probe(NamedTuple):
    """A question about no request, with the digests of the right answers. A server cannot tell it from any other."""

    seed: bytes
    answers: tuple[str, str]


class Built(NamedTuple):
    """Everything that a build of a policy produces."""

    holdings: Holdings
    gateway: Layout
    executor: Layout


def new_keys() -> Keys:
    """Keys for a build."""
    return Keys(*(secrets.token_bytes(size) for size in (KEY_BYTES, TAG_KEY_BYTES, TAG_KEY_BYTES)))


def build_database(policy: Policy, keys: Keys, epoch: int) -> Built:
    """Return program and tables of a policy. The same policy, keys and epoch give the same bytes."""
    program = compile_policy(policy)
    plain = {kept.name: _table(keys.table, program, kept, policy) for kept in program.lists}
    salts = {name: table.salt for name, table in plain.items()}
    known = Layout(program, program.digest(), keys.table, salts, "", epoch, GATEWAY, keys.gateway)
    tables: dict[str, Words] = {}
    for name, table in plain.items():
        numbers, contents = np.arange(1 << table.domain), np.ascontiguousarray(table.columns.T)
        for key in (keys.executor, keys.gateway):
            contents = np.column_stack((contents, tags(key, known.bound(name), numbers, contents)))
        tables[name] = np.ascontiguousarray(contents.T)
    known = known._replace(database=tables_digest(tables))
    other = known._replace(holder=EXECUTOR, tag_key=keys.executor)
    return Built(Holdings(program, known.digest, known.database, epoch, tables), known, other)


def tables_digest(tables: dict[str, Words]) -> str:
    """Return the digest of the tables that proofs name."""
    return digest({"v": 2, "tables": {name: bytes_digest(rows.tobytes()) for name, rows in tables.items()}})


def make_probes(built: Built, count: int = _PROBES) -> tuple[Probe, ...]:
    """Return questions with known answers, which a holder of the tables can compute for each server."""
    program, tables = built.holdings.program, built.holdings.tables
    out = []
    for _ in range(count):
        seed = secrets.token_bytes(32)
        asked = ask(built.gateway, nobody(built.gateway), seed)
        first, second = (
            answer_digest(look_up(program, tables, server, question)) for server, question in enumerate(asked.questions)
        )
        out.append(Probe(seed, (first, second)))
    return tuple(out)


def _table(key: bytes, program: Program, kept: CompiledList, policy: Policy) -> Table:
    """Return the table of a list, with its values in the forms used by the slots that look them up."""
    values = policy.lists[kept.name].values
    if kept.window:
        members = _windows(kept, values, windows_key(key, kept.name))
    else:
        slots = {slot for slot, name in program.look_ups if name == kept.name}
        members = [form.encode() for value in values for slot in slots for form in entries(slot, value)]
    return build(key, kept.name, members, kept.bits, kept.slots)


def _windows(kept: CompiledList, values: tuple[str, ...], order: bytes) -> list[bytes]:
    """Return the windows by which fragments are identified."""
    fragments = [folded(value).encode() for value in values]
    for value, fragment in zip(values, fragments, strict=True):
        if len(fragment) < kept.window + kept.span - 1:
            raise DataError(
                f"`{value}` in the list `{kept.name}` is shorter than its windows of {kept.window} bytes",
                "make it longer, or the windows of the list smaller",
            )
    return window_of_each(fragments, kept.window, kept.span, order)
