"""The command line: what can be written, and the help that teaches it."""

from __future__ import annotations

import argparse

from remit.cli.schemas import SCHEMAS

_MAIN = """\
Remit says what an AI-agent skill can do: every capability that its scripts, instructions and hooks can
exercise, with file, line and reason. What it does not understand it says as well. Nothing is ever run.

  remit check skills/pdf            what can this skill do, and does it stay inside its remit.json?
  remit check skills                every skill in a folder, in parallel
  remit explain file.delete         what does a word of the report mean?
  remit summaries show requests.get what does Remit know about a library or command?
"""
_CHECK = """\
examples:
  remit check skills/pdf                         a report to read
  remit check skills/pdf -v                      with every place and the calls that lead there
  remit check skills --format jsonl              one line of JSON for each skill, as soon as it is known
  remit check skills --format sarif > r.sarif    for code scanning
  remit check skills/pdf --manifest remit.json   against a manifest that lies elsewhere
  remit check . --summaries my-summaries/        with descriptions of private libraries and commands

A PATH is a skill (a folder with SKILL.md) or a folder that holds skills, found at any depth.
A remit.json beside SKILL.md is the skill's manifest. Summary files (*.py.sum, *.js.sum, *.cmd) in a folder
`remit-summaries` of the current folder are used by themselves, unless it lies inside a checked skill.

exit status:
  0  everything is contained; or there is no manifest, and nothing is opaque
  1  something escapes its manifest, or is opaque (see --fail-on)
  2  the command line is wrong, or a skill or manifest cannot be read
"""
_SCHEMA = """\
documents:
  check       what `remit check --format json` prints
  manifest    remit.json beside SKILL.md; name its file in "$schema" and an editor helps to write it
  defaults    what every session of a workspace may do before a skill is loaded

  remit schema manifest > manifest.schema.json
"""
_FAIL_ON = {
    "opaque": "escapes and opaque places (the default)",
    "escapes": "escapes only",
    "never": "neither; only bad input",
}
# option, field of the loader's limits, its default (a test compares it), what it bounds
LIMITS = (
    ("--max-files", "max_files", 20_000, "files and folders of a skill"),
    ("--max-file-bytes", "max_file_bytes", 268_435_456, "bytes of one file"),
    ("--max-total-bytes", "max_total_bytes", 1_073_741_824, "bytes of a skill"),
    (
        "--max-source-bytes",
        "max_source_bytes",
        4_194_304,
        "bytes of a file that is looked into; a larger one is opaque",
    ),
    ("--max-depth", "max_depth", 40, "folders inside each other"),
    ("--max-name", "max_name", 255, "bytes of a file name"),
)


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    out = argparse.ArgumentParser(
        "remit", description=_MAIN, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    out.add_argument("--version", action="store_true", help="print the version")
    commands = out.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    _check(commands)
    _explain(commands)
    _summaries(commands)
    _schema(commands)
    _cache(commands)
    commands.add_parser("version", help="print the version")
    return out


def _add(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str, more: str = ""
) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=text,
        description=f"{text[0].upper()}{text[1:]}.",
        epilog=more,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def _check(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    check = _add(commands, "check", "say what skills can do, and whether they stay inside their manifests", _CHECK)
    check.add_argument("paths", nargs="+", metavar="PATH", help="a skill, or a folder that holds skills")
    check.add_argument("--format", choices=("text", "json", "jsonl", "sarif"), default="text", help="default: text")
    check.add_argument("--manifest", metavar="FILE", help="the manifest (default: remit.json beside SKILL.md)")
    check.add_argument(
        "--summaries",
        metavar="PATH",
        action="append",
        default=[],
        help="a summary file, or a folder of them; may be repeated",
    )
    check.add_argument(
        "--fail-on",
        choices=tuple(_FAIL_ON),
        default="opaque",
        help=f"what makes the exit status 1: {'; '.join(f'{k}: {v}' for k, v in _FAIL_ON.items())}",
    )
    check.add_argument(
        "-j", "--jobs", metavar="N", type=_natural, default=0, help="skills at a time (default: one for each core)"
    )
    check.add_argument("--no-cache", action="store_true", help="neither use nor keep results")
    check.add_argument("-v", "--verbose", action="store_true", help="every place, and the calls that lead there")
    check.add_argument("-q", "--quiet", action="store_true", help="one line for each skill, and no progress bar")
    check.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="default: auto, and NO_COLOR is respected"
    )
    limits = check.add_argument_group(
        "limits", "past a limit a skill is refused, or its file is opaque; never passed over"
    )
    for option, field, value, what in LIMITS:
        limits.add_argument(
            option, dest=field, metavar="N", type=_natural, default=value, help=f"{what} (default: {value})"
        )
    limits.add_argument(
        "--max-memory",
        metavar="MB",
        type=_natural,
        default=4096,
        help="memory of one worker (default: 4096; 0: no limit)",
    )
    limits.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=_natural,
        default=0,
        help="time for one skill (default: none; results do not depend on it)",
    )


def _explain(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    explain = _add(commands, "explain", "say what a capability means; without one, list all")
    explain.add_argument("name", nargs="?", metavar="CAPABILITY", help="a capability, a foreign name, or an assumption")


def _summaries(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    summaries = _add(commands, "summaries", "show or check what is known about libraries and commands")
    inner = summaries.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = _add(inner, "show", "print the summary of a function, class, module or shell command")
    show.add_argument(
        "names", nargs="+", metavar="NAME", help="`requests.get`, `fs.readFile`, `pathlib.Path`, `curl`, `git log`"
    )
    show.add_argument(
        "--summaries",
        metavar="PATH",
        action="append",
        default=[],
        help="a summary file, or a folder of them; may be repeated",
    )
    check = _add(inner, "check", "check summary files")
    check.add_argument("files", nargs="+", metavar="FILE", help="*.sum, *.py.sum, *.js.sum or *.cmd")


def _schema(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    schema = _add(commands, "schema", "print the JSON Schema of a document", _SCHEMA)
    schema.add_argument("document", choices=tuple(SCHEMAS))


def _cache(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    cache = _add(commands, "cache", "show or clear the cache of results")
    cache.add_argument("action", choices=("info", "clear"))


def _natural(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise argparse.ArgumentTypeError(f"`{text}` is not a whole number")
    return int(text)
