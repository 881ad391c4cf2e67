"""What a dead gateway had taken is due at once, and of what may have gone out its reader is told."""

import pytest
from inboundworld import NOW, World
from one_at_a_time import take_piece, take_turn

from remit.core.errors import UsageError
from remit.gateway.inbound import delivery, turns
from remit.gateway.inbound.turns import ORDERS, TurnPhase
from remit.gateway.private_files import alone


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path)
    yield made
    made.store.close()


def test_a_gateway_that_starts_alone_goes_on_at_once_with_what_was_under_way(world):
    for number, text in enumerate(("one", "/devices", "two")):
        world.hear(text, "root" if text[0] == "/" else f"p{number}")
    assert world.store.run(take_turn("dead", NOW))
    assert world.store.run(take_turn("dead", NOW, ORDERS))
    world.work()
    world.hear("three", "cid")
    key, _, _ = world.store.run(take_turn("dead", NOW))
    assert world.store.run(turns.go_on(key, "dead", NOW, acts=True))
    assert world.work() == []
    assert world.store.run(turns.recover("me", NOW)) == 3
    told = world.work()
    assert sorted(told) == sorted(["heard: one", "no device is there", turns.INTERRUPTED])


def test_a_gateway_gives_back_nothing_of_its_own(world):
    world.hear("one")
    assert world.store.run(take_turn("me", NOW))
    assert world.store.run(turns.recover("me", NOW)) == 0
    assert world.work() == []


def test_what_may_have_gone_out_is_told_and_not_sent_again(world):
    world.hear("one")
    assert world.work() == ["heard: one"]
    world.hear("two")
    world.work_turns()
    assert world.store.run(take_piece("dead", NOW))
    world.store.run(turns.recover("me", NOW))
    assert world.work() == [delivery.UNKNOWN]
    assert world.outcomes() == ["unknown"]


def test_a_word_about_what_is_unknown_is_repeated_a_few_times_if_it_is_lost_too(world):
    world.hear("one")
    world.work_turns()
    pauses = []
    for _ in range(1 + delivery.MOST_NOTICES):
        begun = world.time
        while not world.store.run(take_piece("dead", world.time)):
            world.time += 1
        pauses.append(world.time - begun)
        world.store.run(turns.recover("me", world.time))
        found = world.store.run(take_piece("me", world.time))
        assert found[1].phase == "unknown"
    assert pauses == [0, 0, 2, 4, 8, 16, 32, 64, 128]
    assert world.work() == []


def test_gateways_that_share_a_store_bury_who_says_nothing_any_more(world):
    world.hear("one")
    world.store.run(turns.renew("dead", NOW))
    world.store.run(turns.renew("me", NOW))
    world.store.run(take_turn("dead", NOW))
    later = NOW + turns.LIFE
    world.store.run(turns.renew("me", later - 1))
    assert world.store.run(turns.bury(later - 1)) == ""
    assert world.store.run(turns.bury(later)) == "dead"
    assert world.store.run(turns.bury(later)) == ""
    world.time = later
    assert world.work() == ["heard: one"]


def test_who_was_buried_alive_does_not_answer_twice(world):
    world.hear("one")
    world.store.run(turns.renew("slow", NOW))
    key, _, _ = world.store.run(take_turn("slow", NOW))
    world.store.run(turns.bury(NOW + turns.LIFE))
    assert world.store.run(take_turn("me", NOW + turns.LIFE))[1].phase is TurnPhase.WAITING
    assert not world.store.run(turns.go_on(key, "slow", NOW + turns.LIFE, acts=True))
    assert not world.store.run(turns.finish(key, "slow", NOW + turns.LIFE, ()))


def test_a_second_gateway_in_one_folder_is_refused_and_a_later_one_is_not(tmp_path):
    with alone(tmp_path), pytest.raises(UsageError, match="another gateway runs"), alone(tmp_path):
        raise AssertionError("both run")
    with alone(tmp_path):
        pass
