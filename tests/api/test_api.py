"""The public API says what the commands say, and raises errors of one tree."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import remit
from each_row import each_row

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/sales-report"
PAGE = ROOT / "docs/api.md"
COMMAND = [sys.executable, "-m", "remit.cli"]


def said(*args):
    done = subprocess.run([*COMMAND, *map(str, args)], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout


@pytest.fixture
def skill(tmp_path):
    (tmp_path / "s/scripts").mkdir(parents=True)
    (tmp_path / "s/SKILL.md").write_text("---\nname: s\ndescription: Lists.\n---\nRun scripts/a.py.\n")
    (tmp_path / "s/scripts/a.py").write_text("import os\nos.listdir('.')\n")
    return tmp_path / "s"


def test_a_report_is_what_the_command_prints():
    told = json.loads(said("check", "examples/sales-report", "--format", "json"))
    found = remit.check(EXAMPLE).to_dict()
    assert {**found, "skill": None, "manifest": None} == {**told, "skill": None, "manifest": None}


def test_a_draft_is_what_the_command_prints(skill):
    assert remit.draft(skill).text == said("init", skill, "--stdout")
    assert remit.draft(skill).manifest.permissions


def test_a_report_by_a_manifest_that_is_given(skill, tmp_path):
    (tmp_path / "other.json").write_text(remit.draft(skill).text)
    assert remit.check(skill).verdict == "undeclared"
    assert remit.check(skill / "SKILL.md", manifest=tmp_path / "other.json").verdict == "contained"


def test_a_diff_names_what_an_update_gains(skill, tmp_path):
    new = tmp_path / "new"
    (new / "scripts").mkdir(parents=True)
    (new / "SKILL.md").write_text((skill / "SKILL.md").read_text())
    (new / "scripts/a.py").write_text("import os\nos.remove('a')\n")
    found = remit.diff(skill, new)
    assert found.verdict == "gains"
    assert "file.delete" in json.dumps(found.to_dict())
    assert remit.diff(skill, skill).verdict == "same"


def test_a_skill_without_a_bundle_is_not_admitted(skill, tmp_path):
    with pytest.raises(remit.RemitError, match=r"none\.json"):
        remit.verify(skill, tmp_path / "none.json")


@pytest.mark.parametrize("call", [remit.check, remit.draft], ids=["check", "draft"])
def test_what_is_no_skill_is_an_error(tmp_path, call):
    with pytest.raises(remit.RemitError, match="does not exist") as caught:
        call(tmp_path / "none")
    assert caught.value.remedy
    (tmp_path / "empty").mkdir()
    with pytest.raises(remit.RemitError):
        call(tmp_path / "empty")


def test_a_manifest_that_cannot_be_read_is_an_error(skill):
    (skill / "remit.json").write_text("{")
    with pytest.raises(remit.RemitError):
        remit.check(skill)


def test_results_are_frozen(skill):
    report = remit.check(skill)
    with pytest.raises(AttributeError):
        report.manifest = None


def test_every_public_name_is_there_and_no_other():
    assert sorted(remit.__all__) == remit.__all__ == dir(remit)
    for name in remit.__all__:
        assert getattr(remit, name) is not None
    with pytest.raises(AttributeError):
        remit.World  # noqa: B018


def test_no_module_hides_a_public_name():
    inside = {path.stem for path in Path(remit.__file__).parent.iterdir()}
    assert not inside & set(remit.__all__)


def test_effects_say_what_causes_them(skill):
    (read,) = [one for one in remit.check(skill).to_dict()["effects"] if one["capability"] == "file.read"]
    assert read["via"] == {"cause": "function", "name": "os.listdir"}


def test_importing_remit_reads_nothing_else():
    code = "import sys; before = set(sys.modules); import remit; print(*sorted(set(sys.modules) - before))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert [name for name in found if name.startswith("remit")] == ["remit"]


@each_row("code", re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL), ids=lambda _: "code")
def test_the_examples_of_the_page_run(code):
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
