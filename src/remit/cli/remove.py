"""`remit remove`: removes an installed skill from its host. Nothing is deleted: the folder is moved to the state
folder.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from remit.cli.installed_skills import changes_of, one_record, record_value
from remit.cli.messages import say
from remit.cli.staging_area import tilde
from remit.core.errors import UsageError
from remit.guard.session.workspace import root_of
from remit.guard.state_folder import prepared, state_folder
from remit.installation.files import remove_skill
from remit.installation.hosts import PROJECT
from remit.installation.records import Installed, change_records, without_record
from remit.installation.trust import Trust
from remit.report.screen import visible

if TYPE_CHECKING:
    import argparse


_SHOWN = 10  # changed files that are named


def remove(args: argparse.Namespace) -> int:
    """Run the command."""
    record = one_record(args)
    target = Path(record.folder)
    kept = _moved(args, record) if os.path.lexists(target) else None
    change_records(without_record(record))
    with Trust(unattended=True) as trust:
        trust.forget(target)
        note = trust.lock(root_of(str(target.parent)), target, None) if record.scope == PROJECT else ""
    if note:
        say(note)
    if args.json:
        print(json.dumps({"removed": record_value(record), "kept": str(kept) if kept else None}, indent=1))
    elif kept:
        print(f"removed {visible(record.name)} from {record.host}; it is kept in {visible(tilde(kept))}")
    else:
        print(f"{visible(tilde(target))} was gone already; {visible(record.name)} is forgotten")
    return 0


def _moved(args: argparse.Namespace, record: Installed) -> Path:
    changed = changes_of(record)
    if changed and not args.force:
        more = f" and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else ""
        message = f"`{record.name}` was changed by hand: {', '.join(changed[:_SHOWN])}{more}"
        raise UsageError(message, "--force removes it all the same; it is kept in the state folder")
    return remove_skill(Path(record.folder), prepared(state_folder()).folder / "kept")
