"""Client of the outbound gateway for tools with outside effects, with the agent's own credential.

Two policy servers decide, and a person where the policy requires it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from remit.core.errors import AuthorityError
from remit.gateway.fronts.client import Asker


class Authority:
    """A client of the outbound gateway for each agent that has a credential."""

    def __init__(self, socket: str, credentials: Mapping[str, str]) -> None:
        self._askers = {agent: Asker(socket, text) for agent, text in credentials.items()}

    async def preview(self, agent: str, intent: str, inputs: dict[str, str]) -> dict[str, Any]:
        """Preview an intent; return the answer as JSON: final, to be committed, or to be confirmed by a person first."""
        return await self._asker(agent).act(_asked(intent, inputs))

    async def commit(self, agent: str, intent: str, inputs: dict[str, str], transaction: str) -> dict[str, Any]:
        """Commit a previewed transaction; return the answer as JSON."""
        return await self._asker(agent).act({**_asked(intent, inputs), "constraints": {"tx_id": transaction}})

    def _asker(self, agent: str) -> Asker:
        asker = self._askers.get(agent)
        if asker is None:
            raise AuthorityError("the agent has no credential", "set `credential_file` under [agents.NAME]")
        return asker

    async def close(self) -> None:
        """Close the connections."""
        for asker in self._askers.values():
            await asker.__aexit__(None, None, None)


def _asked(intent: str, inputs: dict[str, str]) -> dict[str, Any]:
    return {"intent_id": intent, "inputs": inputs}
