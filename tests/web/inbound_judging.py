"""What a storm must not have done, from what peers were told, what left, what is kept, and what the log says."""

import re
from collections import Counter
from itertools import pairwise
from typing import Any, NamedTuple

from remit.audit.log import Log
from remit.audit.verify import IntactLog, verify_log
from remit.gateway.inbound.agent.turn import By
from remit.gateway.inbound.delivery import MOST_NOTICES, OVER, UNKNOWN
from remit.gateway.inbound.delivery import TABLE as DELIVERY
from remit.gateway.inbound.delivery import PiecePhase as Sending
from remit.gateway.inbound.stores.operations import BEHIND, LAST, listed
from remit.gateway.inbound.stores.tables import TALKS
from remit.gateway.inbound.turns import INTERRUPTED, TURNS, TurnPhase
from remit.guard.audit_key import audit_checkers

_ENDED = (TurnPhase.DONE, TurnPhase.INTERRUPTED)
_NAMED = re.compile("<(.*?)>")


class Seen(NamedTuple):
    """Everything, as values. `heard`: of the log, by event, each with its fate and reason."""

    acked: dict  # event: peer
    taken: list  # of answers, in the order in which they came
    turns: dict  # event: turn
    pieces: dict  # event: what is kept of its answers
    notices: dict  # event: what is kept of words that an answer is unknown
    talks: dict  # session: talk
    lines: list  # rows that are left of lines
    heard: list
    log: Any


class Found(NamedTuple):
    """What is wrong, and how much there was."""

    faults: list[str]
    figures: dict[str, Any]


def seen(store, folder, said, taken):
    """What there is when the gateway is stopped."""
    pieces, notices = {}, {}
    for _, piece in store.run(listed(DELIVERY)):
        (notices if piece.body == UNKNOWN else pieces).setdefault(piece.trace, []).append(piece)
    with Log.open(folder) as log:
        entries = [one.entry for one in log.records()]
    heard = [(one.call, one.arguments["fate"], one.reason) for one in entries if one.event == "heard"]
    turns = {turn.trace: turn for _, turn in store.run(listed(TURNS))}
    lines = [*store.run(listed(LAST)), *store.run(listed(BEHIND))]
    return Seen(
        dict(said.acked), taken, turns, pieces, notices, dict(store.run(listed(TALKS))), lines, heard, verify_log(folder, audit_checkers(folder)),
    )  # fmt: skip


def over(store):
    """Whether nothing waits."""
    return all(turn.phase in _ENDED for _, turn in store.run(listed(TURNS))) and all(
        piece.phase in OVER for _, piece in store.run(listed(DELIVERY))
    )


def peer_of(event):
    return event.rsplit("-", 1)[0]


def _session(peer):
    return f"main/direct/storm/here/{peer}"


def _in_vain(seen):
    """Events of which every word about the unknown answer was lost as well, or given up: the log has each of them as unknown."""
    ended = (Sending.UNKNOWN, Sending.GIVEN_UP)
    return {
        event
        for event, pieces in seen.notices.items()
        if len(pieces) >= MOST_NOTICES and all(one.phase in ended for one in pieces)
    }


def _overtaken(taken):
    by_peer = {}
    for one in taken:
        if one.text == UNKNOWN:  # it stands at the end of the line, behind what came meanwhile
            continue
        by_peer.setdefault(one.to, []).append(one.trace)
    return [pair for traces in by_peer.values() for pair in pairwise(traces) if pair[0] > pair[1]]


def _strange(answer):
    """An answer names its own peer and event, or says that it was interrupted."""
    named = set(_NAMED.findall(answer.text))
    own = named == {answer.to, answer.trace} or (answer.text in (INTERRUPTED, UNKNOWN) and not named)
    return not own or peer_of(answer.trace) != answer.to


def _others_words(session, talk):
    peers = {
        name for said in talk.said if said.by is not By.TOOLS for name in _NAMED.findall(said.text) if "-" not in name
    }
    return peers and {_session(one) for one in peers} != {session}


def judge(seen):
    """Each of these must be empty."""
    counts = Counter(one.trace for one in seen.taken if one.text != UNKNOWN)
    told_unknown = {one.trace for one in seen.taken if one.text == UNKNOWN}
    unknown = {event for event, pieces in seen.pieces.items() if any(one.phase is Sending.UNKNOWN for one in pieces)}
    heard = Counter(event for event, fate, _ in seen.heard if fate == "heard")
    sent = {event for event, pieces in seen.pieces.items() if any(one.phase is Sending.SENT for one in pieces)}
    held_back = {event for event, pieces in seen.pieces.items() if all(one.phase is Sending.GIVEN_UP for one in pieces)}
    ended = {event: turn for event, turn in seen.turns.items() if turn.phase in _ENDED}
    faults = {
        "answered twice": [event for event, count in counts.items() if count > 1],
        "heard twice": [event for event, count in heard.items() if count > 1],
        "has two answers": [event for event, pieces in seen.pieces.items() if len(pieces) > 1],
        "acknowledged, and lost": set(seen.acked) - set(seen.turns),
        "acknowledged, and has no end": set(seen.acked) & set(seen.turns) - set(ended),
        "has an end, and nothing to be told": set(ended) - set(seen.pieces),
        "unknown, and nobody is to be told": unknown - set(seen.notices),
        "neither answered, nor told that it is unknown": set(seen.acked) - set(counts) - told_unknown - held_back - _in_vain(seen),
        "acknowledged, and not in the log": set(seen.acked) - {event for event, _, _ in seen.heard},
        "kept as sent, and never left": sent - set(counts),
        "left, and kept as given up": held_back & set(counts),
        "left, and was never made": set(counts) - set(seen.pieces),
        "went to somebody else, or says what another said": [one for one in seen.taken if _strange(one)],
        "made for somebody else": [event for event, pieces in seen.pieces.items() if any(one.route.to != peer_of(event) for one in pieces)],
        "a session of another": [event for event, turn in seen.turns.items() if turn.session != _session(peer_of(event))],
        "a session has words of others": [session for session, talk in seen.talks.items() if _others_words(session, talk)],
        "overtaken": _overtaken(seen.taken),
        "stands in a line for ever": seen.lines,
        "the log is broken": [] if isinstance(seen.log, IntactLog) else [str(seen.log)],
    }  # fmt: skip
    phases = Counter(str(one.phase) for pieces in seen.pieces.values() for one in pieces)
    figures = {
        "acknowledged": len(seen.acked), "answered once": sum(counts[event] == 1 for event in seen.acked),
        "told that it is unknown": len(told_unknown & set(seen.acked)), "answered, and told that it is unknown": len(told_unknown & set(counts)),
        "words about what is unknown that were lost as well": len(_in_vain(seen)), "turns": dict(Counter(str(turn.phase) for turn in seen.turns.values())), "answers": dict(phases),
        "taken": len(seen.taken), "unknown and taken": sum(one.trace in counts for pieces in seen.pieces.values() for one in pieces if one.phase is Sending.UNKNOWN),
        "fates": dict(Counter(f"{fate} {reason}".strip() for _, fate, reason in seen.heard)),
    }  # fmt: skip
    return Found(
        [f"{what}: {len(found)}: {sorted(map(str, found))[:5]}" for what, found in faults.items() if found], figures
    )
