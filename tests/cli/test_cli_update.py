"""`remit update`, `remove` and `list`: what changes is shown first, and what a person changed is never lost."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from added_skills import User
from cli_skills import CLEANER, READER, skill

GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@b.example"]


@pytest.fixture
def user(tmp_path, work, capfd, monkeypatch):
    """A user who has installed `reader` from a Git repository."""
    found = User(tmp_path / "home", work, capfd, monkeypatch)
    subprocess.run([*GIT, "init", "-q", "-b", "main", "repo"], check=True)
    skill(work / "repo/skills", "reader", READER)
    committed(work)
    assert found.remit("add", f"file://{work}/repo", "--yes")[0] == 0
    return found


def committed(work):
    for words in (["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run([*GIT, "-C", work / "repo", *words], check=True)


@pytest.fixture
def grown(user, work):
    """The same, after its source has grown."""
    (work / "repo/skills/reader/scripts/run.py").write_text(CLEANER)
    committed(work)
    return user


def text(user):
    return (user.installed("reader") / "scripts/run.py").read_text()


def test_nothing_to_do(user):
    status, out, _ = user.remit("update")
    assert (status, out) == (0, "reader: up to date\n")
    assert user.said("update", "--yes")["skills"][0]["status"] == "current"


def test_what_it_gains_is_shown_before_it_is_asked(grown):
    status, out, err = grown.remit("update", "reader")
    assert status == 2
    assert "gains: file.delete" in out
    assert "pass --yes" in err
    assert text(grown) == READER
    status, out = grown.typed("", "update", "reader")
    assert status == 1, out
    assert out.index("gains") < out.index("[y/N]")
    assert text(grown) == READER


def test_an_update_is_installed_trusted_and_can_be_taken_back(grown, work):
    before = grown.records()[0]["version"]["resolved"]
    assert grown.remit("update", "--yes")[0] == 0
    assert text(grown) == CLEANER
    assert grown.trusted() == {str(grown.installed("reader")), str(grown.installed("reader") / "remit.json")}
    (record,) = grown.records()
    assert record["version"]["resolved"] != before
    assert record["previous"]["resolved"] == before
    assert grown.remit("check", str(grown.installed("reader")))[0] == 0
    assert grown.remit("update", "reader", "--rollback", "--yes")[0] == 0
    assert text(grown) == READER
    assert grown.records()[0]["version"]["resolved"] == before
    assert grown.remit("update", "reader", "--yes")[0] == 0
    assert text(grown) == CLEANER


def test_local_changes_are_kept_unless_a_person_says_otherwise(grown):
    notes = grown.installed("reader") / "notes.md"
    notes.write_text("mine")
    status, out, err = grown.remit("update", "--yes")
    assert status == 1
    assert "changed by hand: notes.md added" in out
    assert "--force" in err
    assert text(grown) == READER
    assert grown.remit("update", "--yes", "--force")[0] == 0
    assert text(grown) == CLEANER
    assert not notes.exists()
    kept = grown.records()[0]["kept"]
    assert Path(kept, "notes.md").read_text() == "mine"
    assert grown.remit("update", "reader", "--rollback", "--yes")[0] == 0
    assert notes.read_text() == "mine"
    assert grown.said("list")["skills"][0]["changed"] == ["notes.md added"]


def test_a_person_who_sees_the_changes_may_replace_them(grown):
    (grown.installed("reader") / "SKILL.md").write_text("---\nname: reader\ndescription: mine\n---\n")
    status, out = grown.typed("y", "update")
    assert status == 0, out
    assert "your changes are kept aside" in out
    assert text(grown) == CLEANER


def test_a_draft_that_a_person_edited_stays_edited(grown):
    manifest = grown.installed("reader") / "remit.json"
    value = json.loads(manifest.read_text())
    value["permissions"].append({"capability": "web.fetch", "scope": "rates.example", "effect": "deny"})
    manifest.write_text(json.dumps(value))
    assert grown.said("list")["skills"][0]["changed"] == []
    assert grown.remit("update", "--yes")[0] == 0
    entries = json.loads(manifest.read_text())["permissions"]
    assert {"capability": "web.fetch", "scope": "rates.example", "effect": "deny"} in entries
    assert any(entry["capability"] == "file.delete" for entry in entries)


def test_a_source_that_names_a_commit_stays_there(user, work):
    commit = subprocess.run(
        [*GIT, "-C", work / "repo", "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    )
    assert user.remit("remove", "reader")[0] == 0
    assert user.remit("add", f"file://{work}/repo#{commit.stdout.strip()}", "--yes")[0] == 0
    (work / "repo/skills/reader/scripts/run.py").write_text(CLEANER)
    committed(work)
    assert "stays at commit" in user.remit("update", "--yes")[1]
    assert text(user) == READER


def test_a_source_that_is_gone_or_refused_is_said_and_the_others_go_on(grown, work):
    skill(work, "local")
    assert grown.remit("add", "local", "--yes")[0] == 0
    shutil.rmtree(work / "local")
    status, _, err = grown.remit("update", "--yes")
    assert status == 2
    assert "local:" in err
    assert text(grown) == CLEANER
    shutil.rmtree(work / "repo/skills/reader")
    skill(work / "repo/skills", "another")
    committed(work)
    assert grown.remit("update", "reader", "--yes")[0] == 2
    assert text(grown) == CLEANER


def test_remove_moves_what_was_installed_and_nothing_else(user, work):
    status, out, _ = user.remit("remove", "reader")
    assert status == 0
    assert not user.installed("reader").exists()
    kept = next((user.state / "kept").iterdir())
    assert (kept / "scripts/run.py").read_text() == READER
    assert kept.name in out
    assert user.records() == []
    assert user.trusted() == set()
    skill(user.installed("x").parent, "mine")
    status, _, err = user.remit("remove", "mine")
    assert status == 2
    assert "was installed by Remit" in err
    assert user.installed("mine").is_dir()


def test_remove_says_what_was_changed_and_leaves_it(user):
    (user.installed("reader") / "scripts/run.py").unlink()
    (user.installed("reader") / "notes.md").write_text("mine")
    status, _, err = user.remit("remove", "reader")
    assert status == 2
    assert "notes.md added, scripts/run.py deleted" in err
    assert user.installed("reader").is_dir()
    found = user.said("remove", "reader", "--force")
    assert Path(found["kept"], "notes.md").read_text() == "mine"


def test_a_link_in_the_place_of_a_skill_is_not_followed(user, work):
    shutil.rmtree(user.installed("reader"))
    precious = skill(work, "precious")
    user.installed("reader").symlink_to(precious)
    assert "symbolic link" in user.remit("remove", "reader", "--force")[2]
    assert "symbolic link" in user.remit("update", "reader", "--yes", "--force")[2]
    assert (precious / "SKILL.md").is_file()
    user.installed("reader").unlink()
    assert user.remit("remove", "reader")[0] == 0
    assert user.records() == []


def test_list_says_where_everything_came_from(user, work):
    skill(user.installed("x").parent, "mine")
    (user.home / ".codex").mkdir()
    skill(work / "from", "reader", CLEANER)
    assert user.remit("add", "from/reader", "--host", "codex", "--yes")[0] == 0
    shutil.rmtree(user.installed("reader", "codex"))
    status, out, _ = user.remit("list")
    assert status == 0
    assert "claude-code, user  ~/.claude/skills" in out
    assert "not installed by Remit" in out
    assert "gone" in out
    found = {(one["host"], one["name"]): one for one in user.said("list")["skills"]}
    assert set(found) == {("claude-code", "reader"), ("claude-code", "mine"), ("codex", "reader")}
    assert found["claude-code", "reader"]["resolved"] == user.records()[0]["version"]["resolved"]
    assert found["claude-code", "reader"]["level"]
    assert found["claude-code", "mine"]["installed_by_remit"] is False
    assert found["codex", "reader"]["gone"]
    (user.installed("reader") / "SKILL.md").write_text("changed")
    assert "changed since: SKILL.md changed" in user.remit("list", "--host", "claude-code")[1]


def test_a_name_that_is_installed_twice_is_asked_about(user, work):
    (user.home / ".codex").mkdir()
    assert user.remit("add", f"file://{work}/repo", "--host", "codex", "--yes")[0] == 0
    status, _, err = user.remit("remove", "reader")
    assert status == 2
    assert "more than once" in err
    assert user.remit("remove", "reader", "--host", "codex")[0] == 0
    assert user.installed("reader").is_dir()


def test_records_that_cannot_be_read_are_said(user):
    (user.state / "skills.json").write_text("{")
    for words in (["list"], ["update"], ["remove", "reader"]):
        status, _, err = user.remit(*words)
        assert status == 2
        assert "skills.json" in err


def test_nothing_is_installed(tmp_path, work, capfd, monkeypatch):
    user = User(tmp_path / "home", work, capfd, monkeypatch)
    assert "no skills are installed for claude-code" in user.remit("list")[1]
    assert user.remit("update")[0] == 2
