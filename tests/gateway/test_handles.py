"""A handle is of one caller in one session, goes where it may, and its value lies nowhere in plain."""

import itertools
import sqlite3

import pytest
from gatekeys import HOUR, NOW
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from by_day import many
from remit.core.errors import AuthorityError
from remit.gateway.acts import RefusedError
from remit.gateway.handles import (
    EndSession,
    Handle,
    Handles,
    Limits,
    Mint,
    Revoke,
    Secret,
    Sensitivity,
    Spent,
    Use,
    spend,
    step,
)
from remit.gateway.state import KEY_BYTES, Vault, read_vault

SECRET = b"the value that nobody reads 0123456789"
LOW = Handle("s1", "alice", Sensitivity.LOW, frozenset({"example.org", "runtime"}), NOW + HOUR)
HIGH = LOW._replace(sensitivity=Sensitivity.HIGH)
USE = Use("s1", "alice", "example.org")


def code_of(work):
    with pytest.raises(RefusedError) as raised:
        work()
    return raised.value.refused.code


def test_a_value_goes_where_it_may(handles):
    name = handles.mint(SECRET, LOW, NOW)
    assert len(name) == 32
    assert handles.use(name, USE, NOW) == SECRET
    assert handles.use(name, USE._replace(sink="runtime"), NOW) == SECRET


@pytest.mark.parametrize(
    ("use", "now", "code"),
    [
        (USE._replace(sink="evil.example"), NOW, "HANDLE_SINK"),
        (USE._replace(sink=""), NOW, "HANDLE_SINK"),
        (USE._replace(caller="bob"), NOW, "HANDLE_UNKNOWN"),
        (USE._replace(session="s2"), NOW, "HANDLE_UNKNOWN"),
        (USE, NOW + HOUR, "HANDLE_EXPIRED"),
    ],
)
def test_and_nowhere_else(use, now, code, handles):
    name = handles.mint(SECRET, LOW, NOW)
    assert code_of(lambda: handles.use(name, use, now)) == code
    assert code_of(lambda: handles.check(name, use, now)) == code
    assert code_of(lambda: handles.use("0" * 32, use, now)) == "HANDLE_UNKNOWN"


def test_a_high_value_is_never_shown(handles):
    for sinks in ({"runtime"}, {"*"}, {"runtime", "*"}):
        name = handles.mint(SECRET, HIGH._replace(sinks=frozenset(sinks)), NOW)
        assert code_of(lambda name=name: handles.use(name, USE._replace(sink="runtime"), NOW)) == "HANDLE_HIGH"
    anywhere = handles.mint(SECRET, LOW._replace(sinks=frozenset({"*"})), NOW)
    assert handles.use(anywhere, USE, NOW) == SECRET
    assert code_of(lambda: handles.use(anywhere, USE._replace(sink="runtime"), NOW)) == "HANDLE_SINK"
    assert code_of(lambda: handles.use(anywhere, USE._replace(sink="?"), NOW)) == "HANDLE_SINK"


def test_what_is_revoked_is_gone(handles, tmp_path):
    first, second, other = (handles.mint(SECRET, one, NOW) for one in (LOW, LOW, LOW._replace(session="s2")))
    assert code_of(lambda: handles.revoke(first, Revoke("s1", "bob"), NOW)) == "HANDLE_UNKNOWN"
    handles.revoke(first, Revoke("s1", "alice"), NOW)
    assert code_of(lambda: handles.use(first, USE, NOW)) == "HANDLE_REVOKED"
    assert handles.end_session("s1", NOW) == 1
    assert code_of(lambda: handles.use(second, USE, NOW)) == "HANDLE_REVOKED"
    assert handles.use(other, USE._replace(session="s2"), NOW) == SECRET
    kept = sqlite3.connect(tmp_path / "handles.db").execute("SELECT count(*) FROM handle WHERE sealed IS NOT NULL")
    assert kept.fetchone() == (1,)


def test_values_are_tied_to_their_rows(handles, tmp_path):
    """Who can write the file can not widen a handle, nor put a value under another one."""
    first = handles.mint(SECRET, LOW, NOW)
    second = handles.mint(b"another", LOW._replace(caller="bob"), NOW)
    for change in (
        "UPDATE handle SET sinks = 'evil.example example.org' WHERE id = ?",
        "UPDATE handle SET until = until + 9999 WHERE id = ?",
        "UPDATE handle SET sensitivity = 'high' WHERE id = ?",
        f"UPDATE handle SET sealed = (SELECT sealed FROM handle WHERE id = '{second}') WHERE id = ?",
    ):
        with sqlite3.connect(tmp_path / "handles.db") as link:
            row = link.execute("SELECT * FROM handle WHERE id = ?", (first,)).fetchone()
            link.execute(change, (first,))
        with pytest.raises(AuthorityError, match="was changed"):
            handles.use(first, USE, NOW)
        with sqlite3.connect(tmp_path / "handles.db") as link:
            link.execute("INSERT OR REPLACE INTO handle VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    assert handles.use(first, USE, NOW) == SECRET


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=st.binary(min_size=8, max_size=2000), high=st.booleans())
def test_no_value_lies_in_the_bytes_of_the_file(value, high, tmp_path_factory):
    value = b"value:" + value  # not a run of zeros, of which a file has many
    folder = tmp_path_factory.mktemp("handles")
    store = Handles(folder / "handles.db", Vault(b"k" * 32))
    name = store.mint(value, HIGH if high else LOW, NOW)
    store.keep_secret("token", Secret(value, Sensitivity.HIGH, frozenset({"example.org"})))
    assert store.use(name, USE, NOW) == value
    assert store.secret("token").value == value
    data = b"".join(path.read_bytes() for path in folder.iterdir())
    assert value not in data
    assert value.hex().encode() not in data
    assert (folder / "handles.db").stat().st_mode & 0o777 == 0o600
    store.close()
    other = Handles(folder / "handles.db", Vault(b"x" * 32))
    with pytest.raises(AuthorityError):
        other.use(name, USE, NOW)
    other.close()


