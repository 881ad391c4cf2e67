"""Audit logs in the console: an index of each, and the result of the last verification of its chain.

A person starts a verification, which runs in a thread. Its result is shown with its time, and with a note if files were
written since. A log found broken stays so until another verification finds otherwise.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from remit.audit.head import Places
from remit.audit.timeline import Timeline
from remit.audit.verify import IntactLog, verify_log
from remit.core.errors import RemitError
from remit.guard.audit_key import audit_checkers
from remit.report.audit_view import verdict_lines
from remit.web.console.page import WrongPageError

if TYPE_CHECKING:
    from pathlib import Path

    from remit.web.console.settings import ConsoleSettings

GUARD = "guard"
_SLICE = 0.05  # seconds of indexing at a time: the longest delay of a page


class Source(NamedTuple):
    """A log, its writer, and the command that starts the writer."""

    name: str
    title: str
    folder: Path
    start: str

    @property
    def there(self) -> bool:
        """Whether any file of the log exists.

        Heads without a database mean a deleted log, not one that never existed.
        """
        return Places(self.folder).database.exists() or Places(self.folder).heads.exists()


class LogVerification(NamedTuple):
    """The result of a verification."""

    whole: bool
    lines: tuple[str, ...]
    when: float
    number: int  # the last record at that time
    files: tuple[object, ...]  # state of the files at that time


class ChainStatus(NamedTuple):
    """The current state of a log's chain."""

    said: LogVerification | None
    running: bool = False
    reached: int = 0  # the record that a running verification has reached
    newest: int = 0
    touched: bool = False  # whether its files were written to since

    @property
    def broken(self) -> bool:
        """Whether the last verification found the chain broken."""
        return self.said is not None and not self.said.whole

    @property
    def since(self) -> int:
        """The number of records written since."""
        return max(self.newest - self.said.number, 0) if self.said else self.newest


class _Open:
    """An open log with its index. If the file is replaced, it counts as another log."""

    def __init__(self, source: Source) -> None:
        self.file = _inode(source.folder)
        self.timeline = Timeline(source.folder)
        self.closed = threading.Event()
        threading.Thread(target=self._index, daemon=True).start()

    def _index(self) -> None:
        try:
            while not self.closed.is_set() and not self.timeline.index(_SLICE):
                self.closed.wait(_SLICE)
        except RemitError:
            return  # the page reports it

    def close(self) -> None:
        self.closed.set()
        self.timeline.close()


class _Verifying:
    def __init__(self) -> None:
        self.said: LogVerification | None = None
        self.thread: threading.Thread | None = None
        self.reached = 0


class Logs:
    """All logs of this machine."""

    def __init__(self, settings: ConsoleSettings, clock: Callable[[], float] = time.time) -> None:
        self.sources = (
            Source(GUARD, "Guard", settings.state, "remit guard install HOST"),
            Source("gateway", "Gateway", settings.authority / "state" / "gateway-log", "remit up"),
            Source("executor", "Executor", settings.authority / "state" / "executor", "remit up"),
            Source("inbound", "Inbound gateway", settings.state / "inbound" / "log", "remit gateway up"),
        )
        self._clock = clock
        self._turn = threading.Lock()
        self._open: dict[str, _Open] = {}
        self._verifying = {source.name: _Verifying() for source in self.sources}

    def source(self, name: str) -> Source:
        """Return a log by name."""
        for one in self.sources:
            if one.name == (name or GUARD):
                return one
        raise WrongPageError(404, f"there is no log `{name}`", "choose one of the list")

    def timeline(self, source: Source) -> Timeline:
        """Return the log's index; AuditError if there is no readable log."""
        with self._turn:
            known = self._open.get(source.name)
            if known is not None and known.file != _inode(source.folder):
                self._open.pop(source.name).close()
                known = None
            if known is None:
                known = self._open[source.name] = _Open(source)
            return known.timeline

    def verify(self, source: Source) -> None:
        """Start a verification unless one is running."""
        job = self._verifying[source.name]
        with self._turn:
            if job.thread is None or not job.thread.is_alive():
                job.reached = 0
                job.thread = threading.Thread(target=self._verify, args=(source, job), daemon=True)
                job.thread.start()

    def standing(self, source: Source) -> ChainStatus:
        """Return the state of the log's chain."""
        job = self._verifying[source.name]
        running = job.thread is not None and job.thread.is_alive()
        newest = self.timeline(source).head()[0]
        touched = job.said is not None and job.said.files != _files(source.folder)
        return ChainStatus(job.said, running, job.reached, newest, touched)

    def close(self) -> None:
        """Close all logs."""
        with self._turn:
            for one in self._open.values():
                one.close()
            self._open.clear()

    def _verify(self, source: Source, job: _Verifying) -> None:
        def step(number: int) -> None:
            job.reached = number

        files, number = _files(source.folder), 0
        try:
            number = self.timeline(source).head()[0]
            found = verify_log(source.folder, audit_checkers(source.folder), step=step)
            job.said = LogVerification(
                isinstance(found, IntactLog), tuple(verdict_lines(found)), self._clock(), number, files
            )
        except Exception as error:  # noqa: BLE001  any error means that the log is not verified, and is shown
            message = error.message if isinstance(error, RemitError) else type(error).__name__
            lines = (
                f"the log cannot be verified: {message}",
                *([error.remedy] if isinstance(error, RemitError) else ()),
            )
            job.said = LogVerification(whole=False, lines=lines, when=self._clock(), number=number, files=files)


def _inode(folder: Path) -> tuple[int, int] | None:
    try:
        state = Places(folder).database.stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino


def _files(folder: Path) -> tuple[object, ...]:
    """Return a value that changes whenever a file of the log is written."""
    places = Places(folder)
    return tuple(map(_state, (places.database, places.database.with_name("audit.db-wal"), places.heads)))


def _state(path: Path) -> tuple[int, ...] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns  # reading the heads file changes only its access time
