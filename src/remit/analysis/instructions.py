"""What the front matter of a skill does by itself: tools that it pre-approves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, Value, lit
from remit.analysis.world import Site, World
from remit.core.effect import Origin
from remit.core.location import Location
from remit.skill import grants

if TYPE_CHECKING:
    from remit.skill.model import Skill

# Tools that hosts know → the capability that a pre-approval hands out. Reading is what every skill does anyway.
_TOOLS = {
    "Bash": "shell.execute", "Shell": "shell.execute", "Write": "file.write", "Edit": "file.write", "MultiEdit": "file.write",
    "NotebookEdit": "file.write", "WebFetch": "web.fetch", "WebSearch": "web.fetch", "Task": "subagent.delegate",
    "Agent": "subagent.delegate",
}  # fmt: skip
_QUIET = frozenset(
    {"Read", "Glob", "Grep", "LS", "TodoWrite", "NotebookRead", "AskUserQuestion", "Skill", "ToolSearch"}
)


def front_matter_effects(world: World, skill: Skill) -> None:
    """Pre-approved tools are effects of the skill: the host will not ask."""
    for grant in grants(skill):
        name, _, pattern = grant.tool.partition("(")
        name = name.strip()
        if name in _QUIET:
            continue
        if name.startswith("mode:"):
            site = Site(Location(grant.file, grant.line), Origin.INSTRUCTED)
            world.effect("policy.expand", lit(name[5:]), site, f"sets the permission mode `{name[5:]}`")
            continue
        capability = _TOOLS.get(name, "tool.invoke")
        scope: Value = lit(name) if capability == "tool.invoke" else _pattern(pattern.rstrip(")"), capability)
        site = Site(Location(grant.file, grant.line), Origin.INSTRUCTED)
        world.effect(capability, scope, site, f"pre-approves the tool `{grant.tool.strip()}`")


def _pattern(pattern: str, capability: str) -> Value:
    program = pattern.strip().partition(":")[0].partition(" ")[0]
    if capability == "shell.execute" and program and "*" not in program:
        return lit(program)
    return ANY
