"""Which checkers are installed, where, and what exactly they are.

A checker is known by the digest of what its installer recorded about its files. That is cheap, and it is the same on every machine
that has the same wheels; that the files still are what was recorded is the machine's business.
"""

from __future__ import annotations

import sysconfig
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.core.digest import digest
from remit.core.errors import PackageError


class Identity(NamedTuple):
    """A checker: what it is called, its version, and the digest of its recorded files and those of its parts."""

    name: str
    version: str
    digest: str


class Program(NamedTuple):
    """A checker that is a program, and where it lies."""

    identity: Identity
    path: Path


class _Record(NamedTuple):
    version: str
    site: Path
    lines: tuple[tuple[str, str], ...]  # paths relative to the folder of packages, and digests


def required(name: str, *parts: str) -> Identity:
    """A checker without which nothing is judged, run as a module of Python."""
    record = _record(name)
    if record is None:
        raise PackageError(name, "prove")
    # scripts that an installer writes beside the package name a folder of the machine
    records = [record, *filter(None, map(_record, parts))]
    return _identity(name, record, [line for found in records for line in found.lines if not line[0].startswith("..")])


def installed_program(name: str) -> Program | None:
    """A checker that is a program of its own wheel, or None if it is not here."""
    record = _record(name)
    path = next((path for path, _ in record.lines if path.endswith(f"/bin/{name}")), None) if record else None
    if record is None or path is None:
        return None
    return Program(_identity(name, record, list(record.lines)), (record.site / path).resolve())


def _identity(name: str, record: _Record, files: list[tuple[str, str]]) -> Identity:
    """How far the folder of programs lies from that of packages is no part of it."""
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
