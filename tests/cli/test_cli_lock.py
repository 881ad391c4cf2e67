"""`remit lock`: stable bytes, drift said in capabilities, and nothing written that was not found."""

import json
import os
import shutil

import jsonschema
import pytest
from cli_skills import CLEANER, UNKNOWN, run, skill
from drift_updates import CAUGHT, QUIET, base

from remit.checker import run as checks
from remit.cli.schemas import schema_text

VALIDATOR = jsonschema.Draft202012Validator(json.loads(schema_text("lock")))


@pytest.fixture
def two(work):
    base(work / "skills" / "invoice")
    skill(work / "skills", "reader")
    return work / "skills"


def locked(work, name="skills.lock"):
    value = json.loads((work / name).read_text())
    VALIDATOR.validate(value)
    return value


def test_a_lock_holds_what_is_needed_to_compare(two, work, capfd):
    assert run(capfd, "lock", "skills") == (0, "skills.lock: 2 skills locked\n", "")
    value = locked(work)
    assert list(value["skills"]) == ["skills/invoice", "skills/reader"]
    assert value["roots"] == ["skills"]
    invoice = value["skills"]["skills/invoice"]
    assert {"capability": "web.fetch", "scope": "rates.example:443"}.items() <= next(
        item for item in invoice["capabilities"] if item["capability"] == "web.fetch"
    ).items()
    assert invoice["manifest"].startswith("sha256:")
    assert str(work) not in (work / "skills.lock").read_text()


def test_the_same_skills_are_the_same_bytes(two, work, capfd, tmp_path):
    run(capfd, "lock", "skills")
    first = (work / "skills.lock").read_bytes()
    run(capfd, "lock", "skills", "--no-cache", "--jobs", "1")
    assert (work / "skills.lock").read_bytes() == first
    for folder, _, files in os.walk(two):
        for name in files:
            os.utime(os.path.join(folder, name), (0, 0))
    other = tmp_path / "elsewhere"
    shutil.copytree(two, other / "skills")
    run(capfd, "lock", other / "skills", "--output", other / "skills.lock")
    assert (other / "skills.lock").read_bytes() == first


def test_nothing_changed(two, work, capfd, monkeypatch):
    run(capfd, "lock", "skills")
    monkeypatch.setattr(checks, "run_jobs", None)  # digests are enough
    monkeypatch.setenv("XDG_CACHE_HOME", str(work / "another"))
    assert run(capfd, "lock", "--check")[::2] == (0, "")
    assert run(capfd, "lock", "skills/reader", "--check")[::2] == (0, "")


def test_drift_is_said_in_capabilities(two, work, capfd, snapshot):
    run(capfd, "lock", "skills")
    CAUGHT["a POST in a helper"][0](two / "invoice")
    QUIET["other words"](two / "invoice")
    status, out, err = run(capfd, "lock", "--check")
    assert (status, err) == (1, "")
    assert "scripts/helper.py changed" in out
    assert "web.post(evil.example:443)" in out
    assert out == snapshot
    assert "called from scripts/invoice.py" in run(capfd, "lock", "--check", "-v")[1]


@pytest.mark.parametrize("case", list(CAUGHT)[::5])  # `remit diff` is tested with all of them
def test_every_update_is_drift(two, work, capfd, case):
    run(capfd, "lock", "skills")
    CAUGHT[case][0](two / "invoice")
    status, out, _ = run(capfd, "lock", "--check", "-q")
    assert status == 1
    assert "gains:" in out


@pytest.mark.parametrize("case", list(QUIET)[::3])
def test_a_changed_byte_is_drift_without_gain(two, work, capfd, case):
    run(capfd, "lock", "skills")
    QUIET[case](two / "invoice")
    status, out, _ = run(capfd, "lock", "--check", "-q")
    assert status == 1
    assert "gains nothing" in out


def test_new_and_missing_skills_are_said(two, work, capfd):
    run(capfd, "lock", "skills")
    shutil.rmtree(two / "reader")
    skill(two, "cleaner", CLEANER)
    status, out, err = run(capfd, "lock", "--check")
    assert (status, err) == (1, "")
    assert "reader  is missing" in out
    assert "cleaner  is new: file.delete(<arg>)" in out


def test_a_lock_without_any_skill_left_is_drift(two, work, capfd):
    run(capfd, "lock", "skills")
    shutil.rmtree(two)
    status, out, _ = run(capfd, "lock", "--check")
    assert status == 1
    assert out.count("is missing") == 2


EDITS = {
    "a capability": ('"scope": "rates.example:443"', '"scope": "any"'),
    "a content": ('"content": "sha256:', '"content": "sha256:0'),
    "a name": ('"name": "reader"', '"name": "writer"'),
    "the digest": ('"digest": "sha256:', '"digest": "sha256:0'),
    "a root": ('"roots": [', '"roots": ["x"'),
}


@pytest.mark.parametrize("case", EDITS)
def test_an_edit_by_hand_is_said(two, work, capfd, case):
    run(capfd, "lock", "skills")
    old, new = EDITS[case]
    before = (work / "skills.lock").read_text()
    assert old in before
    if case == "a root":
        new = '"roots": ["skills/x", '
    at = before.rindex(old)
    (work / "skills.lock").write_text(before[:at] + new + before[at + len(old) :])
    status, _, err = run(capfd, "lock", "--check")
    assert status == 1
    assert "edited by hand" in err
    status, out, err = run(capfd, "lock", "--update")
    assert (status, out) == (2, "")
    assert "edited by hand" in err


