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

What a file in a workspace grants counts only when a person has looked at it: it is shown, or what changed in it since, and asked about.
It is trusted by its digest; a file that changes afterwards is refused until it is trusted again.

exit status:
  0  it is trusted
  1  the answer was no
  2  the command line is wrong, a file cannot be read, or no person can be asked
"""
TASK = """\
examples:
  remit guard task                                           what is the task of the newest session here?
  remit guard task --allow 'file.* ./docs/**' 'commit.create'  nothing else runs in it
  remit guard task --clear                                   what is permitted counts again

A task only narrows: what it names must be permitted besides.
"""
BROKER = """\
examples:
  remit guard broker                               who is asked where a host cannot ask?
  remit guard broker interactive --seconds 15      a person who looks at `remit approvals`; the default
  remit guard broker policy rules.json             rules: the first that matches a request answers, else deny
  remit guard broker webhook https://ask.example/  a service that signs its answers
  remit guard broker deny-all                      nobody

`remit schema broker` describes what is kept. docs/approvals.md describes the exchange with a service.
"""


def add_words(
    inner: argparse._SubParsersAction[argparse.ArgumentParser],
    add: Callable[..., argparse.ArgumentParser],
    natural: Callable[[str], int],
) -> None:
    """The arguments."""
    trust = add(inner, "trust", "let what a file of a workspace or skill grants count", TRUST)
    trust.add_argument("paths", metavar="PATH", nargs="*", help="a file, a skill or a workspace (default: here)")
    trust.add_argument("--list", action="store_true", help="list what is trusted")
    untrust = add(inner, "untrust", "let it count no more")
    untrust.add_argument(
        "paths", metavar="PATH", nargs="*", help="a file, or a folder with trusted files (default: here)"
    )
    task = add(inner, "task", "narrow a session to a task", TASK)
    which = task.add_mutually_exclusive_group()
    which.add_argument("--allow", metavar="ENTRY", nargs="+", default=[], help="`capability scope…`: nothing else runs")
    which.add_argument("--clear", action="store_true", help="no task any more")
    task.add_argument("--session", metavar="S", help="default: the newest one of this workspace")
    broker = add(inner, "broker", "say who is asked where a host cannot ask", BROKER)
    broker.add_argument(
        "sort", nargs="?", choices=("deny-all", "policy", "interactive", "webhook"), help="default: show it"
    )
    broker.add_argument("target", nargs="?", metavar="FILE|URL", help="the rules, or the address of the service")
    broker.add_argument("--seconds", metavar="N", type=natural, help="interactive: how long a hook waits (at most 18)")
    broker.add_argument(
        "--token-file", metavar="FILE", help="webhook: what an answer over https may bring instead of a signature"
    )
    stop = add(inner, "stop", "end the daemon; the next hook starts another")
    add(inner, "log", "see `remit audit log`")
    for one in (trust, untrust, task, broker, stop):
        one.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
        one.add_argument("--unattended", action="store_true", help="without a terminal; never below an agent")
