"""Tools that end outside go to the outbound gateway, in the agent's own name: two authorities decide, and a person where they say so."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from remit.core.errors import AuthorityError
from remit.gateway.fronts.asking import Asker

if TYPE_CHECKING:
    from collections.abc import Mapping

_PAUSE, _LOOKS = 2.0, 50  # how often it is looked whether a person has confirmed: for less than a preview lives


class Authority:
    """The outbound gateway, with a credential for each agent that has one."""

    def __init__(self, socket: str, credentials: Mapping[str, str]) -> None:
        self._askers = {agent: Asker(socket, text) for agent, text in credentials.items()}

    async def __call__(self, agent: str, intent: str, inputs: dict[str, str]) -> dict[str, Any]:
        """Preview it, and commit what was previewed; its answer, as JSON."""
        asker = self._askers.get(agent)
        if asker is None:
            raise AuthorityError("the agent has no credential", "set `credential_file` under [agents.NAME]")
        asked = {"intent_id": intent, "inputs": inputs}
        told = await asker.act(asked)
        if told["status"] not in ("PREVIEW", "CONFIRM"):
            return told
        commit = {**asked, "constraints": {"tx_id": told["tx_id"]}}
        waits = told["status"] == "CONFIRM"
        for _ in range(_LOOKS if waits else 1):
            told = await asker.act(commit)
            if told.get("reason_code") != "CONFIRM_MISSING":
                break
            await asyncio.sleep(_PAUSE)
        return told

    async def close(self) -> None:
        """No more."""
        for asker in self._askers.values():
            await asker.__aexit__(None, None, None)
