"""Arguments of the commands besides `check`. `arguments.py` has what they share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.cli import (
    arguments_approvals,
    arguments_audit,
    arguments_authority,
    arguments_bundle,
    arguments_capsule,
    arguments_console,
    arguments_guard,
    arguments_keys,
    arguments_lsp,
    arguments_models,
    arguments_node,
    arguments_replay,
    arguments_scan,
    arguments_skills,
    arguments_telemetry,
    arguments_test,
    arguments_undo,
)
from remit.cli.arguments import add_bounds, add_command, add_limits, add_looking, add_sources, natural
from remit.cli.arguments_deploy import DEPLOY, DEPLOY_TITLE, add_deploy
from remit.cli.arguments_gateway import GATEWAY, GATEWAY_TITLE, add_gateway
from remit.cli.help_texts import CONVERT, DEFAULTS, DIFF, INIT, LOCK
from remit.cli.schemas import SCHEMAS, schema_help

if TYPE_CHECKING:
    import argparse


GAMES_TITLE = "attack a test installation of the two authorities; every attack must fail"
GAMES = """\
examples:
  remit games                    all of them, a few rounds each
  remit games nbe --rounds 50    one of them, longer
  remit games sap --rounds 2000  transcripts of one policy server: 2,000 to train on, 2,000 to classify

games:
  nbe  no effect without the proofs of both servers for exactly this request, and none twice
  sm   an agent never sees a secret
  sap  one policy server learns only its leakage (docs/leakage.md)
  lies one lying party changes no decision, and a lying policy server is named
  scs  a skill in a capsule reaches only what it was granted

The installation is in a temporary folder, with its own keys, policy and mail server; the state of this machine is not changed.

exit status:
  0  no adversary won, and every control succeeded
  1  an adversary won, or a control failed: the output names it
  2  the parties did not start
"""


def add_games(into: argparse.ArgumentParser, natural: Callable[[str], int]) -> None:
    """Options of `remit games`."""
    into.add_argument(
        "game", nargs="?", choices=("all", "nbe", "lies", "sm", "sap", "scs"), default="all", help="which one"
    )
    into.add_argument("--rounds", type=natural, metavar="N", help="how many rounds (each game has its own default)")
    into.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


COMPLETION_TITLE = "print the completion script for a shell"
COMPLETION = """\
examples:
  remit completion bash                    save it as ~/.local/share/bash-completion/completions/remit
  remit completion zsh                     save it as a file _remit in a folder of $fpath
  remit completion fish                    save it as ~/.config/fish/completions/remit.fish

In a running shell: `eval "$(remit completion bash)"`, the same for zsh, and `remit completion fish | source`.
Completion starts no program: the script contains the commands and options of this version.

exit status:
  0  the script was printed
  2  there is no such shell
"""
MANUAL_TITLE = "print the manual page, in roff"
MANUAL = """\
examples:
  remit manual                             save it as ~/.local/share/man/man1/remit.1, or read it with `man -l -`

exit status:
  0  the page was printed
  2  the command line is wrong
