"""Arguments and help texts of `remit node`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

TITLE = "make this machine a device of a gateway: declare commands, and run approved ones"
TEXT = """\
examples:
  remit node                               this machine, for the gateway on it: notes, and the locations of programs
  remit node --declare system.run          also run programs, each after a person approved it
  remit node --backend browser --url wss://gateway.example.org/node --login-file token

The first time it prints a code: `remit gateway pair nodes CODE` admits the device. It does only what it declares here.
If the connection ends, or the gateway does not run yet, it connects again after 1 to 60 seconds, until you stop it.

exit status:
  0  it was stopped
  2  the gateway refuses it
"""


def add_node(into: argparse.ArgumentParser) -> None:
    """The arguments."""
    into.add_argument("--url", metavar="URL", default="ws://127.0.0.1:18790/node", help="the gateway's socket")
    into.add_argument(
        "--backend", choices=("shell", "browser"), default="shell", help="what the device offers (default: shell)"
    )
    into.add_argument(
        "--declare", metavar="NAME", action="append", default=[], help="declare one more command, such as system.run"
    )
    into.add_argument("--login-file", metavar="FILE", help="token or password of the gateway")
    into.add_argument(
        "--key",
        metavar="FILE",
        help="the device's key (default: node.key in the state folder, created at the first start)",
    )
