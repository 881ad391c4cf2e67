"""Folders, archives, repositories and indexes hold the same skills, and hostile ones are refused with a row."""

import json
import os
import stat
import subprocess
import tarfile
import zipfile

import pytest
from scan_world import by_path, committed, files, git, rows, scanned, tarred, write, zipped

from each_row import each_row
from remit.core.errors import LimitError, UsageError
from remit.sources.repository import read_repository
from remit.sources.unpack import Bounds

INNER = {f"skills/{name}/{path}": text for name in ("one", "two") for path, text in files(name).items()}
OWN = ("location", "source", "path")


def said(row):
    return {name: value for name, value in row.items() if name not in OWN}


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path / "registry", INNER)


def test_every_form_of_a_registry_gives_the_same_rows(tmp_path, folder, monkeypatch):
    monkeypatch.chdir(tmp_path)
    forms = [
        "registry",
        zipped(tmp_path / "a.zip", INNER),
        zipped(tmp_path / "b.skill", INNER),
        tarred(tmp_path / "c.tar.gz", INNER),
        tarred(tmp_path / "d.tar.xz", INNER, "w:xz"),
        tarred(tmp_path / "e.tar", {f"./{name}": text for name, text in INNER.items()}, "w"),
        f"{committed(folder)}#HEAD",
        f"file://{folder}#main",
    ]
    git(tmp_path, "clone", "-q", "--bare", "registry", "bare.git")
    forms.append("bare.git")
    scanned("out.parquet", *forms)
    found = rows("out.parquet")
    assert len(found) == 2 * len(forms)
    assert len({row["location"] for row in found}) == len(found)
    for name in ("one", "two"):
        same = [said(row) for row in found if row["name"] == name]
        assert same == [same[0]] * len(forms)
        assert same[0]["verdict"] == "undeclared"
        assert same[0]["capabilities"] == ["file.read"]


def test_names_tell_the_source_and_the_folder_in_it(tmp_path, folder, monkeypatch):
    monkeypatch.chdir(tmp_path)
    zipped(tmp_path / "a.zip", INNER)
    zipped(tmp_path / "single.skill", files("single"))
    scanned("out.parquet", "./registry", "a.zip", "single.skill")
    assert [(row["location"], row["source"], row["path"]) for row in rows("out.parquet")] == [
        ("a.zip!skills/one", "a.zip", "skills/one"),
        ("a.zip!skills/two", "a.zip", "skills/two"),
        ("registry/skills/one", "./registry", "skills/one"),
        ("registry/skills/two", "./registry", "skills/two"),
        ("single.skill", "single.skill", "."),
    ]


def test_a_skill_inside_another_is_one_of_its_own_too(tmp_path):
    write(tmp_path / "r", files("outer") | {f"inner/{path}": text for path, text in files("inner").items()})
    scanned(tmp_path / "out.parquet", tmp_path / "r")
    assert {row["name"] for row in rows(tmp_path / "out.parquet")} == {"outer", "inner"}


def test_a_commit_is_read_as_it_is_whatever_the_repository_would_run(tmp_path, folder):
    """Hooks, filters, attributes and settings of a repository name commands; none of them runs."""
    trap = tmp_path / "trap"
    write(folder, {".gitattributes": "* filter=evil\nskills/two export-ignore\n"})
    committed(folder)
    for key in ("filter.evil.smudge", "core.fsmonitor", "core.sshCommand", "remote.o.uploadpack", "core.pager"):
        git(folder, "config", key, f"touch {trap}; cat")
    hook = folder / ".git" / "hooks" / "post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch {trap}\n")
    hook.chmod(0o755)
    (folder / "skills" / "one" / "SKILL.md").write_text("changed, and not committed")
    scanned(tmp_path / "out.parquet", f"{folder}#HEAD")
    assert set(by_path(tmp_path / "out.parquet")) == {"skills/one", "skills/two"}
    assert by_path(tmp_path / "out.parquet")["skills/one"]["name"] == "one"
    assert not trap.exists()


def test_what_a_repository_lacks_is_not_fetched_by_a_command_of_its_settings(tmp_path, folder):
    """A partial clone: the blob is missing, and its remote would be asked by a program that the settings name."""
    committed(folder)
    blob = git(folder, "rev-parse", "HEAD:skills/one/scripts/main.py")
    path = folder / ".git" / "objects" / blob[:2] / blob[2:]
    path.chmod(0o600)
    path.unlink()
    trap = tmp_path / "trap"
    for key, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "o",
        "remote.o.url": str(folder),
        "remote.o.promisor": "true",
        "remote.o.uploadpack": f"touch {trap}; git-upload-pack",
        "protocol.file.allow": "always",
    }.items():
        git(folder, "config", key, value)
    scanned(tmp_path / "out.parquet", f"{folder}#HEAD")
    (row,) = rows(tmp_path / "out.parquet")
    assert (row["verdict"], row["location"]) == ("unknown", f"{folder}#HEAD")
    assert "does not contain the content" in row["error"]
    assert not trap.exists()


