"""Deliberate bugs in the source of the rules that run: Method C refutes each with a session. By day the seven that only tests had noticed."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from runtime_mutants import HARMLESS, HIDING, MORE, MUTANTS, ROOT, SEVEN

from each_row import each_row

DRIVER = Path(__file__).with_name("runtime_mutants.py")


def noticed(name=""):
    """The session that goes wrong, as Method C tells it."""
    found = subprocess.run([sys.executable, str(DRIVER), *filter(None, [name])], capture_output=True, check=True)
    return json.loads(found.stdout)


def test_without_a_bug_it_is_proved():
    assert noticed() == ["proved"]


@each_row("name", SEVEN)
def test_what_only_tests_had_noticed_is_refuted(name):
    head, *turns, wrong = noticed(name)
    assert head.startswith("a session at level ")
    assert turns
    assert wrong.startswith("wrong: ")


@pytest.mark.parametrize("name", [name for name in MORE if name not in HARMLESS])
def test_a_bug_of_a_rule_is_refuted_nightly(name):
    assert noticed(name)[-1].startswith("wrong: ")


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_not_noticed_is_listed_nightly(name):
    assert noticed(name) == ["proved"]


def test_every_bug_changes_the_source():
    for file, old, new in MUTANTS.values():
        text = (ROOT / file).read_text("utf-8")
        assert old in text
        assert old != new


def test_there_are_bugs_of_every_part():
    by_file = Counter(file.rpartition("/")[2] for file, _, _ in MUTANTS.values())
    assert set(by_file) >= {
        "entry_matches.py",
        "inclusion.py",
        "judge.py",
        "projector.py",
        "buffer.py",
        "session.py",
        "gate.py",
    }
    assert len(MUTANTS) - len(HARMLESS) >= 0.95 * len(MUTANTS)
    assert set(HIDING) | set(HARMLESS) <= set(MUTANTS)
