"""A command on a device: from what is asked to what the device answers, and what devices and gateway say to one another."""

import asyncio
import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from each_row import each_row
from remit.core.errors import AuthorityError, DataError, TrustError
from remit.gateway.inbound import pairing
from remit.gateway.inbound.nodes import client, devices, runs
from remit.gateway.inbound.nodes.client import Node, device_key
from remit.gateway.inbound.nodes.command_requests import DeviceCommand, run_asked, run_command
from remit.gateway.inbound.nodes.commands import Commands, Device, read_known
from remit.gateway.inbound.nodes.devices import DeviceAnswer, Devices, device_id, read_done, read_hello, signed_text
from remit.gateway.inbound.nodes.runs import apply, look
from remit.gateway.inbound.pairing import apply as apply_pairing
from remit.gateway.inbound.pairing import let_in
from remit.gateway.inbound.stores.operations import listed
from remit.gateway.inbound.stores.sql import sqlite_link
from remit.gateway.inbound.stores.store import Store
from remit.gateway.inbound.stores.tables import TABLES

NOW = 1000
DEVICE = Device("d1", "linux", frozenset({"system.run", "system.which"}))
WANTED = DeviceCommand("d1", "system.which", "ls", tainted=False)


class Gateway:
    """What asking needs of a gateway, with one device that is paired and answers."""

    def __init__(self, folder):
        self.store = Store(sqlite_link(folder / "x.db"), TABLES)
        self.devices = Devices()
        self.settings = Commands(extra=frozenset({"system.run"}))
        self.time, self.sent, self.waited = NOW, [], []
        self.answers, self.refuses, self.asked = True, "", []
        self.connected = self.devices.connect(DEVICE, self.send)
        self.answer = lambda _: None
        for event in (pairing.Ask("d1", "CODE"), pairing.Approve("CODE")):
            self.store.run(apply_pairing(pairing.Rules(), "nodes", event, NOW))

    async def send(self, text):
        told = json.loads(text)
        request = self.store.run(look(told["run"]))
        self.sent.append((told["command"], told["arguments"], str(request.phase)))
        if self.answers:
            self.connected.answered(DeviceAnswer(told["run"], 0, "out"))

    def commands(self):
        return self.settings

    def refusal_now(self):
        return self.refuses

    def now(self):
        return self.time

    async def kept(self, operation):
        return await asyncio.wrap_future(self.store.submit(operation))

    def asked_by(self):
        return "chat:ann", ""

    def waiting(self, name, wanted, ask):
        self.waited.append(wanted)
        assert self.store.run(apply(name, ask, NOW)) == ""
        return WaitingError(name)

    async def asks(self, name):
        self.asked.append(str(self.store.run(look(name)).phase))

    def phases(self):
        return [str(one.phase) for _, one in self.store.run(listed("runs"))]


class WaitingError(Exception):
    """The turn is suspended."""


@pytest.fixture
def gateway(tmp_path):
    made = Gateway(tmp_path)
    yield made
    made.store.close()


def ask(gateway, wanted=WANTED):
    try:
        return asyncio.run(run_command(gateway, wanted))
    except WaitingError as waiting:
        gateway.answer(str(waiting))
        return asyncio.run(run_asked(gateway, wanted, str(waiting)))


def refused(gateway, wanted=WANTED):
    with pytest.raises(AuthorityError) as error:
        ask(gateway, wanted)
    return error.value.message


def says(gateway, event):
    gateway.answer = lambda name: gateway.store.run(apply(name, event, NOW))


def test_what_is_allowed_and_declared_runs_and_the_disk_says_so_first(gateway):
    assert ask(gateway) == "status 0\nout"
    assert gateway.sent == [("system.which", "ls", "running")]
    assert gateway.asked == ["running"]
    assert (gateway.waited, gateway.phases()) == ([], ["done"])


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda gateway: gateway.devices.disconnect(gateway.connected), "DEVICE_AWAY"),
        (lambda gateway: gateway.store.run(apply_pairing(pairing.Rules(), "nodes", pairing.Remove("d1"), NOW)), "DEVICE_NOT_PAIRED"),
        (lambda gateway: setattr(gateway, "settings", Commands(deny=frozenset({"system.which"}))), "COMMAND_DENIED"),
        (lambda gateway: gateway.devices.connect(DEVICE._replace(declared=frozenset()), gateway.send), "COMMAND_UNDECLARED"),
    ],
)  # fmt: skip
def test_what_is_not_allowed_is_not_even_asked(gateway, change, code):
    change(gateway)
    assert refused(gateway) == code
    assert (gateway.sent, gateway.phases()) == ([], [])


