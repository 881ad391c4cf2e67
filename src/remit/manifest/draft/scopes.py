"""The scopes of a drafted entry: as narrow as the evidence allows.

Effects and commands have scopes. What only words ask for gets what the skill names: the host of an address, a variable,
a program, a package, a tool; else the usual scope of the capability (data/usual_scopes.table); else `any`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.errors import DataError, ManifestError
from remit.core.hosttools import host_tools
from remit.core.scope import (
    ANY_SCOPE,
    DEEP,
    TEMP,
    WORKSPACE,
    NameScope,
    PathScope,
    Scope,
    ScopeKind,
    covers,
    parse_scope,
)
from remit.core.sensitive import VARIABLE, variable_of
from remit.core.table import read_table
from remit.skill.commands import is_command
from remit.skill.prose.services import is_api_address, is_local
from remit.skill.prose.spans import tool_word
from remit.skill.prose.variables import NAME, holds_secret, is_blank

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.manifest.draft.clues import Clue
    from remit.skill.model import Skill

_HALF = re.compile("[\ud800-\udfff]")
_WORKSPACE = PathScope(WORKSPACE, (DEEP,))
_NEAR = frozenset({_WORKSPACE, PathScope(TEMP, (DEEP,))})
_ON_FILES = ("file.", "source.")
_URL = re.compile(r"(?:https?|wss?)://(?:[^\s/@\"'`<>]*@)?[A-Za-z0-9][\w.-]*\.[a-z]{2,}(?::\d+)?[^\s\"'`<>)\]]*")
_HOST_OF = re.compile(r"\w+://(?:[^\s/@]*@)?([\w.-]+)")
_VARIABLE = re.compile(rf"(?<![\w$.-]){NAME}(?![\w-])|(?<=\$){NAME}|(?<=\${{){NAME}")
_SPAN = re.compile(r"`([^`\n]+)`")
_SERVERS = re.compile(r"\"mcpServers\"\s*:\s*\{\s*\"([\w-]+)\"|\[mcp_servers\.([\w-]+)\]|\bmcp__([a-z][\w-]*?)__")
_TOOL = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b")  # a tool of the host is named as it is written: `TodoWrite`
_MCP = re.compile(r"\bMCP\b")
_SETTINGS = re.compile(
    r"(?<![\w.$-])(?:(?:~|\$HOME|\.)/)?(?:\.?[\w-]+/)*"
    r"(?:settings(?:\.local)?\.json|\.?mcp\.json|mcporter\.json|claude_desktop_config\.json|openclaw\.json|clawdbot\.json|hooks\.json)\b"
)
_MEMORY = re.compile(
    r"(?<![\w.$-])(?:(?:~|\.)/)?(?:\.?[\w-]+/)*(?:memory/|MEMORY\.md|CLAUDE\.md|AGENTS\.md|SOUL\.md|USER\.md)"
)
_PLATFORM = re.compile(
    r"\b(?:testflight|app store|play store|twitter|linkedin|facebook|instagram|tiktok|youtube|reddit|medium|wordpress|npm|pypi|crates\.io|"
    r"github|gitlab|docker hub|heroku|vercel|netlify|cloudflare|fly\.io|clawhub|hugging face)\b",
    re.IGNORECASE,
)
_CHANNEL = re.compile(
    r"\b(?:slack|telegram|whatsapp|discord|signal|teams|imessage|sms|gmail|outlook|e-?mail|mail|matrix|mastodon|twitter|"
    r"bluesky|linkedin|wechat|feishu|lark|twilio)\b",
    re.IGNORECASE,
)
_INSTALLED = re.compile(
    r"\b(?:pip3?|uv pip|uv|npm|pnpm|yarn|cargo|gem|brew|conda|go|apt|apt-get|dotnet|npx)"
    r" (?:install|add|get|i)((?: +(?:-[\w-]+|[\"']?[@A-Za-z][\w@./\[\],<>=~-]*[\"']?))+)"
)
_PACKAGE = re.compile(r"@?[A-Za-z][\w./-]*")
_INSTALLED_SPAN = re.compile(r"\b[Ii]nstall(?:ed|ing)?\s+(?:the\s+)?`((?:@?[a-z][\w./-]*(?:@[\w.^~-]+)?\s?)+)`")
_DEPENDENCY = re.compile(  # Maven, NuGet, Gradle
    r"<artifactId>\s*([\w.-]+)|<PackageReference\s+Include=\"([\w.-]+)|\b(?:implementation|api)\b[ (]+[\"'][\w.-]+:([\w.-]+)"
)
_AGENT = re.compile(
    r"\b(?:subagent|agent)_?[tT]ype\b[\"'`]?\s*[:=]\s*[\"'`]*([A-Za-z][\w:-]*)|`([a-z][\w:-]+)` (?:sub-?)?agents?\b"
)
_CLI = re.compile(r"`([a-z][\w-]*)` (?:CLI|command-line)\b")
# The checks of a project, and the programs that run them
_CHECKS = re.compile(r"\b(?:builds?|tests?|suites?|linters?|type.?check\w*|compiles?)\b", re.IGNORECASE)
_PROJECT_TOOLS = frozenset(
    "ant bazel bun cargo cmake composer dotnet go gradle gradlew just make meson mix mvn mvnw node npm npx nx pnpm poetry pytest "
    "python python3 rake ruby swift tox uv yarn".split()
)
_INTERPRETERS = {
    "python": ("python", "python3"),
    "shell": ("bash", "sh"),
    "js": ("node",),
    "ts": ("node", "tsx", "npx"),
}
_SUFFIXES = frozenset("co com org net gov ac edu".split())
_THIS_MACHINE = re.compile(r"(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[?::1\]?|host\.docker\.internal)\Z")
_LONG = 5  # letters of a word that identifies a host's owner, although it is only a part of the name


class SkillNames:
    """What a skill names in its text: variables, hosts, MCP servers, the languages of its programs."""

    def __init__(self, skill: Skill, effects: Iterable[Effect] = ()) -> None:
        self._skill = skill
        self._keys = {variable_of(effect.scope) for effect in effects if effect.capability == "secret.read"}

    @cached_property
    def text(self) -> str:
        """Return SKILL.md."""
        return self._skill.contents.get(self._skill.main, b"").decode("utf-8", "replace")

    def script(self, path: str) -> str:
        """Return the text of a file that is not a document."""
        if any(document.path == path for document in self._skill.documents):
            return ""
        return self._skill.contents.get(path, b"").decode("utf-8", "replace")

    @cached_property
    def variables(self) -> frozenset[str]:
        """Return environment variables that SKILL.md names."""
        return frozenset(_variables(self.text))

    @cached_property
    def servers(self) -> frozenset[str]:
        """Return MCP servers that SKILL.md sets up or names."""
        return frozenset(name for found in _SERVERS.findall(self.text) for name in found if name)

    @cached_property
    def services(self) -> frozenset[str]:
        """Return hosts in SKILL.md that programs call, or that match the name of the skill."""
        return frozenset(
            host
            for url in _URL.findall(self.text)
            for host in _hosts(url)
            if is_api_address(url) or self.announces(host)
        )

    @cached_property
    def key_hosts(self) -> frozenset[str]:
        """Return the hosts that the keys of the skill are for."""
        keys = {*filter(holds_secret, self.variables), *self._keys}
        return frozenset(host for start, host in _key_hosts() if any(key.startswith(f"{start}_") for key in keys))

    @cached_property
    def _about(self) -> tuple[str, ...]:
        """Return the words of the skill's name, description and keys."""
        keys = " ".join(filter(holds_secret, self.variables | self._keys)).replace("_", " ")
        text = f"{self._skill.name} {self._skill.front_matter.text('description')} {keys}"
        return tuple(re.findall(r"[a-z0-9]+", text.lower()))

    def announces(self, host: str) -> bool:
        """Whether the name, the description or a key of the skill names the owner of a host, or the host is this
        machine.
        """
        labels = host.lower().split(".")
        at = -3 if len(labels) > 2 and labels[-2] in _SUFFIXES else -2
        owner = re.sub(r"[^a-z0-9]", "", labels[at] if len(labels) > 1 else "")
        if _THIS_MACHINE.match(host) or owner in self._about:
            return True
        longer = len(owner) >= _LONG and owner in "".join(self._about)  # `Open Router` for openrouter.ai
        return longer or any(len(word) >= _LONG and word in owner for word in self._about)

    @cached_property
    def interpreters(self) -> frozenset[str]:
        """Return programs that run the scripts of the skill, or the programs that SKILL.md shows."""
        languages = {language for file in self._skill.files for language in file.languages}
        shown = {"py": "python", "python": "python", "javascript": "js", "typescript": "ts"}
        main = next(document for document in self._skill.documents if document.path == self._skill.main)
        languages |= {shown[fence.language] for fence in main.fences if fence.language in shown}
        return frozenset(name for language in languages for name in _INTERPRETERS.get(language, ()))


