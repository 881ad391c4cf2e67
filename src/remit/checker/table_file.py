"""The file that stores tables and compiled patterns (`core/table_store.py`), beside the byte code of the package.

A process that can write there can change Remit itself, so the file is as trustworthy as the code: it is used with
`--no-cache` too. It is valid for one state of the installation and one Python. A file that is damaged, outdated, or
writable by others is ignored; if none can be written, everything is computed in each run.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import stat
import sys
from array import array
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path

from remit.checker.fingerprint import installed_state
from remit.core.table_store import STORE, PatternCode

_DIGEST = 32


def default_path() -> str:
    """Return the path of the file; nothing if Remit has no byte code of its own."""
    byte_code = __spec__.cached if __spec__ else None
    return f"{byte_code.removesuffix('.pyc')}.tables" if byte_code else ""


def byte_code_folder() -> Path | None:
    """Return the byte code folder, if this run may write there: a place for data of the installation."""
    folder = Path(default_path()).parent
    writable = default_path() and not sys.dont_write_bytecode and os.access(folder, os.W_OK)
    return folder if writable else None


def open_tables(path: str = "") -> None:
    """Load what an earlier run has stored; new tables are noted from now on."""
    if not STORE.open:
        STORE.open = True
        STORE.whole_state = partial(installed_state, whole=True)
        installed_state()  # noted from here on: an installation that changes while this runs gets none of its tables
        STORE.tables, STORE.patterns = _read(path or default_path())


def save_tables(path: str = "") -> None:
    """Save what this run has computed and the file does not have, atomically."""
    if sys.dont_write_bytecode or not (STORE.new_tables or STORE.new_patterns):
        return
    with contextlib.suppress(OSError, MemoryError):
        _write(path or default_path())


def _write(path: str) -> None:
    tables, patterns = _read(path)  # other processes may have written
    tables |= STORE.new_tables
    patterns |= dict(_codes())
    STORE.new_tables.clear()
    STORE.new_patterns.clear()
    body = marshal.dumps((tables, {key: tuple(code) for key, code in patterns.items()}))
    draft = f"{path}.{os.getpid()}.new"
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_digest(body) + body)
        os.replace(draft, path)
    except OSError:
        os.unlink(draft)
        raise


def _read(path: str) -> tuple[dict[str, bytes], dict[tuple[str | bytes, int], PatternCode]]:
    """Return the content of the file; nothing if it is not one of ours."""
    try:
        with open(path, "rb") as file:
            seen = os.fstat(file.fileno())
            data = file.read() if _is_ours(seen) else b""
    except OSError:
        return {}, {}
    body = memoryview(data)[_DIGEST:]
    if data[:_DIGEST] != _digest(body):
        return {}, {}
    tables, patterns = marshal.loads(body)  # noqa: S302
    return tables, {key: PatternCode(*code) for key, code in patterns.items()}


def _is_ours(seen: os.stat_result) -> bool:
    """Whether a file belongs to the user or to the owner of the installation, and others cannot write to it."""
    owners = {os.stat(__file__).st_uid, *([os.geteuid()] if hasattr(os, "geteuid") else [])}
    return stat.S_ISREG(seen.st_mode) and seen.st_uid in owners and not seen.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _digest(body: bytes | memoryview) -> bytes:
    found = hashlib.sha256(installed_state().encode())
    found.update(body)
    return found.digest()


def _codes() -> Iterator[tuple[tuple[str | bytes, int], PatternCode]]:
    """Return the codes of new patterns, by the functions that `re.compile` calls; none where Python has others."""
    try:
        parse = import_module("re._parser").parse
        code_of = import_module("re._compiler")._code  # noqa: SLF001
    except (ImportError, AttributeError):
        return
    for text, flags in STORE.new_patterns:
        parsed = parse(text, flags)
        code = array("I", code_of(parsed, flags))
        made = PatternCode(
            flags | parsed.state.flags, code.tobytes(), parsed.state.groups - 1, dict(parsed.state.groupdict)
        )
        yield (text, flags), made
