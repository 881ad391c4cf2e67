"""Edges of single checks of the executor: what is just inside, and what is just outside."""

import asyncio
import base64
import json
import smtplib
import subprocess
from types import SimpleNamespace

import pytest
from acting_world import Acting
from starlette.testclient import TestClient

from authority_world import case
from remit.authority.values.action import COMMIT
from remit.core import telemetry
from remit.core.errors import AuthorityError, UsageError
from remit.core.telemetry import Home, part
from remit.executor import app as executor_app
from remit.executor.app import make_app, measures_of
from remit.executor.effects import files, message, skills
from remit.executor.effects.adapter import NotDoneError
from remit.executor.effects.files import FileEffect
from remit.executor.effects.message import Mail
from remit.executor.effects.process import _words
from remit.executor.effects.settings import FORM, read_effects
from remit.executor.effects.skills import Install
from remit.executor.effects.web import Fetch, Post
from remit.executor.forms import read_presented, write_presented
from remit.executor.replay.memory import Finish, Forget, Mark, Marked, State, step


def test_the_form_of_effects_is_the_one_that_was_meant(snapshot):
    assert FORM.schema() == snapshot


@pytest.fixture
def folder(tmp_path):
    for name in ("work", "more", "skills"):
        (tmp_path / name).mkdir()
    (tmp_path / "process.json").write_text('{"permissions": []}')
    return tmp_path


def effects(folder, **told):
    (folder / "effects.json").write_text(json.dumps({"v": 1, **told}))
    return read_effects(folder / "effects.json", folder / "state")


def test_what_the_file_says_is_what_effects_have(folder):
    found = effects(
        folder,
        web={"near": ["10.0.0.1:80"], "plain": ["x.test:80"]},
        files={"workspace": "work", "read": ["work", "more"], "write": ["more"]},
        process={"manifest": "process.json", "workspace": "work"},
        skills={"offered": "work", "place": "skills", "trust-root": "root.json"},
        smtp={"host": "x.test", "port": 25, "from": "a@x.test", "tls": "tls", "user": "u", "password-file": "p"},
    )
    assert isinstance(found["FetchResource"], Fetch)
    assert isinstance(found["PostWebhook"], Post)
    assert (
        found["FetchResource"].web
        == found["UseCredential"].web
        == (frozenset({"10.0.0.1:80"}), frozenset({"x.test:80"}))
    )
    work, more = str(folder / "work"), str(folder / "more")
    folders = found["ReadFile"].folders
    assert [type(found[name]) for name in ("ReadFile", "DeleteWorkspaceFile")] == [FileEffect] * 2
    assert folders[:4] == (work, (work, more), (more,), 256 * 1024)
    apart = tuple(str(folder / name) for name in ("keys", "state", "policy", "run", "log", "tls", "state"))
    assert folders[5] == apart
    assert found["RunProcess"] == (folder / "process.json", work, 60, 64 * 1024, folder / "state" / "capsule", apart)
    assert found["CommitSkillInstall"] == Install(
        folder / "work", folder / "skills", folder / "root.json", folder / "state" / "admission", "declared"
    )
    assert found["SendMessage"] == Mail("x.test", 25, "a@x.test", "tls", "u", folder / "p")
    own = effects(
        folder,
        files={"workspace": "work", "most-bytes": 7},
        process={"manifest": "process.json", "workspace": "work", "seconds": 3, "most-bytes": 9},
        skills={"offered": "work", "place": "skills", "trust-root": "root.json", "level": "formal"},
    )
    assert own["ReadFile"].folders[1:4] == ((), (), 7)
    assert own["RunProcess"][2:4] == (3, 9)
    assert own["CommitSkillInstall"].level == "formal"


