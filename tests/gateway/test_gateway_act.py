"""One way in, one way out: previews, commits and what they do."""

import asyncio
import contextlib

import pytest
from gatekeys import NOW, credential_of, granted, named
from gateworld import CARD, POLICY

from remit.audit.queries import Filter
from remit.authority.codes import codes
from remit.authority.sinks import sink_of
from remit.core.errors import AuthorityError
from remit.executor.credentials.issuer import credential, scope
from remit.executor.replay.memory import State
from remit.gateway.acts import RefusedError
from remit.gateway.handles import Secret, Sensitivity
from remit.gateway.local import SERVED
from remit.gateway.transactions import FLIGHT, PATIENCE

MAIL = {"to": "boss@example.org", "text": "good morning"}
TOKEN = b"a-token-of-the-operator-0123456789"
MESSAGE = {"sender": "alice", "text": "hi", "trust": "untrusted"}


def test_a_message_is_previewed_and_committed(world):
    first = world.act("SendMessage", MAIL)
    assert (first.status, first.data["inputs"], first.data["changed"]) == ("PREVIEW", MAIL, [])
    assert not world.happened
    second = world.act("SendMessage", MAIL, first.tx_id)
    assert second.status == "OK"
    assert [one.inputs for one in world.happened] == [MAIL]
    again = world.act("SendMessage", MAIL, first.tx_id)
    assert (again.status, again.reason_code, again.data) == ("OK", "TX_DONE", {"outcome": "done"})
    assert len(world.happened) == 1


def test_the_answer_has_the_published_form(world):
    told = world.act("SendMessage", MAIL).to_json()
    assert sorted(told) == ["artifacts", "data", "reason_code", "status", "summary", "tx_id"]
    assert sorted(world.act("MemoryList").to_json()) == ["artifacts", "data", "reason_code", "status", "summary"]


@pytest.mark.parametrize(
    ("inputs", "code"),
    [
        ({**MAIL, "to": "eve@evil.example"}, "POLICY_DENY"),
        ({**MAIL, "text": "all about project nightingale"}, "POLICY_DENY"),
        ({**MAIL, "text": "AKIA" + "IOSFODNN7EXAMPLE"}, "POLICY_DENY"),
        ({**MAIL, "text": "ж" * 40_000}, "INPUTS_FORM"),
        ({**MAIL, "cc": "eve@evil.example"}, "INPUTS_FORM"),
        ({"to": "boss@example.org"}, "INPUTS_FORM"),
    ],
)
def test_what_is_not_allowed(inputs, code, world):
    answer = world.act("SendMessage", inputs)
    assert (answer.status, answer.reason_code, answer.tx_id) == ("DENY", code, "")


def test_what_is_patched_is_shown_and_happens(world):
    inputs = {**MAIL, "text": f"pay with {CARD}"}
    first = world.act("SendMessage", inputs)
    assert first.data["changed"] == ["text"]
    assert CARD not in str(first)
    assert world.act("SendMessage", inputs, first.tx_id).status == "OK"
    assert CARD not in world.happened[0].inputs["text"]


def test_a_commit_is_bound_to_its_preview(world):
    bob, later = credential_of("bob"), credential_of("alice", session="s2")
    name = world.act("SendMessage", MAIL).tx_id
    assert world.act("SendMessage", MAIL, name, who=bob).reason_code == "TX_CALLER"
    assert world.act("SendMessage", MAIL, name, who=later).reason_code == "TX_SESSION"
    assert world.act("SendMessage", {**MAIL, "text": "another"}, name).reason_code == "TX_REQUEST"
    assert world.act("FetchResource", {"url": "https://example.org/"}, name).reason_code == "TX_REQUEST"
    assert world.act("SendMessage", MAIL, "0" * 32).reason_code == "TX_UNKNOWN"
    assert world.act("MemoryList", {}, name).reason_code == "TX_UNKNOWN"
    world.now += 120
    assert world.act("SendMessage", MAIL, name).reason_code == "TX_EXPIRED"
    assert not world.happened


