"""What an agent is about to do is judged by the guard of a workspace too: the same manifests, grants and approvals as for agents on this machine.

It stands between the policy of tools and the authorities, and can only take away. A daemon that is down, late or not ours is a denial.
What must be agreed to is refused with the name under which a person agrees (`remit approvals`); then the agent may try again, once.
Words of operators are the user's words to it. What anybody else says, and what tools tell, speaks for nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.errors import GuardError
from remit.guard.daemon.daemon_client import Daemon, Guard, starter
from remit.guard.event import Outcome, Verdict
from remit.guard.state_folder import state_folder

if TYPE_CHECKING:
    from remit.gateway.inbound.agent.tools import Tool
    from remit.gateway.inbound.agent.turn import About
    from remit.gateway.inbound.settings.values import GuardSettings

HOST = "gateway"


class Guarding:
    """The guard, as turns of agents ask it."""

    def __init__(self, guard: Guard, workspace: str) -> None:
        self._guard, self._workspace = guard, workspace
        self._known: set[str] = set()  # sessions of which it was told
        self._calls = count(1)

    async def hears(self, about: About, words: str) -> None:
        """A turn begins with these words of its speaker."""
        if about.session not in self._known:
            said = await self._tell("session", about)
            if said.outcome is Outcome.PASS:  # else it is told again
                self._known.add(about.session)
        if about.operator:
            await self._tell("prompt", about, text=words)

    async def judged(self, about: About, tool: Tool, inputs: Mapping[str, str]) -> tuple[str, dict[str, str]]:
        """The name of a call that may run, and its inputs without what must not go out; GuardError if it may not."""
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
        """A call ran, or failed; what it told."""
        name, inputs = call
        await self._tell(
            "failed" if failed else "after", about, tool=tool.name, args=dict(inputs), call=name, text=told
        )

    async def _tell(self, event: str, about: About, **more: object) -> Verdict:
        return await self._guard.ask(event, {"session": about.session, "cwd": self._workspace, **more})


def guard_of(settings: GuardSettings) -> Guarding | None:
    """The guard that settings name; None if they name no workspace."""
    if not settings.workspace:
        return None
    state = Path(settings.state) if settings.state else state_folder()
    return Guarding(Daemon(HOST, state, start=starter(state)), settings.workspace)
