"""The explorer itself: all states, the shortest story, deadlocks, what fired, and what was reached."""

import pytest
from toys import FITS, NEVER_FOUR, Jugs, counter, jugs

from remit.core.errors import LimitError
from remit.models.explore import search
from remit.models.explore.model import Action, Invariant
from remit.models.explore.search import DEADLOCK, explore
from remit.models.explore.story import story, told


def test_every_state_is_found_once():
    found = explore(jugs())
    reachable = {Jugs(small, large) for small in range(4) for large in range(6) if small in (0, 3) or large in (0, 5)}
    assert (found.states, found.violation) == (len(reachable), None)
    assert found.transitions == 6 * len(reachable)
    assert found.fired == {"fill", "empty", "pour"}


def test_the_first_story_is_the_shortest():
    found = explore(jugs(NEVER_FOUR)).violation
    assert found is not None
    assert len(found.trace) == 1 + 6  # six steps, as everybody knows who did it with real jugs
    assert story(found) == [
        "at first: small 0, large 0",
        "1. fill large: large 5",
        "2. pour into the small: small 3, large 2",
        "3. empty small: small 0",
        "4. pour into the small: small 2, large 0",
        "5. fill large: large 5",
        "6. pour into the small: small 3, large 4",
        "here `never-four` fails",
    ]


def test_only_the_chosen_invariant_is_looked_at():
    assert explore(jugs(FITS, NEVER_FOUR), (FITS,)).violation is None


def test_an_initial_state_is_looked_at_too():
    found = explore(jugs(Invariant("wet", "there is water", lambda _: True, any))).violation
    assert found is not None
    assert [step.action for step in found.trace] == [""]


@pytest.mark.parametrize(("ends", "fails"), [(True, None), (False, DEADLOCK)])
def test_a_state_without_a_way_on_must_be_an_end(ends, fails):
    violation = explore(counter(3, ends=ends)).violation
    assert (violation and violation.invariant) == fails
    if violation:
        assert [step.state for step in violation.trace] == [0, 1, 2, 3]


def test_what_changes_nothing_is_no_way_on():
    model = counter(2, ends=False)
    still = Action("still", lambda count: [((), count)])
    found = explore(model._replace(actions=lambda: (*model.actions(), still)))
    assert found.violation is not None
    assert found.violation.invariant == DEADLOCK
    assert "still" not in found.fired


def test_an_antecedent_that_is_not_reached_is_seen():
    far = Invariant("far", "far", lambda jugs: jugs.large > 5, lambda _: False)
    found = explore(jugs(FITS, far))
    assert (found.violation, found.reached) == (None, {"fits"})


def test_too_many_states_are_an_error_and_no_pass(monkeypatch):
    monkeypatch.setattr(search, "MOST", 100)
    with pytest.raises(LimitError, match="more than 100 states"):
        explore(counter(1000))


def test_values_are_told_in_few_words():
    assert told((None, frozenset({"b", "a"}), Jugs(1, 2))) == "(nothing, {a, b}, Jugs(1, 2))"