"""


def add_completion(command: argparse.ArgumentParser) -> None:
    """The arguments of `remit completion`."""
    command.add_argument("shell", choices=("bash", "zsh", "fish"), help="which shell")


_FAIL_ON_DIFF = {
    "gain": "it can do more than before (the default)",
    "any": "anything changed",
    "never": "never; only invalid input fails",
}


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Every command but `check`, in the order of the help."""
    _installing(commands)
    _replay(commands)
    _init(commands)
    _diff(commands)
    _lock(commands)
    _scan(commands)
    _label(commands)
    _prove(commands)
    _verify(commands)
    arguments_keys.add_keys(add_command(commands, "keys", arguments_keys.TITLE, arguments_keys.TEXT), add_command)
    arguments_approvals.add_approvals(
        add_command(commands, "approvals", arguments_approvals.TITLE, arguments_approvals.TEXT), add_command, natural
    )
    arguments_audit.add_audit(add_command(commands, "audit", arguments_audit.TITLE, arguments_audit.TEXT), add_command)
    arguments_undo.add_undo(add_command(commands, "undo", arguments_undo.TITLE, arguments_undo.TEXT))
    arguments_test.add_test(add_command(commands, "test", arguments_test.TITLE, arguments_test.TEXT), natural)
    arguments_capsule.add_capsule(
        add_command(commands, "capsule", arguments_capsule.TITLE, arguments_capsule.TEXT), add_command, natural
    )
    arguments_guard.add_guard(
        add_command(commands, "guard", arguments_guard.TITLE, arguments_guard.TEXT), add_command, natural
    )
    _console(commands)
    arguments_authority.add_up(add_command(commands, "up", arguments_authority.UP_TITLE, arguments_authority.UP))
    add_deploy(add_command(commands, "deploy", DEPLOY_TITLE, DEPLOY), natural)
    arguments_authority.add_down(
        add_command(commands, "down", arguments_authority.DOWN_TITLE, arguments_authority.DOWN)
    )
    arguments_authority.add_outcome(
        add_command(commands, "outcome", arguments_authority.OUTCOME_TITLE, arguments_authority.OUTCOME)
    )
    arguments_authority.add_policy(
        add_command(commands, "policy", arguments_authority.POLICY_TITLE, arguments_authority.POLICY), add_command
    )
    add_gateway(add_command(commands, "gateway", GATEWAY_TITLE, GATEWAY), add_command, natural)
    arguments_node.add_node(add_command(commands, "node", arguments_node.TITLE, arguments_node.TEXT))
    add_games(add_command(commands, "games", GAMES_TITLE, GAMES), natural)
    arguments_authority.add_serve(
        add_command(commands, "serve", arguments_authority.SERVE_TITLE, arguments_authority.SERVE)
    )
    arguments_telemetry.add_telemetry(
        add_command(commands, "telemetry", arguments_telemetry.TITLE, arguments_telemetry.TEXT), add_command
    )
    arguments_models.add_models(
        add_command(commands, "models", arguments_models.TITLE, arguments_models.TEXT), add_command, natural
    )
    arguments_lsp.add_lsp(add_command(commands, "lsp", arguments_lsp.TITLE, arguments_lsp.TEXT))
    _convert(commands)
    _defaults(commands)
    _explain(commands)
    _summaries(commands)
    _schema(commands)
    _cache(commands)
    add_completion(add_command(commands, "completion", COMPLETION_TITLE, COMPLETION))
    add_command(commands, "manual", MANUAL_TITLE, MANUAL)
    commands.add_parser("version", help="print the version")


