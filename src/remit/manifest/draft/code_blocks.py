"""Code blocks of a document: commands to run, program text to write, settings, packages, or an example of a fault."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.scope import ScopeKind, parse_scope
from remit.core.source import as_source
from remit.manifest.draft.clues import Clue, points_for
from remit.manifest.model import Evidence
from remit.skill.prose.spans import DATA_ENDING
from remit.skill.prose.variables import holds_secret

if TYPE_CHECKING:
    from remit.manifest.draft.skill_type import SkillType
    from remit.skill.document import Document, Fence

_FORMATS = frozenset({"", "json", "jsonc", "json5", "toml", "yaml", "yml"})
_VARIABLES = frozenset({"", "bash", "sh", "shell", "env", "dotenv", "ini", "properties", "text", "zsh"})
_HOST = re.compile(
    r"\"?mcpServers\"?\s*:|^\s*\[mcp_servers\.|\"mcp\"\s*:\s*\{|\"permissions\"\s*:\s*\{\s*\"(?:allow|deny|ask|defaultMode)\""
    r"|\"skills\"\s*:\s*\{\s*\"entries\"|\"enabledPlugins\"\s*:",
    re.MULTILINE,
)
_HOOKS = re.compile(
    r"\"hooks\"\s*:\s*\{\s*\"(?:PreToolUse|PostToolUse|UserPromptSubmit|SessionStart|SessionEnd|Stop|SubagentStop|PreCompact"
    r"|Notification)\""
)
_QUOTED = re.compile(r"\"([A-Z][A-Z0-9_]+)\"\s*:")
_LINE = re.compile(r"\s*(?:#|\Z|([A-Z][A-Z0-9_]*)=(?:\"[^\"]*\"|'[^']*'|[^\s`$|&]*)\s*(?:#.*)?\Z)")
_KEPT = re.compile(r"\b(?:add|store|put|save|create|write|configure|update|paste|set)\b", re.IGNORECASE)


def only_variables(fence: Fence) -> bool:
    """Whether a block only lists variables and their values, like a settings file: no command is run."""
    return all(_LINE.match(line) for line in fence.text.strip().split("\n"))


def shown_settings(fence: Fence) -> Iterator[str]:
    """Return the capabilities that a block of settings asks for."""
    if fence.language in _FORMATS and _HOST.search(fence.text):
        yield "policy.expand"
        if any(map(holds_secret, _QUOTED.findall(fence.text))):
            yield "secret.write"
    if fence.language in _FORMATS and _HOOKS.search(fence.text):
        yield "hook.install"
    if fence.language in _VARIABLES and only_variables(fence):
        names = [found[1] for line in fence.text.split("\n") if (found := _LINE.match(line)) and found[1]]
        if names:
            yield "env.read"
        if any(map(holds_secret, names)):
            yield "secret.read"
            if _KEPT.search(f"{fence.heading.rpartition(' / ')[2]} {fence.before[-200:]}"):
                yield "secret.write"


# Headings under which a skill shows what a project must declare. Elsewhere such a block is part of some example.
_SETUP = re.compile(
    r"\b(?:install\w*|set-?up|prerequisites?|requirements?|dependenc(?:y|ies)|getting started|quick ?start)\b"
)
_BUILD_FILE = re.compile(
    r"<(?:dependency|PackageReference)\b"  # Maven, NuGet
    r"|^[ \t]*(?:implementation|api|compileOnly|runtimeOnly|testImplementation|classpath)[ (]+[\"']"  # Gradle
    r"|^\[(?:[\w.-]+\.)?(?:dev-)?dependencies\]"  # Cargo, Poetry
    r"|^\.package\(|^[ \t]*gem [\"']|^[ \t]*pod [\"']",  # Swift, Ruby, CocoaPods
    re.MULTILINE,
)
_COMMENTED = re.compile(
    r"^[ \t]*(?:#|//|--)[^\n]*\b(?:pip3?|uv pip|npm|pnpm|yarn|cargo|gem|brew|conda|go|apt|apt-get|dotnet)"
    r" (?:install|add|get)\b",
    re.MULTILINE,
)


# The value must look like a file or folder: `-o json` and `--output table` choose a format.
_OPTION = re.compile(
    r"(?:^|\s)(?:(?P<out>-o|--out|--output|--output-?(?:file|path|dir|folder)|--out-?(?:file|dir))"
    r"|(?P<in>-i|--input|--input-?(?:file|path|dir|folder)|--in-?file|--data-?file))"
    rf"(?:=|\s+)[\"']?(?P<path>[\w./~$<>{{}}*-]*(?:/|{DATA_ENDING}|\.[a-z]{{2,4}}))(?=[\"'\s]|\Z)",
    re.MULTILINE,
)


def option_clues(fence: Fence, file: str) -> Iterator[Clue]:
    """Return what the options of the commands in a block read and write."""
    for found in _OPTION.finditer(fence.text):
        asked = "file.write" if found["out"] else "file.read"
        asked = as_source(asked, parse_scope(ScopeKind.PATH, "./" + re.sub(r"[^\w./-]", "_", found["path"]))) or asked
        line = fence.line + fence.text.count("\n", 0, found.start("path"))
        place = Evidence(file, line, " ".join(found[0].split()), "option")
        yield Clue(asked, points_for("command", asked), "command", place)


PROGRAMS = frozenset(
    "python py typescript ts tsx javascript js jsx java csharp cs c# go rust kotlin swift cpp c++ c sql hcl terraform bicep "
    "solidity ruby php dart vue svelte matlab scala r graphql css html dockerfile lua julia elixir razor xaml groovy".split()
)
SCRIPTING = frozenset({"python", "py", "python3", "r", "julia", "matlab"})
COMMANDS = frozenset("bash sh shell zsh console powershell".split())
_FAULT = re.compile(
    r"\b(?:bad|wrong|incorrect|problem|vulnerable|insecure|unsafe|avoid|never|don'?t|anti-?patterns?|broken|naive)\b|\u274c",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+")
# a sentence about the one before it: `Never do that. It leaks:`
_CONTINUES = re.compile(
    r"\A\W*\w+\W*\Z|\b(?:it|this|that|these|those|they|such|here|below|following|examples?)\b", re.IGNORECASE
)
_COMMENT = re.compile(r"\s*(?:#|//|--|/\*|<!--)")


def fence_clues(document: Document, skill: SkillType) -> Iterator[Clue]:
    """Return what the blocks of a document ask for. In a skill that only reviews code, program text shows what to look
    for.
    """
    for fence in document.fences:
        first = fence.text.strip().partition("\n")[0]
        place = Evidence(document.path, fence.line, first[:200], "fence")
        if not first:
            continue
        for capability in shown_settings(fence) if not is_fault(fence) else ():
            yield Clue(capability, points_for("fence", capability), "fence", place)
        if _SETUP.search(fence.heading.lower()) and _BUILD_FILE.search(fence.text):
            yield Clue("package.install", points_for("fence", "package.install"), "fence", place)
        if fence.language in COMMANDS:
            yield from option_clues(fence, document.path)
        elif fence.language in PROGRAMS and not skill.reviews and not first.startswith("{") and not is_fault(fence):
            yield Clue("source.write", points_for("fence", "source.write"), "fence", place)
            if fence.language in SCRIPTING and not skill.builds:
                yield Clue("source.execute", points_for("fence", "source.execute"), "fence", place)
            if _COMMENTED.search(fence.text):  # `# Requires: pip install x`
                yield Clue("package.install", points_for("command", "package.install"), "command", place)


def is_fault(fence: Fence) -> bool:
    """Whether the sentence before a block, or its first comment, calls it a fault."""
    first = fence.text.strip().partition("\n")[0]
    said = _SENTENCE_END.split(fence.before.strip())[-1]
    if _CONTINUES.search(said):
        said = fence.before
    return bool(_FAULT.search(said[-80:]) or (_COMMENT.match(first) and _FAULT.search(first)))
