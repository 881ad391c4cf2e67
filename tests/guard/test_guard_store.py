"""What the guard remembers: compare and set, spent once, and an error for whatever is broken."""

import os
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remit.core.errors import GuardError
from remit.guard import store as store_module
from remit.guard.state_folder import prepared
from remit.guard.store import (
    ApprovalSubject,
    State,
    StoredSession,
    add_grant,
    all_grants,
    answer_approval,
    approval,
    approvals,
    ask_approval,
    expire_approvals,
    forget_file,
    grants,
    load_session,
    open_store,
    revoke_grant,
    save_session,
    spend_approval,
    standing_approval,
    trust_file,
    trusted_digest,
    trusted_files,
)

ASKED = ApprovalSubject("claude-code", "s1", "pdf", "sha256:1")
ANSWERS = [State.ONCE, State.SESSION, State.DENIED, State.SPENT]


@pytest.fixture
def path(tmp_path):
    return prepared(tmp_path / "state").database


@pytest.fixture
def store(path):
    found = open_store(path)
    yield found
    found.close()


def test_a_new_store_is_ours_alone(store, path):
    save_session(store, "h", "s", {}, revision=0, now=1)
    assert {item.stat().st_mode & 0o777 for item in path.parent.iterdir()} == {0o600}
    assert {item.name for item in path.parent.iterdir()} <= {"guard.db", "guard.db-wal", "guard.db-shm"}


def test_a_session_is_replaced_only_by_who_saw_the_newest(store):
    assert load_session(store, "h", "s") is None
    assert save_session(store, "h", "s", {"a": [1, "ä"]}, revision=0, now=1) == 1
    assert save_session(store, "h", "s", {"a": 2}, revision=0, now=2) is None
    assert save_session(store, "h", "s", {"a": 3}, revision=1, now=3) == 2
    assert save_session(store, "h", "s", {"a": 4}, revision=1, now=4) is None
    assert save_session(store, "h", "other", {"a": 5}, revision=7, now=5) is None
    assert load_session(store, "h", "s") == StoredSession(2, {"a": 3})
    assert load_session(store, "h2", "s") is None


@pytest.mark.parametrize("value", [{"a": float("nan")}, {"a": {1}}, {"a": b"x"}])
def test_what_is_not_json_is_not_remembered(store, value):
    with pytest.raises(GuardError):
        save_session(store, "h", "s", value, revision=0, now=1)


def test_writers_at_once_lose_nothing(store, path):
    """200 threads add one each, with two links to the store; every step is kept."""
    save_session(store, "h", "s", {"n": 0}, revision=0, now=1)
    stores = [store, open_store(path)]

    def add(number):
        mine = stores[number % 2]
        while True:
            kept = load_session(mine, "h", "s")
            if save_session(mine, "h", "s", {"n": kept.value["n"] + 1}, revision=kept.revision, now=1):
                return

    with ThreadPoolExecutor(20) as pool:
        list(pool.map(add, range(200)))
    assert load_session(store, "h", "s") == StoredSession(201, {"n": 200})
    stores[1].close()


def test_the_same_question_is_put_once(store):
    first = ask_approval(store, ASKED, {"tool": "Bash"}, now=10, expires=20)
    assert ask_approval(store, ASKED, {"tool": "Bash"}, now=11, expires=30) == first
    others = [ASKED._replace(**{name: "other"}) for name in ASKED._fields]
    ids = {ask_approval(store, other, {}, now=10, expires=20).id for other in others}
    assert len(ids | {first.id}) == 5
    assert ask_approval(store, ASKED, {}, now=20, expires=30).id != first.id
    with pytest.raises(GuardError):
        ask_approval(store, ASKED._replace(subject="late"), {}, now=30, expires=30)


def test_an_approval_admits_once(store):
    asked = ask_approval(store, ASKED, {"tool": "Bash"}, now=10, expires=20)
    assert spend_approval(store, ASKED, now=11) is None
    assert answer_approval(store, asked.id, State.ONCE, now=11).state is State.ONCE
    for name in ASKED._fields:
        assert spend_approval(store, ASKED._replace(**{name: "other"}), now=11) is None
    assert spend_approval(store, ASKED, now=12) == asked._replace(state=State.SPENT)
    assert spend_approval(store, ASKED, now=12) is None
    assert approval(store, asked.id).state is State.SPENT
    with pytest.raises(GuardError):
        answer_approval(store, asked.id, State.ONCE, now=12)


def test_an_approval_is_admitted_once_by_200_at_once(store, path):
    stores = [store, *(open_store(path) for _ in range(3))]
    for number in range(5):
        asked = ASKED._replace(subject=str(number))
        answer_approval(store, ask_approval(store, asked, {}, now=1, expires=9).id, State.ONCE, now=2)
    start = threading.Barrier(50)

    def spend(number):
        start.wait()
        return [spend_approval(stores[number % 4], ASKED._replace(subject=str(i)), now=3) for i in range(5)]

    with ThreadPoolExecutor(50) as pool:
        found = list(pool.map(spend, range(200)))
    assert [sum(row[i] is not None for row in found) for i in range(5)] == [1] * 5
    for other in stores[1:]:
        other.close()


