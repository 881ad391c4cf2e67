"""Shared by `remit update`, `remit remove` and `remit list`: selection, state and JSON form of installed skills."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from remit.cli.staging_area import tilde
from remit.core.errors import InputError, UsageError
from remit.installation.hosts import PROJECT, USER
from remit.installation.records import Installed, local_changes, read_records, read_tree
from remit.manifest.read import NAME

if TYPE_CHECKING:
    import argparse


UNREADABLE = "it cannot be read as a skill any more"


def chosen_records(args: argparse.Namespace) -> list[Installed]:
    """Return the installed skills that a command line means; UsageError if it names one that Remit did not install."""
    scope = PROJECT if args.project else USER if args.user else ""
    found = [
        one
        for one in read_records()
        if args.name in (None, one.name) and args.host in ("", one.host) and scope in ("", one.scope)
    ]
    if not found:
        what = f"no skill `{args.name}`" if args.name else "no skill"
        raise UsageError(f"{what} was installed by Remit here", "`remit list` shows what is installed")
    return found


def one_record(args: argparse.Namespace) -> Installed:
    """Return the one installed skill that is meant."""
    found = chosen_records(args)
    if len(found) > 1:
        folders = ", ".join(tilde(one.folder) for one in found)
        message = f"`{args.name}` is installed more than once: {folders}"
        raise UsageError(message, "choose one with --host, --user or --project")
    return found[0]


def changes_of(record: Installed) -> list[str]:
    """Return the manual changes since a skill was installed; InputError if it is gone."""
    folder = Path(record.folder)
    if folder.is_symlink():
        raise InputError(f"`{tilde(folder)}` is a symbolic link now, which Remit did not make", "look where it leads")
    if not folder.is_dir():
        raise InputError(f"`{tilde(folder)}` is gone", f"`remit remove {record.name}` forgets it")
    try:
        return local_changes(record, read_tree(folder), NAME)
    except InputError as error:
        return [f"{UNREADABLE}: {error.message}"]


def record_value(record: Installed) -> dict[str, Any]:
    """Return an installed skill as JSON values."""
    source = record.source
    return {
        "name": record.name,
        "host": record.host,
        "scope": record.scope,
        "folder": record.folder,
        "source": {
            "name": source.given,
            "address": source.address,
            "path": source.path or ".",
            "kind": str(source.kind),
        },
        "resolved": record.version.resolved,
        "content": record.version.content,
        "manifest": "drafted" if record.version.drafted else "own",
    }
