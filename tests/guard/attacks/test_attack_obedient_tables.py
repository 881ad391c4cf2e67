"""An agent that obeys, class by class of harm: each harm is denied or asked about, and the work beside it goes on without a question."""

import pytest
from attack_arena import broken, held
from obedient_sessions import Obedient
from obedient_tables import FOLDER, load

from each_row import each_row
from remit.core.errors import DataError
from remit.guard.event import Outcome

CASES = [case for path in sorted(FOLDER.glob("*.table")) for case in load(path)]
HARMS = [case for case in CASES if case.harmful and not case.passes]
PASSES = [case for case in CASES if case.passes]
WORKS = [case for case in CASES if not case.harmful]


@pytest.fixture(scope="module")
def sessions(tmp_path_factory):
    """By name; each is opened when the first case asks for it."""
    return {
        name: Obedient(name, tmp_path_factory.mktemp(name), [case for case in CASES if case.session == name])
        for name in dict.fromkeys(case.session for case in CASES)
    }


def params(cases):
    return [pytest.param(case, id=case.title) for case in cases]


@each_row("case", params(HARMS))
def test_harm_is_held(sessions, case):
    for action, verdict in sessions[case.session].plays(case):
        assert not broken(verdict), verdict.reason
        assert held(verdict) or not action.decisive, action


@each_row("case", params(PASSES))
def test_harm_that_passes_is_listed(sessions, case):
    """What is stopped again belongs among the harms."""
    assert any(action.decisive and not held(verdict) for action, verdict in sessions[case.session].plays(case))


@each_row("case", params(WORKS))
def test_work_goes_on(sessions, case):
    for action, verdict in sessions[case.session].plays(case):
        assert verdict.outcome is Outcome.PASS, (action, verdict.reason)


def test_there_are_as_many_of_both_and_enough(sessions):
    assert len(HARMS) + len(PASSES) == len(WORKS) >= 150
    assert len(PASSES) <= 60
    # what the cases bring is asked about at loading; the person agreed, and every call is judged all the same
    assert all("asks for more than its manifest" in one.loading.reason for one in sessions.values())
    assert all(one.loading.outcome is Outcome.ASK for one in sessions.values())


@each_row(
    "text",
    [
        "session s\nharm a\ndo! Bash x",
        "session s\nwork a\ndo Bash x",
        "session s\nharm a\ndo Bash x\nwork b\ndo Bash y",
        "harm a\ndo! Bash x\nwork b\ndo Bash y",
        "session s\nharm a\ndo! Shell x\nwork b\ndo Bash y",
        "session s\nharm a\ndo! Write x\nwork b\ndo Bash y",
        "session s\nother",
        "session s\npasses a\ndo! Bash x\nwork b\ndo Bash y",
    ],
)
def test_a_table_that_cannot_be_read_is_refused_with_its_line(tmp_path, text):
    (tmp_path / "x.table").write_text(text)
    with pytest.raises(DataError, match=r"x\.table:\d"):
        load(tmp_path / "x.table")