def private(path):
    path.write_bytes(bytes(KEY_BYTES))
    path.chmod(0o600)


def test_the_key_file_is_private(tmp_path):
    private(tmp_path / "key")
    sealed = read_vault(tmp_path / "key").seal(b"x", {"a": 1})
    assert read_vault(tmp_path / "key").unseal(sealed, {"a": 1}) == b"x"
    (tmp_path / "key").chmod(0o640)
    with pytest.raises(AuthorityError, match="opened by others"):
        read_vault(tmp_path / "key")
    with pytest.raises(AuthorityError):
        Vault(b"short")


def test_a_budget_is_of_items_and_of_bytes(handles):
    limits = Limits(3, 100)
    actions = map(str, itertools.count())

    def spend(channel, size):
        handles.spend(next(actions), channel, limits, size)

    spend("a", 60)
    assert code_of(lambda: spend("a", 41)) == "BUDGET_SPENT"
    spend("a", 40)
    assert code_of(lambda: spend("a", 1)) == "BUDGET_SPENT"
    for _ in range(3):
        spend("b", 0)
    assert code_of(lambda: spend("b", 0)) == "BUDGET_SPENT"


def test_an_action_that_is_refused_has_spent_nothing(handles):
    for _ in range(2):
        assert code_of(lambda: handles.spend("one", "a", Limits(1, 10), 11)) == "BUDGET_SPENT"
    handles.spend("one", "a", Limits(1, 10), 10)


@given(st.lists(st.integers(0, 80)), st.integers(0, 8), st.integers(0, 300))
def test_a_budget_is_never_exceeded(sizes, items, size):
    spent, shown = Spent(), []
    for one in sizes:
        after = spend(spent, Limits(items, size), one)
        if after is not None:
            spent = after
            shown.append(one)
    assert len(shown) <= items
    assert sum(shown) <= size


HANDLES = st.sampled_from([None, LOW, HIGH, LOW._replace(revoked=True), LOW._replace(caller="bob")])
EVENTS = st.one_of(
    st.builds(Use, st.sampled_from(["s1", "s2"]), st.sampled_from(["alice", "bob"]), st.sampled_from(["example.org", "runtime", "?", ""])),
    st.builds(Revoke, st.sampled_from(["s1", "s2"]), st.sampled_from(["alice", "bob"])),
    st.builds(EndSession, st.sampled_from(["s1", "s2"])),
    st.builds(Mint, st.sampled_from([LOW, HIGH])),
)  # fmt: skip


@settings(max_examples=many(300))
@given(HANDLES, EVENTS, st.sampled_from([NOW, NOW + HOUR]))
def test_a_value_is_opened_for_its_caller_alone(known, event, now):
    after, code = step(known, event, now)
    if code:
        assert after == known
    elif isinstance(event, Use):
        assert after == known
        assert (known.session, known.caller, known.revoked) == (event.session, event.caller, False)
        assert now < known.until
        assert event.sink in known.sinks
        assert event.sink != "runtime" or known.sensitivity is Sensitivity.LOW
    if known is not None and known.revoked:
        assert after.revoked


def test_every_way_of_four_events():
    """All of them, with time passing: a value that was revoked, whose session ended or whose time is over is never opened."""
    whose = [("s1", "alice"), ("s1", "bob"), ("s2", "alice")]
    events = [
        *(Use(*one, sink) for one in whose for sink in ("example.org", "runtime", "elsewhere")),
        *(Revoke(*one) for one in whose), EndSession("s1"), EndSession("s2"),
    ]  # fmt: skip
    for minted in (LOW, HIGH):
        short = minted._replace(until=NOW + 3)
        for way in itertools.product(events, repeat=4):
            known, code = step(None, Mint(short), NOW)
            assert code == ""
            gone = False
            for number, event in enumerate(way):
                known, code = step(known, event, NOW + number + 1)
                if isinstance(event, Use) and not code:
                    assert not gone
                    assert number + 1 < 3
                    assert event[:2] == ("s1", "alice")
                    assert event.sink in short.sinks
                    assert minted is LOW or event.sink != "runtime"
                gone |= not code and isinstance(event, Revoke | EndSession)
                assert known.revoked == gone