def test_what_effects_are_not_read_from(folder):
    for text in ("no JSON", "[" * 100_000, '{"v": 1}' + " " * 65536 + "x"):
        (folder / "effects.json").write_text(text)
        if text.startswith("{"):
            assert read_effects(
                folder / "effects.json", folder / "state"
            )  # what comes after the bound is not looked at
            continue
        with pytest.raises(UsageError, match="cannot be read"):
            read_effects(folder / "effects.json", folder / "state")
    with pytest.raises(UsageError, match="cannot be read"):
        read_effects(folder / "none.json", folder / "state")


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "::1"])
def test_mail_in_plain_text_stays_here(folder, host):
    smtp = {"host": host, "port": 25, "from": "a@x.test", "tls": "none"}
    assert effects(folder, smtp=smtp)["SendMessage"].tls == "none"
    with pytest.raises(UsageError, match="this machine only"):
        effects(folder, smtp={**smtp, "host": "x.test"})


class Server:
    """A mail server of which everything is written down."""

    def __init__(self, log, *arguments, **_):
        self.log = log
        log.append(("connect", *arguments))

    def starttls(self, context):
        assert context.check_hostname
        self.log.append(("starttls",))

    def login(self, user, password):
        self.log.append(("login", user, password))
        if password == "wrong":
            raise smtplib.SMTPAuthenticationError(535, b"no")

    def close(self):
        self.log.append(("close",))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.log.append(("quit",))

    def send_message(self, told):
        self.log.append(("send", told["To"], told["Subject"], told["Message-ID"], told.get_content()))
        if told["To"] == "nobody@x.test":
            raise smtplib.SMTPRecipientsRefused({})


ACCEPTED = SimpleNamespace(inputs={"to": "b@x.test", "text": "hello"}, action_id="a1", confirmed_by="")


@pytest.fixture
def mail(monkeypatch, tmp_path):
    log = []
    monkeypatch.setattr(message.smtplib, "SMTP", lambda *told, **more: Server(log, "plain", *told, **more))
    monkeypatch.setattr(message.smtplib, "SMTP_SSL", lambda *told, **more: Server(log, "tls", *told, **more))
    (tmp_path / "password").write_text("right\n")

    def sent(accepted=ACCEPTED, **more):
        log.clear()
        Mail("x.test", 25, "a@x.test", **more).happen(accepted)
        return [one[0] if one[0] != "connect" else one[1] for one in log]

    return SimpleNamespace(sent=sent, log=log, password=tmp_path / "password")


def test_mail_goes_out_by_the_way_that_is_set(mail):
    assert mail.sent() == ["plain", "starttls", "send", "quit"]
    assert mail.log[-2] == ("send", "b@x.test", "", "<a1@remit>", "hello\n")
    assert mail.sent(tls="tls") == ["tls", "send", "quit"]
    assert mail.sent(tls="none") == ["plain", "send", "quit"]
    assert mail.sent(tls="tls", user="u", password=mail.password) == ["tls", "login", "send", "quit"]
    assert mail.log[1] == ("login", "u", "right")
    assert mail.sent(user="u") == mail.sent(password=mail.password) == ["plain", "starttls", "send", "quit"]


def test_what_a_mail_server_refuses_was_not_sent(mail, monkeypatch):
    mail.password.write_text("wrong")
    with pytest.raises(NotDoneError, match="does not take messages"):
        mail.sent(user="u", password=mail.password)
    assert mail.log[-1] == ("close",)
    nobody = SimpleNamespace(inputs={**ACCEPTED.inputs, "to": "nobody@x.test"}, action_id="a")
    with pytest.raises(NotDoneError, match="the mail server refused"):
        mail.sent(nobody)

    def away(*_, **__):
        raise OSError

    monkeypatch.setattr(message.smtplib, "SMTP", away)
    with pytest.raises(NotDoneError, match="does not take messages"):
        mail.sent()


def admission(monkeypatch, status=0, **changes):
    told = {"level": "tested", "holds": True, "refused": False, "reasons": [], "version": "1", "signers": [], **changes}
    done = SimpleNamespace(returncode=status, stdout=json.dumps(told).encode())
    monkeypatch.setattr(skills.subprocess, "run", lambda *_, **__: done)
    return told


