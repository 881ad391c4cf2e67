"""Signed heads: the state of the log at some moment, in one line that can be stored elsewhere.

The caller provides the signer. Without the package `cryptography` a key of this machine authenticates heads, and then
only this machine can verify them.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Mapping
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
        ...

    @property
    def keyid(self) -> str:
        """The identifier of the key."""
        ...

    def holds(self, signature: bytes, data: bytes) -> bool:
        """Whether a signature over some bytes was made by this key."""
        ...


class Signer(Checker, Protocol):
    """Verifies and creates signatures."""

    def sign(self, data: bytes) -> bytes:
        """Return the signature over some bytes."""
        ...


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
