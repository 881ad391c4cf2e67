"""Conversion of a host's event to the call that is judged: wants become requests with real paths; commands are
analysed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from remit.core.capability import vocabulary
from remit.core.errors import ManifestError, RemitError
from remit.core.scope import ANY_SCOPE, NameScope, Scope, ScopeKind, parse_scope
from remit.core.scope.component import escape
from remit.guard.call_analysis.command_requests import command_requests
from remit.guard.call_analysis.commands.model import Doubt
from remit.guard.hosts.toolmap import Role, Want
from remit.guard.paths import file_scope, folder_scope, real_path
from remit.policy.request import COMMANDS, Nested, Request

if TYPE_CHECKING:
    from remit.guard.call_analysis.commands import Part, Understanding
    from remit.guard.event import Event
    from remit.guard.walls.logins import Login

    Understand = Callable[[str, str], Understanding]  # language (`shell` for commands) and text

_EXECUTE = frozenset({"npx", "npm", "pnpm", "yarn", "bunx"})  # they run a program of the project, or install it first
SHELLS = frozenset({"", "bash", "sh", "zsh", "shell"})


class CallRequests(NamedTuple):
    """A call as it will be judged, and what else must be known of it."""

    requests: tuple[Request, ...]
    runs: tuple[str, ...] = ()  # skills whose scripts it runs
    doubts: tuple[Doubt, ...] = ()
    problems: tuple[str, ...] = ()  # why nobody can say what it would do: denied
    loads: tuple[str, ...] = ()  # skills that it loads, by name or by the path of their SKILL.md
    hears: tuple[str, ...] = ()  # folders of skills whose text it reads without loading them
    outgoing: str = ""  # text that leaves with it
    scripted: frozenset[Request] = frozenset()  # those that a script does, not the call itself
    understood: tuple[Understanding, ...] = ()
    credentials: tuple[str, ...] = ()  # variables that scripts of skills read
    login: Login | None = None  # of the user, that it would use inside of walls


def possible_requests(drafted: CallRequests) -> frozenset[Request]:
    """The requests of a call that happen only if a word that is not known turns out to be an option (`xargs curl`)."""
    parts = [part for known in drafted.understood for part in known.parts]
    possible = {(part.capability, part.scope) for part in parts if part.via.possible}
    possible -= {(part.capability, part.scope) for part in parts if not part.via.possible}
    return frozenset(one for one in drafted.requests if (one.capability, one.scope) in possible)


def key_of(event: Event, content: str) -> str:
    """Return what links a call that ran to the one that was let through: the host's name for it, or its content."""
    return event.call or f"{event.agent} {content}"


def draft(event: Event, wants: Iterable[Want], home: str, understand: Understand) -> CallRequests:
    """Return the call that an event asks for."""
    draft = _Draft(event, home, understand)
    for want in wants:
        draft.add(want)
    return draft.done()


