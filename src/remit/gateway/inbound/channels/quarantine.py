"""Files that people attach, in a folder where nothing runs them: bounded, named by their content, readable by us alone.

A file is `DIGEST`, mode 0400, and beside it `DIGEST.json` says what it was called, which type it was said to be, which it looks like, and
who sent it by which channel. No name of a sender is ever a name of a file here.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import time
from typing import TYPE_CHECKING, NamedTuple, Self

from remit.core.errors import AuthorityError
from remit.gateway.private import make_private

if TYPE_CHECKING:
    from pathlib import Path

    from remit.gateway.inbound.ingress.event import Attachment

MOST_FILE = 20 * 1024 * 1024  # bytes; what a bot may load from Telegram
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
    """An attached file is not taken."""


class Kept(NamedTuple):
    """A file in the quarantine."""

    digest: str
    size: int
    found: str  # the type that it looks like
    path: Path


class Quarantine:
    """One folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open(self, channel: str, file: Attachment) -> Writing:
        """A file that is about to come; MediaError if it can not be taken."""
        if file.size > MOST_FILE:
            raise MediaError(f"it is larger than {MOST_FILE // 1024 // 1024} MiB")
        make_private(self._folder)
        if sum(one.stat().st_size for one in os.scandir(self._folder)) + MOST_FILE > MOST_ALL:
            raise MediaError("the quarantine is full", f"remove files of {self._folder}")
        return Writing(self._folder, channel, file)


class Writing:
    """A file on its way in, as a context: what is not finished leaves nothing behind."""

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
        """More of it; MediaError if that is too much, whatever size was told."""
        self._size += len(data)
        if self._size > MOST_FILE:
            raise MediaError(f"it is larger than {MOST_FILE // 1024 // 1024} MiB")
        self._head = (self._head + data)[:_HEAD]
        self._hash.update(data)
        view = memoryview(data)
        while view:
            view = view[os.write(self._handle, view) :]

    def finish(self) -> Kept:
        """All of it is there."""
        os.fsync(self._handle)
        digest = self._hash.hexdigest()
        kept = Kept(digest, self._size, look(self._head), self._folder / digest)
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


def look(head: bytes) -> str:
    """The type that the first bytes look like."""
    for begin, kind in _TYPES:
        if head.startswith(begin):
            return kind
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return "text/plain" if error.end >= len(head) and len(head) == _HEAD else "application/octet-stream"
    return "application/octet-stream" if b"\0" in head else "text/plain"


def safe_name(name: str) -> str:
    """A name as it may be shown: its last part, without what controls a screen."""
    last = re.split(r"[/\\]", name)[-1]
    shown = "".join(one for one in last if one.isprintable()).strip(" .")[:_MOST_NAME]
    return shown or "file"
