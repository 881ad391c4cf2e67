"""`remit gateway`: agents and their channels, and actions of operator and approver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.cli.inbound import INBOUND

if TYPE_CHECKING:
    import argparse


def gateway(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.action in INBOUND:
        return INBOUND[args.action](args)
    from remit.cli.gateway_operator import operate  # noqa: PLC0415  packages that agents and channels do without

    return operate(args)
