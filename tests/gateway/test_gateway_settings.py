"""What a gateway is started with, and how it hears the others."""

import argparse
import asyncio
import json

import pytest
from gatekeys import credential_of
from gateworld import POLICY

from authority_world import BINDING, STORE, built, server_keys
from each_row import each_row
from remit.authority.policy_files import DeliveredPolicy, read_layout
from remit.authority.question.layout import GATEWAY
from remit.authority.settings import read_settings
from remit.authority.values.action import LIFETIME
from remit.authority.values.opening import open_for
from remit.authority.values.request import make_request
from remit.cli.arguments_deploy import MOST_HOURS, hours
from remit.core.errors import AuthorityError, UsageError
from remit.executor.accept import Presented
from remit.executor.forms import Result
from remit.gateway.deployment.folders import make_folder
from remit.gateway.parties.executor import RemoteExecutor
from remit.gateway.parties.servers import OPEN, Accusing, NotAskedError, Policy, Servers
from remit.gateway.run import kept_for, rules_of
from remit.gateway.state import Vault
from remit.policy.dlp.classes import classes, veiled


@pytest.fixture
def made(tmp_path):
    make_folder(tmp_path / "up", None)
    return tmp_path / "up"


def test_keys_and_policy_come_from_the_settings(made):
    settings = read_settings(made / "gateway.json")
    rules = rules_of(settings)
    assert rules.redact is veiled  # what the executor takes out, this one takes out
    assert "SendMessage" in read_layout(settings.file("layout"), GATEWAY).layout.program.intents
    assert list(rules.operators) != list(rules.approvers)


def kept(made, text, mode=0o600):
    settings = json.loads((made / "gateway.json").read_text())
    settings["files"]["users"] = "users.json"
    (made / "gateway.json").write_text(json.dumps(settings))
    (made / "users.json").write_text(text)
    (made / "users.json").chmod(mode)
    return kept_for(read_settings(made / "gateway.json"))


def test_credentials_of_users(made):
    assert kept_for(read_settings(made / "gateway.json")) == {}
    alice = credential_of("alice")
    assert kept(made, json.dumps({"1000": alice.text()})) == {1000: alice}


@pytest.mark.parametrize("text", ["", "[]", '{"alice": "x"}', '{"1000": "x"}', '{"1000": 1}'])
def test_what_are_no_credentials_of_users(text, made):
    with pytest.raises(UsageError):
        kept(made, text)


def test_credentials_that_others_can_read_are_refused(made):
    with pytest.raises(UsageError, match="opened by others"):
        kept(made, json.dumps({"1000": credential_of("alice").text()}), 0o644)


class Says:
    """A party that always says the same."""

    def __init__(self, told, status=200):
        self.told, self.status = told, status

    async def post(self, _, __):
        return self.told

    async def ask(self, _, __):
        return self.status, self.told


def request(text="hello"):
    return open_for(make_request("FinalizeOutput", "alice", "s1", {"text": text}), STORE)


def servers(told, folder):
    accusing = Accusing(folder / "evidence", Vault(b"v" * 32), bool)
    policy = Policy(lambda: DeliveredPolicy(built(POLICY).gateway, BINDING), server_keys(), classes)
    return Servers(policy, (Says(told), Says(told)), accusing, OPEN)


@each_row("told", [b"", b"[]", b"\0\0\0\2{}", b"\0\0\0\4null", b"[" * 5000])
def test_a_server_that_speaks_otherwise_decides_nothing(told, tmp_path):
    with pytest.raises(AuthorityError):
        asyncio.run(servers(told, tmp_path).look_up(request(), "0" * 32))


def test_a_request_that_can_not_be_asked_about(tmp_path):
    with pytest.raises(NotAskedError):
        asyncio.run(servers(b"{}", tmp_path).look_up(request("ж" * 40_000), "0" * 32))


NOTHING = Presented(b"", b"", "", b"", (), (), None)


@each_row("told", [b"", b"[]", b"{}", b'{"store": 1}', b'{"store": "x"}', b'{"outcome": "perhaps"}'])
def test_an_executor_that_names_no_store_and_no_outcome_is_not_believed(told):
    for ask in (RemoteExecutor(Says(told)).store(), RemoteExecutor(Says(told)).outcome("0" * 32)):
        with pytest.raises(AuthorityError, match="another form"):
            asyncio.run(ask)


def test_the_name_of_a_store_is_asked_for_again_when_tickets_are_refused():
    says = Says(json.dumps({"store": STORE}).encode())
    executor = RemoteExecutor(says)
    assert asyncio.run(executor.store()) == STORE
    says.told = json.dumps(Result("refused", "REQUEST_DIFFERS").to_json()).encode()
    asyncio.run(executor.execute(NOTHING, {}))
    says.told = json.dumps({"store": "6" * 32}).encode()
    assert asyncio.run(executor.store()) == "6" * 32


@each_row("told", [b"", b"[]", b"{}", b'{"status": "done", "more": 1}'])
def test_an_executor_that_speaks_otherwise_leaves_it_open(told):
    with pytest.raises(AuthorityError):
        asyncio.run(RemoteExecutor(Says(told)).execute(NOTHING, {}))


@each_row(("status", "heard"), [(200, True), (403, True), (503, True), (400, False), (500, False), (302, False)])
def test_a_refusal_of_the_executor_is_an_answer(status, heard):
    told = json.dumps(Result("refused", "REPLAY_DENY").to_json()).encode()
    asked = RemoteExecutor(Says(told, status)).execute(NOTHING, {})
    if heard:
        assert asyncio.run(asked).code == "REPLAY_DENY"
    else:
        with pytest.raises(AuthorityError):
            asyncio.run(asked)


def test_how_long_a_request_waits_is_kept(tmp_path):
    folder = tmp_path / "up"
    waits = []
    for given in (0, 12, 0, 24):
        make_folder(folder, None, hours=given)
        settings = read_settings(folder / "gateway.json")
        waits.append(rules_of(settings).patience)
    assert waits == [8 * 3600, 12 * 3600, 12 * 3600, 24 * 3600]
    assert MOST_HOURS * 3600 == LIFETIME  # nothing waits longer than an action lives
    with pytest.raises(argparse.ArgumentTypeError):
        hours("25")
