"""The files that a policy build writes: tables for the servers, and a layout each for gateway and executor.

    tables             one line of JSON, and then the rows of each table
    gateway.layout     JSON: program, keys of places and of the gateway's tags, the binding key, and probes
    executor.layout    JSON: the same with the executor's tag key, and no probes

None of them holds a list. Files that do not match are refused when they are read.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import numpy as np

from remit.authority.database import Holdings, Probe, tables_digest
from remit.authority.program.compiled import read_program
from remit.authority.question.layout import EXECUTOR, GATEWAY, Layout
from remit.authority.values.opening import BindingKey
from remit.core.errors import AuthorityError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

FORM = 3  # of tables and layouts: what has another one is built again
_HEAD = b"remit tables %d " % FORM
_AGAIN = "build the policy again: `remit up` or `remit deploy` does"


class DeliveredPolicy(NamedTuple):
    """A policy as a gateway or an executor gets it."""

    layout: Layout
    binding: BindingKey
    probes: tuple[Probe, ...] = ()

    @property
    def epoch(self) -> int:
        """The epoch of the policy."""
        return self.layout.epoch


class _Numbered(Protocol):
    @property
    def epoch(self) -> int: ...


_N = TypeVar("_N", bound=_Numbered)


def newer(read: Callable[[], _N], known: _Numbered) -> _N | None:
    """Return what `read` gives if its epoch is later than the known one, else None: an epoch never goes back."""
    found = read()
    return found if found.epoch > known.epoch else None


def write_tables(held: Holdings) -> bytes:
    """Return the tables file, which is the same for both policy servers."""
    head = {"program": held.program.to_json(), "database": held.database, "epoch": held.epoch}
    return b"\n".join((_HEAD + json.dumps(head).encode(), b"".join(rows.tobytes() for rows in held.tables.values())))


def read_tables(path: Path) -> Holdings:
    """Read a tables file; UsageError if the tables do not match its head."""
    data = _read(path)
    line, rest = data[: data.find(b"\n")], memoryview(data)[data.find(b"\n") + 1 :]
    try:
        head = json.loads(line.removeprefix(_HEAD))
        program = read_program(head["program"])
        tables = {}
        for kept in program.lists:
            size = (8 * kept.words) << kept.bits
            tables[kept.name] = np.frombuffer(rest[:size], dtype="<u8").reshape(kept.words, 1 << kept.bits)
            rest = rest[size:]
        held = Holdings(program, program.digest(), str(head["database"]), int(head["epoch"]), tables)
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"`{path}` does not hold tables: {type(error).__name__}", _AGAIN) from None
    if rest or not line.startswith(_HEAD) or tables_digest(tables) != held.database:
        raise UsageError(f"the tables in `{path}` are not those that were built", _AGAIN)
    return held


def write_layout(layout: Layout, binding: bytes, probes: tuple[Probe, ...] = ()) -> bytes:
    """Return the layout file for the gateway or the executor."""
    told = {
        "v": FORM, "program": layout.program.to_json(), "salts": layout.salts, "database": layout.database, "epoch": layout.epoch,
        "holder": layout.holder, "table_key": layout.table_key.hex(), "tag_key": layout.tag_key.hex(), "binding_key": binding.hex(),
        "probes": [[probe.seed.hex(), *probe.answers] for probe in probes],
    }  # fmt: skip
    return json.dumps(told).encode() + b"\n"


def read_layout(path: Path, holder: int) -> DeliveredPolicy:
    """Read a layout file; UsageError if it is malformed or for another party."""
    try:
        given = _given(json.loads(_read(path)))
    except (ValueError, KeyError, TypeError, AuthorityError, RecursionError):
        given = None
    if given is None or given.layout.holder != holder:
        whose = {GATEWAY: "gateway", EXECUTOR: "executor"}[holder]
        raise UsageError(f"`{path}` is not the layout of the {whose}", _AGAIN)
    return given


def _given(told: dict[str, Any]) -> DeliveredPolicy | None:
    program = read_program(told["program"])
    table_key, tag_key, binding = (bytes.fromhex(told[name]) for name in ("table_key", "tag_key", "binding_key"))
    salts = {str(name): int(salt) for name, salt in told["salts"].items()}
    if told["v"] != FORM or set(salts) != {kept.name for kept in program.lists}:
        return None
    rest = str(told["database"]), int(told["epoch"]), int(told["holder"])
    probes = tuple(Probe(bytes.fromhex(seed), (first, second)) for seed, first, second in told["probes"])
    return DeliveredPolicy(
        Layout(program, program.digest(), table_key, salts, *rest, tag_key), BindingKey(binding), probes
    )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"`{path}` cannot be read: {(error.strerror or 'error').lower()}", _AGAIN) from None