def test_a_person_is_asked(world):
    inputs = {**MAIL, "text": "TLP:RED for you"}
    first = world.act("SendMessage", inputs)
    assert (first.status, first.reason_code) == ("CONFIRM", "CONFIRM_MISSING")
    again = world.act("SendMessage", inputs, first.tx_id)
    assert (again.status, again.tx_id) == ("CONFIRM", first.tx_id)
    assert not world.happened
    world.approve(first.tx_id)
    assert world.act("SendMessage", inputs, first.tx_id).status == "OK"
    assert world.happened[0].confirmed_by == "anna"


def test_a_person_may_take_hours(world):
    inputs = {**MAIL, "text": "TLP:RED for you"}
    first = world.act("SendMessage", inputs)
    assert first.data["seconds"] == PATIENCE
    world.now += 7 * 3600
    world.approve(first.tx_id)
    world.now += 1800
    assert world.act("SendMessage", inputs, first.tx_id).status == "OK"
    assert [one.confirmed_by for one in world.happened] == ["anna"]
    assert {one["proof"]["ts"] for one in world.presented[0].proofs} == {world.now}  # the proofs are of this moment
    assert world.presented[0].action_id == world.happened[0].action_id
    assert world.act("SendMessage", inputs, first.tx_id).reason_code == "TX_DONE"


def test_a_person_has_not_longer_than_the_gateway_waits(world):
    inputs = {**MAIL, "text": "TLP:RED for you"}
    first = world.act("SendMessage", inputs)
    world.approve(first.tx_id)
    world.now += PATIENCE
    assert world.act("SendMessage", inputs, first.tx_id).reason_code == "TX_EXPIRED"
    assert not world.happened


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ("confirm text shows marking", "confirm always", "OK"),
        ("confirm text shows marking", "deny    text shows marking", "POLICY_DENY"),
        ("redact  text shows card", "clamp   text longer than 5", "POLICY_CHANGED"),
    ],
)
def test_what_was_confirmed_is_decided_again_when_it_is_committed_late(before, after, code, world):
    inputs = {**MAIL, "text": "TLP:RED for you"}
    first = world.act("SendMessage", inputs)
    world.approve(first.tx_id)
    world.now += 3600
    world.change(POLICY.replace(before, after, 1))
    answer = world.act("SendMessage", inputs, first.tx_id)
    assert (answer.reason_code or str(answer.status)) == code
    assert len(world.happened) == (code == "OK")


def test_servers_that_do_not_answer_change_nothing(world):
    world.servers.down = True
    assert world.act("SendMessage", MAIL).reason_code == "AUTHORITY_DOWN"
    world.servers.down = False
    name = world.act("SendMessage", MAIL).tx_id
    world.servers.down = True
    assert world.act("SendMessage", MAIL, name).reason_code == "AUTHORITY_DOWN"
    assert not world.presented
    world.servers.down = False
    assert world.act("SendMessage", MAIL, name).status == "OK"


@pytest.mark.parametrize("error", [OSError("gone"), ValueError("odd"), asyncio.CancelledError()])
def test_an_executor_that_does_not_answer_is_not_asked_again(error, world, monkeypatch):
    async def lost(presented, secrets):
        raise error

    name = world.act("SendMessage", MAIL).tx_id
    with monkeypatch.context() as patch:
        patch.setattr(world, "execute", lost)
        with contextlib.suppress(asyncio.CancelledError):
            assert world.act("SendMessage", MAIL, name).reason_code == "OUTCOME_UNKNOWN"
    assert world.act("SendMessage", MAIL, name).reason_code == "TX_BUSY"
    ends = [record.entry.outcome for record in world.logs[0].records(Filter(kind="effect"))]
    assert ends == ["unknown"]


def test_what_the_executor_refuses_keeps_its_code(world):
    name = world.act("SendMessage", MAIL).tx_id
    world.executor._clock = lambda: NOW + 4000
    answer = world.act("SendMessage", MAIL, name)
    assert (answer.status, answer.reason_code) == ("DENY", "PROOF_STALE")


