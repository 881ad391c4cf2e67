"""The decision on a call of a session, on a page: what `decide` must say, in the plainest form.

It shares with the real one the values it is given, and `reference.py`, which is the page for one request of one skill. What a principal
may do is put together anew for every question, and everybody is asked about everything.
"""

from types import SimpleNamespace

from reference import place, reference, why_not

from remit.core.capability import vocabulary
from remit.core.scope import PLACES, ROOT, SymbolScope, covers
from remit.manifest.model import Decision, Verification

PERSON = 2  # the authority of a person's word


def decide_reference(session, call, now, used, loaded):
    """The word, the principal, and the pairs of principal and entry that are used up."""
    now = now._replace(understood=not call.doubts)
    first = list(call.runs) or list(loaded[-1:]) or [""]
    whose = " and ".join(first)
    words, why, lacking, uses = ask(session, call, now, used, first)
    asks = bool(call.doubts or call.flows or call.besides)
    if "deny" in words:
        if call.runs or set(why) != {"outside"}:
            return "deny", whose, None
        others = [name for name in reversed(loaded) if name != whose]
        alone = list(senders(session, whose, [])) == [whose]
        if whose and (lacking <= session.spoken or (alone and not call.flows)):
            others.insert(0, "")
        answers = [(name, ask(session, call, now, used, [name])) for name in others]
        fit = [(name, found) for name, found in answers if "deny" not in found[0]]
        if not fit:
            return "deny", whose, None
        whose, (words, _, _, uses) = fit[0]
        asks = True
    asks = asks or "confirm" in words or "once" in words
    return "confirm" if asks else "allow", whose, uses


def ask(session, call, now, used, principals):
    """What everybody says who must permit a call: words, why it is denied, the capabilities denied, entries that are used up."""
    words, why, lacking, uses = [], [], set(), []
    everybody = dict.fromkeys(name for one in principals for name in senders(session, one, []))
    policies = [rights(session, name) for name in everybody] + ([task(session)] if session.task else [])
    for policy in policies:
        names = rated(policy)
        history = {number: used.get((policy.skill, name), ()) for number, name in names.items()}
        for request in call.requests:
            word, members = reference(policy, request, now._replace(history=history))
            words.append(word)
            uses += [(policy.skill, names[number]) for number in members if number in names]
            if word == "deny":
                why.append(why_not(policy, request, now._replace(history=history)))
                lacking.add(request.capability)
    return words, why, lacking, list(dict.fromkeys(uses))


def senders(session, name, seen):
    """A principal, all who sent it, and all who sent those."""
    if name in seen:
        return seen
    seen = [*seen, name]
    for one in session.skills:
        if one.name == name:
            for sender in one.sent_by:
                seen = senders(session, sender, seen)
    return seen


def rights(session, name):
    """What one principal may do: its manifest, what the workspace gives to it, what persons gave to it as it is."""
    skill = next((one for one in session.skills if one.name == name), None)
    manifest = skill.manifest.permissions if skill else ()
    given = [
        one for one in session.granted if one.principal == name and one.content in ("", skill.digest if skill else "")
    ]
    plain = [
        entry._replace(capability=each, effect=entry.decision(each))
        for entry in session.baseline
        for each in ([entry.capability] if entry.effect else vocabulary().expand(entry.capability))
    ]
    allows, asks, denies = ([one for one in plain if one.effect is effect] for effect in Decision)
    baseline = SimpleNamespace(
        source="session-default",
        authority=1,
        expires=None,
        grants=[*allows, *([] if name else asks)],
        asks=asks if name else [],
    )
    persons = [
        SimpleNamespace(source=one.source, authority=PERSON, expires=one.expires, grants=[one.entry], asks=[])
        for one in given
    ]
    level = Verification.FORMAL if name == "" else skill.level if skill else Verification.UNVERIFIED
    places = dict(session.places) | ({"skill": skill.folder} if skill else {})
    return policy_of(name, manifest, level, places, [baseline, *persons], [*session.protected, *denies], session)


def task(session):
    entries = [entry._replace(effect=entry.effect or Decision.ALLOW) for entry in session.task]
    return policy_of("/task", entries, Verification.FORMAL, dict(session.places), [], [], None)


def policy_of(skill, entries, level, places, layers, denials, session):
    return SimpleNamespace(
        skill=skill,
        manifest=SimpleNamespace(permissions=entries),
        level=level,
        places=places,
        layers=layers,
        denials=denials,
        minimum=session.minimum if session else (),
        snapshotted=session.snapshotted if session else (),
    )


def rated(policy):
    """The entries that may be used only so often, by their numbers among those that grant, and the name under which each counts.

    What a person gave under the limits of an entry counts with that entry.
    """
    given = [("manifest", 0, entry) for entry in policy.manifest.permissions]
    given += [(layer.source, layer.authority, entry) for layer in policy.layers for entry in layer.grants]
    given = [one for one in given if one[2].effect != "deny"]
    names = {}
    for number, (source, authority, entry) in enumerate(given):
        if not entry.constraints.rate_limit:
            continue
        own = f"{source} {entry.capability} {', '.join(scope.render() for scope in entry.scopes)}"
        above = [
            name for other, name in names.items() if authority == PERSON and within(policy, entry, given[other][2])
        ]
        names[number] = above[0] if above else own
    return names


def within(policy, entry, other):
    """Whether an entry may be a copy of another one, or of a part of it, under the same rate."""
    wide, narrow = ([place(policy, scope) for scope in one.scopes] for one in (other, entry))
    written = (*other.scopes, *other.constraints.resource_scope)
    return (
        entry.constraints.rate_limit == other.constraints.rate_limit
        and set(vocabulary().expand(entry.capability)) <= set(vocabulary().expand(other.capability))
        and (
            any(isinstance(one, SymbolScope) or getattr(one, "anchor", ROOT) not in PLACES for one in written)
            or all(any(covers(a, b) for a in wide) for b in narrow)
        )
    )
