"""What a text tells those who read it later, agents above all: prose as a whole, code and settings by the long texts in them."""

from __future__ import annotations

import re
import textwrap
from itertools import chain
from typing import TYPE_CHECKING

from remit.guard.context.scan import scan
from remit.guard.context.source import Kind, Source
from remit.guard.planted.addressed import speaks_to_agents
from remit.guard.planted.doing import LONGEST
from remit.guard.selfrunning import in_document
from remit.policy.dlp.severity import Severity
from remit.skill.document import parse, role_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.guard.planted.writing import Writing

# A text in code that is long enough to be a sentence: between three quotation marks, or on one line
_STRING = re.compile(
    r'''"""(.{40,}?)"""|'{3}(.{40,}?)'{3}|`([^`]{40,})`'''
    r"""|"((?:[^"\\\n]|\\.){40,})"|'((?:[^'\\\n]|\\.){40,})'""",
    re.DOTALL,
)
# A text of YAML on lines of its own, or a long one that is not quoted
_BLOCK = re.compile(
    r"""^[ \t-]*[\w-]+:[ \t]*(?:[|>][+-]?[ \t]*\n((?:[ \t]+[^\n]*\n?|\n)+)|([^\s"'|>{\[][^\n]{39,}))""", re.MULTILINE
)
_GRAVE = frozenset({Severity.HIGH, Severity.MEDIUM})


def in_prose(name: str, writing: Writing) -> Iterator[str]:
    """What a text for people or agents asks of an agent, if the text before did not."""
    text = writing.text if len(writing.text) <= LONGEST else added(writing.before, writing.text)[:LONGEST]
    yield from _telling(name, writing.before, text, 1, speaks_to_agents(name, writing.text))


def in_strings(name: str, before: str, text: str) -> Iterator[str]:
    """The same for the long texts in code: a tool is described to models in one, and a prompt is one."""
    told = speaks_to_agents(name, text)
    for found in chain(_STRING.finditer(text), _BLOCK.finditer(text) if name.endswith((".yaml", ".yml")) else ()):
        string = next(filter(None, found.groups()))
        if string not in before:
            yield from _telling(name, "", textwrap.dedent(string), text.count("\n", 0, found.start()) + 1, told)


def _telling(name: str, before: str, text: str, first: int, told: bool) -> Iterator[str]:  # noqa: FBT001
    """What a text asks of its readers. `told`: they are agents, so that all counts that the scan finds."""
    grave = frozenset(Severity) if told else _GRAVE
    found = [one for one in scan(text, Source(Kind.TOOL, name)) if one.severity in grave]
    if not found:
        return
    known = {(one.rule, one.sentence) for one in scan(before[:LONGEST], Source(Kind.TOOL, name))}
    for one in found:
        if (one.rule, one.sentence) not in known:
            line = one.line + first - 1
            yield f"would tell whoever reads it to do what it must not be told: {one.does} (line {line})"


def by_itself(name: str, writing: Writing) -> Iterator[str]:
    """What a host would run for a skill or a command that is written, past all hooks, if the text before did not say so."""
    if role_of(name) not in ("skill", "command"):
        return
    told = {one.command for one in in_document(parse(name, writing.before.encode("utf-8", "replace")))}
    for one in in_document(parse(name, writing.text.encode("utf-8", "replace"))):
        if one.command not in told:
            yield f"would be a text for agents: {one}"


def added(before: str, after: str) -> str:
    """The lines of a text that were not there before."""
    known = set(before.splitlines())
    return textwrap.dedent("\n".join(line for line in after.splitlines() if line not in known))
