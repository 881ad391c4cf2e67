"""`remit undo`: what is shown, what is asked, and what is refused."""

import re

import pytest
from cli_skills import run

from remit.guard.undo import Store


@pytest.fixture
def work(tmp_path, monkeypatch):
    """A call that changed a file, made one and removed one."""
    (tmp_path / "state").mkdir(mode=0o700)
    monkeypatch.setenv("REMIT_STATE", str(tmp_path / "state"))
    folder = tmp_path / "changed"
    folder.mkdir(exist_ok=True)
    (folder / "changed.txt").write_text("old")
    (folder / "removed.txt").write_text("old")
    store = Store(tmp_path / "state" / "snapshots")
    store.take("k1", "s1", "c1", [str(folder)])
    (folder / "changed.txt").write_text("new")
    (folder / "removed.txt").unlink()
    (folder / "made\x1b[31m.txt").write_text("new")
    store.seal("k1")
    return folder


def shown(text, tmp_path):
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "TIME", text.replace(str(tmp_path), "TMP"))


def test_what_would_be_restored_is_shown(capfd, work, tmp_path, snapshot):
    assert run(capfd, "undo", "--dry-run")[0] == 0
    (work / "changed.txt").write_text("by a person")
    code, out, _ = run(capfd, "undo", "--dry-run")
    assert code == 0
    assert shown(out, tmp_path) == snapshot
    assert (work / "changed.txt").read_text() == "by a person"


def test_it_is_put_back_and_then_there_is_nothing_left(capfd, work, tmp_path, snapshot):
    code, out, _ = run(capfd, "undo", "--yes", "--call", "c1")
    assert code == 0
    assert shown(out, tmp_path) == snapshot
    assert sorted(path.name for path in work.iterdir()) == ["changed.txt", "removed.txt"]
    assert "undone" in run(capfd, "undo", "--list")[1]
    assert run(capfd, "undo", "--yes")[0] == 2


def test_what_somebody_changed_is_kept_and_said(capfd, work):
    (work / "changed.txt").write_text("by a person")
    code, out, _ = run(capfd, "undo", "--yes", "--session", "s1")
    assert code == 1
    assert "stays: it was changed after the call" in out
    assert run(capfd, "undo", "--yes", "--force")[0] == 0
    assert (work / "changed.txt").read_text() == "old"


def test_without_a_terminal_nobody_says_yes(capfd, work):
    assert run(capfd, "undo")[0] == 2
    assert (work / "changed.txt").read_text() == "new"


def test_without_snapshots_there_is_nothing_to_undo(capfd, tmp_path):
    (tmp_path / "empty").mkdir(mode=0o700)
    assert run(capfd, "undo", "--state", str(tmp_path / "empty"))[0] == 2
