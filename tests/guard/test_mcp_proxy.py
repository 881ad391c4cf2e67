"""The proxy between a client and a server of the mcp package, with a real daemon: what passes, and what does not."""

import json

import anyio
import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError
from mcp_server import tool
from mcp_wiring import in_loop, until, words

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")


@in_loop
async def test_an_allowed_call_passes_and_is_identical(world):
    args = {"text": "grüße \u200b", "deep": {"a": [1, 2.5, None, True]}, "big": 2**53 - 1}
    async with world.client() as client:
        result = await client.call_tool("echo", args)
    assert not result.is_error
    assert json.loads(words(result)) == args
    assert world.offer.calls == [("echo", args)]
    (before,) = world.told(kind="before", tool="mcp__srv__echo")
    (after,) = world.told(kind="after", tool="mcp__srv__echo")
    assert before["args"] == after["args"] == args
    assert before["call"] == after["call"]
    assert before["session"].startswith("mcp-srv-")
    assert before["name"] == "tools/call"
    assert json.loads(after["text"]) == args
    assert [event["kind"] for event in world.told(session=before["session"])] == ["session", "before", "after", "end"]


@in_loop
async def test_a_denied_call_is_refused_with_the_reason(world):
    async with world.client() as client:
        result = await client.call_tool("danger", {"text": "x"})
    assert result.is_error
    assert words(result) == "told so about danger (approval k1)"
    assert world.offer.calls == []


@in_loop
async def test_what_must_be_asked_is_refused_where_nobody_can_ask(world):
    async with world.client() as client:
        result = await client.call_tool("asky", {"text": "x"})
    assert result.is_error
    assert words(result) == "a person must agree (approval k2)"
    assert world.told(kind="before", tool="mcp__srv__asky")[0]["asks"] is False
    assert world.offer.calls == []


def answering(action, content, seen):
    async def elicit(context, params):
        seen.append(params)
        return types.ElicitResult(action=action, content=content)

    return elicit


@pytest.mark.parametrize(
    ("action", "content", "runs", "asked"),
    [
        ("accept", {"answer": "allow once"}, 3, 3),
        ("accept", {"answer": "allow this very call for the session"}, 3, 2),
        ("accept", {"answer": "deny"}, 0, 3),
        ("accept", {"answer": "allow"}, 0, 3),
        ("accept", {}, 0, 3),
        ("accept", None, 0, 3),
        ("decline", None, 0, 3),
        ("decline", {"answer": "allow once"}, 0, 3),
        ("cancel", None, 0, 3),
    ],
)
@in_loop
async def test_the_user_is_asked_through_the_client(world, action, content, runs, asked):
    seen = []
    async with world.client(elicitation_callback=answering(action, content, seen)) as client:
        results = [await client.call_tool("asky", {"text": text}) for text in ("x", "x", "y")]
    assert len(world.offer.calls) == runs
    assert len(seen) == asked
    assert "mcp__srv__asky" in seen[0].message
    assert '"text": "x"' in seen[0].message
    assert all(result.is_error == (not runs) for result in results)


@in_loop
async def test_a_user_who_does_not_answer_denies(world):
    world.options = {"decide_within": 0.2}

    async def never(context, params):
        await anyio.sleep(30)

    async with world.client(elicitation_callback=never) as client:
        result = await client.call_tool("asky", {"text": "x"})
    assert result.is_error
    assert "did not answer within 0.2 seconds" in words(result)
    assert world.offer.calls == []


@in_loop
async def test_arguments_that_the_guard_changes(world):
    async with world.client() as client:
        result = await client.call_tool("rewritten", {"text": "x"})
    assert world.offer.calls == [("rewritten", {"text": "other words"})]
    assert words(result).endswith("the words were changed")
    assert world.told(kind="after", tool="mcp__srv__rewritten")[0]["args"] == {"text": "other words"}


@in_loop
async def test_an_answer_that_the_guard_withholds_or_redacts(world):
    async with world.client() as client:
        secret = await client.call_tool("secret", {})
        redacted = await client.call_tool("redact", {})
    assert secret.is_error
    assert words(secret) == "the answer holds a secret"
    assert words(redacted) == "redacted"


@in_loop
async def test_a_daemon_that_is_down_refuses_everything(world):
    async with world.client() as client:
        assert not (await client.call_tool("echo", {})).is_error
        (world.state / "guard.sock").unlink()
        result = await client.call_tool("echo", {})
        assert result.is_error
        assert "daemon is down" in words(result)
        with pytest.raises(MCPError, match="daemon is down"):
            await client.read_resource("file:///a")
    assert len(world.offer.calls) == 1


@in_loop
async def test_a_daemon_that_ends_during_a_call_withholds_the_answer(world):
    async with world.client() as client:
        await client.list_tools()
        world.offer.on_call = (world.state / "guard.sock").unlink
        result = await client.call_tool("echo", {"text": "x"})
    assert len(world.offer.calls) == 1
    assert result.is_error
    assert "daemon is down" in words(result)


@in_loop
async def test_fifty_calls_at_once(world):
    async with world.client() as client:
        results = {}

        async def call(number):
            results[number] = words(await client.call_tool("echo", {"text": str(number)}))

        async with anyio.create_task_group() as tasks:
            for number in range(50):
                tasks.start_soon(call, number)
    assert results == {number: json.dumps({"text": str(number)}) for number in range(50)}
    assert len(world.told(kind="before", tool="mcp__srv__echo")) == 50
    assert len({event["call"] for event in world.told(kind="after", tool="mcp__srv__echo")}) == 50


