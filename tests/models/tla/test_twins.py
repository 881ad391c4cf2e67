"""Small twins, and twins in which something is planted that must be noticed. All twins: `make models`."""

import pytest

from by_day import but_by_night
from each_row import each_row
from remit.core.errors import DataError
from remit.models.explore.gates import read_expected
from remit.models.explore.registry import MODELS as EVERY
from remit.models.explore.registry import models
from remit.models.tla import registry
from remit.models.tla.gates import check_twin
from remit.models.tla.runner import TWINS

APPROVALS = (TWINS / "approvals.tla").read_text()


def checked(tlc, name, text=None, **changed):
    module = registry.MODELS[name]
    twin = registry.twins([name])[name]._replace(**changed)
    text = text or (TWINS / f"{module}.tla").read_text()
    return check_twin(tlc, models([name])[0], twin, module, text, read_expected())


@pytest.mark.parametrize("name", ["approvals"])
def test_a_twin_passes_if_java_is_there(tlc, name):
    outcome = checked(tlc, name)
    assert outcome.faults == ()
    assert outcome.mutants == outcome.killed > 0
    assert outcome.states == read_expected().models[name][0]


PLANTED = {
    "one step less": ("state \\in {Pending, Once, Session} /\\", "state \\in {Pending, Once} /\\", "the code alone goes by TheTimeIsOver"),
    "one step more": ("/\\ Open(state)", "/\\ Open(state) \\/ state = Spent", "the twin alone goes by Answer"),
    "another beginning": ("/\\ over = FALSE", "/\\ over \\in BOOLEAN", "the twin alone begins with"),
    "an action by another name": ("TheTimeIsOver", "TimeIsOver", "by TimeIsOver"),
    "an invariant that says nothing": ("OnceIsOnce == answer = Once => admitted <= 1", "OnceIsOnce == TRUE",
                                       "the mutant `does not spend an answer`: not noticed"),
    "an invariant that is not there": ("OverIsOver ==", "Other ==", "OverIsOver"),
    "an invariant that does not hold": ("admitted <= 1", "admitted <= 0", "`OnceIsOnce` fails"),
    "a mutant that the model has not": ('Bug = "admits what waits"', 'Bug = "sleeps"', "`sleeps` is no mutant of the model"),
    "a mutant that is another": ('Bug # "has no end"', '(Bug # "has no end" \\/ admitted = 0)', "the mutant `has no end`: TLC's story has 4 steps"),
    "text that is no TLA+": ("VARIABLES", "VARIABLE IS", "TLC ends with 150"),
}  # fmt: skip


BY_DAY = {"one step less", "one step more", "an invariant that says nothing", "a mutant that is another"}


@pytest.mark.parametrize("planted", but_by_night(PLANTED, set(PLANTED) - BY_DAY))
def test_what_is_planted_is_noticed_if_java_is_there(tlc, planted):
    old, new, told = PLANTED[planted]
    assert old in APPROVALS
    assert told in "\n".join(checked(tlc, "approvals", APPROVALS.replace(old, new)).faults)


def test_a_drift_in_the_data_of_the_code_is_noticed_if_java_is_there(tlc):
    twin = registry.twins(["approvals"])["approvals"]
    drifted = {**twin.constants(), "Answers": frozenset({"approved-once"})}
    assert "the code alone goes by Answer" in "\n".join(checked(tlc, "approvals", constants=lambda: drifted).faults)


def test_what_is_left_out_is_something_that_the_model_says_if_java_is_there(tlc):
    faults = checked(tlc, "approvals", left_out={"sleeps": "why"}).faults
    assert faults == ("`sleeps` is left out, and is nothing that the model says",)


def test_every_twin_is_listed():
    assert set(registry.lying()) == set(registry.MODELS)
    assert all(models([name]) for name in registry.MODELS)


def test_every_model_has_a_twin_or_an_excuse():
    assert registry.uncovered(EVERY, registry.excuses()) == []


def test_a_model_without_a_twin_or_an_excuse_is_told():
    excused = registry.excuses()
    assert registry.uncovered([*EVERY, "new"], excused) == ["the model `new` has neither a twin in TLA+ nor an excuse"]
    both = {**excused, "approvals": excused["gate"]}
    assert registry.uncovered(EVERY, both) == [
        "the model `approvals` has a twin in TLA+, and an excuse for having none"
    ]
    assert registry.uncovered(EVERY, {**excused, "old": excused["gate"]}) == ["`old` has an excuse, and is no model"]


@each_row(
    "lines",
    [
        "[settings]\ngate | -\n",
        "[settings]\ngate | why\n[missing]\ngate | why\n",
        "[lazy]\ngate | why\n",
        "[missing]\ngate\n",
    ],
)
def test_an_excuse_has_a_reason_and_stands_once(tmp_path, lines):
    path = tmp_path / "excuses.table"
    path.write_text(lines)
    with pytest.raises(DataError):
        registry.excuses(path)
