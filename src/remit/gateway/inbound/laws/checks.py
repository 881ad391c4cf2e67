"""Check of one stored operation: the laws that its changes break, by the values before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from remit.gateway.inbound.delivery.store import TABLE as DELIVERY
from remit.gateway.inbound.ingress.event import Event, What
from remit.gateway.inbound.ingress.store import HEARD, ONCE
from remit.gateway.inbound.laws import answers, devices, events, people, work
from remit.gateway.inbound.laws.law import Broken, Law
from remit.gateway.inbound.nodes import store as runs
from remit.gateway.inbound.pairing.state_machine import Channel, Rules
from remit.gateway.inbound.pairing.store import TABLE as PAIRING
from remit.gateway.inbound.turns.state_machine import ORDERS, TURNS, Turn

if TYPE_CHECKING:
    from remit.gateway.inbound.settings.values import Settings
    from remit.gateway.inbound.stores.operations import Change, Observed


Tables: TypeAlias = dict[str, dict[str, "Change"]]


class Around(NamedTuple):
    """Context of the check. `settings`: the current and the previous ones, either of which the operation may have used."""

    settings: tuple[Settings, ...]
    now: int
    commands: str = "/"


def judged(observed: Observed, around: Around) -> Iterator[Broken]:
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


def _one(change: Change, around: Around) -> Iterator[Broken]:
    before, after = change.before, change.after
    if change.table == PAIRING and after is not None:
        rules = [one.channels[change.key].pairing for one in around.settings if change.key in one.channels]
        loosest = max(rules, default=Rules(), key=lambda one: one.most)
        for law in people.broken(loosest, before or Channel(), after, around.now):
            yield Broken(law, change.key)
    elif change.table == DELIVERY:
        for law in answers.broken(before, after):
            yield Broken(law, change.key, (after or before).session)
    elif change.table == ONCE and after is not None:
        if not events.remembered_once(before, after):
            yield Broken(events.ONCE, change.key)
    elif change.table == runs.TABLE and after is not None:
        for law in devices.broken(before, after, (change.until or around.now) - runs.KEPT):
            yield Broken(law, change.key)
    elif change.table in (TURNS, ORDERS) and after is not None and before is not None:
        for law in work.broken(before, after):
            yield Broken(law, change.key, after.session)


def _heard(found: Tables, read: Mapping[tuple[str, str], Any], around: Around) -> Iterator[Broken]:
    """Check the events that came in with the operation."""
    heard = {key for key, one in found[HEARD].items() if one.after is not None}
    turns = {key for key, one in found[TURNS].items() if one.before is None or key in heard}
    if not events.kept_together(found[ONCE].keys(), heard, turns):
        for key in sorted({*heard, *turns}):
            yield Broken(events.WHOLE, key)
    for key, (event, turn) in heard_in(found).items():
        if not events.heard_once(found[TURNS][key].before):
            yield Broken(events.ONCE, key, turn.session)
        if not events.own_trace(event, turn):
            yield Broken(events.OWN_TRACE, key, turn.session)
        for law in _routed(event, turn, read, around):
            yield Broken(law, key, turn.session)


def _routed(event: Event, turn: Turn, read: Mapping[tuple[str, str], Any], around: Around) -> Iterator[Law]:
    at = (PAIRING, event.place.channel)
    if not around.settings:
        return
    if at in read:  # the paired ids that the operation itself read
        allowed = frozenset(read[at].allowed if read[at] else ())
        if not any(events.let_in(one, allowed, event) for one in around.settings):
            yield events.PAIRED_FIRST
    if event.what is not What.SAID:  # an event about a message belongs to that message's session
        return
    if not any(events.in_its_session(one, event, turn, around.commands) for one in around.settings):
        yield events.IN_ITS_SESSION


def _ended(found: Tables) -> Iterator[Broken]:
    """Check the turns that ended with the operation."""
    # new answers of an agent: the gateway's own messages have no session
    made = {key: one for key, one in found[DELIVERY].items() if one.before is None and one.after and one.after.session}
    for key, change in found[TURNS].items():
        turn = change.after
        if turn is None or (change.before is not None and change.before.phase in work.OVER):
            continue
        told = [one.after for name, one in made.items() if name.rpartition("\x1f")[0] == key]
        was = found[HEARD].get(key)
        for law in work.broken_end(turn, was.before if was else None, told):
            yield Broken(law, key, turn.session)
    for key, change in made.items():
        if key.rpartition("\x1f")[0] not in found[TURNS]:
            yield Broken(work.ANSWERED, key, change.after.session)  # an answer without a turn


def by_table(changes: Sequence[Change]) -> Tables:
    """Return related changes by table and key; several changes of a key are merged, and both turn tables count as one."""
    found: Tables = {ONCE: {}, HEARD: {}, TURNS: {}, DELIVERY: {}}
    for change in changes:
        table = TURNS if change.table == ORDERS else change.table
        if table in found:
            first = found[table].get(change.key, change)
            found[table][change.key] = change._replace(before=first.before)
    return found
