"""Who is asked: every broker says no unless it surely says yes."""

import hashlib
import hmac
import http.server
import json
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import jsonschema
import pytest
from attended import Session
from hypothesis import given
from hypothesis import strategies as st

from remit.cli.schemas import schema_text
from remit.core.errors import AuditError, GuardError
from remit.guard.approvals import webhook
from remit.guard.approvals.answers import Answer, answer
from remit.guard.approvals.broker_config import (
    FILE,
    Broker,
    BrokerKind,
    broker_of,
    checked_url,
    read_broker,
    write_broker,
)
from remit.guard.approvals.watchers import is_watched, watching
from remit.guard.event import Kind, Outcome
from remit.guard.state_folder import prepared
from remit.guard.store import (
    ApprovalSubject,
    State,
    answer_approval,
    approval,
    ask_approval,
    expire_approvals,
    open_store,
    revoke_grant,
    spend_approval,
    standing_approval,
)
from remit.models.explore.question_states import Answered, Passed, Step, Tried, step

SECRET = "s" * 40
PASS, DENY, ASK = Outcome.PASS, Outcome.DENY, Outcome.ASK
ANSWERS = [State.ONCE, State.SESSION, State.DENIED, State.SPENT]


@pytest.fixture
def session(tmp_path):
    found = Session(tmp_path)
    (found.workspace / "old.txt").write_text("x")
    return found


def consulted(session, command="rm old.txt"):
    """As the daemon does it: decided, asked about, decided again."""
    verdict = session.bash(command)
    if verdict.approval and session.engine.consult(None, verdict):
        return session.bash(command)
    return verdict


# --- the life of a question ---


@given(st.lists(st.one_of(st.sampled_from(ANSWERS).map(Answered), st.just(Tried()), st.just(Passed()))))
def test_the_store_does_what_the_step_says(tmp_path_factory, happenings):
    store = open_store(prepared(tmp_path_factory.mktemp("life")).database)
    asked, now = ApprovalSubject("h", "s", "p", "x"), 1
    put = ask_approval(store, asked, {}, now=now, expires=10)
    state = State.PENDING
    for one in happenings:
        before, (state, admits) = state, step(state, one)
        match one:
            case Answered(said):
                if before is State.PENDING and now < 10:
                    answer_approval(store, put.id, said, now=now)
                else:
                    with pytest.raises(GuardError):
                        answer_approval(store, put.id, said, now=now)
            case Tried():
                standing = standing_approval(store, asked, now=now)
                found = (
                    standing.state is State.SESSION if standing else spend_approval(store, asked, now=now) is not None
                )
                assert found == admits
            case Passed():
                now = 10
                expire_approvals(store, now=now)
        assert approval(store, put.id).state is state or (state is State.DENIED and now == 10)
    store.close()


def test_what_admits_is_an_answer_and_nothing_else():
    for state in State:
        for one in (*map(Answered, State), Tried(), Passed()):
            if step(state, one).admits:
                assert (state, type(one)) in {(State.ONCE, Tried), (State.SESSION, Tried)}
    assert step(State.PENDING, Answered(State.EXPIRED)) == Step(State.PENDING)
    assert step(State.PENDING, Answered(State.PENDING)) == Step(State.PENDING)


# --- the host's own prompt, and the retry ---


def test_a_host_that_can_ask_asks(session):
    assert session.bash("rm old.txt", asks=True).outcome is ASK
    assert session.waiting() == ()


def test_of_many_retries_of_one_approval_one_is_admitted(session):
    session.bash("rm old.txt")
    (asked,) = session.waiting()
    session.answer(asked.id, State.ONCE)
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda command: session.bash(command).outcome, ["rm old.txt"] * 200))
    assert found.count(PASS) == 1
    assert session.outcomes().count("person-approved") == 1


def test_an_answer_binds_to_the_call_the_session_and_the_principal(session):
    session.bash("rm old.txt")
    session.answer(session.waiting()[0].id, State.ONCE)
    assert session.bash("rm -f old.txt").outcome is DENY
    assert session.bash("rm old.txt", session="s2").outcome is DENY
    assert session.bash("rm old.txt").outcome is PASS


def test_a_no_is_kept_and_nobody_is_asked_again(session):
    session.bash("rm old.txt")
    (asked,) = session.waiting()
    answer(session.person, session.engine.log, asked.id, Answer.DENY, who="uid 1", now=session.now)
    again = session.bash("rm old.txt")
    assert again.outcome is DENY
    assert "a person refused the request" in again.reason
    assert session.waiting() == ()
    assert session.outcomes()[-2:] == ["person-denied", "person-denied"]


