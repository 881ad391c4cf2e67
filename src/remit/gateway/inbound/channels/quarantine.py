"""Files that people attach, in folders where nothing runs them, one for each sender: bounded, named by their content, readable by us alone.

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
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, Self

from remit.core.digest import bytes_digest
from remit.core.errors import AuthorityError
from remit.gateway.private import make_private

if TYPE_CHECKING:
    from pathlib import Path

    from remit.gateway.inbound.channels.form import Channel
    from remit.gateway.inbound.ingress.event import Attachment
    from remit.gateway.inbound.routing.message import Identity

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

    def open(self, sender: Identity, file: Attachment) -> Writing:
        """A file that is about to come; MediaError if it can not be taken. Each sender may fill half of what the others leave."""
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


async def fetched(channel: Channel, quarantine: Quarantine, file: Attachment, sender: Identity) -> Kept | str:
    """An attached file in the quarantine, or why it is not there."""
    try:
        with quarantine.open(sender, file) as writing:
            await channel.fetch(file, writing.write)
            return writing.finish()
    except MediaError as error:
        return error.message
    except Exception as error:  # noqa: BLE001  a file must not end all conversations
        return f"it could not be fetched ({type(error).__name__})"


def _size(folder: Path) -> int:
    """The bytes of all files below a folder. A file that is just being removed has none."""
    found = 0
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            found += path.lstat().st_size if path.is_file() else 0
    return found


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
