"""What do the results of a scan say? Tables of `remit scan` become a report: levels, the worst skills, findings by rule, likenesses and changes."""

from remit.scan.report.findings import report
from remit.scan.report.query_base import Options
from remit.scan.report.values import Findings

__all__ = ["Findings", "Options", "report"]
