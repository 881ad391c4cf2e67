"""Files are touched by a real hand in a real capsule: inside of the folders that are granted, and nowhere else."""

import os

import pytest
from acting_world import Acting

from each_row import each_row
from remit.core.errors import UsageError

INTENTS = ("ReadFile", "WriteWorkspaceFile")
OUTSIDE = ("/etc/hostname", "{folder}/secret.txt", "{folder}/effects.json")
FILES = {
    "files": {"workspace": "workspace", "read": ["workspace", "reports"], "write": ["workspace"], "most-bytes": 1000}
}


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    folder = tmp_path_factory.mktemp("office")
    (folder / "reports").mkdir()
    (folder / "reports" / "may.txt").write_text("sales are up")
    (folder / "secret.txt").write_text("not yours")
    made = Acting(folder, FILES)
    yield made
    made.close()


def place(office, name="note.txt"):
    return office.folder / "workspace" / name


def test_a_file_is_written_appended_to_read_and_deleted(office):
    first = office.act("WriteWorkspaceFile", path="deep/er/note.txt", text="grüße\n")
    assert first.status == "done", first
    path = place(office, "deep/er/note.txt")
    assert path.read_text() == "grüße\n"
    assert office.record_of(first)["bytes"] == 8
    assert office.act("WriteWorkspaceFile", path="deep/er/note.txt", text="hello\n").status == "done"
    assert office.act("AppendWorkspaceFile", path="deep/er/note.txt", text="again\n").status == "done"
    assert path.read_text() == "hello\nagain\n"
    read = office.act("ReadFile", path="deep/er/note.txt")
    assert read.data == {"content": "hello\nagain\n"}
    assert "again" not in str(office.record_of(read))
    assert office.act("DeleteWorkspaceFile", path="deep/er/note.txt").status == "done"
    assert os.listdir(path.parent) == []


def test_a_folder_that_is_granted_for_reading_is_read_and_not_written(office):
    path = str(office.folder / "reports" / "may.txt")
    assert office.act("ReadFile", path=path).data == {"content": "sales are up"}
    for intent, inputs in (("WriteWorkspaceFile", {"text": "x"}), ("DeleteWorkspaceFile", {})):
        assert office.act(intent, path=path, **inputs).status == "failed"
    assert (office.folder / "reports" / "may.txt").read_text() == "sales are up"


def test_what_is_no_text_is_not_read(office):
    place(office, "picture").write_bytes(b"\xff\xfe")
    read = office.act("ReadFile", path="picture")
    assert (read.status, read.data) == ("failed", {})
    assert "no text" in read.summary


@each_row("link", ["last", "on the way"])
@each_row("intent", ["ReadFile", "WriteWorkspaceFile", "AppendWorkspaceFile", "DeleteWorkspaceFile"])
def test_a_link_is_not_followed(office, intent, link):
    name = f"{intent}-{link.replace(' ', '-')}"
    if link == "last":
        place(office, name).symlink_to(office.folder / "secret.txt")
    else:
        place(office, name).symlink_to(office.folder)
        name += "/secret.txt"
    inputs = {"text": "x"} if intent in ("WriteWorkspaceFile", "AppendWorkspaceFile") else {}
    result = office.act(intent, path=name, **inputs)
    assert result.status == "failed"
    assert "not yours" not in str(result)
    assert (office.folder / "secret.txt").read_text() == "not yours"


@each_row(
    ("intent", "path", "why"),
    [
        *((intent, path, "no folder") for intent in INTENTS for path in OUTSIDE),
        *((intent, path, "kept back") for intent in INTENTS for path in (".env", ".ssh/id_rsa")),
        *(("WriteWorkspaceFile", path, "kept back") for path in (".git/hooks/pre-commit", "CLAUDE.md")),
    ],
)
def test_what_is_outside_or_sensitive_is_refused(office, intent, path, why):
    told = path.format(folder=office.folder)
    result = office.act(intent, path=told, **({"text": "x"} if intent != "ReadFile" else {}))
    assert result.status == "failed"
    assert why in result.summary
    if not told.startswith("/"):
        assert not place(office, told).exists()


def test_limits_hold(office):
    assert office.act("WriteWorkspaceFile", path="much", text="x" * 1001).status == "failed"
    place(office, "full").write_text("x" * 999)
    assert office.act("AppendWorkspaceFile", path="full", text="xx").status == "failed"
    assert place(office, "full").stat().st_size == 999
    place(office, "large").write_text("x" * 1001)
    assert office.act("ReadFile", path="large").status == "failed"


def test_what_is_no_plain_file_is_refused(office):
    place(office, "folder").mkdir()
    os.mkfifo(place(office, "pipe"))
    os.link(office.folder / "secret.txt", place(office, "second-name"))
    for name in ("folder", "pipe", "second-name"):
        for intent, inputs in (("WriteWorkspaceFile", {"text": "x"}), ("DeleteWorkspaceFile", {})):
            assert office.act(intent, path=name, **inputs).status == "failed", name
    assert office.act("ReadFile", path="folder").status == "failed"
    assert (office.folder / "secret.txt").read_text() == "not yours"


def test_an_executor_that_dies_before_the_hand_leaves_unknown(office):
    """The mark is there, the effect is not, and nobody does it again."""
    office.memory.mark("c" * 32, "one", 2_000_000_000, 1)
    assert office.executor.reconcile() == ("c" * 32,)
    assert [entry.outcome for entry in office.entries("c" * 32)] == ["unknown"]


@each_row("folder", [".", "..", "/", "nowhere"])
def test_a_folder_with_the_executors_own_keys_is_not_granted(tmp_path, folder):
    (tmp_path / "effects.json").write_text("")
    with pytest.raises(UsageError):
        Acting(tmp_path, {"files": {"workspace": "workspace", "write": [folder]}})


def test_without_a_line_nothing_is_touched(tmp_path):
    closed = Acting(tmp_path, {})
    try:
        result = closed.act("WriteWorkspaceFile", path="a.txt", text="x")
        assert (result.status, os.listdir(tmp_path / "workspace")) == ("failed", [])
        assert "effects.json" in result.summary
    finally:
        closed.close()