def test_a_submodule_in_a_skill_makes_that_skill_unknown(tmp_path, folder):
    committed(folder)
    commit = git(folder, "rev-parse", "HEAD")
    git(folder, "update-index", "--add", "--cacheinfo", f"160000,{commit},skills/one/vendor")
    git(folder, "commit", "-qm", "submodule")
    scanned(tmp_path / "out.parquet", f"{folder}#HEAD")
    found = by_path(tmp_path / "out.parquet")
    assert found["skills/one"]["verdict"] == "unknown"
    assert "submodule" in found["skills/one"]["error"]
    assert found["skills/two"]["verdict"] == "undeclared"


def test_a_tree_that_holds_another_one_many_times_is_not_listed_to_its_end(tmp_path, folder):
    """A few kilobytes of Git, and a hundred million files."""
    committed(folder)

    def tree(*lines):
        made = subprocess.run(
            ["git", "-C", folder, "mktree"], input="\n".join(lines), check=True, capture_output=True, text=True
        )
        return made.stdout.strip()

    inner = git(folder, "rev-parse", "HEAD^{tree}")
    for _ in range(7):
        inner = tree(*(f"040000 tree {inner}\td{number}" for number in range(10)))
    commit = git(folder, "commit-tree", "-m", "bomb", inner)
    with pytest.raises(LimitError, match="more than 1000 files"):
        read_repository(str(folder), commit, str(tmp_path / "in"), str(tmp_path / "scratch"), Bounds(entries=1000))


def test_a_revision_that_is_not_there_is_a_row(tmp_path, folder):
    committed(folder)
    scanned(tmp_path / "out.parquet", f"{folder}#nowhere")
    (row,) = rows(tmp_path / "out.parquet")
    assert row["verdict"] == "unknown"


