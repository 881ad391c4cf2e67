"""The theories of this version: every theorem is shown, every mutant and every planted difference is noticed, and all of it is listed."""

import re
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from theorem_table import PAGE, TABLE, table

from by_day import many
from each_row import each_row
from remit.cli import main
from remit.core.errors import PackageError, UsageError
from remit.gateway.inbound.nodes import commands
from remit.models.explore.properties import check_properties, read_properties
from remit.models.proofs import gates, solver
from remit.models.proofs.gates import check, check_list, check_theory
from remit.models.proofs.registry import FILE, THEORIES, lying, theories

TIES = [(theory.name, tie.name) for theory in theories() for tie in theory.ties]


@each_row("name", THEORIES)
def test_a_theory_passes_all_gates(name):
    (theory,) = theories([name])
    checked = check_theory(theory)
    assert not checked.faults, "\n".join(checked.faults)
    outcome = checked.outcome()
    assert outcome.killed == outcome.mutants > len(theory.theorems)
    assert (outcome.engine, outcome.states) == ("z3", None)


@each_row(("name", "tied"), TIES)
def test_operators_and_code_agree_on_whatever_is_drawn(name, tied):
    """As a check does, on cases that nobody chose."""
    (theory,) = theories([name])
    tie = next(one for one in theory.ties if one.name == tied)

    @settings(max_examples=many(40, least=15), deadline=None)
    @given(st.randoms(use_true_random=False))
    def agree(random):
        case = tie.sample(random)
        assert tie.encoded(theory.operators, case) == tie.code(case)

    agree()


def test_the_page_has_the_theorems_of_this_version():
    assert TABLE.search(PAGE.read_text("utf-8"))[2] == table()


def test_no_theory_or_theorem_is_forgotten():
    assert check_list() == ()


def test_claims_that_are_not_kept_are_seen():
    claims, every = read_properties(FILE), theories()
    assert len(check_properties(claims[1:], every)) == 1
    assert len(check_properties([claims[0]._replace(says="more"), *claims[1:]], every)) == 1


def test_a_file_that_is_not_listed_is_seen(tmp_path):
    (tmp_path / "orphan.py").touch()
    assert lying(tmp_path) == ("orphan",)


def test_a_check_by_name():
    heard = []
    (outcome,) = check(["commands"], heard.append)
    assert (heard, outcome.name, outcome.faults) == (["commands"], "commands", ())
    with pytest.raises(UsageError, match="not a theory"):
        check(["nobody"], heard.append)


def test_the_command(capsys):
    assert main(["models", "check", "commands", "--engine", "z3"]) == 0
    assert re.search(r"^commands +z3 +4 +- +9/9 ", capsys.readouterr().out, re.MULTILINE)


def test_the_command_fails_when_the_code_differs(capsys, monkeypatch):
    monkeypatch.setattr(commands, "wants_approval", lambda *_, **__: True)
    assert main(["models", "check", "commands", "--engine", "z3"]) == 1
    out = capsys.readouterr().out
    assert "✗ commands" in out
    assert "`which commands, and who is asked`: CommandCase(" in out


def test_all_of_them_with_the_list(monkeypatch):
    monkeypatch.setattr(gates, "theories", lambda names=(): theories(names or ["commands"]))
    assert [one.name for one in check([], lambda _: None)] == [
        "commands",
        "list",
    ]  # the others are claimed, and not there


def test_without_the_solver(monkeypatch):
    monkeypatch.setitem(sys.modules, "z3", None)
    with pytest.raises(PackageError, match=re.escape("`z3-solver` is not installed")) as told:
        check([], lambda _: None)
    assert told.value.remedy == "pip install 'remit[prove]'"
    with pytest.raises(PackageError):
        solver.require()
