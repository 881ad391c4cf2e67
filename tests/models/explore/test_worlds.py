"""The models of this version: they hold, every mutant noticed, and docs/models.md says what they are."""

import json
import re
from functools import partial
from pathlib import Path

import pytest
from measured import Measured, measured, read_measured, written
from model_page import PAGE, shown, tables
from record import found_in, recorded

from by_day import but_by_night
from each_row import each_row
from remit.cli import main
from remit.core.errors import DataError, PackageError
from remit.models import stories
from remit.models.explore.gates import check_list, check_model, read_expected
from remit.models.explore.properties import check_properties, check_reference, read_properties, read_reference
from remit.models.explore.registry import MODELS, lying, models
from remit.models.outcomes import PYTHON, TLC, Outcome
from remit.models.proofs import registry
from remit.models.proofs.registry import THEORIES
from remit.models.tla.registry import MODELS as TWINS

ROOT = Path(__file__).parents[3]
# each takes seconds; by day one story of each is found and walked (test_exporting.py)
SLOW = (
    "acceptance delivery pipeline turn-lines session-grants ingress turns audit-chain exposure node-runs about".split()
)


@pytest.mark.parametrize("name", but_by_night(MODELS, SLOW))
def test_a_model_passes_all_gates(name):
    (model,) = models([name])
    checked = check_model(model, read_expected())
    assert not checked.faults, "\n".join(checked.faults)
    assert checked.killed == len(model.mutants) >= len(model.properties)


def test_what_is_recorded_is_read_as_it_was_found(tmp_path):
    (model,) = models(["handles"])
    found = check_model(model, read_expected())
    path = tmp_path / "expected.table"
    path.write_text(recorded(found_in([found]), ["handles"]))
    assert check_model(model, read_expected(path)).faults == ()


def test_no_model_is_forgotten():
    mutants = {one.name: [mutant.name for mutant in one.mutants] for one in models()}
    assert check_list(MODELS, lying(), mutants, read_expected()) == []
    assert [one.name for one in models()] == list(MODELS)


def test_a_file_that_is_not_listed_is_seen(tmp_path):
    (tmp_path / "orphan.py").touch()
    (tmp_path / "__init__.py").touch()
    assert lying(tmp_path) == ("orphan",)


def test_the_page_has_the_tables_of_this_version():
    assert shown(PAGE.read_text("utf-8")) == tables()


def test_what_was_measured_is_what_is_expected_but_for_the_time():
    measures, expected = read_measured(), read_expected()
    for (engine, name), one in measures.items():
        (model,) = models([name])
        if engine == PYTHON or model.canonical is None:  # a twin has no canonical form
            assert one.states == expected.models[name][0], name
        assert one.mutants == len(model.mutants) if engine == PYTHON else one.mutants <= len(model.mutants)
    assert {name for engine, name in measures if engine == PYTHON} == set(MODELS)
    assert {name for engine, name in measures if engine == TLC} == set(TWINS)


def test_what_was_not_measured_is_refused(tmp_path):
    path = tmp_path / "measured.table"
    for line in (
        "[z3]\ngate | 1 | 1 | 1 | 1.0\n",
        "[tlc]\ngate | one | 1 | 1 | 1.0\n",
        "[tlc]\ngate | 1 | 1 | 1 | 1.0\n" * 2,
    ):
        path.write_text(line)
        with pytest.raises(DataError):
            read_measured(path)


def test_measures_are_read_as_they_were_written(tmp_path):
    measures = {(PYTHON, "gate"): Measured(2, 1, 3, 0.5), (TLC, "turns"): Measured(4, 5, 6, 1.5)}
    path = tmp_path / "measured.table"
    path.write_text(written(measures))
    assert read_measured(path) == measures
    failed = Outcome(TLC, "turns", "", 1, 4, 6, 6, ("wrong",), 1.5, 5)
    assert measured([failed, failed._replace(faults=())]) == {(TLC, "turns"): measures[TLC, "turns"]}


def test_every_claim_has_a_model_and_a_mutant():
    assert check_properties(read_properties(), models()) == []


def test_every_module_of_the_reference_is_covered():
    claims, reference = read_properties(), read_reference()
    assert check_reference(claims, reference) == []
    assert len(reference) == 68
    (lone,) = (one for one in claims if "QueueDrain" in one.modules)
    without = [one for one in claims if one is not lone]
    assert check_reference(without, reference) == ["nothing of ours says what `QueueDrain` of the reference says"]
    assert check_reference([lone._replace(modules=("Nowhere", "QueueDrain")), *without], reference) == [
        "`Nowhere` is no module of the reference"
    ]


def test_a_reference_that_can_not_be_read(tmp_path):
    path = tmp_path / "reference.table"
    path.write_text("[module]\na | b\na | b\n")
    with pytest.raises(DataError, match=r"reference\.table:3"):
        read_reference(path)


