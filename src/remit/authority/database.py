"""A policy as it is built by its operator: tables for the two servers, and what gateway and executor know of them.

Lists stay with the operator. Servers hold rows: keyed digests of values with tags, and none of the keys. Gateway and executor hold
program, places and the key for their own tags, and no rows. All keys are drawn anew for each build.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from remit.authority.program.compiled import compile_policy
from remit.authority.question.answering import answer_digest, look_up
from remit.authority.question.asking import ask, member, nobody
from remit.authority.question.layout import EXECUTOR, GATEWAY, Layout
from remit.authority.question.spoken import normal, plain_text
from remit.authority.tables.answer import WORDS, prepare
from remit.authority.tables.cuckoo import KEY_BYTES, build
from remit.authority.tables.tags import TAG_KEY_BYTES, tags
from remit.core.digest import bytes_digest, digest
from remit.core.errors import DataError

if TYPE_CHECKING:
    from remit.authority.dpf.blocks import Words
    from remit.authority.program.compiled import Kept, Program
    from remit.authority.program.language import Policy
    from remit.authority.tables.answer import Prepared

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
    tables: dict[str, Words]  # (2**domain, 4 words)

    def prepared(self) -> dict[str, Prepared]:
        """The tables, ready to be summed."""
        return {name: prepare(rows) for name, rows in self.tables.items()}


class Probe(NamedTuple):
    """A question that says nothing of a request, with the digests of the right answers. To a server it is like any other."""

    seed: bytes
    answers: tuple[str, str]


class Built(NamedTuple):
    """All that follows from a policy."""

    holdings: Holdings
    gateway: Layout
    executor: Layout


def new_keys() -> Keys:
    """Keys for a build."""
    return Keys(*(secrets.token_bytes(size) for size in (KEY_BYTES, TAG_KEY_BYTES, TAG_KEY_BYTES)))


def build_database(policy: Policy, keys: Keys, epoch: int) -> Built:
    """Program and tables of a policy. The same policy, keys and epoch make the same tables, to the bit."""
    program = compile_policy(policy)
    plain = {
        kept.name: build(keys.table, kept.name, _values(program, kept, policy), kept.bits) for kept in program.lists
    }
    salts = {name: table.salt for name, table in plain.items()}
    known = Layout(program, program.digest(), keys.table, salts, "", epoch, GATEWAY, keys.gateway)
    tables: dict[str, Words] = {}
    for name, table in plain.items():
        rows = np.empty((1 << table.domain, WORDS), dtype=np.uint64)
        rows[:, :2] = table.rows
        for holder, key in ((GATEWAY, keys.gateway), (EXECUTOR, keys.executor)):
            rows[:, 2 + holder] = tags(key, known.bound(name), np.arange(len(rows)), table.rows)
        tables[name] = rows
    known = known._replace(database=tables_digest(tables))
    other = known._replace(holder=EXECUTOR, tag_key=keys.executor)
    return Built(Holdings(program, known.digest, known.database, epoch, tables), known, other)


def tables_digest(tables: dict[str, Words]) -> str:
    """What proofs call the tables."""
    return digest({"v": 2, "tables": {name: bytes_digest(rows.tobytes()) for name, rows in tables.items()}})


def make_probes(built: Built, count: int = _PROBES) -> tuple[Probe, ...]:
    """Questions with known answers: whoever knows the tables knows what each server must say."""
    program, tables = built.holdings.program, built.holdings.prepared()
    out = []
    for _ in range(count):
        seed = secrets.token_bytes(32)
        asked = ask(built.gateway, nobody(built.gateway), seed)
        first, second = (
            answer_digest(look_up(program, tables, server, question)) for server, question in enumerate(asked.questions)
        )
        out.append(Probe(seed, (first, second)))
    return tuple(out)


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
