"""Whether git could bring a file back exactly as it is: its index knows the file, and the content is the one that it stored.

The index is read here, git is not run: a repository names programs that git would start. A file with the size, number and times that
stand in the index is the one that was stored, as git itself has it; of any other the content is compared. What cannot be read is not
stored.
"""

from __future__ import annotations

import hashlib
import os
import struct
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

_LARGEST = 64 << 20  # bytes of an index, and of a file
_HEAD = struct.Struct(">4sII")
_VERSIONS = (2, 3)  # the fourth one, which few use, abbreviates names
_FIXED = 62  # bytes of an entry before its name
_STAMP = struct.Struct(">IIII4xI12xI")  # times of change and of writing, number, size
_LONGER = 0x4000  # an entry with two more bytes
_LINK = "gitdir:"


class Stored(NamedTuple):
    """What an index says of a file."""

    digest: bytes
    stamp: tuple[int, ...]


def is_stored(root: Path, path: str) -> bool:
    """Whether the repository of a workspace holds a file as it is now."""
    index = _index(root)
    if index is None or not path.startswith(f"{root}/"):
        return False
    known = _entries(*index).get(path[len(str(root)) + 1 :].encode("utf-8", "surrogateescape"))
    return known is not None and (_stamp(path, before=index[1]) == known.stamp or _blob(path) == known.digest)


def _stamp(path: str, *, before: int) -> tuple[int, ...]:
    """A file as an index describes it; nothing for one that was written when the index was, or later: it may have changed since."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return ()
    if found.st_mtime_ns >= before:
        return ()
    times = (*divmod(found.st_ctime_ns, 10**9), *divmod(found.st_mtime_ns, 10**9))
    return tuple(one & 0xFFFFFFFF for one in (*times, found.st_ino, found.st_size))


def _index(root: Path) -> tuple[str, int, int] | None:
    """The index of a workspace, with its time and size."""
    try:
        store = root / ".git"
        if store.is_file():  # a second tree of the same repository
            text = store.read_text("utf-8")[:4096]
            store = root / text.removeprefix(_LINK).strip() if text.startswith(_LINK) else store
        found = os.stat(store / "index")  # noqa: PTH116
    except (OSError, ValueError):
        return None
    return (str(store / "index"), found.st_mtime_ns, found.st_size) if found.st_size <= _LARGEST else None


@lru_cache(8)
def _entries(path: str, _time: int, _size: int) -> dict[bytes, Stored]:
    """Names and digests of an index; nothing if it is in a form that is not known."""
    try:
        data = Path(path).read_bytes()
        return _parsed(data)
    except (OSError, ValueError, struct.error):
        return {}


def _parsed(data: bytes) -> dict[bytes, Stored]:
    magic, version, count = _HEAD.unpack_from(data)
    if magic != b"DIRC" or version not in _VERSIONS:
        return {}
    found: dict[bytes, Stored] = {}
    at = _HEAD.size
    for _ in range(count):
        (flags,) = struct.unpack_from(">H", data, at + _FIXED - 2)
        begins = at + _FIXED + (2 if flags & _LONGER else 0)
        ends = data.index(b"\0", begins)
        found[data[begins:ends]] = Stored(data[at + 40 : at + 60], _STAMP.unpack_from(data, at))
        at += (ends - at + 8) // 8 * 8
    return found


def _blob(path: str) -> bytes:
    """The digest under which git stores what a file holds now."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(_LARGEST + 1)
    except (OSError, ValueError):
        return b""
    if len(data) > _LARGEST:
        return b""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).digest()
