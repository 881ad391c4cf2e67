"""Signed heads (the state of the log at some moment, in one line that can be stored elsewhere), and the files of a log.

The caller provides the signer. Without the package `cryptography` a key of this machine authenticates heads, and then
only this machine can verify them.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import re
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from remit.core.digest import canonical
from remit.core.errors import AuditError

_DOMAIN = b"remit audit head 1\0"
_HEX = re.compile(r"(?:[0-9a-f]{2})+", re.ASCII)
_LINE = 2048  # bytes; a head has about 400
LOCAL = "hmac-sha256"


class Checker(Protocol):
    """Verifies signatures."""

    @property
    def algorithm(self) -> str:
        """`ed25519`, or `hmac-sha256` for a key of this machine."""

    @property
    def keyid(self) -> str:
        """The identifier of the key."""

    def holds(self, signature: bytes, data: bytes) -> bool:
        """Whether a signature over some bytes was made by this key."""


class Signer(Checker, Protocol):
    """Verifies and creates signatures."""

    def sign(self, data: bytes) -> bytes:
        """Return the signature over some bytes."""


class LocalKey:
    """A key that never leaves this machine. It signs and verifies; its bytes are never shown."""

    __slots__ = ("_key", "keyid")
    algorithm = LOCAL

    def __init__(self, key: bytes) -> None:
        if len(key) != 32:
            raise AuditError("the local key of the log does not have 32 bytes", "restore it from a copy")
        self._key = key
        self.keyid = hmac.digest(key, b"remit audit keyid 1", "sha256").hex()

    def sign(self, data: bytes) -> bytes:
        """Return the authentication code of some bytes."""
        return hmac.digest(self._key, data, "sha256")

    def holds(self, signature: bytes, data: bytes) -> bool:
        """Whether the code belongs to these bytes."""
        return hmac.compare_digest(self.sign(data), signature)

    def __reduce__(self) -> Any:
        raise TypeError("a key stays where it is")


class Head(NamedTuple):
    """The state of the log: the number of records, and the hash of the last one."""

    log: str  # the name of the log, chosen at random when it was created
    number: int  # of the last record; 0 for an empty log
    records: int  # how many
    hash: str
    time: int

    def signed_bytes(self) -> bytes:
        """What is signed."""
        return _DOMAIN + canonical(self._asdict())


class SignedHead(NamedTuple):
    """A head with its signature. `holds` verifies the signature."""

    head: Head
    algorithm: str
    keyid: str
    signature: str

    def line(self) -> str:
        """One line of canonical JSON."""
        form = {"algorithm": self.algorithm, "keyid": self.keyid, "signature": self.signature}
        return canonical({**self.head._asdict(), **form}).decode()

    def holds(self, checkers: Mapping[str, Checker]) -> bool:
        """Whether one of these keys, by name, has signed it."""
        checker = checkers.get(self.keyid)
        if checker is None or checker.algorithm != self.algorithm:
            return False
        return checker.holds(bytes.fromhex(self.signature), self.head.signed_bytes())


def sign(head: Head, signer: Signer) -> SignedHead:
    """Sign a head."""
    return SignedHead(head, signer.algorithm, signer.keyid, signer.sign(head.signed_bytes()).hex())


def read_head(line: str) -> SignedHead:
    """Parse the head in a line; anything else is refused."""
    try:
        value: Any = json.loads(line) if len(line) <= _LINE else None
        numbers = tuple(value.pop(name) for name in ("number", "records", "time"))
        texts = tuple(value.pop(name) for name in ("log", "hash", "algorithm", "keyid", "signature"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _malformed() from None
    number, count, time = numbers
    log, digest, algorithm, keyid, signature = texts
    good = all(type(item) is int and item >= 0 for item in numbers) and all(isinstance(item, str) for item in texts)
    if (
        value
        or not good
        or number != count
        or not all(_HEX.fullmatch(text) for text in (log, digest, keyid, signature))
    ):
        raise _malformed()
    found = SignedHead(Head(log, number, count, digest, time), algorithm, keyid, signature)
    if found.line() != line.strip():
        raise _malformed()
    return found


def _malformed() -> AuditError:
    return AuditError("a line is not a head of a log", "give a line as `remit audit head` prints it")


_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC  # opening a named pipe must not block
_MOST = 256 * 1024 * 1024  # bytes of heads: half a million of them


class Places(NamedTuple):
    """The paths of a log's parts."""

    folder: Path

    @property
    def database(self) -> Path:
        """The records."""
        return self.folder / "audit.db"

    @property
    def heads(self) -> Path:
        """The signed heads, one per line."""
        return self.folder / "audit.heads"

    @property
    def local_key(self) -> Path:
        """The key of this machine."""
        return self.folder / "keys" / "audit.local"

    def prepare(self) -> None:
        """Create the folders, and check that no other user can write there."""
        for folder in (self.folder, self.folder / "keys"):
            try:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError as error:
                raise broken(f"`{folder}` cannot be made", error) from None
            own(folder)


