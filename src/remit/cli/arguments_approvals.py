"""Arguments and help texts of `remit approvals`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

TITLE = "answer what agents ask: allow once, for the session, for longer, or deny"
TEXT = """\
examples:
  remit approvals                          on a terminal: one question at a time, with the arrow keys
  remit approvals list                     what waits for an answer
  remit approvals show 3f9a                everything about one question
  remit approvals approve 3f9a             allow this call once; the agent tries again
  remit approvals approve 3f9a --session   and all that ask the same, as long as the session lasts
  remit approvals approve 3f9a --always    and later sessions in this workspace, for 30 days
  remit approvals deny 3f9a                it is not asked again in this session
  remit approvals approve 5d20e1b4         what waits at the gateway of `remit up` is listed too: sign for it, once
  remit approvals grants                   what was granted for longer, and for how long
  remit approvals revoke 77c1              end such a grant at once

While it is open on a terminal, the hooks of hosts that cannot ask wait a moment for the answer. A grant holds what was asked about, under
the limits of the entry that allows it, in the same workspace, and for the skill as it is now. Every answer is in `remit audit log`.

Only a person answers: on a terminal, and not below an agent. --unattended does without the terminal, for a script of yours.

exit status:
  0  it was shown or answered
  2  the command line is wrong, nothing asked this, or an agent started it
"""


def add_approvals(
    command: argparse.ArgumentParser, add: Callable[..., argparse.ArgumentParser], natural: Callable[[str], int]
) -> None:
    """The arguments of `remit approvals`."""
    _common(command)
    inner = command.add_subparsers(dest="action", metavar="ACTION")
    _common(add(inner, "list", "list what waits for an answer"), again=True)
    show = add(inner, "show", "show one question")
    approve = add(inner, "approve", "allow what a question asks")
    deny = add(inner, "deny", "deny what a question asks")
    revoke = add(inner, "revoke", "end a grant")
    grants = add(inner, "grants", "list what was granted for longer than a session")
    grants.add_argument("--all", action="store_true", help="also those that are over or revoked")
    for one in (show, approve, deny, revoke):
        one.add_argument("id", metavar="ID", help="as the list names it")
    long = approve.add_mutually_exclusive_group()
    long.add_argument(
        "--session", action="store_true", help="as long as the session lasts, and for all that ask the same"
    )
    long.add_argument("--always", action="store_true", help="for later sessions too")
    approve.add_argument("--days", metavar="N", type=natural, help="with --always: for so many days (default: 30)")
    for one in (approve, deny, revoke):
        one.add_argument("--unattended", action="store_true", help="without a terminal; never below an agent")
    for one in (show, approve, deny, revoke, grants):
        _common(one, again=True)


def _common(command: argparse.ArgumentParser, *, again: bool = False) -> None:
    import argparse  # noqa: PLC0415

    # an action must not undo what was said before it
    text = argparse.SUPPRESS if again else "text"
    state = argparse.SUPPRESS if again else None
    command.add_argument("--format", choices=("text", "json"), default=text, help="default: text")
    command.add_argument(
        "--state", metavar="FOLDER", default=state, help="the guard's state folder (default: that of this user)"
    )
