"""Fetching of a source into a readable folder: archives and repositories go into a quarantine that is removed
afterwards.

A quarantine is a new folder that only this user can open. It is removed when its context ends: after an answer, a
refusal, an interruption, or a request to end.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import stat
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from remit.core.errors import InputError, LimitError
from remit.skill.find import find_skills
from remit.skill.open_files import READ
from remit.skill.walk import shown
from remit.sources.source import Source, SourceKind
from remit.sources.unpack import ARCHIVES, Bounds, unpack

if TYPE_CHECKING:
    from types import FrameType


QUARANTINE = Bounds(entries=20_000, bytes=512 * 1024 * 1024, depth=40, ratio=100, seconds=300, strict=True)
_PIECE = 1 << 20
_ENDINGS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_OTHERWISE = "fetch or unpack it yourself, look at it, and give the folder"


class Fetched(NamedTuple):
    """A source that can be read."""

    source: Source
    root: Path  # the folder with everything that was fetched: links of a skill may lead there, and not out of it
    skills: tuple[Path, ...]  # the folders of its skills
    refused: dict[str, str]  # skills that were not read, by their path in the source, with the reason
    resolved: str = ""  # the commit of a repository, the digest of an archive; empty for a folder

    def path_of(self, skill: Path) -> str:
        """Return the path of a skill in the source, `.` if the source is the skill."""
        return Path(os.path.relpath(skill, self.root)).as_posix()

    def refusals(self) -> list[tuple[str, str]]:
        """Return the skills that were not read, by their names in reports, each with the reason."""
        return [(self.name_of(self.root / path), reason) for path, reason in self.refused.items()]

    def name_of(self, skill: Path) -> str:
        """Return the name of a skill for reports."""
        if self.source.kind is SourceKind.FOLDER:
            return skill.as_posix()
        return self.source.below(Path(os.path.relpath(skill, self.root / self.source.path)).as_posix())


@contextmanager
def fetch_source(source: Source, bounds: Bounds = QUARANTINE) -> Iterator[Fetched]:
    """Fetch a source into a folder. InputError, with the name of the source, if it is refused."""
    if source.kind is SourceKind.FOLDER:
        root = Path(source.where)
        yield Fetched(source, root, tuple(_skills(root / source.path, source)), {})
        return
    with quarantine() as folder:
        try:
            found = (
                _archive(source, folder, bounds)
                if source.kind is SourceKind.ARCHIVE
                else _repository(source, folder, bounds)
            )
        except LimitError as error:
            raise LimitError(f"`{shown(source.given)}`: {error.message}", _OTHERWISE) from None
        except InputError as error:
            raise InputError(f"`{shown(source.given)}`: {error.message}", error.remedy) from None
        yield found


@contextmanager
def quarantine() -> Iterator[Path]:
    """Make a new folder of ours, which is removed at the end in any case."""
    with _ends_in_order():
        folder = tempfile.mkdtemp(prefix="remit-quarantine-")
        try:
            yield Path(folder).resolve()
        finally:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _ends_in_order() -> Iterator[None]:
    """Turn a request to end into an exception, so that clean-up runs."""

    def end(number: int, _: FrameType | None) -> NoReturn:
        raise SystemExit(128 + number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, end) for number in _ENDINGS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _archive(source: Source, folder: Path, bounds: Bounds) -> Fetched:
    name = os.path.basename(source.where)
    ending = next(end for end in sorted(ARCHIVES, key=len, reverse=True) if name.lower().endswith(end))
    root = _root(folder, name[: -len(ending)])
    copy = folder / f"archive{ending}"
    digest = _copy(source.where, copy, bounds.bytes)
    unpack(str(copy), str(root), bounds)
    skills = _skills(root / source.path, source)
    return Fetched(source, root, tuple(skills), {}, f"sha256:{digest}")


def _repository(source: Source, folder: Path, bounds: Bounds) -> Fetched:
    from remit.sources.repository import name_of, read_repository  # noqa: PLC0415  folders and archives need no Git

    root, scratch = _root(folder, name_of(source.where)), folder / "fetched.git"
    read = read_repository(
        source.where, source.revision, str(root), str(scratch), bounds, inside=source.path, protocols=source.protocol
    )
    place = root / source.path
    found = [] if read.refused and not place.exists() else _skills(place, source, refused=bool(read.refused))
    skills = [skill for skill in found if Path(os.path.relpath(skill, root)).as_posix() not in read.refused]
    return Fetched(source, root, tuple(skills), read.refused, read.commit)


def _root(folder: Path, name: str) -> Path:
    """Return the folder for a source. It has the source's name, because a skill without a name takes that of its
    folder.
    """
    root = folder / "source" / (name if name not in ("", ".", "..") else "skill")
    root.mkdir(parents=True, mode=0o700)
    return root


def _skills(folder: Path, source: Source, *, refused: bool = False) -> list[Path]:
    where = (
        f"`{shown(source.given)}`" if source.kind is SourceKind.FOLDER else f"`{source.path}`" if source.path else "it"
    )
    if not folder.exists():
        raise InputError(f"there is no folder {where}", "look at the path")
    try:
        return find_skills(folder)
    except LimitError:
        raise
    except InputError:
        if refused:
            return []
        raise InputError(f"there is no SKILL.md in {where} or below", "give a source that holds a skill") from None


def _copy(archive: str, copy: Path, most: int) -> str:
    """Copy an archive, so that the unpacked content certainly has this digest."""
    digest = hashlib.sha256()
    try:
        handle = os.open(archive, READ)
        with os.fdopen(handle, "rb") as file, copy.open("xb") as out:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise InputError("it is not a plain file", "give an archive")
            left = most
            while piece := file.read(_PIECE):
                left -= len(piece)
                if left < 0:
                    raise LimitError(f"it has more than {most} bytes", _OTHERWISE)
                digest.update(piece)
                out.write(piece)
    except OSError as error:
        raise InputError(f"it cannot be read: {(error.strerror or 'error').lower()}", "make it readable") from None
    return digest.hexdigest()
