"""`remit gateway init` and `remit gateway import`: create the settings of a gateway."""

from __future__ import annotations

import getpass
import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from remit.bundle.files import read_small
from remit.core.errors import PackageError, UsageError
from remit.gateway.inbound.access import Bind
from remit.gateway.inbound.findings import findings
from remit.gateway.inbound.settings.values import CLAUDE_CODE, CLIENTS, CODEX, MODEL, Settings
from remit.gateway.inbound.settings.writer import Choices, model_of, starting, write_settings
from remit.guard.state_folder import state_folder
from remit.report.screen import Screen, visible

if TYPE_CHECKING:
    import argparse

    from remit.gateway.inbound.settings.openclaw import Imported

_MOST, _MOST_KEY = 4 * 1024 * 1024, 16 * 1024
_PROGRAMS = {CLAUDE_CODE: "claude", CODEX: "codex"}
_SCRIPT = "script"
_VARIABLES = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}


def init(args: argparse.Namespace, path: Path) -> int:
    """Ask for what is not given, and write the settings. Enter takes the shown default, which is the safe choice."""
    if path.exists():
        raise UsageError(f"`{path}` is there already", "edit it, or name another place with --settings")
    choices = _chosen(args, asks=sys.stdin.isatty() and not args.yes)
    settings = write_settings(starting(choices), path)
    _told(path, settings, _next(args, choices))
    return 0


def _chosen(args: argparse.Namespace, *, asks: bool) -> Choices:
    installed = [name for name, program in _PROGRAMS.items() if shutil.which(program)]
    kinds = (*CLIENTS, MODEL, _SCRIPT)
    first = next(iter(installed), MODEL if args.model_url else _SCRIPT)
    backend = args.backend or _ask("What answers", first, kinds, asks=asks)
    bind = args.bind or _ask("Who reaches it", str(Bind.LOOPBACK), tuple(map(str, Bind)), asks=asks)
    choices = Choices(
        MODEL if backend == _SCRIPT else backend, bind=Bind(bind), port=args.port or 0, operator=_operator()
    )
    if backend == _SCRIPT:
        return choices
    speaks = args.speaks or (
        _ask("The model speaks", "anthropic", ("anthropic", "openai"), asks=asks) if backend == MODEL else ""
    )
    usual = model_of(backend, speaks or "anthropic")
    url = args.model_url or _ask("Address of the model", usual["url"], asks=asks)
    name = args.model or _ask("Name of the model", "", asks=asks)
    if not name:
        raise UsageError("no model is named", "give --model NAME, or `--backend script` to try it without one")
    return choices._replace(speaks=usual["speaks"], url=url, name=name, key=_key(args, usual["speaks"], asks=asks))


def _ask(what: str, usual: str, words: tuple[str, ...] = (), *, asks: bool) -> str:
    while asks:
        of = f" ({', '.join(words)})" if words else ""
        print(f"{what}{of}{f' [{usual}]' if usual else ''}: ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise UsageError("the input ended", "give --yes and options in the place of answers")
        if not line.strip() or not words or line.strip() in words:
            return line.strip() or usual
    return usual


def _key(args: argparse.Namespace, speaks: str, *, asks: bool) -> str:
    """Return the key of the model: from a file, the environment, or typed without being shown."""
    if args.key_file:
        return read_small(Path(args.key_file), "the key", _MOST_KEY, UsageError).decode().strip()
    if found := os.environ.get(_VARIABLES[speaks], ""):
        return found
    return getpass.getpass("Key of the model (not shown; Enter for none): ").strip() if asks else ""


def _operator() -> str:
    """Return the name of this machine's own terminal, which is created first."""
    try:
        from remit.cli.chat import KEY  # noqa: PLC0415  packages of its own
        from remit.gateway.inbound.channels.terminal import visitors_secret  # noqa: PLC0415
    except ImportError as error:
        raise PackageError(error.name or "websockets", "gateway") from None
    from remit.gateway.inbound.channels.terminal import visitor_name  # noqa: PLC0415

    return visitor_name(visitors_secret(state_folder() / KEY))


def _next(args: argparse.Namespace, choices: Choices) -> list[str]:
    more = f" --settings {args.settings}" if args.settings else ""
    reached = "" if choices.bind is Bind.LOOPBACK else "; who connects shows what is in the file `token` beside it"
    return [
        "",
        f"remit gateway up{more}      start it{reached}",
        "remit gateway chat    chat with it here: this terminal is admitted as an operator",
    ]


def _told(path: Path, settings: Settings, more: list[str]) -> None:
    warnings = [
        f"warn  {one.id} ({one.at}): {one.kind.says}" for one in findings(settings) if one.id != "channel.no_operator"
    ]
    Screen.of(sys.stdout, "auto").write([f"wrote {path}", *warnings, *more])


def import_settings(args: argparse.Namespace, path: Path) -> int:
    """Translate an openclaw.json; print what is unsafe there, and what was not converted."""
    from remit.gateway.inbound.settings.openclaw import import_openclaw, read_json5  # noqa: PLC0415  a grammar that only this needs

    source = Path(args.file)
    found = import_openclaw(read_json5(read_small(source, "the settings", _MOST, UsageError), source.name), _operator())
    if not args.audit:
        write_settings(found.draft, path)
    if args.format == "json":
        print(json.dumps(_imported_value(found, "" if args.audit else str(path)), indent=2))
    else:
        lines = _imported_lines(found)
        Screen.of(sys.stdout, "auto").write(
            [visible(line) for line in [*lines, *([] if args.audit else ["", f"wrote {path}"])]]
        )
    return int(args.audit and bool(found.unsafe))


def _imported_lines(found: Imported) -> list[str]:
    unsafe = [
        line
        for one in found.unsafe
        for line in (f"{one.kind.property}  {one.at}: {one.kind.says}", f"    here: {one.kind.here}  ({one.id})")
    ]
    left = [f"    {one.at}: {one.why}" for one in found.left]
    return [
        f"unsafe there ({len(found.unsafe)})",
        *(unsafe or ["    nothing"]),
        "",
        f"not taken over ({len(found.left)})",
        *(left or ["    nothing"]),
    ]


def _imported_value(found: Imported, path: str) -> dict[str, object]:
    return {
        "settings": path,
        "unsafe": [
            {"id": one.id, "property": one.kind.property, "at": one.at, "says": one.kind.says, "here": one.kind.here}
            for one in found.unsafe
        ],
        "left": [{"at": one.at, "why": one.why} for one in found.left],
    }
