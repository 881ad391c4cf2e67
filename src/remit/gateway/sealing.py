"""Values at rest: AES-256-GCM under the gateway's own key, each with a fresh nonce, tied to what it belongs to.

What a value belongs to is authenticated with it: bytes that were moved to another handle, session or caller do not open.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from remit.bundle.files import read_small
from remit.core.digest import canonical
from remit.core.errors import AuthorityError, PackageError

if TYPE_CHECKING:
    from pathlib import Path

KEY_BYTES, _NONCE_BYTES = 32, 12
_DOMAIN = b"remit/sealed/v1\0"


class Vault:
    """The key of a gateway. It is never shown."""

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
        """The bytes that may lie on a disk. `about` is what they belong to."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, plain, _DOMAIN + canonical(about))

    def unseal(self, sealed: bytes, about: dict[str, Any]) -> bytes:
        """What was sealed; AuthorityError if it was changed, or belongs to something else."""
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415  the class is there if the vault is

        try:
            return self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], _DOMAIN + canonical(about))
        except (InvalidTag, ValueError):
            raise AuthorityError("a sealed value was changed, or is of another key", "restore the store") from None


def read_vault(path: Path) -> Vault:
    """The key in a file; one that others can open is refused."""
    return Vault(read_small(path, "the key of the gateway", KEY_BYTES, AuthorityError, private=True))
