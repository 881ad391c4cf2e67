"""The encryption of a gateway's state, and the settings that say where the state lies.

Values are encrypted with AES-256-GCM under the gateway's own key, with a fresh nonce and bound to their
context, which is authenticated with the value: ciphertext that is moved to another handle, session or caller does not
decrypt.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from remit.bundle.files import read_small
from remit.core.digest import canonical
from remit.core.errors import AuthorityError, PackageError, UsageError
from remit.executor.tables import Database

if TYPE_CHECKING:
    from pathlib import Path

    from remit.authority.settings import PartySettings


KEY_BYTES, _NONCE_BYTES = 32, 12
_DOMAIN = b"remit/sealed/v1\0"


class Vault:
    """The encryption key of a gateway. It cannot be printed or pickled."""

    __slots__ = ("_cipher",)

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise AuthorityError(f"the key of a gateway has {KEY_BYTES} bytes", "let `remit up` make one")
        try:
            from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415
        except ImportError:
            raise PackageError("cryptography", "authority") from None
        self._cipher = AESGCM(key)

    def __repr__(self) -> str:
        return "Vault()"

    def __reduce__(self) -> Any:
        raise TypeError("a key stays where it is")

    def seal(self, plain: bytes, about: dict[str, Any]) -> bytes:
        """Encrypt a value for storage. `about` is the context that it is bound to."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, plain, _DOMAIN + canonical(about))

    def unseal(self, sealed: bytes, about: dict[str, Any]) -> bytes:
        """Decrypt a value; AuthorityError if it was changed or is bound to another context."""
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415  installed, or the vault would not exist

        try:
            return self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], _DOMAIN + canonical(about))
        except (InvalidTag, ValueError):
            raise AuthorityError("a sealed value was changed, or is of another key", "restore the store") from None


def read_vault(path: Path) -> Vault:
    """Read the key from a file; a file that others can read is refused."""
    return Vault(read_small(path, "the key of the gateway", KEY_BYTES, AuthorityError, private=True))


SERVER = "state-server"  # name of the settings file entry for the database address, which may hold a password
_MOST = 4096


def database_of(settings: PartySettings) -> Database | None:
    """Return the database that the settings of a gateway name, or None if its state lies in files."""
    if SERVER not in settings.files:
        return None
    data = read_small(settings.file(SERVER), "the address of the database", _MOST, UsageError, private=True)
    address = data.decode("utf-8", "replace").strip()
    if not address.startswith(("postgres://", "postgresql://")):
        raise UsageError(
            "the state of a gateway is at no address that is known", "write postgresql://USER@HOST/DATABASE"
        )
    return Database(address)
