"""`remit check SOURCE`: archives and repositories are checked as folders are, and named as they were given."""

import json
import os
import subprocess
import sys
import zipfile

import pytest
from cli_skills import CLEANER, READER, run, skill

GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@b.example"]


@pytest.fixture
def sources(work, tmp_path, monkeypatch):
    """Two skills in a folder, an archive and a repository."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    skill(work / "repo/skills", "a", READER)
    skill(work / "repo/skills", "b", CLEANER)
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run([*GIT, "-C", work / "repo", *words], check=True)
    with zipfile.ZipFile(work / "skills.zip", "w") as out:
        for path in (work / "repo/skills").rglob("*"):
            out.write(path, path.relative_to(work / "repo"))
    yield work
    assert os.listdir(tmp_path / "temporary") == []


def reports(capfd, *words):
    status, out, err = run(capfd, "check", *words, "--format", "json")
    return status, json.loads(out), err


def test_the_same_skills_give_the_same_reports(sources, capfd):
    _, folder, _ = reports(capfd, "repo")
    for source in ("skills.zip", f"file://{sources}/repo"):
        status, found, err = reports(capfd, source)
        assert status == 0, err
        assert [one["skill"]["path"] for one in found] == [f"{source}!skills/a", f"{source}!skills/b"]
        assert [one["effects"] for one in found] == [one["effects"] for one in folder]
    assert "fetching file://" in err


@pytest.mark.parametrize("form", ["text", "jsonl", "sarif", "junit", "md", "html"])
def test_every_format_names_the_source(sources, capfd, form):
    status, out, _ = run(capfd, "check", "skills.zip", "--format", form)
    assert status == 0
    assert form in ("md", "text") or "skills.zip!skills/b" in out.replace("%21", "!")  # these name skills alone
    assert "remit-quarantine" not in out
    if form == "html":
        assert "os.remove(sys.argv[1])" in out.replace("<wbr>", "")  # its lines are shown


def test_the_current_folder_is_the_default(sources, capfd, monkeypatch):
    monkeypatch.chdir(sources / "repo/skills/a")
    assert run(capfd, "check")[:2] == run(capfd, "check", ".")[:2]


def test_what_is_refused_is_said_and_the_others_go_on(sources, capfd):
    (sources / "repo/skills/a/out").symlink_to("/etc/passwd")
    subprocess.run([*GIT, "-C", sources / "repo", "add", "-A"], check=True)
    subprocess.run([*GIT, "-C", sources / "repo", "commit", "-qm", "link"], check=True)
    status, found, err = reports(capfd, f"file://{sources}/repo")
    assert status == 2
    assert found["skill"]["name"] == "b"
    assert "!skills/a`: `skills/a/out` is a link to `/etc/passwd`, outside of the repository" in err
    (sources / "broken.zip").write_bytes(b"no")
    status, found, err = reports(capfd, "broken.zip", "skills.zip")
    assert (status, len(found)) == (2, 2)
    assert "broken.zip" in err


def test_a_lock_and_another_version_are_of_folders(sources, capfd):
    run(capfd, "lock", "repo")
    assert run(capfd, "check", "skills.zip", "--format", "md")[0] == 0
    status, _, err = run(capfd, "check", "skills.zip", "--format", "md", "--against", "repo")
    assert status == 2
    assert "--against" in err


def test_a_folder_is_checked_without_the_code_for_other_sources(work):
    skill(work, "a")
    code = "import sys; from remit.cli.main import main; main(['check', 'a', '-q']); print([n for n in sys.modules if 'remit.sources' in n or 'remit.installation' in n])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_a_skill_that_links_into_the_folder_that_was_named(work, capfd):
    skill(work / "many", "a")
    skill(work / "many", "b")
    (work / "many/b/SKILL.md").unlink()
    (work / "many/b/SKILL.md").symlink_to("../a/SKILL.md")
    assert run(capfd, "check", "many")[0] == 0
    status, _, err = run(capfd, "check", "many/b")
    assert status == 2
    assert "outside of the skill" in err
