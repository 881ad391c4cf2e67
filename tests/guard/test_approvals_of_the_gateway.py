"""What waits at the gateway, on the page of `remit approvals`: seen as it would happen, signed once or refused, with the arrow keys."""

import io
import json
import os
import tempfile
import time
from pathlib import Path

import pytest
from attended import Session
from watched import Terminal

from remit.audit.log import Log
from remit.authority.values.confirmation import preview_digest, read_confirmation
from remit.authority.values.request import Request
from remit.bundle.keys import new_key, read_private
from remit.cli.main import main
from remit.gateway.deployment.plan import single_machine
from remit.gateway.state import KEY_BYTES, read_vault
from remit.gateway.transactions import TRANSACTIONS, Transaction, Transactions, Waiting
from remit.guard.approvals import persons
from remit.guard.approvals.answers import Answer
from remit.guard.event import Outcome
from remit.report.approval_page import View, answers_for, page
from remit.report.screen import Screen

NOW = 1_800_000_000
BEFORE = {"text": "the figures\nfor \x1b[31mthe board\npay with ‹card…›\n" + "and more of it\n" * 3}  # noqa: RUF001
INPUTS = {
    "to": "anna@example.org",
    "subject": "figures",
    "text": "the figures\nfor \x1b[31mthe board\npay with ‹card…›",  # noqa: RUF001
}
ALLOW, CONFIRM, REDACT, CLAMP = 0x80, 0x40, 0x20, 0x10


def transaction(inputs, until):
    outputs = bytes([ALLOW | CONFIRM | REDACT | CLAMP]).hex()
    return Transaction(
        "alice",
        "s1",
        "SendMessage",
        "a" * 32,
        "0" * 64,
        "c" * 64,
        until,
        outputs,
        True,
        preview_digest(Request("SendMessage", "alice", "s1", {}), inputs),
    )


ONE = Waiting("5d20e1b4" + "0" * 24, transaction(INPUTS, NOW + 97), INPUTS, BEFORE)


def shown(view, columns, rows):
    return "\n".join(page(view, Screen(io.StringIO(), color=False, width=columns), rows).lines)


@pytest.mark.parametrize(("columns", "rows"), [(100, 26), (60, 20)])
def test_the_page(snapshot, columns, rows):
    view = View((ONE, ONE._replace(id="6" * 32, before={})), answer=Answer.ONCE, now=NOW, until="2027-02-14")
    assert shown(view, columns, rows) == snapshot
    assert "\x1b[31m" not in shown(view, columns, rows)


def test_what_a_declassification_shows_is_seen():
    asked = transaction({"handle": "0" * 32}, NOW + 60)._replace(intent="Declassify", outputs="c0")
    one = Waiting("7" * 32, asked, {"handle": "0" * 32}, shows="the value")
    assert "the agent would see: the value" in shown(View((one,), now=NOW), 100, 24)


def test_a_signature_is_for_one_action():
    assert answers_for(ONE) == (Answer.DENY, Answer.ONCE)


@pytest.fixture
def session(monkeypatch):
    with tempfile.TemporaryDirectory(prefix="ra", dir="/tmp") as name:
        found = Session(Path(name), now=int(time.time()))
        (found.workspace / "old.txt").write_text("x")
        monkeypatch.setenv("REMIT_STATE", str(found.places.folder))
        monkeypatch.setattr(persons, "agent_above", lambda _pid, _root: "")
        yield found


@pytest.fixture
def gateway(session):
    """The folder of `remit up`, as far as questions need it."""
    place = session.places.folder / "authority"
    for name in ("keys", "state/gateway", "state/gateway-log"):
        (place / name).mkdir(parents=True, mode=0o700)
    new_key(place / "keys" / "approver.key", "approver")
    (place / "keys/handle.key").touch(mode=0o600)
    (place / "keys/handle.key").write_bytes(os.urandom(KEY_BYTES))
    settings = {one.role: one.settings for one in single_machine(place / "run", os.getuid(), 1)}["gateway"]
    (place / "gateway.json").write_text(json.dumps(settings))
    return place


def store_of(gateway):
    return Transactions(gateway / "state" / "gateway" / TRANSACTIONS, read_vault(gateway / "keys" / "handle.key"))


def asked(gateway, inputs=INPUTS):
    now = int(time.time())
    store = store_of(gateway)
    name = store.begin(transaction(inputs, now + 100), inputs, now, BEFORE)
    store.close()
    return name


def kept(gateway, name):
    store = store_of(gateway)
    try:
        return store.get(name)
    finally:
        store.close()


@pytest.fixture
def terminal(session):
    made = []

    def start(**size):
        made.append(Terminal(session, **size))
        return made[-1]

    yield start
    for one in made:
        one.close()


def test_both_kinds_of_questions_are_answered_with_the_keys(session, gateway, terminal):
    session.bash("rm old.txt")
    first = asked(gateway)
    page = terminal(columns=100, rows=30)
    page.until("2 questions")
    page.until("file.delete")
    page.press(b"\x1b[B")  # the next question
    page.until("as it was asked for and as it would happen")
    page.until("-and more of it")
    page.until("[ deny ]")
    time.sleep(0.5)
    page.press(b"\x1b[C")
    page.until("[ sign for it, once ]")
    page.press(b"\x1b[C")  # there is nothing further to the right
    page.until("[ sign for it, once ]")
    page.press(b"\r")
    page.until(f"{first[:8]}: signed")
    word = read_confirmation(kept(gateway, first).confirmation)
    key = read_private(gateway / "keys" / "approver.key")
    assert word.held_by(key.public)
    assert (word.action_id, word.preview) == (
        "a" * 32,
        preview_digest(Request("SendMessage", "alice", "s1", {}), INPUTS),
    )
    page.until("1 question")
    second = asked(gateway)
    page.until("2 questions")
    page.press(b"\x1b[B")
    page.until("SendMessage   (gateway, session s1)")
    time.sleep(0.5)
    page.press(b"\r")  # whoever only presses enter says no
    page.until(f"{second[:8]}: denied")
    assert kept(gateway, second).phase == "refused"
    with Log.open(gateway / "state" / "gateway-log") as log:
        told = [(one.entry.outcome, one.entry.reason) for one in log.records()]
    assert [outcome for outcome, _ in told] == ["person-approved", "person-denied"]
    assert all("/dev/pts/" in who for _, who in told)


def test_a_gateway_that_cannot_be_asked_keeps_no_question_of_the_guard_back(session, gateway, terminal):
    asked(gateway)
    (gateway / "keys" / "handle.key").write_bytes(bytes(31))
    session.bash("rm old.txt")
    page = terminal(columns=100, rows=30)
    page.until("file.delete")
    page.until("the gateway's questions:")
    time.sleep(0.5)
    page.press(b"\x1b[C", b"\r")
    page.until("nothing is waiting")
    assert session.bash("rm old.txt").outcome is Outcome.PASS


def test_what_is_shown_without_a_terminal(session, gateway, capfd, snapshot):
    name = asked(gateway)
    assert main(["approvals", "show", name[:8]]) == 0
    out = capfd.readouterr().out
    assert out.replace(name[:8], "ID").replace("100 s", "N s").replace("99 s", "N s").replace("98 s", "N s") == snapshot
    assert main(["approvals", "show", name[:8], "--format", "json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert told["before"] == BEFORE
    assert told["changes"] == ["what the scan found is taken out", "the text is cut"]
