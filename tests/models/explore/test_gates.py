"""The gates: for each, a model that must not pass."""

import pytest
from toys import FITS, JUGS, NEVER_FOUR, SPILLS, jugs, jugs_actions

from each_row import each_row
from remit.core.errors import DataError
from remit.models.explore.gates import Expected, check_list, check_model, check_mutant, read_expected
from remit.models.explore.model import Action, Invariant, Mutant, Patch, spoiled

RIGHT = Expected({"jugs": (16, 96)}, {("jugs", "spills"): 2})


def faults(model, expected=RIGHT):
    return list(check_model(model, expected).faults)


def test_a_model_that_passes():
    checked = check_model(jugs(), RIGHT)
    assert checked.faults == ()
    assert (checked.killed, checked.mutants[0].spoils) == (1, "jugs.pour_limit")


def test_a_green_that_fails_tells_its_story():
    found = faults(jugs(NEVER_FOUR, mutants=[SPILLS._replace(invariant="never-four")]))
    assert found[0] == "`never-four` fails"
    assert "6. pour into the small: small 3, large 4" in found


def test_a_red_that_nobody_notices():
    harmless = Mutant("harmless", "fits", Patch(JUGS, "pour_limit", lambda real: lambda *both: real(both)))
    assert any("`harmless` is not noticed" in fault for fault in faults(jugs(mutants=[harmless])))


def test_a_red_that_another_invariant_notices():
    loose = Invariant("loose", "always", lambda _: True, lambda _: True)
    found = faults(jugs(FITS, loose, mutants=[SPILLS, SPILLS._replace(name="other", invariant="loose")]))
    assert any("`other` is not noticed: `loose` holds" in fault for fault in found)


def test_a_red_that_names_no_invariant():
    assert "no invariant of the model" in check_mutant(jugs(), SPILLS._replace(invariant="fit"))[1]


def test_a_red_without_a_story():
    false = Invariant("false", "never", lambda _: True, lambda _: False)
    found, fault = check_mutant(jugs(false), SPILLS._replace(invariant="false"))
    assert found.trace is None
    assert "has no story" in fault


@each_row(
    "patch",
    [
        Patch(JUGS, "pour_limit", lambda real: real),
        Patch(JUGS, "no_such_function", lambda _: max),
        Patch(JUGS, "pour_limit", lambda _: lambda *both: both[2]),
    ],
)
def test_a_red_that_changes_nothing_or_breaks(patch):
    assert "cannot be explored" in check_mutant(jugs(), SPILLS._replace(patch=patch))[1]


def test_what_was_spoiled_is_put_back():
    def fail():
        with spoiled(SPILLS.patch):
            assert JUGS.pour_limit is not min
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert JUGS.pour_limit is min


def test_an_action_that_never_happens():
    never = Action("never", lambda _: [])
    assert "the action `never` never changes anything" in faults(jugs(actions=lambda: (*jugs_actions(), never)))


def test_one_state():
    assert "nothing ever happens: there is one state" in faults(jugs(actions=tuple)._replace(ends=lambda _: True))


def test_an_invariant_that_says_nothing():
    far = Invariant("far", "far", lambda jugs: jugs.large > 5, lambda _: False)
    assert "the antecedent of `far` is never reached" in faults(jugs(FITS, far))


def test_an_invariant_that_notices_no_mutant():
    loose = Invariant("loose", "always", lambda _: True, lambda _: True)
    assert "no mutant is noticed by `loose`" in faults(jugs(FITS, loose))


@each_row(
    "expected",
    [
        RIGHT._replace(models={"jugs": (17, 96)}),
        RIGHT._replace(models={"jugs": (16, 95)}),
        RIGHT._replace(models={}),
        RIGHT._replace(mutants={("jugs", "spills"): 3}),
        RIGHT._replace(mutants={}),
    ],
)
def test_a_number_that_is_not_the_recorded_one(expected):
    assert len(faults(jugs(), expected)) == 1


def test_models_that_are_not_listed_and_records_without_a_model():
    assert check_list(["jugs"], ["jugs"], {"jugs": ["spills"]}, RIGHT) == []
    assert check_list(["jugs"], ["jugs", "orphan"], {"jugs": ["spills"]}, RIGHT) != []
    assert check_list(["jugs", "gone"], ["jugs"], {"jugs": ["spills"]}, RIGHT) != []
    assert check_list(["jugs"], ["jugs"], {"jugs": []}, RIGHT) != []
    assert check_list([], [], {}, RIGHT._replace(mutants={})) != []


@each_row(
    "line",
    [
        "[model]\na | 1 | x",
        "[model]\na | 1 | 1\na | 1 | 1",
        "[blue]\na | 1 | 1",
        "[mutant]\na | b | -",
        "[mutant]\na | b",
    ],
)
def test_a_record_that_can_not_be_read(line, tmp_path):
    path = tmp_path / "expected.table"
    path.write_text(line + "\n")
    with pytest.raises(DataError, match=r"expected\.table:[23]"):
        read_expected(path)
