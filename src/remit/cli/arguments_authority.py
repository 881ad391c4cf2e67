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
  remit up                              with a starter policy that allows next to nothing
  remit up --policy office.policy       with your own policy; `remit policy explain` shows what it means
  remit up --status                     what runs, and where
  remit down                            stop all of it

Keys, settings, state and logs are in one folder that only its owner can open. A later `remit up` keeps the existing keys. A changed
policy or list gets a new number and takes effect at once, while the parties keep running; proofs of the old policy are refused. A party
whose settings or effects changed is restarted. Use `remit deploy` to run the parties on separate machines.

exit status:
  0  all parties answer
  1  --status: one of them does not
  2  the policy cannot be read, the folder cannot be used, or a party did not start; the message names its log
"""
POLICY_TITLE = "explain a policy of the two authorities"
POLICY = """\
examples:
  remit policy explain office.policy    when each intent is allowed, what is looked up, and what it costs
  remit policy intents                  what agents can request, and the slots that a policy can use

exit status:
  0  done
  2  the policy is wrong, and the message names the line; or it cannot be read
"""
OUTCOME_TITLE = "show the outcome of a request that an agent committed"
OUTCOME = """\
examples:
  remit outcome 5d20e1b4            ID: the first eight or more characters of the agent's tx_id, or of the name of the action
  remit outcome 5d20e1b4 --format json
  remit outcome 5d20e1b4 --folder /etc/remit/gateway
                                    on the machine of a deployed gateway

The request was carried out, was refused (with code and explanation), never started, or its outcome is unknown (with what to do). If the
gateway has no outcome, it asks the executor. An agent gets the same answer by committing the same transaction again: nothing happens twice.

exit status:
  0  the outcome was shown
  2  no request has this name, or more than one
"""
DOWN_TITLE = "stop what `remit up` started"
DOWN = """\
examples:
  remit down                      the parties of this user
  remit down --folder here        those of another folder

The parties first finish what they have begun. Keys, state and logs stay. A process that does not end within ten seconds is killed: an action
that the executor had begun is then `unknown` in its log, and is not repeated.

exit status:
  0  no party runs any more, or none was running
  2  the command line is wrong
"""
SERVE_TITLE = "run one party, with settings from a file"
SERVE = """\
examples:
  remit serve /etc/remit/p0/settings.json    settings that `remit deploy` wrote

`remit up`, the systemd units and the containers start this command. The settings are JSON (`remit schema party`). The party runs until
SIGTERM, and then finishes what it has begun.

exit status:
  0  it was stopped
  2  settings, keys, policy or certificates cannot be used, or another program listens at its address
"""


def add_up(into: argparse.ArgumentParser) -> None:
    """Options of `remit up`."""
    into.add_argument(
        "--folder",
        metavar="FOLDER",
        help="the folder of keys, settings and state (default: in the state folder of Remit)",
    )
    into.add_argument("--policy", metavar="FILE", help="the policy; its lists are next to it")
    into.add_argument("--confirm-hours", metavar="N", type=hours, help=HOURS_HELP)
    into.add_argument("--status", action="store_true", help="start nothing; show what runs")
    into.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def add_outcome(into: argparse.ArgumentParser) -> None:
    """Options of `remit outcome`."""
    into.add_argument("id", metavar="ID", help="a transaction or an action, or its beginning")
    into.add_argument("--folder", metavar="FOLDER", help="the folder of `remit up`, or the gateway's of `remit deploy`")
    into.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def add_down(into: argparse.ArgumentParser) -> None:
    """Options of `remit down`."""
    into.add_argument("--folder", metavar="FOLDER", help="the folder of `remit up`")


def add_serve(into: argparse.ArgumentParser) -> None:
    """Options of `remit serve`."""
    into.add_argument("settings", metavar="SETTINGS", help="a file that `remit up` wrote, or one like it")


def add_policy(into: argparse.ArgumentParser, add: Callable[..., argparse.ArgumentParser]) -> None:
    """What can be written after `remit policy`."""
    actions = into.add_subparsers(dest="action", metavar="ACTION", required=True)
    explain = add(actions, "explain", "show when each intent is allowed", POLICY)
    explain.add_argument("file", metavar="FILE", help="a policy file; its lists are next to it")
    add(actions, "intents", "list what agents can request", POLICY)
