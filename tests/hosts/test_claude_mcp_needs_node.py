"""The real Claude Code and a real server of tools behind `remit guard mcp`: hooks and proxy ask one daemon."""

import json
import signal
import sys
from pathlib import Path

import pytest
from facts_values import BYPASS
from scripted_model import call

SOURCE = Path(__file__).parents[2] / "src"
SERVER = Path(__file__).parents[1] / "guard/mcp_server.py"
ALLOWED = {"capability": "tool.invoke", "scope": "mcp__notes__echo", "effect": "allow", "priority": 1}
READY = [call("WaitForMcpServers")] * 4  # the host waits a few seconds each time; where it is there, it does not wait


@pytest.fixture
def with_server(held):
    """Runs a session with the server behind the proxy; what the server is told besides stands after its command."""

    def run(*turns, changes=()):
        """What became of each call."""
        proxy = [
            "-m", "remit.cli", "guard", "mcp", "--name", "notes", "--first-use", "accept", "--env", f"PYTHONPATH={SOURCE}",
            "--", sys.executable, str(SERVER), "stdio", *changes,
        ]  # fmt: skip
        env = {"PYTHONPATH": str(SOURCE), "REMIT_STATE": str(held.state), "HOME": str(held.place.home)}
        config = held.place.scratch / "mcp.json"
        config.write_text(json.dumps({"mcpServers": {"notes": {"command": sys.executable, "args": proxy, "env": env}}}))
        options = (*BYPASS, "--mcp-config", str(config), "--strict-mcp-config")
        return held.place.run([*READY, *turns], {}, *options).model.results()[len(READY) :]

    return run


def echo(text="hello"):
    return call("mcp__notes__echo", text=text)


def test_what_nobody_allowed_does_not_reach_the_server_and_what_was_granted_does(held, with_server):
    held.careful()
    refused = with_server(echo(), call("mcp__notes__danger", text="x"))
    assert all(failed and "A person must agree first" in text for failed, text in refused)
    held.grant("", ALLOWED)
    done, refused = with_server(echo(), call("mcp__notes__danger", text="x"))
    assert done == (False, '{"text": "hello"}')
    assert refused[0]
    asked = [
        one.entry.host
        for one in held.records()
        if one.entry.tool == "mcp__notes__echo" and one.entry.outcome == "admit"
    ]
    assert asked == ["claude-code", "mcp"]  # the hook, and the proxy behind it
    assert held.alarms() == []


def test_a_tool_that_says_something_else_of_itself_is_refused_by_the_proxy_though_the_hook_lets_it_through_nightly(
    held, with_server
):
    """By day the proxy alone is asked (test_mcp_pins.py)."""
    held.grant("", ALLOWED)
    assert not with_server(echo())[0][0]
    assert with_server(echo(), changes=["--changed"])[0][0]


def test_without_the_daemon_nothing_reaches_the_server_nightly(held, with_server):
    """By day the proxy alone, and the hook alone, are asked (test_mcp_proxy.py, test_claude_held_needs_node.py)."""
    held.grant("", ALLOWED)

    def hangs(_request):
        held.kill(signal.SIGSTOP)
        return echo()

    def goes_on(_request):
        held.kill(signal.SIGCONT)
        return echo("later")

    blocked, later = with_server(hangs, goes_on)
    assert blocked[0]
    assert later == (False, '{"text": "later"}')
