"""What was accepted before is remembered by one process or by many, and a damaged memory refuses."""

import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remit.bundle.store import NAME, state_folder, transact
from remit.bundle.versions import Publication, check_version, record_version
from remit.manifest.version import parse_version

ONE, TWO = "sha256:" + "1" * 64, "sha256:" + "2" * 64


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "deep" / "state"


def publication(skill, version, content, signers=("ours",)):
    """A version that one signer signed, of a trust root with another key."""
    return Publication(
        skill, version, content, signers, {"theirs": "them"} if "theirs" not in signers else {"ours": "us"}
    )


def code(why) -> str:
    return why.code if why else ""


# ── versions ──


def test_versions_only_rise(folder):
    assert record_version(folder, publication("pdf", "1.2", ONE)) is None
    assert code(check_version(folder, publication("pdf", "1.1.9", ONE))) == "version-replayed"
    assert code(record_version(folder, publication("pdf", "1.1.9", ONE))) == "version-replayed"
    assert code(check_version(folder, publication("pdf", "1.2", TWO))) == "version-reused"
    assert code(check_version(folder, publication("pdf", "1.2.0", TWO))) == "version-reused"
    assert check_version(folder, publication("pdf", "1.2", ONE)) is None
    assert check_version(folder, publication("other", "0.1", TWO)) is None
    assert record_version(folder, publication("pdf", "1.10", TWO)) is None  # numbers, not letters
    assert code(check_version(folder, publication("pdf", "1.2", ONE))) == "version-replayed"


def test_looking_remembers_nothing(folder):
    assert check_version(folder, publication("pdf", "9", ONE)) is None
    assert check_version(folder, publication("pdf", "1", TWO)) is None


@pytest.mark.parametrize(
    "text",
    ["", "v1", "1.", ".1", "1..2", "1.02", "-1", "+1", "1.0-rc1", "1 ", "1\n", "\u0661", "1." * 10 + "1", "9" * 19],
)
def test_what_is_no_version_is_refused(folder, text):
    assert code(check_version(folder, publication("pdf", text, ONE))) == "version-unreadable"
    assert code(record_version(folder, publication("pdf", text, ONE))) == "version-unreadable"


@given(st.text(max_size=20))
def test_any_text_is_a_version_or_none(text):
    parse_version(text)


versions = st.lists(st.integers(0, 10**17), min_size=1, max_size=10)


@given(versions, versions)
def test_versions_are_compared_as_numbers(one, other):
    def padded(numbers):
        return [*numbers, *[0] * (10 - len(numbers))]

    first, second = (parse_version(".".join(map(str, numbers))) for numbers in (one, other))
    assert (first < second) == (padded(one) < padded(other))
    assert (first == second) == (padded(one) == padded(other))


accepted = st.tuples(
    st.sampled_from(["pdf", "html"]), st.integers(0, 3), st.integers(0, 2), st.sampled_from([ONE, TWO])
)


@settings(max_examples=25)
@given(st.lists(accepted, max_size=12))
def test_any_history_is_judged_as_the_plainest_memory_does(tmp_path_factory, history):
    folder = tmp_path_factory.mktemp("history")
    newest: dict[str, tuple[tuple[int, int], str]] = {}
    for skill, major, minor, content in history:
        before = newest.get(skill, ((0, 0), content))
        if (major, minor) < before[0]:
            wanted = "version-replayed"
        elif (major, minor) == before[0] and content != before[1]:
            wanted = "version-reused"
        else:
            wanted = ""
            newest[skill] = ((major, minor), content)
        assert code(check_version(folder, publication(skill, f"{major}.{minor}", content))) == wanted
        assert code(record_version(folder, publication(skill, f"{major}.{minor}", content))) == wanted


def test_text_of_a_skill_is_no_command_of_the_store(folder):
    name = "'; DROP TABLE seen; --"
    assert record_version(folder, publication(name, "2", ONE)) is None
    assert code(check_version(folder, publication(name, "1", ONE))) == "version-replayed"


# ── signers ──


