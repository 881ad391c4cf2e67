"""Remit: what an AI-agent skill can do, what it may do, and that the first stays inside the second.

    >>> import remit
    >>> report = remit.check("skills/pdf")

`__all__` is the public API (docs/api.md). Everything else may change without notice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remit.api import Diff, Draft, check, diff, draft, verify
    from remit.bundle.admission import Admission
    from remit.checker.report import Report
    from remit.core.effect import Effect, Opaque, Unread
    from remit.core.errors import RemitError

__all__ = [
    "Admission",
    "Diff",
    "Draft",
    "Effect",
    "Opaque",
    "RemitError",
    "Report",
    "Unread",
    "check",
    "diff",
    "draft",
    "verify",
]


def __getattr__(name: str) -> object:
    """The public names, read when they are first used: `import remit` alone takes no time."""
    if name not in __all__:
        raise AttributeError(f"module `remit` has no attribute `{name}`")
    from remit.api import PUBLIC  # noqa: PLC0415

    return PUBLIC[name]


def __dir__() -> list[str]:
    return __all__
