"""Arguments of `remit capsule`."""

from __future__ import annotations

import argparse
from collections.abc import Callable

TITLE = "run a command so that it reaches what a manifest grants, and nothing else"
TEXT = """\
  remit capsule run --manifest skills/pdf/remit.json -- python3 skills/pdf/scripts/fill.py form.pdf
  remit capsule run --manifest M --explain -- CMD   what would be bound, hidden and allowed; nothing is run
  remit capsule probe                               try to get out of a capsule, in every way that we know
  remit capsule profile --manifest M -- CMD         the same contract as a profile of macOS
"""
RUN = """\
examples:
  remit capsule run --manifest remit.json -- python3 report.py
  remit capsule run --manifest remit.json --confirm --workspace project -- make report
  remit capsule run --manifest remit.json --arg in.pdf -- python3 fill.py in.pdf
  remit capsule run --manifest remit.json --socket gateway=/run/user/1000/remit/gateway.sock -- agent
  remit capsule run --manifest remit.json --explain --format json -- python3 report.py

What the manifest grants is there, and nothing else is: files and folders are bound for reading or for changing as entries say;
credentials, hooks and start-up files in them are hidden or read-only unless their own class is granted; programs that no entry
names are not there, but for the command itself; of the environment only what `env.read` grants is handed on; the network is one
of its own, where only an egress proxy listens, which reaches the hosts of the manifest (HTTP_PROXY and HTTPS_PROXY are
set) and records each connection. bubblewrap, Landlock, a filter of calls and limits hold it; if one of them is missing, nothing
is run. Entries that ask a person are not granted without --confirm: who gives it is that person.

The folder of the manifest is `$SKILL`, readable, if it holds SKILL.md. `<arg>` stands for what --arg names. A pattern such as
`./*.json` grants the files that exist; grant a folder (`./out/**`) to let new ones be made.

exit status:
  that of the command; and of the capsule itself
  123  the command ended, but left files that no entry grants (a hook, a start-up file): they are listed
  124  its time ran out (--timeout)
  125  nothing was run: this machine cannot hold it, or the manifest or the command cannot be used
  126, 127  the command could not be started, or is not there
"""
PROBE = """\
Each attempt is made by a small program, once outside, where it must succeed, and once in a capsule, where it must not: reading a
secret of the host, starting what is not granted, TCP, UDP, DNS, Unix sockets, raw packets, netlink, writing outside, /proc,
descriptors, setuid, namespaces, ptrace, io_uring, keyrings, terminals, mounts, links, signals.

exit status:
  0  every attempt that succeeds outside is held inside
  1  something got out, or an attempt could not be made
  125  this machine cannot hold a capsule
"""
PROFILE = """\
Prints a profile for sandbox-exec of macOS from the same contract as `remit capsule run` on Linux. It is generated and tested as text;
it is not applied by Remit.
"""


def add_capsule(
    capsule: argparse.ArgumentParser, add: Callable[..., argparse.ArgumentParser], natural: Callable[[str], int]
) -> None:
    """The sub-commands and their arguments."""
    actions = capsule.add_subparsers(dest="action", metavar="ACTION", title="actions", required=True)
    run = add(actions, "run", "run a command in a capsule", RUN)
    _contract(run, natural)
    run.add_argument("--explain", action="store_true", help="show what would be bound, hidden and allowed; run nothing")
    run.add_argument("--format", choices=("text", "json"), default="text", help="of --explain (default: text)")
    run.add_argument("--record", metavar="FILE", help="write how it ended and what left the capsule, as JSON")
    profile = add(actions, "profile", "the contract as a Seatbelt profile of macOS", PROFILE)
    _contract(profile, natural)
    probe = add(actions, "probe", "try to get out of a capsule, in every way that we know", PROBE)
    probe.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    probe.add_argument("names", metavar="NAME", nargs="*", help="these attempts alone")


def _contract(run: argparse.ArgumentParser, natural: Callable[[str], int]) -> None:
    run.add_argument("--manifest", metavar="FILE", required=True, help="what the command may reach")
    run.add_argument(
        "--workspace", metavar="DIR", default=".", help="the folder that `./` stands for (default: this one)"
    )
    run.add_argument(
        "--confirm", action="store_true", help="grant what the manifest asks a person about; you are that person"
    )
    run.add_argument(
        "--arg", metavar="PATH", action="append", default=[], help="a path that `<arg>` stands for; may be repeated"
    )
    run.add_argument(
        "--socket",
        metavar="NAME=PATH",
        action="append",
        default=[],
        help="a Unix socket that is handed in, at $REMIT_SOCKET_NAME; may be repeated",
    )
    run.add_argument(
        "--timeout", metavar="SECONDS", type=natural, default=0, help="time for the command (default: no limit)"
    )
    run.add_argument("--landlock", metavar="ABI", type=natural, default=1, help="refuse to run with less (default: 1)")
    run.add_argument("words", metavar="CMD", nargs=argparse.REMAINDER, help="the command, after --")
