"""What can be written after `remit scan`, and what it teaches."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from remit.cli.arguments_scan_report import REPORT, REPORT_TITLE, add_scan_report
from remit.cli.parsers import Command

TITLE = "say what all skills of a registry can do, as one table"
TEXT = """\
examples:
  remit scan skills --out results.parquet              every SKILL.md in a folder
  remit scan *.skill old.tar.gz --out results.parquet  archives: zip, .skill, tar with gzip, bzip2 or xz
  remit scan https://git.example/skills.git#v2 --out results.parquet
                                                       a Git repository at a commit, branch or tag
  remit scan index.jsonl --out results.parquet         one object a line: {"location": …, "name": …, "digest": …}
  remit scan skills --out results.parquet --cache redis://cache.example --cache-key key
                                                       answers shared by several machines, signed with a secret of theirs
  remit scan skills --out results.parquet --ray auto   by a Ray cluster; `--ray local` starts one here
  remit scan report results.parquet                    what the table holds; `remit scan report --help` says more

A scan that was interrupted goes on when it is given again. A skill that cannot be read, or that ends its worker, is a row
with the verdict `unknown` and the reason; the others go on. The columns are described in docs/scan.md.

exit status:
  0  every skill was looked at
  1  of some skills nothing is known: their verdict is `unknown`
  2  the command line is wrong, or a source cannot be read; nothing was written
"""


def add_scan(scan: argparse.ArgumentParser, natural: Callable[[str], int]) -> None:
    """The arguments of `remit scan`, and of its one action."""
    assert isinstance(scan, Command)
    scan.actions["report"] = Command(
        f"{scan.prog} report",
        description=f"{REPORT_TITLE[0].upper()}{REPORT_TITLE[1:]}.",
        epilog=REPORT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_scan_report(scan.actions["report"], natural)
    scan.set_defaults(action="")
    scan.add_argument(
        "sources", nargs="+", metavar="SOURCE", help="a folder, an archive, a Git repository, or an index"
    )
    scan.add_argument(
        "--out", metavar="FILE", required=True, help="the file of results; a scan in progress is kept next to it"
    )
    scan.add_argument("--fresh", action="store_true", help="begin anew, whatever an interrupted scan has done")
    scan.add_argument(
        "-j", "--jobs", metavar="N", type=natural, default=0, help="skills at a time (default: one for each core)"
    )
    scan.add_argument(
        "--ray", metavar="ADDRESS", default="", help="a Ray cluster that does the work; `local` starts one here"
    )
    scan.add_argument(
        "--cache", metavar="PLACE", default="", help="a folder, or redis://… (default: a folder of the user's cache)"
    )
    scan.add_argument(
        "--cache-key", metavar="FILE", default="", help="a secret that signs what is kept; a Redis needs one"
    )
    scan.add_argument("--format", choices=("text", "json"), default="text", help="of the summary; default: text")
    scan.add_argument("-q", "--quiet", action="store_true", help="no progress")
    scan.add_argument(
        "--max-archive-bytes",
        metavar="N",
        type=natural,
        default=4 * 1024**3,
        help="bytes that come out of one archive or repository (default: 4294967296)",
    )
