"""`remit guard mcp`: runs an MCP server behind the guard, and shows what was accepted of servers."""

from __future__ import annotations

import json
import os
import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remit.core.counting import counted
from remit.core.errors import GuardError, PackageError, UsageError
from remit.guard.mcp.pins import LONGEST_SERVER, PinFiles, Sight, checked_name, compare, diff, findings
from remit.guard.state_folder import refuse_inside, state_folder

if TYPE_CHECKING:
    import argparse


# programs that start another one, whose name is more informative
_STARTERS = frozenset(
    "npx bunx pnpm yarn uvx uv pipx run exec dlx node bun deno python python3 sh bash env docker".split()
)
_MARKS = {"same": " ", "new": "+", "added": "+", "changed": "~", "shadows": "!"}
_CONTROL = re.compile(r"[^\n -~]")


def guard_mcp(args: argparse.Namespace) -> int:
    """Run the command."""
    state = Path(args.state).absolute() if args.state else state_folder()
    if args.server == ["pins"]:
        return _pins(args, PinFiles.of(state))
    if args.accept:
        raise UsageError("--accept belongs to `pins`", "remit guard mcp pins --accept NAME")
    if bool(args.server) == bool(args.http):
        raise UsageError("name one server", "its command after `--`, or its address with --http")
    return _run(args, state)


def _run(args: argparse.Namespace, state: Path) -> int:
    try:
        import mcp  # noqa: F401, PLC0415
    except ImportError:
        raise PackageError("mcp", "mcp") from None
    from remit.guard.daemon.daemon_client import Daemon, starter  # noqa: PLC0415
    from remit.guard.mcp.consent import Consent  # noqa: PLC0415
    from remit.guard.mcp.results import Bounds  # noqa: PLC0415
    from remit.guard.mcp.run import Proxy, listen, run_http, run_stdio  # noqa: PLC0415
    from remit.guard.mcp.server_process import checked_url, child, upstream  # noqa: PLC0415
    from remit.guard.mcp.settings import FirstUse, Settings  # noqa: PLC0415

    files = PinFiles.of(state)
    settings = Settings(
        checked_name(args.name or default_name(args.server, args.http)),
        {"url": args.http} if args.http else {"command": args.server},
        _workspace(args.workspace, state),
        _tell,
        FirstUse(args.first_use),
        answer_within=args.timeout,
        bounds=Bounds(args.max_result),
    )
    reach = (
        partial(upstream, checked_url(args.http), headers(args.header, args.header_env))
        if args.http
        else partial(child, args.server, environment(args.env), _tell)
    )
    proxy = Proxy(settings, Daemon("mcp", state, start=starter(state)), files, Consent(state, settings.cwd), reach)
    return run_http(proxy, listen(_port(args.listen))) if args.listen else run_stdio(proxy)


def default_name(command: list[str], url: str | None) -> str:
    """Return a name from the URL, or from the first word of the command that is no option and no starter of another
    program.
    """
    if url:
        text = url.split("://")[-1].split("/")[0].split(":")[0]
    else:
        words = [word for word in command if not word.startswith("-") and "=" not in word]
        bases = [re.sub(r"\.\w+$", "", word.rstrip("/").split("/")[-1].split("@")[0]) for word in words]
        text = next((base for base in bases if base and base not in _STARTERS), "")
    return re.sub(r"[^A-Za-z0-9-]+", "_", text).strip("_-")[:LONGEST_SERVER].rstrip("_")


def environment(named: list[str]) -> dict[str, str]:
    """Return the variables of the server: the named ones, with the given value or the present one."""
    found: dict[str, str] = {}
    for item in named:
        name, given, value = item.partition("=")
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            raise UsageError(f"`{name}` is not the name of a variable", "--env NAME or --env NAME=VALUE")
        if not given and name not in os.environ:
            raise UsageError(f"there is no variable `{name}` here", f"--env {name}=VALUE")
        found[name] = value if given else os.environ[name]
    return found


