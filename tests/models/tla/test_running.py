"""What is run, what it says, and what must come about."""

import subprocess
import sys

import pytest
from toy_protocol import MOST, TEXT, model

from remit.core.errors import DataError, InputError, PackageError
from remit.models.explore.gates import Expected
from remit.models.tla import runner
from remit.models.tla.gates import check_twin, made
from remit.models.tla.output_parser import drawn, said
from remit.models.tla.runner import Tlc, ready
from remit.models.tla.twin import Twin

STEPS = Expected({}, {("toy", "sends for ever"): 3})


def checked(tlc, text=TEXT, steps=STEPS, **changed):
    return check_twin(tlc, model(**changed), Twin(lambda: {"Most": MOST}), "toy", text, steps)


def test_another_jar_is_not_run(tmp_path):
    (tmp_path / "tla2tools.jar").write_bytes(b"something else")
    with pytest.raises(InputError, match="not the one that is known"):
        runner.check(tmp_path / "tla2tools.jar")
    with pytest.raises(PackageError):
        runner.check(tmp_path / "nothing.jar")


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(runner, "find_spec", lambda _: None)
    with pytest.raises(PackageError) as error:
        ready()
    assert "remit[models]" in error.value.remedy


def test_without_java_that_is_said(monkeypatch, tmp_path):
    ends = [sys.executable, "-c", "pass"]
    monkeypatch.setattr(
        runner, "_started", lambda _: subprocess.Popen(ends, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    )
    with pytest.raises(InputError) as error:
        Tlc(tmp_path)
    assert "openjdk" in error.value.remedy


def test_what_must_come_about_is_checked_if_java_is_there(tlc):
    outcome = checked(tlc)
    assert outcome.faults == ()
    assert (outcome.properties, outcome.states, outcome.mutants, outcome.killed) == (2, 5, 2, 2)


def test_without_fairness_nothing_need_come_about_if_java_is_there(tlc):
    assert "`in-the-end`: TLC ends with 13" in "\n".join(checked(tlc, fair=("send",)).faults)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            "InTheEnd == (tries = 0) ~> arrived",
            "InTheEnd == (tries = 0) ~> (arrived \\/ tries = 0)",
            "the mutant `never sends`: not noticed",
        ),
        ('Bug # "never sends"', "TRUE", "no mutant of the twin is noticed by `in-the-end`"),
        ('Bug = "sends for ever" /\\ tries < 4', 'Bug = "sends for ever" /\\ tries < 3 /\\ FALSE', "not noticed"),
        ("tries' = tries + 1", "tries' = tries + 2", "the twin alone goes by Send"),
        ("VARIABLES tries, arrived", "VARIABLES tries, arrived, more", "TLC ends with"),
    ],
    ids=[
        "a promise that is weaker",
        "a mutant that is none_nightly",
        "a mutant that ends_nightly",
        "another step",
        "no TLA+_nightly",
    ],
)
def test_what_is_planted_in_the_toy_is_noticed_if_java_is_there(tlc, old, new, fault):
    assert old in TEXT
    assert fault in "\n".join(checked(tlc, TEXT.replace(old, new)).faults)


def test_a_story_that_is_longer_than_the_recorded_one_is_a_fault_if_java_is_there(tlc):
    steps = Expected({}, {("toy", "sends for ever"): 2})
    assert checked(tlc, steps=steps).faults == (
        "the mutant `sends for ever`: TLC's story has 3 steps, and the explorer's 2",
    )


def test_a_story_whose_steps_are_no_moves_of_the_code_is_a_fault_if_java_is_there(tlc):
    spoiled = TEXT.replace("tries' = tries + 1", 'tries\' = IF Bug = "sends for ever" THEN tries + 3 ELSE tries + 1')
    steps = Expected({}, {("toy", "sends for ever"): 1})
    assert checked(tlc, spoiled, steps).faults == (
        "the mutant `sends for ever`: step 1 of TLC's story is no move of the spoiled code",
    )


def test_files_for_tlc():
    files = made("toy", {"Most": 2, "Who": frozenset({"a"})}, bug="sleeps", invariants=["a-no-is-final"], promises=["in-the-end"], fair=["a second passes"])  # fmt: skip
    assert files["Checked.tla"].splitlines() == [
        "---- MODULE Checked ----",
        "EXTENDS toy, TLC",
        "GivenMost == 2",
        'GivenWho == {"a"}',
        'GivenBug == "sleeps"',
        "Spec == Init /\\ [][Next]_vars /\\ WF_vars(ASecondPasses)",
        "====",
    ]
    assert files["Checked.cfg"].splitlines() == [
        "CONSTANT Nothing = Nothing",
        "CONSTANT Most <- GivenMost",
        "CONSTANT Who <- GivenWho",
        "CONSTANT Bug <- GivenBug",
        "SPECIFICATION Spec",
        "INVARIANT ANoIsFinal",
        "PROPERTY InTheEnd",
    ]


def test_what_says_nothing_is_no_result():
    assert said("") == (None, "", (), "")


def test_a_drawing_is_read_with_all_that_stands_in_it():
    found = drawn(
        '-1 [label="/\\\\ a = \\"x\\\\\\\\n\\"\\n/\\\\ b = <<1,\\n  2>>",style = filled]\n'
        '-1 -> 2 [label="Go",color="black"];\n'
        '2 [label="/\\\\ a = \\"y\\"\\n/\\\\ b = <<>>"];\n'
    )
    first, second = ('"x\\\\n"', "<<1, 2>>"), ('"y"', "<<>>")
    assert found == (("a", "b"), {first}, {first, second}, {(first, "Go", second)})


def test_two_states_with_one_text_are_refused():
    with pytest.raises(DataError, match="one text"):
        drawn('1 [label="/\\\\ a = 1\\n/\\\\ b = 2"]\n2 [label="/\\\\ a = 1\\n/\\\\ b = 2"];\n')
