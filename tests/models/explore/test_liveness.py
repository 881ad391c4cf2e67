"""What must come about: rings that are gone round for ever, states in which nothing happens any more, and fair actions that break out."""

import random
from itertools import pairwise
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remit.models.explore.gates import Expected, check_model, check_mutant
from remit.models.explore.liveness import broken, components, graph_of
from remit.models.explore.model import Action, Eventually, Model, Mutant, Patch
from remit.models.explore.story import story


def machine(ways, *initial):
    """States are numbers; `ways`: action, from, to."""
    names = dict.fromkeys(action for action, _, _ in ways)

    def moves(name):
        return lambda state: [((), to) for action, start, to in ways if (action, start) == (name, state)]

    actions = tuple(Action(name, moves(name)) for name in names)
    return Model("machine", "a machine", initial or (0,), lambda: actions, (), lambda _: True, ())


def reaches(goal, *fair, start=0):
    return Eventually("there", "it gets there", lambda state: state == start, lambda state: state == goal, fair)


def found(ways, promise, *initial):
    violation, was_open = broken(graph_of(machine(ways, *initial)), promise)
    assert was_open
    return violation


RING = [("go", 0, 1), ("go", 1, 0), ("out", 1, 2)]


def test_a_ring_that_is_left_only_by_an_action_that_is_not_fair():
    violation = found(RING, reaches(2, "go"))
    assert [step.state for step in violation.trace] == [0, 1, 0]
    assert violation.again == 0
    assert story(violation)[-1] == "and again from 1 on, for ever: `there` does not come about"


def test_weak_fairness_does_not_break_a_ring_in_which_the_action_is_sometimes_not_possible():
    assert found(RING, reaches(2, "go", "out")) is not None


def test_an_action_that_is_always_possible_breaks_out():
    assert found([*RING, ("out", 0, 2)], reaches(2, "go", "out")) is None


def test_doing_nothing_is_a_way_too_without_fairness():
    violation = found([("go", 0, 1)], reaches(1))
    assert (len(violation.trace), violation.again) == (1, 0)
    assert found([("go", 0, 1)], reaches(1, "go")) is None


def test_a_state_that_leads_nowhere():
    violation = found([("go", 0, 1), ("go", 0, 3)], reaches(1, "go"))
    assert [step.state for step in violation.trace] == [0, 3]
    assert story(violation)[-1] == "and nothing more happens, for ever: `there` does not come about"


def test_only_what_comes_after_the_antecedent_counts():
    ways = [("go", 0, 1), ("go", 1, 2), ("aside", 0, 5), ("go", 5, 5)]
    assert found(ways, reaches(2, "go", "aside", start=1)) is None
    assert found(ways, reaches(2, "go", "aside", start=0)) is not None


def test_the_first_state_that_promises_need_not_be_the_one_that_breaks_it():
    """From 1, the nearest, only the goal is reached; from 4 a ring."""
    ways = [("go", 0, 1), ("go", 1, 2), ("aside", 0, 3), ("aside", 3, 4), ("go", 4, 5), ("go", 5, 4)]
    promise = Eventually(
        "there", "it gets there", lambda state: state in (1, 4), lambda state: state == 2, ("go", "aside")
    )
    violation = found(ways, promise)
    assert [step.state for step in violation.trace][:4] == [0, 3, 4, 5]


def test_a_way_that_changes_nothing_is_none():
    assert found([("go", 0, 1), ("stay", 0, 0)], reaches(1, "go", "stay")) is None


def test_an_antecedent_that_is_never_open_is_seen():
    assert broken(graph_of(machine([("go", 0, 1)])), reaches(0)) == (None, False)


def test_the_story_goes_round_through_what_makes_the_ring_fair():
    ways = [("a", 0, 1), ("b", 1, 2), ("a", 2, 0), ("c", 2, 9), ("c", 0, 9), ("c", 1, 9), ("b", 0, 0)]
    violation = found(ways, reaches(9, "a", "b"))
    walked = [step.state for step in violation.trace]
    assert walked[violation.again] == walked[-1]
    assert {step.action for step in violation.trace[violation.again + 1 :]} >= {"a"}


@given(st.integers(1, 9), st.randoms(use_true_random=False))
def test_components_are_those_of_the_closure(size, chance: random.Random):
    ways = {place: {chance.randrange(size) for _ in range(chance.randrange(3))} for place in range(size)}
    reach = {place: {place} for place in ways}
    for _ in ways:
        reach = {place: found.union(*(ways[one] for one in found)) for place, found in reach.items()}
    wanted = {frozenset(b for b in ways if b in reach[a] and a in reach[b]) for a in ways}
    parts = [frozenset(part) for part in components(ways, ways.__getitem__)]
    assert set(parts) == wanted
    assert len(parts) == len(wanted)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=9))
def test_a_lasso_is_a_walk_that_is_fair_and_without_the_goal(ways):
    names = {action for action, _, _ in ways}
    promise = reaches(4, *names)
    graph = graph_of(machine(ways))
    violation, was_open = broken(graph, promise)
    assert was_open
    if violation is None:
        return
    steps = violation.trace
    assert all((after.action, before.state, after.state) in ways for before, after in pairwise(steps))
    loop = steps[violation.again :]
    assert all(step.state != 4 for step in steps)
    assert loop[0].state == loop[-1].state
    for name in names:
        possible = [any(way[:2] == (name, step.state) and way[1] != way[2] for way in ways) for step in loop]
        assert not all(possible) or any(step.action == name for step in loop[1:])


COUNTER = ModuleType("remit.counter")
COUNTER.more = lambda count: count + 1
STOPS = Mutant("stops", "there", Patch(COUNTER, "more", lambda real: lambda count: min(real(count), 2)))


def promising(**changed):
    up = Action("up", lambda count: [((), COUNTER.more(count))] if count < 3 else [])
    promise = reaches(3, "up")._replace(**changed)
    return Model("counter", "counts", (0,), lambda: (up,), (), lambda count: count == 3, (STOPS,), (promise,))


def faults(model):
    return check_model(model, Expected({"counter": (4, 3)}, {("counter", "stops"): 2})).faults


def test_a_promise_that_is_kept_and_a_red_that_breaks_it():
    assert faults(promising()) == ()


def test_a_promise_that_is_broken_tells_its_story():
    assert faults(promising(fair=()))[0] == "`there` fails"


def test_a_promise_that_says_nothing():
    assert "the antecedent of `there` is never reached" in faults(promising(antecedent=lambda _: False))


def test_a_promise_that_nobody_notices():
    found, fault = check_mutant(
        promising(), STOPS._replace(patch=Patch(COUNTER, "more", lambda real: lambda one: real(one) + 0))
    )
    assert found.trace is None
    assert "is not noticed" in fault
    assert "no mutant is noticed by `there`" in faults(promising()._replace(mutants=()))


def test_what_is_fair_must_be_an_action():
    assert "`there` calls `fly` fair, which is no action" in faults(promising(fair=("up", "fly")))


@pytest.mark.parametrize("depth", [1200])  # Python goes no deeper than 1000 by itself
def test_a_deep_graph_is_no_problem(depth):
    ways = [("go", place, place + 1) for place in range(depth)]
    assert found(ways, reaches(depth, "go")) is None
