"""Arguments and help texts of `remit node`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

TITLE = "be a device of a gateway: declare commands, and run what was approved"
TEXT = """\
examples:
  remit node                               this machine, for the gateway on it: notes, and where programs lie
  remit node --declare system.run          and programs, each after a person approved it
  remit node --backend browser --url wss://gateway.example.org/node --login-file token

The first time a code is shown: `remit gateway pair nodes CODE` lets the device in. It does what it declares here and nothing else.
When the connection ends, or the gateway is not there yet, it connects again after 1 to 60 seconds, until it is stopped.

exit status:
  0  it was stopped
  2  the gateway refuses it
"""


def add_node(into: argparse.ArgumentParser) -> None:
    """The arguments."""
    into.add_argument("--url", metavar="URL", default="ws://127.0.0.1:18790/node", help="the gateway's socket")
    into.add_argument("--backend", choices=("shell", "browser"), default="shell", help="what it has (default: shell)")
    into.add_argument("--declare", metavar="NAME", action="append", default=[], help="declare one more, as system.run")
    into.add_argument("--login-file", metavar="FILE", help="token or password of the gateway")
    into.add_argument("--key", metavar="FILE", help="the device's key (node.key in the state folder; made at first)")
