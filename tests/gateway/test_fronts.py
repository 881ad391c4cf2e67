"""Where agents ask: over HTTP on a Unix socket, and through MCP. Bad input is 4xx, and who asks is told by kernel and token."""

import asyncio
import json
import os
import socket

import httpx
import jsonschema
import pytest
import uvicorn
from gatekeys import granted, named
from hypothesis import given, settings
from hypothesis import strategies as st

from by_day import many
from remit.authority.wire.address import Peers
from remit.authority.wire.server import checked_protocol
from remit.core.errors import AuthorityError
from remit.executor.credentials.issuer import credential
from remit.gateway.fronts.client import GatewayClient
from remit.gateway.fronts.http import make_app, measures_of
from remit.gateway.fronts.mcp_stdio import make_server, tool_schema, tool_text

ME = os.getuid()
LIST = {"intent_id": "MemoryList", "inputs": {}}
MAIL = {"intent_id": "SendMessage", "inputs": {"to": "boss@example.org", "text": "hello"}}


def served(world, work, users=frozenset({ME}), kept=None):
    """Run a coroutine against a gateway behind a real Unix socket."""
    path = str(world.folder / "gw.sock")

    async def main():
        app = make_app(world.gateway, measures_of(world.gateway), kept)
        config = uvicorn.Config(
            app, http=checked_protocol(Peers(users=users)), ws="none", lifespan="off", log_level="error", proxy_headers=False
        )  # fmt: skip
        server = uvicorn.Server(config)
        sock = socket.socket(socket.AF_UNIX)
        sock.bind(path)
        running = asyncio.create_task(server.serve(sockets=[sock]))
        while not server.started:  # noqa: ASYNC110  uvicorn tells it in no other way
            await asyncio.sleep(0.01)
        try:
            transport = httpx.AsyncHTTPTransport(uds=path)
            async with httpx.AsyncClient(transport=transport, base_url="http://g") as client:
                return await work(client)
        finally:
            server.should_exit = True
            await running
            os.unlink(path)

    return asyncio.run(main())


def bearer(shown):
    return {"authorization": f"Bearer {shown.text()}"}


def test_an_action_over_http(world):
    async def work(client):
        headers = bearer(world.alice)
        first = await client.post("/act", json=MAIL, headers=headers)
        tx = {"constraints": {"tx_id": first.json()["tx_id"]}}
        second = await client.post("/act", json={**MAIL, **tx}, headers=headers)
        third = await client.post("/act", json={**MAIL, **tx}, headers=headers)
        return [(got.status_code, got.json()["status"], got.json()["reason_code"]) for got in (first, second, third)]

    assert served(world, work) == [(200, "PREVIEW", ""), (200, "OK", ""), (200, "OK", "TX_DONE")]
    assert len(world.happened) == 1


def test_who_asks_is_told_by_the_token_and_by_the_kernel(world):
    mine = credential(named("alice", uid=ME), (granted("alice"),))
    other = credential(named("alice", uid=ME + 1), (granted("alice"),))

    async def work(client):
        out = []
        for headers in (
            bearer(mine), bearer(other), {}, {"authorization": "Bearer x"}, {"authorization": world.alice.text()},
            {**bearer(other), "x-forwarded-for": str(ME + 1), "forwarded": f"for={ME + 1}", "x-remote-user": "0"},
        ):  # fmt: skip
            got = await client.post("/act", json=LIST, headers=headers)
            out.append((got.status_code, got.json()["reason_code"]))
        twice = await client.post("/act", json=LIST, headers=[("authorization", f"Bearer {mine.text()}")] * 2)
        return [*out, (twice.status_code, twice.json()["reason_code"])]

    assert served(world, work) == [
        (200, ""), (401, "PEER_DIFFERS"), (401, "TOKEN_MISSING"), (401, "TOKEN_FORM"), (401, "TOKEN_MISSING"),
        (401, "PEER_DIFFERS"), (401, "TOKEN_MISSING"),
    ]  # fmt: skip


def test_a_user_may_have_a_credential_kept_for_it(world):
    async def work(client):
        return [
            (await client.post("/act", json=LIST, headers=headers)).status_code
            for headers in ({}, {"authorization": "Bearer x"})
        ]

    kept = credential(named("alice", uid=ME), (granted("alice"),))
    assert served(world, work, kept={ME: kept}) == [200, 401]
    assert served(world, work, kept={ME + 1: kept}) == [401, 401]


def test_users_who_may_not_connect_are_not_heard(world):
    async def work(client):
        with pytest.raises(httpx.TransportError):
            await client.post("/act", json=LIST, headers=bearer(world.alice))
        return True

    assert served(world, work, users=frozenset({ME + 1}))


