"""Marks: the store in SQLite does what the pure step says, one of two racers wins, and a broken store is never a yes."""

import os
import sqlite3
import subprocess
import sys
from itertools import product

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from remit.core.errors import AuthorityError
from remit.executor.replay.memory import Finish, Forget, Mark, Marked, State, step
from remit.executor.replay.sql import SqliteMemory

names, owners, times = st.sampled_from("abc"), st.sampled_from(("one", "two")), st.integers(0, 12)
ends = st.sampled_from((State.DONE, State.FAILED, State.UNKNOWN, State.STARTED))


class Histories(RuleBasedStateMachine):
    """Random histories, on the store and on a dict of pure steps."""

    def __init__(self):
        super().__init__()
        self.store = SqliteMemory(self.fresh())
        self.known = {}
        self.now = 0

    def fresh(self):
        from pathlib import Path
        from tempfile import mkdtemp

        self.path = Path(mkdtemp()) / "marks.db"
        return self.path

    def apply(self, name, event):
        after, took_effect = step(self.known.get(name), event, self.now)
        self.known = {**self.known, name: after} if after else {k: v for k, v in self.known.items() if k != name}
        return took_effect

    @rule(name=names, owner=owners, expires=times)
    def mark(self, name, owner, expires):
        assert self.store.mark(name, owner, expires, self.now) is self.apply(name, Mark(owner, expires))

    @rule(name=names, owner=owners, state=ends)
    def finish(self, name, owner, state):
        self.store.finish(name, owner, state)
        self.apply(name, Finish(owner, state))

    @rule()
    def forget(self):
        assert self.store.forget(self.now) == sum([self.apply(name, Forget()) for name in list(self.known)])

    @rule(passed=st.integers(1, 4))
    def pass_time(self, passed):
        self.now += passed

    @precondition(lambda self: self.known)
    @rule()
    def restart(self):
        self.store.close()
        self.store = SqliteMemory(self.path)

    @invariant()
    def the_same_is_known(self):
        rows = sqlite3.connect(self.path).execute("SELECT name, owner, state, expires FROM action").fetchall()
        assert {name: Marked(owner, State(state), expires) for name, owner, state, expires in rows} == self.known
        for owner in ("one", "two"):
            left = {name for name, one in self.known.items() if one[:2] == (owner, State.STARTED)}
            assert set(self.store.unfinished(owner)) == left

    def teardown(self):
        self.store.close()


TestHistories = Histories.TestCase
TestHistories.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)


def test_no_history_marks_an_action_twice_while_its_proofs_live():
    """All histories of five events: a second mark takes effect only after the first one's time."""
    events = [
        (Mark("one", 4), 0),
        (Mark("two", 4), 1),
        (Finish("one", State.DONE), 1),
        (Forget(), 1),
        (Forget(), 5),
        (Mark("one", 9), 5),
    ]
    for history in product(events, repeat=5):
        known, now, held = None, 0, 0
        for event, at in history:
            now = max(now, at)
            known, took_effect = step(known, event, now)
            if isinstance(event, Mark) and took_effect:
                assert now >= held
                held = event.expires


def test_a_mark_without_time_left_is_refused(tmp_path):
    store = SqliteMemory(tmp_path / "marks.db")
    assert not store.mark("a", "one", 10, 10)
    assert store.mark("a", "one", 11, 10)
    store.close()


RACER = """
import sys
from pathlib import Path
from remit.executor.replay.sql import SqliteMemory
store = SqliteMemory(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
won = [number for number in range(1000) if store.mark(f"action {number}", sys.argv[2], 100, 1)]
print(*won)
"""


def test_of_two_processes_one_wins_each_of_a_thousand_races(tmp_path):
    path = tmp_path / "marks.db"
    SqliteMemory(path).close()
    racers = [
        subprocess.Popen([sys.executable, "-c", RACER, str(path), name], stdin=-1, stdout=-1, text=True)
        for name in ("one", "two")
    ]
    for racer in racers:
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        racer.stdin.write("go\n")
        racer.stdin.flush()
    won = [[int(word) for word in racer.communicate()[0].split()] for racer in racers]
    assert sorted(won[0] + won[1]) == list(range(1000))


