"""Quarantine for attached files: a folder for each sender where nothing runs them, with size limits, readable only by
us.

A file is `DIGEST`, mode 0400; `DIGEST.json` beside it holds its original name, stated and detected type, and channel. A
sender never chooses a file name here.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, Self

from remit.core.digest import bytes_digest
from remit.core.errors import AuthorityError
from remit.gateway.private_files import make_private

if TYPE_CHECKING:
    from pathlib import Path

    from remit.gateway.inbound.channels.interface import Channel
    from remit.gateway.inbound.events import Attachment
    from remit.gateway.inbound.routing import Identity


MOST_FILE = 20 * 1024 * 1024  # bytes; Telegram's limit for downloads by bots
MOST_ALL = 1024 * 1024 * 1024  # bytes of the whole quarantine
MOST_FILES = 10  # of one message
_MOST_NAME, _HEAD = 100, 512
_TYPES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"),
    (b"%PDF-", "application/pdf"), (b"PK\x03\x04", "application/zip"), (b"\x1f\x8b", "application/gzip"),
    (b"OggS", "audio/ogg"), (b"ID3", "audio/mpeg"), (b"\x7fELF", "application/x-executable"),
    (b"MZ", "application/x-dosexec"), (b"#!", "text/x-script"), (b"\xcf\xfa\xed\xfe", "application/x-mach-binary"),
)  # fmt: skip


class MediaError(AuthorityError):
    """An attached file is refused."""


class QuarantinedFile(NamedTuple):
    """A file in the quarantine."""

    digest: str
    size: int
    found: str  # the detected type
    path: Path


class Quarantine:
    """The quarantine folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open(self, sender: Identity, file: Attachment) -> Writing:
        """Open a new file; MediaError if it is refused.

        Each sender may fill half of the space that the others leave.
        """
        if file.size > MOST_FILE:
            raise MediaError(f"it is larger than {MOST_FILE // 1024 // 1024} MiB")
        folder = self._folder / bytes_digest(json.dumps(sender).encode()).removeprefix("sha256:")[:32]
        make_private(self._folder)
        make_private(folder)
        own, free = _size(folder), MOST_ALL - _size(self._folder)
        if own + MOST_FILE > free:
            raise MediaError("the quarantine has no more room for this sender", f"remove files of {self._folder}")
        return Writing(folder, sender.channel, file)


class Writing:
    """A file being written, as a context manager: an unfinished file is removed."""

    def __init__(self, folder: Path, channel: str, file: Attachment) -> None:
        self._folder, self._channel, self._file = folder, channel, file
        self._part = folder / f".part-{secrets.token_hex(16)}"
        self._hash, self._size, self._head = hashlib.sha256(), 0, b""
        self._handle = os.open(self._part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o400)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)
        self._part.unlink(missing_ok=True)

    def write(self, data: bytes) -> None:
        """Append data; MediaError above the limit, whatever size was announced."""
        self._size += len(data)
        if self._size > MOST_FILE:
            raise MediaError(f"it is larger than {MOST_FILE // 1024 // 1024} MiB")
        self._head = (self._head + data)[:_HEAD]
        self._hash.update(data)
        view = memoryview(data)
        while view:
            view = view[os.write(self._handle, view) :]

    def finish(self) -> QuarantinedFile:
        """Complete the file."""
        os.fsync(self._handle)
        digest = self._hash.hexdigest()
        kept = QuarantinedFile(digest, self._size, look(self._head), self._folder / digest)
        self._part.rename(kept.path)
        note = {
            "name": safe_name(self._file.name), "said": self._file.kind[:_MOST_NAME], "found": kept.found,
            "size": kept.size, "channel": self._channel, "at": int(time.time()),
        }  # fmt: skip
        with os.fdopen(
            os.open(f"{kept.path}.json", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "w"
        ) as out:
            json.dump(note, out)
        return kept


async def fetched(
    channel: Channel, quarantine: Quarantine, file: Attachment, sender: Identity
) -> QuarantinedFile | str:
    """Download an attached file into the quarantine; return it, or the reason why not."""
    try:
        with quarantine.open(sender, file) as writing:
            await channel.fetch(file, writing.write)
            return writing.finish()
    except MediaError as error:
        return error.message
    except Exception as error:  # noqa: BLE001  a file must not end all conversations
        return f"it could not be fetched ({type(error).__name__})"


def _size(folder: Path) -> int:
    """Return the size of all files below a folder. A file that is just being removed counts as empty."""
    found = 0
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            found += path.lstat().st_size if path.is_file() else 0
    return found


def look(head: bytes) -> str:
    """Return the type detected from the first bytes."""
    for begin, kind in _TYPES:
        if head.startswith(begin):
            return kind
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return "text/plain" if error.end >= len(head) and len(head) == _HEAD else "application/octet-stream"
    return "application/octet-stream" if b"\0" in head else "text/plain"


def safe_name(name: str) -> str:
    """Return a name that is safe to show: its last path component without control characters."""
    last = re.split(r"[/\\]", name)[-1]
    shown = "".join(one for one in last if one.isprintable()).strip(" .")[:_MOST_NAME]
    return shown or "file"
