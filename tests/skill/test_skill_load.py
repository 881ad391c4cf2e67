import os
import socket
import zipfile
from contextlib import nullcontext

import pytest

from remit.core.errors import InputError, LimitError
from remit.skill import walk as walking
from remit.skill.find import find_skills
from remit.skill.load import load_skill
from remit.skill.model import Limits, Stance

FRONT = "---\nname: demo\ndescription: does a thing\n---\n"


@pytest.fixture
def skill(tmp_path):
    root = tmp_path / "demo"
    root.mkdir()
    (root / "SKILL.md").write_text(FRONT + "# Demo\n")
    return root


def refused(root, *words, error=InputError, **limits):
    with pytest.raises(error) as caught:
        load_skill(root, Limits(**limits))
    text = f"{caught.value.message} | {caught.value.remedy}"
    assert caught.value.remedy
    for word in words:
        assert word in text


def test_reads_a_skill(skill):
    (skill / "scripts").mkdir()
    (skill / "scripts" / "x.py").write_text("print(1)\n")
    loaded = load_skill(skill)
    assert loaded.name == "demo"
    assert [file.path for file in loaded.files] == ["SKILL.md", "scripts/x.py"]
    assert loaded.read("scripts/x.py") == b"print(1)\n"
    assert loaded.file("scripts/x.py").languages == ("python",)
    assert loaded.file("none") is None
    assert loaded.read("none") is None


def test_the_path_of_the_text_itself_is_accepted(skill):
    assert load_skill(skill / "SKILL.md").name == "demo"
    assert find_skills(skill / "SKILL.md") == [skill]


def test_name_falls_back_to_the_folder(tmp_path):
    root = tmp_path / "plain"
    root.mkdir()
    (root / "skill.md").write_text("# no front matter\n")
    loaded = load_skill(root)
    assert (loaded.name, loaded.main) == ("plain", "skill.md")
    assert any("no front matter" in note for _, _, note in loaded.notes)


def test_capitals_win_where_both_spellings_exist(skill):
    (skill / "skill.md").write_text("---\nname: other\n---\n")
    assert load_skill(skill).name == "demo"


def test_no_text(tmp_path):
    refused(tmp_path, "no SKILL.md", "add one")
    with pytest.raises(InputError, match=r"no SKILL\.md"):
        find_skills(tmp_path)


@pytest.mark.parametrize("name", ["missing", "file.txt"])
def test_not_a_folder(tmp_path, name):
    (tmp_path / "file.txt").write_text("x")
    refused(tmp_path / name, "not a folder")
    with pytest.raises(InputError):
        find_skills(tmp_path / name)


def test_text_that_is_not_utf8_names_the_line(skill):
    (skill / "SKILL.md").write_bytes(FRONT.encode() + b"caf\xe9\n")
    refused(skill, "SKILL.md:5", "UTF-8")


def test_script_that_is_not_utf8_is_kept_as_bytes(skill):
    (skill / "x.py").write_bytes(b"# -*- coding: latin-1 -*-\n# caf\xe9\n")
    assert load_skill(skill).read("x.py").endswith(b"caf\xe9\n")


def test_link_inside_is_its_target(skill):
    (skill / "a.py").write_text("print(1)\n")
    (skill / "b.py").symlink_to("a.py")
    file = load_skill(skill).file("b.py")
    assert (file.link, file.languages) == ("a.py", ("python",))


def test_link_to_a_folder_inside_is_listed_once_and_resolves(skill):
    (skill / "scripts").mkdir()
    (skill / "scripts" / "x.py").write_text("")
    (skill / "alias").symlink_to("scripts")
    (skill / "loop").symlink_to(".")
    loaded = load_skill(skill)
    assert [file.path for file in loaded.files] == ["SKILL.md", "scripts/x.py"]
    assert loaded.resolve("alias/x.py") == "scripts/x.py"
    assert loaded.file("loop/alias/x.py").path == "scripts/x.py"


@pytest.mark.parametrize("target", ["/etc/passwd", "../outside", "/etc", "../demo2/../outside"])
def test_link_out_of_the_folder(skill, target):
    (skill.parent / "outside").write_text("x")
    (skill / "bad").symlink_to(target)
    refused(skill, "`bad`", "outside", "copy")


def test_link_through_an_outer_link_back_inside_is_not_fooled(skill):
    (skill / "hop").symlink_to("../elsewhere")
    (skill.parent / "elsewhere").symlink_to("/etc")
    refused(skill, "`hop`", "outside")


@pytest.mark.parametrize("target", ["nothing", "bad"])
def test_link_to_nothing_or_itself_is_opaque(skill, target):
    (skill / "bad").symlink_to(target)
    file = load_skill(skill).file("bad")
    assert file.stance is Stance.OPAQUE
    assert "does not exist" in file.reason


@pytest.mark.timeout(300)  # nobody writes into it
def test_named_pipe_is_never_opened(skill):
    os.mkfifo(skill / "pipe")
    refused(skill, "`pipe`", "named pipe")


