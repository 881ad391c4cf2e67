"""`remit gateway mcp`: a process beside the agent that has nothing but the agent's credential, and asks at the socket."""

import os
import sys

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from test_fronts import MAIL, served


def test_a_host_starts_it_and_its_agent_acts(world):
    (world.folder / "run").mkdir()
    file = world.folder / "alice.cred"
    file.write_text(world.alice.text() + "\n")
    file.chmod(0o600)
    words = ["-m", "remit.cli", "gateway", "mcp", "--credential", str(file), "--folder", str(world.folder)]
    server = StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))

    async def work(_):
        os.symlink(world.folder / "gw.sock", world.folder / "run" / "gateway.sock")
        async with Client(server) as client:
            tools = await client.list_tools()
            first = (await client.call_tool("act", MAIL)).structured_content
            done = await client.call_tool("act", {**MAIL, "constraints": {"tx_id": first["tx_id"]}})
            forged = await client.call_tool("act", {**MAIL, "caller": "boss"})
        return (
            [tool.name for tool in tools.tools],
            first["status"],
            done.structured_content["status"],
            forged.structured_content,
        )

    tools, first, done, forged = served(world, work)
    assert (tools, first, done) == (["act"], "PREVIEW", "OK")
    assert (forged["status"], forged["reason_code"]) == ("DENY", "BAD_FORM")
    assert len(world.happened) == 1
