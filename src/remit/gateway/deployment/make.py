"""A folder with keys and settings for all parties of one machine. What is there stays: keys are never replaced."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from remit.authority.database import build_database
from remit.authority.program.language import read_policy
from remit.authority.tables.cuckoo import KEY_BYTES
from remit.bundle.keys import new_key
from remit.core.errors import InputError
from remit.executor.keys import ED25519, HMAC, SHARED_BYTES
from remit.gateway.deployment.plan import single_machine

if TYPE_CHECKING:
    from remit.gateway.deployment.plan import Party

_SIGNING = ("p0", "p1", "approver", "operator")
_SECRET = ("table", "binding", "handle")
_FOLDERS = ("keys", "policy", "run", "state", "log", "workspace")
_STARTER = Path(__file__).with_name("starter.policy")
_EFFECTS = '{\n  "v": 1\n}\n'


def make_folder(folder: Path, policy: Path | None, profile: str = "") -> tuple[Party, ...]:
    """The parties of a folder, which is made if it is not there. A policy that does not compile is refused before anything starts.

    `profile`: how servers sign; as before if it is empty.
    """
    for name in ("", *_FOLDERS):
        (folder / name).mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid != os.getuid() or folder.stat().st_mode & 0o077:
        raise InputError(f"`{folder}` can be entered by others", f"chmod 700 {folder}")
    for name in _SIGNING:
        if not (folder / "keys" / f"{name}.key").exists():
            new_key(folder / "keys" / f"{name}.key", name)
    for name in _SECRET:
        _create(folder / "keys" / f"{name}.key", secrets.token_bytes(KEY_BYTES))
    _create(folder / "effects.json", _EFFECTS.encode())
    _policy(folder / "policy", policy)
    epoch, signing = _epoch(folder), profile or _profile(folder)
    if signing == HMAC:
        for name in ("p0", "p1"):
            _create(folder / "keys" / f"{name}.mac", secrets.token_bytes(SHARED_BYTES))
    parties = single_machine(folder / "run", os.getuid(), epoch, signing)
    for party in parties:
        _replace(folder / f"{party.role}.json", json.dumps(party.settings, indent=2).encode() + b"\n")
    return parties


def _policy(place: Path, given: Path | None) -> None:
    """The policy with the lists that lie beside it; that of the folder if none is given, and a starter if there is none."""
    source = given or (None if (place / "remit.policy").exists() else _STARTER)
    if source is None:
        return
    for one in read_policy(source).files:
        _replace(place / one.name, one.read_bytes())
    _replace(place / "remit.policy", source.read_bytes())


def _profile(folder: Path) -> str:
    """How servers sign in this folder up to now."""
    kept = folder / "executor.json"
    return str(json.loads(kept.read_bytes())["profile"]) if kept.exists() else ED25519


def _epoch(folder: Path) -> int:
    """The number of the policy: it grows with each change of it, so that old proofs do not fit."""
    kept = folder / "state" / "epoch.json"
    policy = read_policy(folder / "policy" / "remit.policy")
    database = build_database(policy, (folder / "keys" / "table.key").read_bytes(), 0)
    now = [database.layout.digest, database.layout.database]
    number, known = json.loads(kept.read_bytes()) if kept.exists() else (0, [])
    if known != now:
        number += 1
        _replace(kept, json.dumps([number, now]).encode())
    return int(number)


def _create(path: Path, data: bytes) -> None:
    if path.exists():
        return
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)


def _replace(path: Path, data: bytes) -> None:
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    _create(new, data)
    new.replace(path)
