"""What can be written after `remit gateway` for those who speak with agents, and what it teaches."""

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
