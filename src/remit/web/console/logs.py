"""The logs of this machine as the console looks at them: an index of each, and what the last verification of its chain said.

A verification is begun by a person and goes on in a thread. What it found is told with the moment it is about: files that were written
to since are said to be, and a log that was found broken stays so until another verification says otherwise.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from remit.audit.files import Places
from remit.audit.timeline import Timeline
from remit.audit.verify import Whole, verify_log
from remit.core.errors import RemitError
from remit.guard.audit_key import audit_checkers
from remit.report.audit_view import verdict_lines
from remit.web.console.page import WrongPageError

if TYPE_CHECKING:
    from pathlib import Path

    from remit.web.console.settings import Settings

GUARD = "guard"
_SLICE = 0.05  # seconds of indexing at a time: whoever asks for a page waits no longer


class Source(NamedTuple):
    """A log, who writes it, and what starts that."""

    name: str
    title: str
    folder: Path
    start: str

    @property
    def there(self) -> bool:
        """Whether anything of it exists. Heads without a database are a log that is gone, not one that never was."""
        return Places(self.folder).database.exists() or Places(self.folder).heads.exists()


class Said(NamedTuple):
    """What a verification found."""

    whole: bool
    lines: tuple[str, ...]
    when: float
    number: int  # the last record then
    files: tuple[object, ...]  # their state then


class Standing(NamedTuple):
    """What is known of a log's chain now."""

    said: Said | None
    running: bool = False
    reached: int = 0  # the record that a verification has come to
    newest: int = 0
    touched: bool = False  # whether its files were written to since

    @property
    def broken(self) -> bool:
        """Whether the last verification did not find it whole."""
        return self.said is not None and not self.said.whole

    @property
    def since(self) -> int:
        """How many records were written since."""
        return max(self.newest - self.said.number, 0) if self.said else self.newest


class _Open:
    """One log that was looked at. An index belongs to one file: another file in its place is another log."""

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
            return  # whoever asks for a page is told

    def close(self) -> None:
        self.closed.set()
        self.timeline.close()


class _Verifying:
    def __init__(self) -> None:
        self.said: Said | None = None
        self.thread: threading.Thread | None = None
        self.reached = 0


class Logs:
    """All of them."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.time) -> None:
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
        """A log by its name."""
        for one in self.sources:
            if one.name == (name or GUARD):
                return one
        raise WrongPageError(404, f"there is no log `{name}`", "choose one of the list")

    def timeline(self, source: Source) -> Timeline:
        """Its index; AuditError if it is not there, or no log."""
        with self._turn:
            known = self._open.get(source.name)
            if known is not None and known.file != _inode(source.folder):
                self._open.pop(source.name).close()
                known = None
            if known is None:
                known = self._open[source.name] = _Open(source)
            return known.timeline

    def verify(self, source: Source) -> None:
        """Begin a verification, unless one is under way."""
        job = self._verifying[source.name]
        with self._turn:
            if job.thread is None or not job.thread.is_alive():
                job.reached = 0
                job.thread = threading.Thread(target=self._verify, args=(source, job), daemon=True)
                job.thread.start()

    def standing(self, source: Source) -> Standing:
        """What is known of its chain."""
        job = self._verifying[source.name]
        running = job.thread is not None and job.thread.is_alive()
        newest = self.timeline(source).head()[0]
        touched = job.said is not None and job.said.files != _files(source.folder)
        return Standing(job.said, running, job.reached, newest, touched)

    def close(self) -> None:
        """No more."""
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
            job.said = Said(isinstance(found, Whole), tuple(verdict_lines(found)), self._clock(), number, files)
        except Exception as error:  # noqa: BLE001  whatever it is, the log is not verified, and that is said
            message = error.message if isinstance(error, RemitError) else type(error).__name__
            lines = (
                f"the log cannot be verified: {message}",
                *([error.remedy] if isinstance(error, RemitError) else ()),
            )
            job.said = Said(whole=False, lines=lines, when=self._clock(), number=number, files=files)


def _inode(folder: Path) -> tuple[int, int] | None:
    try:
        state = Places(folder).database.stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino


def _files(folder: Path) -> tuple[object, ...]:
    """What changes when anybody writes to a file of the log."""
    places = Places(folder)
    return tuple(map(_state, (places.database, places.database.with_name("audit.db-wal"), places.heads)))


def _state(path: Path) -> tuple[int, ...] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns  # whoever opens the second one to read changes its other time
