"""The installed checkers: their location and identity.

A checker is identified by the digest of what its installer recorded about its files. That is cheap, and the same on every machine
with the same wheels. It assumes that the files were not changed since.
"""

from __future__ import annotations

import sysconfig
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.core.digest import digest
from remit.core.errors import PackageError


class Identity(NamedTuple):
    """The identity of a checker: name, version, and the digest of its recorded files and those of its parts."""

    name: str
    version: str
    digest: str


class Program(NamedTuple):
    """A checker that is a program, and its path."""

    identity: Identity
    path: Path


class _Record(NamedTuple):
    version: str
    site: Path
    lines: tuple[tuple[str, str], ...]  # paths relative to the folder of packages, and digests


def required(name: str, *parts: str) -> Identity:
    """Return a checker that is required, and runs as a Python module."""
    record = _record(name)
    if record is None:
        raise PackageError(name, "prove")
    # scripts that an installer writes beside the package name a folder of the machine
    records = [record, *filter(None, map(_record, parts))]
    return _identity(name, record, [line for found in records for line in found.lines if not line[0].startswith("..")])


def installed_program(name: str) -> Program | None:
    """Return a checker that is a program of its own wheel, or None if it is not installed."""
    record = _record(name)
    path = next((path for path, _ in record.lines if path.endswith(f"/bin/{name}")), None) if record else None
    if record is None or path is None:
        return None
    return Program(_identity(name, record, list(record.lines)), (record.site / path).resolve())


def _identity(name: str, record: _Record, files: list[tuple[str, str]]) -> Identity:
    """Return the identity, which does not depend on the relative path from packages to programs."""
    return Identity(name, record.version, digest(sorted([path.lstrip("./"), value] for path, value in files)))


@cache
def _record(name: str) -> _Record | None:
    for site in dict.fromkeys((sysconfig.get_path("platlib"), sysconfig.get_path("purelib"))):
        for folder in sorted(Path(site).glob(f"{name}-*.dist-info")):
            text = _text_of(folder / "RECORD")
            if text is not None:
                version = folder.name.removeprefix(f"{name}-").removesuffix(".dist-info")
                return _Record(version, Path(site), tuple(_files(text)))
    return None


def _text_of(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _files(record: str) -> list[tuple[str, str]]:
    rows = (line.rsplit(",", 2) for line in record.splitlines())
    return [(row[0], row[1]) for row in rows if len(row) == 3 and row[1] and ".dist-info/" not in row[0]]
