"""What can be written after `remit gateway`, and what it teaches."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.cli.arguments_inbound import INBOUND, add_inbound

if TYPE_CHECKING:
    import argparse

GATEWAY_TITLE = "who may speak with agents, and what agents may ask for"
GATEWAY = f"""\
who speaks with agents:
{INBOUND}
what agents ask for:
  remit gateway give alice --intent SendMessage --sink example.org --out alice.cred
                                           a credential for one session of 8 hours: these intents, these destinations
  remit gateway mcp --credential alice.cred
                                           the gateway as an MCP server at standard input, for the host of this agent
  remit gateway mcp --credential alice.cred --at tls:gateway.example.org:7446 --tls agent/tls
                                           the same, where the gateway is on another machine
  remit gateway keep api-token --sink api.example.org < token.txt
                                           a secret that agents can use there through a handle, and never see
  remit gateway waiting                    what waits for an approver, with the inputs with which it would happen
  remit gateway confirm 3f9a               sign for it with the approver's key; the agent then commits
  remit gateway deny 3f9a                  say no: the agent can not commit it any more
  remit gateway liars                      which policy server lied in look-ups that failed, by the tables themselves
  remit gateway end SESSION                no credential of a session is believed any more, and its values are gone

--folder names the installation, where it is not that of this user: a folder of `remit up`, `office` of `remit deploy` (give), or its `gateway`, on
the gateway's machine (keep, waiting, confirm, deny, liars, end; confirm with --key, liars with --tables `office/built/tables`). Only a person answers: on a terminal, and not below an agent.
--unattended does without the terminal, for a script of yours.

exit status:
  0  it was done or shown
  1  liars: a policy server lied
  2  the command line is wrong, nothing waits under that name, or an agent started it
"""


def add_gateway(
    into: argparse.ArgumentParser, add: Callable[..., argparse.ArgumentParser], natural: Callable[[str], int]
) -> None:
    """What can be written after `remit gateway`."""
    actions = into.add_subparsers(dest="action", metavar="ACTION", required=True)
    give = add(actions, "give", "give a credential")
    give.add_argument("name", metavar="NAME", help="who the agent is")
    give.add_argument("--session", metavar="NAME", help="the session (a new one)")
    give.add_argument("--intent", metavar="INTENT", action="append", default=[], help="may be asked for; `*` is all")
    give.add_argument(
        "--sink", metavar="SINK", action="append", default=[], help="may be reached: a host, `runtime`, `memory`, `*` …"
    )
    give.add_argument("--hours", metavar="N", type=natural, default=8, help="for so long (default: 8)")
    give.add_argument("--user", metavar="UID", type=natural, help="only processes of this user may show it")
    give.add_argument("--out", metavar="FILE", required=True, help="a new file, which only you can open")
    keep = add(actions, "keep", "keep a secret, read from standard input")
    keep.add_argument("name", metavar="NAME", help="by which agents ask for it")
    keep.add_argument("--sink", metavar="SINK", action="append", required=True, help="where its value may go")
    keep.add_argument("--low", action="store_true", help="it may be shown to an agent, when a person confirms that")
    waiting = add(actions, "waiting", "list what waits for an approver")
    waiting.add_argument("--format", choices=("text", "json"), default="text", help="how it is said")
    confirm, deny = add(actions, "confirm", "sign for what waits"), add(actions, "deny", "say no to what waits")
    for one in (confirm, deny):
        one.add_argument("id", metavar="ID", help="as the list names it, or its beginning")
        one.add_argument("--unattended", action="store_true", help="without a terminal; never below an agent")
    confirm.add_argument("--key", metavar="FILE", help="the approver's key, where it is not in the folder")
    liars = add(actions, "liars", "name the policy server that lied in look-ups that failed")
    liars.add_argument(
        "--tables", metavar="FILE", help="the tables that were built (those of the folder of `remit up`)"
    )
    liars.add_argument("--format", choices=("text", "json"), default="text", help="how it is said")
    end = add(actions, "end", "end a session")
    end.add_argument("session", metavar="SESSION", help="its name")
    mcp = add(actions, "mcp", "serve an agent's host over MCP, at standard input")
    mcp.add_argument("--credential", metavar="FILE", required=True, help="the agent's credential")
    mcp.add_argument("--at", metavar="ADDRESS", help="where the gateway is, if on another machine: tls:HOST:PORT")
    mcp.add_argument("--tls", metavar="DIR", help="with --at: the certificate, `agent/tls` of `remit deploy`")
    for one in (give, keep, waiting, confirm, deny, end, liars, mcp):
        one.add_argument("--folder", metavar="FOLDER", help="the folder of `remit up`")
    add_inbound(actions, add)
