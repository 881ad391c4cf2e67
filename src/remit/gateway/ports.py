"""Interfaces that the gateway depends on: the policy servers, the executor and the skill folder.

Tests substitute in-process services.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from remit.core.errors import RemitError

if TYPE_CHECKING:
    from remit.authority.policy_files import Given
    from remit.authority.values.opening import Opening
    from remit.authority.values.outputs import Outputs
    from remit.executor.accept import Presented
    from remit.executor.forms import Result


class NotAskedError(RemitError):
    """The servers cannot be asked about a request: its text is too long, or it does not have the intent's form."""


class Found(NamedTuple):
    """The result of a look-up: the decision, and what lets the executor repeat it."""

    outputs: Outputs
    salt: bytes
    proofs: tuple[Any, Any]  # as the servers sent them
    answers: tuple[bytes, bytes]
    given: Given  # the policy that was used
    why: str = ""  # if not allowed: the deciding line of the policy


class Policy(Protocol):
    """Both policy servers. A fault of a server is an AuthorityError, a fault of a request a NotAskedError."""

    @property
    def given(self) -> Given:
        """The current policy."""
        ...

    async def renew(self, before: int) -> bool:
        """Load the newest policy; return whether its epoch is higher than `before`."""
        ...

    async def look_up(self, opening: Opening, action_id: str, /) -> Found:
        """Have both servers answer and sign now."""
        ...


class Executor(Protocol):
    """The executor. After an AuthorityError it is unknown whether something happened; after a NotReachedError nothing
    has.
    """

    async def store(self) -> str:
        """Return the name of its replay store."""
        ...

    async def outcome(self, action_id: str, /) -> str:
        """Return the outcome of an action: done, failed, unknown, started, or never."""
        ...

    async def execute(self, presented: Presented, secrets: Mapping[str, bytes], /) -> Result:
        """Execute an action. `secrets` holds the values of handles in the inputs; they travel by no other way."""
        ...


class Skills(Protocol):
    """The skills that an agent can list, read and import."""

    def listed(self) -> list[dict[str, Any]]:
        """Return the enabled skills."""
        ...

    def described(self, name: str, /) -> dict[str, Any] | None:
        """Return the description of one skill, or None."""
        ...

    def imported(self, path: str, /) -> dict[str, Any] | None:
        """Read a folder of the workspace, without running it, and return the name and digest of its skill, or None."""
        ...
