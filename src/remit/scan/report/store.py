"""A temporary database with the results of scans, for one report.

Arrow reads the files and hands the data over: no file name is ever part of a query, and DuckDB itself may open nothing
but its own temporary folder. Data that exceeds its memory goes there.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from remit.core.errors import InputError, LimitError, UsageError
from remit.scan.rows import schema

if TYPE_CHECKING:
    import pyarrow.dataset as ds


_FOLDER = Path(__file__).with_name("sql")


@cache
def query(name: str) -> str:
    """Return the text of a query. Values are only passed as parameters."""
    return (_FOLDER / f"{name}.sql").read_text("utf-8")


def names() -> list[str]:
    """Return the names of all queries."""
    return sorted(path.stem for path in _FOLDER.glob("*.sql"))


Answer: TypeAlias = dict[str, Any]

_RESCAN = "give files that `remit scan --out` wrote"
_PART = 10_000  # rows that are fetched at a time
_BEFORE = "before"  # the table of the scan to compare with


class Store:
    """The database of one report; a context, because its folder is removed at the end."""

    def __init__(self, memory: int) -> None:
        import duckdb  # noqa: PLC0415  an extra, and slow to import

        self._folder = tempfile.TemporaryDirectory(prefix="remit-scan-report-")
        self._open = duckdb.connect(
            str(Path(self._folder.name) / "report.duckdb"),
            config={
                "enable_external_access": "false",
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
                "python_enable_replacements": "false",
                "memory_limit": f"{memory}MB",
            },
        )
        self._open.execute("SET lock_configuration = true")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()
        self._folder.cleanup()

    def load(self, files: Sequence[Path]) -> None:
        """Load the results that the report is about."""
        self._take_in(files)
        self.do("stage_combination")
        self.do("stage_combined")

    def load_before(self, files: Sequence[Path]) -> None:
        """Load the results of the earlier scan."""
        self._open.execute(f"CREATE SCHEMA {_BEFORE}")
        self._open.execute(f"USE {_BEFORE}")
        try:
            self._take_in(files)
        finally:
            self._open.execute("USE main")

    def _take_in(self, files: Sequence[Path]) -> None:
        import duckdb  # noqa: PLC0415

        self._open.register("rows", _dataset(files))
        try:
            self.do("stage_scanned")
        except duckdb.InvalidInputException as error:  # Arrow's message about an unreadable page
            raise InputError(f"the results cannot be read: {error}", _RESCAN) from None
        finally:
            self._open.unregister("rows")
        self.do("stage_skill")
        for found in self.ask("twice"):
            message = f"`{found['location']}` occurs in the results more than once"
            raise InputError(message, "give each scan once; compare two with --against")

    def do(self, name: str, **values: Any) -> None:
        """Create a table."""
        self._run(name, values)

    def ask(self, name: str, **values: Any) -> list[Answer]:
        """Return the rows of a query, by column name."""
        found = self._run(name, values)
        columns = [column[0] for column in found.description]
        return [dict(zip(columns, map(_frozen, row), strict=True)) for row in found.fetchall()]

    def each(self, name: str, **values: Any) -> Iterator[tuple[Any, ...]]:
        """Return the same for large results: unnamed, and in parts."""
        found = self._run(name, values)
        while rows := found.fetchmany(_PART):
            yield from rows

    def _run(self, name: str, values: dict[str, Any]) -> Any:
        import duckdb  # noqa: PLC0415

        try:
            return self._open.execute(query(name), values or None)
        except duckdb.OutOfMemoryException:
            message = "the report needs more memory, or more room for temporary files, than there is"
            raise LimitError(message, "give more with --max-memory, or a larger folder with TMPDIR") from None


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _dataset(files: Sequence[Path]) -> ds.Dataset:
    import pyarrow.dataset as ds  # noqa: PLC0415

    for path in files:
        _refuse_others(path)
    return ds.dataset([str(path) for path in files], format="parquet", schema=schema())


def _refuse_others(path: Path) -> None:
    """Refuse a file that is not a table of a scan: Arrow would read a missing column as empty."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    if not path.is_file():
        raise UsageError(f"`{path}` is not a file", _RESCAN)
    try:
        found = pq.read_schema(path)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"`{path}` cannot be read as Parquet: {error}", _RESCAN) from None
    for field in schema():
        if field.name not in found.names:
            raise InputError(f"`{path}` has no column `{field.name}`", _RESCAN)
        if not found.field(field.name).type.equals(field.type):
            raise InputError(f"the column `{field.name}` of `{path}` is not of the type that a scan writes", _RESCAN)
