"""Running of operations on a store. Many run in one transaction, and none returns before all of them are committed.

Each value is read from and written to the store once for a transaction, however many operations use it.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from remit.core.errors import AuthorityError
from remit.gateway.inbound.stores.operations import (
    All,
    Begin,
    Change,
    Commit,
    Live,
    Next,
    Observed,
    Operation,
    Read,
    StoreRequest,
    Write,
)
from remit.gateway.inbound.stores.serialization import Form, key_bytes, read, written

if TYPE_CHECKING:
    from remit.gateway.inbound.monitor import Monitor
    from remit.gateway.inbound.stores.sql import SqlLink

Row: TypeAlias = "tuple[str, bytes, str, int | None, int | None, int]"  # table, key, value, due, until, time of writing
Place: TypeAlias = "tuple[str, str]"


class Group:
    """One transaction in which operations run one after the other."""

    def __init__(self, link: SqlLink, tables: Mapping[str, Form]) -> None:
        self.link, self._tables = link, tables
        self._known: dict[Place, Any] = {}
        self._rows: dict[Place, Row | None] = {}  # None: deleted

    def get(self, place: Place) -> Any:
        """Return the value of a key, or None."""
        if place not in self._known:
            text = self.link.get(*place)
            self._known[place] = None if text is None else read(text, self._tables[place[0]])
        return self._known[place]

    def keep(self, values: Mapping[Place, Any], rows: Mapping[Place, Row | None]) -> None:
        """Adopt what an operation wrote."""
        self._known.update(values)
        self._rows.update(rows)

    def first(self, table: str, now: int) -> tuple[str, Any] | None:
        """Return what is due first, or None."""
        self.flush()
        found = self.link.first(table, now)
        return None if found is None else (found[0], read(found[1], self._tables[table]))

    def all(self, table: str, *, live: bool) -> list[tuple[str, Any]]:
        """Return everything in a table; `live`: that has a due time."""
        self.flush()
        form = self._tables[table]
        return [(key, read(text, form)) for key, text in self.link.all(table, live=live)]

    def flush(self) -> None:
        """Write pending rows to the store, without committing."""
        self.write(self._rows)

    def write(self, rows: dict[Place, Row | None]) -> None:
        """Write these rows and clear them."""
        self.link.put([row for row in rows.values() if row is not None])
        self.link.drop([(table, key_bytes(key)) for (table, key), row in rows.items() if row is None])
        rows.clear()


class Attempt:
    """One operation in a group: its writes are separate until it succeeds."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self._values: dict[Place, Any] = {}
        self._rows: dict[Place, Row | None] = {}
        self._marked = False  # some of it was written to the store
        self.open = False  # it has begun and not committed

    def answer(self, asked: StoreRequest) -> Any:
        """Answer a request of the operation."""
        match asked:
            case Read(table, key):
                place = (table, key)
                return self._values[place] if place in self._values else self._group.get(place)
            case Write(table, key, value, due, until):
                self._values[table, key] = value
                row = None if value is None else (table, key_bytes(key), written(value), due, until, time.time_ns())
                self._rows[table, key] = row
            case Begin():
                self.open = True
            case Commit():
                self.open = False
            case Next(table, now):
                self._show()
                return self._group.first(table, now)
            case All(table) | Live(table):
                self._show()
                return self._group.all(table, live=isinstance(asked, Live))
        return None

    def end(self) -> None:
        """Adopt the operation's writes."""
        if self._values:
            self._group.keep(self._values, self._rows)
        if self._marked:
            self._group.link.go_on()

    def undo(self) -> None:
        """Discard the operation's writes."""
        if self._marked:
            self._group.link.back()

    def _show(self) -> None:
        """Write the operation's own rows before a query.

        Operations rarely query, so usually the store never sees attempts that fail.
        """
        if self._rows:
            self._group.flush()
            if not self._marked:
                self._group.link.mark()
            self._marked = True
            self._group.write(self._rows)


T = TypeVar("T")
_Waiting: TypeAlias = "tuple[Operation[Any], Future[Any] | asyncio.Future[Any]]"
_Told: TypeAlias = "tuple[Future[Any] | asyncio.Future[Any], Any, Exception | None]"
_MOST = 256  # operations in one transaction


class UnfinishedError(AuthorityError):
    """An operation ended without `Commit`: its writes are discarded."""


