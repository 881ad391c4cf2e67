"""Model of the audit log (`audit/log.py`, `entry.py`, `verify.py`, `biconditional.py`): two writers, each with a call
that is admitted, acts and is recorded; processes are killed, also while they sign, the power fails; and finally an
attacker without a key changes the files.

A writer goes on from what it remembers of the end of the log, whatever the other one wrote since. A power failure leaves what was waited for.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

from remit.audit import biconditional, log, verify
from remit.audit.biconditional import ObservedChanges as Observed
from remit.audit.biconditional import Report
from remit.audit.entry import Entry, Outcome, Record, RecordKind, genesis, link, read, written
from remit.audit.head import LocalKey, SignedHead, read_head
from remit.audit.store import _TABLES
from remit.audit.verify import DamagedLog, IntactLog, Stored
from remit.models.explore.interleave import put
from remit.models.explore.model import Action, Invariant, Model, Mutant, Patch, remembering

# The log (`audit/log.py`) as a value: what its files hold goes into a database in memory, a writer goes on from what it remembers, and
# what the files hold after that is told.
NAME = "00"
KEY = LocalKey(bytes(32))
EVERY = 2  # records from one signed head to the next
# the heads beside the database are a list here
FILES = (Patch(log, "add_head", lambda _: lambda heads, line: heads.append(line)),)


class Disk(NamedTuple):
    """What the files hold."""

    records: tuple[tuple[int, bytes, bytes], ...] = ()
    inside: tuple[tuple[int, str], ...] = ()  # heads of the database
    beside: tuple[str, ...] = ()
    synced: int = 0  # so many records have reached the disk

    def stored(self) -> list[Stored]:
        """The records, as they are verified."""
        return [Stored(*row) for row in self.records]

    def heads(self) -> list[SignedHead]:
        """Those beside the database."""
        return [read_head(line) for line in self.beside]

    def read(self) -> list[Record]:
        """The records, as they are compared with the world."""
        return [Record(*read(text), hash_) for _, text, hash_ in self.records]

    def told(self) -> str:
        """For a story."""
        return f"{len(self.records)} records, {len(self.beside)} heads, {self.synced} on the disk"


class Knows(NamedTuple):
    """What a writer remembers."""

    tail: tuple[int, bytes] | None = None
    signed: int | None = None


class KilledError(Exception):
    """The process ends here."""


class _Database(sqlite3.Connection):
    dies = False  # before a head is written into it

    def execute(self, statement: str, values: Any = ()) -> sqlite3.Cursor:
        if self.dies and statement.startswith("INSERT INTO head"):
            raise KilledError
        return super().execute(statement, values)


class _File:
    """The database as a file: it stays the same one."""

    st_ino = 0

    def stat(self) -> _File:
        return self


class _Folder(NamedTuple):
    heads: list[str]
    folder: None = None
    database: _File = _File()


class _Log(log.Log):
    """A log whose files are in memory."""

    def __init__(self, disk: Disk, knows: Knows) -> None:
        store = sqlite3.connect(":memory:", isolation_level=None, factory=_Database)
        store.executescript(_TABLES)
        store.executemany("INSERT INTO record VALUES (?, ?, ?)", disk.records)
        store.executemany("INSERT INTO head VALUES (?, ?)", disk.inside)
        self.heads = list(disk.beside)
        self.synced = disk.synced
        super().__init__(cast("Any", _Folder(self.heads)), store, lambda _: KEY, EVERY)
        self.name = NAME
        self.clock = lambda: 0
        self._tail, self._signed = knows

    def _writable(self) -> sqlite3.Connection:
        return self._store

    def _alone(self, _: sqlite3.Connection) -> bool:
        """It seems so: whoever writes between this look and the writing is what the model is about."""
        return True

    def _wait_for_disk(self) -> None:
        self.synced = self._last()[0]

    def left(self) -> tuple[Disk, Knows]:
        """What its files hold, and what it remembers."""
        rows = self._store.execute("SELECT number, text, hash FROM record ORDER BY number").fetchall()
        inside = self._store.execute("SELECT number, line FROM head ORDER BY rowid").fetchall()
        disk = Disk(
            tuple((number, bytes(text), bytes(hash_)) for number, text, hash_ in rows),
            tuple(inside),
            tuple(self.heads),
            self.synced,
        )
        return disk, Knows(self._tail, self._signed)


def append(disk: Disk, knows: Knows, entries: Sequence[Entry], *, dies: bool = False) -> tuple[Disk, Knows]:
    """What is there after entries were written down; `dies`: the process ends while it signs, if it does."""
    opened = _Log(disk, knows)
    cast("_Database", opened._store).dies = dies  # noqa: SLF001  it is ours
    try:
        opened.append(*entries)
    except KilledError:
        return opened.left()[0], Knows()
    else:
        return opened.left()
    finally:
        opened.close()


_CALLS = ("c", "d")
_RIGHT, _OTHER = (f"sha256:{letter * 64}" for letter in "ab")
_CHECKERS = {KEY.keyid: KEY}


class AuditChainState(NamedTuple):
    """The files, the writers, and what really went on."""

    disk: Disk = Disk()
    knows: tuple[Knows, ...] = (Knows(), Knows())
    at: tuple[str, ...] = ("", "")  # how far each call is: ``, `admitted`, `acted`, `recorded`
    acted: tuple[str, ...] = ("", "")  # the digest of what each call did in the world
    admitted: tuple[bool, ...] = (False, False)  # the log let it through, and that was not lost
    kept: str = ""  # a signed head that somebody keeps elsewhere
    mishaps: int = 1
    rogue: bool = False  # something acted that nobody was asked about, or with another input
    changed: str = ""  # what somebody did to the files


def _entry(call: str, kind: RecordKind, outcome: Outcome) -> Entry:
    judged, ran = (_RIGHT, "") if kind is RecordKind.DECISION else ("", _RIGHT)
    return Entry(
        kind=kind, host="h", event="call", session="s", call=call, tool="t", outcome=outcome, judged=judged, ran=ran
    )


_ENTRIES = {
    (call, then): _entry(call, kind, outcome)
    for call in _CALLS
    for then, kind, outcome in (
        ("admitted", RecordKind.DECISION, Outcome.ADMIT),
        ("recorded", RecordKind.EFFECT, Outcome.EXECUTED),
    )
}
_NEXT = {"": "admitted", "acted": "recorded"}
_FORGED = written(1, 0, _entry("forged", RecordKind.DECISION, Outcome.ADMIT))


class _Writing:
    """Writers, for one exploration."""

    def __init__(self) -> None:
        self._append = remembering(lambda disk, knows, at, dies: append(disk, knows, (_ENTRIES[at],), dies=dies))

    def write(self, world: AuditChainState) -> Iterator[tuple[Any, AuditChainState]]:
        """A call is let through, or its end is recorded; a process may die while it signs."""
        for place, call in enumerate(_CALLS):
            if world.changed or world.at[place] not in _NEXT:
                continue
            then = _NEXT[world.at[place]]
            for dies in (False, True) if world.mishaps else (False,):
                disk, knows = self._append(world.disk, world.knows[place], (call, then), dies)
                if dies and knows != Knows():
                    continue  # it signed nothing
                after = world._replace(disk=disk, knows=put(world.knows, place, knows), mishaps=world.mishaps - dies)
                if then == "admitted":
                    after = after._replace(admitted=put(world.admitted, place, True))
                yield (call, then, dies), after._replace(at=put(world.at, place, "lost" if dies else then))


def _act(world: AuditChainState) -> Iterator[tuple[Any, AuditChainState]]:
    for place, call in enumerate(_CALLS):
        if not world.changed and world.at[place] == "admitted":
            yield call, world._replace(at=put(world.at, place, "acted"), acted=put(world.acted, place, _RIGHT))


def _rogue(world: AuditChainState) -> Iterator[tuple[Any, AuditChainState]]:
    """Something acts that was not let through, or with another input than was judged."""
    for place, call in enumerate(_CALLS):
        if not world.changed and not world.rogue and not world.acted[place]:
            digest = _OTHER if world.at[place] == "admitted" else _RIGHT
            then = "lost" if world.at[place] == "admitted" else world.at[place]
            yield call, world._replace(acted=put(world.acted, place, digest), at=put(world.at, place, then), rogue=True)


def _crash(world: AuditChainState) -> Iterator[tuple[Any, AuditChainState]]:
    if not world.mishaps or world.changed:
        return
    for place, call in enumerate(_CALLS):
        at = "lost" if world.at[place] in ("admitted", "acted") else world.at[place]
        yield call, world._replace(knows=put(world.knows, place, Knows()), at=put(world.at, place, at), mishaps=0)
    disk = world.disk
    left = disk._replace(
        records=disk.records[: disk.synced], inside=tuple(one for one in disk.inside if one[0] <= disk.synced)
    )
    there = {record.entry.call for record in left.read() if record.entry.kind is RecordKind.DECISION}
    yield "the power fails", world._replace(
        disk=left, knows=(Knows(), Knows()), at=tuple("lost" if at else "" for at in world.at), mishaps=0,
        admitted=tuple(call in there for call in _CALLS),
    )  # fmt: skip


def _keep(world: AuditChainState) -> Iterator[tuple[Any, AuditChainState]]:
    """Somebody writes down the newest head elsewhere."""
    if world.disk.beside and not world.changed:
        yield (), world._replace(kept=world.disk.beside[-1])


def _relinked(records: tuple[tuple[int, bytes, bytes], ...]) -> tuple[tuple[int, bytes, bytes], ...]:
    """The chain made anew by somebody without a key."""
    out, last = [], genesis(NAME)
    for number, (_, text, _) in enumerate(records, 1):
        last = link(last, text)
        out.append((number, text, last))
    return tuple(out)


def _tamper(world: AuditChainState) -> Iterator[tuple[Any, AuditChainState]]:
    """Whoever can write the files, and has no key."""
    disk = world.disk
    if world.changed or not disk.records:
        return
    last = disk.records[-1]
    signed = max((head.head.number for head in disk.heads()), default=0)
    first = ((1, _FORGED, disk.records[0][2]), *disk.records[1:])
    yield "change a record", world._replace(disk=disk._replace(records=first), changed="changed")
    yield (
        "change a record, and hash it anew",
        world._replace(disk=disk._replace(records=_relinked(first)), changed="relinked"),
    )
    if len(disk.records) > 1:
        yield "take out the first", world._replace(disk=disk._replace(records=disk.records[1:]), changed="taken out")
        swapped = (disk.records[1], disk.records[0], *disk.records[2:])
        yield "change the order", world._replace(disk=disk._replace(records=swapped), changed="swapped")
    if last[0] <= signed:
        yield "cut off what was signed", world._replace(disk=disk._replace(records=disk.records[:-1]), changed="cut")
    if world.kept:
        yield "put an older copy in place", world._replace(disk=Disk(), changed="older")
    forged = tuple(line.replace(KEY.keyid[:8], "00000000") for line in disk.beside)
    yield "sign with another key", world._replace(disk=disk._replace(beside=forged), changed="signed")


def _actions() -> tuple[Action, ...]:
    writing = _Writing()
    return (
        Action("write", writing.write), Action("act", _act), Action("act unasked", _rogue), Action("crash", _crash),
        Action("keep a head elsewhere", _keep), Action("change the files", _tamper),
    )  # fmt: skip


def _verified(world: AuditChainState) -> IntactLog | DamagedLog:
    kept = (read_head(world.kept),) if world.kept else ()
    return verify.check(NAME, world.disk.stored(), world.disk.heads(), _CHECKERS, kept)


def _there(world: AuditChainState) -> bool:
    """Every record that a writer was told of stands there once."""
    found = [(record.entry.call, record.entry.kind) for record in world.disk.read()]
    wanted = [
        (call, RecordKind.DECISION)
        for call, at in zip(_CALLS, world.at, strict=True)
        if at in ("admitted", "acted", "recorded")
    ]
    wanted += [(call, RecordKind.EFFECT) for call, at in zip(_CALLS, world.at, strict=True) if at == "recorded"]
    return all(found.count(one) == 1 for one in wanted)


def _compared(world: AuditChainState) -> bool:
    """Whether what happened is what was admitted, by the log and by what a host reports."""
    reports = tuple(Report("s", call, digest) for call, digest in zip(_CALLS, world.acted, strict=True) if digest)
    return biconditional.compare(world.disk.read(), Observed(reports=reports)).holds


def _right(world: AuditChainState) -> bool:
    """Whether it is, as far as this model knows what really went on."""
    return all(not did or (did == _RIGHT and let) for did, let in zip(world.acted, world.admitted, strict=True))


def _honest(world: AuditChainState) -> bool:
    return bool(world.disk.records) and not world.changed


_INVARIANTS = (
    Invariant("honest-is-whole", "a log that only honest writers wrote verifies, also after crashes and with concurrent writers", _honest,
              lambda world: isinstance(_verified(world), IntactLog)),
    Invariant("told-is-kept", "a record whose writing was confirmed is in the log, once", lambda world: _honest(world) and any(world.at), _there),
    Invariant("changes-are-found", "changing, removing, swapping or cutting off records, or signing without the key, is detected",
              lambda world: bool(world.changed), lambda world: isinstance(_verified(world), DamagedLog)),
    Invariant("what-was-kept-is-held-against", "a head that was kept elsewhere detects that an older copy was restored",
              lambda world: world.changed == "older", lambda world: isinstance(_verified(world), DamagedLog)),
    Invariant("done-iff-admitted", "records and workspace agree if and only if every effect was admitted with the input that was judged",
              lambda world: _honest(world) and any(world.acted), lambda world: _compared(world) == _right(world)),
)  # fmt: skip


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("hashes each record by itself", "honest-is-whole", Patch(log, "link", lambda real: lambda _, text: real(b"", text))),
        Mutant("does not look whether it was written", "told-is-kept", Patch(log, "add_at_once", lambda _: lambda *_: True)),
        Mutant("takes hashes as they stand there", "changes-are-found", Patch(verify, "_links",
            lambda _: lambda stored, _: ((item.number, item.hash) for item in stored))),
        Mutant("takes any signature", "changes-are-found", Patch(verify, "_heads_fault", lambda _: lambda *_: None)),
        Mutant("looks at no head from elsewhere", "what-was-kept-is-held-against", Patch(verify, "check",
            lambda real: lambda name, stored, heads, checkers, _=(): real(name, stored, heads, checkers))),
        Mutant("believes the host", "done-iff-admitted", Patch(biconditional, "_report", lambda _: lambda *_: [])),
    )  # fmt: skip
    return Model(
        "audit-chain", "the log contains what was written, whichever processes write and crash; a change without the key is detected; every effect was admitted",
        (AuditChainState(),), _actions, _INVARIANTS, lambda world: bool(world.changed), mutants, constants=FILES,
    )  # fmt: skip
