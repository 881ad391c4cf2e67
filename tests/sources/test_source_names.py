"""What a SOURCE names; and names of files: portable ones pass, all others are refused in one sentence."""

import io
import tarfile
import warnings
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from by_day import many
from remit.core.errors import InputError
from remit.core.sensitive import fold
from remit.sources.fetch import fetch_source
from remit.sources.names import Names
from remit.sources.source import Source, SourceKind, parse_source

GITHUB = "https://github.com/owner/repo.git"


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    (tmp_path / "here/skills/pdf").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    for name in ("pdf.skill", "a.zip", "b.tar.gz", "notes.txt", "skills/pdf/SKILL.md"):
        Path(name).write_bytes(b"")


@pytest.mark.parametrize(
    ("given", "kind", "where", "revision", "path"),
    [
        ("skills", SourceKind.FOLDER, "skills", "", ""),
        ("skills/pdf/SKILL.md", SourceKind.FOLDER, "skills/pdf", "", ""),
        ("pdf.skill", SourceKind.ARCHIVE, "pdf.skill", "", ""),
        ("b.tar.gz", SourceKind.ARCHIVE, "b.tar.gz", "", ""),
        ("owner/repo", SourceKind.REPOSITORY, GITHUB, "", ""),
        ("owner/repo@v2", SourceKind.REPOSITORY, GITHUB, "v2", ""),
        ("owner/repo/skills/pdf@feature/x", SourceKind.REPOSITORY, GITHUB, "feature/x", "skills/pdf"),
        ("github:owner/repo/skills", SourceKind.REPOSITORY, GITHUB, "", "skills"),
        ("https://github.com/owner/repo/tree/v2/skills/pdf", SourceKind.REPOSITORY, GITHUB, "v2", "skills/pdf"),
        ("https://git.example/a.git#v2", SourceKind.REPOSITORY, "https://git.example/a.git", "v2", ""),
        ("git+https://git.example/a", SourceKind.REPOSITORY, "https://git.example/a", "", ""),
        ("ssh://git@git.example/a.git", SourceKind.REPOSITORY, "ssh://git@git.example/a.git", "", ""),
        ("git@git.example:team/a.git#main", SourceKind.REPOSITORY, "git@git.example:team/a.git", "main", ""),
        ("file:///srv/a.git", SourceKind.REPOSITORY, "file:///srv/a.git", "", ""),
        ("http://127.0.0.1:80/a.git", SourceKind.REPOSITORY, "http://127.0.0.1:80/a.git", "", ""),
    ],
)
def test_what_a_source_names(given, kind, where, revision, path):
    found = parse_source(given)
    assert (found.given, found.kind, found.revision, found.path) == (given, kind, revision, path)
    assert found.where == (where if kind is SourceKind.REPOSITORY else str(Path(where).resolve()))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("nowhere", "does not exist"),
        ("notes.txt", "neither a folder nor an archive"),
        ("skills/gone", "does not exist"),  # `skills` is a folder here: no repository is meant
        ("../gone/x", "does not exist"),
        ("http://git.example/a.git", "not fetched over `http`"),
        ("git://git.example/a.git", "not fetched over `git`"),
        ("ext::sh -c id", "does not exist"),
        ("ext://x/y", "not fetched over `ext`"),
        ("https://", "names no repository"),
        ("ssh://-oProxyCommand=id/x", "names no repository"),
        ("-oProxyCommand=id@host:x", "does not exist"),
        ("https://user:secret@git.example/a.git", "holds a user name or a password"),
        ("https://token@git.example/a.git", "holds a user name or a password"),
        ("owner/repo/../../x", "leads elsewhere"),
        ("owner/repo@--upload-pack=id", "no branch, tag or commit"),
        ("owner/repo@a..b", "no branch, tag or commit"),
        ("https://git.example/a.git#a:b", "no branch, tag or commit"),
    ],
)
def test_what_no_source_names_is_refused(given, said):
    with pytest.raises(InputError) as refused:
        parse_source(given)
    assert said in refused.value.message
    assert "secret" not in refused.value.message


def test_a_path_in_a_source_stays_inside():
    assert parse_source("owner/repo/skills", "pdf").path == "skills/pdf"
    with pytest.raises(InputError):
        parse_source("owner/repo", "../x")


def added(names):
    found = Names()
    for name in names:
        found.add(name.split("/"))


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["a/README.md", "a/readme.md"], "same file on a disk that ignores case"),
        (["Scripts/a", "scripts/b"], "same file on a disk that ignores case"),
        (["caf\u00e9", "cafe\u0301"], "same file on a disk that ignores case"),
        (["a/NUL"], "device on Windows"),
        (["a/com1.txt/x"], "device on Windows"),
        (["aux."], "device on Windows"),
        (["lpt\u00b9"], "device on Windows"),
        (["SKILL.md:hidden"], "colon"),
        (["a."], "ends in a dot"),
        (["a "], "ends in a dot"),
        (["a\x07b"], "control or invisible"),
        (["a\u202eb"], "control or invisible"),
        (["a\udcffb"], "not UTF-8"),
        (["a" * 300], "longer than"),
    ],
)
def test_names_that_are_not_portable_are_refused(names, said):
    with pytest.raises(InputError) as refused:
        added(names)
    assert said in refused.value.message
    assert "\n" not in refused.value.message


PART = st.one_of(
    st.sampled_from(["..", ".", "", "a", "A", "b", "SKILL.md", "skill.md", "con", "nul.txt", "C:", "~", ".git", "a.", "\u00e9", "e\u0301"]),
    st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=6),
)  # fmt: skip
NAME = st.lists(PART, min_size=1, max_size=4).map("/".join)


def zipped(path, names):
    with zipfile.ZipFile(path, "w") as out, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            info = zipfile.ZipInfo("x")
            info.filename = name  # as it is, whatever the class would make of it
            out.writestr(info, name)


def tarred(path, names):
    with tarfile.open(path, "w:gz") as out:
        for name in names:
            info = tarfile.TarInfo(name)
            info.size = len(name.encode())
            out.addfile(info, io.BytesIO(name.encode()))


@pytest.mark.parametrize("pack", [zipped, tarred])
@settings(max_examples=many(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(NAME, max_size=5))
@example(names=[""])
@example(names=["../x"])
@example(names=["/etc/x"])
@example(names=["a", "a"])
@example(names=["a", "a/b"])
@example(names=["\xa0/"])
def test_an_archive_is_refused_or_lands_in_its_folder(tmp_path, pack, names):
    """Whatever its names are: nothing lands elsewhere, and no two names are one file."""
    archive = tmp_path / ("a.zip" if pack is zipped else "a.tar.gz")
    pack(archive, ["SKILL.md", *names])
    before = sorted(tmp_path.rglob("*"))
    said = ""
    try:
        with fetch_source(Source("a", SourceKind.ARCHIVE, str(archive))) as found:
            files = [path.relative_to(found.root) for path in found.root.rglob("*")]
            assert all(path.resolve().is_relative_to(found.root) for path in found.root.rglob("*"))
            assert len({fold(str(path)) for path in files}) == len(files)
            # the header of a tar for names outside of ASCII ends without the slash
            assert {str(path) for path in files if (found.root / path).is_file()} == {
                name.removeprefix("./").rstrip("/") for name in ["SKILL.md", *names]
            }
    except InputError as refused:
        said = refused.message
        said.encode()
    assert "\n" not in said
    assert sorted(tmp_path.rglob("*")) == before
