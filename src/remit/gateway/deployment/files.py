"""Files of an installation: written whole or not at all, open to their owner alone, and keys never replaced."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from remit.authority.database import build_database
from remit.authority.program.language import read_policy
from remit.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

STARTER = Path(__file__).with_name("starter.policy")
EFFECTS = b'{\n  "v": 1\n}\n'
POLICY = "remit.policy"


def create(path: Path, data: bytes) -> None:
    """Write a file that is not there; one that is stays as it is."""
    if path.exists():
        return
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)


def replace(path: Path, data: bytes) -> None:
    """Write a file anew, whole or not at all."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    create(new, data)
    new.replace(path)


def same_everywhere(paths: Iterable[Path], fresh: bytes) -> None:
    """A secret that several parties have: what one of them has already, or a fresh one. InputError if they differ."""
    wanted = list(paths)
    known = {path.read_bytes() for path in wanted if path.exists()}
    if len(known) > 1:
        raise InputError(f"`{wanted[0].name}` is not the same in all folders", "bring the right one back")
    for path in wanted:
        create(path, next(iter(known), fresh))


def put_policy(place: Path, given: Path | None) -> None:
    """The policy with the lists that lie beside it; that of the folder if none is given, and a starter if there is none."""
    source = given or (None if (place / POLICY).exists() else STARTER)
    if source is None:
        return
    for one in read_policy(source).files:
        replace(place / one.name, one.read_bytes())
    replace(place / POLICY, source.read_bytes())


def next_epoch(kept: Path, policy: Path, table_key: Path) -> int:
    """The number of the policy: it grows with each change of it, so that old proofs do not fit."""
    database = build_database(read_policy(policy / POLICY), table_key.read_bytes(), 0)
    now = [database.layout.digest, database.layout.database]
    number, known = json.loads(kept.read_bytes()) if kept.exists() else (0, [])
    if known != now:
        number += 1
        replace(kept, json.dumps([number, now]).encode())
    return int(number)
