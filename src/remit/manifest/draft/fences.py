"""Blocks of a document: commands to be run, program text to be written, or a fault that is only shown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.manifest.draft.clue import Clue
from remit.manifest.draft.options import option_clues
from remit.manifest.draft.packages import comment_installs, declares_packages
from remit.manifest.draft.settings import only_variables, shown_settings
from remit.manifest.draft.weights import worth
from remit.manifest.model import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.manifest.draft.archetype import Archetype
    from remit.skill.document import Document, Fence

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
_COMMENT = re.compile(r"\s*(?:#|//|--|/\*|<!--)")


def fence_clues(document: Document, skill: Archetype) -> Iterator[Clue]:
    """What the blocks of a document ask for. In a skill that only reviews code, program text shows what to look for."""
    for fence in document.fences:
        first = fence.text.strip().partition("\n")[0]
        place = Evidence(document.path, fence.line, first[:200], "fence")
        if not first:
            continue
        for capability in shown_settings(fence) if not _fault(fence, first) else ():
            yield Clue(capability, worth("fence", capability), "fence", place)
        if declares_packages(fence):
            yield Clue("package.install", worth("fence", "package.install"), "fence", place)
        if fence.language in COMMANDS and not only_variables(fence):
            yield Clue("shell.execute", worth("command", "shell.execute"), "command", place)
            yield from option_clues(fence, document.path)
        elif (
            fence.language in PROGRAMS and not skill.reviews and not first.startswith("{") and not _fault(fence, first)
        ):
            yield Clue("source.write", worth("fence", "source.write"), "fence", place)
            if fence.language in SCRIPTING and not skill.builds:
                yield Clue("source.execute", worth("fence", "source.execute"), "fence", place)
            if comment_installs(fence):
                yield Clue("package.install", worth("command", "package.install"), "command", place)


def _fault(fence: Fence, first: str) -> bool:
    """Whether the text before a block, or the comment that begins it, calls it a fault."""
    return bool(_FAULT.search(fence.before[-80:]) or (_COMMENT.match(first) and _FAULT.search(first)))
