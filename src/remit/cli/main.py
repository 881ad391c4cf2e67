"""The entry point: parses the command line, runs a command, and turns every failure into a message and an exit status."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from remit.version import VERSION

if TYPE_CHECKING:
    import argparse


_INTERRUPTED = 130  # 128 + SIGINT, as in shells
_BROKEN_PIPE = 141  # 128 + SIGPIPE


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line. No failure shows a traceback, unless REMIT_DEBUG is set."""
    from remit.cli.arguments import parser  # noqa: PLC0415

    if argv is None:
        gc.disable()  # imports and reports make no cycles worth collecting; workers turn it on again
    command = ""
    try:
        words = sys.argv[1:] if argv is None else argv
        args = parser(*words[:1]).parse_args(words)
        command = args.command or ""
        status = _dispatch(args)
        sys.stdout.flush()
        if argv is None and "duckdb" not in sys.modules:  # it would report uncollected objects as a leak at the end
            gc.freeze()  # the process ends: there is nothing left to collect
    except KeyboardInterrupt:
        print("remit: interrupted", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:
        # the reader closed the pipe; buffered output must not raise on exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BROKEN_PIPE
    except Exception as error:  # noqa: BLE001  the user gets a message
        from remit.core.errors import RemitError  # noqa: PLC0415  `--help` has no time for it

        if isinstance(error, ModuleNotFoundError):
            from remit.cli.packages import missing  # noqa: PLC0415

            error = missing(error, command) or error
        if isinstance(error, RemitError):
            return _fail(error.message, error.remedy)
        return _fail(f"unexpected failure ({type(error).__name__}: {error})", "REMIT_DEBUG=1 shows the cause")
    return status


# The module of each command; it is imported when its command is given, because start-up must be fast.
_NAMED_ALIKE = """
    add audit cache capsule console completion convert defaults deploy diff explain games node guard
    keys label lock lsp manual policy prove remove serve summaries telemetry undo outcome up update verify
"""
_COMMANDS = {name: f"{name}:{name}" for name in _NAMED_ALIKE.split()} | {
    "approvals": "approvals:approvals_command",
    "check": "check:run",
    "down": "up:down",
    "gateway": "inbound:gateway",
    "init": "init:run",
    "list": "list:list_skills",
    "models": "models:run",
    "replay": "replay:run",
    "scan": "scan:scan_command",
    "schema": "schemas:schema",
    "test": "skill_tests:run",
}

# Commands that neither fork processes nor use Unix sockets: the others need Linux, or at least macOS.
_EVERYWHERE = frozenset(
    "cache check completion convert defaults diff explain init keys lock lsp manual schema summaries verify".split()
)
_LINUX_ALONE = frozenset({"approvals", "deploy", "down", "gateway", "guard", "node", "outcome", "serve", "undo", "up"})


def _check_system(command: str) -> None:
    """Raise UsageError if a command cannot work on this operating system."""
    if command in _EVERYWHERE or (sys.platform == "linux" and hasattr(os, "fork")):
        return
    if command in _LINUX_ALONE or not hasattr(os, "fork"):
        from remit.core.errors import UsageError  # noqa: PLC0415  hardly ever needed

        raise UsageError(
            f"`remit {command}` needs Linux", "run it there, or in WSL on Windows; `remit check` works here"
        )


def _dispatch(args: argparse.Namespace) -> int:
    if args.version or args.command == "version":
        print(f"remit {VERSION}")
        return 0
    if args.command is None:
        from remit.cli.arguments import parser  # noqa: PLC0415

        parser().print_help()
        return 0
    _check_system(args.command)
    module, _, name = _COMMANDS[args.command].partition(":")
    carry_out: Callable[[argparse.Namespace], int] = getattr(import_module(f"remit.cli.{module}"), name)
    return carry_out(args)


def _fail(message: str, remedy: str) -> int:
    from remit.cli.messages import say  # noqa: PLC0415

    if os.environ.get("REMIT_DEBUG"):
        import traceback  # noqa: PLC0415

        traceback.print_exc()
    say(message, remedy)
    return 2