def _installing(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    add = add_command(commands, "add", arguments_skills.ADD_TITLE, arguments_skills.ADD)
    arguments_skills.add_add(add)
    add_looking(add)
    update = add_command(commands, "update", arguments_skills.UPDATE_TITLE, arguments_skills.UPDATE)
    arguments_skills.add_update(update)
    add_looking(update)
    arguments_skills.add_remove(add_command(commands, "remove", arguments_skills.REMOVE_TITLE, arguments_skills.REMOVE))
    arguments_skills.add_list(add_command(commands, "list", arguments_skills.LIST_TITLE, arguments_skills.LIST))


def _console(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    console = add_command(commands, "console", arguments_console.TITLE, arguments_console.TEXT)
    arguments_console.add_console(console, natural)
    add_sources(console)
    add_limits(console)


def _replay(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    replay = add_command(commands, "replay", arguments_replay.TITLE, arguments_replay.TEXT)
    arguments_replay.add_replay(replay)
    add_looking(replay)


def _init(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    init = add_command(commands, "init", "draft manifests from what skills do and say", INIT)
    init.add_argument("paths", nargs="+", metavar="PATH", help="a skill, or a folder that contains skills")
    where = init.add_mutually_exclusive_group()
    where.add_argument(
        "--stdout", action="store_true", help="print the JSON and write nothing (several skills: one line each)"
    )
    where.add_argument("--update", action="store_true", help="renew remit.json; keep what you edited, added or removed")
    where.add_argument("--force", action="store_true", help="overwrite an existing remit.json")
    init.add_argument(
        "--assist", metavar="CMD", help="a program that gets the text as JSON and prints suggestions as JSON"
    )
    init.add_argument(
        "--strict", action="store_true", help="exit with 1 if a suspicious sentence or an opaque location is found"
    )
    add_looking(init)


def _diff(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    diff = add_command(commands, "diff", "show how an update changes what skills can do", DIFF)
    diff.add_argument("old", metavar="OLD", help="a skill, a folder that contains skills, or a lock file")
    diff.add_argument("new", metavar="NEW", help="the new version of the same")
    diff.add_argument("--format", choices=("text", "json", "md"), default="text", help="default: text")
    diff.add_argument(
        "--fail-on",
        choices=tuple(_FAIL_ON_DIFF),
        default="gain",
        help=f"what makes the exit status 1: {'; '.join(f'{k}: {v}' for k, v in _FAIL_ON_DIFF.items())}",
    )
    add_looking(diff)


def _lock(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    lock = add_command(commands, "lock", "record what skills can do, and check later that it did not change", LOCK)
    lock.add_argument("paths", nargs="*", metavar="PATH", help="a skill, or a folder that contains skills")
    lock.add_argument("--output", metavar="FILE", default="skills.lock", help="the lock file (default: skills.lock)")
    what = lock.add_mutually_exclusive_group()
    what.add_argument(
        "--check", action="store_true", help="write nothing; show what changed, and exit with 1 if anything did"
    )
    what.add_argument(
        "--update", action="store_true", help="rewrite only the entries that changed, and show the changes"
    )
    add_looking(lock)


def _scan(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    scan = add_command(commands, "scan", arguments_scan.TITLE, arguments_scan.TEXT)
    arguments_scan.add_scan(scan, natural)
    add_limits(scan, memory=2048, timeout=300)


def _label(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    label = add_command(commands, "label", arguments_bundle.LABELLING, arguments_bundle.LABEL)
    arguments_bundle.add_label(label)
    add_limits(label)


def _prove(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    prove = add_command(commands, "prove", arguments_bundle.PROVING, arguments_bundle.PROVE)
    arguments_bundle.add_prove(prove)
    add_bounds(prove)


def _verify(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    verify = add_command(commands, "verify", arguments_bundle.VERIFYING, arguments_bundle.VERIFY)
    arguments_bundle.add_verify(verify)
    add_bounds(verify)


def _convert(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    convert = add_command(commands, "convert", "write a manifest in another format, and list what is lost", CONVERT)
    formats = ("remit", "skillguard", "enclawed", "allowed-tools")
    convert.add_argument("path", metavar="PATH", help="a manifest, or the folder of a skill")
    convert.add_argument("--from", dest="source", choices=formats, default="", help="default: from the file name")
    convert.add_argument("--to", dest="target", choices=formats, required=True, help="the format to write")
    convert.add_argument("--output", metavar="FILE", help="a new file (default: standard output)")
    convert.add_argument("--strict", action="store_true", help="exit with 1 if anything is lost, and write nothing")
    convert.add_argument("--format", choices=("text", "json"), default="text", help="json: the text and the losses")


def _defaults(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    defaults = add_command(
        commands, "defaults", "print the shipped defaults of a workspace, or check your own file", DEFAULTS
    )
    defaults.add_argument("file", nargs="?", metavar="FILE", help="your defaults, to check")


def _explain(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    explain = add_command(
        commands, "explain", "explain a rule, a capability or an assumption; without a name, list all"
    )
    explain.add_argument(
        "name", nargs="?", metavar="WORD", help="a rule, a capability, a foreign name, or an assumption"
    )


def _summaries(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    summaries = add_command(commands, "summaries", "show or check what Remit knows about libraries and commands")
    inner = summaries.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = add_command(inner, "show", "print the summary of a function, class, module or shell command")
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
    check = add_command(inner, "check", "check summary files")
    check.add_argument("files", nargs="+", metavar="FILE", help="*.sum, *.py.sum, *.js.sum or *.cmd")


def _schema(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    schema = add_command(commands, "schema", "print the JSON Schema of a document", schema_help())
    schema.add_argument("document", metavar="NAME", nargs="?", choices=tuple(SCHEMAS), help="default: list the names")


def _cache(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    cache = add_command(commands, "cache", "show or clear the cache of results")
    cache.add_argument("action", choices=("info", "clear"))
