"""Judgement of an agent's tool calls by a workspace's guard: the same manifests, grants and approvals as for local
agents.

The guard comes between the tool policy and the policy servers, and can only restrict. An unreachable, late or foreign
daemon counts as a denial. A call that needs approval is refused with the name under which a person approves it (`remit
approvals`); then the agent may retry it once. Messages of operators count as the user's prompts; text of other people
and of tools does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.errors import GuardError
from remit.guard.daemon.daemon_client import Daemon, starter
from remit.guard.event import Outcome, Verdict
from remit.guard.state_folder import state_folder

if TYPE_CHECKING:
    from remit.gateway.inbound.agent.tools import Tool
    from remit.gateway.inbound.agent.turn import About
    from remit.gateway.inbound.settings.values import GuardSettings

HOST = "gateway"


class Guarding:
    """The guard, as turns of agents use it."""

    def __init__(self, guard: Daemon, workspace: str) -> None:
        self._guard, self._workspace = guard, workspace
        self._known: set[str] = set()  # sessions that were reported to the guard
        self._calls = count(1)

    async def hears(self, about: About, words: str) -> None:
        """Report the start of a turn, with an operator's words as a prompt."""
        if about.session not in self._known:
            said = await self._tell("session", about)
            if said.outcome is Outcome.PASS:  # else it is reported again
                self._known.add(about.session)
        if about.operator:
            await self._tell("prompt", about, text=words)

    async def judged(self, about: About, tool: Tool, inputs: Mapping[str, str]) -> tuple[str, dict[str, str]]:
        """Return the call's name and its inputs without text that must not leave; GuardError if the call may not run."""
        call = f"{about.key}/{next(self._calls)}"
        said = await self._tell("before", about, tool=tool.name, args=dict(inputs), call=call)
        if said.outcome is not Outcome.PASS:
            raise GuardError(said.reason or "remit: denied", "docs/guard.md")
        changed = {**inputs, **(said.changed or {})}
        if set(changed) != set(inputs) or not all(isinstance(text, str) for text in changed.values()):
            raise GuardError("the answer of the guard is not of its form", "stop the daemon of another version")
        return call, changed

    async def ended(
        self, about: About, tool: Tool, call: tuple[str, Mapping[str, str]], told: str, *, failed: bool
    ) -> None:
        """Report the result of a call that ran or failed."""
        name, inputs = call
        await self._tell(
            "failed" if failed else "after", about, tool=tool.name, args=dict(inputs), call=name, text=told
        )

    async def _tell(self, event: str, about: About, **more: object) -> Verdict:
        return await self._guard.ask(event, {"session": about.session, "cwd": self._workspace, **more})


def guard_of(settings: GuardSettings) -> Guarding | None:
    """Return the guard of the configured workspace; None if there is none."""
    if not settings.workspace:
        return None
    state = Path(settings.state) if settings.state else state_folder()
    return Guarding(Daemon(HOST, state, start=starter(state)), settings.workspace)