def test_a_skill_is_admitted_at_the_least_level(monkeypatch, tmp_path):
    def verified(level):
        return Install(tmp_path, tmp_path, tmp_path, tmp_path, level)._verified(None, tmp_path)

    told = admission(monkeypatch)
    assert verified("declared") == verified("tested") == told
    with pytest.raises(NotDoneError, match="it is tested, not formal"):
        verified("formal")
    for changes in ({"holds": False}, {"refused": True}, {"status": 1}, {"level": "unverified"}):
        admission(monkeypatch, reasons=[{"meaning": "why"}], **changes)
        with pytest.raises(NotDoneError, match="not admitted: why"):
            verified("declared")
    monkeypatch.setattr(skills.subprocess, "run", lambda *_, **__: SimpleNamespace(stdout=b"no JSON", returncode=0))
    with pytest.raises(NotDoneError, match="gives no answer"):
        verified("declared")

    def late(*_, **__):
        raise subprocess.TimeoutExpired("x", 1)

    monkeypatch.setattr(skills.subprocess, "run", late)
    with pytest.raises(NotDoneError, match="gives no answer"):
        verified("declared")


def test_a_command_is_words():
    assert _words("a 'b c'") == ("a", "b c")
    for line in ("", "  ", "a 'b"):
        with pytest.raises(NotDoneError):
            _words(line)


@pytest.fixture
def acting(tmp_path):
    return Acting(tmp_path, {})


def test_only_what_was_accepted_opens_the_door(acting):
    for other in (None, object(), SimpleNamespace(request=SimpleNamespace(intent="FinalizeOutput"))):
        with pytest.raises(AuthorityError, match="nothing happens that was not accepted"):
            asyncio.run(acting.executor._happen(other))


def presented(intent="FinalizeOutput", **inputs):
    return write_presented(
        case(intent, inputs or {"text": "hello"}, text=Acting.__init__.__defaults__[0]).presented(), {}
    )


def test_the_executor_over_http(acting, monkeypatch):
    client = TestClient(make_app(acting.executor, measures_of(acting.executor)), raise_server_exceptions=False)
    data = presented()
    done = client.post("/exec", content=data)
    assert (done.status_code, done.json()["status"]) == (200, "done")
    again = client.post("/exec", content=data)
    assert (again.status_code, again.json()["code"]) == (403, "REPLAY_DENY")
    assert client.post("/exec", content=b"{}").json() == {"code": "BAD_REQUEST"}
    assert client.post("/exec", content=b"{}").status_code == 400
    monkeypatch.setattr(executor_app, "MOST_BYTES", 10)
    assert client.post("/exec", content=b" " * 11).status_code == 413
    assert client.get("/health").json()["executor"] == "ready"
    figures = client.get("/metrics").text
    for code in ("DONE", "REPLAY_DENY", "BAD_REQUEST", "TOO_LARGE"):
        assert code in figures
    assert "remit_marks_unfinished" in figures


class Listening:
    """A listener, and its one span."""

    home = None

    def __init__(self):
        self.homes = []

    def span(self, *_):
        return self

    def belongs(self, *homes):
        self.homes.append(homes)

    def note(self, **_):
        pass

    def count(self, *_):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def test_what_the_executor_tells_of_an_action_belongs_to_its_commit(acting):
    heard = Listening()
    telemetry.listen(heard)
    try:
        client = TestClient(make_app(acting.executor, measures_of(acting.executor)))
        done = client.post("/exec", content=presented()).json()
        told = json.loads(presented())
        assert client.post("/exec", content=json.dumps({**told, "proofs": []})).json()["status"] == "refused"
    finally:
        telemetry.listen(None)
    assert heard.homes == [(Home(done["action_id"]), part(done["action_id"], COMMIT))]


