"""Reading of a folder that may be hostile: links are not followed out of it, and only plain files are opened.

A link may lead out of the folder up to a given folder (`within`): skills of one repository share files by links. The
target is read, under the name of the link.

Every entry is checked with lstat first. Files are opened with O_NOFOLLOW and O_NONBLOCK, so that neither a link put in
place between check and opening nor a FIFO can redirect or block us; a file whose size or time changes while it is read
is refused, because its digest would describe something that never existed.
"""

from __future__ import annotations

import hashlib
import os
import stat
import unicodedata
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.errors import InputError, LimitError
from remit.core.sensitive import fold
from remit.skill.githistory import in_history, is_history
from remit.skill.open_files import Folder, close_folder, open_folder, open_plain

if TYPE_CHECKING:
    from remit.skill.model import Limits

_CHUNK = 1 << 20
_HISTORY = 10  # times as many files and folders as a skill may hold may be Git's own
_UNSAFE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # controls, invisible formats, surrogates, separators
_SPECIAL = {stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}


@dataclass(slots=True)
class RawFile:
    """A file from the walk. `head` is its beginning; `data` is everything, if it is small enough to keep."""

    path: str
    size: int
    digest: str
    head: bytes
    data: bytes | None
    executable: bool
    link: str = ""
    tail: bytes = b""


@dataclass(slots=True)
class Tree:
    """The result of a walk: the files in path order, links to folders, empty folders, and notes."""

    files: list[RawFile] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)
    empty: list[str] = field(default_factory=list)
    repositories: list[str] = field(default_factory=list)  # entries called `.git`, where these are left out
    notes: list[tuple[str, int, str]] = field(default_factory=list)


def shown(name: str) -> str:
    """Return a printable name: invisible and undecodable characters are escaped."""
    return "".join(
        c if unicodedata.category(c) not in _UNSAFE_CATEGORIES else c.encode("unicode_escape", "surrogatepass").decode()
        for c in name
    )


def is_repository(name: str) -> bool:
    """Whether a name is `.git` for some file system: Git refuses to carry such a file or folder, at any depth."""
    return fold(name) == ".git"


def _limit(message: str, change: str, limit: str) -> LimitError:
    return LimitError(message, f"{change}, or raise the limit `{limit}`")


def check_name(name: str, where: str, limits: Limits) -> None:
    """Refuse a file name that readers or tools may read differently."""
    if name.isascii() and name.isprintable() and "\\" not in name and len(name) <= limits.max_name:
        return
    place = shown(f"{where}/{name}" if where else name)
    if any("\udc80" <= c <= "\udcff" for c in name):
        raise InputError(f"the name of `{place}` is not UTF-8", "rename the file")
    if "\\" in name:
        raise InputError(
            f"the name of `{place}` holds a backslash, which is a separator on some systems", "rename the file"
        )
    if any(unicodedata.category(c) in _UNSAFE_CATEGORIES for c in name):
        raise InputError(f"the name of `{place}` holds control or invisible characters", "rename the file")
    if len(os.fsencode(name)) > limits.max_name:
        message = f"the name of `{place[:80]}…` is longer than {limits.max_name} bytes"
        raise _limit(message, "shorten it", "max_name")