def test_scopes_hold(world):
    who = credential_of("alice", scope(["SendMessage", "FetchResource", "MemoryList"], ["example.org"]))
    assert world.act("SendMessage", MAIL, who=who).status == "PREVIEW"
    assert world.act("MemoryList", who=who).status == "OK"
    assert world.act("MemoryRead", {"key": "a"}, who=who).reason_code == "SCOPE_INTENT"
    assert world.act("FetchResource", {"url": "https://api.example.org/"}, who=who).reason_code == "SCOPE_SINK"
    assert world.act("FetchResource", {"url": "https://EXAMPLE.org:8443/x"}, who=who).status == "PREVIEW"


def test_everyone_without_rights_is_turned_away(world):
    assert world.act("MemoryList", who="").reason_code == "TOKEN_MISSING"
    assert world.act("MemoryList", who="bearer").reason_code == "TOKEN_FORM"
    assert world.act("MemoryList", who=credential_of("alice", exp=NOW)).reason_code == "TOKEN_EXPIRED"
    assert world.act("MemoryList", who=credential_of("alice", scope([], []))).reason_code == "SCOPE_INTENT"
    assert world.act("RevokeSession").status == "OK"
    assert world.act("MemoryList").reason_code == "SESSION_REVOKED"


def secret(world, sensitivity=Sensitivity.HIGH, sinks=("api.example.org",), value=TOKEN):
    world.handles.keep_secret("token", Secret(value, sensitivity, frozenset(sinks)))
    answer = world.act("ReadSecret", {"name": "token"})
    assert answer.artifacts == (answer.data["handle"],)
    return answer.data["handle"]


def test_a_credential_is_used_and_not_seen(world):
    handle = secret(world)
    world.returns = {"echo": ["you sent " + TOKEN.decode()], TOKEN.decode(): 1}
    inputs = {"handle": handle, "url": "https://api.example.org/v1", "text": "hello"}
    answer = world.done("UseCredential", inputs)
    assert answer.status == "OK"
    assert world.secrets == [{handle: TOKEN}]
    assert TOKEN.decode() not in str(world.answers)
    assert TOKEN.decode() not in repr(world.presented)
    assert TOKEN.decode() not in repr(world.happened)


def test_a_credential_goes_nowhere_else(world):
    handle = secret(world)
    elsewhere = {"handle": handle, "url": "https://example.org/v1"}
    assert world.act("UseCredential", elsewhere).reason_code == "HANDLE_SINK"
    inputs = {"handle": handle, "url": "https://api.example.org/v1"}
    assert world.act("UseCredential", inputs, who=credential_of("bob")).reason_code == "HANDLE_UNKNOWN"
    assert world.act("UseCredential", inputs, who=credential_of("alice", session="s2")).reason_code == "HANDLE_UNKNOWN"
    name = world.act("UseCredential", inputs).tx_id
    assert world.act("RevokeHandle", {"handle": handle}).status == "OK"
    assert world.act("UseCredential", inputs, name).reason_code == "HANDLE_REVOKED"
    assert not world.happened
    assert world.act("DescribeHandle", {"handle": handle}).data["state"] == "revoked"


def test_a_low_value_is_shown_after_a_confirmation_and_redacted(world):
    handle = secret(world, Sensitivity.LOW, ("runtime",), f"the card {CARD}".encode())
    first = world.act("Declassify", {"handle": handle})
    assert first.status == "CONFIRM"
    assert "text" not in first.data
    world.approve(first.tx_id)
    shown = world.act("Declassify", {"handle": handle}, first.tx_id)
    assert shown.data["text"].startswith("the card ")
    assert CARD not in shown.data["text"]


def test_a_high_value_is_never_shown(world):
    handle = secret(world, Sensitivity.HIGH, ("runtime", "api.example.org"))
    assert world.act("Declassify", {"handle": handle}).reason_code == "HANDLE_HIGH"


def test_a_file_outside_becomes_a_handle(world):
    world.returns = {"content": f"pay with {CARD}"}
    answer = world.done("ReadFile", {"path": "/srv/notes.txt"})
    assert answer.data["sensitivity"] == "high"
    assert world.act("Declassify", {"handle": answer.artifacts[0]}).reason_code == "HANDLE_HIGH"
    world.returns = {"content": "a plain note"}
    handle = world.done("ReadFile", {"path": "/srv/notes.txt"}).artifacts[0]
    assert world.done("Declassify", {"handle": handle}).data["text"] == "a plain note"
    assert CARD not in str(world.answers)


