"""Opening an archive that may be hostile: what lands in the folder lies in the folder, and is no more than was allowed.

(1) A name that leads elsewhere, or that two tools read differently, refuses the archive, and so does a name that comes twice.
(2) What is neither a file, a folder nor a link refuses it, and so does what another tool would find in it besides (`archives.py`).
(3) Bytes are counted as they come, not as the archive promises.
(4) Links are made when all files lie, so that nothing is written through one; whether they lead out of a skill is judged
    when the skill is read.
"""

from __future__ import annotations

import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from typing import IO, NamedTuple

from remit.core.errors import InputError, LimitError
from remit.scan.archives import REMEDY, Entry, tar_entries, zip_entries
from remit.skill.walk import shown

_PIECE = 1 << 20
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LINK_BYTES = 4096
_DEPTH = 100  # folders in each other; a skill has fewer, and more could not be removed again
_ZIPPED = (".zip", ".skill")
_BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    ValueError,
    RuntimeError,
)


class Bounds(NamedTuple):
    """How much may come out of one archive or repository."""

    entries: int = 500_000
    bytes: int = 4 * 1024 * 1024 * 1024


class Landing:
    """A folder that things of a hostile archive are put into."""

    def __init__(self, folder: str, bounds: Bounds) -> None:
        self.folder = folder
        self.bounds = bounds
        self.entries = 0
        self.left = bounds.bytes
        self._links: list[tuple[str, str, str]] = []

    def put(self, entry: Entry) -> None:
        """One entry. InputError if it is refused."""
        self.entries += 1
        if self.entries > self.bounds.entries:
            raise LimitError(f"it holds more than {self.bounds.entries} entries", "split it")
        parts = safe_parts(entry.name)
        if not parts:
            return
        if len(parts) > _DEPTH:
            raise LimitError(f"`{shown(entry.name)[:200]}` lies in more than {_DEPTH} folders", "move it up")
        path = os.path.join(self.folder, *parts)
        try:
            if entry.kind == stat.S_IFDIR:
                os.makedirs(path, mode=0o700, exist_ok=True)
                return
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            with entry.open() as file:
                if entry.kind == stat.S_IFLNK:
                    target = os.fsdecode(file.read(_LINK_BYTES))
                    self._links.append((target, path, entry.name))
                else:
                    self._write(file, path, 0o700 if entry.executable else 0o600)
        except OSError as error:
            raise _collides(entry.name, error) from None

    def close(self) -> None:
        """Make the links."""
        for target, path, name in self._links:
            try:
                os.symlink(target, path)
            except (OSError, ValueError) as error:
                raise _collides(name, error) from None

    def _write(self, file: IO[bytes], path: str, mode: int) -> None:
        with os.fdopen(os.open(path, _NEW, mode), "wb") as out:
            while piece := file.read(_PIECE):
                self.left -= len(piece)
                if self.left < 0:
                    raise LimitError(
                        f"it holds more than {self.bounds.bytes} bytes",
                        "split it, or raise the limit with `--max-archive-bytes`",
                    )
                out.write(piece)


def unpack(archive: str, folder: str, bounds: Bounds) -> None:
    """Put what an archive holds into an empty folder."""
    landing = Landing(folder, bounds)
    try:
        read = zip_entries if archive.lower().endswith(_ZIPPED) else tar_entries
        for entry in read(archive):
            landing.put(entry)
        landing.close()
    except _BROKEN as error:
        raise InputError(f"the archive cannot be read: {error}", REMEDY) from None
    except OSError as error:
        raise InputError(f"the archive cannot be read: {(error.strerror or str(error)).lower()}", REMEDY) from None


def safe_parts(name: str) -> list[str]:
    """The parts of a name that stays inside; InputError for one that does not, or that is read in two ways."""
    parts = name.removeprefix("./").removesuffix("/").split("/")
    if parts in ([""], ["."]):
        return []
    if "\\" in name or "\0" in name or any(part in ("", ".", "..") for part in parts):
        raise InputError(f"the name `{shown(name)[:200]}` leads elsewhere, or is read in two ways", REMEDY)
    return parts


def _collides(name: str, error: Exception) -> InputError:
    reason = (
        "it comes twice" if isinstance(error, FileExistsError) else str(getattr(error, "strerror", "") or error).lower()
    )
    return InputError(f"`{shown(name)[:200]}` cannot be put anywhere: {reason}", REMEDY)
