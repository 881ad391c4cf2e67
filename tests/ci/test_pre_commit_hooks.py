"""The hooks of .pre-commit-hooks.yaml, run by a real `git commit` as pre-commit runs them."""

import shlex

import pytest
import yaml
from ci_repository import POSTER, ROOT, Repository

HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
KEYS = {
    "id", "name", "description", "entry", "args", "language", "pass_filenames", "require_serial", "files", "types",
    "always_run", "minimum_pre_commit_version",
}  # fmt: skip


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path / "repository")


def install(repository, name):
    """What pre-commit does before a commit: the words of the entry, then the arguments; files are not passed."""
    hook = HOOKS[name]
    assert hook["pass_filenames"] is False
    words = [*shlex.split(hook["entry"]), *hook.get("args", [])]
    place = repository.folder / ".git/hooks/pre-commit"
    place.write_text(f"#!/bin/sh\nexec {shlex.join(words)}\n")
    place.chmod(0o755)


def test_hooks_have_the_fields_that_pre_commit_knows():
    assert set(HOOKS) == {"remit-check", "remit-lock"}
    for hook in HOOKS.values():
        assert {"id", "name", "entry", "language"} <= set(hook) <= KEYS
        assert hook["language"] == "python"


def test_a_commit_of_what_escapes_is_refused(repository):
    install(repository, "remit-check")
    assert repository.commit().returncode == 0
    repository.write(POSTER)
    refused = repository.commit()
    assert refused.returncode == 1
    said = refused.stdout + refused.stderr
    assert "outside of remit.json: web.post evil.example:443 (scripts/run.py:" in said
    assert "more: remit check skills/pdf -v" in said
    (repository.skill / "remit.json").write_text(
        '{"permissions": [{"capability": "file.read"}, {"capability": "web.post"}]}'
    )
    assert repository.commit().returncode == 0


def test_a_commit_that_changes_what_a_skill_can_do_needs_the_lock(repository):
    repository.run("remit", "lock", "skills")
    install(repository, "remit-lock")
    assert repository.commit().returncode == 0
    repository.write(POSTER)
    refused = repository.commit()
    assert refused.returncode == 1
    assert "gains: web.post(evil.example:443)" in (refused.stdout + refused.stderr).replace("\n  ", " ")
    repository.run("remit", "lock", "--update")
    assert repository.commit().returncode == 0
