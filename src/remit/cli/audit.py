"""`remit audit`: reads, verifies, exports the audit log, and compares it with the state of the world."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remit.audit import Filter, Log, Record, SignedHead
from remit.audit.head import Places, read_head
from remit.audit.queries import read_moment, records
from remit.audit.store import connect
from remit.core.errors import AuditError, UsageError
from remit.guard.audit_key import audit_checkers, audit_signer
from remit.guard.state_folder import state_folder
from remit.report import audit_view as view
from remit.report.screen import Screen

if TYPE_CHECKING:
    import argparse

    from remit.audit.verify import DamagedLog, IntactLog
    from remit.audit.world import Picture

_MOST = 1 << 30  # bytes of a picture


def audit(args: argparse.Namespace) -> int:
    """Run the command."""
    return _ACTIONS[args.action](args)


def _log(args: argparse.Namespace) -> int:
    since, until = (read_moment(text) if text else 0 for text in (args.since, args.until))
    wanted = Filter(
        args.session, args.skill, args.outcome, since=since, until=until, newest=args.limit, tool=args.tool, text=args.text
    )  # fmt: skip
    screen = Screen.of(sys.stdout, args.color)
    for record in _records(args, wanted):
        if args.format == "json":
            print(json.dumps(view.record_json(record)))
        else:
            screen.write([view.record_line(screen, record)])
    return 0


def _show(args: argparse.Namespace) -> int:
    record = next(_records(args, Filter(after=args.number - 1)), None) if args.number else None
    if record is None or record.number != args.number:
        raise UsageError(f"there is no record {args.number}", "`remit audit log` lists them")
    _tell(args, view.record_json(record), view.record_lines(record))
    return 0


def _verify(args: argparse.Namespace) -> int:
    from remit.audit.verify import verify_log  # noqa: PLC0415

    kept = [_head(Path(path)) for path in args.head]
    folder = _folder(args)
    if not args.file:
        _refuse_no_log(folder)
    try:
        checkers = audit_checkers(folder, [Path(path) for path in args.key])
        found: IntactLog | DamagedLog = (
            _verify_file(Path(args.file), checkers, kept) if args.file else verify_log(folder, checkers, kept)
        )
    except AuditError as error:  # an unreadable log is not intact
        _tell(
            args,
            {"whole": False, "number": 0, "reason": error.message, "remedy": error.remedy},
            [f"the log cannot be verified: {error.message}", f"  {error.remedy}"],
        )
        return 1
    _tell(args, view.verdict_json(found), view.verdict_lines(found))
    return 0 if view.verdict_json(found)["whole"] else 1


def _report(args: argparse.Namespace) -> int:
    from remit.audit.usage import usage  # noqa: PLC0415
    from remit.audit.verify import DamagedLog, IntactLog, verify_log  # noqa: PLC0415
    from remit.report.audit_usage import usage_document, usage_json  # noqa: PLC0415
    from remit.report.document_text import as_text  # noqa: PLC0415

    folder = _folder(args)
    _refuse_no_log(folder)
    chain: IntactLog | DamagedLog
    try:
        chain = verify_log(folder, audit_checkers(folder, [Path(path) for path in args.key]))
    except AuditError as error:  # an unreadable log says nothing
        chain = DamagedLog(0, error.message, error.remedy)
    # records written meanwhile were not verified, and records after a break are not trustworthy
    last = chain.records if isinstance(chain, IntactLog) else chain.number - 1
    wanted = Filter(since=read_moment(args.since) if args.since else 0)
    found = usage(takewhile(lambda record: record.number <= last, _records(args, wanted)) if last > 0 else (), args.by)
    screen = Screen.of(sys.stdout, args.color)
    document = usage_document(chain, found, args.by, args.top)
    _tell(args, usage_json(chain, found, args.by), as_text(document, screen))
    return 0 if isinstance(chain, IntactLog) else 1


def _refuse_no_log(folder: Path) -> None:
    if not Places(folder).database.exists() and not Places(folder).heads.exists():
        raise UsageError(f"there is no log in `{folder}`", "name the state folder of the guard with --state")


def _verify_file(path: Path, checkers: Any, kept: list[SignedHead]) -> IntactLog | DamagedLog:
    from remit.audit.verify import verify_export  # noqa: PLC0415

    if not path.is_file():
        raise UsageError(f"`{path}` is not a file", "give what `remit audit export --jsonl` printed")
    with path.open("rb") as file:
        return verify_export(file, checkers, kept)


def _export(args: argparse.Namespace) -> int:
    from remit.audit.verify import export  # noqa: PLC0415

    with _output(args.output) as out:
        for line in export(_folder(args)):
            out.write(line)
        out.flush()
    return 0


def _sign(args: argparse.Namespace) -> int:
    folder = _folder(args)
    if not Places(folder).database.exists():
        raise UsageError(f"there is no log in `{folder}`", "name the state folder of the guard with --state")
    with Log.open(folder, audit_signer) as log:
        print(log.sign().line())
    return 0


def _picture(args: argparse.Namespace) -> int:
    from remit.audit.world import as_json, picture  # noqa: PLC0415

    found = as_json(picture(Path(args.folder).resolve()))
    with _output(args.output) as out:
        out.write(json.dumps(found).encode() + b"\n")
        out.flush()
    return 0


def _biconditional(args: argparse.Namespace) -> int:
    from remit.audit.biconditional import ObservedChanges, compare  # noqa: PLC0415
    from remit.audit.world import differences, picture  # noqa: PLC0415

    world = ObservedChanges()
    if args.before:
        before = _read_picture(Path(args.before))
        after = picture(Path(args.workspace or before.root).resolve(), before)
        unread = (*before.unread, *after.unread)
        seen = differences(before, after)
        home = os.path.expanduser("~")  # noqa: PTH111  no home is an answer too
        world = ObservedChanges(seen, frozenset(before.items), after.root, home, unread=unread)
    elif args.workspace:
        raise UsageError("--workspace goes with --before", "take a picture first: `remit audit picture FOLDER`")
    found = compare(_records(args, Filter(args.session, after=args.after)), world)
    _tell(args, view.comparison_json(found), view.comparison_lines(found, verbose=args.verbose))
    return 0 if found.holds else 1


def _records(args: argparse.Namespace, wanted: Filter) -> Iterator[Record]:
    store = connect(Places(_folder(args)), write=False)
    try:
        yield from records(store, wanted)
    finally:
        store.close()


def _folder(args: argparse.Namespace) -> Path:
    return Path(args.state) if args.state else state_folder()


def _head(path: Path) -> SignedHead:
    try:
        text = path.read_bytes()[:4096].decode().strip()
    except (OSError, UnicodeDecodeError):
        raise UsageError(f"`{path}` cannot be read", "give a file with one line of `remit audit head`") from None
    return read_head(text)


def _read_picture(path: Path) -> Picture:
    from remit.audit.world import read_picture  # noqa: PLC0415

    try:
        with path.open("rb") as file:
            return read_picture(json.loads(file.read(_MOST)))
    except OSError:
        raise UsageError(f"`{path}` cannot be read", "write it with `remit audit picture FOLDER`") from None
    except (ValueError, RecursionError):
        raise AuditError(f"`{path}` is not JSON", "write it again with `remit audit picture FOLDER`") from None


def _output(path: str | None) -> Any:
    if not path:
        return nullcontext(sys.stdout.buffer)
    try:
        return Path(path).open("xb")
    except OSError as error:
        raise UsageError(f"`{path}` cannot be made: {(error.strerror or 'error').lower()}", "name a new file") from None


def _tell(args: argparse.Namespace, value: dict[str, Any], lines: Any) -> None:
    if args.format == "json":
        print(json.dumps(value, indent=2))
    else:
        Screen.of(sys.stdout, "never").write(lines)


_ACTIONS = {
    "log": _log,
    "show": _show,
    "verify": _verify,
    "report": _report,
    "export": _export,
    "head": _sign,
    "picture": _picture,
    "biconditional": _biconditional,
}