def named_scopes(capability: str, clues: Sequence[Clue], names: SkillNames) -> Iterator[Scope]:
    """Return scopes for what only words ask for: what they name, else what the skill names elsewhere."""
    found = _named_in(capability, [clue.evidence.text for clue in clues])
    found = found or _named_in(
        capability, [names.script(clue.evidence.file) for clue in clues if clue.scope == ANY_SCOPE]
    )
    found = found or _named_by_skill(capability, names)
    for text in sorted(found):
        try:
            yield parse_scope(vocabulary()[capability].scope_kind, text)
        except ManifestError:
            continue  # a name that no scope can express


def _named_in(capability: str, texts: Sequence[str]) -> set[str]:
    """Return what sentences, blocks and fields name."""
    if capability in {"env.read", "env.write"}:
        return {name for text in texts for name in _variables(text)}
    if capability in {"secret.read", "secret.write"}:
        return {VARIABLE + name for text in texts for name in _variables(text) if holds_secret(name)}
    if capability == "tool.invoke":
        marked = {name for text in texts for name in _SPAN.findall(text) if tool_word(name, called=True) == "~tool"}
        return marked | {name for text in texts for name in _TOOL.findall(text) if name in host_tools()}
    if capability in {"message.send", "publish"}:
        words = _CHANNEL if capability == "message.send" else _PLATFORM
        return {found.lower() for text in texts for found in words.findall(text)}
    if capability == "shell.execute":
        named = {name.split()[0] for text in texts for name in _SPAN.findall(text) if is_command(name, bare=False)}
        named |= {name for text in texts for name in _CLI.findall(text)}
        return named or set(_PROJECT_TOOLS if any(map(_CHECKS.search, texts)) else ())
    if capability == "package.install":
        return _installed_in("\n".join(texts))
    if vocabulary()[capability].scope_kind is ScopeKind.HOST:
        urls = [url for text in texts for url in _URL.findall(text)]
        if capability == "api.call":
            urls = [url for url in urls if is_api_address(url)] or urls
        return {host for url in urls for host in _hosts(url)}
    return set()