@pytest.mark.parametrize(
    "wanted", [WANTED._replace(command="system.run"), WANTED._replace(tainted=True)], ids=["changes", "tainted"]
)
def test_what_a_person_must_approve_runs_after_that(gateway, wanted):
    says(gateway, runs.Approve(wanted.digest, "anna"))
    assert ask(gateway, wanted) == "status 0\nout"
    assert (gateway.waited, len(gateway.sent)) == ([wanted], 1)


def test_what_a_person_denies_does_not_run(gateway):
    says(gateway, runs.Deny())
    assert refused(gateway, WANTED._replace(tainted=True)) == "APPROVAL_DENIED"
    assert (gateway.sent, gateway.phases()) == ([], ["denied"])


def test_what_nobody_answers_does_not_run(gateway):
    assert refused(gateway, WANTED._replace(tainted=True)) == "APPROVAL_MISSING"
    gateway.answer = lambda _: setattr(gateway, "time", NOW + runs.LIFETIME)
    assert refused(gateway, WANTED._replace(tainted=True)) == "RUN_EXPIRED"
    assert (gateway.sent, gateway.phases()) == ([], ["waiting", "waiting"])


def test_settings_that_change_while_a_person_thinks_count(gateway):
    def approved(name):
        gateway.store.run(apply(name, runs.Approve(WANTED.digest, "anna"), NOW))
        gateway.settings = Commands(deny=frozenset({"system.which"}))

    gateway.answer = approved
    assert refused(gateway, WANTED._replace(tainted=True)) == "COMMAND_DENIED"
    assert (gateway.sent, gateway.phases()) == ([], ["ready"])


def test_a_tool_that_is_denied_while_a_person_thinks_does_not_run(gateway):
    def approved(name):
        gateway.store.run(apply(name, runs.Approve(WANTED.digest, "anna"), NOW))
        gateway.refuses = "TOOL_DENIED"

    gateway.answer = approved
    assert refused(gateway, WANTED._replace(tainted=True)) == "COMMAND_DENIED"
    assert (gateway.sent, gateway.phases()) == ([], ["ready"])
    assert refused(gateway) == "TOOL_DENIED"
    assert len(gateway.phases()) == 1


def test_an_approval_that_comes_too_late_is_none(gateway):
    def approved(name):
        gateway.store.run(apply(name, runs.Approve(WANTED.digest, "anna"), NOW))
        gateway.time = NOW + runs.LIFETIME

    gateway.answer = approved
    assert refused(gateway, WANTED._replace(tainted=True)) == "RUN_EXPIRED"
    assert gateway.sent == []


def test_a_device_that_does_not_answer_leaves_it_unknown(gateway, monkeypatch):
    from remit.gateway.inbound.nodes import devices

    monkeypatch.setattr(devices, "SECONDS", 0.05)
    gateway.answers = False
    assert refused(gateway) == "the device did not answer"
    assert gateway.phases() == ["unknown"]


def test_a_device_that_is_not_there_is_asked_nothing():
    with pytest.raises(AuthorityError, match="not there"):
        asyncio.run(Devices().run("d1", "r", "system.which", ""))


def test_the_digest_is_of_all_that_it_is_run_with():
    others = [WANTED._replace(device="d2"), WANTED._replace(command="x"), WANTED._replace(arguments="x")]
    assert len({one.digest for one in (WANTED, *others)}) == 4


def test_who_is_let_in_is_who_was_approved(gateway):
    assert gateway.store.run(let_in("nodes", "d1"))
    assert not gateway.store.run(let_in("nodes", "d2"))
    assert not gateway.store.run(let_in("other", "d1"))


KEY = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
PUBLIC = KEY.public_key().public_bytes_raw().hex()


def hello(challenge="c", **changes):
    told = {"key": PUBLIC, "platform": "linux", "commands": ["system.run"]}
    signature = KEY.sign(signed_text(challenge, *told.values())).hex()
    return json.dumps({**told, "signature": signature, **changes})


def test_a_device_is_what_it_can_prove():
    assert read_hello(hello(), "c") == Device(device_id(PUBLIC), "linux", frozenset({"system.run"}))


@each_row(
    "text",
    [
        hello("another"),
        hello(platform="browser"),
        hello(commands=["system.run", "system.which"]),
        hello(commands=[]),
        hello(key="0" * 64),
        hello(signature="0" * 128),
        hello(signature="0"),
        hello(more=1),
        hello(platform=1),
        "no JSON",
        "[]",
        "[" * 100_000,
    ],
)
def test_what_is_not_proved_is_no_device(text):
    assert read_hello(text, "c") is None


def test_what_a_device_answers_has_its_form(monkeypatch):
    told = {"done": "r", "status": 0, "output": ""}
    assert read_done(json.dumps(told)) == DeviceAnswer("r", 0, "")
    assert read_done(json.dumps({**told, "status": -255})) == DeviceAnswer("r", -255, "")
    assert read_done(json.dumps({**told, "status": 256})) is None
    assert read_done(json.dumps({**told, "output": 1})) is None
    size = len(json.dumps(told))
    monkeypatch.setattr(devices, "MOST", size)
    assert read_done(json.dumps(told)) is not None
    assert read_done(json.dumps(told) + " ") is None


