"""Decisions on calls are those of the page, and keep the laws of a session, over random sessions, calls and situations.

REMIT_DECISIONS is how many decisions are compared with the page; by default some hundred, at night some thousand.
"""

import os
from collections import Counter
from dataclasses import replace

from decide_reference import decide_reference
from hypothesis import given, settings
from hypothesis import strategies as st
from session_worlds import SKILLS, SessionWorld

from by_day import many
from each_row import each_row
from remit.core.scope import covers
from remit.manifest.model import Decision, Manifest, Verification
from remit.policy.decide import session_grants
from remit.policy.gate import Gate
from remit.policy.judge import Deny
from remit.policy.principal import AGENT, Loaded

COMPARED = int(os.environ.get("REMIT_DECISIONS", many(2000)))
CALLS = 20  # in each session: making the policies of one takes longer than deciding in it
FREEDOM = {Gate.DENY: 0, Gate.CONFIRM: 1, Gate.ALLOW: 2}


def sessions(count, calls=CALLS):
    """So many decisions, some in each session."""

    def decorate(test):
        def run(seed):
            world = SessionWorld(seed)
            for _ in range(calls):
                test(world)
                world.draw()

        run.__name__ = test.__name__
        return settings(max_examples=max(1, count // calls), database=None)(given(st.integers(0, 10**12))(run))

    return decorate


def freedom(decided):
    return FREEDOM[decided.gate]


def changed(session, name, **parts):
    """The session with one skill changed."""
    return replace(session, skills=tuple(one._replace(**parts) if one.name == name else one for one in session.skills))


def is_explained(world, session, decided):
    """Whether what is allowed is allowed to each principal by itself, with all other skills, grants and words taken away."""
    chain = {one.principal for one in decided.judged}
    for name in chain - {"/task"}:
        alone = replace(
            session,
            skills=tuple(one._replace(sent_by=()) for one in session.skills if one.name == name),
            granted=tuple(one for one in session.granted if one.principal == name),
            spoken=frozenset(),
            task=(),
        )
        if freedom(world.decided(alone, runs=(), loaded=(name,) if name else ())) < freedom(decided):
            return False
    return True


@sessions(COMPARED)
def test_it_is_the_decision_on_the_page(world):
    as_on_the_page(world)


@each_row("seed", [238375520113, 9034350, 3746925])
def test_worlds_in_which_a_person_gave_something_under_a_rate(seed):
    world = SessionWorld(seed)
    for _ in range(CALLS):
        as_on_the_page(world)
        world.draw()


def as_on_the_page(world):
    found = world.decided()
    word, whose, uses = decide_reference(world.session, world.call, world.situation, world.used, world.loaded)
    assert (found.gate, found.principal) == (word, whose), world
    assert word == "deny" or [tuple(one) for one in found.uses] == uses, world
    assert bool(found.subject) == (word == "confirm")


def test_the_worlds_are_rich():
    seen = Counter()
    for seed in range(80):
        world = SessionWorld(seed)
        for _ in range(CALLS):
            found = world.draw().decided()
            seen[found.gate] += 1
            seen["other"] += any("may be done" in reason for reason in found.reasons)
            seen["uses"] += bool(found.uses)
            seen["task"] += any(one.principal == "/task" for one in found.judged)
            seen["chain"] += len({one.principal for one in found.judged} - {"/task"}) > 1
    assert min(seen[one] for one in (Gate.ALLOW, Gate.CONFIRM, Gate.DENY, "other", "uses", "task", "chain")) > 2, seen


@sessions(300)
def test_a_denial_wins_over_every_layer_priority_grant_and_approval(world):
    before = world.decided()
    if not any(isinstance(one.judgement, Deny) and one.judgement.code == "denied" for one in before.judged):
        return
    giving = [world.entry([Decision.ALLOW])._replace(priority=10**6) for _ in range(2)]
    names = [*SKILLS, AGENT, "stranger"]
    richer = replace(
        world.session,
        baseline=(*world.session.baseline, *giving),
        granted=(*world.session.granted, *(world.granted()._replace(entry=giving[0], principal=one) for one in names)),
    )
    assert world.decided(richer).gate is Gate.DENY or not before.judged, world


@sessions(300)
def test_nothing_is_granted_so_nothing_runs(world):
    empty = Manifest("", ())
    poor = replace(
        world.session,
        baseline=(),
        granted=(),
        skills=tuple(one._replace(manifest=empty) for one in world.session.skills),
    )
    assert not world.call.requests or world.decided(poor).gate is Gate.DENY, world


@sessions(300)
def test_what_narrows_never_frees(world):
    before, session = freedom(world.decided()), world.session
    denial = world.entry([Decision.DENY])
    name = world.random.choice([*SKILLS, AGENT])
    skill = session.skill(name)
    narrower = [
        world.decided(replace(session, baseline=(*session.baseline, denial))),
        world.decided(replace(session, protected=(*session.protected, denial))),
        world.decided(session.with_grants([world.granted()._replace(principal=name, entry=denial)])),
        world.decided(doubts=(*world.call.doubts, "one more")),
        world.decided(flows=(*world.call.flows, "one more")),
        world.decided(besides=(*world.call.besides, "one more")),
        world.decided(requests=(*world.call.requests, world.request)),
    ]
    if not session.task:
        narrower.append(world.decided(replace(session, task=(world.entry(), world.entry()))))
    if skill:
        sender = world.random.choice([*SKILLS, "stranger"])
        narrower.append(world.decided(changed(session, name, sent_by=(*skill.sent_by, sender))))
        entries = (*skill.manifest.permissions, denial)
        narrower.append(world.decided(changed(session, name, manifest=Manifest("", entries))))
    assert max(map(freedom, narrower)) <= before, world


@sessions(300)
def test_what_is_allowed_is_allowed_to_each_principal_by_its_own_entries(world):
    found = world.decided()
    if found.gate is Gate.ALLOW:
        assert is_explained(world, world.session, found), world


@sessions(300)
def test_no_skill_outside_the_chain_allows_anything(world):
    """Other skills may be there or not, with any rights: what was not allowed is not allowed, at most asked about."""
    first = world.call.runs or world.loaded[-1:] or (AGENT,)
    chain = {name for one in first for name in world.session.chain(one)}
    others = [name for name in SKILLS if name not in chain]
    if others and world.decided().gate is not Gate.ALLOW:
        name = others[0]
        rich = Loaded(
            name, "", Manifest("", world.entries(4, [Decision.ALLOW])), Verification.FORMAL, world.session.places[0][1]
        )
        given_to = [world.granted()._replace(principal=name, content="") for _ in range(2)]
        for session in (world.session.with_skill(rich), world.session.with_grants(given_to)):
            assert world.decided(session).gate is not Gate.ALLOW, world


@sessions(300)
def test_a_delegate_may_do_no_more_than_who_sent_it(world):
    for one in world.session.skills:
        for sender in one.sent_by:
            mine = world.decided(runs=(one.name,))
            assert freedom(mine) <= freedom(world.decided(runs=(sender,))), world


@sessions(300)
def test_an_approval_admits_its_call_and_no_other(world):
    call = world.call
    before = world.decided()
    after = world.agreed()
    if before.gate is not Gate.CONFIRM:
        assert world.decided(after).gate is before.gate, world
        return
    assert world.decided(after).approved, world
    request = call.requests[0] if call.requests else world.request
    others = [
        {"content": call.content + "y"},
        {"doubts": (*call.doubts, "one more")},
        {"flows": (*call.flows, "one more")},
        {"besides": (*call.besides, "one more")},
        {"requests": (*call.requests, world.request)},
        {"requests": (request._replace(command="other"), *call.requests[1:])},
        {"requests": (request._replace(arguments=(*request.arguments, ("z", 1))), *call.requests[1:])},
        {"requests": (request._replace(spared=not request.spared), *call.requests[1:])},
        {"runs": ("b", "c", "stranger")},
    ]
    assert not any(world.decided(after, **other).approved for other in others), world


@sessions(300)
def test_who_agrees_for_the_session_gives_what_was_asked_about_and_no_more(world):
    before = world.decided()
    if before.gate is not Gate.CONFIRM:
        return
    moment = world.situation.moment
    given = session_grants(world.session, before, moment.seconds if moment else 0)
    after = world.session.with_grants(given)
    asked = [one.request for one in before.judged]
    again = world.decided(after)
    assert again.gate is not Gate.DENY, world
    for one in given:
        entry = world.session.policy(one.principal)
        assert any(covers(one.entry.scopes[0], request.scope) for request in asked), world
        assert any(one.entry.constraints == known.constraints for known, _ in entry.granting), world
    world.draw()
    freer = world.decided(after)
    if freedom(freer) > freedom(world.decided()):  # then each request that became free lies in what was asked about
        old = {(one.principal, one.request): one.judgement for one in world.decided().judged}
        for one in freer.judged:
            if type(old.get((one.principal, one.request))) is not type(one.judgement) and one.principal != "/task":
                scopes = [given_.entry.scopes[0] for given_ in given if given_.principal == one.principal]
                where = world.session.policy(one.principal)
                here = where.resolve(one.request.scope)
                moved = (
                    freer.principal != world.decided().principal
                )  # another principal may do it now, and is asked about
                assert moved or any(covers(where.resolve(scope), here) for scope in scopes), world


@sessions(300)
def test_what_a_person_gave_ends(world):
    moment = world.situation.moment
    if moment is not None:
        over = tuple(one._replace(expires=moment.seconds) for one in world.session.granted)
        ended = world.decided(replace(world.session, granted=over))
        without = world.decided(replace(world.session, granted=()))
        assert freedom(ended) <= freedom(without), world


@sessions(300)
def test_what_is_not_known_never_allows(world):
    if world.decided().gate is Gate.DENY:
        for less in ({"moment": None}, {"redacts": False}):
            blind = world.decided(now=world.situation._replace(**less))
            assert blind.gate is not Gate.ALLOW, world