def test_socket(skill, monkeypatch):
    monkeypatch.chdir(skill)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("sock")
        refused(skill, "`sock`", "a socket")


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[31mb", "a\u202eb", "a\u200bb", "a\\b", b"a\xffb"])
def test_names_that_deceive(skill, name):
    (skill / os.fsdecode(name)).write_text("x")
    refused(skill, "rename")


def test_names_in_other_scripts_are_fine(skill):
    (skill / "Übersicht 概要.txt").write_text("x")
    assert load_skill(skill).file("Übersicht 概要.txt")


def test_long_name(skill):
    (skill / ("x" * 60)).write_text("x")
    refused(skill, "max_name", error=LimitError, max_name=50)


def test_too_many_files(skill):
    for index in range(30):
        (skill / f"{index}.txt").write_text("")
    refused(skill, "max_files", error=LimitError, max_files=30)
    assert len(load_skill(skill, Limits(max_files=31)).files) == 31


def test_too_deep(skill):
    (skill / "a/b/c/d").mkdir(parents=True)
    refused(skill, "max_depth", error=LimitError, max_depth=3)
    assert load_skill(skill, Limits(max_depth=4))


def test_huge_file_is_refused_without_being_read(skill, monkeypatch):
    with (skill / "huge.bin").open("wb") as out:
        out.truncate(1 << 30)
    read, pieces = os.read, []
    monkeypatch.setattr(os, "read", lambda *words: pieces.append(piece := read(*words)) or piece)
    refused(skill, "`huge.bin`", "max_file_bytes", error=LimitError)
    assert sum(map(len, pieces)) < 1 << 20


def test_total_size(skill):
    for name in "ab":
        (skill / name).write_bytes(b"x" * 600)
    refused(skill, "max_total_bytes", error=LimitError, max_total_bytes=1000)


@pytest.mark.parametrize(
    ("name", "stance"), [("big.py", Stance.OPAQUE), ("big.json", Stance.OPAQUE), ("big.png", Stance.INERT)]
)
def test_large_file_is_hashed_but_not_looked_into(skill, name, stance):
    (skill / name).write_bytes(b"x" * 2000)
    loaded = load_skill(skill, Limits(max_source_bytes=1000))
    file = loaded.file(name)
    assert file.stance is stance
    assert len(file.digest) == 64
    assert loaded.read(name) is None


def test_large_text_of_the_skill_itself(skill):
    refused(skill, "max_source_bytes", error=LimitError, max_source_bytes=10)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file_which_root_can_read(skill):
    (skill / "x.py").write_text("")
    (skill / "x.py").chmod(0)
    refused(skill, "`x.py`", "readable")


def test_read_error_is_reported(skill, monkeypatch):
    def fail(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(walking.os, "open", fail)
    refused(skill, "permission denied")


def test_file_that_changes_while_it_is_read(skill, monkeypatch):
    path = skill / "x.txt"
    path.write_text("before")
    real = os.read

    def read(handle, size):
        data = real(handle, size)
        if data == b"before":
            path.write_text("before and after")
        return data

    monkeypatch.setattr(walking.os, "read", read)
    refused(skill, "`x.txt`", "changed while")


def test_hidden_folders_and_node_modules_are_included(skill):
    for folder in (".hidden", "node_modules/x"):
        (skill / folder).mkdir(parents=True)
        (skill / folder / "run.sh").write_text("true\n")
    paths = [file.path for file in load_skill(skill).files]
    assert ".hidden/run.sh" in paths
    assert "node_modules/x/run.sh" in paths


def test_of_git_only_its_own_data_is_left_out(skill):
    commit = "0123456789" * 4
    ours = [".git/hooks/pre-commit", ".git/hooks/pre-push.sample", ".git/config", ".git/payload", ".git/info/exclude"]
    ours += [".git/COMMIT_EDITMSG", ".git/refs/heads/odd", ".git/modules/inner/guide", ".git/SOME_HEAD"]
    data = {
        ".git/objects/ab/cdef": "true",
        ".git/index": "DIRC",
        ".git/logs/HEAD": "true",
        ".git/HEAD": "ref: refs/heads/main",
    }
    data |= {
        ".git/refs/heads/main": commit,
        ".git/packed-refs": f"# pack-refs with: peeled\n{commit} refs/tags/v1\n^{commit}",
    }
    data |= {".git/FETCH_HEAD": f"{commit}\t\tbranch 'main' of https://git.example/x"}
    data |= {".git/modules/inner/objects/ab/cdef": "true", ".git/worktrees/w/index": "true", ".git/ORIG_HEAD": commit}
    for name, text in {**dict.fromkeys(ours, "true"), **data}.items():
        (skill / name).parent.mkdir(parents=True, exist_ok=True)
        (skill / name).write_text(text + "\n")
    files = {file.path: file for file in load_skill(skill).files if file.path.startswith(".git")}
    assert set(files) == set(ours)
    assert files[".git/hooks/pre-commit"].autoload == "git"
    assert files[".git/hooks/pre-push.sample"].autoload == ""


@pytest.mark.parametrize(
    "name",
    [
        ".git/json.py",  # `sys.path.insert(0, ".git")`, or `cd .git && python3 -c "import json"`
        ".git/objects/ab/json.pyc",
        ".git/refs/heads/json/__init__.py",
        "scripts/.git/left.js",
        ".git/modules/inner/hooks/pre-commit",
        ".git/modules/inner/config",
        ".git/worktrees/other/config.worktree",
    ],
)
def test_code_among_the_data_of_git_is_part_of_the_skill(skill, name):
    (skill / name).parent.mkdir(parents=True)
    (skill / name).write_text("true\n")
    assert name in {file.path for file in load_skill(skill).files}


def test_an_archive_among_the_data_of_git_is_part_of_the_skill(skill):
    place = skill / ".git/objects/ab/cdef"
    place.parent.mkdir(parents=True)
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("json.py", "")
    (found,) = (file for file in load_skill(skill).files if file.path.startswith(".git"))
    assert found.stance is Stance.OPAQUE


def test_git_may_hold_more_files_than_a_skill(skill):
    for number in range(30):
        place = skill / f".git/objects/{number:02}/object"
        place.parent.mkdir(parents=True)
        place.write_text("x")
    load_skill(skill, Limits(max_files=30))
    with pytest.raises(LimitError):
        load_skill(skill, Limits(max_files=5))


def test_find_lists_outer_skills_in_order(tmp_path):
    for name in ("b", "a", "a/inner", "c/deep/d"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "SKILL.md").write_text("x")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "SKILL.md").write_text("x")

    def found(**options):
        return [path.relative_to(tmp_path).as_posix() for path in find_skills(tmp_path, **options)]

    assert found() == ["a", "b", "c/deep/d"]
    assert found(nested=True) == ["a", "a/inner", "b", "c/deep/d"]
    assert [document.path for document in load_skill(tmp_path / "a").documents] == ["SKILL.md", "inner/SKILL.md"]


def test_order_is_not_that_of_the_disk(skill, monkeypatch):
    for name in ("z.py", "a.py", "m/b.py", "m.py"):
        (skill / name).parent.mkdir(exist_ok=True)
        (skill / name).write_text("")
    scandir = os.scandir
    for order in (False, True):
        monkeypatch.setattr(
            walking.os,
            "scandir",
            lambda folder, order=order: nullcontext(
                iter(sorted(scandir(folder), key=lambda one: one.name, reverse=order))
            ),
        )
        assert [file.path for file in load_skill(skill).files] == ["SKILL.md", "a.py", "m.py", "m/b.py", "z.py"]


def test_markdown_that_is_also_a_script_is_both(skill):
    (skill / "run.md").write_text("#!/bin/sh\n: <<X\n```bash\nrm x\n```\nX\n")
    loaded = load_skill(skill)
    assert loaded.file("run.md").languages == ("shell",)
    assert [document.path for document in loaded.documents] == ["SKILL.md", "run.md"]


def test_text_with_code_blocks_is_a_document(skill):
    (skill / "setup.txt").write_text("```bash\nrm x\n```\n")
    (skill / "plain.txt").write_text("nothing\n")
    assert [document.path for document in load_skill(skill).documents] == ["SKILL.md", "setup.txt"]


def test_text_of_the_skill_that_is_a_dangling_link(tmp_path):
    (tmp_path / "SKILL.md").symlink_to("gone.md")
    refused(tmp_path, "leads to nothing")


def test_text_of_the_skill_in_a_linked_file(tmp_path):
    (tmp_path / "real.md").write_text(FRONT)
    (tmp_path / "SKILL.md").symlink_to("real.md")
    assert load_skill(tmp_path).name == "demo"


def test_what_a_shell_does_with_a_file_it_starts(skill):
    (skill / "notes.txt").write_text("rm x\n")
    (skill / "a.py").write_text("x\n")
    (skill / "a.png").write_bytes(b"\x89PNG\r\n")
    loaded = load_skill(skill)
    assert [loaded.file(name).started for name in ("notes.txt", "a.py", "a.png")] == [("shell",), ("python",), ()]


@pytest.mark.parametrize("name", ["a.py", "a.sh", "a.js", "run", "guide.md"])
def test_a_very_long_program_is_opaque_and_not_read(skill, name):
    line = "x\n" if name.endswith(".md") else "#!/bin/sh\ntrue\n" if name == "run" else "x = 1\n"
    (skill / name).write_text(line + "x = 1\n" * 90_000)
    (skill / name).chmod(0o755)
    loaded = load_skill(skill)
    found = loaded.file(name)
    assert found.stance is Stance.OPAQUE
    assert "longer than" in found.reason
    assert loaded.read(name) is None
    (skill / "table.csv").write_text("x,1\n" * 200_000)
    assert load_skill(skill).file("table.csv").stance is Stance.INERT
