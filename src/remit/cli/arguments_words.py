"""Arguments of `remit guard trust`, `untrust`, `task`, `broker`, `stop` and `log`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

TRUST = """\
examples:
  remit guard trust                        remit-defaults.json and skills.lock of this workspace
  remit guard trust .claude/skills/pdf     the manifest of a skill
  remit guard trust --list                 what is trusted

The grants of a file in a workspace count only after a person has reviewed it. Remit shows the file, or what changed in it, and asks.
It trusts the file by its digest: if the file changes later, it is refused until you trust it again.

exit status:
  0  it is trusted
  1  you answered no
  2  the command line is wrong, a file cannot be read, or there is no terminal to ask on
"""
TASK = """\
examples:
  remit guard task                                           show the task of the newest session here
  remit guard task --allow 'file.* ./docs/**' 'commit.create'  only these run in the session
  remit guard task --clear                                   end the task

A task only narrows a session: an action must also be permitted by the other rules.
"""
BROKER = """\
examples:
  remit guard broker                               show who answers if a host cannot ask
  remit guard broker interactive --seconds 15      a person at `remit approvals` (the default)
  remit guard broker policy rules.json             rules: the first that matches a request answers; without a match, deny
  remit guard broker webhook https://ask.example/  a service that signs its answers
  remit guard broker deny-all                      deny every question

`remit schema broker` describes the stored settings, docs/approvals.md the exchange with a service.
"""


def add_words(
    inner: argparse._SubParsersAction[argparse.ArgumentParser],
    add: Callable[..., argparse.ArgumentParser],
    natural: Callable[[str], int],
) -> None:
    """The arguments."""
    trust = add(inner, "trust", "trust the grants of a file in a workspace or skill", TRUST)
    trust.add_argument("paths", metavar="PATH", nargs="*", help="a file, a skill or a workspace (default: here)")
    trust.add_argument("--list", action="store_true", help="list what is trusted")
    untrust = add(inner, "untrust", "stop trusting it")
    untrust.add_argument(
        "paths", metavar="PATH", nargs="*", help="a file, or a folder with trusted files (default: here)"
    )
    task = add(inner, "task", "narrow a session to a task", TASK)
    which = task.add_mutually_exclusive_group()
    which.add_argument("--allow", metavar="ENTRY", nargs="+", default=[], help="`capability scope…`: only these run")
    which.add_argument("--clear", action="store_true", help="end the task")
    task.add_argument("--session", metavar="S", help="default: the newest one of this workspace")
    broker = add(inner, "broker", "set who answers if a host cannot ask", BROKER)
    broker.add_argument(
        "sort", nargs="?", choices=("deny-all", "policy", "interactive", "webhook"), help="default: show it"
    )
    broker.add_argument("target", nargs="?", metavar="FILE|URL", help="the rules, or the address of the service")
    broker.add_argument("--seconds", metavar="N", type=natural, help="interactive: how long a hook waits (at most 18)")
    broker.add_argument(
        "--token-file",
        metavar="FILE",
        help="webhook: a token that an answer over https may contain instead of a signature",
    )
    stop = add(inner, "stop", "end the daemon; the next hook starts another")
    add(inner, "log", "see `remit audit log`")
    for one in (trust, untrust, task, broker, stop):
        one.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
        one.add_argument(
            "--unattended", action="store_true", help="answer without a terminal; refused if an agent started it"
        )
