"""Arguments and help texts of `remit guard mcp`."""

from __future__ import annotations

import argparse
import math

TITLE = "put an MCP server behind the guard"
TEXT = """\
examples:
  remit guard mcp --name files -- npx -y @modelcontextprotocol/server-filesystem .
  remit guard mcp --env PATH --env GITHUB_TOKEN -- github-mcp-server stdio
  remit guard mcp --http https://mcp.example.com/mcp --header-env Authorization=MCP_TOKEN
  remit guard mcp --http https://mcp.example.com/mcp --listen 127.0.0.1:7000
  remit guard mcp pins                          list accepted servers, and what waits for your decision
  remit guard mcp pins --accept files           accept the current tools of the server

In the settings of your client, replace the server's own command with the first form. Every tool call becomes `mcp__NAME__TOOL` and is
decided like any other call; so is every request of the server itself (for a model, the user or folders), under its own name. A denied
call is answered with an error that says why. If the guard does not answer, nothing passes.

Until you accept a server, its tools are listed without their descriptions, and calls are refused. Later, a tool that is changed, added or has
the name of another tool is hidden until you accept it.

The server gets only the environment variables that --env names, not even PATH.

exit status:
  0  the client has ended; or there is nothing to accept (pins)
  1  the server has ended or cannot be reached; or something waits for your decision (pins)
  2  the command line is wrong, or the state folder cannot be used
"""


def add_mcp(mcp: argparse.ArgumentParser) -> None:
    """The arguments of `remit guard mcp`."""
    mcp.add_argument(
        "server", nargs="*", metavar="COMMAND", help="the server and its arguments, after `--`; or the word `pins`"
    )
    mcp.add_argument("--http", metavar="URL", help="a server over HTTP, instead of a command")
    mcp.add_argument(
        "--listen", metavar="127.0.0.1:PORT", help="serve clients over HTTP (default: one client at standard input)"
    )
    mcp.add_argument("--name", metavar="NAME", help="the name of the server in policies (default: from the command)")
    mcp.add_argument(
        "--env", metavar="NAME[=VALUE]", action="append", default=[], help="a variable to pass to the server"
    )
    mcp.add_argument(
        "--header", metavar="NAME=VALUE", action="append", default=[], help="a header to send to the server at URL"
    )
    mcp.add_argument(
        "--header-env",
        metavar="NAME=VARIABLE",
        action="append",
        default=[],
        help="a header with the value of a variable, so that the process list does not show it",
    )
    mcp.add_argument("--workspace", metavar="DIR", default=".", help="the workspace (default: the current folder)")
    mcp.add_argument(
        "--first-use",
        choices=("ask", "accept", "deny"),
        default="ask",
        help="a new server: ask you, accept it unless it has a finding, or refuse it until you use `pins` (default: ask)",
    )
    mcp.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=_seconds,
        default=300.0,
        help="time for an answer of the server (default: 300)",
    )
    mcp.add_argument(
        "--max-result", metavar="BYTES", type=_bytes, default=2 << 20, help="largest text of an answer (default: 2 MiB)"
    )
    mcp.add_argument("--accept", metavar="NAME[@DIGEST]", help="with `pins`: accept the current state of this server")
    mcp.add_argument("--format", choices=("text", "json"), default="text", help="format of `pins` (default: text)")
    mcp.add_argument("--state", metavar="DIR", help="the state folder of the guard (default: that of this user)")


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= 86400:
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of seconds")
    return value


def _bytes(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text[:9]) <= 2 << 20 and len(text) < 9):
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of bytes up to {2 << 20}")
    return int(text)
