"""Constants of the twin of a gateway connection: its phases, the results of a login, and the number of guesses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from remit.gateway.inbound.access import MOST_GUESSES, ConnectionPhase
from remit.models.explore.worlds.inbound import connection as world
from remit.models.tla.twin import Twin, by_name


def _constants() -> Mapping[str, Any]:
    return {**by_name(ConnectionPhase), "Logins": frozenset(world.LOGINS), "MostGuesses": MOST_GUESSES}


TWIN = Twin(_constants)