def _named_by_skill(capability: str, names: SkillNames) -> set[str]:  # noqa: PLR0911  one case for each kind of scope
    """Return what the skill names elsewhere, if only that can be meant."""
    if capability in {"env.read", "env.write"}:
        return set(names.variables)
    if capability in {"secret.read", "secret.write"}:
        return {VARIABLE + name for name in names.variables if holds_secret(name)}
    if capability == "tool.invoke":
        return {f"mcp__{name}__*" for name in names.servers} or ({"mcp__*"} if _MCP.search(names.text) else set())
    if capability == "api.call":
        return set(names.services or names.key_hosts)
    if capability == "web.interact":
        return set(names.services)
    if capability in {"policy.expand", "hook.install"}:
        return set(_SETTINGS.findall(names.text))
    if capability in {"memory.read", "memory.write"}:
        return {name + DEEP if name.endswith("/") else name for name in _MEMORY.findall(names.text)}
    if capability == "shell.execute":
        return set(names.interpreters)
    if capability == "subagent.delegate":
        return {name for found in _AGENT.findall(names.text) for name in found if name}
    if capability == "package.install":
        return _installed_in(names.text) | {name for found in _DEPENDENCY.findall(names.text) for name in found if name}
    return set()


def _installed_in(text: str) -> set[str]:
    return {name for words in (*_INSTALLED.findall(text), *_INSTALLED_SPAN.findall(text)) for name in _packages(words)}


