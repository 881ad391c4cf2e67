"""The key that signs the heads of the log: Ed25519 if its package is installed, else a local key of this machine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from remit.audit.head import Places, local_key, read_local_key
from remit.core.errors import PackageError, TrustError

if TYPE_CHECKING:
    from pathlib import Path

    from remit.audit import Checker, Signer

NAME = "audit.key"


def audit_signer(folder: Path) -> Signer:
    """Return the signer of a state folder's log; its key is made if there is none. For `Log.open(folder,
    audit_signer)`.
    """
    from remit.bundle.keys import ed25519, new_key, read_private  # noqa: PLC0415  asked for when the first head is due

    try:
        ed25519()
    except PackageError:
        return local_key(Places(folder))
    path = folder / "keys" / NAME
    if not path.exists():
        try:
            new_key(path, "Remit audit log")
        except TrustError:
            if not path.exists():  # otherwise another process was faster
                raise
    return read_private(path)


def audit_checkers(folder: Path, more: Iterable[Path] = ()) -> dict[str, Checker]:
    """Return the keys of a state folder that can verify heads, and the public keys in other files, by name."""
    from remit.bundle.keys import read_public  # noqa: PLC0415

    found: list[Checker] = []
    public = folder / "keys" / f"{NAME}.pub"
    found += [read_public(path).key for path in ([public] if public.exists() else []) + list(more)]
    if Places(folder).local_key.exists():
        found.append(read_local_key(Places(folder)))
    return {checker.keyid: checker for checker in found}
