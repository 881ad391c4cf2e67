"""`remit node`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from remit.bundle.files import read_small
from remit.core.errors import PackageError, UsageError
from remit.guard.state_folder import state_folder

if TYPE_CHECKING:
    import argparse

_MOST = 4096
_PLATFORM = {"shell": "linux", "browser": "browser"}
_FIRST = {"shell": {"system.which", "system.notify"}, "browser": {"page.read", "page.shot"}}


def node(args: argparse.Namespace) -> int:
    """Run the command."""
    try:
        from remit.gateway.inbound.nodes.client import BACKENDS, Node, device_key  # noqa: PLC0415  packages of its own
    except ImportError as error:
        raise PackageError(error.name or "websockets", "gateway") from None
    platform = _PLATFORM[args.backend]
    commands = frozenset(_FIRST[args.backend] | set(args.declare))
    if unknown := sorted(commands - set(BACKENDS[platform])):
        raise UsageError(
            f"`{unknown[0]}` is no command of this backend", f"one of {', '.join(sorted(BACKENDS[platform]))}"
        )
    path = Path(args.key) if args.key else state_folder() / "node.key"
    login = ""
    if args.login_file:
        login = read_small(Path(args.login_file), "the login", _MOST, UsageError, private=True).decode().strip()
    device = Node(device_key(path), platform, commands, lambda line: print(line, flush=True))
    asyncio.run(device.serve(args.url, login))
    return 0
