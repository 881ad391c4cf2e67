"""Archives that are hostile are refused in one sentence, and nothing of them is left behind (`temporary` in conftest.py)."""

import gzip
import io
import os
import stat
import tarfile
import zipfile

import pytest

from remit.core.errors import InputError, LimitError
from remit.sources.fetch import QUARANTINE, fetch_source
from remit.sources.source import parse_source

SKILL = {"SKILL.md": "---\nname: packed\ndescription: d\n---\n"}


def zipped(path, files, links=()):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, text in files.items():
            out.writestr(name, text)
        for name, target in dict(links).items():
            info = zipfile.ZipInfo(name)
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            out.writestr(info, target)
    return path


def tarred(path, files, links=(), *more):
    with tarfile.open(path, "w:gz") as out:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            out.addfile(info, io.BytesIO(text.encode()))
        for name, target in dict(links).items():
            info = tarfile.TarInfo(name)
            info.type, info.linkname = tarfile.SYMTYPE, target
            out.addfile(info)
        for info in more:
            out.addfile(info)
    return path


def refusal(path, bounds=QUARANTINE):
    with pytest.raises(InputError) as refused, fetch_source(parse_source(str(path)), bounds):
        pass
    assert path.name in refused.value.message
    assert "\n" not in refused.value.message
    return refused.value.message


@pytest.mark.parametrize("pack", [(zipped, "a.zip"), (zipped, "a.skill"), (tarred, "a.tar.gz")], ids=lambda p: p[1])
def test_skills_of_an_archive(tmp_path, pack):
    make, name = pack
    archive = make(tmp_path / name, {f"skills/{one}/SKILL.md": SKILL["SKILL.md"] for one in "ab"})
    with fetch_source(parse_source(str(archive))) as found:
        assert [found.path_of(skill) for skill in found.skills] == ["skills/a", "skills/b"]
        assert [found.name_of(skill) for skill in found.skills] == [f"{archive}!skills/a", f"{archive}!skills/b"]
        assert found.resolved.startswith("sha256:")
        assert stat.S_IMODE(found.root.parent.parent.stat().st_mode) == 0o700
    assert not found.root.exists()
    with fetch_source(parse_source(str(archive), "skills/b")) as found:
        assert [found.path_of(skill) for skill in found.skills] == ["skills/b"]


@pytest.mark.parametrize("make", [zipped, tarred])
@pytest.mark.parametrize("target", ["/etc/passwd", "../outside", "a/../../outside", "loop/../../../x"])
def test_a_link_out_of_an_archive_refuses_it(tmp_path, make, target):
    archive = make(tmp_path / ("a.zip" if make is zipped else "a.tar.gz"), SKILL, {"notes": target})
    assert "leads out of the source" in refusal(archive)


@pytest.mark.parametrize("make", [zipped, tarred])
def test_a_link_inside_of_an_archive_is_a_link(tmp_path, make):
    archive = make(tmp_path / ("a.zip" if make is zipped else "a.tar.gz"), {"s/SKILL.md": "x", "docs/n.md": "n"}, {"s/n.md": "../docs/n.md"})  # fmt: skip
    with fetch_source(parse_source(str(archive))) as found:
        assert (found.root / "s/n.md").read_text() == "n"


def test_names_are_portable(tmp_path):
    assert "ignores case" in refusal(zipped(tmp_path / "a.zip", SKILL | {"README": "", "readme": ""}))
    assert "device" in refusal(zipped(tmp_path / "b.zip", SKILL | {"aux.md": ""}))
    assert "leads elsewhere" in refusal(tarred(tmp_path / "c.tar.gz", SKILL | {"../x": ""}))


def test_an_archive_that_holds_far_more_than_its_size_is_refused(tmp_path):
    bomb = zipped(tmp_path / "a.zip", SKILL | {"zeros": "\0" * 40_000_000})
    assert "times its own size" in refusal(bomb)
    assert "more than 1000000 bytes" in refusal(bomb, QUARANTINE._replace(bytes=1_000_000))


def test_many_files_and_folders_are_refused(tmp_path):
    archive = zipped(tmp_path / "a.zip", SKILL | {f"{n}": "" for n in range(50)})
    assert "more than 10 entries" in refusal(archive, QUARANTINE._replace(entries=10))
    assert "more than 40 folders" in refusal(tarred(tmp_path / "b.tar.gz", SKILL | {"/".join("d" * 60): ""}))


def test_time_is_bounded(tmp_path, monkeypatch):
    moments = iter(range(0, 10_000, 200))
    monkeypatch.setattr("remit.sources.unpack.time.monotonic", lambda: float(next(moments)))
    assert "more than 300 seconds" in refusal(zipped(tmp_path / "a.zip", SKILL | {"a": "x", "b": "y"}))


def test_a_long_header_of_a_tar_is_not_read_into_memory(tmp_path):
    """`tarfile` reads an extended header at once, whatever its size: a few kilobytes become gigabytes."""
    info = tarfile.TarInfo("pax")
    info.type, info.size = tarfile.XHDTYPE, 1 << 33
    data = info.tobuf(tarfile.GNU_FORMAT) + bytes(1 << 16)
    (tmp_path / "a.tar.gz").write_bytes(gzip.compress(data))
    assert "too long" in refusal(tmp_path / "a.tar.gz")


def test_devices_duplicates_and_broken_archives_are_refused(tmp_path):
    fifo = tarfile.TarInfo("pipe")
    fifo.type = tarfile.FIFOTYPE
    assert "neither a file" in refusal(tarred(tmp_path / "a.tar.gz", SKILL, (), fifo))
    assert "comes twice" in refusal(tarred(tmp_path / "b.tar.gz", SKILL, (), tarfile.TarInfo("SKILL.md")))
    (tmp_path / "c.zip").write_bytes(b"PK nothing")
    assert "cannot be read" in refusal(tmp_path / "c.zip")
    assert "no SKILL.md" in refusal(zipped(tmp_path / "d.zip", {"x": ""}))
    assert "there is no folder `gone`" in _missing(zipped(tmp_path / "e.zip", SKILL))


def _missing(archive):
    with pytest.raises(InputError) as refused, fetch_source(parse_source(str(archive), "gone")):
        pass
    return refused.value.message


def test_an_archive_that_is_too_large_is_not_copied(tmp_path):
    with (tmp_path / "a.zip").open("wb") as file:
        os.truncate(file.fileno(), 10_000_000)
    with (
        pytest.raises(LimitError, match="more than 1000000 bytes"),
        fetch_source(parse_source(str(tmp_path / "a.zip")), QUARANTINE._replace(bytes=1_000_000)),
    ):
        pass
