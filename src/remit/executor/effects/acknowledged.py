"""Effects that lie with the gateway: a value is shown, a text remembered, a message put into another agent's box.

The executor accepts such an action, marks it and records it, as any other. That is what the gateway waits for before it does its part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.authority.intents import intents
from remit.executor.effects.form import Done, Effect

if TYPE_CHECKING:
    from remit.executor.accepted import Accepted

_WITH_THE_GATEWAY = ("show", "memory", "agent")


class Acknowledged(NamedTuple):
    """Nothing happens here."""

    def happen(self, accepted: Accepted) -> Done:
        """Say so."""
        return Done(f"accepted: `{accepted.request.intent}` lies with the gateway")


def with_the_gateway() -> dict[str, Effect]:
    """The intents of that kind."""
    return {name: Acknowledged() for name, one in intents().items() if one.effect in _WITH_THE_GATEWAY}
