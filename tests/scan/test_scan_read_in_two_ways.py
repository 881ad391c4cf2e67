"""What another tool would find in a source besides, or under another name, is never passed over: the source is refused, or told apart."""

import io
import json
import os
import stat
import struct
import subprocess
import tarfile
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scan_world import committed, files, git, rows, scanned, tarred, write, zipped

from each_row import each_row
from remit.core.errors import InputError, LimitError, UsageError
from remit.scan.places import spelled
from remit.scan.sources import wanted
from remit.sources.unpack import Bounds, unpack

HELD = {f"s/{name}": text for name, text in files("shown").items()}
HIDDEN = {"s/hidden.py": "import os\nos.remove('x')\n"}
BLOCK = 512


def packed(held, mode="w"):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as opened:
        for name, text in held.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            opened.addfile(info, io.BytesIO(text.encode()))
    return out.getvalue()


def without_end(data):
    """A tar without the zeros at its end."""
    while not data[-BLOCK:].strip(b"\0"):
        data = data[:-BLOCK]
    return data


TARS = {
    "after a broken header": without_end(packed(HELD)) + b"\xff" * BLOCK + packed(HIDDEN),
    "after one block of zeros": without_end(packed(HELD)) + b"\0" * BLOCK + packed(HIDDEN),
    "after the end": packed(HELD) + packed(HIDDEN),
    "in half of a header": without_end(packed(HELD)) + packed(HIDDEN)[:300],
    "after the end, and no header": packed(HELD) + b"x",
}


@each_row("data", TARS.values(), ids=TARS)
def test_what_a_tar_holds_where_others_look_refuses_it(tmp_path, data):
    (tmp_path / "a.tar").write_bytes(data)
    scanned(tmp_path / "out.parquet", tmp_path / "a.tar")
    assert [row["verdict"] for row in rows(tmp_path / "out.parquet")] == ["unknown"]


def test_the_program_tar_does_find_what_follows_a_broken_header(tmp_path):
    (tmp_path / "a.tar").write_bytes(TARS["after a broken header"])
    subprocess.run(["tar", "xf", "a.tar"], cwd=tmp_path, check=False, capture_output=True)
    assert (tmp_path / "s/hidden.py").exists()


@each_row("end", [b"", b"\0" * BLOCK, b"\0" * 100_000])
def test_a_tar_may_end_in_any_number_of_zeros(tmp_path, end):
    (tmp_path / "a.tar").write_bytes(without_end(packed(HELD)) + end)
    scanned(tmp_path / "out.parquet", tmp_path / "a.tar")
    assert [row["verdict"] for row in rows(tmp_path / "out.parquet")] == ["undeclared"]


def entry(name, kind=tarfile.REGTYPE, target=""):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def test_a_hard_link_to_a_link_refuses_the_archive(tmp_path):
    """Where it lies, it leads elsewhere than the link that it is: `s/in/run.py` is `s/in/it.py` then, and not `s/it.py`."""
    held = {**HELD, "s/it.py": "print(1)", "s/in/it.py": HIDDEN["s/hidden.py"]}
    links = {entry("s/link", tarfile.SYMTYPE, "it.py"): "", entry("s/in/run.py", tarfile.LNKTYPE, "s/link"): ""}
    with pytest.raises(InputError, match=r"in/run\.py"):
        unpack(str(tarred(tmp_path / "a.tar", {**held, **links}, "w")), str(tmp_path), Bounds())


def test_a_hard_link_has_the_mode_of_its_file(tmp_path):
    link = entry("s/b", tarfile.LNKTYPE, "./s/a")
    link.mode = 0o777
    (tmp_path / "in").mkdir()
    unpack(str(tarred(tmp_path / "a.tar", {"s/a": "text", link: ""}, "w")), str(tmp_path / "in"), Bounds())
    assert (tmp_path / "in/s/b").read_text() == "text"
    assert not stat.S_IMODE((tmp_path / "in/s/b").stat().st_mode) & 0o111


@each_row("kind", [tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE])
def test_content_of_what_is_no_file_refuses_the_archive(tmp_path, kind):
    """Some tools pass over it, others read what stands in it as entries."""
    info = entry("s/odd", kind, "s/a")
    info.size = 2 * BLOCK
    data = without_end(packed({"s/a": "x"})) + info.tobuf() + packed(HIDDEN)
    (tmp_path / "a.tar").write_bytes(data)
    with pytest.raises(InputError, match="has content"):
        unpack(str(tmp_path / "a.tar"), str(tmp_path), Bounds())


