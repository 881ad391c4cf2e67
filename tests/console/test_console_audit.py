"""The log in the console: found by filters, whole, and believed only as far as its chain was verified."""

import shutil
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "audit"))

from audit_entries import decision, effect

from remit.audit import Log, Outcome
from remit.audit.entry import ALARM, Entry, RecordKind
from remit.guard.audit_key import audit_signer

STRANGE = "\u202etxt.exe\x1b[31m<script>alert(1)</script>"


@pytest.fixture
def log(settings):
    """A log of two sessions, with a change that nobody admitted."""
    with Log.open(settings.state, audit_signer) as found:
        for number in range(1, 41):
            found.append(decision(number), effect(number, judged="sha256:" + "0" * 64))
        found.append(
            decision(99, Outcome.DENY, session="s2", tool="Bash", principal=STRANGE, reason=f"no: {STRANGE}"),
            effect(98, session="s2", tool="Bash", judged="sha256:" + "1" * 64),
            Entry(
                kind=RecordKind.EFFECT,
                session="s2",
                op=ALARM,
                outcome=Outcome.UNKNOWN,
                reason="create x: nobody admitted it",
            ),
        )
        found.sign()
        yield found


def numbers(text):
    """The records of a page, in their order."""
    return [int(part.split('"')[0].split("?")[0]) for part in text.split("/audit/record/")[1:]]


def verified(client, running, name="guard"):
    """A verification, begun as the page does, and what the page says when it has ended."""
    answer = client.post(f"/audit/verify?log={name}", data={"token": running.token(client)})
    assert answer.status_code == 303
    for _ in range(1500):
        if not client.get(f"/audit/standing?log={name}").json()["running"]:
            return client.get(f"/audit?log={name}").text
        time.sleep(0.02)
    raise AssertionError("it did not end")


def test_pages_follow_one_another_down_to_the_first_record(log, client):
    first = client.get("/audit").text
    assert numbers(first) == list(range(83, 33, -1))
    assert numbers(client.get("/audit?before=34").text) == list(range(33, 0, -1))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("session=s2", [83, 82, 81]), ("decision=deny", [81]), ("tool=Bash", [82, 81]), ("session=s2&tool=Bash&decision=deny", [81]),
        ("text=NOBODY%20ADMITTED", [83]), ("since=1h&session=s2", [83, 82, 81]), ("until=1h", []), ("since=2099-01-01", []),
        ("call=c7", [14, 13]), ("text=%25", []), ("skill=nobody", []),
    ],
)  # fmt: skip
def test_a_filter_finds_what_fits(log, client, query, found):
    assert numbers(client.get(f"/audit?{query}").text) == found


@pytest.mark.parametrize("query", ["since=yesterday", "decision=maybe", "until=%00"])
def test_a_filter_that_is_not_understood_is_refused_and_not_left_out(log, client, query):
    assert client.get(f"/audit?{query}").status_code in (400, 422)


def test_what_strangers_write_into_a_record_is_shown_and_does_nothing(log, client):
    for path in (
        "/audit?session=s2",
        "/audit/record/81",
        "/audit/compared?session=s2",
        f"/audit?text={'%E2%80%AE'}%3Cscript%3E",
    ):
        text = client.get(path).text
        assert "<script>alert" not in text
        assert "\u202e" not in text
        assert "\x1b" not in text
    assert "\\u202etxt.exe" in client.get("/audit/record/81").text


def test_a_record_is_shown_whole_and_leads_to_its_call(log, client):
    text = client.get("/audit/record/13").text
    for word in (
        "decision",
        "file.write",
        "manifest of pdf, entry 2",
        "file_path",
        "all of this call",
        log.head().log[:0],
    ):
        assert word in text
    assert client.get("/audit/record/84").status_code == 404
    assert client.get("/audit/record/0").status_code == 404


def test_alarms_stand_apart(log, client):
    assert numbers(client.get("/audit/alarms").text) == [83, 82]


def test_a_session_is_held_against_itself(log, client):
    text = client.get("/audit/compared?session=s2").text
    assert "DOES NOT HOLD" in text
    assert "it ran, and no person was asked" in text
    assert "holds: 40 matched" in client.get("/audit/compared?session=s1").text


def test_a_chain_that_holds_is_said_to_hold_as_far_as_it_was_verified(log, client, running):
    assert "was not verified since the console was started" in client.get("/audit").text
    text = verified(client, running)
    assert "the log is complete and unchanged: 83 records" in text
    assert "since" not in text.split("Verified")[1].split("</p>")[0]
    log.append(decision(100))
    assert "1 record was written since, and not verified" in client.get("/audit").text


def test_a_broken_chain_is_shown_on_every_page_of_the_log(log, client, running, settings):
    assert "the log is complete and unchanged" in verified(client, running)
    with closing(sqlite3.connect(settings.state / "audit.db")) as store:
        store.execute("DROP TRIGGER record_stays")
        store.execute(
            "UPDATE record SET text = CAST(replace(CAST(text AS TEXT), 'inside', 'Inside') AS BLOB) WHERE number = 7"
        )
        store.commit()
    assert "The files of the log were written to since" in client.get("/audit").text
    verified(client, running)
    for path in ("/audit", "/audit/record/1", "/audit/alarms", "/audit/compared?session=s1", "/audit?text=nothing"):
        text = client.get(path).text
        assert "the log is broken at record 7" in text, path
        assert 'role="alert"' in text


def test_a_log_that_is_gone_or_no_log_is_never_an_empty_one(log, client, running, settings):
    client.get("/audit")
    shutil.move(settings.state / "audit.db", settings.state / "away")
    for path in ("/audit", "/audit/alarms"):
        answer = client.get(path)
        assert "No record" not in answer.text
        assert "there is no log" in answer.text
    (settings.state / "audit.db").write_bytes(b"")
    answer = client.get("/audit")
    assert answer.status_code == 422 or "notice bad" in answer.text


def test_where_nothing_was_written_the_page_says_what_would(client):
    assert "remit guard install HOST" in client.get("/audit").text
    assert client.get("/audit?log=another").status_code == 404
    assert client.get("/audit/verify").status_code == 405


def test_a_verification_is_not_begun_by_a_stranger(log, client):
    assert client.post("/audit/verify", data={"token": "another"}).status_code == 403


def test_in_chromium_the_log_is_looked_through_by_keys_nightly(log, tab):
    page = tab.page
    tab.press("g", "l")
    page.get_by_role("heading", name="Audit").wait_for()
    tab.clean()
    tab.press("/")
    page.keyboard.type("nobody admitted")
    tab.press("Enter")
    page.wait_for_url("**text=nobody*")
    assert page.locator("tbody tr").count() == 1
    tab.press("j", "Enter")
    page.get_by_role("heading", name="Record 83").wait_for()
    tab.clean()
    page.get_by_role("button", name="Verify the chain").click()
    page.get_by_text("the log is complete and unchanged").wait_for()
    page.set_viewport_size({"width": 360, "height": 640})
    for path in ("/audit", "/audit/alarms", "/audit/compared?session=s2", "/audit/record/81"):
        tab.visit(path)
        tab.clean()
