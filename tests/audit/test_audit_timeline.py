"""Pages of a log by filters: the same records as a walk through all of them, however they are cut."""

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from audit_entries import DIGEST, START, decision, effect, ticking
from hypothesis import given, settings
from hypothesis import strategies as st

from remit.audit import Filter, Log, Outcome, timeline
from remit.audit.entry import ALARM, NOT_LET_THROUGH, Entry, RecordKind
from remit.audit.timeline import Timeline, Unreadable

OTHER = "sha256:" + "1" * 64
WORDS = st.sampled_from(["", "s1", "pdf", "50%_\\", 'say "hi"', "ß\n"])
ENTRIES = st.builds(
    lambda number, session, principal, tool, note, ended: (
        effect(number, session=session, principal=principal, tool=tool, reason=note)
        if ended
        else decision(number, session=session, principal=principal, tool=tool, reason=note)
    ),
    st.integers(1, 5), WORDS, WORDS, WORDS, WORDS, st.booleans(),
)  # fmt: skip
FILTERS = st.builds(
    lambda session, principal, tool, text, kind, since, until: Filter(
        session=session, principal=principal, tool=tool, text=text, kind=kind,
        since=since and START + since * 1_000_000, until=until and START + until * 1_000_000,
    ),
    WORDS, WORDS, WORDS, WORDS.map(str.upper), st.sampled_from(["", "decision", "effect"]), st.integers(0, 12), st.integers(0, 12),
)  # fmt: skip


def every(looked, wanted, size=2, **more):
    """All pages, one after the other."""
    found, before = [], 0
    while True:
        page = looked.page(wanted, before=before, size=size, **more)
        assert len(page.records) <= size
        found += page.records
        if not page.before:
            return found
        assert not before or page.before < before
        before = page.before


@settings(max_examples=60)
@given(st.lists(ENTRIES, max_size=12), FILTERS, st.integers(1, 4))
def test_pages_are_what_a_walk_through_the_log_finds(entries, wanted, size):
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patched:
        patched.setattr(timeline, "_STEP", 3)
        patched.setattr(timeline, "_WINDOW", 4)
        with ticking(Log.open(Path(name))) as log:
            for entry in entries:
                log.append(entry)
            with closing(Timeline(Path(name))) as looked:
                walked = list(log.records(wanted))[::-1]
                assert every(looked, wanted, size) == walked
                log.append(decision())
                assert every(looked, wanted, size) == list(log.records(wanted))[::-1]


def test_alarms_are_what_must_not_be(tmp_path):
    entries = [
        decision(),
        effect(judged=DIGEST),
        effect(judged=OTHER),
        effect(judged="", reason=f"{NOT_LET_THROUGH}; and more"),
        Entry(kind=RecordKind.EFFECT, op=ALARM, outcome=Outcome.UNKNOWN, reason="write x: nobody admitted it"),
        Entry(kind=RecordKind.ENVELOPE, host="gateway", event=ALARM, op="turns.once"),
        decision(reason=f"not: {NOT_LET_THROUGH}"),
    ]
    with Log.open(tmp_path) as log:
        log.append(*entries)
    with closing(Timeline(tmp_path)) as looked:
        assert [one.number for one in every(looked, Filter(), alarms=True)] == [6, 5, 4, 3]
        assert looked.count_alarms() == 4


def test_a_record_that_was_changed_is_shown_as_one_that_cannot_be_read(tmp_path):
    with Log.open(tmp_path) as log:
        log.append(*map(decision, range(1, 4)))
    with closing(sqlite3.connect(tmp_path / "audit.db")) as store:
        store.execute("DROP TRIGGER record_stays")
        store.execute("UPDATE record SET text = CAST('no JSON' AS BLOB) WHERE number = 2")
        store.commit()
    with closing(Timeline(tmp_path)) as looked:
        assert [type(one) for one in looked.page(Filter()).records][1] is Unreadable
        assert [one.number for one in every(looked, Filter(session="s1"))] == [3, 1]
        assert [one.number for one in every(looked, Filter(), alarms=True)] == [2]
        assert isinstance(looked.record(2), Unreadable)
        assert looked.record(9) is None


def test_values_of_a_field_come_in_their_order_each_once(tmp_path):
    with Log.open(tmp_path) as log:
        log.append(*(decision(session=name) for name in ("b", "a", "b", "")))
    with closing(Timeline(tmp_path)) as looked:
        assert looked.values("session") == ()
        assert looked.index()
        assert looked.values("session") == ("a", "b")
        assert looked.values("session", 1) == ("a",)


def test_whoever_waits_for_a_verification_is_told_how_far_it_is(tmp_path, monkeypatch):
    from audit_entries import checkers

    from remit.audit import verify

    monkeypatch.setattr(verify, "_STEP", 4)
    with Log.open(tmp_path) as log:
        log.append(*map(decision, range(1, 11)))
    told = []
    found = verify.verify_log(tmp_path, checkers(tmp_path), step=told.append)
    assert isinstance(found, verify.IntactLog)
    assert told == [1, 5, 9]
