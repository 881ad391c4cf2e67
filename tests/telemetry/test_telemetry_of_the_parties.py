"""A real `remit up` with telemetry: one trace from the gateway through both servers to the executor, figures of all, lines of all."""

import asyncio
import http.client
import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from collector import Collector, collecting
from hearing import free_ports, heard
from prometheus_client.parser import text_string_to_metric_families

from remit.core import telemetry
from remit.core.telemetry import Home, part
from remit.core.telemetry_table import FILE, told
from remit.gateway.deployment.folders import make_folder
from remit.gateway.deployment.operator_actions import CredentialContents, give
from remit.gateway.deployment.processes import _given, start, stop
from remit.gateway.fronts.client import GatewayClient

POLICY = "policy  told\nlist    keys  note\nintent  FinalizeOutput\nallow   not text shows key\nintent  MemoryWrite\nallow   token in keys\n"
PARTIES = ("p1", "p0", "executor", "gateway")
CALLER = Home("ab" * 16, "cd" * 8)
WORDS = "the very words of nobody"
SECRET = "AKIAIOSFODNN7EXAMPLE"


class Up(NamedTuple):
    folder: Path
    collector: Collector
    first: int

    def act(self, *said, within=None):
        async def ask():
            async with GatewayClient(str(self.folder / "run" / "gateway.sock"), credential, within=within) as asker:
                return [await asker.act(one) for one in said]

        credential = give(self.folder, CredentialContents("alice", "s1", ("*",), ("*",), 600))
        return asyncio.run(ask())

    def done(self, text, within=None):
        """Previewed and committed."""
        said = {"intent_id": "FinalizeOutput", "inputs": {"text": text}}
        (preview,) = self.act(said, within=within)
        (ended,) = self.act({**said, "constraints": {"tx_id": preview["tx_id"]}}, within=within)
        assert ended["status"] == "OK"


@pytest.fixture(scope="module")
def up():
    with tempfile.TemporaryDirectory(prefix="rt") as name, collecting() as collector:
        folder, first = Path(name) / "up", free_ports()
        (Path(name) / "a.policy").write_text(POLICY)
        parties = make_folder(folder, Path(name) / "a.policy")
        path = folder / FILE
        path.write_text(
            json.dumps({"v": 1, "otlp": collector.url, "prometheus": f"127.0.0.1:{first}", "log": "stderr"})
        )
        path.chmod(0o600)
        try:
            list(start(folder, parties))
            yield Up(folder, collector, first)
        finally:
            list(stop(folder))


def actions(spans):
    """The traces of actions that somebody asked for: spans by trace."""
    found = {one.trace for one in spans if one.name == "remit.gateway.act" and one.trace != CALLER.trace}
    return {trace: [one for one in spans if one.trace == trace] for trace in found}


# How often each party tells of one action: the gateway of preview and commit, and of each question it asks for them.
WHOLE = Counter({
    ("remit-gateway", "remit.gateway.act"): 2, ("remit-gateway", "remit.ask"): 5, ("remit-executor", "remit.executor.act"): 1,
})  # fmt: skip


def whole(spans):
    """Whether all parties have told all of an action; each tells by itself, in parts, and when it likes."""
    return any(Counter((one.service, one.name) for one in trace) >= WHOLE for trace in actions(spans).values())


def test_an_action_is_one_trace_through_gateway_and_executor(up):
    up.done(WORDS, CALLER)
    spans = up.collector.wait_for(whole)
    (name, trace), *_ = [one for one in actions(spans).items() if whole(one[1])]
    preview, commit = part(name, "preview").span, part(name, "commit").span
    found = {(one.service, one.name, one.parent) for one in trace if one.name != "remit.ask"}
    assert found == {
        ("remit-gateway", "remit.gateway.act", ""), ("remit-gateway", "remit.gateway.act", preview), ("remit-executor", "remit.executor.act", commit),
    }  # fmt: skip
    asked = {(one.attributes["remit.party"], one.attributes["remit.path"]) for one in trace if one.name == "remit.ask"}
    assert asked - {("executor", "/store")} == {("p0", "/look-up"), ("p1", "/look-up"), ("executor", "/exec")}
    mine = [
        one
        for one in up.collector.wait_for(lambda all_: sum(one.trace == CALLER.trace for one in all_) >= 2)
        if one.trace == CALLER.trace
    ]
    assert {one.parent for one in mine} == {CALLER.span}
    assert {link for one in mine for link in one.links} == {(name, preview), (name, commit)}