@in_loop
async def test_too_many_at_once_are_refused(world):
    world.options = {"most_at_once": 2}
    async with world.client() as client:
        await client.list_tools()
        failed = []

        async def call(number):
            try:
                await client.call_tool("slow", {"n": number})
            except MCPError as error:
                failed.append(str(error))

        async with anyio.create_task_group() as tasks:
            for number in range(3):
                tasks.start_soon(call, number)
            await until(lambda: failed and len(world.offer.calls) == 2)
            tasks.cancel_scope.cancel()
    assert len(failed) == 1
    assert "too many" in failed[0]


@in_loop
async def test_progress_and_logs_pass(world):
    seen, logs = [], []

    async def on_progress(progress, total, message):
        seen.append((progress, total, message))

    async def on_log(params):
        logs.append(params.data)

    async with world.client(logging_callback=on_log) as client:
        result = await client.call_tool("progress", {}, progress_callback=on_progress)
        await client.call_tool("log", {})
    assert words(result) == "done"
    assert seen == [(0, 3, "step 0"), (1, 3, "step 1"), (2, 3, "step 2")]
    assert logs == ["hello from the server"]


@in_loop
async def test_a_cancelled_call_is_cancelled_at_the_server(world):
    async with world.client() as client:
        await client.list_tools()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call_tool, "slow", {"text": "x"})
            await until(lambda: world.offer.calls)
            tasks.cancel_scope.cancel()
        await until(lambda: world.told(kind="failed"))
        assert world.offer.cancelled == [{"text": "x"}]
        assert not (await client.call_tool("echo", {})).is_error
    assert "cancelled" in world.told(kind="failed")[0]["text"]


@in_loop
async def test_a_server_that_does_not_answer(world):
    world.options = {"answer_within": 0.5}
    async with world.client() as client:
        with pytest.raises(MCPError, match=r"did not answer within 0\.5 seconds"):
            await client.call_tool("slow", {})
        assert not (await client.call_tool("echo", {})).is_error


@in_loop
async def test_resources_and_prompts_are_judged_by_their_own_names(world):
    async with world.client() as client:
        (resource,) = (await client.list_resources()).resources
        assert (resource.name, resource.description, resource.title) == ("a", None, None)
        assert (await client.read_resource("file:///a")).contents[0].text == "text of file:///a"
        with pytest.raises(MCPError, match="told so about resource:file:///etc/passwd"):
            await client.read_resource("file:///etc/passwd")
        assert (await client.get_prompt("hello")).messages[0].content.text == "prompt hello"
        with pytest.raises(MCPError, match="told so about prompt:evil"):
            await client.get_prompt("evil")
        with pytest.raises(MCPError, match="offers no prompt other"):
            await client.get_prompt("other")
    assert world.told(kind="after", tool="mcp__srv__resource:file:///a")[0]["text"]
    assert not world.told(kind="after", tool="mcp__srv__prompt:evil")


@in_loop
async def test_what_a_server_asks_for_is_judged(world):
    called = []

    async def sampling(context, params):
        called.append("sampling")

    async def list_roots(context):
        called.append("roots")
        return types.ListRootsResult(roots=[types.Root(uri="file:///w")])

    seen = []
    elicit = answering("accept", {"name": "me"}, seen)
    callbacks = {"sampling_callback": sampling, "list_roots_callback": list_roots, "elicitation_callback": elicit}
    async with world.client(**callbacks) as client:
        with pytest.raises(MCPError, match="told so about sampling:"):
            await client.call_tool("sample", {})
        assert words(await client.call_tool("roots", {})) == "file:///w"
        assert words(await client.call_tool("ask", {})) == "accept {'name': 'me'}"
    assert called == ["roots"]
    assert seen[0].message == "The MCP server `srv` asks: your name?"
    assert world.told(kind="after", tool="mcp__srv__elicitation:")[0]["text"] == "accept\nme"


@in_loop
async def test_methods_that_nobody_knows_are_refused(world):
    async with world.streams() as (read, write):
        from mcp.shared.message import SessionMessage

        async def ask(number, method, params=None):
            request = types.JSONRPCRequest(jsonrpc="2.0", id=number, method=method, params=params or {})
            await write.send(SessionMessage(request))
            return (await read.receive()).message

        for number, method in enumerate(("tasks/list", "server/discover", "subscriptions/listen", "tools/Call", "")):
            answer = await ask(number, method)
            assert answer.error.code == types.METHOD_NOT_FOUND, method
        early = await ask(7, "tools/call", {"name": "echo", "arguments": {}})
        assert early.result["isError"]
        task = await ask(8, "tools/call", {"name": "echo", "arguments": {}, "task": {}})
        assert "no `task`" in task.error.message
        for name in (3, None, "", "a\nb", "a b", "x" * 3000):
            assert "does not name" in (await ask(9, "tools/call", {"name": name})).error.message
    assert world.offer.calls == []


@in_loop
async def test_capabilities_that_nobody_judges_are_not_offered(world):
    async with world.client() as client:
        offered = client.server_capabilities.model_dump(exclude_none=True)
        assert set(offered) <= {"tools", "prompts", "resources", "logging", "completions"}
        assert client.instructions is None
    world.offer.tools = [tool("echo")]
    async with world.client() as client:
        assert client.instructions is None
