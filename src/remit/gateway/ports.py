"""What the gateway needs of others: the two policy servers, the executor, and who knows the skills. Tests put services in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from remit.core.errors import RemitError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.authority.values.opening import Opening
    from remit.executor.accept import Presented
    from remit.executor.forms import Result


class NotAskedError(RemitError):
    """The servers can not be asked about a request: its text is too long, or it is not of the intent's form."""


class Policy(Protocol):
    """Both policy servers. Whatever goes wrong with one of them is an AuthorityError; what is wrong with a request, a NotAskedError."""

    async def evaluate(self, opening: Opening, action_id: str = "", /) -> tuple[str, tuple[bytes, bytes]]:
        """Have both decide: the name of the action, which is a new one if none is given, and the shares of the decision."""
        ...

    async def commit(self, action_id: str, commitment: str, /) -> tuple[Any, Any]:
        """Have both sign, now: the proofs as they told them. The gateway passes them on and does not look into them."""
        ...


class Executor(Protocol):
    """The executor. An AuthorityError leaves open whether something happened."""

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
