"""Constants of the twin of pairing: rules, unknown senders and codes of the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from remit.models.explore.worlds.inbound import pairing
from remit.models.tla.twin import Twin, fields
from remit.models.tla.twins._seen import value


def _constants() -> Mapping[str, Any]:
    return {"Senders": pairing.SENDERS, "Codes": pairing.CODES, "Rules": pairing.RULES, "Last": pairing.LAST}


def _seen(world: pairing.World) -> Mapping[str, Any]:
    return {**fields(world), "channel": value(world.channel)}


TWIN = Twin(_constants, _seen)
