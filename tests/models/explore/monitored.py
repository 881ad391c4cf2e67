"""The monitor's judgement on everything that operations do in a model: each transition in which something is kept is an operation, or a
part of one that has no transaction."""

from remit.gateway.inbound.laws import CheckContext, judged
from remit.gateway.inbound.pairing import TABLE as PAIRING
from remit.gateway.inbound.stores.operations import Change, Commit, Observed, Write
from remit.models.explore.model import all_spoiled
from remit.models.explore.worlds.inbound import hearing, pairing_store

# what a model's world leaves out, so that its operations lack it: answers that belong to no turn, turns without an answer
LEFT_OUT = {
    "delivery": "turns.answered-if-done",
    "ingress": "turns.answered-if-done",
    "turn-lines": "turns.answered-if-done",
}
_SETTINGS = {
    "hearing": (hearing.SETTINGS,),
    "pairing-store": (
        hearing.SETTINGS._replace(
            channels={
                name: hearing.SETTINGS.channels["chat"]._replace(pairing=pairing_store.RULES)
                for name in ("mail", "chat")
            }
        ),
    ),
}


def observed(before, after):
    """What changed from one memory to the next."""
    changed = [
        at for at in (before.rows.keys() | after.rows.keys()) if before.rows.get(at) != after.rows.get(at)
    ]  # fmt: skip
    changes = []
    for at in sorted(changed):
        new = after.rows.get(at)
        changes.append(Change(*at, before.get(*at), new and new.value, new and new.until))
    return Observed(tuple(changes), {(PAIRING, "chat"): before.get(PAIRING, "chat")})


def alarms(model, patch=None, most=None):
    """What the monitor says of operations that are kept, by law, and how many were looked at. Of spoiled code, until it says something."""
    found, looked, pairs = {}, 0, {}
    with all_spoiled((*model.constants, *((patch,) if patch else ()))):
        for before, after in _kept(model, most):
            looked += 1
            if (id(before), id(after)) not in pairs:
                pairs[id(before), id(after)] = (before, after)  # held, so that no other has its place
                for broken in _judged(model, before, after):
                    found.setdefault(broken.law.id, broken)
                if found and patch:
                    break
    return found, looked


def _kept(model, most):
    """Memories before and after something was kept; until spoiled code fails by itself."""
    actions = model.actions()
    seen, todo = set(model.initial), list(model.initial)
    for world in todo:
        for action in actions:
            try:
                moves = list(action.moves(world))
            except AttributeError:
                return
            for choice, after in moves:
                kept = isinstance(choice, tuple) and len(choice) == 2 and isinstance(choice[1], Commit | Write)
                if kept and after.memory is not world.memory:
                    yield world.memory, after.memory
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
        if most and len(seen) > most:
            return


def _judged(model, before, after):
    around = CheckContext(_SETTINGS.get(model.name, ()), 0)
    return [one for one in judged(observed(before, after), around) if one.law.id != LEFT_OUT.get(model.name)]
