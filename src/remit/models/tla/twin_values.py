"""What the twins in TLA+ take from the code and the models: their constants, and the projection of the explorer's states
onto theirs. Memory and operations are as in `_Store.tla`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from remit.authority.sinks import ANYWHERE, NOWHERE, RUNTIME
from remit.authority.values.action import LIFETIME
from remit.executor.replay.memory import State as Mark
from remit.gateway.handles import Sensitivity
from remit.gateway.inbound import delivery, events, intake, pairing, turns
from remit.gateway.inbound.access import MOST_GUESSES, ConnectionPhase
from remit.gateway.inbound.delivery import TABLE as DELIVERY
from remit.gateway.inbound.nodes import runs
from remit.gateway.inbound.routing import session_key
from remit.gateway.inbound.settings.values import MAIN
from remit.gateway.inbound.stores.operations import BEHIND, LAST, Next, Operation, Read
from remit.gateway.inbound.stores.serialization import key_of
from remit.gateway.inbound.turns import HEARD, TURNS
from remit.gateway.transactions import Phase
from remit.guard.store import ANSWERS
from remit.guard.store import State as Question
from remit.manifest.model import Verification
from remit.models.explore.worlds import _parties as parties
from remit.models.explore.worlds import _signed
from remit.models.explore.worlds import acceptance as acceptance_model
from remit.models.explore.worlds import admission as admission_model
from remit.models.explore.worlds import approvals as approvals_model
from remit.models.explore.worlds import declassification as declassification_model
from remit.models.explore.worlds import handles as handles_model
from remit.models.explore.worlds import transactions as transactions_model
from remit.models.explore.worlds.inbound import about as about_model
from remit.models.explore.worlds.inbound import connection as connection_model
from remit.models.explore.worlds.inbound import delivery as delivery_model
from remit.models.explore.worlds.inbound import hearing as hearing_model
from remit.models.explore.worlds.inbound import ingress as ingress_model
from remit.models.explore.worlds.inbound import limits as limits_model
from remit.models.explore.worlds.inbound import node_runs as node_runs_model
from remit.models.explore.worlds.inbound import pairing as pairing_model
from remit.models.explore.worlds.inbound import pairing_store as pairing_store_model
from remit.models.explore.worlds.inbound import turn_lines as turn_lines_model
from remit.models.explore.worlds.inbound import turns as turns_model
from remit.models.explore.worlds.inbound._lines import take_piece, take_turn
from remit.models.tla.twin import FAIRNESS, Twin, by_name, fields

if TYPE_CHECKING:
    from remit.models.explore.interleave import Memory, OperationCall, Point

_BETWEEN = "\x1f"  # the parts of a key (`serialization.key_of`)
# names of events and answers stand in several tables, and in lines: there all are tuples
_NAMED = (LAST, BEHIND, HEARD, TURNS, DELIVERY)


def key(name: str, table: str = "") -> Any:
    """A key: the tuple of its parts if it was joined of such."""
    return tuple(name.split(_BETWEEN)) if _BETWEEN in name or table in _NAMED else name


def value(kept: Any, table: str = "") -> Any:
    """A value that is kept: who waits is a set, for it is sorted, and never twice the same."""
    if isinstance(kept, pairing.ChannelPairings):
        return {**kept._asdict(), "waiting": frozenset(kept.waiting)}
    return key(kept, table) if isinstance(kept, str) else kept


def event(known: Any) -> Mapping[str, Any]:
    """An event with its kind: two of different kinds may hold the same."""
    return {"kind": type(known).__name__.lower(), **known._asdict()}


@cache
def memory(known: Memory) -> Mapping[Any, Any]:
    """What is kept, by table and key; a key that was joined of parts is the tuple of them."""
    return {
        (table, key(name, table)): kept._replace(value=value(kept.value, table))
        for (table, name), kept in known.rows.items()
    }


class Operations:
    """Operations as the twin has them: what was asked, what was read, and how many questions were answered."""

    def __init__(self, call: Callable[[OperationCall], Any], made: Callable[[OperationCall], Operation[Any]]) -> None:
        self._call = call
        self._made = made  # the operation itself, as the code has it at this moment: it may be spoiled
        self.seen = cache(self._seen)

    def doing(self, points: tuple[Point | None, ...]) -> tuple[Any, ...]:
        """The operation at each place, if there is one."""
        return tuple(point and self.seen(point) for point in points)

    def projection(self, world: Any) -> Mapping[str, Any]:
        """A state with a memory and these operations."""
        return {**fields(world), "memory": memory(world.memory), "doing": self.doing(world.doing)}

    def _seen(self, point: Point) -> Mapping[str, Any]:
        heard = []
        operation = self._made(point.call)
        asked = next(operation)
        for number, answer in enumerate(point.answers, 1):
            match asked:
                case Read(table):
                    heard.append(value(answer, table))
                case Next(table):
                    heard.append(answer and (key(answer[0], table), answer[1]))
            if number < len(point.answers):
                asked = operation.send(answer)
        return {"call": self._call(point.call), "heard": tuple(heard), "at": len(point.answers), "began": point.began}


def _of_turns() -> Mapping[str, Any]:
    """Return the constants of `_Turns.tla`, as the code has them at this moment: a model may make them small."""
    return {
        "MostTries": turns.MOST_TRIES,
        "Lease": turns.LEASE,
        "EndKept": turns.KEPT,
        "Interrupted": turns.INTERRUPTED,
    }


def _acceptance_constants() -> Mapping[str, Any]:
    known, presentings = _signed.known(), _signed.presentings()
    deeds = {
        name: {**deed._asdict(), "servers": frozenset(deed.servers), "moments": frozenset(deed.moments)}
        for name, deed in _signed.DEEDS.items()
    }
    return {
        **by_name(Mark), "Deeds": deeds, "Place": _signed.NAMES, "Executors": acceptance_model.EXECUTORS, "Clock": _signed.CLOCK,
        "Requests": frozenset(one.request for one in presentings), "Words": frozenset(one.word for one in presentings),
        "Lasts": known.lifetime, "Skew": known.skew, "Lifetime": LIFETIME, "Epoch": known.layout.epoch,
    }  # fmt: skip


def _transactions_constants() -> Mapping[str, Any]:
    right, shown = transactions_model.REQUESTS[0], transactions_model.PREVIEWS[0]
    return {
        **by_name(Phase), "Begun": frozenset(transactions_model.BEGUN), "Callers": frozenset(transactions_model.CALLERS),
        "Sessions": frozenset(transactions_model.SESSIONS), "Requests": frozenset(transactions_model.REQUESTS),
        "Previews": frozenset(transactions_model.PREVIEWS), "Right": right, "Shown": shown, "Signed": transactions_model.WORDS, "Last": transactions_model.LAST,
    }  # fmt: skip


def _handles_constants() -> Mapping[str, Any]:
    return {
        **by_name(Sensitivity), "Runtime": RUNTIME, "Anywhere": ANYWHERE, "Nowhere": NOWHERE, "Minted": frozenset(handles_model.MINTED),
        "Callers": frozenset(handles_model.CALLERS), "Sessions": frozenset(handles_model.SESSIONS), "Sinks": frozenset(handles_model.SINKS),
        "Last": handles_model.LAST,
    }  # fmt: skip


def _declassification_constants() -> Mapping[str, Any]:
    return {
        **by_name(Phase), **by_name(Sensitivity), "Handles": frozenset(one.handle for one in declassification_model.model().initial),
        "Callers": frozenset(one.name for one in declassification_model.CALLERS), "Sessions": frozenset(one.session for one in declassification_model.CALLERS),
        "Signed": declassification_model.WORD, "Lives": declassification_model.LONG, "Answers": frozenset({parties.FINE, parties.DOWN, parties.SILENT}),
        "Fine": parties.FINE, "Down": parties.DOWN, "Items": declassification_model.ITEMS, "Size": len(parties.VALUE), "Last": declassification_model.LAST,
    }  # fmt: skip


def _declassification_seen(state: declassification_model.DeclassificationState) -> Mapping[str, Any]:
    """What a transaction is bound to follows from its caller and session, and from whether somebody must be asked."""
    kept = state.kept
    parts = ("caller", "session", "confirm", "confirmation", "phase", "until")
    return {**state._asdict(), "kept": kept and {name: getattr(kept, name) for name in parts}}


def _approvals_constants() -> Mapping[str, Any]:
    return {**by_name(Question), "Answers": ANSWERS, "Most": approvals_model.ADMITTED}


def _admission_constants() -> Mapping[str, Any]:
    return {
        "Offers": admission_model.OFFERS, "Digests": tuple(admission_model.offered(offer).content for offer in admission_model.OFFERS),
        "Unverified": Verification.UNVERIFIED, "Level": Verification.DECLARED,
    }  # fmt: skip


def _connection_constants() -> Mapping[str, Any]:
    return {**by_name(ConnectionPhase), "Logins": frozenset(connection_model.LOGINS), "MostGuesses": MOST_GUESSES}


def _pairing_constants() -> Mapping[str, Any]:
    return {
        "Senders": pairing_model.SENDERS,
        "Codes": pairing_model.CODES,
        "Rules": pairing_model.RULES,
        "Last": pairing_model.LAST,
    }


def _pairing_seen(world: pairing_model.PairingState) -> Mapping[str, Any]:
    return {**fields(world), "channel": value(world.channel)}


def _pairing_store_call(call: OperationCall) -> Mapping[str, Any]:
    _, channel, asked, _ = call.args
    return {"channel": channel, "event": event(asked)}


def _pairing_store_constants() -> Mapping[str, Any]:
    whose = pairing_store_model.WHOSE
    calls = tuple(
        tuple({"channel": channel, "event": event(asked)} for channel, asked in place)
        for place in pairing_store_model.CALLS
    )
    return {
        "Senders": tuple(sorted(set(whose.values()))),
        "Calls": calls,
        "Rules": pairing_store_model.RULES,
        "Whose": whose,
    }


_PAIRING_STORE_OPERATIONS = Operations(_pairing_store_call, lambda call: pairing.apply(*call.args))


def _limits_constants() -> Mapping[str, Any]:
    return {"Limits": frozenset(one.limit for one in limits_model.model().initial), "Last": limits_model.LAST}


def _ingress_constants() -> Mapping[str, Any]:
    numbers = range(len(ingress_model.EVENTS))
    order = tuple(sorted(numbers, key=lambda number: key_of(events.name_of(ingress_model.EVENTS[number]))))
    return {
        "Events": ingress_model.EVENTS, "Order": order, "Sessions": ingress_model.SESSIONS, "Agent": ingress_model.AGENT, "Kept": events.KEPT,
        "MessageKept": intake.MESSAGE_KEPT, **_of_turns(),
    }  # fmt: skip


def _ingress_call(call: OperationCall) -> Mapping[str, Any]:
    return {"name": call.name, "number": ingress_model.EVENTS.index(call.args[0].event)}


_INGRESS_OPERATIONS = Operations(_ingress_call, lambda call: intake.accept(*call.args))


def _about_constants() -> Mapping[str, Any]:
    return {
        "Sessions": about_model.SESSIONS, "People": about_model.PEOPLE, "Rooms": about_model.ROOMS, "Threads": about_model.THREADS, "MessageKept": intake.MESSAGE_KEPT,
    }  # fmt: skip


def _about_seen(world: about_model.MessageChangeState) -> Mapping[str, Any]:
    return {**fields(world), "memory": memory(world.memory)}


def _hearing_constants() -> Mapping[str, Any]:
    people = tuple(hearing_model.SESSIONS)
    codes = {peer: f"code-{peer}" for peer in people}
    place = hearing_model.EVENTS[0].place._replace(peer="everybody")
    return {
        "Events": hearing_model.EVENTS, "Sessions": hearing_model.SESSIONS, "Senders": people, "Codes": codes, "Rules": hearing_model.RULES,
        "Everybody": session_key(hearing_model.SETTINGS.sessions, MAIN, place),
        "Texts": {peer: intake.PAIRING_TEXT.format(code=code) for peer, code in codes.items()},
        "Kept": events.KEPT, "MessageKept": intake.MESSAGE_KEPT,
    }  # fmt: skip


def _hearing_call(call: OperationCall) -> Mapping[str, Any]:
    if call.name == "hear":
        return {"name": call.name, "number": call.args[0]}
    return {"name": call.name, "event": event(call.args[2])}


def _hearing_made(call: OperationCall) -> Operation[Any]:
    return hearing_model.heard(call.args[0]) if call.name == "hear" else pairing.apply(*call.args)


_HEARING_OPERATIONS = Operations(_hearing_call, _hearing_made)


def _turns_constants() -> Mapping[str, Any]:
    return {
        "Event": turns_model.EVENT, "Turn": turns_model.TURN, "Workers": turns_model.WORKERS, "Answer_": turns_model.ANSWER, **_of_turns(),
    }  # fmt: skip


def _turns_call(call: OperationCall) -> Mapping[str, Any]:
    return {"name": call.name, "worker": call.args[0 if call.name == "take" else 1]}


def _turns_made(call: OperationCall) -> Operation[Any]:
    match call.name:
        case "take":
            return take_turn(*call.args)
        case "finish":
            return turns.finish(*call.args)
    key, worker = call.args
    return turns.go_on(key, worker, 0, acts=call.name == "act")


_TURNS_OPERATIONS = Operations(_turns_call, _turns_made)


def _turn_lines_constants() -> Mapping[str, Any]:
    people = (turn_lines_model.ANN, turn_lines_model.BOB)
    routed = {
        who: tuple(turn_lines_model.routed(number, who) for number in range(len(turn_lines_model.NAMES)))
        for who in people
    }
    first = routed[turn_lines_model.ANN][0]
    return {
        "Events": {who: tuple(one.event for one in found) for who, found in routed.items()}, "First_": turn_lines_model.ANN,
        "Sessions": {one.speaker: one.session for found in routed.values() for one in found}, "Agent": first.agent,
        "Workers": turn_lines_model.WORKERS, "Kept": events.KEPT, "MessageKept": intake.MESSAGE_KEPT, **_of_turns(),
    }  # fmt: skip


def _turn_lines_call(call: OperationCall) -> Mapping[str, Any]:
    if call.name == "take":
        return {"name": call.name, "worker": call.args[0]}
    return {"name": call.name, "key": key(call.args[0], TURNS), "worker": call.args[1]}


def _turn_lines_made(call: OperationCall) -> Operation[Any]:
    return take_turn(*call.args) if call.name == "take" else turns.finish(*call.args)


_TURN_LINES_OPERATIONS = Operations(_turn_lines_call, _turn_lines_made)


def _turn_lines_seen(world: turn_lines_model.TurnLineState) -> Mapping[str, Any]:
    thinks = tuple(key(name, TURNS) if name else None for name in world.thinks)
    seen = {"memory": memory(world.memory), "doing": _TURN_LINES_OPERATIONS.doing(world.doing), "thinks": thinks}
    return {**fields(world), **seen}


def _delivery_constants() -> Mapping[str, Any]:
    pieces = {_delivery_name(name): piece for name, piece in delivery_model.PIECES.items()}
    return {
        "Pieces": pieces, "Names": tuple(pieces), "Workers": delivery_model.WORKERS, "MostTries": delivery.MOST_TRIES, "FirstPause": delivery.FIRST_PAUSE,
        "LongestPause": delivery.LONGEST_PAUSE, "Lease": delivery.LEASE, "Kept": delivery.KEPT,
    }  # fmt: skip


def _delivery_name(name: str) -> Any:
    return key(name, delivery.TABLE)


def _delivery_call(call: OperationCall) -> Mapping[str, Any]:
    match call.name:
        case "take":
            return {"name": call.name, "worker": call.args[0]}
        case "apply":
            return {"name": call.name, "key": _delivery_name(call.args[0]), "event": event(call.args[1])}
    return {"name": call.name, "key": _delivery_name(call.args[0]), "piece": call.args[1]}


def _delivery_made(call: OperationCall) -> Operation[Any]:
    match call.name:
        case "take":
            return take_piece(*call.args)
        case "apply":
            return delivery.apply(*call.args)
    return delivery_model.queued(*call.args)


_DELIVERY_OPERATIONS = Operations(_delivery_call, _delivery_made)


def _delivery_seen(world: delivery_model.DeliveryState) -> Mapping[str, Any]:
    holds = tuple(held and (_delivery_name(held[0]), held[1]) for held in world.holds)
    failed = frozenset(map(_delivery_name, world.failed))
    seen = {
        "memory": memory(world.memory),
        "doing": _DELIVERY_OPERATIONS.doing(world.doing),
        "holds": holds,
        "failed": failed,
    }
    return {**fields(world), **seen}


def _node_runs_constants() -> Mapping[str, Any]:
    return {
        "Requests": node_runs_model.NodeRunState().memory.table(runs.TABLE), "Again": event(node_runs_model.AGAIN),
        "Answers": tuple((name, event(said)) for name, said in node_runs_model.ANSWERS),
        "Digests": node_runs_model.DIGESTS, "Until": node_runs_model.UNTIL, "Lifetime": runs.LIFETIME, "Kept": runs.KEPT,
    }  # fmt: skip


def _node_runs_call(call: OperationCall) -> Mapping[str, Any]:
    name, asked, now = call.args
    return {"name": name, "event": event(asked), "now": now}


def _node_runs_ran(told: str) -> Mapping[str, Any]:
    """What the model tells in words."""
    words = told.split()
    return {"digest": words[0], "late": "late" in words, "allowed": "not" not in words}


_NODE_RUNS_OPERATIONS = Operations(_node_runs_call, lambda call: runs.apply(*call.args))


def _node_runs_seen(world: node_runs_model.NodeRunState) -> Mapping[str, Any]:
    seen = {"memory": memory(world.memory), "doing": _NODE_RUNS_OPERATIONS.doing(world.doing)}
    return {**fields(world), **seen, "ran": tuple(map(_node_runs_ran, world.ran))}


TWINS: Mapping[str, Twin] = {  # by the name of the file in `twins`
    "acceptance": Twin(_acceptance_constants),
    "transactions": Twin(_transactions_constants),
    "handles": Twin(_handles_constants),
    "declassification": Twin(_declassification_constants, _declassification_seen),
    "approvals": Twin(_approvals_constants),
    "admission": Twin(_admission_constants),
    "connection": Twin(_connection_constants),
    "pairing": Twin(_pairing_constants, _pairing_seen),
    "pairing_store": Twin(_pairing_store_constants, _PAIRING_STORE_OPERATIONS.projection),
    "limits": Twin(_limits_constants),
    "ingress": Twin(_ingress_constants, _INGRESS_OPERATIONS.projection, {"arrives": FAIRNESS}),
    "about": Twin(_about_constants, _about_seen),
    "hearing": Twin(_hearing_constants, _HEARING_OPERATIONS.projection),
    "turns": Twin(_turns_constants, _TURNS_OPERATIONS.projection, {"ends": FAIRNESS}),
    "turn_lines": Twin(_turn_lines_constants, _turn_lines_seen, {"every-turn-ends": FAIRNESS}),
    "delivery": Twin(_delivery_constants, _delivery_seen, {"drains": FAIRNESS, "sent-in-the-end": FAIRNESS}),
    "node_runs": Twin(_node_runs_constants, _node_runs_seen),
}
