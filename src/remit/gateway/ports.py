"""What the gateway needs of others: the two policy servers, the executor, and who knows the skills. Tests put services in their place."""

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
    """The servers can not be asked about a request: its text is too long, or it is not of the intent's form."""


class Found(NamedTuple):
    """A look-up for an action: the decision, and what lets the executor decide the same."""

    outputs: Outputs
    salt: bytes
    proofs: tuple[Any, Any]  # as the servers told them
    answers: tuple[bytes, bytes]
    given: Given  # the policy
    why: str = ""  # of what is not allowed: which line


class Policy(Protocol):
    """Both policy servers. Whatever goes wrong with one of them is an AuthorityError; what is wrong with a request, a NotAskedError."""

    @property
    def given(self) -> Given:
        """What is known of the policy now."""
        ...

    async def renew(self, before: int) -> bool:
        """Whether there is a policy now with a higher number than `before`; it counts from now on."""
        ...

    async def look_up(self, opening: Opening, action_id: str, /) -> Found:
        """Have both answer and sign, now."""
        ...


class Executor(Protocol):
    """The executor. An AuthorityError leaves open whether something happened; with a NotReachedError nothing has."""

    async def store(self) -> str:
        """The name of its replay store."""
        ...

    async def outcome(self, action_id: str, /) -> str:
        """What became of an action: done, failed, unknown, started, or never."""
        ...

    async def execute(self, presented: Presented, secrets: Mapping[str, bytes], /) -> Result:
        """Let it happen. `secrets`: the values of the handles among the inputs, which go this way and no other."""
        ...


class Skills(Protocol):
    """Who knows the skills."""

    def listed(self) -> list[dict[str, Any]]:
        """Those that are enabled."""
        ...

    def described(self, name: str, /) -> dict[str, Any] | None:
        """One of them."""
        ...

    def imported(self, path: str, /) -> dict[str, Any] | None:
        """What lies in a folder of the workspace, read and not run: name and digest, with which it can be asked for."""
        ...