def test_what_is_presented_has_one_spelling():
    told = json.loads(presented())
    assert read_presented(json.dumps(told).encode()) is not None

    def changed(**changes):
        return read_presented(json.dumps({**told, **changes}).encode())

    assert changed(nonce=told["nonce"].upper()) is None or told["nonce"].upper() == told["nonce"]
    assert changed(nonce="0g") is None
    assert changed(proofs={}) is None
    assert changed(more=1) is None
    assert changed(confirmation=None) is None
    assert changed(confirmation={}) is not None
    assert changed(secrets=[]) is None
    assert changed(request=told["request"] + "=") is None
    odd = base64.b64encode(b"ab").decode()
    assert changed(request=odd) is not None
    assert changed(request=odd[:2] + chr(ord(odd[2]) + 1) + odd[3:]) is None  # bits that say nothing
    assert changed(request=None) is None
    assert read_presented(b"[]") is None
    for name in ("request", "nonce", "proofs"):
        assert read_presented(json.dumps({key: value for key, value in told.items() if key != name}).encode()) is None


def test_the_end_of_a_mark_is_an_end():
    known = Marked("one", State.STARTED, 100)
    assert step(known, Finish("one", State.STARTED), 0) == (known, False)
    assert step(known, Finish("two", State.DONE), 0) == (known, False)
    done, took_effect = step(known, Finish("one", State.DONE), 0)
    assert (done.state, took_effect) == (State.DONE, True)
    assert step(done, Finish("one", State.FAILED), 0) == (done, False)
    assert step(None, Mark("one", 100), 100) == (None, False)
    assert step(None, Mark("one", 101), 100)[1]
    assert step(done, Forget(), 99) == (done, False)
    assert step(done, Forget(), 100) == (None, True)
    assert step(known, Forget(), 1000) == (known, False)


@pytest.mark.parametrize(
    ("act", "status", "error"),
    [
        ("read", 1, NotDoneError),
        ("write", 1, RuntimeError),
        ("read", None, NotDoneError),
        ("write", None, RuntimeError),
    ],
)
def test_a_hand_that_fails_leaves_open_what_it_may_have_changed(act, status, error, folder, monkeypatch):
    effect = FileEffect(
        act, effects(folder, files={"workspace": "work", "read": ["work"], "write": ["work"]})["ReadFile"].folders
    )
    told = json.dumps({"data": base64.b64encode(b"x").decode(), "bytes": 1}).encode()
    ended = SimpleNamespace(status=status, output=told, cut=False)
    kept_back = SimpleNamespace(judge=lambda *_, **__: None)
    monkeypatch.setattr(files, "ready", lambda *_: SimpleNamespace(prepared=SimpleNamespace(masker=kept_back)))
    monkeypatch.setattr(files, "run_for", lambda *_: ended)
    monkeypatch.setattr(files, "_command", lambda _: ("x",))
    monkeypatch.setattr(files, "_manifest", lambda *_: None)
    with pytest.raises(error):
        effect._told(ACCEPTED, str(folder / "work"), ["a"], b"")
    ended.status = 0
    assert effect._told(ACCEPTED, str(folder / "work"), ["a"], b"")["bytes"] == 1
    ended.output = b'{"refused": "a link"}'
    with pytest.raises(NotDoneError, match="a link"):
        effect._told(ACCEPTED, str(folder / "work"), ["a"], b"")
    kept_back.judge = lambda *_, **__: ("x", "secret")
    with pytest.raises(NotDoneError, match="kept back"):
        effect._told(ACCEPTED, str(folder / "work"), ["a"], b"")


def test_a_path_has_one_spelling_in_the_workspace(folder):
    effect = effects(folder, files={"workspace": "work", "read": ["work"], "write": ["work"]})["ReadFile"]
    workspace = effect.folders.workspace
    assert effect._placed("secrets/a")[1][-2:] == ("secrets", "a")
    with pytest.raises(NotDoneError, match="relative"):
        effect._placed(f"{workspace}/secrets/a")


def test_what_can_not_be_changed_as_the_policy_wants_is_not_accepted(acting, monkeypatch):
    def fails(*_):
        raise AuthorityError("it cannot be", "")

    monkeypatch.setattr("remit.executor.accept.patched", fails)
    read = read_presented(presented())
    told = asyncio.run(acting.executor.act(*read))
    assert (told.status, told.code) == ("refused", "POLICY_DENY")