def test_an_answer_for_the_session_answers_all_that_ask_the_same(session):
    (session.workspace / "new.txt").write_text("x")
    for command in ("rm old.txt", "rm -v old.txt", "rm new.txt"):
        session.bash(command)
    first = next(one for one in session.waiting() if one.shown["asks"][0]["scope"].endswith("old.txt"))
    done = answer(session.person, session.engine.log, first.id, Answer.SESSION, who="uid 1", now=session.now)
    assert len(done.answered) == 2
    assert len(session.waiting()) == 1
    assert [session.bash(command).outcome for command in ("rm old.txt", "rm -v old.txt", "rm -i old.txt")] == [PASS] * 3
    assert session.bash("rm new.txt").outcome is DENY


def test_an_answer_for_good_grants_what_was_asked_and_no_more(session):
    session.bash("rm old.txt")
    (asked,) = session.waiting()
    done = answer(session.person, session.engine.log, asked.id, Answer.ALWAYS, who="uid 1", now=session.now, days=2)
    assert [(one.principal, one.workspace, one.expires) for one in done.granted] == [
        ("", str(session.workspace), session.now + 2 * 86400)
    ]
    assert session.bash("rm old.txt", session="another").outcome is PASS
    assert session.bash("rm -r .", session="another").outcome is DENY
    session.now += 2 * 86400
    assert session.bash("rm old.txt", session="a third").outcome is DENY


def test_when_a_lasting_answer_is_revoked_nothing_of_it_is_left(session):
    session.bash("rm old.txt")
    (asked,) = session.waiting()
    done = answer(session.person, session.engine.log, asked.id, Answer.ALWAYS, who="uid 1", now=session.now)
    assert session.bash("rm old.txt").outcome is PASS
    revoke_grant(session.person, done.granted[0].id, now=session.now)
    assert session.bash("rm old.txt").outcome is DENY


def test_who_answers_second_grants_nothing(session, monkeypatch):
    session.bash("rm old.txt")
    (asked,) = session.waiting()
    before = approval(session.person, asked.id)
    session.answer(asked.id, State.DENIED)
    monkeypatch.setattr(
        "remit.guard.approvals.answers.approval", lambda _store, _name: before
    )  # it looked a moment earlier
    with pytest.raises(GuardError, match="not waiting"):
        answer(session.person, session.engine.log, asked.id, Answer.ALWAYS, who="uid 1", now=session.now)
    assert session.bash("rm old.txt", session="another").outcome is DENY


def test_nobody_is_flooded(session, monkeypatch):
    monkeypatch.setattr(sys.modules["remit.guard.store"], "MOST", 3)
    found = [session.bash(f"rm old.txt -{'v' * number}") for number in range(1, 7)]
    assert {one.outcome for one in found} == {DENY}
    assert len(session.waiting()) == 3
    assert "too many questions" in found[-1].reason
    assert session.bash("rm old.txt", session="another").approval


def test_what_is_not_understood_cannot_be_allowed_for_good(session):
    session.bash('eval "$(base64 -d old.txt)"')
    for asked in session.waiting():
        with pytest.raises(GuardError, match="for good"):
            answer(session.person, session.engine.log, asked.id, Answer.ALWAYS, who="", now=session.now)


def test_an_answer_that_cannot_be_written_down_does_not_count(session):
    session.bash("rm old.txt")
    (asked,) = session.waiting()

    session.engine.log.close()
    with pytest.raises(AuditError):
        answer(session.person, session.engine.log, asked.id, Answer.ONCE, who="", now=session.now)
    session.restart()
    assert session.bash("rm old.txt").outcome is DENY


@pytest.mark.parametrize("state", ["answered", "expired", "unknown"])
def test_only_what_waits_is_answered(session, state):
    session.bash("rm old.txt")
    (asked,) = session.waiting()
    if state == "answered":
        session.answer(asked.id, State.DENIED)
    now = session.now + 10**6 * (state == "expired")
    name = "nobody" if state == "unknown" else asked.id
    with pytest.raises(GuardError, match="not waiting"):
        answer(session.person, session.engine.log, name, Answer.ONCE, who="", now=now)


# --- deny-all ---


def test_deny_all_asks_nobody(session):
    write_broker(session.places, {"broker": "deny-all"})
    found = session.bash("rm old.txt")
    assert (found.outcome, found.approval) == (DENY, "")
    assert session.waiting() == ()


# --- policy ---


def policy(session, *rules):
    write_broker(session.places, {"broker": "policy", "rules": list(rules)})


ALLOW = {"capability": "file.delete", "scope": "./*.txt", "effect": "allow"}


