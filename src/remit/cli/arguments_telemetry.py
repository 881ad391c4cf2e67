"""Arguments and help texts of `remit telemetry`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

TITLE = "send traces, metrics and logs of the guard, the gateways, the authorities and the executor"
TEXT = """\
examples:
  remit telemetry                                       what is sent, to whom, at which ports
  remit telemetry on otlp=http://127.0.0.1:4318         spans to an OpenTelemetry collector
  remit telemetry on prometheus=127.0.0.1:9464          figures at this port and the nine after it, one a process
  remit telemetry on log=stderr level=warning           lines of JSON; log=FILE appends to a file
  remit telemetry off                                   nothing of it

What is switched on counts for every process of this user that begins afterwards: `remit guard stop` lets the daemon begin anew with the next
call, `remit up` the parties. The words are kept in telemetry.json; --folder names another place than the state folder: that of a party's settings.
Nothing that an agent sent is included, only names, codes, times and counts (docs/telemetry.md). Off, it costs nothing and imports nothing.

exit status:
  0  it was shown or written
  2  a word is wrong, the file cannot be used, or an agent started it
"""
_WORDS = "otlp=URL, prometheus=ADDRESS:PORT, log=stderr or log=FILE, level=debug, info, warning or error"


def add_telemetry(into: argparse.ArgumentParser, add: Callable[..., argparse.ArgumentParser]) -> None:
    """The arguments of `remit telemetry`."""
    actions = into.add_subparsers(dest="action", metavar="ACTION")
    on, off = (add(actions, "on", "switch it on, and off what is not named", TEXT), add(actions, "off", "send nothing"))
    on.add_argument("words", metavar="WORD", nargs="+", help=_WORDS)
    for one in (into, on, off):
        one.add_argument(
            "--folder", metavar="FOLDER", help="folder of telemetry.json (default: the state folder of this user)"
        )
    into.add_argument("--format", choices=("text", "json"), default="text", help="how it is said")
