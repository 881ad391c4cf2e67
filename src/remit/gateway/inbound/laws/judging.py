"""What can be seen of one operation that was kept: the laws that it breaks, by what stood there before and what stands there now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from remit.gateway.inbound.delivery.store import TABLE as DELIVERY
from remit.gateway.inbound.ingress.event import Event, What
from remit.gateway.inbound.ingress.store import HEARD, ONCE
from remit.gateway.inbound.laws import answers, devices, events, people, work
from remit.gateway.inbound.laws.law import Broken, Law
from remit.gateway.inbound.nodes import store as runs
from remit.gateway.inbound.pairing.life import Channel, Rules
from remit.gateway.inbound.pairing.store import TABLE as PAIRING
from remit.gateway.inbound.turns.life import ORDERS, TURNS, Turn

if TYPE_CHECKING:
    from remit.gateway.inbound.settings.values import Settings
    from remit.gateway.inbound.stores.operations import Change, Observed


Tables: TypeAlias = dict[str, dict[str, "Change"]]


class Around(NamedTuple):
    """What is known beside the operation. `settings`: those of now, and those before them, by which it may have been judged."""

    settings: tuple[Settings, ...]
    now: int
    commands: str = "/"


def judged(observed: Observed, around: Around) -> Iterator[Broken]:
    """All laws that can be seen to be broken."""
    for change in observed.changes:
        yield from _one(change, around)
    found = by_table(observed.changes)
    yield from _heard(found, observed.read, around)
    yield from _ended(found)


def heard_in(found: Tables) -> dict[str, tuple[Event, Turn]]:
    """What agents are to hear by this operation: event and turn, by key."""
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
    """What came in with this operation."""
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
    if at in read:  # whoever was let in, as the operation itself was told
        allowed = frozenset(read[at].allowed if read[at] else ())
        if not any(events.let_in(one, allowed, event) for one in around.settings):
            yield events.PAIRED_FIRST
    if event.what is not What.SAID:  # what is said about a message belongs to that
        return
    if not any(events.in_its_session(one, event, turn, around.commands) for one in around.settings):
        yield events.IN_ITS_SESSION


def _ended(found: Tables) -> Iterator[Broken]:
    """What ended with this operation."""
    # new answers of an agent: what the gateway itself says belongs to no session
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
            yield Broken(work.ANSWERED, key, change.after.session)  # an answer by itself


def by_table(changes: Sequence[Change]) -> Tables:
    """Changes of what is kept together, by table and key; of a key that was written twice, from the first to the last. Lanes are one."""
    found: Tables = {ONCE: {}, HEARD: {}, TURNS: {}, DELIVERY: {}}
    for change in changes:
        table = TURNS if change.table == ORDERS else change.table
        if table in found:
            first = found[table].get(change.key, change)
            found[table][change.key] = change._replace(before=first.before)
    return found
