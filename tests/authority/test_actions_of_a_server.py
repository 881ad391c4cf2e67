"""The life of an action on a server: all sequences of five events. Nothing is signed but what was decided, in its time."""

from remit.authority.server.actions import Begin, Begun, Commit, Decide, Decided, Fail, Sign, step

UNTIL = 2
EVENTS = [
    Begin("c1", "q1", UNTIL), Begin("c2", "q2", UNTIL + 2),
    Decide("c1", "q1", b"1", b"t"), Decide("c2", "q2", b"2", b"t"),
    Fail("c1", "q1"), Fail("c2", "q2"), Commit("c1"), Commit("c2"),
]  # fmt: skip
EVERY = [(event, passed) for event in EVENTS for passed in (0, 1)]


def test_nothing_is_signed_that_was_not_decided_for_this_commitment_in_its_time():
    """An oracle in other words: what was begun last, not failed since, and decided by an answer to its own question."""
    signed = 0

    def explore(entry, now, begun, answer, left):
        for event, passed in EVERY if left else ():
            after, follows = follow(entry, event, now + passed, begun, answer)
            explore(after, now + passed, *follows, left - 1)

    def follow(before, event, now, begun, answer):
        nonlocal signed
        if begun is not None and now >= begun.until:
            begun = answer = None
        entry, effect = step(before, event, now)
        if isinstance(event, Begin):
            assert (effect is None) is (begun is None and event.until > now)
            return entry, (begun, answer) if effect else (event, None)
        if isinstance(event, Commit):
            right = answer is not None and begun.commitment == event.commitment
            assert isinstance(effect, Sign) is right
            assert not right or (effect.decided == Decided(*answer, begun.until) and now < begun.until)
            signed += right
            return entry, (begun, answer)
        if begun is not None and answer is None and event[:2] == begun[:2]:
            assert effect is None
            return entry, (begun, event) if isinstance(event, Decide) else (None, None)
        assert isinstance(effect, str)
        assert entry is None or entry == before
        return entry, (begun, answer)

    explore(None, 0, None, None, 5)
    assert signed > 1000


def test_the_answer_to_an_older_question_decides_nothing():
    """An action that was begun again, with another request, while the first computation was still under way."""
    entry, _ = step(None, Begin("c1", "q1", 5), 0)
    entry, effect = step(entry, Begin("c2", "q2", 20), 10)
    assert effect is None
    after, effect = step(entry, Decide("c1", "q1", b"yes", b"t"), 11)
    assert (after, effect) == (Begun("c2", "q2", 20), "ACTION_OVER")
    assert step(after, Commit("c2"), 12)[1] == "ACTION_UNKNOWN"


def test_refusals_have_codes():
    assert step(None, Begin("c", "q", 5), 5) == (None, "ACTION_STALE")
    assert step(None, Commit("c"), 0) == (None, "ACTION_UNKNOWN")
    assert step(Begun("c", "q", 5), Begin("c", "q", 9), 1)[1] == "ACTION_KNOWN"
    assert step(Begun("c", "q", 5), Commit("c"), 1)[1] == "ACTION_UNKNOWN"
    assert step(Decided("c", "q", b"", b"", 5), Commit("d"), 1)[1] == "ACTION_UNKNOWN"
    assert step(Decided("c", "q", b"", b"", 5), Decide("c", "q", b"", b""), 1)[1] == "ACTION_OVER"
