"""Arguments and help texts of `remit console`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

TITLE = "show skills, approvals and the audit log in a browser, on this machine"
TEXT = """\
examples:
  remit console                        skills below this folder; prints the address to open
  remit console ~/.claude/skills ./skills
  remit console --port 0               at a free port
  remit console --bind 10.0.0.5 --tls-certificate cert.pem --tls-key key.pem
                                       for other machines too

The address contains a code that admits one browser, once; the console then prints the next address. Pages load nothing from elsewhere.
The console writes a manifest only below the given folders, and asks first. Only the person who started it in a terminal, not an agent,
can answer approvals. docs/console.md describes the pages and the access control.

exit status:
  0  it was stopped
  2  the command line is wrong, or it cannot listen at the address
"""


def add_console(console: argparse.ArgumentParser, natural: Callable[[str], int]) -> None:
    """The arguments."""
    console.add_argument(
        "paths", nargs="*", metavar="PATH", help="a skill, or a folder that contains skills (default: .)"
    )
    console.add_argument("--bind", metavar="ADDRESS", default="127.0.0.1", help="where to listen (default: 127.0.0.1)")
    console.add_argument("--port", metavar="N", type=natural, default=18795, help="default: 18795; 0: a free port")
    console.add_argument(
        "--name", metavar="NAME", action="append", default=[], help="a host name that browsers may use; may be repeated"
    )
    console.add_argument("--tls-certificate", metavar="FILE", help="a certificate, PEM")
    console.add_argument("--tls-key", metavar="FILE", help="its key, PEM")
    console.add_argument(
        "--without-tls",
        action="store_true",
        help="listen for other machines without TLS: anyone on the network path can read and answer",
    )
    console.add_argument("--trust-root", metavar="FILE", help="whose signatures count for the bundles of skills")
    console.add_argument("--state", metavar="FOLDER", help="the state folder of the guard")
    console.add_argument("--authority", metavar="FOLDER", help="the folder of `remit up`")
    console.add_argument(
        "--unattended", action="store_true", help="allow answers to approvals although this is not a terminal"
    )
