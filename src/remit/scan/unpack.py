"""Opening an archive that may be hostile: what lands in the folder lies in the folder, and is no more than was allowed.

(1) A name that leads elsewhere, or that two tools read differently, refuses the archive, and so does a name that comes twice.
(2) What is neither a file, a folder nor a link refuses it.
(3) Bytes are counted as they come, not as the archive promises.
(4) Links are made when all files lie, so that nothing is written through one; whether they lead out of a skill is judged
    when the skill is read.
"""

from __future__ import annotations

import io
import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from functools import partial
from typing import IO, TYPE_CHECKING, NamedTuple

from remit.core.errors import InputError, LimitError
from remit.skill.walk import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PIECE = 1 << 20
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_REMEDY = "pack it anew from the folder"
_LINK_BYTES = 4096
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


class Entry(NamedTuple):
    """One thing in an archive; `open` gives its content, for a link the text of its target."""

    name: str
    kind: int  # as in the mode of a file
    executable: bool
    open: Callable[[], IO[bytes]]


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
        for entry in _zipped(archive) if archive.lower().endswith(_ZIPPED) else _tarred(archive):
            landing.put(entry)
        landing.close()
    except _BROKEN as error:
        raise InputError(f"the archive cannot be read: {error}", _REMEDY) from None
    except OSError as error:
        raise InputError(f"the archive cannot be read: {(error.strerror or str(error)).lower()}", _REMEDY) from None


def safe_parts(name: str) -> list[str]:
    """The parts of a name that stays inside; InputError for one that does not, or that is read in two ways."""
    parts = name.removeprefix("./").removesuffix("/").split("/")
    if parts in ([""], ["."]):
        return []
    if "\\" in name or "\0" in name or any(part in ("", ".", "..") for part in parts):
        raise InputError(f"the name `{shown(name)[:200]}` leads elsewhere, or is read in two ways", _REMEDY)
    return parts


def _zipped(archive: str) -> Iterator[Entry]:
    with zipfile.ZipFile(archive) as opened:
        for info in opened.infolist():
            mode = info.external_attr >> 16
            kind = stat.S_IFDIR if info.is_dir() else stat.S_IFMT(mode) or stat.S_IFREG
            yield Entry(info.filename, _known(kind, info.filename), bool(mode & 0o111), partial(opened.open, info))


def _tarred(archive: str) -> Iterator[Entry]:
    with tarfile.open(archive) as opened:
        for info in opened:
            yield Entry(info.name, _tar_kind(info), bool(info.mode & 0o111), partial(_tar_content, opened, info))


def _tar_kind(info: tarfile.TarInfo) -> int:
    if info.isdir():
        return stat.S_IFDIR
    if info.issym():
        return stat.S_IFLNK
    return _known(stat.S_IFREG if info.isreg() or info.islnk() else 0, info.name)


def _tar_content(opened: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    """The bytes of a file, or of the file that a hard link is."""
    if info.issym():
        return io.BytesIO(os.fsencode(info.linkname))
    try:
        content = opened.extractfile(info)
    except KeyError:
        content = None
    if content is None:
        raise InputError(f"`{shown(info.name)[:200]}` is a link to nothing", _REMEDY)
    return content


def _known(kind: int, name: str) -> int:
    if kind not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK):
        raise InputError(f"`{shown(name)[:200]}` is neither a file, a folder nor a link", _REMEDY)
    return kind


def _collides(name: str, error: Exception) -> InputError:
    reason = (
        "it comes twice" if isinstance(error, FileExistsError) else str(getattr(error, "strerror", "") or error).lower()
    )
    return InputError(f"`{shown(name)[:200]}` cannot be put anywhere: {reason}", _REMEDY)