def headers(given: list[str], from_environment: list[str]) -> dict[str, str]:
    """Return the headers for a server at a URL."""
    found: dict[str, str] = {}
    for option, items in (("--header", given), ("--header-env", from_environment)):
        for item in items:
            name, mark, value = item.partition("=")
            if option == "--header-env":
                value = os.environ.get(value, "")
            if not mark or not re.fullmatch(r"[A-Za-z0-9-]+", name) or not value or not value.isprintable():
                raise UsageError(f"`{name}` is not a header with a value", f"{option} NAME=…")
            found[name] = value
    return found


def _workspace(folder: str, state: Path) -> str:
    """Return the folder of the session. The guard watches it, so the guard's own files must not be in it."""
    from remit.guard.session.workspace import root_of  # noqa: PLC0415

    found = os.path.realpath(folder)
    if not Path(found).is_dir():
        raise UsageError(f"`{folder}` is no folder", "name the folder in which the client works with --workspace")
    refuse_inside(state, root_of(found))
    return found


def _port(text: str) -> int:
    host, _, port = text.rpartition(":")
    if host not in ("127.0.0.1", "localhost", "") or not port.isdigit() or not int(port) <= 65535:
        raise UsageError(f"`{text}` is not a port of this machine", "--listen 127.0.0.1:PORT")
    return int(port)


def _tell(text: str) -> None:
    """Print a message on standard error: standard output belongs to the client. Text from a server must not move the
    cursor.
    """
    print(f"remit: {plain(text)}", file=sys.stderr, flush=True)


def plain(text: str) -> str:
    """Return a text without hidden characters."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def _pins(args: argparse.Namespace, files: PinFiles) -> int:
    if args.accept:
        return _accept(args.accept, files)
    sights = {server: _sight(files, server) for server in files.servers()}
    if args.format == "json":
        print(json.dumps({server: _value(sight) for server, sight in sights.items()}, indent=2))
    else:
        for server, sight in sights.items():
            print("\n".join(_lines(server, sight)))
            if not sight.settled:
                print(plain("\n".join(f"    {line}" for line in diff(sight).splitlines())))
        if not sights:
            print("no server was seen yet")
    return 0 if all(sight.settled for sight in sights.values()) else 1


def _sight(files: PinFiles, server: str) -> Sight:
    pinned = files.pinned(server)
    return files.seen(server) or compare(pinned, pinned or {}, {})


def _accept(text: str, files: PinFiles) -> int:
    server, _, wanted = text.partition("@")
    sight = files.seen(checked_name(server))
    if sight is None:
        raise UsageError(f"nothing of `{server}` waits for a person", "remit guard mcp pins")
    if wanted and not sight.digest.removeprefix("sha256:").startswith(wanted.removeprefix("sha256:")):
        raise GuardError(f"`{server}` shows something else by now", "remit guard mcp pins shows what")
    files.pin(server, sight.entries)
    print(f"accepted `{server}` as it is: {counted(len(sight.entries), 'entry', 'entries')}, {sight.digest[:19]}")
    return 0


def _lines(server: str, sight: Sight) -> list[str]:
    waits = "" if sight.settled else ", waits for a person: "
    state = ("no person has accepted it" if sight.first else "accepted before") if not sight.settled else "accepted"
    head = f"{server}: {state}{waits}{'' if sight.settled else sight.digest[7:19]}"
    entries = [f"  {_MARKS[how]} {plain(key)}" for key, how in sight.standing.items()]
    gone = [f"  - {plain(key)}" for key in sight.gone]
    told = [f"  ? {plain(finding.line())}" for finding in findings(sight.entries)]
    return [head, *entries, *gone, *told]


def _value(sight: Sight) -> dict[str, Any]:
    return {
        "accepted": sight.settled,
        "digest": sight.digest,
        "entries": {key: how.value for key, how in sight.standing.items()},
        "gone": list(sight.gone),
        "problems": list(sight.problems),
        "findings": [finding.line() for finding in findings(sight.entries)],
        "diff": "" if sight.settled else diff(sight),
    }