def broken(what: str, error: Exception) -> AuditError:
    """Return the error about a damaged file."""
    reason = (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()
    return AuditError(f"{what}: {reason}", "see that the state folder can be read and written by you alone")


def own(path: Path) -> None:
    """Refuse a file that another user could change."""
    try:
        state = path.stat()
    except OSError as error:
        raise broken(f"`{path}` cannot be read", error) from None
    if state.st_uid != os.geteuid() or state.st_mode & 0o022:
        message = f"`{path}` can be changed by others (mode {stat.S_IMODE(state.st_mode):04o})"
        raise AuditError(message, f"chmod go-w {path}, and look at its content")


def local_key(places: Places) -> LocalKey:
    """Return the key of this machine, created if there is none."""
    path = places.local_key
    if not path.exists():
        _make(path, secrets.token_bytes(32))
    return read_local_key(places)


def read_local_key(places: Places) -> LocalKey:
    """Return the key of this machine; a file that others can open is refused."""
    path = places.local_key
    data = _bytes(path, 64)
    if path.stat().st_mode & 0o077:
        raise AuditError(f"`{path}` can be opened by others", f"chmod 600 {path}; if others can log in, make a new one")
    return LocalKey(data)


def _make(path: Path, data: bytes) -> None:
    """Write a file under another name and link it into place: the first writer wins, and none reads a part of it."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    except OSError as error:
        raise broken(f"`{path}` cannot be made", error) from None
    finally:
        draft.unlink(missing_ok=True)


def add_head(path: Path, line: str) -> None:
    """Append a head and wait until it is on the disk. Callers hold the lock of the database."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            _drop_torn_line(handle)
            data = line.encode() + b"\n"
            if os.write(handle, data) != len(data):
                raise OSError("the disk is full")
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise broken(f"`{path}` cannot be written", error) from None


def _drop_torn_line(handle: int) -> None:
    """Remove an incomplete last line, which a crash of the machine may leave. It was never reported as a head."""
    size = os.fstat(handle).st_size
    tail = os.pread(handle, 4096, max(0, size - 4096))
    if tail and not tail.endswith(b"\n"):
        os.ftruncate(handle, size - len(tail) + tail.rfind(b"\n") + 1)


def last_head(path: Path) -> SignedHead | None:
    """Return the newest head beside the database; None if there is none."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - 8192))
            lines = file.read().split(b"\n")[:-1]
    except FileNotFoundError:
        return None
    except OSError as error:
        raise broken(f"`{path}` cannot be read", error) from None
    try:
        return read_head(lines[-1].decode()) if lines else None
    except (AuditError, UnicodeDecodeError):
        message = f"the last line of `{path}` is not a head"
        raise AuditError(message, "the file was changed: take it from a backup, and compare") from None


def read_heads(path: Path) -> tuple[SignedHead, ...]:
    """Return every head beside the database, the oldest first, without an incomplete last line of a crash."""
    lines = _bytes(path, _MOST).split(b"\n")[:-1] if path.exists() else []
    out = []
    for number, line in enumerate(lines, 1):
        try:
            out.append(read_head(line.decode()))
        except (AuditError, UnicodeDecodeError):
            message = f"`{path}`: line {number} is not a head"
            raise AuditError(message, "the file was changed: take it from a backup, and compare") from None
    return tuple(out)


def _bytes(path: Path, most: int) -> bytes:
    try:
        handle = os.open(path, _READ)
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise AuditError(f"`{path}` is not a plain file", "remove it, and restore the file from a backup")
            data = file.read(most + 1)
    except OSError as error:
        raise broken(f"`{path}` cannot be read", error) from None
    if len(data) > most:
        raise AuditError(f"`{path}` is larger than {most} bytes", "the file was changed: restore it from a backup")
    return data
