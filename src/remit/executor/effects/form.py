"""What an adapter is given, and what it says.

Whether something happened must be certain: `Done` if it did, `NotDoneError` if for certain it did not. Any other error leaves it open,
and the action counts as unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from remit.core.errors import RemitError

if TYPE_CHECKING:
    from remit.executor.accepted import Accepted


class Done(NamedTuple):
    """It happened."""

    summary: str
    data: dict[str, Any] = {}  # noqa: RUF012  never changed; what the gateway is told
    record: dict[str, Any] = {}  # noqa: RUF012  what the log keeps besides: a status, a digest


class NotDoneError(RemitError):
    """For certain nothing happened."""


class Effect(Protocol):
    """An adapter. It is given what was accepted, and nothing but the acceptance predicate makes one of those."""

    def happen(self, accepted: Accepted, /) -> Done:
        """Let it happen, in a thread of its own."""
        ...