@pytest.mark.parametrize(
    ("at", "form", "value"), [(18, "<I", 1), (8, "<H", zipfile.ZIP_DEFLATED)], ids=["size", "packing"]
)
def test_an_entry_of_a_zip_that_tells_of_itself_what_the_directory_does_not_refuses_it(tmp_path, at, form, value):
    """Who reads from the beginning finds another end of it, or other bytes."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as opened:
        opened.writestr("s/SKILL.md", HELD["s/SKILL.md"])
    data = bytearray((tmp_path / "a.zip").read_bytes())
    struct.pack_into(form, data, at, value)
    (tmp_path / "a.zip").write_bytes(data)
    with pytest.raises(InputError, match="not packed as"):
        unpack(str(tmp_path / "a.zip"), str(tmp_path), Bounds())


def test_a_name_with_a_nul_refuses_a_zip(tmp_path):
    zipped(tmp_path / "a.zip", {**HELD, "s/evil.pyX.txt": "x"})
    data = (tmp_path / "a.zip").read_bytes().replace(b"evil.pyX.txt", b"evil.py\0.txt")
    (tmp_path / "a.zip").write_bytes(data)
    with pytest.raises(InputError, match="in two ways"):
        unpack(str(tmp_path / "a.zip"), str(tmp_path), Bounds())


def zip_bytes(tmp_path, held):
    return zipped(tmp_path / "made.zip", held).read_bytes()


def test_what_the_directory_of_a_zip_does_not_list_refuses_it(tmp_path):
    shown, hidden = zip_bytes(tmp_path, HELD), zip_bytes(tmp_path, HIDDEN)
    for data in (hidden + shown, b"#!/bin/sh\n" + shown):
        (tmp_path / "a.zip").write_bytes(data)
        with zipfile.ZipFile(tmp_path / "a.zip") as opened:  # who goes by the directory sees nothing of it
            assert opened.namelist() == list(HELD)
        with pytest.raises(InputError, match="does not list"):
            unpack(str(tmp_path / "a.zip"), str(tmp_path), Bounds())


def test_a_zip_that_was_written_to_a_pipe_is_read(tmp_path):
    """Then sizes stand after each entry."""
    out = io.BytesIO()

    class Pipe(io.RawIOBase):
        def writable(self):
            return True

        def write(self, data):
            return out.write(data)

    with zipfile.ZipFile(Pipe(), "w", zipfile.ZIP_DEFLATED) as opened:
        for name, text in HELD.items():
            opened.writestr(name, text)
    (tmp_path / "a.zip").write_bytes(out.getvalue())
    scanned(tmp_path / "out.parquet", tmp_path / "a.zip")
    assert [row["verdict"] for row in rows(tmp_path / "out.parquet")] == ["undeclared"]


def test_folders_without_end_cost_that_archive_only(tmp_path):
    """They could not be removed again, now or when the scan is given anew."""
    deep = {f"s/{'a/' * depth}x": "" for depth in (400, 800, 1200)}
    tarred(tmp_path / "deep.tar", {**HELD, **deep}, "w")
    with pytest.raises(LimitError, match="100 folders"):
        unpack(str(tmp_path / "deep.tar"), str(tmp_path), Bounds())
    for _ in range(2):
        scanned(tmp_path / "out.parquet", tmp_path / "deep.tar", zipped(tmp_path / "b.zip", files()))
        assert sorted(row["verdict"] for row in rows(tmp_path / "out.parquet")) == ["undeclared", "unknown"]


@each_row("name", ["..zip", "...zip", ".zip"])
def test_an_archive_is_opened_whatever_it_is_called(tmp_path, name):
    scanned(tmp_path / "out.parquet", zipped(tmp_path / name, files()))
    assert [row["verdict"] for row in rows(tmp_path / "out.parquet")] == ["undeclared"]


def test_the_reason_why_nothing_was_found_is_the_same_in_every_scan(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scanned("out.parquet", zipped("a.zip", {"x.py": ""}))
    assert rows("out.parquet")[0]["error"] == "there is no SKILL.md in `a.zip` or below"


def test_a_folder_that_looks_like_a_repository_is_judged_by_what_lies_in_it(tmp_path):
    """The commit is harmless, and whoever copies the folder gets what is not."""
    committed(write(tmp_path / "good", files("good")))
    git(tmp_path, "clone", "-q", "--bare", "good", "odd")
    write(tmp_path / "odd", files("bad", HIDDEN["s/hidden.py"]))
    scanned(tmp_path / "out.parquet", tmp_path / "odd")
    (row,) = rows(tmp_path / "out.parquet")
    assert row["name"] == "bad"
    assert "file.delete" in row["capabilities"]


@given(st.text(alphabet="\\ud\udcff\udc80xé"), st.text(alphabet="\\ud\udcff\udc80xé"))
def test_no_two_names_become_one(one, other):
    assert (spelled(one) == spelled(other)) == (one == other)
    spelled(one).encode()


def test_a_name_that_is_how_another_is_spelled_hides_no_skill(tmp_path):
    write(tmp_path / "r" / "x\\udcff", files("spelled"))
    write(os.fsdecode(os.fsencode(str(tmp_path / "r")) + b"/x\xff"), files("bytes"))
    scanned(tmp_path / "out.parquet", tmp_path / "r")
    assert sorted(row["name"] for row in rows(tmp_path / "out.parquet")) == ["bytes", "spelled"]


def test_two_sources_of_one_name_are_not_taken_for_one(tmp_path):
    for name in ("a", "b"):
        write(tmp_path / name / "skill", files(name))
        (tmp_path / f"{name}/i.jsonl").write_text(json.dumps({"location": "skill"}))
    with pytest.raises(UsageError, match="`skill` is named twice"):
        list(wanted([str(tmp_path / "a/i.jsonl"), str(tmp_path / "b/i.jsonl")]))


def test_a_digest_does_not_get_lost_because_a_line_without_one_came_first(tmp_path):
    write(tmp_path / "skill", files())
    lines = [{"location": "skill"}, {"location": "skill", "digest": "sha256:" + "0" * 64}]
    (tmp_path / "i.jsonl").write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(UsageError, match="named twice"):
        list(wanted([str(tmp_path / "i.jsonl")]))
    (tmp_path / "i.jsonl").write_text("\n".join(json.dumps(lines[0]) for _ in range(3)))
    assert len(list(wanted([str(tmp_path / "i.jsonl")]))) == 1