def test_bad_input_is_4xx(world):
    async def work(client):
        headers = bearer(world.alice)
        out = {}
        for name, data in {
            "empty": b"", "text": b"hello", "list": b"[]", "nul": b"\0", "deep": b"[" * 50_000,
            "large": b'{"intent_id":"' + b"x" * 300_000 + b'"}', "unknown": b'{"intent_id":"X","inputs":{}}',
        }.items():  # fmt: skip
            out[name] = (await client.post("/act", content=data, headers=headers)).status_code

        async def endless():
            for _ in range(100):
                yield b"x" * 10_000

        out["endless"] = (await client.post("/act", content=endless(), headers=headers)).status_code
        out["get"] = (await client.get("/act", headers=headers)).status_code
        out["elsewhere"] = (await client.post("/exec", json=LIST, headers=headers)).status_code
        return out

    assert served(world, work) == {
        "empty": 400, "text": 400, "list": 400, "nul": 400, "deep": 400, "large": 413, "unknown": 400, "endless": 413,
        "get": 405, "elsewhere": 404,
    }  # fmt: skip
    assert not world.presented


def test_whatever_is_sent_is_4xx(world):
    texts = st.one_of(st.binary(max_size=120), st.dictionaries(st.sampled_from(["intent_id", "inputs", "constraints", "caller"]), st.text(max_size=10)).map(lambda one: json.dumps(one).encode()))  # fmt: skip
    sent = []

    @settings(max_examples=many(250), deadline=None, database=None)
    @given(texts)
    def collect(data):
        sent.append(data)

    collect()

    async def work(client):
        return {(await client.post("/act", content=data, headers=bearer(world.alice))).status_code for data in sent}

    assert served(world, work) <= {400, 413}


def test_health_and_metrics_tell_nothing_of_requests(world):
    async def work(client):
        await client.post("/act", json=MAIL, headers=bearer(world.alice))
        return (await client.get("/health")).json(), (await client.get("/metrics")).text

    health, metrics = served(world, work)
    assert health == {"gateway": "ready", "epoch": 3}
    assert 'remit_answers_total{code="PREVIEW",party="gateway",path="/act"} 1.0' in metrics
    assert "boss" not in metrics


def test_a_client_of_the_socket(world):
    path = str(world.folder / "gw.sock")

    async def work(_):
        async with GatewayClient(path, world.alice.text()) as asker:
            return await asker.act(LIST)

    assert served(world, work)["status"] == "OK"

    async def nobody():
        async with GatewayClient(path, world.alice.text()) as asker:
            await asker.act(LIST)

    with pytest.raises(AuthorityError, match="does not answer"):
        asyncio.run(nobody())


def test_a_credential_is_one_line(world):
    with pytest.raises(AuthorityError, match="characters that none has"):
        GatewayClient(str(world.folder / "gw.sock"), "x\r\nhost: other")


def spoken(world, work):
    """A real MCP client with the server, over streams in memory."""
    from mcp.client import Client

    async def act(said):
        return (await world.gateway.act(world.alice, said)).to_json()

    async def main():
        async with Client(make_server(act)) as client:
            return await work(client)

    return asyncio.run(main())


def test_an_action_over_mcp(world):
    async def work(client):
        tools = await client.list_tools()
        first = await client.call_tool("act", MAIL)
        tx = {"constraints": {"tx_id": first.structured_content["tx_id"]}}
        second = await client.call_tool("act", {**MAIL, **tx})
        third = await client.call_tool("act", {**MAIL, "user_confirm": True})
        other = await client.call_tool("execute", MAIL)
        return tools, first, second, third, other

    tools, first, second, third, other = spoken(world, work)
    assert [tool.name for tool in tools.tools] == ["act"]
    assert tools.tools[0].input_schema == tool_schema()
    assert (first.structured_content["status"], first.is_error) == ("PREVIEW", False)
    assert second.structured_content["status"] == "OK"
    assert json.loads(second.content[0].text) == second.structured_content
    assert (third.is_error, other.is_error) == (True, True)
    assert len(world.happened) == 1


def test_a_gateway_that_is_away_is_a_refusal(world):
    async def away(_):
        raise AuthorityError("the gateway does not answer", "start it")

    from mcp.client import Client

    async def main():
        async with Client(make_server(away)) as client:
            return await client.call_tool("act", LIST)

    found = asyncio.run(main())
    assert found.is_error
    assert found.structured_content == {
        "status": "DENY", "summary": "the gateway does not answer", "data": {}, "artifacts": [], "reason_code": "STORE_FAILED",
    }  # fmt: skip


def test_the_tool_takes_what_the_gateway_takes():
    form = jsonschema.Draft202012Validator(tool_schema())
    good = {**MAIL, "constraints": {"tx_id": "0" * 32}}
    assert form.is_valid(good)
    assert form.is_valid(MAIL)
    for bad in (
        {"intent_id": "SendMessage"}, {"inputs": {}}, {**MAIL, "intent_id": "Else"}, {**MAIL, "inputs": []}, {**MAIL, "more": 1},
        {**MAIL, "constraints": []}, {**MAIL, "constraints": {"tx_id": 1}}, {**MAIL, "constraints": {"tx_id": "x"}},
        {**MAIL, "constraints": {"more": 1}}, [],
    ):  # fmt: skip
        assert not form.is_valid(bad), bad


def test_the_tool_tells_every_intent():
    text = tool_text()
    assert "SendMessage(to, subject?, text)" in text
    assert "Declassify(handle)" in text