# flaw 11: a replay store that fails open. Whatever is wrong with the file, the answer is never yes


def refused(use):
    with pytest.raises(AuthorityError, match="memory of actions"):
        use()


def test_flaw_11_a_broken_file_is_refused(tmp_path):
    path = tmp_path / "marks.db"
    path.write_bytes(b"this is no database" * 100)
    refused(lambda: SqliteMemory(path))


def test_flaw_11_a_folder_that_is_not_there_is_refused(tmp_path):
    refused(lambda: SqliteMemory(tmp_path / "nowhere" / "marks.db"))


def test_flaw_11_a_file_that_breaks_under_way_is_refused(tmp_path):
    path = tmp_path / "marks.db"
    store = SqliteMemory(path)
    assert store.mark("a", "one", 10, 1)
    other = sqlite3.connect(path)
    other.execute("DROP TABLE action")
    other.commit()
    refused(lambda: store.mark("b", "one", 10, 1))
    refused(lambda: store.finish("a", "one", State.DONE))
    refused(lambda: store.unfinished("one"))
    refused(lambda: store.forget(5))


def test_flaw_11_a_table_without_its_key_is_refused(tmp_path):
    """Without a primary key an insertion would always succeed."""
    path = tmp_path / "marks.db"
    made = sqlite3.connect(path)
    made.execute("CREATE TABLE action (name TEXT, owner TEXT, state TEXT, expires INTEGER)")
    made.commit()
    store = SqliteMemory(path)
    refused(lambda: store.mark("a", "one", 10, 1))


@pytest.mark.parametrize("replace", [False, True])
def test_flaw_11_a_file_that_was_taken_away_is_refused(tmp_path, replace):
    path = tmp_path / "marks.db"
    store = SqliteMemory(path)
    os.rename(path, tmp_path / "elsewhere.db")
    if replace:
        SqliteMemory(path).close()
    refused(lambda: store.mark("a", "one", 10, 1))


def test_flaw_11_a_store_that_can_not_be_written_is_refused(tmp_path):
    store = SqliteMemory(tmp_path / "marks.db")
    store._store._link.execute("PRAGMA query_only = ON")  # what a file system mounted for reading does
    refused(lambda: store.mark("a", "one", 10, 1))


def test_flaw_11_a_full_disk_is_refused(tmp_path):
    store = SqliteMemory(tmp_path / "marks.db")
    pages = store._store._link.execute("PRAGMA page_count").fetchone()[0]
    store._store._link.execute(f"PRAGMA max_page_count = {pages}")

    def fill():
        for number in range(10_000):
            assert store.mark(f"action {number}", "one", 10, 1)

    with pytest.raises(AuthorityError, match="full"):
        fill()


def test_flaw_11_a_locked_store_is_refused(tmp_path):
    path = tmp_path / "marks.db"
    store = SqliteMemory(path)
    store._store._link.execute("PRAGMA busy_timeout = 50")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    refused(lambda: store.mark("a", "one", 10, 1))
    other.execute("ROLLBACK")
    assert store.mark("a", "one", 10, 1)


def test_flaw_11_a_closed_store_is_refused(tmp_path):
    store = SqliteMemory(tmp_path / "marks.db")
    store.close()
    refused(lambda: store.mark("a", "one", 10, 1))


def test_a_mark_is_on_the_disk_in_the_safest_way(tmp_path):
    store = SqliteMemory(tmp_path / "marks.db")
    assert store._store._link.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._store._link.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_mark_waits_for_the_disk_and_its_end_does_not(tmp_path):
    """The end is in the log before; every effect waited twice for the disk after it had happened."""
    store = SqliteMemory(tmp_path / "marks.db")

    def waits():
        return store._store._link.execute("PRAGMA synchronous").fetchone() == (2,)

    assert store.mark("a", "one", 10, 1)
    assert waits()
    store.finish("a", "one", State.DONE)
    assert not waits()
    assert store.mark("b", "one", 10, 1)
    assert waits()
    assert (store.state("a"), store.state("b")) == (State.DONE, State.STARTED)