@pytest.mark.parametrize(
    ("rules", "outcome"),
    [
        ([], DENY),
        ([ALLOW], PASS),
        ([{**ALLOW, "skill": ""}], PASS),
        ([{**ALLOW, "skill": "pdf"}], DENY),
        ([{**ALLOW, "scope": "./*.md"}], DENY),
        ([{**ALLOW, "effect": "deny"}, ALLOW], DENY),
        ([ALLOW, {**ALLOW, "effect": "deny"}], PASS),
        ([{**ALLOW, "constraints": {"time_window": {"from": "00:00", "to": "00:01"}}}], DENY),
    ],
)
def test_the_first_rule_answers_and_without_one_it_is_no(session, rules, outcome):
    policy(session, *rules)
    found = session.bash("rm old.txt")
    assert found.outcome is outcome
    assert session.waiting() == ()


def test_a_rule_may_leave_it_to_a_person(session):
    policy(session, {**ALLOW, "effect": "confirm"})
    assert session.bash("rm old.txt").approval == session.waiting()[0].id


def test_no_rule_allows_what_is_not_understood(session):
    policy(session, {"capability": "*", "effect": "allow"})
    assert session.bash("rm old.txt").outcome is PASS
    session.write(".claude/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads.\n---\nReads PDF files.\n")
    session.tell(Kind.BEFORE, tool="Skill", args={"skill": "pdf"})
    assert session.bash('eval "$(base64 -d old.txt)"').outcome is DENY


# --- interactive ---


def looks_at_the_store(monkeypatch, third=lambda: None):
    """The looks whether a person has answered; with the third something happens."""
    found = []

    def look(store, name):
        found.append(name)
        if len(found) == 3:
            third()
        return approval(store, name)

    monkeypatch.setattr("remit.guard.approvals.consultation.approval", look)
    return found


def test_nobody_looks_and_nobody_is_waited_for(session, monkeypatch):
    looks = looks_at_the_store(monkeypatch)
    assert consulted(session).outcome is DENY
    assert looks == []
    assert not is_watched(session.places)


def test_the_time_is_over_and_the_call_is_denied(session):
    write_broker(session.places, {"broker": "interactive", "seconds": 1})
    with watching(session.places):
        assert is_watched(session.places)
        assert consulted(session).outcome is DENY
    assert len(session.waiting()) == 1  # it can still be answered, for a retry


@pytest.mark.parametrize(("state", "outcome"), [(State.ONCE, PASS), (State.SESSION, PASS), (State.DENIED, DENY)])
def test_a_person_answers_while_the_hook_waits(session, state, outcome):
    def person():
        while not (found := session.waiting()):
            time.sleep(0.01)
        session.answer(found[0].id, state)

    thread = threading.Thread(target=person)
    thread.start()
    with watching(session.places):
        assert consulted(session).outcome is outcome
    thread.join()


def test_nobody_waits_for_a_daemon_that_ends(session, monkeypatch):
    looks = looks_at_the_store(monkeypatch, session.engine._closed.set)
    with watching(session.places):
        verdict = session.bash("rm old.txt")
        assert session.engine.consult(None, verdict) is False
    assert len(looks) == 3


# --- webhook ---


