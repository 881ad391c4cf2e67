"""Results of scans in a database of their own, for as long as one report takes.

The files are read by Arrow and handed over as they are: no name of a file is ever part of a query, and DuckDB itself may open
nothing but its own temporary folder. What outgrows the memory it is given goes there.
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
    """The text of a question. Values come in as parameters only."""
    return (_FOLDER / f"{name}.sql").read_text("utf-8")


def names() -> list[str]:
    """All questions that there are."""
    return sorted(path.stem for path in _FOLDER.glob("*.sql"))


Answer: TypeAlias = dict[str, Any]

_RESCAN = "give files that `remit scan --out` wrote"
_PART = 10_000  # rows that are fetched at a time
_BEFORE = "before"  # the schema of the scan that is compared with


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
        """Take in the results that the report is about."""
        self._take_in(files)
        self.do("stage_combination")
        self.do("stage_combined")

    def load_before(self, files: Sequence[Path]) -> None:
        """Take in the results of the scan before."""
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
        except duckdb.InvalidInputException as error:  # what Arrow says of a page that it cannot read
            raise InputError(f"the results cannot be read: {error}", _RESCAN) from None
        finally:
            self._open.unregister("rows")
        self.do("stage_skill")
        for found in self.ask("twice"):
            message = f"`{found['location']}` occurs in the results more than once"
            raise InputError(message, "give each scan once; compare two with --against")

    def do(self, name: str, **values: Any) -> None:
        """Make a table."""
        self._run(name, values)

    def ask(self, name: str, **values: Any) -> list[Answer]:
        """The rows that answer a question, by the names of their columns."""
        found = self._run(name, values)
        columns = [column[0] for column in found.description]
        return [dict(zip(columns, map(_frozen, row), strict=True)) for row in found.fetchall()]

    def each(self, name: str, **values: Any) -> Iterator[tuple[Any, ...]]:
        """The same for answers of many rows: bare, and a part at a time."""
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
    """A file that is not a table of a scan: Arrow would read a column that is missing as if nothing stood in it."""
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
            raise InputError(f"the column `{field.name}` of `{path}` is not what a scan writes", _RESCAN)
