"""Approvals in the console: what a page answers reaches a hook that waits, counts once, and answers nothing else than what was seen."""

import io
import json
import os
import tempfile
import threading
import time
from pathlib import Path

import pytest
from consoling import Running, make
from guarded import Hook, Session, guarded

from remit.authority.values.confirmation import preview_digest
from remit.authority.values.request import Request
from remit.bundle.keys import new_key
from remit.cli import console as command
from remit.cli.arguments import parser
from remit.gateway.deployment.plan import single_machine
from remit.gateway.state import KEY_BYTES, read_vault
from remit.gateway.transactions import TRANSACTIONS, Transaction, Transactions
from remit.guard.approvals import persons
from remit.guard.approvals.answers import Answer, seen_digest
from remit.guard.approvals.watchers import is_watched
from remit.guard.store import State, approval
from remit.web.console.queue import KEYS, QueuedQuestion, QueueState
from remit.web.console.rendering import templates
from remit.web.console.settings import ConsoleSettings

# `o` in the moment in which a question comes: nobody can have read it
PRESSED_AT_ONCE = """
new MutationObserver((_, watching) => {
  if (!document.querySelector("[data-question]")) return;
  watching.disconnect();
  document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "o", bubbles: true}));
}).observe(document.getElementById("queue"), {childList: true})
"""
WHO = "uid 1 (ann), /dev/pts/1, console"


@pytest.fixture
def session():
    """A session without a daemon: questions are put by hand."""
    with tempfile.TemporaryDirectory(prefix="rc") as name:
        found = Session(Path(name), now=int(time.time()))
        (found.workspace / "old.txt").write_text("x")
        yield found
        found.engine.close()
        found.person.close()


@pytest.fixture
def who():
    return WHO


@pytest.fixture
def settings(session, who):
    state = session.places.folder
    return ConsoleSettings(
        (session.workspace,), state, state / "authority", who=who, why_not="" if who else "an agent started this"
    )


@pytest.fixture
def say(client, running):
    """Send an answer as the page does."""

    def send(name, answer, seen, **more):
        given = {"id": name, "answer": answer, "seen": seen, "token": running.token(client), **more}
        return client.post("/approvals", data=given, headers={"accept": "application/json"})

    return send


def put(session, command="rm old.txt"):
    """A question, and what a page would say that it saw."""
    before = session.waiting()
    session.bash(command)
    (question,) = (one for one in session.waiting() if one not in before)
    return question, seen_digest(question)


def test_a_page_shows_all_that_the_terminal_shows(session, client):
    session.bash("rm old.txt")
    session.bash("rm -f old.txt")
    text = client.get("/approvals").text
    for word in (
        "Bash",
        "the agent itself",
        "file.delete",
        "[session-default]",
        "rm old.txt",
        "rm -f old.txt",
        "2 calls",
        "wants to delete",
    ):
        assert word in text
    for said in ("deny", "once", "session", "always"):
        assert f'value="{said}"' in text


@pytest.mark.parametrize(
    ("answers", "there"), [((Answer.DENY, Answer.ALWAYS), True), ((Answer.DENY, Answer.ONCE), False)]
)
def test_what_always_would_grant_is_said_beside_its_button_only(answers, there):
    one = QueuedQuestion("q1", "d", ("Bash",), (), (), (), 1, answers, ("file.read ./x",), skill=False, since=0)
    found = templates().get_template("questions.html").render(
        found=QueueState((one,)), who=WHO, link=lambda path: path, token="", labels=dict.fromkeys(Answer, "x"),
        keys=KEYS, Answer=Answer, days=[], usual=1, now=0, ago=str,
    )  # fmt: skip
    assert ("Always grants" in found) is there
    assert ('value="always"' in found) is there


def test_what_strangers_write_is_shown_and_does_nothing(session, client):
    session.bash("rm '<script>alert(1)</script>' $'\\u202Egpj.exe\\x1b[31m'")
    text = client.get("/approvals").text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert "\u202e" not in text
    assert "\x1b" not in text


def test_each_answer_does_what_it_does_on_the_terminal(session, say):
    for said, state in (
        ("deny", State.DENIED),
        ("once", State.ONCE),
        ("session", State.SESSION),
        ("always", State.SPENT),
    ):
        (session.workspace / f"{said}.txt").write_text("x")
        question, seen = put(session, f"rm {said}.txt")
        answer = say(question.id, said, seen, days="7")
        assert answer.status_code == 200, answer.text
        found = approval(session.person, question.id)
        assert (found.state, found.who) == (state, WHO)
    (grant,) = session.person.rows("SELECT expires - created FROM grants")
    assert grant == (7 * 86400,)
    reasons = [one.entry.reason for one in session.engine.log.records() if one.entry.op == "answer"]
    assert reasons == [f"{WHO}: no", f"{WHO}: yes, once", f"{WHO}: yes, for the session", f"{WHO}: yes, for 7 days"]