class Service(http.server.BaseHTTPRequestHandler):
    """A service that answers as its server's `act` says."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((dict(self.headers), body))
        status, headers, said = self.server.act(json.loads(body))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *args):
        pass


@pytest.fixture
def service(session):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    server.got, server.act = [], None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    write_broker(
        session.places,
        {"broker": "webhook", "url": f"http://127.0.0.1:{server.server_port}/ask", "secret": SECRET, "token": "pinned"},
    )
    yield server
    server.shutdown()
    server.server_close()


def signed(value, secret=SECRET, part="answer"):
    body = json.dumps(value).encode()
    return 200, {webhook.SIGNATURE: webhook.signature(secret, part, body)}, body


def said(asked, answer="once", **more):
    return {"id": asked["id"], "nonce": asked["nonce"], "answer": answer, "who": "ann", **more}


@pytest.mark.parametrize(("answer", "outcome"), [("once", PASS), ("session", PASS), ("deny", DENY)])
def test_a_service_answers(session, service, answer, outcome):
    service.act = lambda asked: signed(said(asked, answer))
    assert consulted(session).outcome is outcome
    assert session.waiting() == ()
    (headers, body) = service.got[0]
    expected = hmac.new(SECRET.encode(), b"question\n" + body, hashlib.sha256).hexdigest()
    assert headers[webhook.SIGNATURE] == f"sha256={expected}"
    shown = json.loads(body)["question"]
    assert (shown["tool"], shown["commands"]) == ("Bash", [["rm", "old.txt"]])
    assert "grants" not in shown
    records = [one.entry for one in session.engine.log.records() if one.entry.op == "answer"]
    assert "webhook ann" in records[0].reason


FORGED = {
    "not signed": lambda asked: (200, {}, json.dumps(said(asked)).encode()),
    "another secret": lambda asked: signed(said(asked), secret="t" * 40),
    "our own signature": lambda asked: signed(said(asked), part="question"),
    "a signature of nothing": lambda asked: (200, {webhook.SIGNATURE: "sha256="}, json.dumps(said(asked)).encode()),
    "another question": lambda asked: signed(said(asked, id="other")),
    "an old number": lambda asked: signed(said(asked, nonce="0" * 32)),
    "for good": lambda asked: signed(said(asked, answer="always")),
    "no answer": lambda asked: signed({"id": asked["id"], "nonce": asked["nonce"]}),
    "a list": lambda asked: signed([said(asked)]),
    "a redirect": lambda _: (302, {"Location": "http://127.0.0.1:1/"}, b""),
    "a failure with a good answer": lambda asked: (500, *signed(said(asked))[1:]),
    "the token without https": lambda asked: (200, {webhook.TOKEN: "pinned"}, json.dumps(said(asked)).encode()),
    "too large": lambda asked: signed(said(asked, more="x" * 70_000)),
    "no JSON": lambda _: (200, {webhook.SIGNATURE: webhook.signature(SECRET, "answer", b"{")}, b"{"),
}


@pytest.mark.parametrize("kind", FORGED)
def test_a_forged_answer_is_none(session, service, kind):
    service.act = FORGED[kind]
    assert consulted(session).outcome is DENY
    assert len(session.waiting()) == 1
    assert [one.entry.reason for one in session.engine.log.records() if one.entry.event == "webhook"]


@pytest.mark.timeout(300)
def test_a_service_that_is_down_or_slow_is_no_answer(session, service):
    late = threading.Event()
    service.act = lambda asked: late.wait() and signed(said(asked))
    broker = read_broker(session.places)
    sent = webhook.question("a", "n", {}, 1)
    with pytest.raises(GuardError, match="in time"):
        webhook.ask(broker, sent, seconds=0.3)
    late.set()
    with pytest.raises(GuardError, match="cannot be asked"):
        webhook.ask(broker._replace(url="http://127.0.0.1:1/"), sent)


def test_over_https_the_pinned_token_is_enough():
    broker = Broker(BrokerKind.WEBHOOK, url="https://ask.example/", secret=SECRET, token="pinned")
    sent = webhook.question("a", "n", {}, 1)
    body = json.dumps({"id": "a", "nonce": "n", "answer": "once"}).encode()
    assert webhook.read_answer(broker, sent, webhook.Came(200, {"x-remit-token": "pinned"}, body)).answer is Answer.ONCE
    for token, pinned in (("other", "pinned"), ("", ""), ("", "pinned")):
        came = webhook.Came(200, {"x-remit-token": token}, body)
        with pytest.raises(GuardError):
            webhook.read_answer(broker._replace(token=pinned), sent, came)


# --- the file ---


GOOD = [
    {"broker": "deny-all"},
    {"broker": "interactive"},
    {"broker": "interactive", "seconds": 3},
    {"broker": "policy", "rules": [ALLOW]},
    {"broker": "webhook", "url": "https://ask.example/x", "secret": SECRET},
]
BAD = [
    {},
    [],
    {"broker": "somebody"},
    {"broker": "deny-all", "seconds": 3},
    {"broker": "interactive", "seconds": 60},
    {"broker": "interactive", "seconds": True},
    {"broker": "policy"},
    {"broker": "policy", "rules": [{"capability": "file.delete"}]},
    {"broker": "policy", "rules": [{"capability": "file.delet", "effect": "allow"}]},
    {"broker": "webhook", "url": "https://ask.example/x", "secret": "short"},
    {"broker": "webhook", "url": "http://ask.example/x", "secret": SECRET},
    {"broker": "webhook", "url": "file:///etc/passwd", "secret": SECRET},
    {"broker": "webhook", "url": "https://u:p@ask.example/", "secret": SECRET},
]


@pytest.mark.parametrize("value", GOOD)
def test_what_is_written_is_read(session, value):
    write_broker(session.places, value)
    assert read_broker(session.places) == broker_of(value)
    assert (session.places.folder / FILE).stat().st_mode & 0o777 == 0o600
    jsonschema.validate(value, json.loads(schema_text("broker")))


@pytest.mark.parametrize("value", BAD)
def test_a_broken_file_denies_and_is_never_written(session, value):
    with pytest.raises(GuardError):
        write_broker(session.places, value)
    path = session.places.folder / FILE
    assert not path.exists()
    path.write_text(json.dumps(value))
    path.chmod(0o600)
    assert session.bash("rm old.txt").outcome is DENY
    assert session.waiting() == ()


def test_a_file_of_others_is_refused(session):
    write_broker(session.places, {"broker": "interactive"})
    os.chmod(session.places.folder / FILE, 0o644)
    assert session.bash("rm old.txt").outcome is DENY
    assert session.waiting() == ()


def test_addresses():
    for url in ("https://a.example/", "http://localhost:8080/x", "http://[::1]:1/"):
        assert checked_url(url) == url
    with pytest.raises(GuardError):
        checked_url("https://[")
