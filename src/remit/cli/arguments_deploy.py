"""Arguments and help texts of `remit deploy`."""

from __future__ import annotations

import argparse
from collections.abc import Callable

MOST_HOURS = 24  # the life of an action: its module would make every start of the command line slower
HOURS_HELP = f"how long a request waits for an approver: 1 to {MOST_HOURS} (as before, or 8)"
DEPLOY_TITLE = "create a folder with keys, certificates and settings for each party, to run them on separate machines"
DEPLOY = """\
examples:
  remit deploy parties --policy office.policy
                              hosts called p0, p1, executor and gateway, as deploy/compose.yaml calls them
  remit deploy parties --host p0=p0.example.org --host p1=10.0.2.7
                              other hosts; running it again changes what it names, and keeps the rest
  remit deploy parties --host executor=e1.example.org,e2.example.org --host gateway=g1.example.org,g2.example.org
                              two executors and two gateways: each pair has one folder and shares a store (docs/authority.md)
  remit deploy parties --policy new.policy
                              a changed policy: copy the folders `policy` again, and reload p0, p1, executor and gateway
                              in this order (`systemctl reload remit@p0`, or SIGHUP); none of them restarts
  remit deploy parties --renew
                              new certificates; they last two years
  remit deploy parties --status
                              ask each party whether it works, with the certificate of `monitor`

Each party's folder contains only its own secrets. Copy it to its machine, to /etc/remit/NAME for the systemd unit in
deploy/. `office` stays here, or on a machine that only you can use: it contains the keys of operator and approver, and the key that signs certificates.
`agent` is for machines that run agents, `monitor` for the machine that reads health and metrics.

exit status:
  0  the folders are written; --status: all parties work
  1  --status: one of them does not
  2  a host, a port or the policy is wrong, or an earlier folder is missing; the message says what to do
"""


def add_deploy(into: argparse.ArgumentParser, natural: Callable[[str], int]) -> None:
    """Options of `remit deploy`."""
    into.add_argument("folder", metavar="FOLDER", help="where to create the folders of the parties")
    into.add_argument(
        "--policy",
        metavar="FILE",
        help="the policy; its lists are next to it (default: a starter that allows next to nothing)",
    )
    into.add_argument(
        "--host",
        metavar="ROLE=HOST",
        action="append",
        default=[],
        type=_host,
        help="where a party runs: a name or an address (default: its role); separate several executors or gateways by commas",
    )
    into.add_argument(
        "--port",
        metavar="N",
        type=natural,
        help="the first port (default: 7440); each purpose of each party has its own",
    )
    into.add_argument("--listen", metavar="ADDRESS", help="the address at which parties listen (default: 0.0.0.0)")
    into.add_argument(
        "--state", metavar="DIR", help="where each party writes, in a folder of its name (default: /var/lib/remit)"
    )
    into.add_argument("--confirm-hours", metavar="N", type=hours, help=HOURS_HELP)
    into.add_argument("--renew", action="store_true", help="new certificates")
    into.add_argument("--status", action="store_true", help="write nothing; ask each party whether it works")
    into.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def hours(text: str) -> int:
    """For how many hours a request waits for an approver."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MOST_HOURS:
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of hours from 1 to {MOST_HOURS}")
    return int(text)


def _host(text: str) -> tuple[str, str]:
    role, equals, host = text.partition("=")
    if role not in ("p0", "p1", "executor", "gateway") or not equals or not host:
        raise argparse.ArgumentTypeError(f"`{text}` is not ROLE=HOST, with one of p0, p1, executor, gateway")
    return role, host