def test_processes_at_once_spend_once(store, path):
    answer_approval(store, ask_approval(store, ASKED, {}, now=1, expires=9).id, State.ONCE, now=2)
    program = (
        "import sys; from pathlib import Path; from remit.guard.store import *\n"
        f"print(spend_approval(open_store(Path(sys.argv[1])), ApprovalSubject(*{tuple(ASKED)}), now=3) is not None)"
    )
    command = [sys.executable, "-c", program, str(path)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    assert sorted(process.communicate(timeout=300)[0].strip() for process in running) == ["False"] * 5 + ["True"]


def test_an_approval_for_the_session_stands(store):
    asked = ask_approval(store, ASKED, {}, now=10, expires=20)
    assert standing_approval(store, ASKED, now=11) is None
    answer_approval(store, asked.id, State.SESSION, now=11)
    assert standing_approval(store, ASKED, now=19).id == asked.id
    assert standing_approval(store, ASKED, now=19).id == asked.id
    assert standing_approval(store, ASKED, now=20) is None
    assert standing_approval(store, ASKED._replace(session="s2"), now=19) is None
    assert spend_approval(store, ASKED, now=12) is None


def test_what_expired_admits_nothing(store):
    asked = ask_approval(store, ASKED, {}, now=10, expires=20)
    with pytest.raises(GuardError):
        answer_approval(store, asked.id, State.ONCE, now=20)
    answer_approval(store, asked.id, State.ONCE, now=19)
    assert spend_approval(store, ASKED, now=20) is None
    assert expire_approvals(store, now=20) == 1
    assert approval(store, asked.id).state is State.EXPIRED
    assert spend_approval(store, ASKED, now=11) is None


def test_only_answers_are_answers(store):
    asked = ask_approval(store, ASKED, {}, now=10, expires=20)
    for state in set(State) - set(ANSWERS):
        with pytest.raises(GuardError):
            answer_approval(store, asked.id, state, now=11)
    with pytest.raises(GuardError):
        answer_approval(store, "nobody", State.ONCE, now=11)
    assert approvals(store, State.PENDING, 11) == (asked,)
    assert approvals(store, State.PENDING, 20) == ()
    assert approval(store, "nobody") is None


@given(st.lists(st.tuples(st.sampled_from(["ask", "spend", *ANSWERS]), st.integers(1, 3)), max_size=30))
def test_never_more_admitted_than_approved(tmp_path_factory, steps):
    store = open_store(prepared(tmp_path_factory.mktemp("s") / "state").database)
    pending, approved, admitted = {}, 0, 0
    for now, (step, subject) in enumerate(steps, 1):
        asked = ASKED._replace(subject=str(subject))
        if step == "ask":
            pending[subject] = ask_approval(store, asked, {}, now=now, expires=1000).id
        elif step == "spend":
            admitted += spend_approval(store, asked, now=now) is not None
        elif subject in pending:
            answer_approval(store, pending.pop(subject), step, now=now)
            approved += step is State.ONCE
        assert admitted <= approved
    store.close()


def test_grants_end_or_are_revoked(store):
    first = add_grant(store, "pdf", {"effect": "allow", "capability": "file.read"}, now=10, expires=20)
    second = add_grant(store, "pdf", {"capability": "web.fetch"}, now=11, expires=None)
    other = add_grant(store, "", {"capability": "pay"}, now=12, expires=None)
    assert grants(store, "pdf", now=12) == (first, second)
    assert grants(store, "pdf", now=20) == (second,)
    assert grants(store, "", now=12) == (other,)
    assert revoke_grant(store, second.id, now=15) == second._replace(revoked=15)
    assert grants(store, "pdf", now=16) == (first,)
    for name in (second.id, "nobody"):
        with pytest.raises(GuardError):
            revoke_grant(store, name, now=16)
    assert len(all_grants(store)) == 3


def test_trusted_files(store):
    assert trusted_digest(store, "/w/a") is None
    trust_file(store, "/w/a", "sha256:1", now=1)
    trust_file(store, "/w/a", "sha256:2", now=2)
    assert trusted_digest(store, "/w/a") == "sha256:2"
    assert trusted_files(store) == {"/w/a": "sha256:2"}
    assert forget_file(store, "/w/a")
    assert not forget_file(store, "/w/a")


def test_changes_of_others_are_noticed(store, path):
    other = open_store(path)
    before = store.changes_of_others()
    save_session(store, "h", "s", {}, revision=0, now=1)
    assert store.changes_of_others() == before
    save_session(other, "h", "s2", {}, revision=0, now=1)
    assert store.changes_of_others() != before
    other.close()


def test_what_was_said_is_there_after_kill_9(path):
    program = (
        "import os, sys; from pathlib import Path; from remit.guard.store import *\n"
        "store = open_store(Path(sys.argv[1]))\n"
        "for n in range(50): save_session(store, 'h', str(n), {'n': n}, revision=0, now=1)\n"
        "os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=False, timeout=300)
    store = open_store(path)
    assert all(load_session(store, "h", str(n)) == StoredSession(1, {"n": n}) for n in range(50))
    store.close()


@pytest.mark.parametrize("data", [b"", b"garbage" * 1000, b"SQLite format 3\0" + b"\0" * 5000])
def test_a_file_that_is_no_store_is_refused(path, data):
    path.write_bytes(data)
    path.chmod(0o600)
    with pytest.raises(GuardError):
        open_store(path)
    assert path.read_bytes() == data


def test_a_store_of_another_program_or_version_is_refused(path):
    open_store(path).close()
    for change in ("PRAGMA user_version = 99", "PRAGMA user_version = 0", "PRAGMA application_id = 1"):
        with sqlite3.connect(path) as link:
            link.execute(change)
        link.close()
        with pytest.raises(GuardError):
            open_store(path)


def test_links_open_files_and_left_overs_are_refused(path):
    open_store(path).close()
    path.chmod(0o640)
    with pytest.raises(GuardError, match="open to others"):
        open_store(path)
    path.chmod(0o600)
    real = path.with_name("real.db")
    path.rename(real)
    path.symlink_to(real)
    with pytest.raises(GuardError, match="plain file"):
        open_store(path)
    path.unlink()
    path.with_name("guard.db-wal").touch()
    with pytest.raises(GuardError, match="is gone"):
        open_store(path)


def test_a_store_that_breaks_while_it_is_used_is_an_error(store, path):
    save_session(store, "h", "s", {"a": 1}, revision=0, now=1)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("UPDATE sessions SET value = '{'")
    with pytest.raises(GuardError, match="broken"):
        load_session(store, "h", "s")
    other.execute("DROP TABLE sessions")
    other.close()
    with pytest.raises(GuardError, match="no such table"):
        load_session(store, "h", "s")
    store.close()
    with pytest.raises(GuardError):
        spend_approval(store, ASKED, now=1)


def test_a_store_that_somebody_holds_is_an_error(path, monkeypatch):
    monkeypatch.setattr(store_module, "_WAIT", 0.1)
    store = open_store(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(GuardError, match="locked"):
        spend_approval(store, ASKED, now=1)
    other.close()
    store.close()


def test_a_full_disk_is_an_error(path):
    program = (
        "import resource, sys; from pathlib import Path; from remit.guard.store import *; from remit.core.errors import *\n"
        "store = open_store(Path(sys.argv[1]))\nresource.setrlimit(resource.RLIMIT_FSIZE, (40000, 40000))\n"
        "try:\n    for n in range(100): save_session(store, 'h', str(n), {'n': 'x' * 5000}, revision=0, now=1)\n"
        "except GuardError as error: print('refused', error.message)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stdout.startswith("refused"), done
    store = open_store(path)
    assert load_session(store, "h", "0") is not None
    store.close()


def test_steps_are_migrated(path, monkeypatch):
    open_store(path).close()
    monkeypatch.setattr(store_module, "_STEPS", (*store_module._STEPS, "CREATE TABLE more (a TEXT) STRICT;"))
    store = open_store(path)
    assert store.rows("SELECT * FROM more") == []
    assert store.rows("PRAGMA user_version") == [(len(store_module._STEPS),)]
    store.close()
    assert os.path.exists(path)


def test_a_store_of_the_first_version_keeps_what_is_in_it(path, monkeypatch):
    steps = store_module._STEPS
    monkeypatch.setattr(store_module, "_STEPS", steps[:1])
    store = open_store(path)
    store.change(
        "INSERT INTO grants (id, principal, entry, created) VALUES ('a', 'pdf', '{}', 1) RETURNING id", durable=True
    )
    store.close()
    monkeypatch.setattr(store_module, "_STEPS", steps)
    store = open_store(path)
    assert [one.id for one in grants(store, "pdf", now=2, workspace="/w", content="sha256:1")] == ["a"]
    store.close()


def test_a_grant_holds_in_its_workspace_and_for_its_content_only(store):
    given = add_grant(store, "pdf", {"capability": "pay"}, now=1, expires=9, workspace="/w", content="sha256:1")
    assert grants(store, "pdf", now=2, workspace="/w", content="sha256:1") == (given,)
    for workspace, content in (("/w", "sha256:2"), ("/v", "sha256:1"), ("", ""), ("/w", "")):
        assert grants(store, "pdf", now=2, workspace=workspace, content=content) == ()
    assert given.holds(8)
    assert not given.holds(9)


def test_a_denial_stands_for_the_session(store):
    put = ask_approval(store, ASKED, {}, now=1, expires=10)
    answer_approval(store, put.id, State.DENIED, now=2, who="uid 1")
    found = standing_approval(store, ASKED, now=3)
    assert (found.state, found.who) == (State.DENIED, "uid 1")
    assert standing_approval(store, ASKED, now=10) is None
