"""A decision that is remembered is the one that would be made again, whatever was decided in between."""

from dataclasses import replace

from hypothesis import example, given, settings
from hypothesis import strategies as st
from session_worlds import SessionWorld

from by_day import many
from remit.policy.decide import decide
from remit.policy.decision_cache import Repeated
from remit.policy.gate import Gate


def plain(decided):
    """A decision without the permits themselves: each one that is issued is another."""
    judged = tuple(one._replace(permit=one.permit is not None) for one in decided.judged)
    return decided._replace(judged=judged)


def skills(world):
    return tuple(one.name for one in world.session.skills) if world.loaded is None else tuple(world.loaded)


def asked(repeated, world, session, call, situation):
    found = repeated.decide(session, call, situation, world.used, skills(world))
    assert plain(found) == plain(decide(session, call, situation, world.used, skills(world))), world
    return found


@settings(max_examples=many(40, least=15), database=None)
@given(st.integers(0, 10**12))
@example(339151246)
def test_it_is_the_decision(seed):
    repeated, world = Repeated(), SessionWorld(seed)
    calls, situations = [], []
    for _ in range(10):
        calls.append(world.call)
        situations.append(world.situation)
        world.draw()
    others = [world.session, replace(world.session), SessionWorld(seed + 1).session]
    for call in calls:
        sure = call._replace(doubts=(), flows=())
        for situation in (*situations[:4], *situations[:4]):
            for session in others:
                asked(repeated, world, session, sure, situation)
                asked(repeated, world, session, call, situation)


def test_a_reason_besides_is_not_forgotten_over_what_was_decided_without_it():
    """Found by chance: calls without requests share one empty tuple, and a call that came again may meet a file that was not there before."""
    repeated, world = Repeated(), SessionWorld(339151246)
    for _ in range(20):
        world.draw()
        plain_call = world.call._replace(doubts=(), flows=(), besides=())
        for call in (plain_call, plain_call._replace(besides=("something else",))):
            asked(repeated, world, world.session, call, world.situation)
    nothing = world.call._replace(requests=(), runs=(), doubts=(), flows=(), besides=())
    asked(repeated, world, world.session, nothing, world.situation)
    asked(repeated, world, world.session, nothing._replace(besides=("something else",)), world.situation)


def test_some_are_remembered_and_the_end_of_a_grant_is_noticed():
    remembered = ended = 0
    for seed in range(300):
        repeated, world = Repeated(), SessionWorld(seed)
        call = world.call._replace(doubts=(), flows=())
        if world.situation.moment is None:
            continue
        first = asked(repeated, world, world.session, call, world.situation)
        again = asked(repeated, world, world.session, call, world.situation)
        remembered += again is first
        assert again is not first or (first.gate is Gate.ALLOW and not first.approved)
        later = world.situation._replace(moment=world.situation.moment._replace(seconds=2**40))
        ended += asked(repeated, world, world.session, call, later).gate is not first.gate
    assert remembered
    assert ended
