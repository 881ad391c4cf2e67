"""Two gateways with one database serve one office; and a database does what files do."""

import sys
import threading
from pathlib import Path

import pytest
from gatekeys import APPROVER_KEY, NOW, credential_of
from gateworld import APPROVERS, World
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from each_row import each_row
from remit.core.errors import AuthorityError, UsageError
from remit.executor.tables import Database, PostgresState
from remit.gateway.acts import RefusedError
from remit.gateway.handles import Handle, Handles, Limits, Revoke, Secret, Sensitivity, Use
from remit.gateway.local import Message, Notes
from remit.gateway.state import Vault, database_of
from remit.gateway.transactions import (
    Commit,
    Finish,
    Outcome,
    Refuse,
    Release,
    Transaction,
    Transactions,
    approve,
    deliver,
)

sys.path.insert(0, str(Path(__file__).parents[1] / "executor"))
from servers import postgres_folder, postgres_store

pytestmark = pytest.mark.skipif(postgres_folder() is None, reason="PostgreSQL of Debian is not installed")
MAIL = {"to": "boss@example.org", "text": "good morning"}
SECRET_MAIL = {**MAIL, "text": "TLP:RED for you"}
VAULT = Vault(b"v" * 32)


@pytest.fixture(scope="module")
def server():
    with postgres_store() as store:
        yield store


@pytest.fixture
def database(server):
    """A database without anything of a gateway in it."""
    import psycopg

    with psycopg.connect(server.address, autocommit=True) as link:
        link.execute("DROP SCHEMA IF EXISTS remit_gateway CASCADE")
    return Database(server.address)


@pytest.fixture
def office(database, tmp_path):
    """Two gateways of one office."""
    worlds = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        worlds.append(World(tmp_path / name, database, name))
    yield worlds
    for world in worlds:
        world.close()


def test_what_one_gateway_previewed_another_one_commits_once(office):
    one, two = office
    first = one.act("SendMessage", SECRET_MAIL)
    assert first.status == "CONFIRM"
    two.approve(first.tx_id)
    two.executor = one.executor  # there is one for both
    assert two.act("SendMessage", SECRET_MAIL, first.tx_id).status == "OK"
    assert one.act("SendMessage", SECRET_MAIL, first.tx_id).reason_code == "TX_DONE"
    assert (len(one.happened), len(two.happened)) == (1, 0)


def test_what_one_gateway_keeps_or_takes_back_the_other_one_knows(office):
    one, two = office
    one.done("MemoryWrite", {"key": "k", "text": "remember"})
    assert two.act("MemoryRead", {"key": "k"}).data["text"] == "remember"
    one.handles.keep_secret("token", Secret(b"value", Sensitivity.LOW, frozenset({"runtime"})))
    one.handles.keep_secret("token", Secret(b"another", Sensitivity.LOW, frozenset({"runtime"})))
    handle = two.act("ReadSecret", {"name": "token"}).data["handle"]
    assert one.act("DescribeHandle", {"handle": handle}).data["state"] == "live"
    assert one.act("RevokeSession", {}).status == "OK"
    assert two.act("DescribeHandle", {"handle": handle}).reason_code == "SESSION_REVOKED"
    other = credential_of("alice", session="s2")
    assert two.act("MemoryList", {}, who=other).data["keys"] == ["k"]


def test_values_do_not_lie_in_plain_in_a_database(office, server):
    import psycopg

    office[0].done("MemoryWrite", {"key": "k", "text": "nobody else may read this"})
    office[0].act("SendMessage", SECRET_MAIL)
    with psycopg.connect(server.address) as link:
        tables = link.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'remit_gateway'").fetchall()
        rows = [link.execute(f"SELECT * FROM remit_gateway.{name}").fetchall() for (name,) in tables]
    assert len(tables) == 9
    assert "nobody else" not in str(rows)
    assert "TLP" not in str(rows)


PLAIN = Transaction("alice", "s1", "SendMessage", "a" * 32, "0" * 64, "c" * 64, NOW + 120, "80", False, "p")


def test_of_many_who_commit_at_once_at_two_gateways_one_does(database):
    stores = [Transactions(database, VAULT, f"gateway {number % 2}") for number in range(4)]
    name = stores[0].begin(PLAIN, MAIL, NOW)
    codes = []
    commit = Commit("alice", "s1", "c" * 64)
    work = [threading.Thread(target=lambda s=store: codes.append(s.apply(name, commit, NOW))) for store in stores]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert sorted(codes) == ["", "TX_USED", "TX_USED", "TX_USED"]
    for store in stores:
        store.close()


def test_a_gateway_that_starts_again_knows_what_it_was_committing_and_leaves_the_others_alone(database):
    one, two, again = (Transactions(database, VAULT, name) for name in ("one", "two", "one"))
    names = [store.begin(PLAIN, MAIL, NOW) for store in (one, two)]
    for store, name in zip((one, two), names, strict=True):
        assert store.apply(name, Commit("alice", "s1", "c" * 64), NOW) == ""
    assert [one.id for one in again.taken(NOW, own=True)] == names[:1]
    assert again.taken(NOW) == ()
    assert {one.id for one in again.taken(NOW + 1)} == set(names)
    for store in (one, two, again):
        store.close()


