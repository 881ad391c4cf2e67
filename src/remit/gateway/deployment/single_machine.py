"""A folder with keys and settings for all parties on one machine. Existing keys are never replaced."""

from __future__ import annotations

import json
import os
import secrets
from typing import TYPE_CHECKING

from remit.authority.program.language import read_policy
from remit.authority.settings import HOURS
from remit.bundle.keys import new_key
from remit.core.errors import InputError
from remit.gateway.deployment.files import BUILT, EFFECTS, POLICY, build_policy, create, put_policy, replace
from remit.gateway.deployment.plan import Party, single_machine
from remit.gateway.private import make_private
from remit.gateway.vault import KEY_BYTES

if TYPE_CHECKING:
    from pathlib import Path

_SIGNING = ("p0", "p1", "approver", "operator")
_SECRET = ("handle",)
_LONGEST = 107 - len("/run/executor.sock")  # bytes: the kernel's limit for the path of a socket
_FOLDERS = ("keys", "policy", BUILT, "run", "state", "log", "workspace")


def make_folder(folder: Path, policy: Path | None, hours: int = 0) -> tuple[Party, ...]:
    """Create or update the folder and return its parties.

    A policy that does not compile is refused before anything starts.

    `hours`: how long a request waits for an approver; 0 keeps the present value.
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
    build_policy(folder / "policy" / POLICY, folder / BUILT)
    kept = folder / "gateway.json"
    before = json.loads(kept.read_bytes()).get("confirm_hours", HOURS) if kept.exists() else HOURS
    parties = single_machine(folder / "run", os.getuid(), hours or before)
    for party in parties:
        replace(folder / f"{party.role}.json", json.dumps(party.settings, indent=2).encode() + b"\n")
    return parties
