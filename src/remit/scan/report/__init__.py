"""Reports on tables of `remit scan`: levels, the worst skills, findings by rule, similarities and changes."""

from remit.scan.report.findings import report
from remit.scan.report.query_base import Options
from remit.scan.report.values import Findings

__all__ = ["Findings", "Options", "report"]
