"""Arguments and help texts of `remit scan`."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from remit.cli.parsers import Command

REPORT_TITLE = "summarise scans: levels, findings, guarantees, opaque reasons, near-duplicates, changes"
REPORT = """\
examples:
  remit scan report results.parquet             levels, the worst skills first, findings by rule, near-duplicates
  remit scan report new.parquet --against old.parquet
                                                and what changed since another scan
  remit scan report results.parquet --format html > report.html
                                                one self-contained page
  remit scan report part-1.parquet part-2.parquet
                                                parts of one scan

docs/scan-report.md describes how near-duplicates and changes are found.

exit status:
  0  done; with --against: no skill has a worse level, or can do more than before
  1  with --against: a skill has a worse level, gained a capability, uses one on more scopes, became opaque, or can no longer be analysed
  2  the command line is wrong, or the results cannot be read
"""


def add_scan_report(report: argparse.ArgumentParser, natural: Callable[[str], int]) -> None:
    """The arguments of `remit scan report`."""
    report.add_argument("results", nargs="+", metavar="RESULTS", help="Parquet that `remit scan --out` wrote")
    report.add_argument(
        "--against", metavar="OLD", action="append", default=[], help="results of an earlier scan; may be repeated"
    )
    report.add_argument("--format", choices=("text", "json", "html", "md"), default="text", help="default: text")
    report.add_argument("--top", metavar="N", type=natural, default=10, help="entries of a list (default: 10)")
    report.add_argument(
        "--similar",
        metavar="S",
        type=_share,
        default=0.8,
        help="least similarity of near-duplicates, from 0.5 to 0.99 (default: 0.8)",
    )
    report.add_argument(
        "--max-memory",
        metavar="MB",
        type=natural,
        default=2048,
        help="memory of the database (default: 2048); the rest is on disk",
    )
    report.add_argument("-q", "--quiet", action="store_true", help="no progress")
    report.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="default: auto, and NO_COLOR is respected"
    )


def _share(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0.5 <= number <= 0.99:
        raise argparse.ArgumentTypeError(f"`{text}` is not a number from 0.5 to 0.99")
    return number


TITLE = "write what all skills of a registry can do into one table"
TEXT = """\
examples:
  remit scan skills --out results.parquet              every SKILL.md in a folder
  remit scan *.skill old.tar.gz --out results.parquet  archives: zip, .skill, tar with gzip, bzip2 or xz
  remit scan https://git.example/skills.git#v2 --out results.parquet
                                                       a Git repository at a commit, branch or tag
  remit scan index.jsonl --out results.parquet         one object per line: {"location": …, "name": …, "digest": …}
  remit scan skills --out results.parquet --cache redis://cache.example --cache-key key
                                                       results shared by several machines, signed with a shared secret
  remit scan skills --out results.parquet --ray auto   on a Ray cluster; `--ray local` starts one here
  remit scan report results.parquet                    summarise the table; see `remit scan report --help`

Run the same command again to continue an interrupted scan. A skill that cannot be read, or that kills its worker, gets a row with the
verdict `unknown` and the reason; the scan continues. docs/scan.md describes the columns.

exit status:
  0  every skill was analysed
  1  some skills could not be analysed: their verdict is `unknown`
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
    scan.add_argument("--fresh", action="store_true", help="start over, even if an interrupted scan exists")
    scan.add_argument(
        "-j", "--jobs", metavar="N", type=natural, default=0, help="skills at a time (default: one for each core)"
    )
    scan.add_argument("--ray", metavar="ADDRESS", default="", help="a Ray cluster to use; `local` starts one here")
    scan.add_argument(
        "--cache", metavar="PLACE", default="", help="a folder, or redis://… (default: a folder of the user's cache)"
    )
    scan.add_argument(
        "--cache-key", metavar="FILE", default="", help="a secret that signs cached results; required for Redis"
    )
    scan.add_argument(
        "--format", choices=("text", "json"), default="text", help="format of the summary (default: text)"
    )
    scan.add_argument("-q", "--quiet", action="store_true", help="no progress")
    scan.add_argument(
        "--max-archive-bytes",
        metavar="N",
        type=natural,
        default=4 * 1024**3,
        help="unpacked bytes of one archive or repository (default: 4294967296)",
    )