class Walker:
    """One walk of one folder. Folders are held open while they are walked, so that they cannot be swapped meanwhile.

    `within` is the folder that links may not leave: the walked one, or one above it. `shipped`: whether what Git never
    carries, which is everything called `.git`, is listed and left out (ADR 33).
    """

    def __init__(self, root: Path, limits: Limits, within: Path | None = None, *, shipped: bool = False) -> None:
        self.root = root.resolve()
        self.within = within.resolve() if within else self.root
        self.limits = limits
        self.shipped = shipped
        self.tree = Tree()
        self.total = 0
        self.entries = 0
        self.history = 0
        self._linked = False  # whether the walked folder is the target of a link out of the root

    def run(self) -> Tree:
        """Walk, and return the files sorted by path."""
        self._folder(str(self.root), None, "", 0)
        self.tree.files.sort(key=lambda file: file.path)
        return self.tree

    def _folder(self, name: str, parent: Folder | None, inside: str, depth: int) -> None:
        if depth > self.limits.max_depth:
            message = f"the folder `{inside}` is more than {self.limits.max_depth} levels deep"
            raise _limit(message, "flatten it", "max_depth")
        try:
            folder = open_folder(name, parent)
        except OSError as error:
            raise _unreadable(inside or ".", error) from None
        try:
            with os.scandir(folder) as found:
                entries = sorted(islice(found, self.limits.max_files + 1), key=lambda entry: entry.name)
            if len(entries) > self.limits.max_files or self._many(inside, len(entries)):
                message = f"the skill holds more than {self.limits.max_files} files and folders"
                raise _limit(message, "check a smaller folder", "max_files")
            if not entries:
                self.tree.empty.append(inside)
            for entry in entries:
                self._entry(entry, folder, inside, depth)
        except OSError as error:
            raise _unreadable(inside or ".", error) from None
        finally:
            close_folder(folder)

    def _many(self, inside: str, entries: int) -> bool:
        """Whether there are too many entries. Of Git's own data, which is only listed, there may be more."""
        if in_history(f"{inside}/x"):
            self.history += entries
        else:
            self.entries += entries
        return self.entries > self.limits.max_files or self.history > self.limits.max_files * _HISTORY

    def _entry(self, entry: os.DirEntry[str], folder: Folder, inside: str, depth: int) -> None:
        path = f"{inside}/{entry.name}" if inside else entry.name
        if self.shipped and is_repository(entry.name):
            self.tree.repositories.append(path)
            return
        if self._linked and entry.name == ".git":
            raise InputError(f"`{shown(path)}` is a repository behind a symbolic link", "link to a folder in it")
        plain = entry.is_file(follow_symlinks=False)
        if plain and in_history(path) and is_history(path, entry.name, folder):
            return
        check_name(entry.name, inside, self.limits)
        if entry.is_symlink():
            self._link(path, depth)
        elif entry.is_dir(follow_symlinks=False):
            self._folder(entry.name, folder, path, depth + 1)
        elif plain:
            self._add(read_file(entry.name, path, self.limits, folder))
        else:
            mode = entry.stat(follow_symlinks=False).st_mode
            what = _SPECIAL.get(stat.S_IFMT(mode), "not a plain file")
            raise InputError(f"`{shown(path)}` is {what}", "remove it from the skill")

    def _link(self, path: str, depth: int) -> None:
        """Read a link as its target's content, if the target is inside; content outside is not part of the skill."""
        full = self.root / path
        target = Path(os.path.realpath(full))  # unlike `resolve`, it does not fail on a loop
        outside = not target.is_relative_to(self.root)
        if outside and not self._may_lead_to(target):
            where = "of the skill" if self.within == self.root else "of the skill and of its repository"
            raise InputError(
                f"`{shown(path)}` is a symbolic link to `{shown(str(full.readlink()))}`, outside {where}",
                "replace the link by a copy of the file",
            )
        inner = Path(os.path.relpath(target, self.root)).as_posix()
        try:
            mode = target.stat(follow_symlinks=False).st_mode
        except OSError:
            mode = 0
        if self.shipped and any(map(is_repository, inner.split("/"))):
            mode = 0  # its target is not shipped
        if outside:
            self.tree.notes.append((path, 0, f"a symbolic link to `{shown(inner)}`, outside of the skill's folder"))
        if stat.S_ISDIR(mode) and outside:
            self._linked_folder(target, path, depth)
        elif stat.S_ISDIR(mode):
            self.tree.links[path] = "" if inner == "." else inner
        elif stat.S_ISREG(mode):
            raw = read_file(str(target), path, self.limits)
            raw.link = inner
            self._add(raw)
        else:
            # A dangling link, a loop, or a special file, which is refused at its own path.
            self.tree.notes.append((path, 0, "a symbolic link that leads to nothing"))
            self.tree.files.append(RawFile(path, 0, "", b"", None, executable=False, link=inner))

    def _may_lead_to(self, target: Path) -> bool:
        """Whether a link may lead out to a target: it exists, and is not in Git's data, which includes credentials."""
        inside = target.is_relative_to(self.within) and ".git" not in target.relative_to(self.within).parts
        return inside and target.exists()

    def _linked_folder(self, target: Path, path: str, depth: int) -> None:
        """Walk a folder outside of the root under the name of the link that leads there."""
        if self._linked:  # only one level of links, so that every walk ends
            message = f"`{shown(path)}` is a symbolic link to a folder, in a folder that is itself behind a link"
            raise InputError(message, "replace one of the links by a copy")
        self._linked = True
        self._folder(str(target), None, path, depth + 1)
        self._linked = False

    def _add(self, raw: RawFile) -> None:
        if self._linked and not raw.link:
            raw.link = Path(os.path.relpath(os.path.realpath(self.root / raw.path), self.root)).as_posix()
        self.total += raw.size
        if self.total > self.limits.max_total_bytes:
            message = f"the skill holds more than {self.limits.max_total_bytes} bytes"
            raise _limit(message, "check a smaller folder", "max_total_bytes")
        self.tree.files.append(raw)


