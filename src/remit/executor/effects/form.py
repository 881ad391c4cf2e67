"""What an adapter is given, and what it says.

Whether something happened must be certain: `Done` if it did, `NotDoneError` if for certain it did not. Any other error leaves it open,
and the action counts as unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from remit.core.errors import RemitError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.executor.accept import Accepted


class Done(NamedTuple):
    """It happened."""

    summary: str
    data: dict[str, Any] = {}  # noqa: RUF012  never changed


class NotDoneError(RemitError):
    """For certain nothing happened."""


class Effect(Protocol):
    """An adapter. It is given what was accepted, and nothing else makes one of those."""

    async def __call__(self, accepted: Accepted, secrets: Mapping[str, bytes], /) -> Done:
        """Let it happen. `secrets`: the values of handles among the inputs; they go where the effect goes, and nowhere else."""
        ...