def test_claims_that_are_not_kept_are_seen():
    claims, every = read_properties(), models(["approvals", "handles"])
    mine = [one for one in claims if one.model in ("approvals", "handles")]
    assert check_properties(mine, every) == []
    assert check_properties(mine[1:], every) == [f"`{mine[0].model} {mine[0].invariant}` is claimed nowhere"]
    assert len(check_properties([mine[0]._replace(says="more"), *mine[1:]], every)) == 1
    assert len(check_properties([*mine, mine[0]._replace(id="x", invariant="x")], every)) == 1
    bare = [one._replace(mutants=()) for one in every]
    assert len(check_properties(mine, bare)) == len(mine)


@each_row(
    "line",
    ["[property]\na | m | b | c | d\na | m | b | c | d", "[other]\na | m | b | c | d", "[property]\na | - | b | c | d"],
)
def test_a_list_that_can_not_be_read(line, tmp_path):
    path = tmp_path / "properties.table"
    path.write_text(line + "\n")
    with pytest.raises(DataError, match=r"properties\.table:"):
        read_properties(path)


def test_what_the_list_says(capsys, snapshot):
    assert main(["models", "list"]) == 0
    assert capsys.readouterr().out == snapshot


def test_the_command(capsys):
    assert main(["models", "check", "approvals", "handles", "--engine", "python"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^handles +python +\d+ +\d+ +9/9 +\d", out, re.MULTILINE)
    assert "✓ approvals (python): " in out
    assert main(["models", "check", "approvals", "--engine", "python", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["passed"] is True
    assert [(one["engine"], one["name"], one["killed"]) for one in told["outcomes"]] == [("python", "approvals", 4)]
    assert told["models"][0]["mutants"][0]["story"][-1] == "here `once-is-once` fails"
    assert main(["models", "list", "--format", "json"]) == 0
    assert {one["name"] for one in json.loads(capsys.readouterr().out)["models"]} == set(MODELS)
    assert main(["models", "list", "nobody"]) == 2
    assert "neither a model nor a theory" in capsys.readouterr().err


def test_theories_are_listed_with_their_theorems_and_mutants(capsys):
    assert main(["models", "list", "layers", "handles"]) == 0
    out = capsys.readouterr().out
    assert "deny-wins-over-any-layers" in out
    assert "noticed: lets a later layer allow again" in out
    assert out.index("handles: ") < out.index("layers: ")
    assert main(["models", "list", "--format", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)["theories"]
    assert [one["name"] for one in listed] == list(THEORIES)
    assert all(one["theorems"] and one["mutants"] and one["ties"] for one in listed)
    assert not set(THEORIES) & set(MODELS)


def test_without_the_solver_models_are_listed_and_theories_named_in_vain(capsys, monkeypatch):
    def missing():
        raise PackageError("z3-solver", "prove")

    monkeypatch.setattr(registry, "require", missing)
    assert main(["models", "list"]) == 0
    assert "theories are not listed" in capsys.readouterr().out
    assert main(["models", "list", "layers"]) == 2
    assert "remit[prove]" in capsys.readouterr().err


def test_the_story_of_a_mutant_is_told(capsys, snapshot):
    assert main(["models", "show", "approvals", "--mutant", "has no end"]) == 0
    assert capsys.readouterr().out == snapshot(name="of a model")
    assert main(["models", "show", "layers", "--mutant", "lets a later layer allow again", "--format", "json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["mutants"]
    assert (told["noticed_by"], told["spoils"]) == ("deny-wins-over-any-layers", "the operator `layer`")
    assert told["story"][-1] == "here `deny-wins-over-any-layers` fails"
    assert main(["models", "show", "layers", "--mutant", "nothing"]) == 2
    assert "`lets a later layer allow again`" in capsys.readouterr().err


def test_a_mutant_that_nobody_notices_is_no_story(capsys, monkeypatch):
    (model,) = models(["approvals"])
    mutant = model.mutants[0]
    nothing = mutant._replace(patch=mutant.patch._replace(spoil=partial))
    monkeypatch.setattr(stories, "models", lambda _: (model._replace(mutants=(nothing,)),))
    assert main(["models", "show", "approvals"]) == 1
    assert "is not noticed" in capsys.readouterr().out


def test_the_command_fails_when_a_model_does(capsys, monkeypatch):
    from remit.models.explore import question_states

    real = question_states.step
    admits_all = lambda state, event: real(state, event)._replace(admits=isinstance(event, question_states.Tried))  # noqa: E731
    monkeypatch.setattr(question_states, "step", admits_all)
    assert main(["models", "check", "approvals", "--engine", "python"]) == 1
    out = capsys.readouterr().out
    assert "✗ approvals" in out
    assert "`only-a-yes-admits` fails" in out
    assert "    1. try: admitted 1" in out