def test_no_signer_uses_up_the_versions_of_another(folder):
    given = publication("pdf", "999999", TWO, ("theirs",))._replace(patterns=("pdf",))
    assert record_version(folder, publication("pdf", "1.0", ONE)) is None
    assert code(record_version(folder, given._replace(patterns=()))) == "name-taken"
    assert record_version(folder, given) is None  # the trust root gives both the name
    assert record_version(folder, publication("pdf", "1.1", TWO)) is None
    assert code(check_version(folder, publication("pdf", "1.0", ONE))) == "version-replayed"
    assert code(check_version(folder, given._replace(version="3"))) == "version-replayed"


def test_what_two_have_signed_is_old_for_both(folder):
    assert record_version(folder, publication("pdf", "2", ONE, ("ours", "theirs"))) is None
    for signers in (("ours",), ("theirs",), ("theirs", "ours")):
        assert code(check_version(folder, publication("pdf", "1", ONE, signers))) == "version-replayed"
        assert check_version(folder, publication("pdf", "3", ONE, signers)) is None


def test_a_name_is_free_when_the_key_of_its_signer_counts_no_more(folder):
    assert record_version(folder, publication("pdf", "5", ONE, ("gone",))) is None
    assert record_version(folder, publication("pdf", "1", TWO)) is None


@pytest.mark.parametrize(
    "name", ["Notes", "n-o-t-e-s", "not\u0435s", "n\u043etes", "\uff4eotes", "notés", "note", "nots", "ntoes", "notess"]
)
def test_a_name_like_that_of_another_signer(folder, name):
    assert record_version(folder, publication("notes", "1", ONE)) is None
    theirs = publication(name, "1", TWO, ("theirs",))
    assert code(check_version(folder, theirs)) == "name-lookalike"
    assert "`notes` of `us`" in check_version(folder, theirs).reason
    assert check_version(folder, theirs._replace(patterns=(name,))) is None
    assert check_version(folder, publication(name, "1", TWO)) is None  # our own
    assert record_version(folder, publication(name, "1", TWO)) is None


@pytest.mark.parametrize("name", ["pages", "notebook", "release-notes", "no", "meeting"])
def test_other_names_are_free(folder, name):
    assert record_version(folder, publication("notes", "1", ONE)) is None
    assert record_version(folder, publication(name, "1", TWO, ("theirs",))) is None


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("acrne/pdf", "name-lookalike"),
        ("Acme/pdf", "name-lookalike"),
        ("acme2b/pdf", ""),
        ("pdf", ""),
        ("other/acme", ""),
    ],
)
def test_a_name_like_the_beginning_that_is_given_to_another(folder, name, wanted):
    new = publication(name, "1", ONE)._replace(reserved=(("acme/*", "Acme"),))
    assert code(check_version(folder, new)) == wanted


def test_a_store_without_signers_is_read(folder):
    """Whoever goes on must go on from the version that was accepted before signers were kept."""
    assert record_version(folder, publication("pdf", "1", ONE)) is None
    with sqlite3.connect(folder / NAME) as store:
        store.executescript(
            "DROP TABLE seen; PRAGMA user_version = 1;"
            "CREATE TABLE seen (skill TEXT PRIMARY KEY, version TEXT NOT NULL, content TEXT NOT NULL) STRICT, WITHOUT ROWID;"
            "INSERT INTO seen VALUES ('pdf', '2.0', 'x');"
        )
    store.close()
    assert code(check_version(folder, publication("pdf", "1.9", ONE))) == "version-replayed"
    assert code(check_version(folder, publication("pdf", "2", ONE))) == "version-reused"
    assert record_version(folder, publication("pdf", "2.1", ONE)) is None
    assert code(check_version(folder, publication("pdf", "2.0", ONE))) == "version-replayed"
    assert code(check_version(folder, publication("pdf", "3", ONE, ("theirs",)))) == "name-taken"


# ── a store that cannot be trusted ──


