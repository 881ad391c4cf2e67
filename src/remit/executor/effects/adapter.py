"""The interface of an effect adapter.

It must be certain whether something happened: an adapter returns `Done` if it did, and raises `NotDoneError` if it
certainly did not. After any other error the action counts as unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from remit.core.errors import RemitError

if TYPE_CHECKING:
    from remit.executor.accepted_request import Accepted


class EffectDone(NamedTuple):
    """The effect happened."""

    summary: str
    data: dict[str, Any] = {}  # noqa: RUF012  never changed; what the gateway is told
    record: dict[str, Any] = {}  # noqa: RUF012  what the log keeps besides: a status, a digest


class NotDoneError(RemitError):
    """The effect certainly did not happen."""


class Effect(Protocol):
    """An adapter. It takes an `Accepted`, which only the acceptance predicate can make."""

    def happen(self, accepted: Accepted, /) -> EffectDone:
        """Perform the effect, in a thread of its own."""
        ...
