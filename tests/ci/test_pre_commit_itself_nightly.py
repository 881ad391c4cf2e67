"""pre-commit itself, with our hooks out of our repository: it builds and installs Remit as it does for anybody."""

import shutil

import pytest
from ci_repository import POSTER, ROOT, Repository

CONFIGURATION = """\
repos:
  - repo: {ours}
    rev: {commit}
    hooks:
      - id: remit-check
        args: [skills]
      - id: remit-lock
"""


@pytest.fixture
def repository(tmp_path):
    """One with the hooks installed; what pre-commit keeps lies beside it."""
    if shutil.which("pre-commit") is None:
        pytest.skip("there is no pre-commit")
    found = Repository(tmp_path / "repository")
    del found.environment["PYTHONPATH"]  # the hooks are those that pre-commit installed
    found.environment["PRE_COMMIT_HOME"] = str(tmp_path / "kept")
    ours = tmp_path / "ours"
    found.git("clone", "-q", str(ROOT), str(ours))
    commit = found.git("-C", str(ours), "rev-parse", "HEAD").stdout.strip()
    (found.folder / ".pre-commit-config.yaml").write_text(CONFIGURATION.format(ours=ours, commit=commit))
    installed = found.run("pre-commit", "install", "--install-hooks", timeout=600)
    assert installed.returncode == 0, installed.stdout + installed.stderr
    return found


def test_commits_are_refused_as_the_page_says_needs_pre_commit(repository):
    repository.run("remit", "lock", "skills")
    first = repository.commit()
    assert first.returncode == 0, first.stdout + first.stderr
    repository.write(POSTER)
    refused = repository.commit()
    said = refused.stdout + refused.stderr
    assert refused.returncode == 1, said
    assert "hook id: remit-check" in said
    assert "pdf  escapes" in said
    assert "hook id: remit-lock" in said
    (repository.skill / "remit.json").write_text(
        '{"permissions": [{"capability": "file.read"}, {"capability": "web.post"}]}'
    )
    assert "hook id: remit-check" not in (one := repository.commit()).stdout + one.stderr
    assert one.returncode == 1  # the lock does not know of it yet
    repository.run("remit", "lock", "--update")
    last = repository.commit()
    assert last.returncode == 0, last.stdout + last.stderr
