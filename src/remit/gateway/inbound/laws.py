"""Laws: properties of what the gateway stores and does, each defined once as a predicate over the gateway's own values.

Models (`remit.models.explore`) check them in every reachable state; the monitor (`monitor.py`) checks them while the
gateway runs. A law about a change gets the values before and after an operation. The id of a law is that of a model's
property, so that an alarm refers to a documented claim (docs/models.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from remit.gateway.inbound import delivery, events, turns
from remit.gateway.inbound.delivery import OVER, Piece, PiecePhase
from remit.gateway.inbound.delivery import TABLE as DELIVERY
from remit.gateway.inbound.events import Event, EventResult, What, pass_gate, speaker_of
from remit.gateway.inbound.intake import ONCE
from remit.gateway.inbound.nodes import runs
from remit.gateway.inbound.nodes.commands import known
from remit.gateway.inbound.nodes.runs import Request, RunPhase
from remit.gateway.inbound.pairing import TABLE as PAIRING
from remit.gateway.inbound.pairing import ChannelPairings, Rules
from remit.gateway.inbound.routing import ChatAddress, ConversationKind, Scope, Sessions, agent_of, session_key
from remit.gateway.inbound.settings.values import MAIN, Settings
from remit.gateway.inbound.turns import HEARD, INTERRUPTED, ORDERS, TURNS, Turn, TurnPhase, back_to

if TYPE_CHECKING:
    from remit.gateway.inbound.pairing import Waiting
    from remit.gateway.inbound.stores.operations import Change, Observed
    from remit.gateway.inbound.tool_policy import Names, Policy


class Law(NamedTuple):
    """A claimed property."""

    id: str  # model.property
    says: str


class LawViolation(NamedTuple):
    """A violation of a law."""

    law: Law
    key: str
    session: str = ""


def _broken(*checks: tuple[Law, bool]) -> Iterator[Law]:
    """Yield the laws that do not hold."""
    return (law for law, holds in checks if not holds)


CAP = Law("pairing.cap", "no more senders wait on a channel at a time than the limit allows")
ONE_REQUEST = Law("pairing.one-request-each", "no sender waits twice")
ONE_CODE = Law("pairing.one-code-each", "each code belongs to one sender")
ONE_ENTRY = Law("pairing.one-entry", "an admitted sender is listed once")
NOT_BOTH = Law("pairing.let-in-does-not-wait", "an admitted sender does not wait")
BY_CODE = Law("pairing.approved-in-time", "a sender is admitted only by a code that the operator approved in time")
_LATE = 60  # seconds by which an operation may be older than its check


def within_cap(rules: Rules, waiting: Sequence[Waiting]) -> bool:
    """Return whether not more than the cap wait."""
    return len(waiting) <= rules.most


def one_request_each(channel: ChannelPairings) -> bool:
    """Return whether each sender waits once."""
    return len({one.sender for one in channel.waiting}) == len(channel.waiting)


def one_code_each(channel: ChannelPairings) -> bool:
    """Return whether each code belongs to one sender."""
    return len({one.code for one in channel.waiting}) == len(channel.waiting)


def one_entry_each(channel: ChannelPairings) -> bool:
    """Return whether each admitted sender is listed once."""
    return len(set(channel.allowed)) == len(channel.allowed)


def waits_or_is_in(channel: ChannelPairings) -> bool:
    """Return whether no admitted sender waits."""
    return not {one.sender for one in channel.waiting} & set(channel.allowed)


def let_in_by_code(before: ChannelPairings, after: ChannelPairings, now: int) -> bool:
    """Return whether each newly admitted sender waited with a valid code."""
    waited = {one.sender for one in before.waiting if now < one.until}
    return set(after.allowed) <= {*before.allowed, *waited}


def broken_by_pairing(rules: Rules, before: ChannelPairings, after: ChannelPairings, now: int) -> Iterator[Law]:
    """Yield the laws that a change of a channel breaks.

    A cap lowered below the number that already waits is no violation.
    """
    waited, waits = ([one for one in channel.waiting if now < one.until] for channel in (before, after))
    yield from _broken(
        (CAP, within_cap(rules, waits) or len(waits) <= len(waited)),
        (ONE_REQUEST, one_request_each(after)),
        (ONE_CODE, one_code_each(after)),
        (ONE_ENTRY, one_entry_each(after)),
        (NOT_BOTH, waits_or_is_in(after)),
        (BY_CODE, let_in_by_code(before, after, now - _LATE)),
    )


AT_MOST_ONCE = Law("delivery.at-most-once", "no answer is sent twice, by any worker and after any crash")
TAKEN_FIRST = Law("delivery.taken-first", "before a piece is sent, the disk records that it was taken")
ONE_WORKER = Law("delivery.one-worker", "no two workers are about to send the same piece")
STABLE_ROUTE = Law("delivery.stable-route", "destination, session and trace of an answer never change")
NO_CROSS_STREAM = Law("delivery.no-cross-stream", "each piece that is sent was made for its destination")
BOUNDED_TRIES = Law("delivery.bounded-tries", "no piece is tried more often than the limit allows")
IN_ITS_TIME = Law("delivery.not-before-its-time", "after a failure a piece is not tried before the pause is over")
SENT_IS_KEPT = Law("delivery.sent-is-kept", "a piece that is recorded as sent was sent")


def at_most_once(times: Iterable[int]) -> bool:
    """Return whether no piece was sent twice. `times`: how often each was sent."""
    return max(times, default=0) <= 1


def taken_first(kept: Piece | None) -> bool:
    """Return whether a piece about to be sent was taken in the store; it may be gone there once it is over."""
    return kept is None or kept.phase is not PiecePhase.WAITING


def one_worker(keys: Sequence[str]) -> bool:
    """Return whether the pieces being sent are distinct."""
    return len(set(keys)) == len(keys)


def same_stream(made: Piece, kept: Piece) -> bool:
    """Return whether session, route, body and trace are unchanged."""
    return made[:4] == kept[:4]


def within_tries(piece: Piece) -> bool:
    """Return whether the number of tries is within the limit."""
    return piece.tries <= delivery.MOST_TRIES


def piece_stays_over(before: Piece, after: Piece) -> bool:
    """Return whether a piece that is over stays unchanged."""
    return before.phase not in OVER or after == before


def taken_once(before: Piece, after: Piece) -> bool:
    """Return whether a piece is taken only while it waits, and each take is counted."""
    return after.phase is not PiecePhase.TAKEN or (
        before.phase is PiecePhase.WAITING and after.tries == before.tries + 1
    )


def waits_longer(before: Piece, after: Piece) -> bool:
    """Return whether a failed piece that waits again gets a later time: a lost one must not be retried."""
    return before.phase is not PiecePhase.TAKEN or after.phase is not PiecePhase.WAITING or after.after > before.after


def broken_by_piece(before: Piece | None, after: Piece | None) -> Iterator[Law]:
    """Yield the laws that a change of a piece breaks."""
    if after is None:  # finished pieces expire, and no operation deletes them
        if before is not None:
            yield AT_MOST_ONCE
        return
    yield from _broken((BOUNDED_TRIES, within_tries(after)))
    if before is not None:
        yield from _broken(
            (STABLE_ROUTE, same_stream(before, after)),
            (AT_MOST_ONCE, piece_stays_over(before, after)),
            (ONE_WORKER, taken_once(before, after)),
            (IN_ITS_TIME, waits_longer(before, after)),
        )


ACTS_ONCE = Law("turns.acts-once", "no tool runs twice for one event, whichever workers crash or are slow")
ONE_ANSWER = Law("turns.one-answer", "an event has one answer, or one notice that it was interrupted")
ANSWERED = Law("turns.answered-if-done", "a turn is finished if and only if its answer is on disk")
ACTING_KEPT_FIRST = Law("turns.acting-is-kept-first", "before a tool runs, the disk records that it may have run")
INTERRUPTED_TOLD = Law("turns.interrupted-is-told", "the speaker is informed of an interrupted turn, and of no other")
OWN_STREAM = Law("turns.its-own-stream", "an answer goes to the conversation of its event, with its trace and session")
ENDS = Law("turns.ends", "every accepted event is eventually answered or reported as interrupted")
TURN_OVER = (TurnPhase.DONE, TurnPhase.INTERRUPTED)
_ACTS = (TurnPhase.ACTING, TurnPhase.SUSPENDED)


def acting_goes_on(before: Turn, after: Turn) -> bool:
    """Return whether a turn that acts is never begun again."""
    return before.phase not in _ACTS or after.phase in (*_ACTS, *TURN_OVER)


def turn_stays_over(before: Turn, after: Turn) -> bool:
    """Return whether a turn that is over stays unchanged."""
    return before.phase not in TURN_OVER or after == before


def counts_tries(before: Turn, after: Turn) -> bool:
    """Return whether each take is counted, within the limit."""
    taken = before.phase is TurnPhase.WAITING and after.phase is TurnPhase.TAKEN
    return after.tries == before.tries + taken and after.tries <= turns.MOST_TRIES


def turn_kept_first(turn: Turn | None) -> bool:
    """Return whether a turn whose tool is about to run is stored as acting; it may be gone once it is over."""
    return turn is None or turn.phase not in (TurnPhase.WAITING, TurnPhase.TAKEN)


def same_turn(before: Turn, after: Turn) -> bool:
    """Return whether session, agent and trace are unchanged."""
    return before[:3] == after[:3]


def answered_if_over(turn: Turn, answers: Sequence[Piece]) -> bool:
    """Return whether a turn is over exactly if its answers are stored with it."""
    return (turn.phase in TURN_OVER) == bool(answers)


def interrupted_is_told(turn: Turn, answers: Sequence[Piece]) -> bool:
    """Return whether an interrupted turn has just the notice as its answer."""
    return turn.phase is not TurnPhase.INTERRUPTED or [one.body for one in answers] == [INTERRUPTED]


def own_stream(turn: Turn, event: Event, answer: Piece) -> bool:
    """Return whether an answer has the session, trace and destination of its event."""
    return (answer.session, answer.trace, answer.route) == (turn.session, turn.trace, back_to(event))


def broken_by_turn(before: Turn, after: Turn) -> Iterator[Law]:
    """Yield the laws that a change of a turn breaks."""
    stays = turn_stays_over(before, after)
    return _broken(
        (ACTS_ONCE, acting_goes_on(before, after)),
        (ONE_ANSWER, stays),
        (ENDS, not stays or counts_tries(before, after)),
        (OWN_STREAM, same_turn(before, after)),
    )


def broken_by_turn_end(turn: Turn, event: Event | None, answers: Sequence[Piece]) -> Iterator[Law]:
    """Yield the laws that an operation breaks which stores a turn with these answers.

    `event`: the event of the turn.
    """
    return _broken(
        (ANSWERED, answered_if_over(turn, answers)),
        (INTERRUPTED_TOLD, interrupted_is_told(turn, answers)),
        (OWN_STREAM, event is None or all(own_stream(turn, event, one) for one in answers)),
    )


ACCEPTED_ONCE = Law("ingress.once", "an agent hears an event once, however often and to which process it is sent")
WHOLE = Law(
    "ingress.all-or-nothing", "the record of an event, its content and its task for an agent are stored together"
)
OWN_TRACE = Law(
    "ingress.parts-keep-their-trace", "each part of a request is heard with its own content, trace and session"
)
PAIRED_FIRST = Law("hearing.paired-first", "no sender is heard that the operator did not admit")
IN_ITS_SESSION = Law("hearing.in-its-session", "a sender is heard by its agent, in its own session")
ISOLATION = Law(
    "sessions.isolation", "two people who are not linked never share a session, unless the settings put all into one"
)


def remembered_once(before: int | None, after: int) -> bool:
    """Return whether an event is not remembered anew before its time is over."""
    return before is None or before <= after - events.KEPT


def heard_once(before: Turn | None) -> bool:
    """Return whether the event had no turn before."""
    return before is None


def kept_together(remembered: AbstractSet[str], heard: AbstractSet[str], turns: AbstractSet[str]) -> bool:
    """Return whether an operation stores events together with their turns and remembers them.

    Some are only remembered.
    """
    return heard == turns and heard <= remembered


def own_trace(event: Event, turn: Turn) -> bool:
    """Return whether a turn has the trace of its own event."""
    return turn.trace == (event.trace or event.event)


def let_in(settings: Settings, allowed: frozenset[str], event: Event) -> bool:
    """Return whether the gate accepts an event. `allowed`: ids paired on its channel."""
    channel = settings.channels.get(event.place.channel)
    return channel is not None and pass_gate(channel.gate, allowed, event).heard in (
        EventResult.HEARD,
        EventResult.COMMAND,
    )


def in_its_session(settings: Settings, event: Event, turn: Turn, commands: str) -> bool:
    """Return whether a new message has the right agent and session. `commands`: the agent name for commands."""
    place = event.place._replace(peer=speaker_of(event))
    agent = agent_of(settings.bindings, MAIN, place)
    return turn.agent in (agent, commands) and turn.session == session_key(settings.sessions, agent, place)


def may_share(sessions: Sessions, one: ChatAddress, other: ChatAddress) -> bool:
    """Return whether two speakers may share a session.

    They must be the same person, or linked where both channels allow it, or the settings put all into one; a group's
    session is shared by the group.
    """
    if ConversationKind.GROUP in (one.kind, other.kind):
        return one[:3] == other[:3] and (one.room, one.thread) == (other.room, other.thread)
    if one.identity == other.identity:
        return True
    scopes = {sessions.scope_of(place.channel) for place in (one, other)}
    if Scope.MAIN in scopes:
        return scopes == {Scope.MAIN}
    consent = scopes == {Scope.PEER} and not sessions.unlinked & {one.channel, other.channel}
    return consent and other.identity in sessions.links.person(one.identity)


APPROVED = Law("node-runs.nothing-runs-while-it-waits", "a request that needs approval runs only after it was approved")
NEVER_TWICE = Law("node-runs.never-twice", "a request runs at most once, with repeated tries and after any crash")
NEVER_REPLACED = Law("node-runs.never-replaced", "a request is never replaced by another one of the same name")
IN_TIME = Law("node-runs.in-time", "no request runs after its time")
NO_IS_FINAL = Law("node-runs.a-no-is-final", "a request that a person denied before it ran does not run")
RUN_KEPT_FIRST = Law(
    "node-runs.running-is-kept-first", "before a device is asked, the disk records that the request runs"
)
WANTS = Law("node-commands.what-changes-something-wants-approval", "a command that changes something needs approval")
RAN = (RunPhase.RUNNING, RunPhase.DONE, RunPhase.UNKNOWN)


def same_request(before: Request, after: Request) -> bool:
    """Return whether device, command, digest, time and shown arguments are unchanged."""
    return (before[:4], before.shown) == (after[:4], after.shown)


def waits_for_a_person(before: Request | None, after: Request) -> bool:
    """Return whether a request becomes ready only if it needs no approval or was approved, and runs only when ready."""
    if before is None:
        return after.phase in (RunPhase.WAITING, RunPhase.READY)
    if before.phase is RunPhase.WAITING:
        return after.phase in (RunPhase.WAITING, RunPhase.DENIED) or (
            after.phase is RunPhase.READY and bool(after.approver)
        )
    return True


def never_again(before: Request, after: Request) -> bool:
    """Return whether a request that ran, or may have run, neither runs nor waits again."""
    return before.phase not in RAN or (after.phase in RAN and (after.phase is not RunPhase.RUNNING or after == before))


def no_is_final(before: Request, after: Request) -> bool:
    """Return whether a denied request stays denied."""
    return before.phase is not RunPhase.DENIED or after.phase is RunPhase.DENIED


def in_time(request: Request, now: int) -> bool:
    """Return whether a request that begins to run is in time."""
    return now < request.until


def run_kept_first(kept: Request | None) -> bool:
    """Return whether a device is asked only for a request that is stored as running; it may be gone once it is over."""
    return kept is None or kept.phase in RAN


def broken_by_run(before: Request | None, after: Request, now: int) -> Iterator[Law]:
    """Yield the laws that a change of a request breaks."""
    yield from _broken((APPROVED, waits_for_a_person(before, after)))
    if before is None:
        yield from _broken((WANTS, after.phase is not RunPhase.READY or after.command not in known().asks))
        return
    yield from _broken(
        (NEVER_REPLACED, same_request(before, after)),
        (NEVER_TWICE, never_again(before, after)),
        (NO_IS_FINAL, no_is_final(before, after)),
        (IN_TIME, after.phase is not RunPhase.RUNNING or in_time(after, now)),
    )


NOT_SHOWN = Law("pipeline.denied-is-not-shown", "a model is never shown a denied tool")
RUNS_BY_POLICY = Law(
    "pipeline.allowed-at-the-run",
    "no call runs that tool policy or device settings deny when it runs, whatever they said before",
)
DENY_WINS = Law(
    "tool-policy.deny-wins", "a tool that any of the eight layers denies, under any spelling, is not allowed"
)


def denied_is_not_shown(shown: AbstractSet[str], allowed: AbstractSet[str]) -> bool:
    """Return whether all offered tools are allowed."""
    return shown <= allowed


def by_the_policy(tool: str, allowed: AbstractSet[str]) -> bool:
    """Return whether a running tool is allowed."""
    return tool in allowed


def deny_wins(denied: AbstractSet[str], allowed: AbstractSet[str]) -> bool:
    """Return whether no denied tool is allowed."""
    return not denied & allowed


def denied_by(names: Names, policy: Policy) -> frozenset[str]:
    """Return the tools that any single layer denies."""
    tools = frozenset(map(names.tool, policy.tools))
    return frozenset().union(*(names.tools(layer.deny, tools) for layer in policy.layers.values()))


Tables: TypeAlias = dict[str, dict[str, "Change"]]


class CheckContext(NamedTuple):
    """Context of the check. `settings`: the current and the previous ones, either of which the operation may have used."""

    settings: tuple[Settings, ...]
    now: int
    commands: str = "/"


def judged(observed: Observed, around: CheckContext) -> Iterator[LawViolation]:
    """Yield all visible violations."""
    for change in observed.changes:
        yield from _one(change, around)
    found = by_table(observed.changes)
    yield from _heard(found, observed.read, around)
    yield from _ended(found)


def heard_in(found: Tables) -> dict[str, tuple[Event, Turn]]:
    """Return the events and turns that an operation gives to agents, by key."""
    turns = found[TURNS]
    return {
        key: (one.after, turns[key].after)
        for key, one in found[HEARD].items()
        if one.after is not None and key in turns
    }


def _one(change: Change, around: CheckContext) -> Iterator[LawViolation]:
    before, after = change.before, change.after
    if change.table == PAIRING and after is not None:
        rules = [one.channels[change.key].pairing for one in around.settings if change.key in one.channels]
        loosest = max(rules, default=Rules(), key=lambda one: one.most)
        for law in broken_by_pairing(loosest, before or ChannelPairings(), after, around.now):
            yield LawViolation(law, change.key)
    elif change.table == DELIVERY:
        for law in broken_by_piece(before, after):
            yield LawViolation(law, change.key, (after or before).session)
    elif change.table == ONCE and after is not None:
        if not remembered_once(before, after):
            yield LawViolation(ACCEPTED_ONCE, change.key)
    elif change.table == runs.TABLE and after is not None:
        for law in broken_by_run(before, after, (change.until or around.now) - runs.KEPT):
            yield LawViolation(law, change.key)
    elif change.table in (TURNS, ORDERS) and after is not None and before is not None:
        for law in broken_by_turn(before, after):
            yield LawViolation(law, change.key, after.session)


def _heard(found: Tables, read: Mapping[tuple[str, str], Any], around: CheckContext) -> Iterator[LawViolation]:
    """Check the events that came in with the operation."""
    heard = {key for key, one in found[HEARD].items() if one.after is not None}
    turns = {key for key, one in found[TURNS].items() if one.before is None or key in heard}
    if not kept_together(found[ONCE].keys(), heard, turns):
        for key in sorted({*heard, *turns}):
            yield LawViolation(WHOLE, key)
    for key, (event, turn) in heard_in(found).items():
        if not heard_once(found[TURNS][key].before):
            yield LawViolation(ACCEPTED_ONCE, key, turn.session)
        if not own_trace(event, turn):
            yield LawViolation(OWN_TRACE, key, turn.session)
        for law in _routed(event, turn, read, around):
            yield LawViolation(law, key, turn.session)


def _routed(event: Event, turn: Turn, read: Mapping[tuple[str, str], Any], around: CheckContext) -> Iterator[Law]:
    at = (PAIRING, event.place.channel)
    if not around.settings:
        return
    if at in read:  # the paired ids that the operation itself read
        allowed = frozenset(read[at].allowed if read[at] else ())
        if not any(let_in(one, allowed, event) for one in around.settings):
            yield PAIRED_FIRST
    if event.what is not What.SAID:  # an event about a message belongs to that message's session
        return
    if not any(in_its_session(one, event, turn, around.commands) for one in around.settings):
        yield IN_ITS_SESSION


def _ended(found: Tables) -> Iterator[LawViolation]:
    """Check the turns that ended with the operation."""
    # new answers of an agent: the gateway's own messages have no session
    made = {key: one for key, one in found[DELIVERY].items() if one.before is None and one.after and one.after.session}
    for key, change in found[TURNS].items():
        turn = change.after
        if turn is None or (change.before is not None and change.before.phase in TURN_OVER):
            continue
        told = [one.after for name, one in made.items() if name.rpartition("\x1f")[0] == key]
        was = found[HEARD].get(key)
        for law in broken_by_turn_end(turn, was.before if was else None, told):
            yield LawViolation(law, key, turn.session)
    for key, change in made.items():
        if key.rpartition("\x1f")[0] not in found[TURNS]:
            yield LawViolation(ANSWERED, key, change.after.session)  # an answer without a turn


def by_table(changes: Sequence[Change]) -> Tables:
    """Return related changes by table and key; several changes of a key are merged, and both turn tables count as one."""
    found: Tables = {ONCE: {}, HEARD: {}, TURNS: {}, DELIVERY: {}}
    for change in changes:
        table = TURNS if change.table == ORDERS else change.table
        if table in found:
            first = found[table].get(change.key, change)
            found[table][change.key] = change._replace(before=first.before)
    return found
