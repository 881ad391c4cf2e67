"""action.yml: its steps, run here as GitHub's runner runs them."""

import json
import re
import shutil
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from action_runner import load, run_action
from ci_repository import MANIFEST, POSTER, ROOT, Repository

REMIT = str(Path(sys.executable).with_name("remit"))
SET_UP = ("Set up Remit",)


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path / "repository")


def check(repository, **inputs):
    return run_action(
        repository, {key.replace("_", "-"): value for key, value in inputs.items()}, leave_out=SET_UP, REMIT=REMIT
    )


def test_nothing_in_it_floats():
    action = load()
    assert action["runs"]["using"] == "composite"
    text = (ROOT / "action.yml").read_text()
    for step in action["runs"]["steps"]:
        assert step["shell"] == "bash"
        assert "uses" not in step  # if one is added: by the digest of a commit
        assert "${{" not in step["run"]  # what a stranger wrote would become part of the script
    assert not re.search(r"pip install|curl|wget|@(main|master|v\d)", text)
    used = set(re.findall(r"inputs\.([\w-]+)", text))
    assert used == set(action["inputs"])


def test_a_contained_skill_passes_with_a_summary(repository):
    ran = check(repository)
    assert ran.status == 0, ran.said
    assert ran.outputs == {"status": "0", "sarif": "remit.sarif"}
    assert "1 skill, nothing to look at" in ran.summary
    assert json.loads((repository.folder / "remit.sarif").read_text())["runs"][0]["results"] == []


def test_an_escape_fails_with_results_in_every_format(repository):
    repository.write(POSTER)
    ran = check(repository, junit="out.xml", html="out.html")
    assert (ran.status, ran.outputs["status"]) == (1, "1")
    assert "web.post evil.example:443" in ran.summary
    results = json.loads((repository.folder / "remit.sarif").read_text())["runs"][0]["results"]
    result = next(item for item in results if "web.post" in item["message"]["text"])
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "skills/pdf/scripts/run.py"
    assert ET.parse(repository.folder / "out.xml").getroot().get("failures") == "1"
    assert "<!doctype html>" in (repository.folder / "out.html").read_text()


def test_a_change_is_compared_with_its_base(repository):
    repository.commit()
    repository.write(POSTER)
    ran = check(repository, against="git:main", fail_on="never")
    assert ran.status == 0, ran.said
    assert "gains: web.post(evil.example:443)" in ran.summary


def test_what_cannot_be_read_is_two(repository):
    (repository.skill / "remit.json").write_text("{")
    assert check(repository).status == 2
    assert check(repository, paths="nowhere").status == 2
    (repository.skill / "remit.json").write_text(MANIFEST)
    assert check(repository, against="git:nowhere").status == 2
    assert check(repository, sarif="missing/folder/x.sarif").status == 2


def test_paths_stand_one_on_each_line_and_are_no_options(repository):
    shutil.copytree(repository.skill, repository.folder / "more skills/--help")
    ran = check(repository, paths="skills\nmore skills/--help\n")
    assert ran.status == 0, ran.said
    assert "2 skills" in ran.summary


def test_inputs_are_texts_and_nothing_else(repository):
    evil = '$(touch ran); `touch ran`; "; touch ran; "'
    for name in load()["inputs"]:
        check(repository, **{name: evil})
    assert not [path for path in repository.folder.rglob("ran*") if path.name == "ran"]


def test_a_pull_request_does_not_say_by_which_summaries_it_is_judged(repository):
    repository.write(POSTER.replace("requests", "acme"))
    summaries = repository.folder / "remit-summaries"
    summaries.mkdir()
    (summaries / "a.py.sum").write_text("[module acme]\npost(url, data=None, **kw)\n")
    assert check(repository).status == 1
    named = check(repository, summaries="remit-summaries\n")
    assert named.status == 0, named.said
    assert "Summary files of the project are used here" in named.summary


def test_nothing_is_written_where_a_link_of_the_checkout_leads(repository, tmp_path):
    """A stranger's pull request brings links with the names of reports; what they lead to may be a script that runs next."""
    aim = tmp_path / "aim"
    aim.write_text("before")
    for name in ("remit.sarif", "remit.sarif.part", "out.html", "out.html.part"):
        (repository.folder / name).symlink_to(aim)
    (tmp_path / "folder").mkdir()
    (repository.folder / "out.xml").symlink_to(tmp_path / "folder")
    assert check(repository, html="out.html", junit="out.xml").status == 0
    assert aim.read_text() == "before"
    assert list((tmp_path / "folder").iterdir()) == []
    assert all(not (repository.folder / name).is_symlink() for name in ("remit.sarif", "out.html", "out.xml"))


def test_it_sets_itself_up_from_its_own_checkout_nightly(repository, tmp_path, monkeypatch):
    copy = tmp_path / "action"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".venv", ".git", "tests", ".*_cache"))
    monkeypatch.setattr("action_runner.ROOT", copy)
    del repository.environment["PYTHONPATH"]
    ran = run_action(repository, {})
    assert ran.status == 0, ran.said
    assert "1 skill, nothing to look at" in ran.summary
