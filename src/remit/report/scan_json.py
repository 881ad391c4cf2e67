"""A report on a scan as JSON (`remit schema scan-report` describes the form): the values themselves, by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remit.scan.report.values import Findings


def scan_json(found: Findings) -> dict[str, Any]:
    """Return all findings. `changes` is null if nothing was compared."""
    return {"version": 1, **_plain(found)}


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return {name: _plain(item) for name, item in value._asdict().items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