def test_who_asks_within_a_span_of_its_own_is_found_there(up):
    with heard(), telemetry.span("remit.inbound.tool") as span:
        up.act({"intent_id": "FinalizeOutput", "inputs": {"text": "x"}})
        trace, name = span.home
    spans = up.collector.wait_for(lambda all_: any(one.trace == trace for one in all_))
    (mine,) = [one for one in spans if one.trace == trace]
    assert (mine.service, mine.name, mine.parent) == ("remit-gateway", "remit.gateway.act", name)


def test_the_servers_are_told_nothing_of_the_callers_trace(up):
    spans = up.collector.wait_for(whole)
    mine = {one.service for one in spans if one.trace == CALLER.trace}
    assert mine == {"remit-gateway"}
    assert {link for one in spans if one.service in ("remit-p0", "remit-p1") for link in one.links} == set()


def test_a_look_up_is_a_trace_of_the_two_servers_and_of_nobody_else(up):
    """They are told no action: what a server tells of two look-ups shows nothing that belongs to both."""
    up.act({"intent_id": "FinalizeOutput", "inputs": {"text": "x"}})

    def both(spans):
        by = {one.trace: set() for one in spans if one.name == "remit.server.look_up"}
        for one in spans:
            if one.trace in by:
                by[one.trace].add((one.service, one.name))
        return [found for found in by.values() if len(found) > 1]

    found = up.collector.wait_for(both)
    assert set(map(frozenset, both(found))) == {
        frozenset({("remit-p0", "remit.server.look_up"), ("remit-p1", "remit.server.look_up")})
    }


def test_figures_of_every_party_are_scraped(up):
    up.act({"intent_id": "FinalizeOutput", "inputs": {"text": SECRET}})
    for party in PARTIES:
        link = http.client.HTTPConnection("127.0.0.1", up.first + told().processes[party], timeout=300)
        link.request("GET", "/metrics")
        answer = link.getresponse()
        text = answer.read().decode()
        assert answer.status == 200
        families = {family.name: family for family in text_string_to_metric_families(text)}
        assert {one.labels["party"] for one in families["remit_answers"].samples} == {party}
        assert "remit_span_seconds" in families
        assert {name for name in families if name.startswith("remit_")} <= set(told().figures)
        assert SECRET not in text
        assert WORDS not in text


def test_lines_are_json_and_hold_nothing_that_was_asked(up):
    (answer,) = up.act({"intent_id": "MemoryWrite", "inputs": {"key": "other", "text": f"{WORDS} {SECRET}"}})
    assert answer["reason_code"] == "POLICY_DENY"

    def refused():
        lines = (up.folder / "log" / "gateway.log").read_text().splitlines()
        return [
            one for one in map(json.loads, lines) if one["event"] == "ACT_REFUSED" and one["intent"] == "MemoryWrite"
        ]

    up.collector.wait_for(lambda _: refused())
    line = refused()[-1]
    assert (line["level"], line["code"], line["process"]) == ("info", "POLICY_DENY", "gateway")
    for party in PARTIES:
        text = (up.folder / "log" / f"{party}.log").read_text()
        assert all(json.loads(one)["event"] in told().events for one in text.splitlines())
        assert SECRET not in text
        assert WORDS not in text
    spans = str(up.collector.spans)
    assert SECRET not in spans
    assert WORDS not in spans
    assert "alice" not in spans


def test_a_party_is_started_anew_when_what_it_tells_changes(up, monkeypatch):
    monkeypatch.setenv("REMIT_STATE", str(up.folder.parent / "state"))
    (party, *_) = make_folder(up.folder, None)
    before = _given(up.folder, party)
    text = (up.folder / FILE).read_text()
    (up.folder / FILE).write_text(text.replace("stderr", "other.log"))
    try:
        assert _given(up.folder, party) != before
    finally:
        (up.folder / FILE).write_text(text)
    assert _given(up.folder, party) == before
