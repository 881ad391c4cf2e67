"""What a call changed comes back exactly; what somebody else changed since, and what lies behind links, is never touched."""

import errno
import os
import shutil
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remit.core.errors import GuardError
from remit.guard.undo import Limits, NotKept, PathKind, Snapshot, Store, disk, snapshot_store
from remit.guard.undo.plan import CHANGED, HELD, REPOSITORY, UNKNOWN, plan
from remit.guard.undo.snapshot import Entry
from remit.policy.buffer import Buffer, Closed


@pytest.fixture
def work(tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a.txt").write_text("old")
    return tmp_path / "work"


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "state" / "snapshots")


def picture(root):
    """Everything at a path, links as links, with modes and times."""
    out = {}
    for folder, names, files in os.walk(root):
        for path in [folder, *(os.path.join(folder, name) for name in (*names, *files))]:
            state = os.lstat(path)
            kind = stat.S_IFMT(state.st_mode)
            what = (
                os.readlink(path) if kind == stat.S_IFLNK else Path(path).read_bytes() if kind == stat.S_IFREG else b""
            )
            out[path] = kind, what, state.st_mode, state.st_mtime_ns
    return out


def taken(store, path, ident="s1"):
    found = store.take(ident, "session", "call", [str(path)])
    assert isinstance(found, Snapshot)
    return found


