"""Arguments of `remit capsule`."""

from __future__ import annotations

import argparse
from collections.abc import Callable

TITLE = "run a command in a sandbox that enforces a manifest"
TEXT = """\
  remit capsule run --manifest skills/pdf/remit.json -- python3 skills/pdf/scripts/fill.py form.pdf
  remit capsule run --manifest M --explain -- CMD   what would be bound, hidden and allowed; runs nothing
  remit capsule probe                               try every known way to escape from a capsule
  remit capsule profile --manifest M -- CMD         the same contract as a macOS profile
"""
RUN = """\
examples:
  remit capsule run --manifest remit.json -- python3 report.py
  remit capsule run --manifest remit.json --confirm --workspace project -- make report
  remit capsule run --manifest remit.json --arg in.pdf -- python3 fill.py in.pdf
  remit capsule run --manifest remit.json --socket gateway=/run/user/1000/remit/gateway.sock -- agent
  remit capsule run --manifest remit.json --explain --format json -- python3 report.py

The command can reach only what the manifest grants. Files and folders are bound for reading or writing as the entries say;
credentials, hooks and start-up files in them are hidden or read-only unless their own capability is granted. Programs that no
entry names are missing, except the command itself. Only environment variables that `env.read` grants are passed on. The command
has its own network, where an egress proxy (HTTP_PROXY, HTTPS_PROXY) reaches the hosts of the manifest and records each connection.
bubblewrap, Landlock, a system-call filter and limits enforce this; if one of them is missing, nothing is run. Entries that need
approval are granted only with --confirm: by passing it, you approve them.

The folder of the manifest is `$SKILL`, and readable, if it contains SKILL.md. `<arg>` is what --arg names. A pattern such as
`./*.json` grants the files that exist; grant a folder (`./out/**`) to allow new files.

exit status:
  that of the command, or
  123  the command ended, but left files that no entry grants (a hook, a start-up file); they are listed
  124  timeout (--timeout)
  125  nothing was run: this machine cannot provide the sandbox, or the manifest or the command cannot be used
  126, 127  the command could not be started, or does not exist
"""
PROBE = """\
A small program makes each attempt, once outside, where it must succeed, and once in a capsule, where it must fail: reading a
secret of the host, starting what is not granted, TCP, UDP, DNS, Unix sockets, raw packets, netlink, writing outside, /proc,
descriptors, setuid, namespaces, ptrace, io_uring, keyrings, terminals, mounts, links, signals.

exit status:
  0  every attempt that succeeds outside fails inside
  1  an attempt escaped, or could not be made
  125  this machine cannot provide a capsule
"""
PROFILE = """\
Prints a profile for sandbox-exec of macOS from the same contract as `remit capsule run` on Linux. Remit generates it
and tests its text, but does not apply it.
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
    run.add_argument("--record", metavar="FILE", help="write the result and every connection, as JSON")
    profile = add(actions, "profile", "print the contract as a macOS Seatbelt profile", PROFILE)
    _contract(profile, natural)
    probe = add(actions, "probe", "try every known way to escape from a capsule", PROBE)
    probe.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    probe.add_argument("names", metavar="NAME", nargs="*", help="only these attempts")


def _contract(run: argparse.ArgumentParser, natural: Callable[[str], int]) -> None:
    run.add_argument("--manifest", metavar="FILE", required=True, help="the manifest to enforce")
    run.add_argument("--workspace", metavar="DIR", default=".", help="the folder for `./` (default: the current one)")
    run.add_argument(
        "--confirm",
        action="store_true",
        help="also grant the entries that need approval; by passing this, you approve them",
    )
    run.add_argument("--arg", metavar="PATH", action="append", default=[], help="a path for `<arg>`; may be repeated")
    run.add_argument(
        "--socket",
        metavar="NAME=PATH",
        action="append",
        default=[],
        help="a Unix socket to pass in, at $REMIT_SOCKET_NAME; may be repeated",
    )
    run.add_argument(
        "--timeout", metavar="SECONDS", type=natural, default=0, help="time for the command (default: no limit)"
    )
    run.add_argument(
        "--landlock", metavar="ABI", type=natural, default=1, help="refuse to run with an older Landlock (default: 1)"
    )
    run.add_argument("words", metavar="CMD", nargs=argparse.REMAINDER, help="the command, after --")
