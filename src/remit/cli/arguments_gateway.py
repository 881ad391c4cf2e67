"""Arguments and help texts of `remit gateway`."""

from __future__ import annotations

import argparse
from collections.abc import Callable

BACKENDS = ("claude-code", "codex", "model", "script")
BINDS = ("loopback", "lan", "tailnet", "custom", "auto")
INBOUND = """\
  remit gateway init                       ask which agent answers and who can reach it, and write the settings; --yes asks nothing
  remit gateway init --backend claude-code --model claude-sonnet-4-5 --key-file key --yes
                                           the same for a script: Claude Code answers
  remit gateway import openclaw.json       translate these settings, and list what is unsafe and what was not taken over
  remit gateway import openclaw.json --audit
                                           only list, write nothing; exit status 1 if something is unsafe
  remit gateway up                         start channels, web chat and devices for an agent, on this machine
  remit gateway up --monitor               the same, and check the laws of the models while it runs; alarms go to the log, and
                                           with --monitor-stop an alarm stops the gateway
  remit gateway chat                       chat in the terminal; in a script, each line is sent after the answer to the last one
  remit gateway audit                      list problems in the settings, and what to do
  remit gateway pair                       list who is waiting to be admitted
  remit gateway pair web K7PM2Q9X          admit the person with this code; --deny refuses, --remove WHO removes a person
  remit gateway runs                       list commands for devices that wait for approval
  remit gateway runs 1f0c9a2b              approve one; --deny refuses it
"""


def add_inbound(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], add: Callable[..., argparse.ArgumentParser]
) -> None:
    """The actions."""
    init = add(actions, "init", "ask a few questions, and write the settings of a gateway")
    init.add_argument("--backend", choices=BACKENDS, help="the agent that answers (default: an installed one)")
    init.add_argument("--model", metavar="NAME", help="the model, as its endpoint names it")
    init.add_argument("--model-url", metavar="URL", help="its endpoint, with or without /v1")
    init.add_argument("--speaks", choices=("anthropic", "openai"), help="the API of the endpoint")
    init.add_argument(
        "--key-file", metavar="FILE", help="a file with its key (default: $ANTHROPIC_API_KEY or $OPENAI_API_KEY)"
    )
    init.add_argument("--bind", choices=BINDS, help="who can reach it (default: loopback, this machine)")
    init.add_argument("--port", metavar="N", type=int, help="the port to listen on (default: 18790)")
    init.add_argument("--yes", action="store_true", help="ask nothing: use the options, else the safe choice")
    taken = add(actions, "import", "translate the settings of OpenClaw, and list what is unsafe in them")
    taken.add_argument("file", metavar="FILE", help="an openclaw.json")
    taken.add_argument("--audit", action="store_true", help="write nothing; status 1 if something is unsafe")
    up = add(actions, "up", "start channels, web chat and devices for an agent")
    up.add_argument("--port", metavar="N", type=int, help="the port to listen on (default: from the settings)")
    up.add_argument(
        "--monitor",
        metavar="RATE",
        nargs="?",
        type=_share,
        const=1.0,
        help="check the laws of the models in this share of operations (default: 1)",
    )
    up.add_argument("--monitor-stop", action="store_true", help="with --monitor: an alarm stops the gateway")
    chat = add(actions, "chat", "chat with a running gateway, from a terminal or a script")
    chat.add_argument("--url", metavar="URL", default="ws://127.0.0.1:18790/cli", help="the gateway's socket")
    chat.add_argument("--login-file", metavar="FILE", help="token or password of the gateway")
    chat.add_argument(
        "--key",
        metavar="FILE",
        help="your identity (default: chat.key in the state folder, created at the first start)",
    )
    audit = add(actions, "audit", "list problems in the settings")
    pair = add(actions, "pair", "list who is waiting to be admitted, or admit someone")
    pair.add_argument(
        "channel", metavar="CHANNEL", nargs="?", help="the channel, as in the settings; `nodes` for devices"
    )
    pair.add_argument("code", metavar="CODE", nargs="?", help="the code that the person or device got")
    pair.add_argument("--remove", metavar="WHO", help="remove a person or device")
    runs = add(actions, "runs", "list commands for devices, or approve one")
    runs.add_argument("id", metavar="ID", nargs="?", help="the id from the list")
    for one in (pair, runs):
        one.add_argument("--deny", action="store_true", help="refuse it")
        one.add_argument(
            "--unattended", action="store_true", help="answer without a terminal; refused if an agent started it"
        )
    for one in (taken, audit, pair, runs):
        one.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    for one in (init, taken, up, audit, pair, runs):
        one.add_argument("--settings", metavar="FILE", help="the settings (gateway.toml in the folder of `remit up`)")
        one.add_argument("--folder", metavar="FOLDER", help="the folder of the gateway")


