"""Skills are installed through admission: a real bundle, signed by a key that a trust root names; anything else is refused, and nothing is left."""

import json
import os
from types import SimpleNamespace

import pytest
from acting_world import Acting

from remit.bundle.skill_copy import content_of
from remit.cli.main import main
from remit.executor.effects import skills
from remit.executor.effects.adapter import NotDoneError
from remit.executor.effects.skills import Install

SKILL = "---\nname: {name}\ndescription: Say hello.\n---\n# Hello\nSay hello to {whom}.\n"


def skill(folder, name="hello", version="1.0.0", whom="the user"):
    place = folder / "workspace" / name
    place.mkdir(parents=True)
    (place / "SKILL.md").write_text(SKILL.format(name=name, whom=whom))
    (place / "remit.json").write_text(
        json.dumps({"skill_metadata": {"name": name, "version": version}, "permissions": []})
    )
    return place


def proved(place, key):
    assert main(["prove", str(place), "--key", str(key), "--level", "declared", "--no-cache"]) == 0
    return place


@pytest.fixture
def office(tmp_path, capsys):
    for name in ("workspace", "skills", "signing"):
        (tmp_path / name).mkdir()
    for name in ("author", "stranger"):
        assert main(["keys", "new", str(tmp_path / "signing" / f"{name}.key"), "--name", name]) == 0
    root = tmp_path / "trust.json"
    public = tmp_path / "signing" / "author.key.pub"
    assert main(["keys", "trust", str(root), "--add", str(public), "--level", "declared"]) == 0
    made = Acting(tmp_path, {"skills": {"offered": "workspace", "place": "skills", "trust-root": "trust.json"}})
    made.key, made.stranger = (tmp_path / "signing" / f"{name}.key" for name in ("author", "stranger"))
    yield made
    made.close()


def installed(office):
    return sorted(os.listdir(office.folder / "skills"))


def left(office):
    return [name for name in os.listdir(office.folder / "state") if name.startswith("skill-")]


def test_a_signed_skill_is_placed_whole_and_recorded_with_digest_and_level(office):
    place = proved(skill(office.folder), office.key)
    digest = content_of(place)
    result = office.act("CommitSkillInstall", skill="hello", digest=digest)
    assert result.status == "done", result
    assert (installed(office), left(office)) == (["hello"], [])
    assert content_of(office.folder / "skills" / "hello") == digest
    record = office.record_of(result)
    assert (record["digest"], record["level"], len(record["signers"])) == (digest, "declared", 1)
    # a newer version takes its place; the older one does not come back
    for path in sorted(place.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    place.rmdir()
    newer = content_of(proved(skill(office.folder, version="1.1.0", whom="everybody"), office.key))
    assert office.act("CommitSkillInstall", skill="hello", digest=newer).status == "done"
    assert content_of(office.folder / "skills" / "hello") == newer
    assert installed(office) == ["hello"]


def test_what_is_not_admitted_is_not_written(office):
    plain = skill(office.folder, "plain")
    foreign = proved(skill(office.folder, "foreign"), office.stranger)
    drifted = proved(skill(office.folder, "drifted"), office.key)
    (drifted / "SKILL.md").write_text(SKILL.format(name="drifted", whom="somebody else"))
    for place in (plain, foreign, drifted):
        result = office.act("CommitSkillInstall", skill=place.name, digest=content_of(place))
        assert result.status == "failed", place.name
    assert (installed(office), left(office)) == ([], [])


def test_another_content_than_the_one_that_was_decided_about_is_refused(office):
    place = proved(skill(office.folder), office.key)
    result = office.act("CommitSkillInstall", skill="hello", digest="sha256:" + "0" * 64)
    assert (result.status, installed(office)) == ("failed", [])
    (place / "notes.md").symlink_to("/etc/hostname")
    assert office.act("CommitSkillInstall", skill="hello", digest="sha256:" + "0" * 64).status == "failed"


@pytest.mark.parametrize("name", ["a/b", "hello"])
def test_a_name_that_is_no_offered_skill_is_refused(office, name):
    """The form of a word lets strokes through; a skill has none."""
    result = office.act("CommitSkillInstall", skill=name, digest="sha256:" + "0" * 64)
    assert (result.status, installed(office)) == ("failed", [])


@pytest.mark.parametrize("name", ["a/b", "../b", ".hello"])
def test_what_is_no_name_is_looked_for_nowhere(tmp_path, name):
    """Whatever the form of a word lets through."""
    install = Install(tmp_path / "none", tmp_path, tmp_path, tmp_path, "declared")
    with pytest.raises(NotDoneError, match="not the name of a skill"):
        install.happen(SimpleNamespace(inputs={"skill": name, "digest": ""}))


def test_admission_sees_nothing_of_the_environment(office, monkeypatch):
    real, seen = skills.subprocess.run, []
    monkeypatch.setattr(skills.subprocess, "run", lambda *words, **how: seen.append(how["env"]) or real(*words, **how))
    place = skill(office.folder)
    assert office.act("CommitSkillInstall", skill="hello", digest=content_of(place)).status == "failed"
    state = str(office.folder / "state" / "admission")
    assert seen == [{"PATH": "/usr/bin:/bin", "HOME": state, "LANG": "C.UTF-8"}]


def test_a_source_that_changes_between_the_two_looks_is_refused(office, monkeypatch):
    place = proved(skill(office.folder), office.key)
    real = Install._verified
    seen = []

    def changes(self, accepted, folder):
        told = real(self, accepted, folder)
        if not seen:
            (place / "SKILL.md").write_text(SKILL.format(name="hello", whom="nobody"))
        seen.append(folder)
        return told

    monkeypatch.setattr(Install, "_verified", changes)
    result = office.act("CommitSkillInstall", skill="hello", digest=content_of(place))
    assert (result.status, len(seen), installed(office), left(office)) == ("failed", 1, [], [])
    assert "changed" in result.summary
