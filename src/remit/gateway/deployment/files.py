"""Files of an installation: written whole or not at all, open to their owner alone, and keys never replaced."""

from __future__ import annotations

import json
import os
import secrets
import time
from pathlib import Path

from remit.authority.program.language import read_policy
from remit.core.digest import digest

STARTER = Path(__file__).with_name("starter.policy")
EFFECTS = b'{\n  "v": 1\n}\n'
POLICY = "remit.policy"
_EPOCH = "epoch.json"
BUILT = "built"  # the folder of what follows from the policy
TABLES, GATEWAY_LAYOUT, EXECUTOR_LAYOUT = "tables", "gateway.layout", "executor.layout"
GIVEN = {
    "p0": TABLES,
    "p1": TABLES,
    "gateway": GATEWAY_LAYOUT,
    "executor": EXECUTOR_LAYOUT,
}  # by role: all that it gets of a policy


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


def put_policy(place: Path, given: Path | None) -> None:
    """The policy with the lists that lie beside it; that of the folder if none is given, and a starter if there is none."""
    source = given or (None if (place / POLICY).exists() else STARTER)
    if source is None:
        return
    for one in read_policy(source).files:
        replace(place / one.name, one.read_bytes())
    replace(place / POLICY, source.read_bytes())


def build_policy(policy: Path, built: Path) -> int:
    """The tables and layouts of a policy; gives its epoch. A changed policy is built anew, with new keys of its tables and a higher epoch.

    The binding key stays: what waits for an approver, or for its commit, is of the new policy then, and happens if that decides the same.
    The epoch is at least the time in seconds: when what is known of the last build is lost, it does not begin again at a lower one.
    """
    # the console knows the parties without building tables, and has no NumPy
    from remit.authority.database import build_database, make_probes, new_keys  # noqa: PLC0415
    from remit.authority.policy_files import FORM, write_layout, write_tables  # noqa: PLC0415
    from remit.authority.program.compiled import compile_policy  # noqa: PLC0415

    read = read_policy(policy)
    values = {name: list(one.values) for name, one in read.lists.items()}
    source = digest({"form": FORM, "program": compile_policy(read).digest(), "values": values})
    kept, files = built / _EPOCH, [built / name for name in (TABLES, GATEWAY_LAYOUT, EXECUTOR_LAYOUT)]
    number, known = epoch_of(built), str(json.loads(kept.read_bytes())[1]) if kept.exists() else ""
    if known == source and all(file.exists() for file in files):
        return int(number)
    epoch = max(number + 1, int(time.time()))
    made, binding = build_database(read, new_keys(), epoch), _binding(built / GATEWAY_LAYOUT)
    contents = (
        write_tables(made.holdings),
        write_layout(made.gateway, binding, make_probes(made)),
        write_layout(made.executor, binding),
    )
    for file, data in zip(files, contents, strict=True):
        replace(file, data)
    replace(kept, json.dumps([epoch, source]).encode())
    return epoch


def _binding(layout: Path) -> bytes:
    """The binding key of the last build, or a new one."""
    return bytes.fromhex(json.loads(layout.read_bytes())["binding_key"]) if layout.exists() else secrets.token_bytes(32)


def epoch_of(built: Path) -> int:
    """The epoch of the last build, also if only what was built is there; 0 before there is one."""
    kept, layout = built / _EPOCH, built / GATEWAY_LAYOUT
    if kept.exists():
        return int(json.loads(kept.read_bytes())[0])
    return int(json.loads(layout.read_bytes())["epoch"]) if layout.exists() else 0
