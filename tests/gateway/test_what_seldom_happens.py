"""What seldom happens: stores and logs that break, names that nobody should have, texts that are long."""

import asyncio
from collections import OrderedDict

import pytest
from gatekeys import ALICE_KEY, ALL, NOW, OPERATOR_KEY, OPERATORS, granted, named
from gateworld import POLICY

from authority_world import BINDING, STORE, built, server_keys
from remit.authority.policy_files import DeliveredPolicy, newer
from remit.authority.values.opening import open_for
from remit.authority.values.request import make_request
from remit.core.errors import AuditError, AuthorityError
from remit.executor.credentials.issuer import credential, delegate, workload
from remit.executor.credentials.verifier import Revoked, verify
from remit.gateway.handles import Secret, Sensitivity
from remit.gateway.inbound import monitor
from remit.gateway.inbound.channels import platform_requests
from remit.gateway.inbound.records import reloaded
from remit.gateway.inbound.settings.values import GuardSettings, Settings
from remit.gateway.inbound.stores.operations import listed
from remit.gateway.inbound.stores.sql import FILE, open_store
from remit.gateway.inbound.turn_context import guard_of
from remit.gateway.parties.servers import OPEN, Accusing, Policy, Servers
from remit.guard.state_folder import prepared
from remit.policy.dlp.classes import classes

MAIL = {"to": "boss@example.org", "text": "hello"}


def test_an_end_that_can_not_be_written_down_leaves_open_what_happened(world, monkeypatch):
    name = world.act("SendMessage", MAIL).tx_id
    real = world.logs[0].append

    def full(entry, **how):
        if world.happened:
            raise AuditError("the disk is full", "make room")
        return real(entry, **how)

    monkeypatch.setattr(world.logs[0], "append", full)
    assert world.act("SendMessage", MAIL, name).reason_code == "OUTCOME_UNKNOWN"
    assert len(world.happened) == 1


def test_a_value_that_is_no_text_is_not_shown(world):
    world.handles.keep_secret("token", Secret(b"\xff\xfe", Sensitivity.LOW, frozenset({"runtime"})))
    handle = world.act("ReadSecret", {"name": "token"}).data["handle"]
    assert world.done("Declassify", {"handle": handle}).reason_code == "NOT_TEXT"


def test_a_skill_that_can_not_be_read_is_told_with_its_problem(world):
    (world.folder / "skills" / "bad").mkdir()
    (world.folder / "skills" / "bad" / "SKILL.md").write_text("---\nname: bad\ndescription: leads away\n---\n")
    (world.folder / "skills" / "bad" / "notes.md").symlink_to("/etc/hostname")
    (told,) = world.act("ListEnabledSkills").data["skills"]
    assert (told["skill"], set(told)) == ("bad", {"skill", "problem"})


def test_a_key_that_is_none_delegates_nothing():
    first = granted("alice", ALL, key="ff" * 32)
    chain = delegate((first,), ALICE_KEY, "bob", ALL, exp=NOW + 60)
    assert verify(credential(named("bob"), chain), OPERATORS, Revoked(), None, NOW).code == "TOKEN_FORM"


def test_no_process_has_the_operator_s_name():
    with pytest.raises(AuthorityError, match="operator's own name"):
        workload("op-1", OPERATOR_KEY, "operator", exp=NOW)


def test_an_address_that_is_none_is_not_sent_to():
    async def post():
        async with platform_requests.new_client() as client:
            return await platform_requests.post(client, "https://[", b"", {}, lambda _: None, platform_requests.Pause())

    assert asyncio.run(post()) == platform_requests.FAILED


def test_the_monitor_forgets_what_was_not_looked_at_for_longest(monkeypatch):
    monkeypatch.setattr(monitor, "_REMEMBERED", 2)
    known = OrderedDict()
    for key in ("a", "b", "a", "c"):
        monitor._remember(known, key, key)
    assert list(known) == ["a", "c"]


@pytest.mark.parametrize(("fault", "outcome"), [("", "admit"), ("a line too many" * 1000, "deny")])
def test_settings_that_were_changed_are_in_the_log(fault, outcome):
    entry = reloaded(fault)
    assert (entry.outcome, entry.op) == (outcome, "reload")
    assert fault.startswith(entry.reason)
    assert bool(entry.reason) is bool(fault)


def test_the_guard_that_settings_name(tmp_path, monkeypatch):
    monkeypatch.delenv("REMIT_STATE", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    own, other = tmp_path / "remit", tmp_path / "other"
    for state in (own, other):
        state.mkdir(mode=0o700)
        prepared(state)
    assert guard_of(GuardSettings()) is None
    for named_so, state in (("", own), (str(other), other)):
        found = guard_of(GuardSettings("/workspace", named_so))
        assert (found._guard._state, found._workspace) == (state, "/workspace")


def test_the_store_that_settings_name(tmp_path):
    store = open_store(Settings({}, {}), tmp_path)
    assert store.run(listed("messages")) == []
    store.close()
    assert (tmp_path / FILE).is_file()
    with pytest.raises(AuthorityError):
        open_store(Settings({}, {}, database="postgresql://127.0.0.1:1/x"), tmp_path)


@pytest.mark.parametrize(("size", "apart"), [(1024, False), (1025, True)])
def test_a_question_about_a_long_text_holds_nobody_up(size, apart, monkeypatch, tmp_path):
    made = []

    async def to_thread(work, *told):
        made.append(work)
        return work(*told)

    class Says:
        async def post(self, _, __):
            return b""

    monkeypatch.setattr(asyncio, "to_thread", to_thread)
    opening = open_for(make_request("FinalizeOutput", "alice", "s1", {"text": "x" * size}), STORE)
    policy = Policy(lambda: DeliveredPolicy(built(POLICY).gateway, BINDING), server_keys(), classes)
    servers = Servers(policy, (Says(), Says()), Accusing(tmp_path, None, bool), OPEN)
    with pytest.raises(AuthorityError, match="another form"):
        asyncio.run(servers.look_up(opening, "0" * 32))
    assert bool([work for work in made if work is not newer]) is apart