def _unreadable(path: str, error: OSError) -> InputError:
    reason = (error.strerror or "error").lower()
    return InputError(f"`{shown(path)}` cannot be read: {reason}", "make it readable, or remove it from the skill")


def read_file(name: str, path: str, limits: Limits, folder: Folder | None = None) -> RawFile:
    """Read one plain file: whole if it is within `max_source_bytes`, otherwise hashed in pieces."""
    try:
        handle = open_plain(name, folder)
    except OSError as error:
        raise _unreadable(path, error) from None
    try:
        return _read(handle, path, limits)
    except OSError as error:
        raise _unreadable(path, error) from None
    finally:
        os.close(handle)


def _read(handle: int, path: str, limits: Limits) -> RawFile:
    before = os.fstat(handle)
    if not stat.S_ISREG(before.st_mode):
        raise InputError(f"`{shown(path)}` is not a plain file", "remove it from the skill")
    if before.st_mode & (stat.S_ISUID | stat.S_ISGID):
        message = (
            f"`{shown(path)}` runs with the rights of its owner or group (mode {stat.S_IMODE(before.st_mode):04o})"
        )
        raise InputError(message, "remove the bits: chmod u-s,g-s")
    size = before.st_size
    if size > limits.max_file_bytes:
        message = f"`{shown(path)}` has {size} bytes, more than {limits.max_file_bytes}"
        raise _limit(message, "remove it", "max_file_bytes")
    digest = hashlib.sha256()
    head = data = tail = b""
    seen = 0
    if size <= limits.max_source_bytes:
        # One byte more than promised shows that the file has grown.
        while len(data) <= size and (piece := os.read(handle, size + 1 - len(data))):
            data = data + piece if data else piece
        digest.update(data)
        head, seen = data, len(data)
    else:
        while seen <= size and (piece := os.read(handle, _CHUNK)):
            digest.update(piece)
            head = head or piece[:65536]
            tail = piece if len(piece) >= _CHUNK else (tail + piece)[-_CHUNK:]
            seen += len(piece)
    after = os.fstat(handle)
    if seen != size or (after.st_mtime_ns, after.st_size) != (before.st_mtime_ns, before.st_size):
        raise InputError(f"`{shown(path)}` changed while it was read", "check again when nothing writes to the skill")
    keep = data if size <= limits.max_source_bytes else None
    return RawFile(path, size, digest.hexdigest(), head, keep, bool(before.st_mode & 0o111), tail=tail)
