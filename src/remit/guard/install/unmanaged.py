"""Hosts in which the guard is installed for one user only."""

from __future__ import annotations

from remit.core.errors import UsageError


def no_managed(host: str, *, managed: bool) -> None:
    """Refuse to install for all users of the machine."""
    if managed:
        raise UsageError(f"the guard cannot be installed in `{host}` for all users", "leave --managed out")