@each_row(
    "name", ["../out/SKILL.md", "/abs/SKILL.md", "a/../../SKILL.md", "a\\..\\SKILL.md", "a//SKILL.md", "a/./SKILL.md"]
)
@each_row("pack", [zipped, tarred])
def test_a_name_that_leads_elsewhere_refuses_the_archive(tmp_path, name, pack):
    archive = pack(tmp_path / ("a.zip" if pack is zipped else "a.tar.gz"), files() | {name: "x"})
    scanned(tmp_path / "r" / "out.parquet", archive)
    (row,) = rows(tmp_path / "r" / "out.parquet")
    assert row["verdict"] == "unknown"
    assert "leads elsewhere" in row["error"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [archive.name, "r"]


def test_a_name_that_comes_twice_refuses_the_archive(tmp_path):
    archive = zipped(tmp_path / "a.zip", files())
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(archive, "a") as out:
        out.writestr("SKILL.md", "another")
    scanned(tmp_path / "out.parquet", archive)
    assert "comes twice" in rows(tmp_path / "out.parquet")[0]["error"]


def special(name, kind, target=""):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def test_a_link_out_of_a_skill_costs_that_skill_only(tmp_path):
    (tmp_path / "secret").write_text("s")
    held = {**INNER, special("skills/one/notes", tarfile.SYMTYPE, str(tmp_path / "secret")): ""}
    scanned(tmp_path / "out.parquet", tarred(tmp_path / "a.tar.gz", held))
    found = by_path(tmp_path / "out.parquet")
    assert found["skills/one"]["verdict"] == "unknown"
    assert "outside of the skill" in found["skills/one"]["error"]
    assert found["skills/two"]["verdict"] == "undeclared"


def test_nothing_is_written_through_a_link(tmp_path):
    target = tmp_path / "target"
    target.mkdir()
    held = {special("skills", tarfile.SYMTYPE, str(target)): "", "skills/SKILL.md": "x"}
    scanned(tmp_path / "out.parquet", tarred(tmp_path / "a.tar.gz", held))
    assert rows(tmp_path / "out.parquet")[0]["verdict"] == "unknown"
    assert list(target.iterdir()) == []


def test_a_link_in_a_zip_is_a_link(tmp_path):
    archive = zipped(tmp_path / "a.zip", files())
    info = zipfile.ZipInfo("notes")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(archive, "a") as out:
        out.writestr(info, "/etc/passwd")
    scanned(tmp_path / "out.parquet", archive)
    assert "outside of the skill" in rows(tmp_path / "out.parquet")[0]["error"]


@each_row("kind", [tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE])
def test_a_device_refuses_the_archive(tmp_path, kind):
    scanned(tmp_path / "out.parquet", tarred(tmp_path / "a.tar.gz", {**INNER, special("x", kind): ""}))
    assert "neither a file" in rows(tmp_path / "out.parquet")[0]["error"]


def test_a_bomb_is_refused_before_it_fills_the_disk(tmp_path):
    archive = zipped(tmp_path / "a.zip", files() | {"zeros": "\0" * 5_000_000})
    assert archive.stat().st_size < 50_000
    scanned(tmp_path / "out.parquet", archive, archive_bytes=1_000_000)
    (row,) = rows(tmp_path / "out.parquet")
    assert row["verdict"] == "unknown"
    assert "more than 1000000 bytes" in row["error"]


@each_row("data", [b"", b"PK\x05\x06", b"nothing of the kind"])
@each_row("name", ["a.zip", "a.tar.gz", "a.tar"])
def test_a_broken_archive_is_a_row(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    scanned(tmp_path / "out.parquet", tmp_path / name)
    assert rows(tmp_path / "out.parquet")[0]["verdict"] == "unknown"


def test_modes_and_hard_links_come_out_of_an_archive(tmp_path):
    run = tarfile.TarInfo("run.sh")
    run.mode = 0o755
    held = {**files(), run: "#!/bin/sh\nrm x\n", special("again.sh", tarfile.LNKTYPE, "run.sh"): ""}
    scanned(tmp_path / "out.parquet", tarred(tmp_path / "a.tar.gz", held))
    (row,) = rows(tmp_path / "out.parquet")
    assert {"run.sh", "again.sh"} <= {effect["file"] for effect in row["effects"]}


def index(path, *entries):
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return path


def test_an_index_lists_places_from_its_own_folder(tmp_path, folder, monkeypatch):
    zipped(tmp_path / "a.skill", files("packed"))
    entries = [{"location": "registry"}, {"location": "a.skill", "name": "x"}, {"location": "gone.zip", "name": "lost"}]
    monkeypatch.chdir("/")
    scanned(tmp_path / "out.parquet", index(tmp_path / "index.jsonl", *entries))
    found = {row["location"]: row for row in rows(tmp_path / "out.parquet")}
    assert set(found) == {"registry/skills/one", "registry/skills/two", "a.skill", "gone.zip"}
    assert found["a.skill"]["name"] == "packed"
    assert (found["gone.zip"]["name"], found["gone.zip"]["verdict"]) == ("lost", "unknown")
    assert "index.jsonl:3" in found["gone.zip"]["error"]


def test_content_that_is_not_what_the_index_says_is_unknown(tmp_path):
    zipped(tmp_path / "a.skill", files())
    scanned(tmp_path / "first.parquet", tmp_path / "a.skill")
    digest = rows(tmp_path / "first.parquet")[0]["digest"]
    scanned(tmp_path / "r.parquet", index(tmp_path / "i.jsonl", {"location": "a.skill", "digest": digest}))
    assert rows(tmp_path / "r.parquet")[0]["verdict"] == "undeclared"
    wrong = {"location": "a.skill", "digest": "sha256:" + "0" * 64}
    scanned(tmp_path / "r.parquet", index(tmp_path / "i.jsonl", wrong))
    (row,) = rows(tmp_path / "r.parquet")
    assert (row["verdict"], row["effects"]) == ("unknown", [])
    assert "not sha256:000" in row["error"]


@each_row(
    "line",
    [
        "[]",
        "{",
        '{"name": "x"}',
        '{"location": 1}',
        '{"location": "a", "more": "b"}',
        '{"location": "a", "digest": "b"}',
    ],
)
def test_a_line_that_is_no_entry_ends_the_scan_before_it_begins(tmp_path, line):
    (tmp_path / "i.jsonl").write_text(line + "\n")
    with pytest.raises(UsageError, match=r"i\.jsonl:1"):
        scanned(tmp_path / "out.parquet", tmp_path / "i.jsonl")


@pytest.mark.parametrize("source", ["nowhere", "notes.txt", "skill#", "-x.zip"])
def test_a_source_that_is_nothing_is_said_at_once(tmp_path, source, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(UsageError):
        scanned("out.parquet", source)
    assert not os.path.exists("out.parquet")


def test_a_location_that_is_named_twice_is_one_row(tmp_path, folder):
    scanned(tmp_path / "out.parquet", folder, f"{folder}/", folder)
    assert len(rows(tmp_path / "out.parquet")) == 2
