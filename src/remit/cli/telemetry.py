"""`remit telemetry`: shows, writes and removes the configuration file of telemetry."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.errors import UsageError
from remit.core.telemetry_table import FILE, told
from remit.guard.state_folder import prepared, state_folder
from remit.telemetry.settings import FORM, TelemetrySettings, as_json, read_settings

if TYPE_CHECKING:
    import argparse


_LATER = "It counts for processes that begin from now on: `remit guard stop`, `remit up`."


def telemetry(args: argparse.Namespace) -> int:
    """Run the command."""
    folder = Path(args.folder).absolute() if args.folder else state_folder()
    path = folder / FILE
    if args.action is None:
        _show(args.format, path, read_settings(path) if path.exists() else None)
        return 0
    from remit.guard.approvals.persons import present  # noqa: PLC0415  only who changes something is looked at

    present(unattended=True)  # no terminal is needed; an agent may not choose the receiver
    if args.action == "off":
        path.unlink(missing_ok=True)
        print(f"Nothing is sent. {_LATER}")
        return 0
    text = as_json(_words(args.words))
    if not args.folder:
        prepared(folder)
    _write(path, text)
    _show("text", path, read_settings(path))
    print(f"\n{_LATER}")
    return 0


def _words(words: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if name not in FORM.fields or name == "v" or not equals or name in found:
            raise UsageError(
                f"`{word}` is not understood", "otlp=URL, prometheus=ADDRESS:PORT, log=FILE, level=NAME; each once"
            )
        found[name] = value
    return found


def _write(path: Path, text: str) -> None:
    draft = path.with_name(f".{FILE}.{os.getpid()}")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:  # noqa: PTH123
            file.write(text)
        draft.replace(path)
    except OSError as error:
        raise UsageError(f"`{path}` cannot be written: {(error.strerror or 'error').lower()}", "see --folder") from None


def _show(form: str, path: Path, settings: TelemetrySettings | None) -> None:
    ports = _ports(settings) if settings else {}
    if form == "json":
        found = (
            {"otlp": settings.otlp, "figures": ports, "log": settings.log, "level": settings.level} if settings else {}
        )
        print(json.dumps({"file": str(path), "on": settings is not None, **found}, indent=2))
        return
    if settings is None:
        print("Nothing is sent: `remit telemetry on --help`")
        return
    print(f"Telemetry, by {path}\n")
    print(f"  spans    {settings.otlp or 'to nobody'}")
    print(f"  log      {settings.log or 'nowhere'}{f', {settings.level} and graver' if settings.log else ''}")
    print(f"  figures  {'' if ports else 'nowhere'}", end="" if ports else "\n")
    for number, (name, address) in enumerate(ports.items()):
        print(f"{' ' * 11 if number else ''}{name:9} http://{address}/metrics")


def _ports(settings: TelemetrySettings) -> dict[str, str]:
    if settings.address is None:
        return {}
    host, first = settings.address
    shown = f"[{host}]" if ":" in host else host
    return {name: f"{shown}:{first + place}" for name, place in told().processes.items()}