def node(*commands, platform="linux"):
    told = []
    return Node(KEY, platform, frozenset(commands), told.append), told


def answered(one, told):
    return asyncio.run(one._answer(told))


def test_a_device_declares_what_it_was_given_and_proves_it():
    one, told = node("system.which", "camera.snap")
    said = answered(one, {"challenge": "c"})
    assert read_hello(json.dumps(said), "c") == Device(one.id, "linux", frozenset({"system.which"}))
    assert answered(one, {"paired": True}) is None
    assert answered(one, {"code": "CODE"}) is None
    assert told == [f"paired: {one.id} can system.which", "not paired yet: remit gateway pair nodes CODE"]


def test_a_device_does_what_it_declared_and_nothing_else():
    one, told = node("system.which")
    asked = {"run": "r", "command": "system.which", "arguments": "sh"}
    assert answered(one, asked)["status"] == 0
    assert told == ["system.which sh"]
    assert answered(one, {**asked, "command": "system.run"}) == {"done": "r", "status": 126, "output": "`system.run` was not declared"}  # fmt: skip
    for other in ({**asked, "run": 1}, {**asked, "arguments": None}, {"paired": False}, {}, {"challenge": 1}):
        assert answered(one, other) is None
    with pytest.raises(AuthorityError, match="refused: no"):
        answered(one, {"refused": "no"})


def test_the_key_of_a_device_is_made_once_for_its_owner_alone(tmp_path):
    path = tmp_path / "deep" / "key"
    first = device_key(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert device_key(path).private_bytes_raw() == first.private_bytes_raw() == path.read_bytes()
    path.write_bytes(b"short")
    with pytest.raises(TrustError, match=r"key of a device|the device.s key"):
        device_key(path)
    path.write_bytes(b"k" * 32)
    path.chmod(0o644)
    with pytest.raises(TrustError):
        device_key(path)


def test_programs_are_started_as_words():
    assert client.run("printf '%s' 'a  b|c'") == (0, "a  b|c")
    assert client.run("sh -c 'exit 7'") == (7, "")
    assert client.run("'open") == (2, "not a command line: No closing quotation")
    assert client.run("  ") == (2, "no program is named")
    assert client.run("/no/such") == (127, "`/no/such` cannot be started: no such file or directory")
    assert client.which(" sh ")[0] == 0
    assert client.which("no-such-program") == (1, "")


def test_a_program_that_takes_too_long_is_ended_with_what_it_started(monkeypatch):
    monkeypatch.setattr(client, "SECONDS", 0.3)
    assert client.run("sh -c 'sleep 60 & sleep 60'") == (124, "")
    monkeypatch.setattr(client, "SECONDS", 20)
    monkeypatch.setattr(client, "MOST_OUTPUT", 3)
    assert client.run("echo abcdef") == (0, "abc")
    assert client.run("sh -c 'kill -9 $$'") == (-9, "")


def test_pages_are_pages(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    for address in ("file:///etc/passwd", "javascript:1", "http:", "--dump-dom", "data:text/html,x"):
        assert client.read(address) == (2, "not the address of a page")
    assert client.read("http://x.test/") == (127, "no browser is there")
    program = tmp_path / "chromium"
    program.write_text(
        '#!/bin/sh\nfor word; do case "$word" in --screenshot=*) printf png > "${word#--screenshot=}";; esac; done\necho "$@"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    status, told = client.read(" https://x.test/ ")
    assert status == 0
    assert told.endswith(" --dump-dom -- https://x.test/\n")
    assert client.shot("https://x.test/") == (0, "cG5n")
    monkeypatch.setattr(client, "MOST_OUTPUT", 3)
    assert client.shot("https://x.test/") == (1, "the picture is too large")
    program.write_text("#!/bin/sh\nexit 3\n")
    assert client.shot("https://x.test/")[0] == 3
    program.write_text("#!/bin/sh\nexit 0\n")
    assert client.shot("https://x.test/")[0] == 1


@each_row("line", ["[defaults]\na | b\na | b", "[asks]\na | x\na | x", "[other]\na | b"])
def test_a_table_of_commands_that_can_not_be_read(line, tmp_path):
    (tmp_path / "nodes.table").write_text(line + "\n")
    with pytest.raises(DataError, match=r"nodes\.table:"):
        read_known(tmp_path / "nodes.table")


def test_a_table_of_commands(tmp_path):
    (tmp_path / "nodes.table").write_text("[defaults]\na | b c\n[asks]\nb | -\n")
    assert read_known(tmp_path / "nodes.table") == ({"a": frozenset("bc")}, frozenset("b"))
