"""The parser of the command line. Its help texts are in `help_texts.py`."""

from __future__ import annotations

import argparse
from typing import Any, cast

from remit.cli.arguments_replay import add_counterexample
from remit.cli.help_texts import CHECK, MAIN
from remit.cli.parsers import Command, MainParser

_FAIL_ON = {
    "block": "a skill that should not be installed, or that has a manifest and is outside of it or not understood (the default)",
    "review": "as `block`, or a skill that needs review",
    "escapes": "a skill that should not be installed, or is outside of its manifest",
    "opaque": "as `escapes`, or a location that is not understood, with or without a manifest",
    "denied": "as `opaque`, or an attempt of the skill that its manifest denies",
    "unread": "as `opaque`, or a sentence that asks the agent for something that Remit cannot check",
    "never": "never; only invalid input fails",
}
# option, field of the loader's limits, its default (a test compares it), what it bounds
LIMITS = (
    ("--max-files", "max_files", 20_000, "files and folders of a skill"),
    ("--max-file-bytes", "max_file_bytes", 268_435_456, "bytes of one file"),
    ("--max-total-bytes", "max_total_bytes", 1_073_741_824, "bytes of a skill"),
    ("--max-source-bytes", "max_source_bytes", 4_194_304, "bytes of a file that is analysed; a larger one is opaque"),
    ("--max-depth", "max_depth", 40, "nested folders"),
    ("--max-name", "max_name", 255, "bytes of a file name"),
)


def parser(command: str = "") -> argparse.ArgumentParser:
    """Return the parser of the whole command line, or of one command alone: building the others takes longer than
    starting it.
    """
    out = MainParser(
        "remit", description=MAIN, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    out.add_argument("--version", action="store_true", help="print the version")
    commands: argparse._SubParsersAction[argparse.ArgumentParser] = out.add_subparsers(
        dest="command", metavar="COMMAND", title="commands", parser_class=Command
    )
    _check(commands)
    if command == "check":
        return out
    from remit.cli.arguments_commands import add_commands  # noqa: PLC0415  thirty modules

    if command:
        add_commands(cast("Any", _OneCommand(commands, command)))
    if not command or command not in commands.choices:
        add_commands(commands)
    return out


class _OneCommand:
    """Takes one command, and ignores all others."""

    def __init__(self, commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str) -> None:
        self._commands, self._name = commands, name

    def add_parser(self, name: str, **options: Any) -> Any:
        return self._commands.add_parser(name, **options) if name == self._name else _Ignored()


class _Ignored(Command):
    def __init__(self) -> None: ...

    def __getattribute__(self, _: str) -> Any:
        return self

    def __call__(self, *_: object, **__: object) -> _Ignored:
        return self

    __getitem__ = __call__

    def __setitem__(self, _: object, __: object) -> None: ...

    def __repr__(self) -> str:
        return ""


def add_command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str, more: str = ""
) -> argparse.ArgumentParser:
    """Add a command, with its line of help and the text below it."""
    return commands.add_parser(
        name,
        help=text,
        description=f"{text[0].upper()}{text[1:]}.",
        epilog=more,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def _check(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    check = add_command(
        commands,
        "check",
        "report whether to install skills: what should worry you, what they can do and never do",
        CHECK,
    )
    check.add_argument(
        "paths",
        nargs="*",
        metavar="SOURCE",
        help="a skill, a folder that contains skills, a .zip, .skill or .tar.gz file, a Git URL, or owner/repo[/path][@ref] (default: .)",
    )
    formats = ("text", "json", "jsonl", "sarif", "junit", "md", "html")
    check.add_argument("--format", choices=formats, default="text", help="default: text")
    check.add_argument("--manifest", metavar="FILE", help="the manifest (default: the one next to SKILL.md)")
    check.add_argument(
        "--against",
        metavar="OLD",
        help="for md and html: show what changed since a skill, a folder, a lock file or `git:REVISION` (default: skills.lock here)",
    )
    check.add_argument(
        "--fail-on",
        choices=tuple(_FAIL_ON),
        default="block",
        help=f"what makes the exit status 1: {'; '.join(f'{k}: {v}' for k, v in _FAIL_ON.items())}",
    )
    add_counterexample(check)
    add_looking(check)


def add_looking(command: argparse.ArgumentParser) -> None:
    """Add the options of every command that checks skills."""
    add_sources(command)
    command.add_argument(
        "-v", "--verbose", action="store_true", help="everything that Remit knows, with every location"
    )
    command.add_argument("-q", "--quiet", action="store_true", help="one line for each skill, and no progress bar")
    add_bounds(command)


def add_sources(command: argparse.ArgumentParser) -> None:
    """Add options for knowledge of the project, and for parallelism."""
    command.add_argument(
        "--summaries",
        metavar="PATH",
        action="append",
        default=[],
        help="a summary file, or a folder of them; may be repeated",
    )
    command.add_argument(
        "-j", "--jobs", metavar="N", type=natural, default=0, help="skills at a time (default: one for each core)"
    )


def add_bounds(command: argparse.ArgumentParser) -> None:
    """Add options for the screen, the cache, and how much of a skill is read."""
    command.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="default: auto, and NO_COLOR is respected"
    )
    add_limits(command)


def add_limits(command: argparse.ArgumentParser, *, memory: int = 4096, timeout: int = 0) -> None:
    """Add options for the cache, and how much of a skill is read."""
    command.add_argument("--no-cache", action="store_true", help="do not use or store cached results")
    limits = command.add_argument_group(
        "limits", "beyond a limit the skill is refused, or the file is opaque; nothing is skipped silently"
    )
    for option, field, value, what in LIMITS:
        limits.add_argument(
            option, dest=field, metavar="N", type=natural, default=value, help=f"{what} (default: {value})"
        )
    limits.add_argument(
        "--max-memory",
        metavar="MB",
        type=natural,
        default=memory,
        help=f"memory of one worker (default: {memory}; 0: no limit)",
    )
    limits.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=natural,
        default=timeout,
        help=f"time for one skill (default: {timeout or 'none'}; results do not depend on it)",
    )


def natural(text: str) -> int:
    """Parse the number of an option."""
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise argparse.ArgumentTypeError(f"`{text}` is not a whole number")
    return int(text)
