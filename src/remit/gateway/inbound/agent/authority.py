"""Tools that end outside go to the outbound gateway, in the agent's own name: two authorities decide, and a person where they say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from remit.core.errors import AuthorityError
from remit.gateway.fronts.asking import Asker


class Authority:
    """The outbound gateway, with a credential for each agent that has one."""

    def __init__(self, socket: str, credentials: Mapping[str, str]) -> None:
        self._askers = {agent: Asker(socket, text) for agent, text in credentials.items()}

    async def preview(self, agent: str, intent: str, inputs: dict[str, str]) -> dict[str, Any]:
        """What it would do, as JSON: over already, to be committed, or to be confirmed by a person first."""
        return await self._asker(agent).act(_asked(intent, inputs))

    async def commit(self, agent: str, intent: str, inputs: dict[str, str], transaction: str) -> dict[str, Any]:
        """Do what was previewed; its answer, as JSON."""
        return await self._asker(agent).act({**_asked(intent, inputs), "constraints": {"tx_id": transaction}})

    def _asker(self, agent: str) -> Asker:
        asker = self._askers.get(agent)
        if asker is None:
            raise AuthorityError("the agent has no credential", "set `credential_file` under [agents.NAME]")
        return asker

    async def close(self) -> None:
        """No more."""
        for asker in self._askers.values():
            await asker.__aexit__(None, None, None)


def _asked(intent: str, inputs: dict[str, str]) -> dict[str, Any]:
    return {"intent_id": intent, "inputs": inputs}
