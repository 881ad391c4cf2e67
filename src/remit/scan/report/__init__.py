"""What do the results of a scan say? Tables of `remit scan` become findings: counts, ranks, outliers, likenesses and changes."""

from remit.scan.report.asking import Options
from remit.scan.report.findings import report
from remit.scan.report.values import Findings

__all__ = ["Findings", "Options", "report"]
