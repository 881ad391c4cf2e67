"""`remit gateway chat`: a conversation with a running gateway, at a terminal or from a script."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

from remit.bundle.files import read_small
from remit.core.errors import PackageError, UsageError
from remit.guard.state_folder import state_folder
from remit.report.screen import visible

if TYPE_CHECKING:
    import argparse

_MOST = 4096
KEY = "chat.key"


def chat(args: argparse.Namespace) -> int:
    """Run until the input ends; 1 if a message was not received."""
    try:
        from remit.gateway.inbound.channels.terminal import Terminal, visitors_secret  # noqa: PLC0415  packages of its own
    except ImportError as error:
        raise PackageError(error.name or "websockets", "gateway") from None
    login = ""
    if args.login_file:
        login = read_small(Path(args.login_file), "the login", _MOST, UsageError, private=True).decode().strip()
    secret = visitors_secret(Path(args.key) if args.key else state_folder() / KEY)
    at_terminal = sys.stdin.isatty()
    terminal = Terminal(args.url, login, secret, _told)

    async def run() -> bool:
        return await terminal.run(_lines(at_terminal=at_terminal), wait=not at_terminal)

    return 0 if asyncio.run(run()) else 1


def _told(text: str) -> None:
    """Return an agent's text, escaped: it can neither move the cursor nor hide."""
    print("\n".join(visible(line) for line in text.splitlines()), flush=True)


async def _lines(*, at_terminal: bool) -> AsyncIterator[str]:
    """Return lines of the input. They are read beside the loop, so that answers are shown while the user types."""
    loop, queue = asyncio.get_running_loop(), asyncio.Queue[str | None]()

    def read() -> None:
        if at_terminal:
            import readline  # noqa: F401, PLC0415  arrow keys, and what was said before

        while True:
            try:
                line = input("> " if at_terminal else "")
            except (EOFError, KeyboardInterrupt):
                loop.call_soon_threadsafe(queue.put_nowait, None)
                return
            loop.call_soon_threadsafe(queue.put_nowait, line)

    threading.Thread(target=read, daemon=True).start()
    while (line := await queue.get()) is not None:
        yield line