def _share(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found <= 1:
        raise argparse.ArgumentTypeError(f"`{text}` is not a share: write a number above 0, at most 1")
    return found


GATEWAY_TITLE = "control who may speak to agents, and what agents may request"
GATEWAY = f"""\
who may speak to agents:
{INBOUND}
what agents may request:
  remit gateway give alice --intent SendMessage --sink example.org --out alice.cred
                                           a credential for one session of 8 hours: these intents, these destinations
  remit gateway mcp --credential alice.cred
                                           the gateway as an MCP server on standard input and output, for the agent's host
  remit gateway mcp --credential alice.cred --at tls:gateway.example.org:7446 --tls agent/tls
                                           the same, for a gateway on another machine
  remit gateway keep api-token --sink api.example.org < token.txt
                                           store a secret that agents can use at this host through a handle, but never see
  remit gateway waiting                    list requests that wait for an approver, with the inputs that would be used
  remit gateway confirm 3f9a               sign one with the approver's key; the agent can then commit it
  remit gateway deny 3f9a                  refuse it: the agent cannot commit it any more
  remit gateway liars                      name the policy server that lied in failed look-ups, by checking the tables
  remit gateway end SESSION                end a session: its credentials are refused, and its values deleted

--folder names an installation other than that of this user: a folder of `remit up`; `office` of `remit deploy` (for give); or, on the gateway's
machine, its folder `gateway` (for keep, waiting, confirm, deny, liars, end; confirm with --key, liars with --tables `office/built/tables`).
Only a person can answer: in a terminal that no agent started. With --unattended, your own script can answer without a terminal.

exit status:
  0  done
  1  liars: a policy server lied
  2  the command line is wrong, no request has this name, or an agent started the command
"""


def add_gateway(
    into: argparse.ArgumentParser, add: Callable[..., argparse.ArgumentParser], natural: Callable[[str], int]
) -> None:
    """What can be written after `remit gateway`."""
    actions = into.add_subparsers(dest="action", metavar="ACTION", required=True)
    give = add(actions, "give", "create a credential for an agent")
    give.add_argument("name", metavar="NAME", help="the name of the agent")
    give.add_argument("--session", metavar="NAME", help="the session (default: a new one)")
    give.add_argument(
        "--intent",
        metavar="INTENT",
        action="append",
        default=[],
        help="an intent that the agent may request; `*` is all",
    )
    give.add_argument(
        "--sink",
        metavar="SINK",
        action="append",
        default=[],
        help="a destination that it may reach: a host, `runtime`, `memory`, `*` …",
    )
    give.add_argument("--hours", metavar="N", type=natural, default=8, help="how long it is valid (default: 8)")
    give.add_argument("--user", metavar="UID", type=natural, help="only processes of this user may use it")
    give.add_argument("--out", metavar="FILE", required=True, help="a new file that only you can open")
    keep = add(actions, "keep", "store a secret, read from standard input")
    keep.add_argument("name", metavar="NAME", help="the name that agents use for it")
    keep.add_argument("--sink", metavar="SINK", action="append", required=True, help="where its value may go")
    keep.add_argument("--low", action="store_true", help="an agent may see it if a person confirms")
    waiting = add(actions, "waiting", "list requests that wait for an approver")
    waiting.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    confirm, deny = add(actions, "confirm", "sign a waiting request"), add(actions, "deny", "refuse a waiting request")
    for one in (confirm, deny):
        one.add_argument("id", metavar="ID", help="the id from the list, or its beginning")
        one.add_argument(
            "--unattended", action="store_true", help="answer without a terminal; refused if an agent started it"
        )
    confirm.add_argument("--key", metavar="FILE", help="the approver's key, if it is not in the folder")
    liars = add(actions, "liars", "name the policy server that lied in failed look-ups")
    liars.add_argument("--tables", metavar="FILE", help="the built tables (default: those of the folder of `remit up`)")
    liars.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    end = add(actions, "end", "end a session")
    end.add_argument("session", metavar="SESSION", help="its name")
    mcp = add(actions, "mcp", "serve an agent's host over MCP, on standard input and output")
    mcp.add_argument("--credential", metavar="FILE", required=True, help="the agent's credential")
    mcp.add_argument("--at", metavar="ADDRESS", help="a gateway on another machine: tls:HOST:PORT")
    mcp.add_argument("--tls", metavar="DIR", help="with --at: the certificate, `agent/tls` of `remit deploy`")
    for one in (give, keep, waiting, confirm, deny, end, liars, mcp):
        one.add_argument("--folder", metavar="FOLDER", help="the folder of `remit up`")
    add_inbound(actions, add)
