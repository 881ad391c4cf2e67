"""Arguments and help texts of `remit approvals`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

TITLE = "answer questions of agents: allow once, for the session, for longer, or deny"
TEXT = """\
examples:
  remit approvals                          in a terminal: one question at a time, with the arrow keys
  remit approvals list                     list the questions that wait for an answer
  remit approvals show 3f9a                everything about one question
  remit approvals approve 3f9a             allow this call once; the agent tries again
  remit approvals approve 3f9a --session   and calls that need the same approval, until the session ends
  remit approvals approve 3f9a --always    and in later sessions of this workspace, for 30 days
  remit approvals deny 3f9a                deny it; this session does not ask it again
  remit approvals approve 5d20e1b4         sign a request that waits at the gateway of `remit up`, once
  remit approvals grants                   what was granted for longer, and until when
  remit approvals revoke 77c1              end such a grant at once

While `remit approvals` is open in a terminal, the hooks of hosts that cannot ask wait a moment for your answer. A grant covers what was asked, under
the limits of the entry that allows it, in the same workspace, and for the current content of the skill. `remit audit log` records every answer.

Only a person can answer: in a terminal that no agent started. With --unattended, your own script can answer without a terminal.

exit status:
  0  it was shown or answered
  2  the command line is wrong, there is no such question, or an agent started the command
"""


def add_approvals(
    command: argparse.ArgumentParser, add: Callable[..., argparse.ArgumentParser], natural: Callable[[str], int]
) -> None:
    """The arguments of `remit approvals`."""
    _common(command)
    inner = command.add_subparsers(dest="action", metavar="ACTION")
    _common(add(inner, "list", "list the questions that wait for an answer"), again=True)
    show = add(inner, "show", "show one question")
    approve = add(inner, "approve", "approve a question")
    deny = add(inner, "deny", "deny a question")
    revoke = add(inner, "revoke", "end a grant")
    grants = add(inner, "grants", "list what was granted for longer than a session")
    grants.add_argument("--all", action="store_true", help="also those that have ended or were revoked")
    for one in (show, approve, deny, revoke):
        one.add_argument("id", metavar="ID", help="as in the list")
    long = approve.add_mutually_exclusive_group()
    long.add_argument(
        "--session", action="store_true", help="until the session ends, for all calls that need the same approval"
    )
    long.add_argument("--always", action="store_true", help="for later sessions too")
    approve.add_argument("--days", metavar="N", type=natural, help="with --always: how many days (default: 30)")
    for one in (approve, deny, revoke):
        one.add_argument(
            "--unattended", action="store_true", help="answer without a terminal; refused if an agent started it"
        )
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
