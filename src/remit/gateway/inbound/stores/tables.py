"""What is kept under which name, and in which form."""

from __future__ import annotations

from remit.gateway.inbound.delivery.life import Piece
from remit.gateway.inbound.delivery.store import TABLE as DELIVERY
from remit.gateway.inbound.ingress.about import Held
from remit.gateway.inbound.ingress.event import Event
from remit.gateway.inbound.ingress.store import HEARD, MESSAGES, ONCE, TURNS
from remit.gateway.inbound.nodes.runs import Request
from remit.gateway.inbound.nodes.store import TABLE as RUNS
from remit.gateway.inbound.pairing.life import Channel
from remit.gateway.inbound.pairing.store import TABLE as PAIRING
from remit.gateway.inbound.turns.life import Turn

TABLES = {
    ONCE: int, MESSAGES: Held, HEARD: Event, TURNS: Turn, DELIVERY: Piece, PAIRING: Channel, RUNS: Request,
}  # fmt: skip
