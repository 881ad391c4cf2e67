"""`remit guard trust`, `untrust`, `task`, `broker`, `stop` and `log`: decisions of a person outside of questions."""

from __future__ import annotations

import json
import secrets
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remit.core.errors import GuardError, UsageError
from remit.guard.approvals.broker_config import BrokerKind, read_broker, write_broker
from remit.guard.approvals.persons import log_person, present
from remit.guard.daemon.daemon_lock import ask_daemon, kill_daemon
from remit.guard.session.task import read_task, session_here, write_task
from remit.guard.session.trusted_files import Candidate, forgettable, trust_candidates
from remit.guard.session.workspace import root_of
from remit.guard.state_folder import StateFolder, prepared, state_folder
from remit.guard.store import Store, forget_file, open_store, trust_file, trusted_files
from remit.report.approval_view import cut_right
from remit.report.screen import Screen, visible

if TYPE_CHECKING:
    import argparse


_SIGNS = {"+": "green", "-": "red", "@": "cyan"}
_SHOWN = 60  # lines of a file's content


def guard_words(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.action == "log":
        raise UsageError(
            "the log has a command of its own", "`remit audit log` reads it, `remit audit verify` checks it"
        )
    places = prepared(state_folder())
    screen = Screen.of(sys.stdout, "auto")
    match args.action:
        case "broker":
            return _broker(args, places)
        case "stop":
            return _stop(args, places)
    store = open_store(places.database)
    try:
        match args.action:
            case "trust":
                return _trust(args, places, store, screen)
            case "untrust":
                return _untrust(args, places, store)
            case _:
                return _task(args, places, store)
    finally:
        store.close()


def _trust(args: argparse.Namespace, places: StateFolder, store: Store, screen: Screen) -> int:
    if args.list:
        _tell(args, {"trusted": trusted_files(store)}, trusted_files(store) or ["nothing is trusted"])
        return 0
    found = trust_candidates(store, args.paths or ["."])
    new = [one for one in found if not one.is_trusted]
    for one in found if args.format == "text" else ():
        screen.write(_candidate_lines(one, screen))
    if not new:
        _tell(args, {"trusted": []}, [])
        return 0
    person = present(unattended=args.unattended)
    if not args.unattended and input("trust this? [y/N] ").strip().lower() not in {"y", "yes"}:
        return 1
    for one in new:
        log_person(places, person, f"trusts `{one.path}` as {one.digest}", one.path, yes=True)
        trust_file(store, one.path, one.digest, now=int(time.time()), said=one.kept)
    _tell(args, {"trusted": [one.path for one in new]}, [f"trusted: {visible(one.path)}" for one in new])
    return 0


def _candidate_lines(one: Candidate, screen: Screen) -> Iterable[str]:
    state = (
        "trusted as it is" if one.is_trusted else "not trusted" if one.known is None else "CHANGED since it was trusted"
    )
    yield screen.style(visible(one.path), "bold") + f": {state}"
    lines = one.changes or one.says
    for line in lines[:_SHOWN]:
        text = cut_right(visible(line), screen.width - 2)
        style = _SIGNS.get(line[:1], "") if one.changes else ""
        yield "  " + (screen.style(text, style) if style else text)
    if len(lines) > _SHOWN:
        yield f"  … and {len(lines) - _SHOWN} more lines"


def _untrust(args: argparse.Namespace, places: StateFolder, store: Store) -> int:
    paths = forgettable(store, args.paths or ["."])
    person = present(unattended=args.unattended)
    for path in paths:
        forget_file(store, path)
        log_person(places, person, f"trusts `{path}` no more", path, yes=False)
    _tell(args, {"untrusted": list(paths)}, [f"not trusted any more: {visible(path)}" for path in paths])
    return 0


def _task(args: argparse.Namespace, places: StateFolder, store: Store) -> int:
    session = session_here(store, str(root_of(".")), args.session)
    if args.allow or args.clear:
        person = present(unattended=args.unattended)
        said = ", ".join(args.allow) if args.allow else "everything that is permitted"
        log_person(places, person, f"the task of session {session.session}: {said}", session.session, yes=True)
        write_task(store, session, args.allow, now=int(time.time()))
    task = read_task(store, session)
    value = {"host": session.host, "session": session.session, "task": task}
    head = f"{session.host}, session {visible(session.session)}: "
    lines = [head + ("nothing but" if task else "no task: everything that is permitted")]
    _tell(args, value, [*lines, *(f"  {visible(one)}" for one in task)])
    return 0


def _broker(args: argparse.Namespace, places: StateFolder) -> int:
    if args.sort:
        value = _broker_value(args)
        person = present(unattended=args.unattended)
        log_person(places, person, f"the broker is `{args.sort}`", args.sort, yes=True)
        write_broker(places, value)
    broker = read_broker(places)
    shown: dict[str, Any] = {"broker": str(broker.sort)}
    lines = [f"broker: {broker.sort}"]
    match broker.sort:
        case BrokerKind.INTERACTIVE:
            shown["seconds"] = broker.seconds
            lines.append(f"  hooks wait {broker.seconds} seconds while `remit approvals` is open")
        case BrokerKind.POLICY:
            shown["rules"] = len(broker.rules)
            lines += [
                f"  {number} {rule.entry.effect} {rule.entry.capability}"
                f" {' '.join(scope.render() for scope in rule.entry.scopes)}"
                + ("" if rule.skill is None else f" (for {rule.skill or 'the agent itself'})")
                for number, rule in enumerate(broker.rules, 1)
            ]
            lines.append("  without a matching rule: deny")
        case BrokerKind.WEBHOOK:
            shown |= {"url": broker.url, "token": bool(broker.token)}
            lines.append(f"  asks {broker.url}")
            if args.sort:  # it is shown once, to set up the other side
                shown["secret"] = broker.secret
                lines.append(f"  secret, shown this once: {broker.secret}")
        case BrokerKind.DENY_ALL:
            lines.append("  no one answers: every question is denied")
    _tell(args, shown, map(visible, lines))
    return 0


def _broker_value(args: argparse.Namespace) -> dict[str, Any]:
    def only(*names: str) -> None:
        for name in ("target", "seconds", "token_file"):
            if getattr(args, name) is not None and name not in names:
                raise UsageError(f"`{getattr(args, name)}` says nothing about `{args.sort}`", "see --help")

    match BrokerKind(args.sort):
        case BrokerKind.INTERACTIVE:
            only("seconds")
            return {"broker": args.sort} | ({} if args.seconds is None else {"seconds": args.seconds})
        case BrokerKind.POLICY:
            only("target")
            return {"broker": args.sort, "rules": _json(args.target)}
        case BrokerKind.WEBHOOK:
            only("target", "token_file")
            if args.target is None:
                raise UsageError("a webhook has an address", "remit guard broker webhook https://…")
            token = {"token": _text(args.token_file).strip()} if args.token_file else {}
            return {"broker": args.sort, "url": args.target, "secret": secrets.token_hex(32)} | token
        case BrokerKind.DENY_ALL:
            only()
            return {"broker": args.sort}


def _json(name: str | None) -> Any:
    if name is None:
        raise UsageError("a policy has rules", "remit guard broker policy RULES.json")
    try:
        value = json.loads(_text(name))
    except ValueError as error:
        raise UsageError(f"`{name}` is not JSON: {error}", "write a list of rules") from None
    return value["rules"] if isinstance(value, dict) and "rules" in value else value


def _text(name: str) -> str:
    try:
        return Path(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"`{name}` cannot be read: {error}", "name a file of text") from None


def _stop(args: argparse.Namespace, places: StateFolder) -> int:
    present(unattended=args.unattended)
    try:
        found = ask_daemon(places, "stop")
    except GuardError:  # it hangs, or has another version
        found = None
    if found is None and (number := kill_daemon(places.daemon_lock)) is not None:
        found = {"pid": number, "killed": True}
    how = "was killed" if found is not None and "killed" in found else "ends"
    told = "no daemon runs" if found is None else f"the daemon {found['pid']} {how}; the next hook starts another"
    _tell(args, {"stopped": found}, [told])
    return 0


def _tell(args: argparse.Namespace, value: dict[str, Any], lines: Iterable[str]) -> None:
    if args.format == "json":
        print(json.dumps(value, indent=2))
    else:
        for line in lines:
            print(line)
