"""The decision is the one on the page, and keeps its laws, over random manifests, requests, levels and situations."""

import dataclasses
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from policy_values import word
from policy_worlds import World
from reference import reference

from by_day import many
from each_row import each_row
from remit.manifest.model import Decision, Verification
from remit.policy import Ask, Deny, judge
from remit.policy.refusal import grounds

STRICTNESS = {"allow": 0, "once": 1, "confirm": 2}
DENIED = {"denied", "command-denied", "command-missing"}


def worlds(count):
    """So many worlds, by day some of them: a hundred from each seed."""

    def decorate(test):
        def run(seed):
            for number in range(100):
                test(World(seed * 100 + number))

        run.__name__ = test.__name__
        return settings(max_examples=many(count // 100, least=4))(given(st.integers(0, 10**9))(run))

    return decorate


def strictness(judgement):
    return STRICTNESS.get(word(judgement), 3)


def asked(world, **changes):
    """What is said in a world where the policy is another."""
    entries = changes.pop("entries", None)
    policy = world.policy
    if entries is not None:
        changes["manifest"] = policy.manifest._replace(permissions=tuple(entries))
    changed = dataclasses.replace(policy, **changes) if changes else policy
    return judge(changed, world.request, world.situation)


@worlds(5000)
def test_it_is_the_decision_on_the_page(world):
    found = asked(world)
    expected, uses = reference(world.policy, world.request, world.situation)
    assert ("deny" if isinstance(found, Deny) else word(found)) == expected, world
    if isinstance(found, Deny):
        assert found.code in grounds()
    else:
        assert found.uses == uses, world
        assert found.member == uses[0] < world.policy.members
        assert not isinstance(found, Ask) or bool(found.key) == found.once


def test_the_worlds_are_rich():
    """Every word and code of a judgement occurs, so that agreement means something."""
    seen = Counter(word(asked(World(seed))) for seed in range(3000))
    codes = {code for code, ground in grounds().items() if ground.step in ("manifest", "limits")}
    assert set(seen) == {"allow", "once", "confirm", *codes}, seen
    assert min(seen["allow"], seen["confirm"], seen["denied"]) > 150, seen


@worlds(1000)
def test_a_further_denial_never_allows_more(world):
    entries = world.policy.manifest.permissions
    at, denial = world.random.randint(0, len(entries)), world.entry([Decision.DENY])
    after = asked(world, entries=[*entries[:at], denial, *entries[at:]])
    assert strictness(after) >= strictness(asked(world)), world
    assert strictness(asked(world, denials=(*world.policy.denials, denial))) == strictness(after), world


@worlds(1000)
def test_no_grant_and_no_priority_outweighs_a_denial(world):
    if word(asked(world)) in DENIED:
        strong = world.entry([Decision.ALLOW])._replace(priority=10**6)
        assert isinstance(asked(world, entries=[*world.policy.manifest.permissions, strong]), Deny), world


@worlds(1000)
def test_a_better_proof_never_asks_more(world):
    answers = [strictness(asked(world, level=level)) for level in Verification]
    assert answers == sorted(answers, reverse=True), world


@worlds(1000)
def test_what_is_not_granted_is_denied(world):
    denials = [entry for entry in world.policy.manifest.permissions if entry.effect is Decision.DENY]
    assert isinstance(asked(world, entries=denials, layers=()), Deny), world


@worlds(1000)
def test_entries_that_only_ask_never_grant(world):
    only = tuple(layer._replace(grants=(), asks=(*layer.asks, *layer.grants)) for layer in world.policy.layers)
    if isinstance(asked(world, layers=()), Deny):
        assert isinstance(asked(world, layers=only), Deny), world
    else:
        assert strictness(asked(world, layers=only)) >= strictness(asked(world, layers=())), world


@worlds(1000)
def test_the_entries_of_another_skill_never_help(world):
    """Of another layer only the denials count; what it grants is nobody else's."""
    foreign = [world.entry([Decision.ALLOW, Decision.CONFIRM, None]) for _ in range(4)]
    assert asked(world, denials=(*world.policy.denials, *foreign)) == asked(world), world


@worlds(1000)
def test_the_order_of_entries_means_nothing(world):
    mixed = list(world.policy.manifest.permissions)
    world.random.shuffle(mixed)
    if not world.situation.history:  # which speaks of entries by their ordinals
        assert strictness(asked(world, entries=mixed)) == strictness(asked(world)), world


@worlds(1000)
def test_what_is_not_known_never_helps(world):
    """Without the time, the history or a host that masks, nothing runs that would not run with them."""
    if isinstance(asked(world), Deny):
        for less in ({"moment": None}, {"history": None}, {"redacts": False}):
            blind = world.situation._replace(**less)
            assert isinstance(judge(world.policy, world.request, blind), Deny), world


@worlds(1000)
def test_where_places_lie_never_widens_a_denial(world):
    """Without places a denial meets all that it may; with them it meets what it names."""
    if word(asked(world)) == "denied":
        assert isinstance(asked(world, places={}), Deny), world


@pytest.mark.parametrize("seed", [503424, 511139])
def test_a_denial_elsewhere_may_hold_a_spared_pattern_if_places_are_not_known(seed):
    world = World(seed)
    assert world.request.spared
    assert word(asked(world)) == "denied"
    assert isinstance(asked(world, places={}), Deny)


@each_row("level", Verification)
def test_the_strictest_level_decides_by_the_table(level):
    seen = Counter(word(asked(World(seed), level=level)) for seed in range(300))
    assert ("once" in seen) == (level is Verification.TESTED), seen
