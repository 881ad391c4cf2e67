"""Ed25519 keys: creating, reading and using them. Any malformed key is a TrustError.

A key is named by its keyid, the SHA-256 of its 32 public bytes in hexadecimal. Private keys are PKCS8 in PEM, in files that
only their owner can open; public keys are PEM too, and may carry a name in a line above it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.bundle.files import read_small
from remit.core.errors import PackageError, RemitError, TrustError
from remit.manifest.words import HIDDEN
from remit.skill.open_files import NEW

if TYPE_CHECKING:
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

MAX_FILE = 16 * 1024
MAX_NAME = 200
_PRIVATE, _PUBLIC = "-----BEGIN PRIVATE KEY-----", "-----BEGIN PUBLIC KEY-----"
_ALGORITHM = "ed25519"
_KEYID = re.compile(r"[0-9a-f]{64}", re.ASCII)
_MAKE = "make one with `remit keys new FILE`"
# of the curve: its prime, its coefficient
_P = 2**255 - 19
_D = -121665 * pow(121666, -1, _P) % _P


class PublicKey(NamedTuple):
    """A public key. Every value of this type is a point of the curve that is not of small order."""

    raw: bytes

    @property
    def algorithm(self) -> str:
        """The name of the kind of signature."""
        return _ALGORITHM

    @property
    def keyid(self) -> str:
        """The key id."""
        return hashlib.sha256(self.raw).hexdigest()

    @property
    def text(self) -> str:
        """The key in the encoding of a trust root."""
        return base64.b64encode(self.raw).decode("ascii")

    def holds(self, signature: bytes, data: bytes) -> bool:
        """Return whether a signature over some bytes is by this key."""
        known = ed25519()
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415  after that it is here

        try:
            known.Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, data)
        except (InvalidSignature, ValueError):
            return False
        return True


class PrivateKey:
    """A private key. Neither `repr` nor pickling reveals its bytes."""

    __slots__ = ("_key", "keyid", "public")
    algorithm = _ALGORITHM

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = PublicKey(key.public_key().public_bytes_raw())
        self.keyid = self.public.keyid

    def sign(self, data: bytes) -> bytes:
        """Return the signature over some bytes."""
        return self._key.sign(data)

    def holds(self, signature: bytes, data: bytes) -> bool:
        """Return whether a signature over some bytes is by this key."""
        return self.public.holds(signature, data)

    def __repr__(self) -> str:
        return f"PrivateKey({self.public.keyid})"

    def __reduce__(self) -> Any:
        raise TypeError("a private key stays where it is")


class NamedKey(NamedTuple):
    """A public key file: the key, and the name that its owner gave it."""

    key: PublicKey
    name: str = ""


def ed25519() -> Any:
    """Return the package that implements Ed25519."""
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519 as found  # noqa: PLC0415
    except ImportError:
        raise PackageError("cryptography", "prove") from None
    return found


def is_keyid(text: str) -> bool:
    """Return whether a text has the form of a keyid."""
    return _KEYID.fullmatch(text) is not None


def public_key(raw: bytes) -> PublicKey:
    """Return the key of 32 bytes. Points for which anyone can forge signatures are refused."""
    if len(raw) != 32:
        raise TrustError(f"a public key has 32 bytes, this one has {len(raw)}", _MAKE)
    if _degenerate(raw):
        raise TrustError("the public key is a point for which anybody can make signatures, or none at all", _MAKE)
    return PublicKey(raw)


def parse_public_text(text: str) -> PublicKey:
    """Parse the base64 of a trust root, which has one encoding for each key."""
    return public_key(strict_base64(text, TrustError))


def strict_base64(text: str, kind: type[RemitError]) -> bytes:
    """Decode standard base64 with padding; no other text gives the same bytes."""
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error, ValueError):
        raise kind("a text is not base64", "write it in the standard alphabet, with its padding") from None
    if base64.b64encode(data).decode("ascii") != text:
        raise kind("a text is base64 in an unusual spelling", "encode it again, without stray bits at its end")
    return data


def new_key(path: Path, name: str = "") -> PrivateKey:
    """Create a key: the private half in a new file of mode 0600, the public half in `FILE.pub`. Existing files are not
    replaced.
    """
    public_path = path.with_name(path.name + ".pub")
    key = PrivateKey(ed25519().Ed25519PrivateKey.generate())
    public = render_public(key.public, name)
    for place in (path, public_path):
        if os.path.lexists(place):
            raise TrustError(f"`{place}` exists already", "give another name: a key is never replaced")
    from cryptography.hazmat.primitives import serialization as form  # noqa: PLC0415

    private = key._key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())  # noqa: SLF001
    _create(path, private, 0o600)
    try:
        _create(public_path, public.encode(), 0o644)
    except TrustError:
        path.unlink()  # half a key is none, and would stand in the way of the next try
        raise
    return key


def _create(path: Path, data: bytes, mode: int) -> None:
    try:
        handle = os.open(path, NEW, mode)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise TrustError(f"`{path}` exists already", "give another name: a key is never replaced") from None
    except OSError as error:
        reason = (error.strerror or "error").lower()
        raise TrustError(f"`{path}` cannot be written: {reason}", "give a place that you can write to") from None


def render_public(key: PublicKey, name: str = "") -> str:
    """Return the text of a public key file."""
    if name:
        check_name(name)
    from cryptography.hazmat.primitives import serialization as form  # noqa: PLC0415

    point = ed25519().Ed25519PublicKey.from_public_bytes(key.raw)
    pem: bytes = point.public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)
    return (f"name: {name}\n" if name else "") + pem.decode("ascii")


def check_name(name: str) -> str:
    """Return the name of a key if it can be shown to a person."""
    if not name.strip() or name != name.strip() or len(name) > MAX_NAME or HIDDEN.search(name):
        message = "the name of a key is empty, longer than 200 characters, or holds characters that cannot be seen"
        raise TrustError(message, "give a short name that can be read")
    return name


def read_private(path: Path) -> PrivateKey:
    """Read a private key from a file that only its owner can open."""
    return parse_private(read_small(path, "the private key", MAX_FILE, private=True), str(path))


def parse_private(data: bytes, file: str) -> PrivateKey:
    """Parse a private key in PEM."""
    key = _loaded(data, file, _PRIVATE, "private")
    if not isinstance(key, ed25519().Ed25519PrivateKey):
        raise TrustError(f"{file}: the private key is not of the kind Ed25519", _MAKE)
    return PrivateKey(key)


def read_public(path: Path) -> NamedKey:
    """Read a public key file."""
    return parse_public(read_small(path, "the public key", MAX_FILE), str(path))


def parse_public(data: bytes, file: str) -> NamedKey:
    """Parse a public key in PEM, with the name above it."""
    head, mark, _ = data.partition(_PUBLIC.encode())
    try:
        lines = head.decode("utf-8").splitlines() if mark else []
    except UnicodeDecodeError:
        raise TrustError(f"{file}: the text above the key is not UTF-8", "keep only a line `name: …` there") from None
    if lines and (len(lines) > 1 or not lines[0].startswith("name: ")):
        raise TrustError(f"{file}: something precedes the key", "keep only a line `name: …` there")
    key = _loaded(data[len(head) :], file, _PUBLIC, "public")
    if not isinstance(key, ed25519().Ed25519PublicKey):
        raise TrustError(f"{file}: the public key is not of the kind Ed25519", _MAKE)
    return NamedKey(public_key(key.public_bytes_raw()), check_name(lines[0][6:]) if lines else "")


def is_private(data: bytes) -> bool:
    """Return whether some bytes look like a private key of any kind."""
    return b"PRIVATE KEY-----" in data


def _loaded(data: bytes, file: str, mark: str, what: str) -> Any:
    """Load a key with the package, whose many exceptions become one."""
    ed25519()
    from cryptography.hazmat.primitives import serialization as form  # noqa: PLC0415

    text = data.decode("latin-1").strip()
    if not text.startswith(mark) or text.count("-----BEGIN ") != 1:
        if "ENCRYPTED" in text[:80]:
            raise TrustError(f"{file}: the private key is encrypted", "decrypt it into a file of mode 0600 first")
        raise TrustError(f"{file}: not a {what} key in PEM", _MAKE)
    try:
        return form.load_pem_private_key(data, None) if what == "private" else form.load_pem_public_key(data)
    except Exception as error:  # noqa: BLE001  the package raises whatever its parts raise; none of it is a key
        raise TrustError(f"{file}: not a {what} key ({type(error).__name__})", _MAKE) from None


def _degenerate(raw: bytes) -> bool:
    """Return whether 32 bytes are not a point of the curve, a non-canonical one, or one of order at most 8.

    With x² = (y² - 1)/(d y² + 1), doubling needs only y and x²; three doublings take a point of small order to y = 1.
    """
    y = int.from_bytes(raw, "little") & ((1 << 255) - 1)
    if y >= _P:
        return True
    for step in range(3):
        square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P  # never zero: -1 is a square and d is none
        if step == 0 and square and pow(square, (_P - 1) // 2, _P) != 1:
            return True
        y = (y * y + square) * pow(1 - _D * square * y * y, -1, _P) % _P
    return y == 1
