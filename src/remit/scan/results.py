"""The file of results, and the folder beside it with parts of an unfinished scan, each written atomically.

While a scan runs, `results.parquet.parts/` lies beside `results.parquet`: `scan.json` describes the scan, each
`part-*.parquet` holds some rows, ordered by location. The parts are the journal: rows in a part are done, all others
are not. The file itself is written anew, and replaces an older one atomically; then the parts are removed.
"""

from __future__ import annotations

import fcntl
import heapq
import json
import os
import shutil
import time
from collections import Counter
from collections.abc import Callable, Container, Iterator
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any, Self

from remit.core.errors import InputError, UsageError
from remit.scan.rows import ScanRow, schema, table

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    import pyarrow as pa


SUFFIX = ".parts"
_MOST_ROWS = 5000  # of a part
_LEAST_SECONDS = 5.0  # seconds between two parts
_SHARE = 0.01  # of the time so far may be lost, so that there are hundreds of parts and not tens of thousands
_BATCH = 256  # rows of a part that are held while parts are merged
_GROUP = 4096  # rows of a group of the file


class Results:
    """Rows on their way to a file. A lock excludes a second scan."""

    def __init__(self, out: Path, claim: dict[str, Any], *, fresh: bool = False) -> None:
        """`claim` says what makes rows comparable: parts under another claim are not resumed, and none if `fresh`."""
        self.out = out
        self.folder = out.with_name(out.name + SUFFIX)
        self.staging = self.folder / "staging"
        self.done: set[str] = set()
        self.begun_anew = False
        self._claim = claim
        self._fresh = fresh
        self._held: list[ScanRow] = []
        self._parts = 0
        self._start = self._last = time.monotonic()
        self._lock: int | None = None

    def __enter__(self) -> Self:
        """Lock the folder, and read what is done."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            reason = (error.strerror or "error").lower()
            raise UsageError(
                f"`{self.folder}` cannot be written: {reason}", "name a file elsewhere with `--out`"
            ) from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(
                f"another scan writes `{self.out}`", "wait for it, or name another file with `--out`"
            ) from None
        self._take_up()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write pending rows, in any case: the next run resumes from there."""
        try:
            self.flush()
        finally:
            if self._lock is not None:
                os.close(self._lock)

    def add(self, row: ScanRow) -> None:
        """Add a row. It is on the disk after some seconds."""
        if row.location in self.done:
            raise InputError(f"two skills are at `{row.location}`", "this is a fault of ours; report it")
        self.done.add(row.location)
        self._held.append(row)
        now = time.monotonic()
        if len(self._held) >= _MOST_ROWS or now - self._last > max(_LEAST_SECONDS, (now - self._start) * _SHARE):
            self.flush()

    def flush(self) -> None:
        """Write a part with pending rows."""
        self._last = time.monotonic()
        if not self._held:
            return
        import pyarrow.parquet as pq  # noqa: PLC0415  an extra, and slow to import

        self._parts += 1
        draft = self.folder / f"part-{self._parts:06}.new"
        pq.write_table(table(sorted(self._held)), draft, compression="zstd")
        _replace(draft, draft.with_suffix(".parquet"))
        self._held.clear()

    def finish(self, wanted: Container[str], each: Callable[[pa.Table], None]) -> None:
        """Merge all parts into one file, ordered by location, and remove them. Rows that are no longer requested are
        left out.
        """
        import pyarrow.parquet as pq  # noqa: PLC0415

        self.flush()
        draft = self.out.with_name(f"{self.out.name}.new")
        with pq.ParquetWriter(draft, schema(), compression="zstd") as writer:
            for group in merged(self._files(), wanted):
                writer.write_table(group)
                each(group)
        _replace(draft, self.out)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _take_up(self) -> None:
        import pyarrow.parquet as pq  # noqa: PLC0415

        shutil.rmtree(self.staging, ignore_errors=True)
        for draft in self.folder.glob("*.new"):
            draft.unlink()
        note = self.folder / "scan.json"
        if self._fresh or not _says(note, self._claim):
            self.begun_anew = bool(self._files()) and not self._fresh
            for part in self._files():
                part.unlink()
            draft = note.with_suffix(".new")
            draft.write_text(json.dumps(self._claim, indent=1), encoding="utf-8")
            _replace(draft, note)
        for part in self._files():
            self._parts = max(self._parts, int(part.stem.partition("-")[2]))
            self.done.update(pq.read_table(part, columns=["location"], use_threads=False).column(0).to_pylist())

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob("part-*.parquet"))


class _Cursor:
    """A part that is read from its beginning, a few rows at a time."""

    def __init__(self, path: Path) -> None:
        import pyarrow.parquet as pq  # noqa: PLC0415

        self.locations: list[str] = pq.read_table(path, columns=["location"], use_threads=False).column(0).to_pylist()
        self._batches = pq.ParquetFile(path).iter_batches(batch_size=_BATCH, use_threads=False)
        self._rest: list[Any] = []

    def take(self, count: int) -> list[Any]:
        """Return the next rows, as batches."""
        out: list[Any] = []
        while count:
            if not self._rest:
                self._rest.append(next(self._batches))
            batch = self._rest.pop()
            out.append(batch.slice(0, count))
            if batch.num_rows > count:
                self._rest.append(batch.slice(count))
            count -= out[-1].num_rows
        return out


def merged(parts: list[Path], wanted: Container[str]) -> Iterator[pa.Table]:
    """Merge the rows of ordered parts, some thousands at a time; memory use is little more than that."""
    import pyarrow as pa  # noqa: PLC0415

    cursors = [_Cursor(part) for part in parts]
    order = heapq.merge(*(zip(cursor.locations, repeat(number)) for number, cursor in enumerate(cursors)))
    while ahead := list(islice(order, _GROUP)):
        batches: list[Any] = []
        where: dict[int, int] = {}
        total = 0
        for number, needed in sorted(Counter(number for _, number in ahead).items()):
            where[number] = total
            batches += cursors[number].take(needed)
            total += needed
        positions: list[int] = []
        for name, number in ahead:
            if name in wanted:
                positions.append(where[number])
            where[number] += 1
        yield pa.Table.from_batches(batches, schema=schema()).take(pa.array(positions, pa.int64())).combine_chunks()


def _says(note: Path, claim: dict[str, Any]) -> bool:
    try:
        return bool(json.loads(note.read_text(encoding="utf-8")) == claim)
    except (OSError, ValueError):
        return False


def _replace(draft: Path, path: Path) -> None:
    """Rename a flushed file atomically."""
    with draft.open("rb+") as file:
        os.fsync(file.fileno())
    draft.replace(path)