def test_memory_has_what_was_decided(world):
    world.done("MemoryWrite", {"key": "a", "text": f"pay with {CARD}"})
    text = world.act("MemoryRead", {"key": "a"}).data["text"]
    assert text.startswith("pay with ")
    assert CARD not in text
    assert world.act("MemoryList").data == {"keys": ["a"]}
    assert world.act("MemoryRead", {"key": "a"}, who=credential_of("bob")).reason_code == "NOT_FOUND"
    assert world.done("MemoryDelete", {"key": "a"}).summary == "forgotten"
    assert world.act("MemoryRead", {"key": "a"}).reason_code == "NOT_FOUND"


def test_agents_speak_with_whom_the_policy_lets_them(world):
    assert world.act("SendInterAgentMessage", {"to": "carol", "text": "hi"}).reason_code == "POLICY_DENY"
    world.done("SendInterAgentMessage", {"to": "bob", "text": "hi"})
    bob = credential_of("bob")
    assert world.act("ReceiveInterAgentMessage").data == {"messages": []}
    assert world.act("ReceiveInterAgentMessage", who=bob).data == {"messages": [MESSAGE]}
    assert world.act("ReceiveInterAgentMessage", who=bob).data == {"messages": []}


def test_delegations_are_taken_back_by_whoever_gave_them(world):
    other = credential_of("bob")
    name = other.delegations[0].token.jti
    assert world.act("RevokeDelegation", {"delegation": "mine"}).reason_code == "NOT_FOUND"
    assert world.act("RevokeDelegation", {"delegation": name}).status == "OK"  # it is not alice's: nothing changes
    assert world.act("MemoryList", who=other).status == "OK"
    assert world.act("RevokeDelegation", {"delegation": name}, who=other).status == "OK"
    assert world.act("MemoryList", who=other).reason_code == "TOKEN_REVOKED"


def test_requests_and_ends_are_in_the_log_with_the_tag(world):
    name = world.act("SendMessage", {**MAIL, "text": f"pay with {CARD}"}).tx_id
    world.act("SendMessage", {**MAIL, "text": f"pay with {CARD}"}, name)
    world.act("SendMessage", {}, who="nobody")
    entries = [record.entry for record in world.logs[0].records()]
    assert [(entry.kind, entry.outcome) for entry in entries] == [
        ("envelope", None), ("decision", "admit"),
        ("envelope", None), ("decision", "admit"), ("effect", "executed"), ("decision", "admit"),
        ("decision", "deny"),
    ]  # fmt: skip
    assert {entry.principal for entry in entries[:-1]} == {"alice"}
    effect = entries[4]
    assert world.servers.signed[-1]["proof"]["ticket"].startswith(effect.arguments["tag"])
    (executed,) = [r.entry for r in world.logs[1].records(Filter(kind="effect"))]
    assert executed.call == effect.arguments["action_id"]
    assert executed.arguments["tag"] == effect.arguments["tag"]
    assert CARD not in str(entries)


def test_without_a_log_nothing_happens(world):
    name = world.act("SendMessage", MAIL).tx_id
    (world.folder / "gateway-log" / "audit.db").unlink()
    assert world.act("SendMessage", MAIL, name).reason_code == "AUDIT_FAILED"
    assert world.act("MemoryList").reason_code == "AUDIT_FAILED"
    assert not world.presented


def stopped(world, intent="SendMessage", inputs=MAIL):
    """A transaction that is being committed when the gateway stops."""
    from remit.gateway.transactions import Commit

    name = world.act(intent, inputs).tx_id
    known = world.transactions.get(name)
    assert world.transactions.apply(name, Commit("alice", "s1", known.commitment), world.now) == ""
    return name, known.action_id


