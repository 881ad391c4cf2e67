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
  remit guard mcp pins                          which servers are accepted, and what waits for a person
  remit guard mcp pins --accept files           accept what the server shows now

Write the first form in the place of the server's own command, in the settings of any client. Every call of a tool becomes
`mcp__NAME__TOOL` and is decided like every other call; so is what the server asks for itself (a model, the user, folders), under
a name of its own. A call that is denied is answered with an error that says why. If the guard does not answer, nothing passes.

Nobody calls a tool that no person has seen: until a server is accepted its tools are listed without their descriptions, and calls
are refused. After that a tool that is changed, added or has the name of another one is hidden until a person accepts it.

The server gets no variable of the environment that is not named with --env, not even PATH.

exit status:
  0  the client has ended; or there is nothing to accept (pins)
  1  the server has ended or cannot be reached; or something waits for a person (pins)
  2  the command line is wrong, or the state folder cannot be used
"""


def add_mcp(mcp: argparse.ArgumentParser) -> None:
    """The arguments of `remit guard mcp`."""
    mcp.add_argument(
        "server", nargs="*", metavar="COMMAND", help="the server and its arguments, after `--`; or the word `pins`"
    )
    mcp.add_argument("--http", metavar="URL", help="a server that is reached over HTTP, in place of a command")
    mcp.add_argument(
        "--listen", metavar="127.0.0.1:PORT", help="serve clients over HTTP (default: one client at standard input)"
    )
    mcp.add_argument("--name", metavar="NAME", help="what the server is called in policies (default: from the command)")
    mcp.add_argument(
        "--env", metavar="NAME[=VALUE]", action="append", default=[], help="a variable that the server gets"
    )
    mcp.add_argument(
        "--header", metavar="NAME=VALUE", action="append", default=[], help="a header that the server at URL gets"
    )
    mcp.add_argument(
        "--header-env",
        metavar="NAME=VARIABLE",
        action="append",
        default=[],
        help="a header with the value of a variable, which the list of processes does not show",
    )
    mcp.add_argument(
        "--workspace", metavar="DIR", default=".", help="the folder whose rules count (default: the current one)"
    )
    mcp.add_argument(
        "--first-use",
        choices=("ask", "accept", "deny"),
        default="ask",
        help="an unknown server: ask a person, accept it if no rule objects, or use `pins` (default: ask)",
    )
    mcp.add_argument(
        "--timeout", metavar="SECONDS", type=_seconds, default=300.0, help="for an answer of the server (default: 300)"
    )
    mcp.add_argument(
        "--max-result", metavar="BYTES", type=_bytes, default=2 << 20, help="text of an answer (default: 2 MiB)"
    )
    mcp.add_argument("--accept", metavar="NAME[@DIGEST]", help="with `pins`: accept what this server shows now")
    mcp.add_argument("--format", choices=("text", "json"), default="text", help="of `pins` (default: text)")
    mcp.add_argument("--state", metavar="DIR", help="the state folder of the guard (default: where the guard keeps it)")


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
