"""Arguments and help texts of `remit up`, `down` and `serve`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.cli.arguments_deploy import HOURS_HELP, hours

if TYPE_CHECKING:
    import argparse

UP_TITLE = "start gateway, two policy servers and executor on this machine"
UP = """\
examples:
  remit up                              with a starter policy that lets next to nothing happen
  remit up --policy office.policy       with a policy of one's own; `remit policy explain` shows what it means
  remit up --status                     what runs where
  remit down                            stop all of it

Keys, settings, state and logs lie in one folder that only its owner can enter. What is there stays: keys are made once. A changed
policy or list gets a new number and counts at once, while the parties go on running; proofs of the old one are refused. A party whose
settings or effects changed is started anew. `remit deploy` is for parties on machines of their own.

exit status:
  0  all parties answer
  1  --status: one of them does not
  2  the policy cannot be read, the folder cannot be used, or a party did not come up; its log is named
"""
POLICY_TITLE = "say what a policy of the two authorities means"
POLICY = """\
examples:
  remit policy explain office.policy    when each intent happens, what is looked up, and what it costs
  remit policy intents                  what agents can ask for, and what policies can speak of

exit status:
  0  it was said
  2  the policy is wrong, and the message names the line; or it cannot be read
"""
OUTCOME_TITLE = "say what became of a request that an agent committed"
OUTCOME = """\
examples:
  remit outcome 5d20e1b4            by the beginning of the tx_id that the agent was given (eight characters or more), or of the action's name
  remit outcome 5d20e1b4 --format json
  remit outcome 5d20e1b4 --folder /etc/remit/gateway
                                    where the gateway is deployed, on its machine

It was carried out, refused (with code and words), never started, or is in doubt, with what to do. Of a request without an end the executor
is asked. An agent learns the same when it commits the same transaction again: nothing happens twice.

exit status:
  0  it was said
  2  no request is known under that name, or more than one
"""
DOWN_TITLE = "stop what `remit up` started"
DOWN = """\
examples:
  remit down                      the parties of this user
  remit down --folder here        those of another folder

What was begun is finished first; keys, state and logs stay. A process that does not end within ten seconds is killed: an action that the
executor had begun is then `unknown` in its log, and is not repeated.

exit status:
  0  nothing runs any more, whether anything did or not
  2  the command line is wrong
"""
SERVE_TITLE = "run one party, with settings from a file"
SERVE = """\
examples:
  remit serve /etc/remit/p0/settings.json    settings that `remit deploy` made

This is what `remit up`, the systemd units and the containers start. The settings are JSON (`remit schema party`). It runs until it is told
to stop (SIGTERM), and finishes what was begun.

exit status:
  0  it was told to stop
  2  settings, keys, policy or certificates cannot be used, or something else listens at its address
"""


def add_up(into: argparse.ArgumentParser) -> None:
    """Options of `remit up`."""
    into.add_argument(
        "--folder", metavar="FOLDER", help="where keys, settings and state lie (the state folder of Remit)"
    )
    into.add_argument("--policy", metavar="FILE", help="the policy; its lists lie beside it")
    into.add_argument("--confirm-hours", metavar="N", type=hours, help=HOURS_HELP)
    into.add_argument("--status", action="store_true", help="start nothing, say what runs")
    into.add_argument("--format", choices=("text", "json"), default="text", help="how it is said")


def add_outcome(into: argparse.ArgumentParser) -> None:
    """Options of `remit outcome`."""
    into.add_argument("id", metavar="ID", help="a transaction or an action, or its beginning")
    into.add_argument("--folder", metavar="FOLDER", help="the folder of `remit up`, or the gateway's of `remit deploy`")
    into.add_argument("--format", choices=("text", "json"), default="text", help="how it is said")


def add_down(into: argparse.ArgumentParser) -> None:
    """Options of `remit down`."""
    into.add_argument("--folder", metavar="FOLDER", help="the folder of `remit up`")


def add_serve(into: argparse.ArgumentParser) -> None:
    """Options of `remit serve`."""
    into.add_argument("settings", metavar="SETTINGS", help="a file that `remit up` wrote, or one like it")


def add_policy(into: argparse.ArgumentParser, add: Callable[..., argparse.ArgumentParser]) -> None:
    """What can be written after `remit policy`."""
    actions = into.add_subparsers(dest="action", metavar="ACTION", required=True)
    explain = add(actions, "explain", "say when each intent happens", POLICY)
    explain.add_argument("file", metavar="FILE", help="a policy file; its lists lie beside it")
    add(actions, "intents", "list what agents can ask for", POLICY)
