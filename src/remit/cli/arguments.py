"""The command line: what can be written. The texts that teach it are in `help_texts.py`."""

from __future__ import annotations

import argparse

from remit.cli.arguments_approvals import TEXT as APPROVALS
from remit.cli.arguments_approvals import TITLE as APPROVING
from remit.cli.arguments_approvals import add_approvals
from remit.cli.arguments_audit import TEXT as AUDIT
from remit.cli.arguments_audit import TITLE as AUDITING
from remit.cli.arguments_audit import add_audit
from remit.cli.arguments_authority import (
    DOWN,
    DOWN_TITLE,
    POLICY,
    POLICY_TITLE,
    SERVE,
    SERVE_TITLE,
    UP,
    UP_TITLE,
    add_down,
    add_policy,
    add_serve,
    add_up,
)
from remit.cli.arguments_bundle import (
    LABEL,
    LABELLING,
    PROVE,
    PROVING,
    VERIFY,
    VERIFYING,
    add_label,
    add_prove,
    add_verify,
)
from remit.cli.arguments_capsule import TEXT as CAPSULE
from remit.cli.arguments_capsule import TITLE as CONFINING
from remit.cli.arguments_capsule import add_capsule
from remit.cli.arguments_completion import COMPLETION, COMPLETION_TITLE, MANUAL, MANUAL_TITLE, add_completion
from remit.cli.arguments_console import TEXT as CONSOLE
from remit.cli.arguments_console import TITLE as LOOKING
from remit.cli.arguments_console import add_console
from remit.cli.arguments_deploy import DEPLOY, DEPLOY_TITLE, add_deploy
from remit.cli.arguments_games import GAMES, GAMES_TITLE, add_games
from remit.cli.arguments_gateway import GATEWAY, GATEWAY_TITLE, add_gateway
from remit.cli.arguments_guard import TEXT as GUARD
from remit.cli.arguments_guard import TITLE as GUARDING
from remit.cli.arguments_guard import add_guard
from remit.cli.arguments_keys import TEXT as KEYS
from remit.cli.arguments_keys import TITLE as KEEPING
from remit.cli.arguments_keys import add_keys
from remit.cli.arguments_lsp import TEXT as LSP
from remit.cli.arguments_lsp import TITLE as SERVING
from remit.cli.arguments_lsp import add_lsp
from remit.cli.arguments_models import TEXT as MODELS
from remit.cli.arguments_models import TITLE as MODELLING
from remit.cli.arguments_models import add_models
from remit.cli.arguments_node import TEXT as NODE
from remit.cli.arguments_node import TITLE as DEVICE
from remit.cli.arguments_node import add_node
from remit.cli.arguments_replay import TEXT as REPLAY
from remit.cli.arguments_replay import TITLE as REPLAYING
from remit.cli.arguments_replay import add_counterexample, add_replay
from remit.cli.arguments_scan import TEXT as SCAN
from remit.cli.arguments_scan import TITLE as SCANNING
from remit.cli.arguments_scan import add_scan
from remit.cli.arguments_skills import (
    ADD,
    ADD_TITLE,
    LIST,
    LIST_TITLE,
    REMOVE,
    REMOVE_TITLE,
    UPDATE,
    UPDATE_TITLE,
    add_add,
    add_list,
    add_remove,
    add_update,
)
from remit.cli.arguments_telemetry import TEXT as TELEMETRY
from remit.cli.arguments_telemetry import TITLE as TELLING
from remit.cli.arguments_telemetry import add_telemetry
from remit.cli.arguments_test import TEXT as TEST
from remit.cli.arguments_test import TITLE as TESTING
from remit.cli.arguments_test import add_test
from remit.cli.arguments_undo import TEXT as UNDO
from remit.cli.arguments_undo import TITLE as UNDOING
from remit.cli.arguments_undo import add_undo
from remit.cli.help_texts import CHECK, CONVERT, DEFAULTS, DIFF, INIT, LOCK, MAIN
from remit.cli.parsers import Command, MainParser
from remit.cli.schemas import SCHEMAS, schema_help