def test_a_stale_page_answers_nothing_else_than_what_it_showed(session, say):
    first, seen = put(session)
    (session.workspace / "other.txt").write_text("x")
    second, _ = put(session, "rm other.txt")
    for name, digest in ((second.id, seen), (first.id, seen_digest(second)), (first.id, "sha256:0"), (first.id, "")):
        answer = say(name, "once", digest)
        assert answer.status_code == 409
        assert answer.json()["message"] in ("this is not the question that was seen", "the answer does not say to what")
    assert len(session.waiting()) == 2


@pytest.mark.parametrize(
    ("field", "value", "status"),
    [
        ("answer", "yes", 400), ("answer", "", 400), ("days", "0", 409), ("days", "367", 409), ("days", "many", 400),
        ("id", "nothing", 409), ("token", "another", 403),
    ],
)  # fmt: skip
def test_what_is_no_answer_counts_for_nothing(session, client, running, field, value, status):
    question, seen = put(session)
    given = {"id": question.id, "answer": "always", "seen": seen, "token": running.token(client), field: value}
    assert client.post("/approvals", data=given).status_code == status
    assert session.waiting() == (question,)


def test_of_two_people_one_wins_and_the_other_is_told(session, running):
    question, seen = put(session)
    answers, start = [], threading.Barrier(2, timeout=300)

    def person(client, said):
        given = {"id": question.id, "answer": said, "seen": seen, "token": running.token(client)}
        start.wait()
        answers.append(client.post("/approvals", data=given, headers={"accept": "application/json"}))

    with running.client() as one, running.client() as other:
        threads = [threading.Thread(target=person, args=pair) for pair in ((one, "once"), (other, "deny"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(one.status_code for one in answers) == [200, 409]
    told = next(one.json() for one in answers if one.status_code == 409)
    assert (
        told["message"] == f"another person was faster: it is {approval(session.person, question.id).state}, by {WHO}"
    )


@pytest.mark.parametrize("who", [""])
def test_where_no_person_is_nobody_answers_and_no_hook_waits(session, client, say, running):
    question, seen = put(session)
    page = client.get("/approvals").text
    assert "Nobody can answer here: an agent started this" in page
    assert 'value="once"' not in page
    answer = say(question.id, "once", seen)
    assert (answer.status_code, answer.json()["message"]) == (409, "an agent started this")
    with client.stream("GET", "/approvals/stream") as stream:
        next(stream.iter_lines())
        assert not is_watched(session.places)
    token = running.token(client)
    assert client.post("/approvals/grants", data={"id": "x", "token": token}).status_code == 422


def test_without_a_script_the_page_itself_tells_what_came_of_it(session, client, running):
    question, seen = put(session)
    given = {"id": question.id, "answer": "deny", "seen": seen, "token": running.token(client)}
    assert "the call denied" in client.post("/approvals", data=given).text
    again = client.post("/approvals", data=given)
    assert again.status_code == 409
    assert "another person was faster: it is denied" in again.text


def test_a_grant_is_shown_and_ends_when_it_is_revoked(session, client, say, running):
    question, seen = put(session)
    say(question.id, "always", seen)
    assert session.bash("rm old.txt").reason == ""
    page = client.get("/approvals/grants").text
    assert "file.delete" in page
    (name,) = session.person.rows("SELECT id FROM grants")
    token = running.token(client)
    assert f"{name[0]} revoked" in client.post("/approvals/grants", data={"id": name[0], "token": token}).text
    assert "Nothing is granted" in client.get("/approvals/grants").text
    session.bash("rm old.txt")
    assert len(session.waiting()) == 1


def events(stream):
    """What a page is told, one after the other."""
    for line in stream.iter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def test_an_open_page_is_told_of_questions_as_they_come_and_go(session, client, say):
    with client.stream("GET", "/approvals/stream") as stream:
        told = events(stream)
        assert next(told)["count"] == 0
        assert is_watched(session.places)
        question, seen = put(session)
        found = next(told)
        assert found["count"] == 1
        assert question.id in found["html"]
        assert seen in found["html"]
        say(question.id, "deny", seen)
        assert next(told)["count"] == 0
    for _ in range(600):
        if not is_watched(session.places):
            break
        time.sleep(0.05)
    assert not is_watched(session.places)


@pytest.fixture
def signing(session):
    """The folder of a gateway at which a message waits for an approver's signature."""
    place = session.places.folder / "authority"
    for name in ("keys", "state/gateway", "state/gateway-log"):
        (place / name).mkdir(parents=True, mode=0o700)
    new_key(place / "keys" / "approver.key", "approver")
    (place / "keys/handle.key").touch(mode=0o600)
    (place / "keys/handle.key").write_bytes(os.urandom(KEY_BYTES))
    settings = {one.role: one.settings for one in single_machine(place / "run", os.getuid(), 1)}["gateway"]
    (place / "gateway.json").write_text(json.dumps(settings))
    store = Transactions(place / "state/gateway" / TRANSACTIONS, read_vault(place / "keys/handle.key"))
    inputs, now = {"to": "anna@example.org", "text": "<b>the figures</b>"}, int(time.time())
    asked = Transaction(
        "alice",
        "s1",
        "SendMessage",
        "a" * 32,
        "0" * 64,
        "c" * 64,
        now + 100,
        "c0",
        True,
        preview_digest(Request("SendMessage", "alice", "s1", {}), inputs),
    )
    yield store, store.begin(asked, inputs, now)
    store.close()


def digest_in(text):
    return text.split('name="seen" value="')[1].split('"')[0]


def test_what_waits_at_the_gateway_is_signed_once_as_it_was_seen(signing, client, say):
    store, name = signing
    text = client.get("/approvals").text
    assert "SendMessage" in text
    assert "&lt;b&gt;the figures" in text
    assert 'value="session"' not in text
    for said, seen in (("once", "sha256:0"), ("session", digest_in(text)), ("always", digest_in(text))):
        assert say(name, said, seen).status_code == 409
        assert store.get(name).confirmation is None
    assert "signed" in say(name, "once", digest_in(text)).json()["said"]
    assert store.get(name).confirmation is not None
    assert say(name, "deny", digest_in(text)).status_code == 409


def test_without_a_guard_the_page_says_what_puts_one_there(tmp_path, settings):
    with Running(make(settings._replace(state=tmp_path / "nowhere"))) as running, running.client() as client:
        answer = client.get("/approvals")
        assert answer.status_code == 422
        assert "remit guard install HOST" in answer.text
        assert client.get("/approvals/stream").status_code == 422


@pytest.mark.parametrize(
    ("above", "words", "answers"),
    [("", ["--unattended"], True), ("", [], False), ("process 7: `claude`", ["--unattended"], False)],
)
def test_who_started_the_console_answers_if_it_was_a_person(monkeypatch, tmp_path, above, words, answers):
    monkeypatch.setattr(persons, "agent_above", lambda _pid, _root: above)
    monkeypatch.setattr("sys.stdin", io.StringIO())  # no terminal
    found = command._settings(parser().parse_args(["console", str(tmp_path), *words]))
    assert bool(found.who) is answers
    assert bool(found.why_not) is not answers
    assert not answers or found.who.endswith(", unattended, in the console")


class TestInChromium:
    """With a daemon that runs, and its hook."""

    @pytest.fixture
    def session(self):
        with tempfile.TemporaryDirectory(prefix="rc") as name, guarded(Path(name), int(time.time())) as found:
            yield found

    def test_keys_alone_answer_a_hook_that_waits(self, tab, session):
        page = tab.page
        tab.press("g", "a")
        page.locator(".empty").wait_for()
        page.locator("#state", has_text="live").wait_for()
        tab.clean()
        page.evaluate(PRESSED_AT_ONCE)
        first = Hook(session, "rm old.txt")
        page.get_by_text("file.delete").first.wait_for()
        page.get_by_text("has just come").wait_for()
        assert first.waits
        tab.clean()
        time.sleep(0.5)
        tab.press("o")
        assert first.allowed()
        page.get_by_text("the call allowed once").wait_for()
        page.locator(".empty").wait_for()
        second = Hook(session, "rm old.txt")
        page.get_by_text("file.delete").first.wait_for()
        tab.picture("console-approvals", session.home)
        page.set_viewport_size({"width": 360, "height": 640})
        tab.clean()
        time.sleep(0.5)
        tab.press("d")
        assert not second.allowed()

    def test_two_tabs_show_the_same_and_the_slower_one_is_told(self, tab, session):
        page = tab.page
        other = page.context.new_page()
        for one in (page, other):
            one.goto(f"{tab.running.base}/approvals")
            one.locator("#state", has_text="live").wait_for()
        hook = Hook(session, "rm old.txt")
        for one in (page, other):
            one.get_by_text("file.delete").first.wait_for()
        other.route("**/approvals/stream", lambda route: route.abort())
        frozen = other.locator("article").get_attribute("data-key").split()
        page.get_by_role("button", name="Deny").click()
        assert not hook.allowed()
        page.locator(".empty").wait_for()
        other.locator(".empty").wait_for()
        answer = other.evaluate(
            "([id, seen]) => remit.ask('/approvals', {id, seen, answer: 'once'}).catch((error) => error.message)",
            frozen[:2],
        )
        assert answer.startswith("another person was faster: it is denied")
        assert tab.wrong == []
