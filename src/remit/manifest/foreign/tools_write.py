"""Writer of `allowed-tools`: only what is allowed without a question, and only as narrowly as it is meant.

A pre-approval removes a question, so whatever a rule cannot express is left out: the host then asks as usual.
"""

from __future__ import annotations

import json
import re

from remit.core.capability import matches, vocabulary
from remit.core.hosttools import HostTool, host_tools
from remit.core.scope import NameScope, Scope, ScopeKind, overlaps
from remit.manifest.foreign.losses import differences, unsaid
from remit.manifest.foreign.permissions import least, narrowed
from remit.manifest.foreign.result import Loss, LossKind, Writing, ordered
from remit.manifest.foreign.tool_rules import Narrowing, command_rule, domain_rule, narrowing, path_rule, scope_text
from remit.manifest.foreign.tools_read import is_written_as_named, read_tools
from remit.manifest.model import Constraints, Decision, Manifest, Permission

NAME = "allowed-tools"
_PLAIN_YAML = re.compile(r"[A-Za-z][\w@%+=.,/~$(){}* -]*(?::(?=\S)[\w@%+=.,/~$(){}* -]*)*")


def write_tools(manifest: Manifest) -> Writing:
    """Return the line of front matter that pre-approves what a manifest allows, with a loss for everything left out."""
    tools: dict[str, None] = {}
    losses = unsaid(manifest, NAME, ("name", "version"))  # the front matter has them
    for entry in manifest.permissions:
        for capability in least(vocabulary().expand(entry.capability)):
            if reason := _held_back(manifest, entry, capability):
                losses.append(_left_out(capability, entry.place, reason))
                continue
            for scope in narrowed(entry, capability)[0]:
                found = _written(capability, scope, _left(entry.constraints, capability))
                tools.update(dict.fromkeys(found))
                if not found:
                    losses.append(_left_out(capability, scope.render(), "no rule of a tool says it"))
    text = f"{NAME}: {_yaml(' '.join(tools))}\n"
    back = read_tools(f"---\n{text}---\n".encode(), NAME).manifest
    return Writing(text, ordered([*losses, *differences(manifest, back, {}, losses, NAME)]))


def _held_back(manifest: Manifest, entry: Permission, capability: str) -> str:
    """Return why an entry is not written; empty if it is."""
    decision = entry.decision(capability)
    if decision is Decision.DENY:
        return "tools are not denied there"
    if decision is Decision.CONFIRM:
        return "it needs approval, and a pre-approval would skip that"
    for other in manifest.permissions:
        if _takes_back(other, entry, capability) and any(
            overlaps(one, two) for one in entry.scopes for two in other.scopes
        ):
            return f"`{other.capability}` ({other.place}) takes part of it back"
    if not narrowed(entry, capability)[0]:
        return "its scopes and constraints have nothing in common"
    return ""


def _takes_back(other: Permission, entry: Permission, capability: str) -> bool:
    """Whether an entry denies, or asks for, some of what another allows of a capability and of those that it covers."""
    against = {other.decision(name) for name in vocabulary().expand(capability) if matches(other.capability, name)}
    return Decision.DENY in against or (Decision.CONFIRM in against and other.priority >= entry.priority)


def _left(constraints: Constraints, capability: str) -> Constraints:
    """Return the constraints that the scopes do not already contain."""
    path = vocabulary()[capability].scope_kind is ScopeKind.PATH
    return constraints._replace(resource_scope=(), workspace_only=constraints.workspace_only and not path)


def _written(capability: str, scope: Scope, constraints: Constraints) -> list[str]:
    """Return the tools that express an entry; none if none does."""
    if capability == "tool.invoke":
        named = isinstance(scope, NameScope) and constraints == Constraints() and is_written_as_named(scope.pattern)
        return [scope.render()] if named else []
    meant = Narrowing(scope, constraints)
    rules = [
        (tool, _rule(tool, scope, constraints))
        for tool in host_tools().values()
        if tool.written and tool.capabilities == (capability,)
    ]
    return [tool.name if rule == "" else f"{tool.name}({rule})" for tool, rule in rules if _reads_as(tool, rule, meant)]


def _reads_as(tool: HostTool, rule: str | None, meant: Narrowing) -> bool:
    return rule is not None and narrowing(tool, rule or None) == meant


def _rule(tool: HostTool, scope: Scope, constraints: Constraints) -> str | None:
    """Return a candidate rule; reading it back shows whether it is exact."""
    if tool.rule == "command":
        return command_rule(scope, constraints)
    if tool.argument and constraints.arguments:
        _, values = constraints.arguments[0]
        return scope_text(NameScope(str(values[0]))) if isinstance(values, tuple) else None
    if constraints != Constraints():
        return None
    if tool.rule == "path":
        return path_rule(scope)
    return domain_rule(scope) if tool.rule == "domain" else scope_text(scope)


def _left_out(capability: str, place: str, reason: str) -> Loss:
    kind = LossKind.LOST if reason.startswith("tools are not denied") else LossKind.NARROWED
    return Loss(kind, f"`{capability}` ({place}) is left out: {reason}", (capability,))


def _yaml(text: str) -> str:
    return text if _PLAIN_YAML.fullmatch(text) else json.dumps(text)