NAMES = st.sampled_from(["a", "b", "c.txt", "d\nd", os.fsdecode(b"e\xff"), "-f"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
ACTS = st.lists(
    st.tuples(
        st.sampled_from(["write", "mkdir", "link", "hard", "chmod", "delete", "rename"]),
        PATHS,
        PATHS,
        st.binary(max_size=5),
    ),
    max_size=8,
)


def act(root, kind, path, other, data):
    """One random change; those that are not possible are none."""
    one, two = os.path.join(root, path), os.path.join(root, other)
    try:
        if kind in {"write", "mkdir", "link", "hard"}:
            os.makedirs(os.path.dirname(one), exist_ok=True)
        if kind == "write":
            Path(one).write_bytes(data)
        elif kind == "mkdir":
            os.mkdir(one)
        elif kind == "link":
            os.symlink(other, one)
        elif kind == "hard":
            os.link(two, one, follow_symlinks=False)
        elif kind == "chmod" and not os.path.islink(one):
            os.chmod(one, 0o700 if len(data) % 2 else 0o740)
        elif kind == "delete":
            (shutil.rmtree if os.path.isdir(one) and not os.path.islink(one) else os.unlink)(one)
        elif kind == "rename":
            os.rename(one, two)
    except OSError:
        return


@settings(max_examples=60, deadline=None)
@given(ACTS, ACTS)
def test_what_a_call_changed_comes_back_exactly(tmp_path_factory, first, then):
    base = tmp_path_factory.mktemp("undo")
    root = base / "work"
    root.mkdir()
    store = Store(base / "state")
    for one in first:
        act(root, *one)
    before = picture(root)
    taken(store, root)
    for one in then:
        act(root, *one)
    store.seal("s1")
    assert store.restore("s1").refused == ()
    assert picture(root) == before
    assert store.plan("s1").paths == ()


def test_a_file_that_was_made_goes_with_the_folders_made_for_it(store, work):
    taken(store, work / "out" / "deep" / "x.txt")
    (work / "out" / "deep").mkdir(parents=True)
    (work / "out" / "deep" / "x.txt").write_text("new")
    store.seal("s1")
    store.restore("s1")
    assert sorted(os.listdir(work)) == ["a.txt"]


def test_what_somebody_else_changed_since_is_kept_unless_forced(store, work):
    taken(store, work)
    (work / "a.txt").write_text("by the call")
    (work / "b.txt").write_text("by the call")
    store.seal("s1")
    (work / "a.txt").write_text("by a person")
    found = store.restore("s1")
    assert [(item.path, item.reason) for item in found.refused] == [(str(work / "a.txt"), CHANGED)]
    assert (work / "a.txt").read_text() == "by a person"
    assert not (work / "b.txt").exists()
    assert store.restore("s1", force=True).refused == ()
    assert (work / "a.txt").read_text() == "old"


@pytest.mark.parametrize("name", [".git", ".hg", ".jj", ".svn", "bare.git", "sub/.git"])
def test_a_repository_is_never_put_back_not_even_by_force(store, work, name):
    """Commits of others lie there, and nothing shows whose they are."""
    repository = work / name
    for part in ("objects", "refs"):
        (repository / part).mkdir(parents=True)
    (repository / "HEAD").write_text("old")
    taken(store, work)
    (repository / "HEAD").write_text("new")
    (repository / "objects" / "ab").write_text("new")
    (work / "a.txt").write_text("new")
    store.seal("s1")
    assert store.restore("s1", force=True).refused == ()
    assert ((repository / "HEAD").read_text(), (work / "a.txt").read_text()) == ("new", "old")
    assert (repository / "objects" / "ab").exists()
    assert isinstance(store.take("s2", "", "", [str(repository)]), NotKept)


def test_a_repository_that_came_or_went_is_named_and_left(store, work):
    (work / "old" / ".git").mkdir(parents=True)
    taken(store, work)
    shutil.rmtree(work / "old")
    (work / "new" / ".git").mkdir(parents=True)
    store.seal("s1")
    refused = {item.path: item.reason for item in store.restore("s1", force=True).refused}
    assert refused == {
        str(work / "new"): HELD,
        str(work / "new" / ".git"): REPOSITORY,
        str(work / "old" / ".git"): REPOSITORY,
    }
    assert (work / "new" / ".git").is_dir()


def test_what_an_older_version_kept_of_a_repository_is_not_put_back():
    folder, head = Entry(PathKind.FOLDER, 0o755), Entry(PathKind.FILE, 0o644, 1, "d")
    before = {"/w/.git": folder, "/w/.git/HEAD": head, "/w/b": folder, "/w/b/HEAD": head}
    now = {"/w/.git": Entry(PathKind.REPOSITORY), "/w/b": Entry(PathKind.REPOSITORY)}
    found = plan(before, before, now, force=True)
    assert found.paths == ()
    assert {item.reason for item in found.refused} == {REPOSITORY}


def test_a_folder_in_which_somebody_put_something_stays(store, work):
    taken(store, work / "out")
    (work / "out").mkdir()
    store.seal("s1")
    (work / "out" / "mine").write_text("x")
    assert HELD in {item.reason for item in store.restore("s1").refused}
    assert (work / "out" / "mine").exists()


def test_a_call_of_which_no_end_was_told_is_not_undone(store, work):
    taken(store, work)
    (work / "a.txt").write_text("new")
    assert store.restore("s1").refused[0].reason == UNKNOWN
    assert (work / "a.txt").read_text() == "new"


def test_a_folder_that_became_a_link_is_not_followed(store, work, tmp_path):
    (work / "out").mkdir()
    (work / "out" / "x").write_text("old")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "x").write_text("new")
    taken(store, work / "out" / "x")
    (work / "out" / "x").write_text("new")
    store.seal("s1")
    shutil.rmtree(work / "out")
    (work / "out").symlink_to(tmp_path / "other")
    assert store.restore("s1").refused
    assert store.restore("s1", force=True).refused
    assert (tmp_path / "other" / "x").read_text() == "new"


def test_a_file_that_became_a_link_is_replaced_itself(store, work, tmp_path):
    (tmp_path / "other").write_text("safe")
    taken(store, work / "a.txt")
    (work / "a.txt").unlink()
    (work / "a.txt").symlink_to(tmp_path / "other")
    store.seal("s1")
    assert store.restore("s1").refused == ()
    assert (work / "a.txt").read_text() == "old"
    assert (tmp_path / "other").read_text() == "safe"


def test_names_of_one_file_stay_names_of_one_file(store, work):
    os.link(work / "a.txt", work / "b.txt")
    taken(store, work)
    (work / "b.txt").unlink()
    (work / "a.txt").write_text("new")
    store.seal("s1")
    store.restore("s1")
    assert (work / "a.txt").stat().st_ino == (work / "b.txt").stat().st_ino
    assert (work / "b.txt").read_text() == "old"


def test_what_cannot_be_kept_makes_a_call_irreversible(tmp_path, work):
    small = Store(tmp_path / "state", Limits(file_bytes=100, total_bytes=150, entries=4))
    os.truncate(work / "a.txt", 1 << 40)  # sparse
    assert isinstance(small.take("s1", "", "", [str(work)]), NotKept)
    (work / "a.txt").unlink()
    os.mkfifo(work / "pipe")
    assert isinstance(small.take("s1", "", "", [str(work)]), NotKept)
    (work / "pipe").unlink()
    for number in range(5):
        (work / str(number)).touch()
    assert isinstance(small.take("s1", "", "", [str(work)]), NotKept)
    assert isinstance(small.take("s1", "", "", [str(tmp_path)]), NotKept)  # the store itself
    with pytest.raises(GuardError):
        small.take("../x", "", "", [str(work)])
    with pytest.raises(GuardError):
        small.take("s1", "", "", ["relative"])


def test_a_file_that_cannot_be_read_or_a_full_disk_makes_it_irreversible(store, work, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(disk, "hashed", full)
    found = store.take("s1", "", "", [str(work)])
    assert isinstance(found, NotKept)
    assert "no space" in found.reason
    assert store.all() == ()


def test_an_interrupted_restore_goes_on(store, work, monkeypatch):
    (work / "b.txt").write_text("old")
    before = picture(work)
    taken(store, work)
    (work / "a.txt").write_text("new")
    (work / "b.txt").write_text("new")
    (work / "c.txt").write_text("new")
    store.seal("s1")

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(disk, "finish", stop)
        with pytest.raises(KeyboardInterrupt):
            store.restore("s1")
    assert store.unfinished() == ("s1",)
    (work / ".remit-undo-s1-0").write_text("ol")
    assert store.restore("s1").refused == ()
    assert picture(work) == before
    assert store.unfinished() == ()


def test_what_an_interrupted_restore_left_in_a_folder_of_others_is_cleared_but_not_what_a_person_saved(
    store, work, monkeypatch
):
    (work / "other.txt").write_text("untouched")
    taken(store, work / "a.txt")
    (work / "a.txt").write_text("by the call")
    store.seal("s1")
    with monkeypatch.context() as patch:
        patch.setattr(disk, "finish", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            store.restore("s1")
    left = {"7": "by the call", "8": "ol", "9": "saved by a person in that moment"}
    for number, text in left.items():
        (work / f".remit-undo-s1-{number}").write_text(text)
    store.restore("s1")
    assert sorted(path.name for path in work.iterdir()) == [".remit-undo-s1-9", "a.txt", "other.txt"]
    assert (work / ".remit-undo-s1-9").read_text() == "saved by a person in that moment"


def meanwhile(patch, name, act):
    """Let a person act once, right before or after a step of the restore."""
    step, done = getattr(disk, name), []

    def stepped(*args, **options):
        first = name != "_pour" and not done and (done.append(1) or act())
        found = step(*args, **options)
        if name == "_pour" and not done:
            done.append(1)
            act()
        return found or first

    patch.setattr(disk, name, stepped)


SAVES = {
    "written": lambda path: path.write_text("by a person"),
    "saved as editors do": lambda path: (path.with_name("draft").write_text("by a person"), path.with_name("draft").rename(path)),
    "removed": lambda path: path.unlink(),
}  # fmt: skip


@pytest.mark.parametrize("save", SAVES)
def test_what_a_person_saves_while_it_is_put_back_stays(store, work, monkeypatch, save):
    taken(store, work)
    (work / "a.txt").write_text("by the call")
    store.seal("s1")
    with monkeypatch.context() as patch:
        meanwhile(patch, "_pour", lambda: SAVES[save](work / "a.txt"))
        done = store.restore("s1")
    assert [one.path for one in done.refused] == [str(work / "a.txt")]
    assert [(path.name, path.read_text()) for path in work.iterdir()] == (
        [] if save == "removed" else [("a.txt", "by a person")]
    )


def test_a_file_that_a_person_makes_where_one_is_put_back_stays(store, work, monkeypatch):
    taken(store, work)
    (work / "a.txt").unlink()
    store.seal("s1")
    with monkeypatch.context() as patch:
        meanwhile(patch, "_pour", lambda: (work / "a.txt").write_text("by a person"))
        assert len(store.restore("s1").refused) == 1
    assert [(path.name, path.read_text()) for path in work.iterdir()] == [("a.txt", "by a person")]


def test_what_a_person_saves_while_a_file_of_the_call_is_removed_stays(store, work, monkeypatch):
    taken(store, work)
    (work / "b.txt").write_text("by the call")
    store.seal("s1")
    with monkeypatch.context() as patch:
        meanwhile(patch, "remove", lambda: (work / "b.txt").write_text("by a person"))
        assert [one.path for one in store.restore("s1").refused] == [str(work / "b.txt")]
    assert sorted(path.name for path in work.iterdir()) == ["a.txt", "b.txt"]
    assert (work / "b.txt").read_text() == "by a person"


def test_a_file_that_is_replaced_while_it_is_looked_at_stays(store, work, monkeypatch):
    taken(store, work)
    (work / "a.txt").write_text("by the call")
    store.seal("s1")
    opened = os.open

    def saves(path, *args, **options):
        if path == "a.txt":
            SAVES["saved as editors do"](work / "a.txt")
        return opened(path, *args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", saves)
        assert [one.path for one in store.restore("s1").refused] == [str(work / "a.txt")]
    assert (work / "a.txt").read_text() == "by a person"


def test_the_newest_comes_first_and_old_ones_are_forgotten(store, work):
    for number in range(3):
        (work / "a.txt").write_text(f"state {number}")
        taken(store, work, f"s{number}")
    assert [one.ident for one in store.all("session")] == ["s2", "s1", "s0"]
    assert store.all("another") == ()
    assert store.collect(older_than=0, max_bytes=14) == ("s0",)
    assert store.collect(older_than=store.get("s2").taken, max_bytes=1 << 30) == ("s1",)
    assert len(os.listdir(store._folder / "objects")) == 1


def test_a_record_that_never_came_to_the_disk_is_passed_over(store, work):
    taken(store, work / "a.txt")
    (store._folder / "records" / "s2.json").touch()
    assert [one.ident for one in store.all()] == ["s1"]


def test_half_a_line_at_the_end_of_a_record_says_nothing(store, work):
    taken(store, work / "a.txt")
    (record,) = (store._folder / "records").iterdir()
    whole = record.read_bytes()
    store.seal("s1")
    assert store.get("s1").left is not None
    record.write_bytes(record.read_bytes()[:-9])
    assert store.get("s1").left is None
    record.write_bytes(whole[:-9])
    with pytest.raises(GuardError, match="cannot be read"):
        store.get("s1")


def test_a_record_that_cannot_be_written_keeps_nothing(store, work, monkeypatch):
    def full(*_args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(snapshot_store, "add_line", full)
    found = store.take("s1", "session", "call", [str(work / "a.txt")])
    assert isinstance(found, NotKept)
    assert "no space" in found.reason


def test_a_record_that_was_tampered_with_is_refused(store, work):
    taken(store, work)
    next((store._folder / "records").iterdir()).write_text('{"ident": "s1"}')
    with pytest.raises(GuardError, match="cannot be read"):
        store.restore("s1")


def test_a_plan_never_touches_what_is_as_it_was():
    tree = {"/w": Entry(PathKind.FOLDER, 0o755), "/w/a": Entry(PathKind.FILE, 0o644, 1, "d")}
    assert plan(tree, None, tree).paths == ()


def test_the_buffer_says_what_is_restored_by_the_names_of_snapshots(store, work):
    for number in range(2):
        taken(store, work, f"s{number}")
        (work / "a.txt").write_text(f"call {number}")
        store.seal(f"s{number}")
    closed = Closed(Buffer(), (), ("s1", "s0"))  # the newest first
    assert [store.restore(ident).refused for ident in closed.restore] == [(), ()]
    assert (work / "a.txt").read_text() == "old"


def test_damaged_content_is_not_put_back(store, work):
    taken(store, work / "a.txt")
    next((store._folder / "objects").iterdir()).write_text("other")
    (work / "a.txt").write_text("new")
    store.seal("s1")
    assert "damaged" in store.restore("s1").refused[0].reason
    assert (work / "a.txt").read_text() == "new"