def run_together(
    link: SqlLink, tables: Mapping[str, Form], operations: Sequence[Operation[Any]], watcher: Monitor | None = None
) -> list[tuple[Any, Exception | None]]:
    """Run operations one after the other in one transaction; return their results or errors.

    A failed one writes nothing.
    """
    notes = [_Notes() if watcher is not None and watcher.wants() else None for _ in operations]
    link.begin()
    try:
        group = Group(link, tables)
        outcomes = [_run(group, one, note) for one, note in zip(operations, notes, strict=True)]
        group.flush()
        link.commit()
    except BaseException:
        with suppress(Exception):
            link.rollback()
        raise
    for (_, failed), note in zip(outcomes, notes, strict=True):
        if watcher is not None and note is not None and failed is None and note.changes:
            watcher.kept(Observed(tuple(note.changes), note.read))
    return outcomes


class _Notes:
    """Records an operation's reads and writes for the watcher."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.read: dict[tuple[str, str], Any] = {}

    def answer(self, attempt: Attempt, asked: StoreRequest) -> Any:
        """Answer a request; before a write, the old value is read."""
        if isinstance(asked, Write):
            before = attempt.answer(Read(asked.table, asked.key))
            self.changes.append(Change(asked.table, asked.key, before, asked.value, asked.until))
        answer = attempt.answer(asked)
        if isinstance(asked, Read):
            self.read.setdefault((asked.table, asked.key), answer)
        return answer


def _run(group: Group, operation: Operation[T], notes: _Notes | None) -> tuple[T | None, Exception | None]:
    attempt, answer = Attempt(group), None
    try:
        while True:
            asked = operation.send(answer)
            answer = attempt.answer(asked) if notes is None else notes.answer(attempt, asked)
    except StopIteration as end:
        if attempt.open:
            attempt.undo()
            return None, UnfinishedError("an operation of the gateway's store has no end", "report this")
        attempt.end()
        return end.value, None
    except Exception as error:  # noqa: BLE001  the caller of the operation gets the error
        attempt.undo()
        return None, error


class Store:
    """A store for many threads and event loops: its own thread runs waiting operations together."""

    def __init__(self, link: SqlLink, tables: Mapping[str, Form], watcher: Monitor | None = None) -> None:
        self._link, self._tables, self._watcher = link, tables, watcher
        self._waiting: list[_Waiting] = []
        self._wake = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="gateway-store", daemon=True)
        self._thread.start()

    def submit(self, operation: Operation[T]) -> Future[T]:
        """Run an operation; its future is done when it is committed."""
        future: Future[T] = Future()
        self._add(operation, future)
        return future

    async def kept(self, operation: Operation[T]) -> T:
        """Run an operation; returns when it is committed."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._add(operation, future)
        return await future

    def _add(self, operation: Operation[Any], future: Future[Any] | asyncio.Future[Any]) -> None:
        with self._wake:
            if self._closed:
                raise AuthorityError("the gateway's store is closed", "start the gateway again")
            self._waiting.append((operation, future))
            self._wake.notify()

    def run(self, operation: Operation[T]) -> T:
        """Run an operation and wait for it."""
        return self.submit(operation).result()

    def sweep(self, now: int) -> None:
        """Delete expired rows."""
        self.run(_sweeping(self._link, now))

    def close(self) -> None:
        """Finish waiting operations and close."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        self._thread.join()
        self._link.close()

    def _serve(self) -> None:
        while True:
            with self._wake:
                while not self._waiting and not self._closed:
                    self._wake.wait()
                taken, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
                if not taken:
                    return
            # cancelled operations are skipped; from here on they cannot be cancelled
            self._together([one for one in taken if _still_there(one[1])])

    def _together(self, taken: list[_Waiting]) -> None:
        try:
            outcomes = run_together(self._link, self._tables, [operation for operation, _ in taken], self._watcher)
        except Exception as error:  # noqa: BLE001  nothing was committed: all callers get the error
            outcomes = [(None, error)] * len(taken)
        loops: dict[asyncio.AbstractEventLoop, list[_Told]] = {}
        for (_, future), (value, failed) in zip(taken, outcomes, strict=True):
            if isinstance(future, Future):
                _tell([(future, value, failed)])
            else:
                loops.setdefault(future.get_loop(), []).append((future, value, failed))
        for loop, told in loops.items():  # once for each loop: waking one costs as much as an operation
            with suppress(RuntimeError):  # a closed loop waits for nothing
                loop.call_soon_threadsafe(_tell, told)


def _still_there(future: Future[Any] | asyncio.Future[Any]) -> bool:
    return future.set_running_or_notify_cancel() if isinstance(future, Future) else not future.cancelled()


def _tell(told: list[_Told]) -> None:
    for future, value, failed in told:
        if future.done():
            continue  # a caller on a loop may be cancelled at any time
        if failed is not None:
            future.set_exception(failed)
        else:
            future.set_result(value)


def _sweeping(link: SqlLink, now: int) -> Operation[None]:
    yield Begin()
    link.sweep(now)
    yield Commit()
