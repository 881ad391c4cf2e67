"""Arguments and help texts of `remit console`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

TITLE = "look at skills, approvals and the log in a browser, on this machine"
TEXT = """\
examples:
  remit console                        skills below this folder; the address to open is printed
  remit console ~/.claude/skills ./skills
  remit console --port 0               at a port that is free
  remit console --bind 10.0.0.5 --tls-certificate cert.pem --tls-key key.pem
                                       from elsewhere too

The address holds a code that lets one browser in, once; then the next one is printed. Nothing is loaded from elsewhere. A page writes
a manifest only below the folders that were given, and after a question. Approvals are answered by the person who started it on a terminal,
whom no agent started. docs/console.md describes the pages and who may ask.

exit status:
  0  it was stopped
  2  the command line is wrong, or it cannot listen there
"""


def add_console(console: argparse.ArgumentParser, natural: Callable[[str], int]) -> None:
    """The arguments."""
    console.add_argument("paths", nargs="*", metavar="PATH", help="a skill, or a folder that holds skills (default: .)")
    console.add_argument("--bind", metavar="ADDRESS", default="127.0.0.1", help="where to listen (default: 127.0.0.1)")
    console.add_argument("--port", metavar="N", type=natural, default=18795, help="default: 18795; 0: one that is free")
    console.add_argument(
        "--name", metavar="NAME", action="append", default=[], help="a name by which browsers may ask; may be repeated"
    )
    console.add_argument("--tls-certificate", metavar="FILE", help="a certificate, PEM")
    console.add_argument("--tls-key", metavar="FILE", help="its key, PEM")
    console.add_argument(
        "--without-tls",
        action="store_true",
        help="let others reach it without TLS: anyone on the network path can read along",
    )
    console.add_argument("--trust-root", metavar="FILE", help="whose signatures count for the bundles of skills")
    console.add_argument("--state", metavar="FOLDER", help="the state folder of the guard")
    console.add_argument("--authority", metavar="FOLDER", help="the folder of `remit up`")
    console.add_argument(
        "--unattended", action="store_true", help="answer approvals in the pages although this is no terminal"
    )
