"""What can be written after `remit scan report`, and what it teaches."""

from __future__ import annotations

import argparse
from collections.abc import Callable

REPORT_TITLE = "say what results of scans hold: levels, findings, guarantees, opaque reasons, near-duplicates, changes"
REPORT = """\
examples:
  remit scan report results.parquet             levels, the worst skills first, findings by rule, near-duplicates
  remit scan report new.parquet --against old.parquet
                                                and what changed since another scan
  remit scan report results.parquet --format html > report.html
                                                one page, which needs nothing else
  remit scan report part-1.parquet part-2.parquet
                                                parts of one scan

How likenesses and changes are found is described in docs/scan-report.md.

exit status:
  0  done; with --against: no skill has a worse level, or can do more than before
  1  with --against: a skill has a worse level, gained a capability, or uses one on more, or can no longer be understood
  2  the command line is wrong, or the results cannot be read
"""


def add_scan_report(report: argparse.ArgumentParser, natural: Callable[[str], int]) -> None:
    """The arguments of `remit scan report`."""
    report.add_argument("results", nargs="+", metavar="RESULTS", help="Parquet that `remit scan --out` wrote")
    report.add_argument(
        "--against", metavar="OLD", action="append", default=[], help="results of a scan before; may be repeated"
    )
    report.add_argument("--format", choices=("text", "json", "html", "md"), default="text", help="default: text")
    report.add_argument("--top", metavar="N", type=natural, default=10, help="entries of a list (default: 10)")
    report.add_argument(
        "--similar", metavar="S", type=_share, default=0.8, help="from 0.5 to 0.99: what is near (default: 0.8)"
    )
    report.add_argument(
        "--max-memory",
        metavar="MB",
        type=natural,
        default=2048,
        help="of the database (default: 2048); the rest is on disk",
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
