"""The buffer as it runs: nothing is lost, nothing is written twice, and what is irreversible waits for nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remit.manifest.model import Verification
from remit.policy.buffer import Buffer, BufferedEffect, close_turn, open_turn, rules_at
from remit.policy.gate import Standing
from remit.policy.session import Turn


def turn(standing=Standing.REVERSIBLE, *, irreversible=False, answer=True, before=False, undo=False):
    own = {line: line is standing for line in Standing}
    return Turn(own, dict.fromkeys(Standing, False), irreversible, answer, before, undo, works=True)


WRITE = turn()
POST = turn(Standing.IRREVERSIBLE, irreversible=True)
UNDO = turn(undo=True)
FORMAL = rules_at(Verification.FORMAL)


def play(rules, turns, effects=lambda number, turn: [BufferedEffect(f"e{number}", reversible=not turn.irreversible)]):
    """Run some turns; what the log and the world look like after each."""
    buffer, log, world = Buffer(), [], []
    for number, one in enumerate(turns):
        opened = open_turn(rules, buffer, one)
        log += opened.flush
        done = effects(number, one) if opened.control.admitted else []
        world += [effect.ident for effect in done]
        closed = close_turn(rules, buffer, one, opened, done)
        log += closed.record
        world = [ident for ident in world if ident not in closed.restore]
        buffer = closed.buffer
        yield buffer, log, world


def test_a_write_waits_and_a_post_flushes_it_first():
    states = [(b.waiting, tuple(log)) for b, log, _ in play(FORMAL, [WRITE, WRITE, POST])]
    assert states == [(("e0",), ()), (("e0", "e1"), ()), ((), ("e0", "e1", "e2"))]


def test_undo_restores_the_newest_first_and_only_what_waits():
    opened = open_turn(FORMAL, Buffer(("a", "b"), 2), UNDO)
    closed = close_turn(FORMAL, Buffer(("a", "b"), 2), UNDO, opened, ())
    assert closed.restore == ("b", "a")
    assert closed.buffer == Buffer((), 2)


def test_the_horizon_flushes():
    *_, (buffer, log, _) = play(rules_at(Verification.FORMAL, horizon=3), [WRITE] * 3)
    assert buffer == Buffer((), 0)
    assert log == ["e0", "e1", "e2"]


def test_an_effect_that_nothing_admitted_is_refused_loudly():
    outside = turn(Standing.OUTSIDE)
    opened = open_turn(FORMAL, Buffer(), outside)
    assert not opened.control.admitted
    with pytest.raises(AssertionError, match="nothing admitted it"):
        close_turn(FORMAL, Buffer(), outside, opened, [BufferedEffect("x", reversible=False)])


def test_the_halves_of_two_turns_do_not_fit():
    opened = open_turn(FORMAL, Buffer(), POST)
    with pytest.raises(AssertionError, match="belong together"):
        close_turn(FORMAL, Buffer(), WRITE, opened, ())


turns = st.builds(
    turn,
    st.sampled_from(Standing),
    irreversible=st.booleans(),
    answer=st.booleans(),
    before=st.booleans(),
    undo=st.booleans(),
)


@given(st.sampled_from(Verification), st.integers(1, 6), st.lists(turns, max_size=40))
def test_the_biconditional_holds_after_every_turn(level, horizon, some):
    rules = rules_at(level, horizon)
    for buffer, log, world in play(rules, some):
        assert sorted(world) == sorted([*log, *buffer.waiting])
        assert len(set(log)) == len(log)
        assert buffer.pending < horizon
