"""The models of this version: green, every red noticed, and docs/models.md says what they are."""

import json
import re
from pathlib import Path

import pytest

from remit.cli import main
from remit.core.errors import DataError
from remit.models.explore.checking import check_list, check_model
from remit.models.explore.expected import read_expected
from remit.models.explore.properties import (
    by_module,
    check_properties,
    check_reference,
    read_properties,
    read_reference,
)
from remit.models.explore.registry import MODELS, lying, models
from remit.models.explore.telling import found_in, markdown, recorded

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "models.md"
GENERATED = re.compile(r"<!-- (?:models|properties) -->\n(.*?)<!-- end -->", re.DOTALL)


@pytest.mark.parametrize("name", MODELS)
def test_a_model_passes_all_gates(name):
    (model,) = models([name])
    checked = check_model(model, read_expected())
    assert not checked.faults, "\n".join(checked.faults)
    assert checked.killed == len(model.reds) >= len(model.properties)


def test_what_is_recorded_is_read_as_it_was_found(tmp_path):
    (model,) = models(["handles"])
    found = check_model(model, read_expected())
    path = tmp_path / "expected.table"
    path.write_text(recorded(found_in([found]), ["handles"]))
    assert check_model(model, read_expected(path)).faults == ()


def test_no_model_is_forgotten():
    reds = {one.name: [red.name for red in one.reds] for one in models()}
    assert check_list(MODELS, lying(), reds, read_expected()) == []
    assert [one.name for one in models()] == list(MODELS)


def test_a_file_that_is_not_listed_is_seen(tmp_path):
    (tmp_path / "orphan.py").touch()
    (tmp_path / "__init__.py").touch()
    assert lying(tmp_path) == ("orphan",)


def test_the_page_has_the_tables_of_this_version():
    shown = GENERATED.findall(PAGE.read_text("utf-8"))
    assert shown == [markdown(models(), read_expected()), by_module(read_properties(), read_reference())]


def test_every_claim_has_a_green_and_a_red():
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
    bare = [one._replace(reds=()) for one in every]
    assert len(check_properties(mine, bare)) == len(mine)


@pytest.mark.parametrize(
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
    assert told["models"][0]["reds"][0]["story"][-1] == "here `once-is-once` fails"
    assert main(["models", "list", "--format", "json"]) == 0
    assert {one["name"] for one in json.loads(capsys.readouterr().out)["models"]} == set(MODELS)
    assert main(["models", "list", "nobody"]) == 2


def test_the_command_fails_when_a_model_does(capsys, monkeypatch):
    from remit.guard.broker import life

    real = life.step
    admits_all = lambda state, event: real(state, event)._replace(admits=isinstance(event, life.Tried))  # noqa: E731
    monkeypatch.setattr(life, "step", admits_all)
    assert main(["models", "check", "approvals", "--engine", "python"]) == 1
    out = capsys.readouterr().out
    assert "✗ approvals" in out
    assert "`only-a-yes-admits` fails" in out
    assert "    1. try: admitted 1" in out