def damaged(path: Path, how: str) -> None:  # noqa: C901, PLR0912  one case for each kind of damage
    if how == "empty":
        path.write_bytes(b"")
    elif how == "no database":
        path.write_bytes(b"x" * 4096)
    elif how == "cut short":
        path.write_bytes(path.read_bytes()[:4096])
    elif how == "scrambled":
        data = path.read_bytes()
        path.write_bytes(data[:100] + bytes(255 - byte for byte in data[100:]))
    elif how == "of another program":
        path.unlink()
        sqlite3.connect(path).execute("CREATE TABLE x (y)").connection.close()
    elif how == "of a later version":
        sqlite3.connect(path).execute("PRAGMA user_version = 3").connection.close()
    elif how == "with a version that is none":
        with sqlite3.connect(path) as store:
            store.execute("UPDATE seen SET version = 'x'")
        store.close()
    elif how == "a folder":
        path.unlink()
        path.mkdir()
    elif how == "writable for all":
        path.chmod(0o666)
    elif how == "in a folder that is writable for all":
        path.parent.chmod(0o777)
    elif how == "a link to nothing":
        path.unlink()
        path.symlink_to("nowhere")
    elif how == "gone, with its journal left":
        path.unlink()
        path.with_name(f"{NAME}-wal").write_bytes(b"")
    else:
        raise AssertionError(how)


@pytest.mark.parametrize(
    "how",
    [
        "empty", "no database", "cut short", "scrambled", "of another program", "of a later version", "a folder",
        "with a version that is none", "writable for all", "in a folder that is writable for all", "a link to nothing",
        "gone, with its journal left",
    ],
)  # fmt: skip
def test_a_damaged_store_refuses(folder, how):
    assert record_version(folder, publication("pdf", "1", ONE)) is None
    damaged(folder / NAME, how)
    for ask in (check_version, record_version):
        why = ask(folder, publication("pdf", "2", ONE))
        assert code(why) == "store-unusable"
        assert why.remedy


def test_a_store_that_cannot_be_made_refuses(tmp_path):
    (tmp_path / "file").write_text("")
    assert code(record_version(tmp_path / "file" / "state", publication("pdf", "1", ONE))) == "store-unusable"


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser can write everywhere")
def test_a_store_that_cannot_be_written_refuses(folder):
    assert record_version(folder, publication("pdf", "1", ONE)) is None
    folder.chmod(0o500)
    try:
        assert code(record_version(folder, publication("pdf", "2", ONE))) == "store-unusable"
    finally:
        folder.chmod(0o700)


def test_a_disk_that_fails_refuses(folder, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "link", full)
    why = record_version(folder, publication("pdf", "1", ONE))
    assert code(why) == "store-unusable"
    assert "no space left" in why.reason
    assert list(folder.iterdir()) == []


def test_the_store_is_its_owners_alone(folder):
    record_version(folder, publication("pdf", "1", ONE))
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / NAME).stat().st_mode & 0o777 == 0o600
    assert transact(folder, lambda store: store.execute("PRAGMA journal_mode").fetchone()[0]) == "wal"


def test_where_the_store_lies(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_folder() == tmp_path / "remit"
    monkeypatch.setenv("XDG_STATE_HOME", "not/absolute")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert state_folder() == tmp_path / ".local/state/remit"


# ── many processes ──

CHILD = """
import sys
from pathlib import Path
from remit.bundle.versions import Publication, record_version
folder, mine = Path(sys.argv[1]), sys.argv[2]
for number in range(1, 30):
    why = record_version(folder, Publication("pdf", f"{number}", "sha256:" + mine, ("ours",), {}))
    print(number, why.code if why else "accepted", flush=True)
"""


def test_processes_at_once_agree(folder):
    """Each version is accepted for one content only, from the very first on; and no process sees an error."""
    children = [
        subprocess.Popen([sys.executable, "-c", CHILD, str(folder), str(mine)], stdout=subprocess.PIPE, text=True)
        for mine in range(4)
    ]
    accepted: dict[str, list[int]] = {}
    for mine, child in enumerate(children):
        out, _ = child.communicate(timeout=300)
        assert child.returncode == 0
        for line in out.splitlines():
            number, word = line.split()
            assert word in ("accepted", "version-replayed", "version-reused")
            if word == "accepted":
                accepted.setdefault(number, []).append(mine)
    assert all(len(who) == 1 for who in accepted.values())
    assert accepted["29"]
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


def test_threads_at_once_make_one_store(folder):
    with ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(lambda number: record_version(folder, publication(f"skill {number}", "1", ONE)), range(24))
        )
    assert answers == [None] * 24
    assert transact(folder, lambda store: store.execute("SELECT count(*) FROM seen").fetchone()[0]) == 24
