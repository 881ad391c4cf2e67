"""Files of an installation: written atomically, readable by their owner alone; keys are never replaced."""

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
BUILT = "built"  # the folder for build products of the policy
TABLES, GATEWAY_LAYOUT, EXECUTOR_LAYOUT = "tables", "gateway.layout", "executor.layout"
# by role: all that it gets of a policy
GIVEN = {"p0": TABLES, "p1": TABLES, "gateway": GATEWAY_LAYOUT, "executor": EXECUTOR_LAYOUT}


def create(path: Path, data: bytes) -> None:
    """Write a file unless it exists."""
    if path.exists():
        return
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)


def replace(path: Path, data: bytes) -> None:
    """Replace a file atomically."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    create(new, data)
    new.replace(path)


def put_policy(place: Path, given: Path | None) -> None:
    """Install a policy and its lists. Without `given`, keep the folder's policy or install the starter policy."""
    source = given or (None if (place / POLICY).exists() else STARTER)
    if source is None:
        return
    for one in read_policy(source).files:
        replace(place / one.name, one.read_bytes())
    replace(place / POLICY, source.read_bytes())


def build_policy(policy: Path, built: Path) -> int:
    """Build the tables and layouts of a policy and return its epoch.

    A changed policy gets new table keys and a higher epoch.

    The binding key stays: requests that wait for an approver or for their commit are then judged by the new policy, and
    happen if it decides the same. The epoch is at least the time in seconds, so it does not go back when the record of
    the last build is lost.
    """
    # the console uses this module without building tables, and has no NumPy
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
    """Return the binding key of the last build, or a new one."""
    return bytes.fromhex(json.loads(layout.read_bytes())["binding_key"]) if layout.exists() else secrets.token_bytes(32)


def epoch_of(built: Path) -> int:
    """Return the epoch of the last build, also if only the built files are left; 0 before the first build."""
    kept, layout = built / _EPOCH, built / GATEWAY_LAYOUT
    if kept.exists():
        return int(json.loads(kept.read_bytes())[0])
    return int(json.loads(layout.read_bytes())["epoch"]) if layout.exists() else 0
