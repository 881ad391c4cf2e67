"""What the text of a skill does by itself: tools that its front matter pre-approves, and acts that its sentences ask for."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, HOME, MODEL, Hole, Text, Value, lit
from remit.analysis.flows import Node
from remit.analysis.world import Site, World
from remit.core.capability import vocabulary
from remit.core.effect import Origin, Unread
from remit.core.hosttools import host_tools, rule_words, split_tool
from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.core.scope import ScopeKind
from remit.core.table import read_toml
from remit.core.via import Cause, Via
from remit.skill.host_permissions import grants

if TYPE_CHECKING:
    from remit.skill.model import Skill
    from remit.skill.prose.requests import Request


_BLANK = lazy_pattern(r"<[^<>]*>|\{\{?[^{}]*\}?\}|\[[^\[\]]*\]|\bYOUR[_-]\w+|\.\.\.|\u2026|\*+")

_PRINTED = r"(?:outputs?|results?|responses?|repl(?:y|ies)|stdout|findings)(?![a-z])"
_PLACED = lazy_pattern(rf"(?i)(?<![a-z]){_PRINTED}")
_SENT = lazy_pattern(
    r"(?i)\b(?:send|post|upload|submit|forward|share|paste|e?mail|transmit|deliver)(?:s|ing)?\b"
    rf"(?:[^.;:!?]{{0,60}}?(?<![a-z])(?:{_PRINTED}|prints\b|printed\b)|\s+(?:it|them|this|that|everything)\b)"
)
_LONGEST = 80  # characters of a sentence that a reason quotes
_QUIET = frozenset({"file.read", "source.read", "context.load"})  # reading is what every skill does anyway


def front_matter_effects(world: World, skill: Skill) -> None:
    """Pre-approved tools are effects of the skill: the host will not ask."""
    for grant in grants(skill):
        name, rule = split_tool(grant.tool)
        site = Site(Location(grant.file, grant.line), Origin.INSTRUCTED)
        if name.startswith("mode:"):
            world.effect(
                "policy.expand", lit(name[5:]), site, Via(Cause.SETTING, name[5:], words="sets the permission mode {}")
            )
            continue
        tool = host_tools().get(name)
        via = Via(Cause.SETTING, grant.tool.strip(), words="pre-approves the tool {}")
        if tool is None:
            world.effect("tool.invoke", lit(name), site, via)
            continue
        for capability in tool.capabilities:
            if capability not in _QUIET:
                world.effect(capability, _program(rule) if tool.rule == "command" else ANY, site, via)


def _program(rule: str | None) -> Value:
    """The program that a rule for commands names."""
    words = rule_words(rule or "")
    return lit(words[0]) if words and "*" not in words[0] else ANY


def sentence_effects(world: World, asked: Iterable[Request]) -> list[Unread]:
    """What sentences ask for by name are effects; the sentences that nobody can check are returned.

    What the agent has read for one sentence may be part of what it sends for another.
    """
    unread = []
    flows = world.flows
    told = Node()
    for request in asked:
        where = Location(request.file, request.line)
        own = Node()
        for capability, subject in request.acts:
            site = Site(where, Origin.INSTRUCTED, hosted=True)
            before = {own if capability == "web.fetch" else told}  # a page gets only what its own sentence reads
            before |= {flows.model} if _SENT.search(request.text) else set()
            flows.context = set(before)
            via = Via(Cause.SENTENCE, _short(request.text), words="the text asks for it: {}")
            world.effect(capability, _filled(subject), site, via)
            if vocabulary()[capability].scope_kind is not ScopeKind.HOST:
                own.into |= flows.context - before
                told.into.add(own)
        flows.context = set()
        if request.unread:
            unread.append(Unread(request.text, where, request.likely))
    return unread


def stands_for_output(placeholder: str) -> bool:
    """Whether the agent is to fill in what a program printed."""
    return _PLACED.search(placeholder) is not None


def _filled(subject: str) -> Value:
    """A name whose blanks the agent fills in."""
    parts: list[str | Hole] = []
    at = 0
    if subject.startswith(("~/", "$HOME/", "${HOME}/")):
        parts, at = [Hole(HOME)], subject.index("/")
    for found in _BLANK.finditer(subject, at):
        parts += [subject[at : found.start()], Hole(MODEL)]
        at = found.end()
    return frozenset({Text(tuple(part for part in (*parts, subject[at:]) if part))})


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "\u2026"


# What effects of lines that the host's shell runs are called: the agent reads the document, not only a shell.
#
# In a script `$NAME` is a variable of the environment. In a document it may be a blank that the agent fills in.

FORMS = frozenset({"fences", "span", "bang", "hook"})  # programs whose lines the host's shell runs


@cache
def _blanks() -> frozenset[str]:
    data = read_toml(Path(__file__).with_name("data") / "shell.toml")
    return frozenset(data["documents"]["blanks"].split())


def hosted_name(capability: str, scope: Value, site: Site) -> str:
    """The capability that stands for one that was found at this site; empty if it is none."""
    if not site.hosted:
        return capability
    if capability == "process.create":
        return "shell.execute"  # the host's shell starts it, not a program of the skill
    return "" if capability == "env.read" and is_blank(only_name(scope)) else capability


def is_blank(variable: str) -> bool:
    """Whether a variable of a document is a blank for the agent: names of the environment are written in capitals."""
    return variable in _blanks() or (variable != "" and variable.upper() != variable)


def only_name(scope: Value) -> str:
    """The one name that a scope is, or nothing."""
    item = next(iter(scope)) if len(scope) == 1 else None
    return item.literal or "" if isinstance(item, Text) else ""