class _Draft:
    def __init__(self, event: Event, home: str, understand: Understand) -> None:
        self._event = event
        self._home = home
        self._understand = understand
        self._requests: dict[Request, None] = {}
        self._scripted: set[Request] = set()
        self._runs: dict[str, None] = {}
        self._doubts: list[Doubt] = []
        self._problems: list[str] = []
        self._loads: list[str] = []
        self._texts: list[str] = []
        self._known: list[Understanding] = []
        self._credentials: list[str] = []
        self._arguments = _arguments(event.args)

    def done(self) -> CallRequests:
        return CallRequests(
            tuple(self._requests),
            tuple(self._runs),
            tuple(dict.fromkeys(self._doubts)),
            tuple(dict.fromkeys(self._problems)),
            tuple(dict.fromkeys(self._loads)),
            (),
            "\n".join(self._texts),
            frozenset(self._scripted),
            tuple(self._known),
            tuple(dict.fromkeys(self._credentials)),
        )

    def add(self, want: Want) -> None:
        if want.problem:
            self._problems.append(want.problem)
            return
        self._texts += [text for text in (want.command, want.code, want.content) if text]
        match want.role:
            case Role.COMMAND if want.target in SHELLS:
                self._command("shell", want.command)
            case Role.COMMAND:
                self._ask(want.capability, ANY_SCOPE, want.command)
                self._doubts.append(Doubt(f"commands of `{want.target}` are not understood"))
            case Role.CODE:
                self._ask(want.capability, _named(want.capability, want.target), want.code)
                self._command(want.target, want.code)
            case Role.PATH | Role.TREE | Role.NAMES:
                self._path(want)
            case Role.URL:
                self._url(want)
            case Role.SKILL:
                self._loads.append(want.target)
            case Role.ANY:
                self._ask(want.capability, ANY_SCOPE)
            case _:
                self._ask(want.capability, _named(want.capability, want.target))

    def _ask(self, capability: str, scope: Scope | None, command: str = "") -> Request | None:
        if scope is None:
            self._problems.append(f"`{capability}` is asked for on something that has no name")
            return None
        request = Request(capability, scope, command if capability in COMMANDS else "", self._arguments)
        self._requests[request] = None
        return request

    def _path(self, want: Want) -> None:
        where = real_path(want.target, self._event.cwd, self._home)
        if where is None:
            self._problems.append(f"it is unknown where `{want.target[:200]}` leads")
            return
        deep = want.role is not Role.PATH
        self._ask(want.capability, folder_scope(where) if deep else file_scope(where))
        if deep:
            self._ask(want.capability, file_scope(where))
        if where.rpartition("/")[2].casefold() == "skill.md" and want.capability in ("file.read", "context.load"):
            self._loads.append(where)

    def _url(self, want: Want) -> None:
        try:
            parts = urlsplit(want.target if "://" in want.target else f"https://{want.target}")
            scheme, host, port = parts.scheme, parts.hostname, parts.port
        except ValueError:
            scheme, host, port = "", None, None
        if scheme == "file":
            self._path(want._replace(capability="file.read", role=Role.PATH, target=parts.path))
        elif not host:
            self._problems.append(f"`{want.target[:200]}` is no address")
        else:
            self._texts.append(want.target)
            plain = f"[{host}]" if ":" in host else host
            self._ask(want.capability, _parsed(want.capability, f"{plain}:{port}" if port else plain))

    def _command(self, language: str, text: str) -> None:
        known = self._understand(language, text)
        self._known.append(known)
        shape = command_requests(known, text if language == "shell" else "")
        self._doubts += shape.doubts
        self._credentials += shape.credentials
        self._loads += shape.loads
        self._runs.update(dict.fromkeys(shape.runs))
        for words in known.commands:
            if words:
                self._ask("shell.execute", _program(words[0], self._event.cwd), text)
        for part in shape.parts:
            self._part(part, text)
        if language == "shell" and not known.commands:
            self._ask("shell.execute", NameScope("bash"), text)

    def _part(self, part: Part, text: str) -> None:
        if part.capability == "package.install" and _is_installed(part.command, part.scope, self._event.cwd):
            return
        request = Request(part.capability, part.scope, text if part.capability in COMMANDS else "")
        self._requests[request] = None
        if part.scripted:
            self._scripted.add(request)
        if part.capability == "subagent.delegate":
            said = "another agent is started, and it is unknown whether it asks this guard"
            self._doubts.append(Doubt(said, part.why, part.command))


def _is_installed(command: str, scope: Scope, cwd: str) -> bool:
    """Whether a package that would be run is a program of the project already: then nothing is installed."""
    name = scope.render()
    runs = command.split(" ", 1)[0] in _EXECUTE and "/" not in name
    return runs and Path(cwd, "node_modules", ".bin", name).exists()


def _program(word: str, cwd: str) -> Scope:
    """The program of a simple command, by its name or by where it lies."""
    if "/" not in word:
        return NameScope(escape(word))
    where = real_path(word, cwd, "")
    return file_scope(where) if where else ANY_SCOPE


def _named(capability: str, text: str) -> Scope | None:
    """A name as the scope of a capability; one that acts on nothing that has a name takes none."""
    kind = vocabulary()[capability].scope_kind
    if kind is ScopeKind.NONE:
        return ANY_SCOPE
    return _parsed(capability, escape(text)) if text else None


def _parsed(capability: str, text: str) -> Scope | None:
    try:
        return parse_scope(vocabulary()[capability].scope_kind, text)
    except ManifestError:
        return None


def _arguments(args: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """The arguments of a tool as those of a request; lists and objects are handed on as they are."""
    found: list[tuple[str, Any]] = []
    for name in sorted(map(str, args)):
        value = args.get(name)
        if value is None or type(value) in (str, int, float, bool):
            found.append((name, value))
        else:
            found.append((name, Nested(_json(value))))
    return tuple(found)


def _json(value: object) -> str:
    from remit.core.digest import canonical  # noqa: PLC0415  (few calls have nested arguments)

    try:
        return canonical(value).decode()
    except (RemitError, TypeError, ValueError):
        return repr(value)


def swapped(event: Event, wants: Iterable[Want], drafted: CallRequests, home: str) -> str:
    """Why a call may have acted elsewhere than was judged; empty if its paths lead where they led. A swap back is not seen."""
    for want in wants:
        if want.role is Role.PATH and not want.problem:
            where = real_path(want.target, event.cwd, home)
            if where is None or not any(file_scope(where) == one.scope for one in drafted.requests):
                return f"`{want.target[:200]}` leads elsewhere now than when the call was let through"
    return ""
