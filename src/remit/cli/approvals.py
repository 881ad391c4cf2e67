"""`remit approvals`: the questions of agents, and a person's answers."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remit.audit.log import Log
from remit.cli.approval_prompt import Desk
from remit.core.errors import UsageError
from remit.gateway.deployment.waiting_requests import (
    SHORT,
    confirm_there,
    gateway_folder,
    named_there,
    refuse_there,
    waiting_there,
)
from remit.guard.approvals.answers import DAYS, Answer, answer, revoke
from remit.guard.approvals.duplicate_questions import fold, same
from remit.guard.approvals.persons import present
from remit.guard.audit_key import audit_signer
from remit.guard.state_folder import StateFolder, checked, state_folder
from remit.guard.store import Approval, Grant, State, Store, all_answers, all_grants, approval, approvals, open_store
from remit.report.approval_view import answer_lines, grant_lines, list_lines, question_lines, told
from remit.report.gateway_view import waiting_body, waiting_lines, waiting_value
from remit.report.screen import Screen

if TYPE_CHECKING:
    import argparse

    from remit.gateway.transactions import Waiting


def approvals_command(args: argparse.Namespace) -> int:
    """Run the command."""
    places = checked(Path(args.state) if args.state else state_folder())
    store = open_store(places.database)
    try:
        return _run(args, places, store)
    finally:
        store.close()


def _run(args: argparse.Namespace, places: StateFolder, store: Store) -> int:
    screen = Screen.of(sys.stdout, "auto")
    now = int(time.time())
    match args.action:
        case None if sys.stdin.isatty() and sys.stdout.isatty():
            person = present()
            with Log.open(places.folder, audit_signer) as log:
                Desk(places, store, log, person).run()
        case None | "list":
            folded = fold(approvals(store, State.PENDING, now))
            value = [{"questions": [_value(one) for one in group.questions]} for group in folded]
            others = waiting_there(gateway_folder(places.folder))
            lines = [*(list_lines(folded, now, screen) if folded or not others else ()), *_there_lines(others, screen)]
            _tell(args, {"waiting": value, "gateway": [waiting_value(one) for one in others]}, lines, screen)
        case "show" if (there := _only_there(places, store, args.id)) is not None:
            lines = [
                f"{screen.style(there.id[:SHORT], 'bold')}  waits at the gateway",
                *waiting_body(there, screen, now),
            ]
            _tell(args, waiting_value(there), lines, screen)
        case "show":
            found = _named(store, args.id)
            rest = [one for one in approvals(store, State.PENDING, now) if same(one) == same(found) and one != found]
            head = [f"{screen.style(found.id, 'bold')}  {found.state}" + (f" by {found.who}" if found.who else "")]
            _tell(args, _value(found), [*head, *question_lines(found, screen, rest)], screen)
        case "approve" if (there := _only_there(places, store, args.id)) is not None:
            if args.session or args.always:
                raise UsageError("what waits at the gateway is confirmed once", "leave --session and --always out")
            confirm_there(gateway_folder(places.folder), there, str(present(unattended=args.unattended)))
            _tell(args, waiting_value(there), [*_there_lines((there,), screen), "confirmed"], screen)
        case "deny" if (there := _only_there(places, store, args.id)) is not None:
            refuse_there(gateway_folder(places.folder), there, str(present(unattended=args.unattended)))
            _tell(args, waiting_value(there), [f"{args.id}: denied"], screen)
        case "approve" | "deny":
            _answer(args, places, store, screen, now)
        case "grants":
            grants = all_grants(store) if args.all else tuple(one for one in all_grants(store) if one.holds(now))
            remembered = all_answers(store)
            listed = {"grants": [_grant_value(one) for one in grants], "answers": [one._asdict() for one in remembered]}
            _tell(args, listed, [*grant_lines(grants, now, screen), *answer_lines(remembered, screen)], screen)
        case _:
            person = present(unattended=args.unattended)
            with Log.open(places.folder, audit_signer) as log:
                gone = revoke(store, log, args.id, who=str(person), now=now)
            _tell(args, _grant_value(gone), [f"{gone.id}: revoked"], screen)
    return 0


def _only_there(places: StateFolder, store: Store, name: str) -> Waiting | None:
    """Return what waits at the gateway under a name that is no question of the guard."""
    return None if approval(store, name) is not None else named_there(gateway_folder(places.folder), name)


def _there_lines(there: Iterable[Waiting], screen: Screen) -> list[str]:
    lines: list[str] = []
    for one in there:
        head, *rest = waiting_lines(one)
        lines += [f"{screen.style(head, 'bold')}  (gateway)", *rest, ""]
    return lines[:-1]


def _answer(args: argparse.Namespace, places: StateFolder, store: Store, screen: Screen, now: int) -> None:
    said = Answer.DENY
    days = DAYS
    if args.action == "approve":
        said = Answer.SESSION if args.session else Answer.ALWAYS if args.always else Answer.ONCE
        if args.days is not None and said is not Answer.ALWAYS:
            raise UsageError("--days goes with --always", "say for how long with --session, or not at all")
        days = args.days or DAYS
    _named(store, args.id)
    person = present(unattended=args.unattended)
    with Log.open(places.folder, audit_signer) as log:
        done = answer(store, log, args.id, said, who=str(person), now=now, days=days)
    value = {
        "answer": str(said),
        "answered": [_value(one) for one in done.answered],
        "granted": [_grant_value(one) for one in done.granted],
    }
    lines = [
        f"{args.id}: {told(said, len(done.answered))}",
        *(grant_lines(done.granted, now, screen) if done.granted else ()),
    ]
    _tell(args, value, lines, screen)


def _named(store: Store, name: str) -> Approval:
    found = approval(store, name)
    if found is None:
        raise UsageError(f"there is no question `{name}`", "`remit approvals list` shows those that wait")
    return found


def _value(one: Approval) -> dict[str, Any]:
    shown = {name: value for name, value in one.shown.items() if name != "grants"}
    return one._asdict() | {"shown": shown, "state": str(one.state)}


def _grant_value(one: Grant) -> dict[str, Any]:
    return dict(one._asdict())


def _tell(args: argparse.Namespace, value: dict[str, Any], lines: Iterable[str], screen: Screen) -> None:
    if args.format == "json":
        print(json.dumps(value, indent=2))
    else:
        screen.write(lines)