def test_a_database_that_is_away_is_an_error_and_comes_back(server, database):
    store = Transactions(database, VAULT)
    name = store.begin(PLAIN, MAIL, NOW)
    server.crash()
    with pytest.raises(AuthorityError, match="cannot be used"):
        store.get(name)
    server.start()
    assert store.get(name) == PLAIN  # what it said is on the disk
    store.close()


@each_row("address", ["", "mysql://x", "redis://x"])
def test_an_address_that_is_none_is_refused(address, tmp_path):
    path = tmp_path / "address"
    path.write_text(address)
    path.chmod(0o600)

    class Settings:
        files = {"state-server": path}  # noqa: RUF012

        @staticmethod
        def file(_):
            return path

    with pytest.raises(UsageError):
        database_of(Settings)


ASKED = PLAIN._replace(confirm=True)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["begin", "ask", "commit", "confirm", "release", "finish", "refuse", "sweep", "taken", "waiting"]
        ),
        st.integers(0, 3),
        st.integers(0, 200),
    ),
    max_size=25,
)


def played(store, steps):
    """What a store of transactions says, without the names that it draws."""
    names, said, events = [], [], {"release": Release(), "finish": Finish(), "refuse": Refuse()}
    for what, which, later in steps:
        name, now = names[which % len(names)] if names else "0" * 32, NOW + later
        if what in ("begin", "ask"):
            if now < PLAIN.until:
                one = ASKED._replace(session=f"s{which % 2}") if what == "ask" else PLAIN
                names.append(store.begin(one._replace(preview=digest_of(one, MAIL)), MAIL, now))
        elif what == "confirm":
            found = [one for one in store.waiting(now) if one.id == name]
            said.append(
                [deliver(store, name, approve(one, "anna", APPROVER_KEY).to_json(), APPROVERS, now) for one in found]
            )
        elif what == "waiting":
            said.append(sorted(names.index(one.id) for one in store.waiting(now)))
        elif what == "taken":
            said.append(sorted(names.index(one.id) for one in store.taken(now)))
        elif what == "commit":
            said.append(store.apply(name, Commit("alice", f"s{which % 2 + 1}", "c" * 64), now))
        elif what in events:
            said.append(store.apply(name, events[what], now, Outcome("done", "", f"ended {which}")))
        kept = store.entry(name)
        # those of one second come in the order of names that are drawn, which also decides which two of more are returned
        found = sorted((one.transaction for one in store.named(PLAIN.action_id[:9])), key=repr)
        said.append((kept and kept[1:], found if len(names) <= 2 else len(found)))
    return said


def digest_of(one, inputs):
    from remit.authority.values.confirmation import preview_digest

    return preview_digest(one, inputs)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
@example(steps=[("ask", 0, 111), ("begin", 0, 111), ("begin", 0, 0)])
def test_a_database_says_what_a_file_says(steps, server, tmp_path_factory):
    import psycopg

    with psycopg.connect(server.address, autocommit=True) as link:
        link.execute("DROP SCHEMA IF EXISTS remit_gateway CASCADE")
    both = [
        Transactions(place, VAULT, "one")
        for place in (Database(server.address), tmp_path_factory.mktemp("tx") / "x.db")
    ]
    first, second = (played(store, steps) for store in both)
    assert first == second
    for store in both:
        store.close()


def test_handles_budgets_and_messages_of_a_database(database):
    handles, notes = Handles(database, VAULT), Notes(database, VAULT)
    kept = Handle("s1", "alice", Sensitivity.LOW, frozenset({"example.org"}), NOW + 60)
    name = handles.mint(b"value", kept, NOW)
    assert handles.use(name, Use("s1", "alice", "example.org"), NOW) == b"value"
    handles.revoke(name, Revoke("s1", "alice"), NOW)
    with pytest.raises(RefusedError, match="HANDLE_REVOKED"):
        handles.use(name, Use("s1", "alice", "example.org"), NOW)
    for _ in range(2):
        handles.spend("once", "channel", Limits(items=1, size=10), 5)
    with pytest.raises(RefusedError, match="BUDGET_SPENT"):
        handles.spend("another", "channel", Limits(items=1, size=10), 5)
    for text in ("first", "second"):
        notes.send("s1", Message("alice", text), "bob")
    assert [one.text for one in notes.receive("s1", "bob")] == ["first", "second"]
    assert notes.receive("s1", "bob") == []
    handles.close()
    notes.close()


def test_a_change_that_fails_leaves_nothing(database):
    state = PostgresState(
        database.address, "CREATE TABLE IF NOT EXISTS thing (name TEXT PRIMARY KEY, at INTEGER NOT NULL)"
    )
    with pytest.raises(ValueError, match="no"), state.change() as link:  # noqa: PT012
        link.execute("INSERT INTO thing VALUES (?, ?)", ("a", 1))
        raise ValueError("no")
    with state.look() as link:
        assert link.execute("SELECT count(*) FROM thing").fetchone()[0] == 0
    state.close()
