"""A folder with keys and settings for all parties of one machine. What is there stays: keys are never replaced."""

from __future__ import annotations

import json
import os
import secrets
from typing import TYPE_CHECKING, Any

from remit.authority.program.language import read_policy
from remit.authority.settings import HOURS
from remit.authority.tables.cuckoo import KEY_BYTES
from remit.authority.values.proof import ED25519, HMAC
from remit.bundle.keys import new_key
from remit.core.errors import InputError
from remit.executor.keys import SHARED_BYTES
from remit.gateway.deployment.files import EFFECTS, create, next_epoch, put_policy, replace
from remit.gateway.deployment.plan import Party, single_machine
from remit.gateway.private import make_private

if TYPE_CHECKING:
    from pathlib import Path

_SIGNING = ("p0", "p1", "approver", "operator")
_SECRET = ("table", "binding", "handle")
_LONGEST = 107 - len("/run/dealer-p0.sock")  # bytes: what the kernel takes for the path of a socket
_FOLDERS = ("keys", "policy", "run", "state", "log", "workspace")


def make_folder(folder: Path, policy: Path | None, profile: str = "", hours: int = 0) -> tuple[Party, ...]:
    """The parties of a folder, which is made if it is not there. A policy that does not compile is refused before anything starts.

    `profile`: how servers sign; `hours`: how long a request waits for an approver. As before if they are not given.
    """
    if policy is not None:
        read_policy(policy)
    if len(os.fsencode(folder)) > _LONGEST:
        message = f"the name of `{folder}` is too long for sockets in it"
        raise InputError(message, f"choose a --folder with at most {_LONGEST} bytes in its name")
    try:
        for name in ("", *_FOLDERS):
            make_private(folder / name)
    except OSError as error:
        message = f"`{folder}` can not be made: {(error.strerror or 'error').lower()}"
        raise InputError(message, "choose another --folder, where you may write") from None
    if folder.stat().st_uid != os.getuid() or folder.stat().st_mode & 0o077:
        raise InputError(f"`{folder}` can be entered by others", f"chmod 700 {folder}")
    for name in _SIGNING:
        if not (folder / "keys" / f"{name}.key").exists():
            new_key(folder / "keys" / f"{name}.key", name)
    for name in _SECRET:
        create(folder / "keys" / f"{name}.key", secrets.token_bytes(KEY_BYTES))
    create(folder / "effects.json", EFFECTS)
    put_policy(folder / "policy", policy)
    epoch = next_epoch(folder / "state" / "epoch.json", folder / "policy", folder / "keys" / "table.key")
    signing = profile or _before(folder / "executor.json", "profile", ED25519)
    if signing == HMAC:
        for name in ("p0", "p1"):
            create(folder / "keys" / f"{name}.mac", secrets.token_bytes(SHARED_BYTES))
    waits = hours or _before(folder / "gateway.json", "confirm_hours", HOURS)
    parties = single_machine(folder / "run", os.getuid(), epoch, signing, waits)
    for party in parties:
        replace(folder / f"{party.role}.json", json.dumps(party.settings, indent=2).encode() + b"\n")
    return parties


def _before(kept: Path, name: str, default: Any) -> Any:
    """What a party's settings say up to now."""
    return json.loads(kept.read_bytes()).get(name, default) if kept.exists() else default
