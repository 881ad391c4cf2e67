"""`remit guard answers` and `remit guard rules`: remembered answers, and the rules that stop a call."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remit.guard.rules.registry import RULES
from remit.guard.settings import read_settings
from remit.guard.state_folder import checked, state_folder
from remit.guard.store import all_answers, open_store, remove_answer
from remit.report.approval_view import answer_lines
from remit.report.screen import Screen

if TYPE_CHECKING:
    import argparse


def guard_answers(args: argparse.Namespace) -> int:
    """Run the commands."""
    folder = Path(args.state) if args.state else state_folder()
    if args.action == "rules":
        value, lines = _rules(folder)
    else:
        value, lines = _answers(folder, args.remove)
    print(json.dumps(value, indent=2) if args.format == "json" else "\n".join(lines))
    return 0


def _answers(folder: Path, remove: str | None) -> tuple[Any, list[str]]:
    store = open_store(checked(folder).database)
    try:
        if remove:
            gone = remove_answer(store, remove)
            return gone._asdict(), [f"{gone.id}: removed; the guard asks again"]
        found = all_answers(store)
    finally:
        store.close()
    lines = list(answer_lines(found, Screen.of(sys.stdout, "auto")))
    return [one._asdict() for one in found], lines or ["no answer is remembered"]


def _rules(folder: Path) -> tuple[Any, list[str]]:
    switches = read_settings(folder).rules
    found = [
        {
            "id": rule.ident,
            "code": rule.reason_code,
            "action": str(switches.get(rule.ident, rule.action)),
            "usually": str(rule.action),
            "fixed": rule.fixed,
            "without_skill": rule.always,
            "summary": rule.summary,
        }
        for rule in RULES
    ]
    return found, [f"{rule['id']:21} {rule['action']:7} {rule['summary']}" for rule in found]
