"""Real hosts with the gateway as their MCP server and no tool of their own that has an effect, through both policy servers, by the
configuration that docs/agents-through-authority.md gives."""

import asyncio
import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from authority_day import running_day, turns
from facts_values import BYPASS, bash
from held_runs import Guard
from other_runs import CODEX_CONFIG, codex
from scripted_model import call
from scripted_wires import results as results_of

import remit

PAGE = Path(__file__).resolve().parents[2] / "docs/agents-through-authority.md"
SOURCE = Path(remit.__file__).parents[1]
READY = [call("WaitForMcpServers")] * 4  # the host waits a few seconds each time; where it is there, it does not wait


def block(name, **changes):
    """A block of the page, with what stands for the user's own replaced."""
    text = PAGE.read_text("utf-8")
    found = re.search(rf"<!-- {name} -->\n```[a-z]*\n(.*?)```", text, re.DOTALL)
    assert found, name
    body = found[1]
    for old, new in changes.items():
        assert old in body, (name, old)
        body = body.replace(old, str(new))
    return body


@pytest.fixture
def day(tmp_path):
    with running_day(tmp_path) as found:
        yield found


def our_program(body, day):
    """`remit` as it is here: the program of these tests, with its folder."""
    begin = (
        f'"-c", "import sys; sys.path.insert(0, {str(SOURCE)!r}); from remit.cli.main import main; sys.exit(main())"'
    )
    body = re.sub(r'(command\W+)"remit"', lambda found: found[1] + json.dumps(sys.executable), body)
    return body.replace('"gateway", "mcp"', f'{begin}, "gateway", "mcp", "--folder", "{day.folder}"')


def test_a_day_with_claude_code(claude, day, monkeypatch):
    guard = Guard(claude, monkeypatch)
    try:
        words = block("claude-code", AGENT=day.credential).split()
        guard.remit(*words[1:], "--folder", day.folder)
        made = guard.work / "made"
        own = [
            bash(f"touch {made}"),
            call("Write", file_path=str(made), content="x"),
            call("Edit", file_path=str(made), old_string="", new_string="x"),
            call("WebFetch", url=f"http://127.0.0.1:{day.port}/", prompt="x"),
        ]
        results = claude.run([*READY, *own, *turns(day, "mcp__remit__act")], {}, *BYPASS).model.results()[len(READY) :]
        assert [failed for failed, _ in results[:4]] == [True] * 4
        assert not made.exists()
        day.judge([text for _, text in results[4:]])
    finally:
        guard.end()


def test_a_day_with_codex(other_host, day):
    place = other_host("@openai/codex@0.166.0", "codex")
    config = our_program(block("codex", AGENT=day.credential), day)
    own = [
        call("exec_command", cmd=f"touch {place.made}"),
        call("apply_patch", input="*** Begin Patch\n*** Add File: made\n+x\n*** End Patch\n"),
    ]
    model, _, rest = CODEX_CONFIG.partition("[model_providers")
    head, _, tables = config.partition("[features]")
    whole = f"{head}\n{model}\n[features]{tables}\n[model_providers{rest}"
    ran = codex(place, [*own, *turns(day, "mcp__remit/act")], config=whole)
    results = results_of(ran.model.requests[-1])
    assert not place.made.exists()
    assert all("unsupported" in one for one in results[:2]), results[:2]
    assert not ran.model.tools() & {"exec_command", "apply_patch", "shell", "local_shell", "web_search"}
    day.judge(results[2:])


def test_a_day_with_any_mcp_client(day):
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    told = json.loads(our_program(block("any", AGENT=day.credential), day))["mcpServers"]["remit"]

    async def work():
        answers = []
        async with (
            stdio_client(StdioServerParameters(command=told["command"], args=told["args"])) as (read, write),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            assert [tool.name for tool in (await session.list_tools()).tools] == ["act"]

            async def act(said):
                result = await session.call_tool("act", said)
                answers.append(result.content[0].text)
                return json.loads(answers[-1])

            for said in day.tasks():
                first = await act(said)
                await act({**said, "constraints": {"tx_id": first["tx_id"]}})
            for said in day.forbidden():
                await act(said)
        return answers

    day.judge(asyncio.run(work()))


def test_the_page_names_programs_that_are_there():
    assert shutil.which("remit", path=str(Path(sys.executable).parent))
