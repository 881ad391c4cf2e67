"""Unpacking of an archive that may be hostile: everything stays inside the folder, and within limits.

(1) A name that leads elsewhere, or that two tools read differently, refuses the archive, and so does a duplicate name.
(2) Anything but a file, a folder or a link refuses it, and so does anything else that another tool would find in it (`archives.py`).
(3) Bytes are counted as they come, not as the archive declares.
(4) Links are made after all files, so that nothing is written through one. With strict bounds a link that leads out of the folder
    refuses the archive; without them, whether a link leads out of a skill is judged when the skill is read.
"""

from __future__ import annotations

import lzma
import os
import stat
import tarfile
import time
import zipfile
import zlib
from typing import IO, NamedTuple

from remit.core.errors import InputError, LimitError
from remit.skill.open_files import NEW, NO_FOLLOW
from remit.skill.walk import shown
from remit.sources.archives import REMEDY, Entry, tar_entries, zip_entries
from remit.sources.names import Names

ARCHIVES = (".zip", ".skill", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_PIECE = 1 << 20
_NEW = NEW | NO_FOLLOW
_LINK_BYTES = 4096
_ANY_RATIO = 16 * 1024 * 1024  # bytes that any archive may contain, however small it is
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
    """Limits on the content of one archive or repository, and its form. 0 is no limit."""

    entries: int = 500_000
    bytes: int = 4 * 1024 * 1024 * 1024
    depth: int = 100  # nested folders; a skill has fewer, and deeper ones could not be removed again
    ratio: int = 0  # maximum ratio to the size of the archive
    seconds: int = 0
    strict: bool = False  # names are portable, and links stay inside


class Landing:
    """A folder into which entries of a hostile archive are written. `packed` is the size of the archive."""

    def __init__(self, folder: str, bounds: Bounds, packed: int = 0) -> None:
        self.folder = folder
        self.bounds = bounds
        self.entries = 0
        self.left = bounds.bytes
        self._unpacked = max(_ANY_RATIO, packed * bounds.ratio) if bounds.ratio and packed else bounds.bytes
        self._deadline = time.monotonic() + bounds.seconds if bounds.seconds else 0.0
        self._names = Names() if bounds.strict else None
        self._links: list[tuple[str, str, str]] = []

    def put(self, entry: Entry) -> None:
        """Write one entry. InputError if it is refused."""
        self.entries += 1
        if self.entries > self.bounds.entries:
            raise LimitError(f"it holds more than {self.bounds.entries} entries", "split it")
        parts = safe_parts(entry.name)
        if entry.kind != stat.S_IFDIR and (not parts or entry.name.endswith("/")):
            raise InputError(f"`{shown(entry.name)[:200]}` is a file with the name of a folder", REMEDY)
        if not parts:
            return
        if len(parts) > self.bounds.depth:
            message = f"`{shown(entry.name)[:200]}` is in more than {self.bounds.depth} folders"
            raise LimitError(message, "move it up")
        if self._names is not None:
            self._names.add(parts)
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
        root = os.path.realpath(self.folder)
        for _, path, name in self._links if self.bounds.strict else ():
            real = os.path.realpath(path)
            if real != root and not real.startswith(root + os.sep):
                message = f"`{shown(name)[:200]}` is a link that leads out of the source"
                raise InputError(message, "replace the link by a copy of the file")

    def _write(self, file: IO[bytes], path: str, mode: int) -> None:
        with os.fdopen(os.open(path, _NEW, mode), "wb") as out:
            while piece := file.read(_PIECE):
                self._count(len(piece))
                out.write(piece)

    def _count(self, size: int) -> None:
        self.left -= size
        self._unpacked -= size
        if self.left < 0:
            message = f"it holds more than {self.bounds.bytes} bytes"
            raise LimitError(message, "split it, or raise the limit with `--max-archive-bytes`")
        if self._unpacked < 0:
            raise LimitError(
                f"it holds more than {self.bounds.ratio} times its own size", "unpack and look at it first"
            )
        if self._deadline and time.monotonic() > self._deadline:
            raise LimitError(f"unpacking took more than {self.bounds.seconds} seconds", "give a smaller source")


def unpack(archive: str, folder: str, bounds: Bounds) -> None:
    """Unpack an archive into an empty folder."""
    try:
        landing = Landing(folder, bounds, os.stat(archive).st_size)
        read = zip_entries if archive.lower().endswith(_ZIPPED) else tar_entries
        for entry in read(archive):
            landing.put(entry)
        landing.close()
    except _BROKEN as error:
        reason = "; ".join(line.strip(" -:") for line in str(error).splitlines())[:300]
        raise InputError(f"the archive cannot be read: {reason}", REMEDY) from None
    except OSError as error:
        raise InputError(f"the archive cannot be read: {(error.strerror or str(error)).lower()}", REMEDY) from None


def safe_parts(name: str) -> list[str]:
    """Return the parts of a name that stays inside; InputError for one that does not, or that is ambiguous."""
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
