"""Nothing outside the workspace is read, whatever the path says and whatever links lie there."""

import os

import pytest
from gateworld import CARD

from remit.gateway.acts import RefusedError
from remit.gateway.workspace import MOST_BYTES, Workspace


@pytest.fixture
def place(tmp_path):
    root = tmp_path / "root"
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "note.txt").write_text("inside")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text("outside")
    (root / "to_file").symlink_to(tmp_path / "outside" / "secret.txt")
    (root / "to_folder").symlink_to(tmp_path / "outside")
    (root / "a" / "up").symlink_to("..")
    (root / "a" / "own").symlink_to("note.txt")
    (root / "binary").write_bytes(b"\xff\xfe")
    (root / "long").write_bytes(b"x" * (MOST_BYTES + 1))
    os.mkfifo(root / "pipe")
    return Workspace(root)


def code_of(work):
    with pytest.raises(RefusedError) as raised:
        work()
    return raised.value.refused.code


def test_a_file_is_read(place):
    assert place.read("a/note.txt") == place.read("./a//./note.txt") == "inside"
    assert place.names(".") == ["a/", "binary", "long", "pipe"]
    assert place.names("a") == ["b/", "note.txt"]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("../outside/secret.txt", "PATH_OUTSIDE"),
        ("a/../../outside/secret.txt", "PATH_OUTSIDE"),
        ("a/..", "PATH_OUTSIDE"),
        ("/etc/passwd", "PATH_OUTSIDE"),
        ("to_file", "PATH_OUTSIDE"),
        ("to_folder/secret.txt", "PATH_OUTSIDE"),
        ("a/up/a/note.txt", "PATH_OUTSIDE"),
        ("a/own", "PATH_OUTSIDE"),
        ("a/note.txt/x", "PATH_OUTSIDE"),
        ("a\0/etc", "PATH_OUTSIDE"),
        ("x/" * 65, "PATH_OUTSIDE"),
        ("n" * 300, "PATH_OUTSIDE"),
        ("missing", "NOT_FOUND"),
        ("a/b", "NOT_TEXT"),
        (".", "NOT_TEXT"),
        ("binary", "NOT_TEXT"),
        ("long", "NOT_TEXT"),
        ("pipe", "NOT_TEXT"),
    ],
)
def test_what_is_not_read(path, code, place):
    assert code_of(lambda: place.read(path)) == code


def test_folders_are_not_listed_through_links(place):
    assert code_of(lambda: place.names("to_folder")) == "PATH_OUTSIDE"
    assert not place.exists_inside("to_folder")
    assert place.exists_inside("a/b")


def test_a_link_that_appears_while_it_is_walked_is_not_followed(place, tmp_path, monkeypatch):
    """The folder is swapped for a link after it was opened: the open one is used, and the link is not looked at."""
    real = os.open

    def swapping(name, flags, *args, **kwargs):
        handle = real(name, flags, *args, **kwargs)
        if name == "a":
            (tmp_path / "root" / "a").rename(tmp_path / "root" / "moved")
            (tmp_path / "root" / "a").symlink_to(tmp_path / "outside")
        return handle

    monkeypatch.setattr(os, "open", swapping)
    assert place.read("a/note.txt") == "inside"
    monkeypatch.undo()
    assert code_of(lambda: place.read("a/secret.txt")) == "PATH_OUTSIDE"


def test_keys_and_cards_are_veiled_on_the_way_to_the_agent(world):
    (world.folder / "workspace" / "pay.txt").write_text(f"pay with {CARD}, ask anna@somewhere.org")
    answer = world.act("ReadWorkspaceFile", {"path": "pay.txt"})
    assert answer.data["redacted"]
    assert CARD not in str(answer)
    assert "anna@somewhere.org" in answer.data["text"]
    assert world.act("ListWorkspaceFiles").data == {"names": ["pay.txt"]}
    assert world.act("ReadWorkspaceFile", {"path": "/etc/passwd"}).reason_code == "PATH_OUTSIDE"


def test_skills_are_described_and_not_run(world):
    for place in ("skills/one", "workspace/two"):
        (world.folder / place).mkdir()
        (world.folder / place / "SKILL.md").write_text(
            f"---\nname: {place[-3:]}\ndescription: counts words\n---\nCount.\n"
        )
    (one,) = world.act("ListEnabledSkills").data["skills"]
    assert one["description"] == "counts words"
    assert world.act("DescribeSkill", {"skill": "one"}).data == one
    assert world.act("DescribeSkill", {"skill": "other"}).reason_code == "NOT_FOUND"
    assert world.act("ImportSkill", {"path": "two"}).data["digest"].startswith("sha256:")
    assert world.act("ImportSkill", {"path": "/etc"}).reason_code == "NOT_FOUND"
    assert world.act("ImportSkill", {"path": "three"}).reason_code == "NOT_FOUND"
