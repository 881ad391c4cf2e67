"""What the front matter of a skill does by itself: tools that it pre-approves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, Value, lit
from remit.analysis.world import Site, World
from remit.core.effect import Origin
from remit.core.hosttools import host_tools, rule_words, split_tool
from remit.core.location import Location
from remit.skill import grants

if TYPE_CHECKING:
    from remit.skill.model import Skill

_QUIET = frozenset({"file.read", "source.read", "context.load"})  # reading is what every skill does anyway


def front_matter_effects(world: World, skill: Skill) -> None:
    """Pre-approved tools are effects of the skill: the host will not ask."""
    for grant in grants(skill):
        name, rule = split_tool(grant.tool)
        site = Site(Location(grant.file, grant.line), Origin.INSTRUCTED)
        if name.startswith("mode:"):
            world.effect("policy.expand", lit(name[5:]), site, f"sets the permission mode `{name[5:]}`")
            continue
        tool = host_tools().get(name)
        detail = f"pre-approves the tool `{grant.tool.strip()}`"
        if tool is None:
            world.effect("tool.invoke", lit(name), site, detail)
            continue
        for capability in tool.capabilities:
            if capability not in _QUIET:
                world.effect(capability, _program(rule) if tool.rule == "command" else ANY, site, detail)


def _program(rule: str | None) -> Value:
    """The program that a rule for commands names."""
    words = rule_words(rule or "")
    return lit(words[0]) if words and "*" not in words[0] else ANY
