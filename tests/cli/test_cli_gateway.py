"""`remit gateway`: what operator and approver do, and what is refused."""

import io
import json
import os
import time
from types import SimpleNamespace

import pytest
from cli_skills import run

from remit.audit.log import Log
from remit.authority.values.confirmation import preview_digest, read_confirmation
from remit.authority.values.request import Request
from remit.bundle.keys import new_key, read_public
from remit.executor.credentials.tokens import read_credential
from remit.executor.credentials.verifier import Caller, Revoked, verify
from remit.gateway.deployment.plan import single_machine
from remit.gateway.handles import HANDLES, Handle, Handles, Revoke, Sensitivity
from remit.gateway.state import KEY_BYTES, read_vault
from remit.gateway.transactions import TRANSACTIONS, Transaction, Transactions
from remit.guard.approvals import persons

INPUTS = {"to": "boss@example.org", "text": "a \x1b[31mred\x1b[0m text\nof two lines"}


@pytest.fixture
def folder(work, monkeypatch):
    """What `remit up` makes, as far as these commands need it."""
    monkeypatch.setattr(persons, "agent_above", lambda _pid, _root: "")  # whoever runs the tests may be one
    place = work / "up"
    for name in ("keys", "state/gateway", "state/gateway-log"):
        (place / name).mkdir(parents=True, mode=0o700)
    for name in ("operator", "approver"):
        new_key(place / "keys" / f"{name}.key", name)
    (place / "keys/handle.key").write_bytes(bytes(KEY_BYTES))
    (place / "keys/handle.key").chmod(0o600)
    parties = {one.role: one.settings for one in single_machine(place / "run", os.getuid(), 1)}
    (place / "gateway.json").write_text(json.dumps(parties["gateway"]))
    return place


def transactions(folder):
    return Transactions(folder / "state/gateway" / TRANSACTIONS, read_vault(folder / "keys/handle.key"))


def asked(folder):
    now = int(time.time())
    made = Transaction(
        "alice",
        "s1",
        "SendMessage",
        "a" * 32,
        "0" * 64,
        "c" * 64,
        now + 100,
        "c0",
        True,
        preview_digest(Request("SendMessage", "alice", "s1", {}), INPUTS),
    )
    store = transactions(folder)
    name = store.begin(made, INPUTS, now)
    store.close()
    return name


def test_giving_a_credential(capfd, folder, work):
    words = (
        "--intent",
        "SendMessage",
        "--sink",
        "example.org",
        "--session",
        "s1",
        "--user",
        os.getuid(),
        "--out",
        "alice.cred",
    )
    status, out, err = run(capfd, "gateway", "give", "alice", *words, "--folder", folder)
    assert (status, err) == (0, "")
    assert out == "a credential for `alice` in the session `s1`, for 8 hours: alice.cred\n"
    file = work / "alice.cred"
    assert file.stat().st_mode & 0o777 == 0o600
    key = read_public(folder / "keys/operator.key.pub").key
    shown = read_credential(file.read_text().strip())
    found = verify(shown, {key.keyid: key}, Revoked(), os.getuid(), int(time.time()))
    assert isinstance(found, Caller)
    assert (found.name, found.session, found.scope.to_json()) == (
        "alice",
        "s1",
        {"intents": ["SendMessage"], "sinks": ["example.org"]},
    )
    assert run(capfd, "gateway", "give", "alice", *words, "--folder", folder)[0] == 2  # nothing is replaced


@pytest.mark.parametrize(
    "words",
    [
        ("operator", "--intent", "SendMessage"),
        ("alice", "--intent", "NoSuchIntent"),
        ("alice", "--sink", "two words"),
        ("a name", "--intent", "SendMessage"),
    ],
)
def test_what_can_not_be_given(words, capfd, folder, work):
    assert run(capfd, "gateway", "give", *words, "--out", "x.cred", "--folder", folder)[0] == 2
    assert not (work / "x.cred").exists()


def test_keeping_a_secret(capfd, folder, monkeypatch):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"the-value\n")))
    status, out, err = run(capfd, "gateway", "keep", "token", "--sink", "api.example.org", "--folder", folder)
    assert (status, out, err) == (0, "`token` is kept; it may go to api.example.org\n", "")
    store = Handles(folder / "state/gateway" / HANDLES, read_vault(folder / "keys/handle.key"))
    assert store.secret("token")[:2] == (b"the-value", "high")
    store.close()
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"\n")))
    assert run(capfd, "gateway", "keep", "token", "--sink", "api.example.org", "--folder", folder)[0] == 2


def test_confirming(capfd, folder, snapshot):
    assert run(capfd, "gateway", "waiting", "--folder", folder)[1] == "nothing waits\n"
    name = asked(folder)
    status, out, _ = run(capfd, "gateway", "waiting", "--folder", folder)
    assert status == 0
    assert "\x1b" not in out
    assert out.replace(name[:8], "<id>") == snapshot
    told = json.loads(run(capfd, "gateway", "waiting", "--format", "json", "--folder", folder)[1])
    assert told["waiting"][0]["inputs"] == INPUTS
    status, out, err = run(capfd, "gateway", "confirm", name[:8], "--unattended", "--folder", folder)
    assert (status, err) == (0, "")
    assert out.endswith("confirmed\n")
    store = transactions(folder)
    word = read_confirmation(store.get(name).confirmation)
    store.close()
    assert word.held_by(read_public(folder / "keys/approver.key.pub").key)
    with Log.open(folder / "state/gateway-log") as log:
        (record,) = log.records()
    assert (record.entry.outcome, record.entry.principal) == ("person-approved", "alice")
    assert run(capfd, "gateway", "confirm", name, "--unattended", "--folder", folder)[0] == 2


