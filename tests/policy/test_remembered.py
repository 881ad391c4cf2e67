"""What is remembered of judgements is what would be judged again, whatever was asked in between."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from policy_values import PLACES, request
from policy_worlds import World

from by_day import many
from remit.core.scope import parse_scope
from remit.manifest.model import Constraints, Decision, Manifest, Matching, Permission, RateLimit, TimeWindow
from remit.policy import Allow, Deny, Moment, Situation, SkillPolicy, judge
from remit.policy.judgement_cache import is_steady, judged
from remit.policy.rules import Authority, Layer

NOON = 12 * 3600
READ = request("file.read", "./a.txt")


@settings(max_examples=many(60, least=15))
@given(st.integers(0, 10**9))
def test_it_is_the_judgement(seed):
    for number in range(20):
        world = World(seed + number)
        others = [World(seed + number + step) for step in range(1000, 8000, 1000)]
        asked = [(one.request, other.situation) for one in (world, *others) for other in (world, others[0])]
        for _ in range(2):
            world.random.shuffle(asked)
            for one, situation in asked:
                assert judged(world.policy, one, situation) == judge(world.policy, one, situation), world


def policy(*entries, layers=()):
    return SkillPolicy("s", Manifest("", entries), places=PLACES, layers=layers)


def entry(effect=Decision.ALLOW, **limits):
    return Permission("file.read", effect=effect, constraints=Constraints(**limits))


def at(seconds, **more):
    return Situation(Moment(seconds), {}, **more)


def test_it_is_remembered():
    one = policy(entry())
    assert judged(one, READ, at(0)) is judged(one, READ, at(1))


def test_the_clock_is_noticed():
    one = policy(entry(time_window=TimeWindow((), 0, 720)))
    assert isinstance(judged(one, READ, at(NOON - 60)), Allow)
    assert isinstance(judged(one, READ, at(NOON)), Deny)


def test_the_end_of_a_grant_is_noticed():
    one = policy(layers=(Layer("user-grant", Authority.PERSON, (entry(),), expires=100),))
    assert isinstance(judged(one, READ, at(99)), Allow)
    assert isinstance(judged(one, READ, at(100)), Deny)


def test_the_end_of_a_denial_is_noticed():
    denied = Layer("user-grant", Authority.PERSON, (entry(Decision.DENY),), expires=100)
    one = policy(entry(), layers=(denied,))
    assert isinstance(judged(one, READ, at(99)), Deny)
    assert isinstance(judged(one, READ, at(100)), Allow)


def test_earlier_calls_are_noticed():
    one = policy(entry(rate_limit=RateLimit(1, 60)))
    assert isinstance(judged(one, READ, Situation(Moment(100), {})), Allow)
    assert isinstance(judged(one, READ, Situation(Moment(100), {0: [99]})), Deny)


@pytest.mark.parametrize("allowed", [("a",), Matching("a")])
def test_arguments_are_noticed(allowed):
    one = policy(entry(arguments=(("name", allowed),)))
    assert isinstance(judged(one, READ._replace(arguments=(("name", "a"),)), at(0)), Allow)
    assert isinstance(judged(one, READ._replace(arguments=(("name", "b"),)), at(0)), Deny)


def test_what_the_caller_binds_is_noticed():
    one = policy(Permission("file.read", (parse_scope("path", "<arg>"),), Decision.ALLOW))
    assert isinstance(judged(one, READ, at(0, bound={"<arg>": (READ.scope,)})), Allow)
    assert isinstance(judged(one, READ, at(0, bound={"<arg>": (parse_scope("path", "./b.txt"),)})), Deny)
    assert isinstance(judged(one, READ, at(0)), Deny)


def test_whether_values_are_masked_is_noticed():
    one = policy(entry(redact=True))
    assert isinstance(judged(one, READ, at(0, redacts=True)), Allow)
    assert isinstance(judged(one, READ, at(0)), Deny)


def test_a_limit_on_a_sensitive_place_counts_for_every_path():
    """A path may be such a place, so that its judgement may hang on the limit."""
    one = policy(entry(), Permission("secret.read", constraints=Constraints(rate_limit=RateLimit(1, 60))))
    assert not is_steady(one, "file.read", 0)
    assert is_steady(policy(entry()), "file.read", 0)
