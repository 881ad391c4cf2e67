"""Arguments and help texts of `remit telemetry`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

TITLE = "send traces, metrics and logs of the guard, the gateways, the authorities and the executor"
TEXT = """\
examples:
  remit telemetry                                       show the settings and ports
  remit telemetry on otlp=http://127.0.0.1:4318         spans to an OpenTelemetry collector
  remit telemetry on prometheus=127.0.0.1:9464          metrics at this port and the nine after it, one per process
  remit telemetry on log=stderr level=warning           lines of JSON; log=FILE appends to a file
  remit telemetry off                                   switch everything off

The settings apply to every process of this user that starts afterwards: `remit guard stop` makes the daemon restart with the next call, `remit up`
restarts the parties. They are stored in telemetry.json in the state folder; --folder names another folder, such as that of a party's settings.
Telemetry contains only names, codes, times and counts, nothing that an agent sent (docs/telemetry.md). It is off by default.

exit status:
  0  the settings were shown or written
  2  a setting is wrong, the file cannot be used, or an agent started the command
"""
_WORDS = "otlp=URL, prometheus=ADDRESS:PORT, log=stderr or log=FILE, level=debug, info, warning or error"


def add_telemetry(into: argparse.ArgumentParser, add: Callable[..., argparse.ArgumentParser]) -> None:
    """The arguments of `remit telemetry`."""
    actions = into.add_subparsers(dest="action", metavar="ACTION")
    on, off = (
        add(actions, "on", "switch on what is named, and off the rest", TEXT),
        add(actions, "off", "switch everything off"),
    )
    on.add_argument("words", metavar="WORD", nargs="+", help=_WORDS)
    for one in (into, on, off):
        one.add_argument(
            "--folder", metavar="FOLDER", help="folder of telemetry.json (default: the state folder of this user)"
        )
    into.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