def test_approvals_of_the_guard_confirm_too(capfd, folder, tmp_path, snapshot):
    state = tmp_path / "guard-state"
    state.mkdir(mode=0o700)
    folder.rename(state / "authority")
    name = asked(state / "authority")
    status, out, err = run(capfd, "approvals", "list", "--state", state)
    assert (status, err) == (0, "")
    assert out.replace(name[:8], "<id>") == snapshot
    told = json.loads(run(capfd, "approvals", "list", "--format", "json", "--state", state)[1])
    assert [one["id"] for one in told["gateway"]] == [name]
    assert run(capfd, "approvals", "show", name[:8], "--state", state)[0] == 0
    for words in (
        ("approve", name[:7]),
        ("approve", name[:8], "--always"),
        ("approve", "00000000"),
        ("deny", name[:7]),
    ):
        assert run(capfd, "approvals", *words, "--unattended", "--state", state)[0] == 2
    status, out, _ = run(capfd, "approvals", "approve", name[:8], "--unattended", "--state", state)
    assert (status, out.endswith("confirmed\n")) == (0, True)
    store = transactions(state / "authority")
    assert read_confirmation(store.get(name).confirmation).action_id == "a" * 32
    store.close()


def test_an_approver_sees_what_would_be_shown(capfd, folder):
    now = int(time.time())
    handles = Handles(folder / "state/gateway" / HANDLES, read_vault(folder / "keys/handle.key"))
    value = b"pay with 4111 1111 1111 1111, please"
    handle = handles.mint(value, Handle("s1", "alice", Sensitivity.LOW, frozenset({"runtime"}), now + 600), now)
    inputs = {"handle": handle}
    made = Transaction(
        "alice",
        "s1",
        "Declassify",
        "a" * 32,
        "0" * 64,
        "c" * 64,
        now + 100,
        "c0",
        True,
        preview_digest(Request("Declassify", "alice", "s1", {}), inputs),
    )
    store = transactions(folder)
    store.begin(made, inputs, now)
    out = run(capfd, "gateway", "waiting", "--folder", folder)[1]
    assert "the agent would see: pay with ‹card…›, please" in out  # noqa: RUF001
    (told,) = json.loads(run(capfd, "gateway", "waiting", "--format", "json", "--folder", folder)[1])["waiting"]
    assert "4111" not in told["shows"]
    handles.revoke(handle, Revoke("s1", "alice"), now)
    handles.close()
    store.close()
    assert (
        "the agent would see: nothing: the handle was revoked"
        in run(capfd, "gateway", "waiting", "--folder", folder)[1]
    )


def test_saying_no(capfd, folder, tmp_path):
    name = asked(folder)
    assert run(capfd, "gateway", "deny", name[:8], "--unattended", "--folder", folder)[:2] == (
        0,
        f"{name[:8]}: denied\n",
    )
    state = tmp_path / "guard-state"
    state.mkdir(mode=0o700)
    folder.rename(state / "authority")
    other = asked(state / "authority")
    status, out, _ = run(capfd, "approvals", "deny", other[:8], "--unattended", "--state", state)
    assert (status, out) == (0, f"{other[:8]}: denied\n")
    store = transactions(state / "authority")
    assert {store.get(one).phase for one in (name, other)} == {"refused"}
    store.close()
    with Log.open(state / "authority/state/gateway-log") as log:
        assert [record.entry.outcome for record in log.records()] == ["person-denied", "person-denied"]


def test_no_agent_gives_itself_anything(capfd, folder, monkeypatch, work):
    name = asked(folder)
    monkeypatch.setattr(persons, "agent_above", lambda _pid, _root: "process 7: `claude`")
    for words in (
        ("confirm", name), ("confirm", name, "--unattended"), ("end", "s1"),
        ("give", "alice", "--intent", "*", "--sink", "*", "--out", "x.cred"), ("keep", "a", "--sink", "x"),
    ):  # fmt: skip
        status, _, err = run(capfd, "gateway", *words, "--folder", folder)
        assert (status, "an agent started this" in err) == (2, True)
    assert not (work / "x.cred").exists()
    store = transactions(folder)
    assert store.get(name).confirmation is None
    store.close()


def test_ending_a_session(capfd, folder):
    status, out, _ = run(capfd, "gateway", "end", "s1", "--folder", folder)
    assert (status, out) == (0, "the session `s1` is over; values that are gone: 0\n")


def test_a_folder_without_a_gateway(capfd, folder, work):
    assert run(capfd, "gateway", "waiting", "--folder", work)[0] == 2
    assert run(capfd, "gateway", "confirm", "x", "--unattended", "--folder", folder)[0] == 2