_FAIL_ON_DIFF = {
    "gain": "it can do more than before (the default)",
    "any": "anything changed",
    "never": "neither; only bad input",
}
_FAIL_ON = {
    "block": "a skill that should not be installed; with a manifest also what is outside of it or not understood (the default)",
    "review": "also a skill to look at first",
    "escapes": "a skill that should not be installed, or is outside of its manifest",
    "opaque": "that, and locations that are not understood, with or without a manifest",
    "denied": "that, and what the manifest denies but the skill tries (where no guard refuses it)",
    "unread": "as `opaque`, and sentences that ask the agent for something that Remit cannot check",
    "never": "nothing; only bad input",
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


def parser(command: str = "") -> argparse.ArgumentParser:
    """The whole command line; for `check`, the most frequent command, that alone: the others take longer to build than it to start."""
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
    _installing(commands)
    _replay(commands)
    _init(commands)
    _diff(commands)
    _lock(commands)
    _scan(commands)
    _label(commands)
    _prove(commands)
    _verify(commands)
    add_keys(_add(commands, "keys", KEEPING, KEYS), _add)
    add_approvals(_add(commands, "approvals", APPROVING, APPROVALS), _add, _natural)
    add_audit(_add(commands, "audit", AUDITING, AUDIT), _add)
    add_undo(_add(commands, "undo", UNDOING, UNDO))
    add_test(_add(commands, "test", TESTING, TEST), _natural)
    add_capsule(_add(commands, "capsule", CONFINING, CAPSULE), _add, _natural)
    add_guard(_add(commands, "guard", GUARDING, GUARD), _add, _natural)
    _console(commands)
    add_up(_add(commands, "up", UP_TITLE, UP))
    add_deploy(_add(commands, "deploy", DEPLOY_TITLE, DEPLOY), _natural)
    add_down(_add(commands, "down", DOWN_TITLE, DOWN))
    add_policy(_add(commands, "policy", POLICY_TITLE, POLICY), _add)
    add_gateway(_add(commands, "gateway", GATEWAY_TITLE, GATEWAY), _add, _natural)
    add_node(_add(commands, "node", DEVICE, NODE))
    add_games(_add(commands, "games", GAMES_TITLE, GAMES), _natural)
    add_serve(_add(commands, "serve", SERVE_TITLE, SERVE))
    add_telemetry(_add(commands, "telemetry", TELLING, TELEMETRY), _add)
    add_models(_add(commands, "models", MODELLING, MODELS), _add, _natural)
    add_lsp(_add(commands, "lsp", SERVING, LSP))
    _convert(commands)
    _defaults(commands)
    _explain(commands)
    _summaries(commands)
    _schema(commands)
    _cache(commands)
    add_completion(_add(commands, "completion", COMPLETION_TITLE, COMPLETION))
    _add(commands, "manual", MANUAL_TITLE, MANUAL)
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
    check = _add(
        commands, "check", "say whether to install skills: what should worry you, what they can do and never do", CHECK
    )
    check.add_argument(
        "paths",
        nargs="*",
        metavar="SOURCE",
        help="a skill, a folder that holds skills, a .zip, .skill or .tar.gz file, a Git URL, or owner/repo[/path][@ref] (default: .)",
    )
    formats = ("text", "json", "jsonl", "sarif", "junit", "md", "html")
    check.add_argument("--format", choices=formats, default="text", help="default: text")
    check.add_argument("--manifest", metavar="FILE", help="the manifest (default: the one beside SKILL.md)")
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
    _looking(check)


def _installing(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    add = _add(commands, "add", ADD_TITLE, ADD)
    add_add(add)
    _looking(add)
    update = _add(commands, "update", UPDATE_TITLE, UPDATE)
    add_update(update)
    _looking(update)
    add_remove(_add(commands, "remove", REMOVE_TITLE, REMOVE))
    add_list(_add(commands, "list", LIST_TITLE, LIST))


def _console(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    console = _add(commands, "console", LOOKING, CONSOLE)
    add_console(console, _natural)
    _sources(console)
    _limits(console)


def _replay(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    replay = _add(commands, "replay", REPLAYING, REPLAY)
    add_replay(replay)
    _looking(replay)


def _init(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    init = _add(commands, "init", "draft the manifests of skills from the skills themselves", INIT)
    init.add_argument("paths", nargs="+", metavar="PATH", help="a skill, or a folder that holds skills")
    where = init.add_mutually_exclusive_group()
    where.add_argument("--stdout", action="store_true", help="print the JSON and write nothing (many: a line for each)")
    where.add_argument(
        "--update", action="store_true", help="renew remit.json; what a person edited, added or removed stays"
    )
    where.add_argument("--force", action="store_true", help="write remit.json anew, whatever stands in it")
    init.add_argument(
        "--assist", metavar="CMD", help="a program that gets the text as JSON and prints suggestions as JSON"
    )
    init.add_argument("--strict", action="store_true", help="exit with 1 if there is something to look at")
    _looking(init)


def _diff(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    diff = _add(commands, "diff", "say what an update changes in what skills can do", DIFF)
    diff.add_argument("old", metavar="OLD", help="a skill, a folder that holds skills, or a lock file")
    diff.add_argument("new", metavar="NEW", help="the same, later")
    diff.add_argument("--format", choices=("text", "json", "md"), default="text", help="default: text")
    diff.add_argument(
        "--fail-on",
        choices=tuple(_FAIL_ON_DIFF),
        default="gain",
        help=f"what makes the exit status 1: {'; '.join(f'{k}: {v}' for k, v in _FAIL_ON_DIFF.items())}",
    )
    _looking(diff)


def _lock(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    lock = _add(commands, "lock", "remember what skills can do, and check that it stays so", LOCK)
    lock.add_argument("paths", nargs="*", metavar="PATH", help="a skill, or a folder that holds skills")
    lock.add_argument("--output", metavar="FILE", default="skills.lock", help="the lock file (default: skills.lock)")
    what = lock.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="write nothing; say what changed since, and exit with 1")
    what.add_argument("--update", action="store_true", help="write anew only what changed, and say what it means")
    _looking(lock)


def _looking(command: argparse.ArgumentParser) -> None:
    """The options of every command that looks into skills."""
    _sources(command)
    command.add_argument("-v", "--verbose", action="store_true", help="everything that is known, with every location")
    command.add_argument("-q", "--quiet", action="store_true", help="one line for each skill, and no progress bar")
    _bounds(command)


def _sources(command: argparse.ArgumentParser) -> None:
    """Knowledge of the project, and how much is done at a time."""
    command.add_argument(
        "--summaries",
        metavar="PATH",
        action="append",
        default=[],
        help="a summary file, or a folder of them; may be repeated",
    )
    command.add_argument(
        "-j", "--jobs", metavar="N", type=_natural, default=0, help="skills at a time (default: one for each core)"
    )


def _bounds(command: argparse.ArgumentParser) -> None:
    """The screen, the cache, and how much of a skill is read."""
    command.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="default: auto, and NO_COLOR is respected"
    )
    _limits(command)


def _limits(command: argparse.ArgumentParser, *, memory: int = 4096, timeout: int = 0) -> None:
    """The cache, and how much of a skill is read."""
    command.add_argument("--no-cache", action="store_true", help="neither use nor keep results")
    limits = command.add_argument_group(
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
        default=memory,
        help=f"memory of one worker (default: {memory}; 0: no limit)",
    )
    limits.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=_natural,
        default=timeout,
        help=f"time for one skill (default: {timeout or 'none'}; what is found does not depend on it)",
    )


def _scan(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    scan = _add(commands, "scan", SCANNING, SCAN)
    add_scan(scan, _natural)
    _limits(scan, memory=2048, timeout=300)


def _label(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    label = _add(commands, "label", LABELLING, LABEL)
    add_label(label)
    _limits(label)


def _prove(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    prove = _add(commands, "prove", PROVING, PROVE)
    add_prove(prove)
    _bounds(prove)


def _verify(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    verify = _add(commands, "verify", VERIFYING, VERIFY)
    add_verify(verify)
    _bounds(verify)


def _convert(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    convert = _add(commands, "convert", "write a manifest in another format, and say what is lost", CONVERT)
    formats = ("remit", "skillguard", "enclawed", "allowed-tools")
    convert.add_argument("path", metavar="PATH", help="a manifest, or the folder of a skill")
    convert.add_argument(
        "--from", dest="source", choices=formats, default="", help="default: what the name of the file tells"
    )
    convert.add_argument("--to", dest="target", choices=formats, required=True, help="the format to write")
    convert.add_argument("--output", metavar="FILE", help="a new file (default: standard output)")
    convert.add_argument("--strict", action="store_true", help="exit with 1 if anything is lost, and write nothing")
    convert.add_argument("--format", choices=("text", "json"), default="text", help="json: the text and the losses")


def _defaults(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    defaults = _add(
        commands, "defaults", "print the shipped defaults of a workspace, or judge a file of your own", DEFAULTS
    )
    defaults.add_argument("file", nargs="?", metavar="FILE", help="a file of defaults, to be judged")


def _explain(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    explain = _add(commands, "explain", "say what a rule or a capability means; without a name, list all")
    explain.add_argument(
        "name", nargs="?", metavar="WORD", help="a rule, a capability, a foreign name, or an assumption"
    )


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
    schema = _add(commands, "schema", "print the JSON Schema of a document", schema_help())
    schema.add_argument(
        "document", metavar="NAME", nargs="?", choices=tuple(SCHEMAS), help="without it: list the names"
    )


def _cache(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    cache = _add(commands, "cache", "show or clear the cache of results")
    cache.add_argument("action", choices=("info", "clear"))


def _natural(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise argparse.ArgumentTypeError(f"`{text}` is not a whole number")
    return int(text)