WITH = (
    '{"lock": 1, "remit": "x", "roots": [], "skills": {"a": {"name": "a", "content": "", "files": {}, "instructions": {},'
    ' "capabilities": [{"capability": %s, "origin": "script", "file": "x"}]}}}'
)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "line 1, column 1"),
        ("[]", "not a lock"),
        ('{"lock": 2}', "it is not of form 1"),
        ('{"lock": 1, "remit": "x", "roots": [], "skills": {}, "more": 1}', "`more` is not a field"),
        ('{"lock": 1, "remit": "x", "roots": []}', "'skills' is missing"),
        ('{"lock": 1, "remit": "x", "roots": [], "skills": {"a": {}}}', "an object is missing"),
        (WITH % '"file.rea", "scope": "any"', "`file.rea` is not a capability"),
        (WITH % '"file.read", "scope": "a//../.."', "goes up with `..`"),
    ],
)
def test_what_is_not_a_lock_is_refused(two, work, capfd, content, message):
    (work / "skills.lock").write_text(content)
    for what in ("--check", "--update"):
        status, out, err = run(capfd, "lock", what)
        assert (status, out) == (2, "")
        assert message in err
    assert (work / "skills.lock").read_text() == content


def test_update_writes_only_what_changed(two, work, capfd):
    run(capfd, "lock", "skills")
    before = locked(work)
    assert run(capfd, "lock", "--update")[1].endswith("skills.lock: nothing to update\n")
    CAUGHT["a POST in a helper"][0](two / "invoice")
    skill(two, "cleaner", CLEANER)
    status, out, _ = run(capfd, "lock", "--update")
    assert status == 0
    assert "web.post(evil.example:443)" in out
    after = locked(work)
    assert after["skills"]["skills/reader"] == before["skills"]["skills/reader"]
    assert set(after["skills"]) == {"skills/invoice", "skills/reader", "skills/cleaner"}
    assert run(capfd, "lock", "--check")[0] == 0
    run(capfd, "lock", "skills", "--output", "fresh.lock")
    assert (work / "fresh.lock").read_bytes() == (work / "skills.lock").read_bytes()
    shutil.rmtree(two / "cleaner")
    assert "1 dropped" in run(capfd, "lock", "--update")[1]
    assert run(capfd, "lock", "--check")[0] == 0


def test_a_skill_that_cannot_be_read_is_never_locked(two, work, capfd):
    run(capfd, "lock", "skills")
    before = (work / "skills.lock").read_bytes()
    (two / "reader/SKILL.md").write_bytes(b"\xff\xfe")
    for what in ([], ["--check"], ["--update"]):
        status, _, err = run(capfd, "lock", *(["skills"] if not what else []), *what)
        assert status == 2
        assert "skills/reader" in err
    assert (work / "skills.lock").read_bytes() == before


def test_paths_narrow_a_check(two, work, capfd):
    run(capfd, "lock", "skills")
    CAUGHT["a POST in a helper"][0](two / "invoice")
    assert run(capfd, "lock", "skills/reader", "--check")[0] == 0
    assert run(capfd, "lock", "skills/invoice", "--check")[0] == 1


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("--check", "--output", "my.lock"), "the lock `my.lock` cannot be read"),
        (("--update",), "the lock `skills.lock` cannot be read"),
        (("nowhere",), "`nowhere` does not exist"),
        (("skills", "--output", "nowhere/x.lock"), "cannot be written"),
        (("skills", "--check", "--update"), "not allowed with"),
        (("skills", "--output", "skills/reader/skills.lock"), "would be inside of the skill `skills/reader`"),
    ],
)
def test_wrong_calls_are_refused(two, capfd, argv, message):
    status, out, err = run(capfd, "lock", *argv)
    assert (status, out) == (2, "")
    assert message in err


def test_a_check_without_a_lock_is_a_hint(two, capfd):
    status, out, err = run(capfd, "lock", "--check")
    assert (status, out) == (0, "")
    assert "`remit lock` remembers" in err


def test_opaque_skills_are_locked_as_they_are(work, capfd):
    skill(work, "odd", UNKNOWN)
    assert run(capfd, "lock", "odd")[0] == 0
    assert locked(work)["skills"]["odd"]["opaque"]
    assert run(capfd, "lock", "--check")[0] == 0


def test_what_check_found_is_not_sought_again(work, capfd, monkeypatch):
    skill(work, "reader")
    assert run(capfd, "check", "reader")[0] == 0
    monkeypatch.setattr("remit.analysis.session.analyse", lambda *_: 1 / 0)
    assert run(capfd, "lock", "reader")[0] == 0
    assert locked(work)["skills"]["reader"]["capabilities"]
    monkeypatch.setattr(checks, "run_jobs", None)  # nor is what was remembered
    assert run(capfd, "lock", "reader")[0] == 0


def test_a_lock_that_is_a_pipe_is_refused(two, work, capfd):
    os.mkfifo(work / "skills.lock")
    status, _, err = run(capfd, "lock", "--check")
    assert status == 2
    assert "is not a file" in err
