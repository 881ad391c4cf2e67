"""Arguments and help texts of `remit gateway`."""

from __future__ import annotations

import argparse
from collections.abc import Callable

BACKENDS = ("claude-code", "codex", "model", "script")
BINDS = ("loopback", "lan", "tailnet", "custom", "auto")
INBOUND = """\
  remit gateway init                       ask what answers and who reaches it, and write the settings; with --yes nothing is asked
  remit gateway init --backend claude-code --model claude-sonnet-4-5 --key-file key --yes
                                           the same for a script: Claude Code answers
  remit gateway import openclaw.json       take over these settings: what is unsafe there, and what was not taken over
  remit gateway import openclaw.json --audit
                                           say it and write nothing; exit status 1 if something is unsafe
  remit gateway up                         channels, web chat and devices before an agent, on this machine
  remit gateway up --monitor               the same, and what the models say must hold is looked at while it runs; alarms go to
                                           the log, and with --monitor-stop end it
  remit gateway chat                       speak with it; lines of a script are said one after the other, each when the last is answered
  remit gateway audit                      what is wrong with its settings, and what to do
  remit gateway pair                       who waits to be let in
  remit gateway pair web K7PM2Q9X          let in who has this code; --deny does not, --remove WHO takes it back
  remit gateway runs                       what devices are asked for, and waits for a person
  remit gateway runs 1f0c9a2b              approve it; --deny does not
"""


def add_inbound(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], add: Callable[..., argparse.ArgumentParser]
) -> None:
    """The actions."""
    init = add(actions, "init", "ask a few questions, and write the settings of a gateway")
    init.add_argument("--backend", choices=BACKENDS, help="what answers (what is installed)")
    init.add_argument("--model", metavar="NAME", help="the model, as its endpoint names it")
    init.add_argument("--model-url", metavar="URL", help="its endpoint, with or without /v1")
    init.add_argument("--speaks", choices=("anthropic", "openai"), help="the form of the endpoint")
    init.add_argument("--key-file", metavar="FILE", help="its key ($ANTHROPIC_API_KEY or $OPENAI_API_KEY)")
    init.add_argument("--bind", choices=BINDS, help="who reaches it (loopback: this machine)")
    init.add_argument("--port", metavar="N", type=int, help="where to listen (18790)")
    init.add_argument("--yes", action="store_true", help="ask nothing: options, and else the safe choice")
    taken = add(actions, "import", "take over the settings of OpenClaw, and say what is unsafe there")
    taken.add_argument("file", metavar="FILE", help="an openclaw.json")
    taken.add_argument("--audit", action="store_true", help="write nothing; status 1 if something is unsafe")
    up = add(actions, "up", "channels, web chat and devices before an agent")
    up.add_argument("--port", metavar="N", type=int, help="where to listen (that of the settings)")
    up.add_argument(
        "--monitor",
        metavar="RATE",
        nargs="?",
        type=_share,
        const=1.0,
        help="look at the laws of the models in this share of what it does (1)",
    )
    up.add_argument("--monitor-stop", action="store_true", help="with --monitor: an alarm stops the gateway")
    chat = add(actions, "chat", "speak with a gateway that runs, from a terminal or a script")
    chat.add_argument("--url", metavar="URL", default="ws://127.0.0.1:18790/cli", help="the gateway's socket")
    chat.add_argument("--login-file", metavar="FILE", help="token or password of the gateway")
    chat.add_argument("--key", metavar="FILE", help="who speaks (chat.key in the state folder; made at first)")
    audit = add(actions, "audit", "what is wrong with the settings")
    pair = add(actions, "pair", "who waits to be let in; let somebody in")
    pair.add_argument("channel", metavar="CHANNEL", nargs="?", help="as the settings name it; `nodes` for devices")
    pair.add_argument("code", metavar="CODE", nargs="?", help="that the stranger was given")
    pair.add_argument("--remove", metavar="WHO", help="is not let in any more")
    runs = add(actions, "runs", "what devices are asked for; approve it")
    runs.add_argument("id", metavar="ID", nargs="?", help="as the list names it")
    for one in (pair, runs):
        one.add_argument("--deny", action="store_true", help="say no")
        one.add_argument("--unattended", action="store_true", help="without a terminal; never below an agent")
    for one in (taken, audit, pair, runs):
        one.add_argument("--format", choices=("text", "json"), default="text", help="how it is said")
    for one in (init, taken, up, audit, pair, runs):
        one.add_argument("--settings", metavar="FILE", help="the settings (gateway.toml in the folder of `remit up`)")
        one.add_argument("--folder", metavar="FOLDER", help="the folder of the gateway")


def _share(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found <= 1:
        raise argparse.ArgumentTypeError(f"`{text}` is no share: more than 0, and 1 at most")
    return found


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