def _variables(text: str) -> Iterator[str]:
    return (name for name in _VARIABLE.findall(text) if not is_blank(name))


def _hosts(url: str) -> Iterator[str]:
    found = _HOST_OF.match(url)
    if found and not is_local(found[1]):
        yield found[1].lower().rstrip(".")


def _packages(words: str) -> Iterator[str]:
    for word in words.split():
        if not word.startswith("-") and (found := _PACKAGE.match(word.strip("\"'"))):
            yield found[0]


@cache
def _key_hosts() -> tuple[tuple[str, str], ...]:
    rows = read_table(Path(str(files("remit.manifest.draft").joinpath("data/key_hosts.table"))), 2)
    return tuple((row.cells[0], row.cells[1]) for row in rows)


@cache
def _usual() -> dict[str, tuple[frozenset[Scope], bool]]:
    out: dict[str, tuple[frozenset[Scope], bool]] = {}
    for row in read_table(Path(str(files("remit.manifest.draft").joinpath("data/usual_scopes.table"))), 3):
        capability, texts, when = row.cells
        if capability not in vocabulary() or when not in ("always", "alone") or capability in out:
            raise DataError(
                f"{row.where}: the row cannot be read", "write `capability | scopes | always` or `… | alone`, once"
            )
        kind = vocabulary()[capability].scope_kind
        out[capability] = (frozenset(parse_scope(kind, text) for text in texts.split()), when == "always")
    return out


def scopes_for(capability: str, clues: Sequence[Clue], names: SkillNames | None = None) -> tuple[Scope, ...]:
    """Return the scopes that the clues of a capability need together. `any` is listed besides the others, so that the
    caller can treat both.
    """
    found = {writable(clue.scope) for clue in clues if clue.scope is not None}
    words = any(clue.scope is None and clue.kind == "sentence" for clue in clues)
    usual, always = _usual().get(capability, (frozenset({ANY_SCOPE}), False))
    if names is not None and not found - {ANY_SCOPE}:
        found |= {writable(scope) for scope in named_scopes(capability, clues, names)}
    if words and always:
        found |= usual
    if ANY_SCOPE in found and capability.startswith(_ON_FILES):
        found |= _NEAR  # wherever else it may be, this is the usual place
    return compact(found or usual)


def compact(scopes: Iterable[Scope]) -> tuple[Scope, ...]:
    """Return the scopes without those that another one includes, sorted by text; `any` includes none of the others."""
    found = sorted({writable(scope) for scope in scopes}, key=lambda scope: scope.render())
    wide = [scope for scope in found if _is_wide(scope) and scope != ANY_SCOPE]
    kept: list[Scope] = []
    for scope in found:
        holders = [other for other in wide if other != scope and covers(other, scope)]
        # of two that include each other the first one stays
        if all(_is_wide(scope) and covers(scope, other) and scope.render() < other.render() for other in holders):
            kept.append(scope)
    return tuple(kept)


def writable(scope: Scope) -> Scope:
    """Return the scope, or everything if it has a lone surrogate, which no manifest can express."""
    return ANY_SCOPE if _HALF.search(scope.render()) else scope


def _is_wide(scope: Scope) -> bool:
    """Whether a scope can include another one: a plain path or name includes only itself, a host without a port its
    ports.
    """
    return not isinstance(scope, (PathScope, NameScope)) or "*" in scope.render()


def in_workspace(scopes: Sequence[Scope]) -> bool:
    """Whether all scopes are paths of the workspace."""
    return all(covers(_WORKSPACE, scope) for scope in scopes)