@pytest.mark.parametrize(
    ("became", "code", "logged"),
    [("done", "TX_DONE", "executed"), ("failed", "NOT_DONE", "failed"), ("unknown", "OUTCOME_UNKNOWN", "unknown")],
)
def test_what_was_being_committed_at_a_crash_gets_the_end_that_the_executor_remembers(became, code, logged, world):
    name, action_id = stopped(world)
    world.memory.mark(action_id, "e1", world.now + 1000, world.now)
    assert asyncio.run(world.gateway.settle(first=True)) == 0  # it is under way
    assert world.act("SendMessage", MAIL, name).reason_code == "TX_BUSY"
    world.memory.finish(action_id, "e1", State(became))
    assert asyncio.run(world.gateway.settle(first=True)) == 1
    assert asyncio.run(world.gateway.settle(first=True)) == 0
    assert world.act("SendMessage", MAIL, name).reason_code == code
    (entry,) = [record.entry for record in world.logs[0].records(Filter(kind="effect"))]
    assert (entry.outcome, entry.arguments["action_id"]) == (logged, action_id)
    assert not world.happened


def test_what_never_reached_the_executor_is_committed_again_under_the_same_name(world):
    name, action_id = stopped(world)
    assert asyncio.run(world.gateway.settle(first=True)) == 0  # it may be on its way
    assert world.act("SendMessage", MAIL, name).reason_code == "TX_BUSY"
    world.now += FLIGHT
    assert world.act("SendMessage", MAIL, name).reason_code == "EXECUTOR_AWAY"
    assert world.act("SendMessage", MAIL, name).status == "OK"
    assert [one.action_id for one in world.happened] == [action_id]


def test_what_never_reached_the_executor_and_is_over_was_never_started(world):
    name, _ = stopped(world)
    world.now += 200
    assert asyncio.run(world.gateway.settle()) == 1
    answer = world.act("SendMessage", MAIL, name)
    assert (answer.status, answer.reason_code) == ("DENY", "NOT_DONE")


def test_what_the_gateway_itself_had_to_do_is_unknown_when_it_stopped_before(world):
    name, action_id = stopped(world, "MemoryWrite", {"key": "k", "text": "remember"})
    world.memory.mark(action_id, "e1", world.now + 1000, world.now)
    world.memory.finish(action_id, "e1", State.DONE)
    assert world.act("MemoryWrite", {"key": "k", "text": "remember"}, name).reason_code == "OUTCOME_UNKNOWN"


def test_how_it_ended_is_nobody_elses_to_know(world):
    name = world.act("SendMessage", MAIL).tx_id
    world.act("SendMessage", MAIL, name)
    assert world.act("SendMessage", MAIL, name, who=credential_of("bob")).reason_code == "TX_CALLER"
    assert world.act("SendMessage", MAIL, name, who=credential_of("alice", session="s2")).reason_code == "TX_SESSION"


def test_a_lost_answer_is_asked_for(world, monkeypatch):
    """It was carried out, and the answer did not come: the gateway asks the executor, and the agent hears how it ended."""
    execute = world.execute

    async def lost(presented, secrets):
        await execute(presented, secrets)
        raise AuthorityError("executor does not answer", "")

    monkeypatch.setattr(world, "execute", lost)
    name = world.act("SendMessage", MAIL).tx_id
    assert world.act("SendMessage", MAIL, name).status == "OK"
    assert world.act("SendMessage", MAIL, name).reason_code == "TX_DONE"
    assert len(world.happened) == 1


def test_nobody_is_worn_out_with_questions(world):
    from remit.gateway.transactions import MOST_WAITING

    inputs = {**MAIL, "text": "TLP:RED for you"}
    names = [world.act("SendMessage", inputs).tx_id for _ in range(MOST_WAITING)]
    assert world.act("SendMessage", inputs).reason_code == "CONFIRM_MANY"
    assert world.act("SendMessage", MAIL).status == "PREVIEW"
    assert world.act("SendMessage", inputs, who=credential_of("alice", session="s2")).status == "CONFIRM"
    world.approve(names[0])
    assert world.act("SendMessage", inputs).status == "CONFIRM"
    world.now += PATIENCE
    assert world.act("SendMessage", inputs).status == "CONFIRM"


