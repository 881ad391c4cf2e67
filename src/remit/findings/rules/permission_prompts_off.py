"""An agent is started without permission prompts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.findings.evidence import by_command, by_text
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_FLAGS = (
    "--dangerously-skip-permissions",
    "--dangerously-bypass-approvals-and-sandbox",
    "--yolo",
    "--full-auto",
    "--allow-dangerously-skip-permissions",
    "--trust-all-tools",
    "--always-approve",
    "--auto-approve",
)
_AGENTS = frozenset(
    "claude codex gemini opencode cursor-agent copilot aider goose amp qwen q kiro droid crush auggie openclaw".split()
)
_MODE = lazy_pattern(r"bypassPermissions|danger-full-access")


def find(subject: Subject) -> Iterator[Finding]:
    """Commands that start agents without prompts."""
    for command in subject.commands:
        if not command.words or "-" not in command.text:
            continue
        certain = command.has(*_FLAGS[:2]) or _MODE.search(command.text)
        if certain or (command.program in _AGENTS and command.has(*_FLAGS)):
            name = command.program if command.program in _AGENTS else "an agent"
            yield by_command(RULE, command, Severity.MEDIUM, f"starts {name} with its permission prompts switched off")
    yield from _in_scripts(subject)


def _in_scripts(subject: Subject) -> Iterator[Finding]:
    """Options that a script passes in a list or a setting."""
    for file in subject.skill.files:
        data = subject.skill.contents.get(file.path)
        if data is None or not (file.languages or file.kind == "json") or not any(word in data for word in _LITERAL):
            continue
        for number, line in enumerate(subject.lines(file.path), 1):
            if _PASSED.search(line):
                where = Location(file.path, number)
                yield by_text(
                    RULE,
                    subject,
                    where,
                    line.strip(),
                    Severity.MEDIUM,
                    "starts an agent with its permission prompts switched off",
                )
                break


_LITERAL = (b"skip-permissions", b"bypass-approvals", b"bypassPermissions", b"skip_permissions")
_PASSED = lazy_pattern(
    r"[\"']--(?:allow-)?dangerously-(?:skip-permissions|bypass-approvals-and-sandbox)[\"']|(?<![=!]=)(?<![=!]= )(?<!\bin )(?<![^|]\|)(?<![^|]\| )[\"']bypassPermissions[\"'](?!\s*\|)|skip_permissions[\"']?\s*[:=]\s*[Tt]rue"
)

RULE = Rule(
    "permission-prompts-off",
    "weakening",
    "an agent is started with permission prompts switched off",
    Severity.MEDIUM,
    "Without prompts, the started agent does whatever the text that it reads says, with all rights of the user.",
    "Nothing, even where the description says it openly.",
    "Start the agent with the permissions that it needs, or leave the choice to the user.",
    find,
)
