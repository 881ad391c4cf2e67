"""`remit convert`: writes a manifest in another format, and reports everything that is lost."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from remit.cli.messages import say
from remit.core.errors import InputError, UsageError
from remit.manifest.find import file_of, find_manifest, read_any
from remit.manifest.foreign.formats import format_named
from remit.manifest.foreign.result import Loss, ordered

if TYPE_CHECKING:
    import argparse


def convert(args: argparse.Namespace) -> int:
    """Run the command."""
    source = _source(Path(args.path), args.source)
    target = format_named(args.target)
    reading = read_any(source, args.source)
    as_json = target.json is not None and args.output and args.output.endswith(".json")
    writing = target.json(reading.manifest) if as_json and target.json else target.write(reading.manifest)
    losses = ordered([*reading.losses, *writing.losses])
    if args.format == "json":
        listed = [{"kind": loss.kind, "message": loss.message, "capabilities": loss.capabilities} for loss in losses]
        document = {"from": str(source), "to": target.name, "losses": listed, "text": writing.text}
        sys.stdout.write(json.dumps(document, indent=2) + "\n")
    else:
        _tell(losses)
    if losses and args.strict:
        return 1
    if args.output:
        _save(Path(args.output), writing.text)
    elif args.format != "json":
        sys.stdout.write(writing.text)
    return 0


def _source(path: Path, format_name: str) -> Path:
    """Return the file that a path means: itself, or the manifest of a skill's folder."""
    if not path.is_dir():
        if not path.exists():
            raise InputError(f"`{path}` does not exist", "give a manifest, or the folder of a skill")
        return path
    found = file_of(path, format_name) if format_name else find_manifest(path)
    if found is None:
        what = f"no manifest of the format {format_name}" if format_name else "no manifest"
        remedy = "name the file; or read the tools that it pre-approves with `--from allowed-tools`"
        raise InputError(f"there is {what} in `{path}`", remedy)
    return found


def _tell(losses: tuple[Loss, ...]) -> None:
    for loss in losses:
        say(f"{loss.kind}: {loss.message}")


def _save(path: Path, text: str) -> None:
    """Write a new file: an existing manifest is not replaced by accident."""
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"`{path}` exists already", "give another name, or remove it first") from None
    except OSError as error:
        raise UsageError(
            f"`{path}` cannot be written: {(error.strerror or 'error').lower()}", "give another place"
        ) from None