def test_handles_do_not_pile_up(world, monkeypatch):
    monkeypatch.setattr("remit.gateway.handles.MOST", 3)
    first = secret(world)
    for _ in range(2):
        secret(world)
    assert world.act("ReadSecret", {"name": "token"}).reason_code == "HANDLE_MANY"
    assert world.act("ReadSecret", {"name": "token"}, who=credential_of("bob")).status == "OK"
    assert world.act("RevokeHandle", {"handle": first}).status == "OK"
    assert world.act("ReadSecret", {"name": "token"}).status == "OK"


def test_every_intent_is_served_or_has_an_effect():
    from remit.authority.intents import intents

    assert {name for name, one in intents().items() if one.effect == "none"} == SERVED


def test_every_code_is_used():
    """A code that nothing gives is not in the table."""
    from pathlib import Path

    import remit.executor
    import remit.gateway

    rooms = (Path(remit.gateway.__file__).parent, Path(remit.executor.__file__).parent / "credentials")
    source = "".join(path.read_text() for room in rooms for path in room.rglob("*.py"))
    assert [code for code in codes("gateway") if f'"{code}"' not in source] == []


def test_an_address_without_a_plain_host_goes_nowhere():
    from remit.authority.intents import intents

    assert sink_of(intents()["FetchResource"], {"url": "https://exa mple/"}) == "?"


def test_what_comes_from_outside_is_told_without_cards_and_as_untrusted(world):
    world.returns = {"status": 200, "text": f"pay with {CARD}"}
    answer = world.done("FetchResource", {"url": "https://example.org/a"})
    assert (answer.data["status"], answer.data["trust"]) == (200, "untrusted")
    assert CARD not in str(answer)


def test_what_is_remembered_and_what_others_say_comes_back_without_keys(world):
    world.notes.write("alice", "k", f"card {CARD}")  # as an older version may have let it in
    told = world.act("MemoryRead", {"key": "k"})
    assert told.data["trust"] == "untrusted"
    assert CARD not in str(told)


def test_a_note_that_the_store_does_not_take_is_not_recorded_as_done(world, monkeypatch):
    """The executor has accepted it; whether it happened stands in the log of the gateway, where it happens."""

    def full(*_):
        raise AuthorityError("the disk is full", "make room")

    first = world.act("MemoryWrite", {"key": "k", "text": "x"})
    monkeypatch.setattr(world.notes, "write", full)
    answer = world.act("MemoryWrite", {"key": "k", "text": "x"}, first.tx_id)
    assert answer.reason_code == "OUTCOME_UNKNOWN"
    ends = [one.entry for one in world.logs[0].records() if one.entry.kind == "effect"]
    assert [one.outcome for one in ends] == ["unknown"]


def test_a_note_that_is_refused_is_recorded_as_failed(world, monkeypatch):
    def refuses(*_):
        raise RefusedError("NOT_DONE", "a caller remembers at most so many texts")

    first = world.act("MemoryWrite", {"key": "k", "text": "x"})
    monkeypatch.setattr(world.notes, "write", refuses)
    assert world.act("MemoryWrite", {"key": "k", "text": "x"}, first.tx_id).reason_code == "NOT_DONE"
    ends = [one.entry for one in world.logs[0].records() if one.entry.kind == "effect"]
    assert [(one.outcome, one.reason) for one in ends] == [("failed", "NOT_DONE")]


def test_a_handle_for_a_file_lives_for_an_hour(world):
    world.returns = {"content": "a plain note"}
    until = NOW + 2 * 3600
    long = credential(named("alice", exp=until), (granted("alice", exp=until),))
    name = world.act("ReadFile", {"path": "/srv/notes.txt"}, who=long).tx_id
    handle = world.act("ReadFile", {"path": "/srv/notes.txt"}, name, who=long).artifacts[0]
    assert world.handles.describe(handle, "s1", "alice").until == NOW + 3600


@pytest.mark.parametrize("returns", [{}, {"content": None}, {"content": ["a"]}])
def test_a_file_that_is_no_text_becomes_no_handle(world, returns):
    world.returns = returns
    assert world.done("ReadFile", {"path": "/srv/notes.txt"}).reason_code == "NOT_TEXT"
