"""Tables of the gateway's store, with the form of their values."""

from __future__ import annotations

from collections.abc import Mapping

from remit.gateway.inbound import delivery, turns
from remit.gateway.inbound.agent.turn import AgentCall, By, ConversationMessage, Pause, PendingApproval, Result, Talk
from remit.gateway.inbound.chat_history import TABLE as HISTORY
from remit.gateway.inbound.chat_history import History, Line, Side
from remit.gateway.inbound.delivery import TABLE as DELIVERY
from remit.gateway.inbound.event_text import TABLE as ROOMS
from remit.gateway.inbound.event_text import Line as RoomLine
from remit.gateway.inbound.event_text import Room
from remit.gateway.inbound.events import Attachment, Event, MessageSession, What
from remit.gateway.inbound.intake import MESSAGES, ONCE
from remit.gateway.inbound.limits import LATE, Bucket
from remit.gateway.inbound.nodes import runs
from remit.gateway.inbound.nodes.runs import TABLE as RUNS
from remit.gateway.inbound.pairing import TABLE as PAIRING
from remit.gateway.inbound.pairing import ChannelPairings, Waiting
from remit.gateway.inbound.routing import ChatAddress, ConversationKind
from remit.gateway.inbound.stores.operations import BEHIND, LAST
from remit.gateway.inbound.stores.serialization import NUMBER, TEXT, TRUTH, Form, many, maybe, record, some, word
from remit.gateway.inbound.turns import GATEWAYS, HEARD, ORDERS, PAUSES, TURNS

_PLACE = record(ChatAddress, TEXT, TEXT, word(ConversationKind), TEXT, TEXT, TEXT)
_EVENT = record(
    Event, _PLACE, word(What), TEXT, TEXT, TEXT, TEXT, TEXT, NUMBER, TRUTH, some(TEXT), TRUTH, TEXT, TEXT, TEXT,
    many(record(Attachment, TEXT, TEXT, NUMBER, TEXT)), added=2,
)  # fmt: skip
_ROUTE = record(delivery.Route, TEXT, TEXT, TEXT, TEXT, word(ConversationKind), added=1)
_PIECE = record(
    delivery.Piece, TEXT, _ROUTE, TEXT, TEXT, word(delivery.PiecePhase), NUMBER, NUMBER, TEXT, TEXT, added=1
)
_WAITING = record(Waiting, TEXT, TEXT, NUMBER)
_BUCKET = record(Bucket, NUMBER, NUMBER)
_RESULTS = many(record(Result, TEXT, TEXT))
_SAID = record(ConversationMessage, word(By), TEXT, many(record(AgentCall, TEXT, TEXT, TEXT)), _RESULTS)
# conversations of an older version have no taint mark, so they count as tainted
_TALK = record(lambda said, tainted=True: Talk(said, tainted), many(_SAID), TRUTH, added=1)
_TURN = record(turns.Turn, TEXT, TEXT, TEXT, word(turns.TurnPhase), TEXT, NUMBER)
TALKS, POSITIONS = "talks", "positions"

TABLES: Mapping[str, Form] = {
    ONCE: NUMBER,
    MESSAGES: record(MessageSession, TEXT, TEXT),
    HEARD: _EVENT,
    LATE: _EVENT,
    TURNS: _TURN,
    ORDERS: _TURN,
    PAUSES: record(Pause, _TALK, _RESULTS, NUMBER, record(PendingApproval, TEXT, NUMBER, TEXT, TEXT)),
    LAST: TEXT,
    BEHIND: TEXT,
    DELIVERY: _PIECE,
    HISTORY: record(History, many(record(Line, word(Side), TEXT, TEXT, NUMBER)), NUMBER),
    PAIRING: record(ChannelPairings, many(_WAITING), many(TEXT), maybe(_BUCKET)),
    TALKS: _TALK,
    POSITIONS: TEXT,
    ROOMS: record(Room, many(record(RoomLine, TEXT, TEXT, TEXT, TEXT))),
    GATEWAYS: NUMBER,
    RUNS: record(runs.Request, TEXT, TEXT, TEXT, NUMBER, word(runs.RunPhase), TEXT, TEXT, TEXT, TEXT, added=2),
}
