"""Texts that agents load: which files they are, what their front matter opens to whoever loads them, and skills that nobody asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from remit.skill.document import parse, role_of
from remit.skill.frontmatter import allowed_tools

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remit.guard.session import Live
    from remit.skill.frontmatter import FrontMatter

_LOADED = re.compile(
    r"(?:.*/)?(?:(?:agents|claude|gemini|copilot-instructions|system[_-]?prompt)\.(?:md|txt)|\.(?:cursor|windsurf|cline)rules"
    r"|[^/]+\.(?:mdc|prompt(?:\.md)?|instructions\.md|chatmode\.md|agent\.md))\Z",
    re.IGNORECASE | re.DOTALL,
)
# Words with which a text for people speaks to agents, and code describes tools to them
_SPEAKS = re.compile(
    r"(?i)\b(?:ai|coding|llm)[ -](?:assistants?|agents?|models?)\b[^.\n]{0,60}(?::|\bmust\b|\bshould\b|\bplease\b|\bediting\b|\breading\b|\bworking\b)"
    r"|^\W{0,6}(?:assistants?|agents?|llms?|claude|copilot|language models?)\b[^.\n]{0,40}(?::|\bmust\b|\bshould\b|\bediting\b|\breading\b)"
    r"|\b(?:assistants|agents|llms|copilots) (?:editing|reading|working|that|who)\b"
    r"|\blanguage models? (?:calling|using|that|must|should)\b|\bmcp\b|\bFastMCP\b|@\w*\.?tool\b|\.(?:tool|registerTool|addTool)\(|\binputSchema\b|\binput_schema\b",
    re.MULTILINE,
)
# Fields whose tools run without a question; and those that say which tools there are at all
_APPROVED = ("allowed-tools", "allowed_tools", "allowedTools", "autoApprove", "auto-approve", "alwaysAllow")
_OFFERED = ("tools",)
_MODES = ("permissionMode", "permission-mode", "permission_mode", "approval_policy", "approval-policy", "approvalMode", "sandbox_mode", "sandbox")  # fmt: skip
_ALL = re.compile(r"\*|all|any", re.IGNORECASE)
_SHELL = re.compile(r"(?:bash|shell|run_shell_command|execute|terminal)(?:\(\s*(?:\*|:\*|\*:\*)?\s*\))?", re.IGNORECASE)
_MAKES = re.compile(
    r"\b(?:create|write|build|new|initiali[sz]e|generate|develop|design|scaffold|draft|author|package|turn|make (?!sure)|add|want|need|update|improve|edit|change|fix)\b[^.?!]{0,80}\bskills?\b"
)
_TEXTS = re.compile(r"(?i)(?:\.(?:md|mdc|prompt|toml)|\brules|prompt\.txt)\Z")
_AGENTS = re.compile(
    r"\b(?:sub)?agents?\b|\bcommands?\b|\bprompts?\b|\bassistants?\b|\b(?:chat)?bots?\b|\bllms?\b|\brules?\b|\binstructions?\b|\bskills?\b|\bclaude\b|\bgemini\b|\bcopilot\b|\bcursor\b"
)
_OPEN = re.compile(
    r"bypass\w*|acceptEdits|dontAsk|never|yolo|auto|full[-_]?auto|danger[-\w]*|none|off|false|disabled", re.IGNORECASE
)


class Widened(NamedTuple):
    """One field that lets an agent do more without being asked."""

    field: str
    value: str
    line: int


def for_agents(name: str) -> bool:
    """Whether a host or a model loads a file as instructions, by its name."""
    return role_of(name) in ("skill", "command") or _LOADED.match(name) is not None


def speaks_to_agents(name: str, text: str) -> bool:
    """Whether a text is one for agents by its name or by its words, or describes tools to them."""
    return for_agents(name) or _SPEAKS.search(text) is not None


def widening(name: str, before: str, text: str, prompts: Sequence[str]) -> Iterator[str]:
    """What the front matter of a text for agents opens that the text before did not, but for what the user's words name."""
    known = {(one.field, one.value) for one in _widened(_front(name, before))} if before else set()
    for one in _widened(_front(name, text)):
        said = re.compile(rf"(?i)(?<![\w-]){re.escape(one.field)}(?![\w-])|(?<!\w){re.escape(one.value)}(?!\w)")
        if (one.field, one.value) not in known and not any(map(said.search, prompts)):
            yield f"would let agents that load it act without a question: `{one.field}: {one.value}` (line {one.line})"


def unasked(live: Live, path: str, name: str, before: str) -> Iterator[str]:
    """A new text for agents where the user's words speak of none; or a skill, where they speak of one and there is another one already."""
    if before:
        return
    words = " ".join(live.prompts).lower()
    if role_of(name) != "skill":
        if _TEXTS.search(name) and not _AGENTS.search(words):
            yield "would be a text for agents, and nobody asked for one"
        return
    folder = name.split("/")[-2].lower() if "/" in name else ""
    if folder and re.search(rf"(?<![\w-]){re.escape(folder)}(?![\w-])", words):
        return
    made = re.search(_MAKES, words)
    others = [one for one in live.given if one != path and role_of(one) == "skill"]
    if made is None:
        yield "would be a skill, and nobody asked for one"
    elif others and not re.search(r"\bskills\b", words):
        yield "would be one more skill than the user asked for"


def _front(name: str, text: str) -> FrontMatter:
    return parse(name, text.encode("utf-8", "replace")).front_matter


def _widened(front: FrontMatter) -> Iterator[Widened]:
    for field in (*_APPROVED, *_OFFERED):
        for tool in allowed_tools(front.values, field):
            plain = tool.strip("\"'[]")
            if _ALL.fullmatch(plain) or (field in _APPROVED and _SHELL.fullmatch(plain)):
                yield Widened(field, plain, front.line(field))
    for field in _MODES:
        value = front.values.get(field)
        shown = str(value).lower() if isinstance(value, bool) else value
        if isinstance(shown, str) and _OPEN.fullmatch(shown):
            yield Widened(field, shown, front.line(field))
