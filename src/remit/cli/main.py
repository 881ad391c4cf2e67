"""The entry: reads the command line, starts a command, and turns every failure into a message and a status."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from remit.version import VERSION

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence


_INTERRUPTED = 130  # 128 + SIGINT, as shells count
_BROKEN_PIPE = 141  # 128 + SIGPIPE


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line. Nothing that goes wrong shows a traceback, unless REMIT_DEBUG asks for it."""
    from remit.cli.arguments import parser  # noqa: PLC0415

    if argv is None:
        gc.disable()  # imports and reports make no cycles worth a search; workers turn it on again
    try:
        status = _dispatch(parser().parse_args(argv))
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("remit: interrupted", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:
        # the reader has enough; what is still buffered must not complain on exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BROKEN_PIPE
    except Exception as error:  # noqa: BLE001  the user gets a message
        from remit.core.errors import RemitError  # noqa: PLC0415  `--help` has no time for it

        if isinstance(error, RemitError):
            return _fail(error.message, error.remedy)
        return _fail(f"unexpected failure ({type(error).__name__}: {error})", "REMIT_DEBUG=1 shows the cause")
    return status


def _dispatch(args: argparse.Namespace) -> int:
    if args.version or args.command == "version":
        print(f"remit {VERSION}")
        return 0
    if args.command == "check":
        from remit.cli.check import run  # noqa: PLC0415

        return run(args)
    if args.command == "replay":
        from remit.cli.replay import run as replay  # noqa: PLC0415

        return replay(args)
    if args.command == "diff":
        from remit.cli.diff import diff  # noqa: PLC0415

        return diff(args)
    if args.command == "lock":
        from remit.cli.lock import lock  # noqa: PLC0415

        return lock(args)
    if args.command == "prove":
        from remit.cli.prove import prove  # noqa: PLC0415

        return prove(args)
    if args.command == "verify":
        from remit.cli.verify import verify  # noqa: PLC0415

        return verify(args)
    if args.command == "keys":
        from remit.cli.keys import keys  # noqa: PLC0415

        return keys(args)
    if args.command == "undo":
        from remit.cli.undo import undo  # noqa: PLC0415

        return undo(args)
    if args.command == "approvals":
        from remit.cli.approvals import approvals_command  # noqa: PLC0415

        return approvals_command(args)
    if args.command == "audit":
        from remit.cli.audit import audit  # noqa: PLC0415

        return audit(args)
    if args.command == "test":
        from remit.cli.testing import run as test  # noqa: PLC0415

        return test(args)
    if args.command == "guard":
        from remit.cli.guarding import guard  # noqa: PLC0415

        return guard(args)
    if args.command == "convert":
        from remit.cli.convert import convert  # noqa: PLC0415

        return convert(args)
    if args.command == "init":
        from remit.cli.init import run as init  # noqa: PLC0415

        return init(args)
    if args.command == "defaults":
        from remit.cli.defaults import defaults  # noqa: PLC0415

        return defaults(args.file)
    if args.command == "explain":
        from remit.cli.explain import explain  # noqa: PLC0415

        return explain(args.name)
    if args.command == "summaries":
        from remit.cli.summaries import check_files, show  # noqa: PLC0415

        return show(args.names, args.summaries) if args.action == "show" else check_files(args.files)
    if args.command == "schema":
        from remit.cli.schemas import schema_text  # noqa: PLC0415

        sys.stdout.write(schema_text(args.document))
        return 0
    if args.command == "cache":
        from remit.cli.caching import caching  # noqa: PLC0415

        return caching(args.action)
    from remit.cli.arguments import parser  # noqa: PLC0415

    parser().print_help()
    return 0


def _fail(message: str, remedy: str) -> int:
    from remit.cli.saying import say  # noqa: PLC0415

    if os.environ.get("REMIT_DEBUG"):
        import traceback  # noqa: PLC0415

        traceback.print_exc()
    say(message, remedy)
    return 2
