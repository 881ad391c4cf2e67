"""The policy broker: rules that a person wrote, which answer in that person's place. Pure.

For each capability in question the first matching rule answers; if none matches, the answer is no. The strictest answer
counts for the call. Rules are about capabilities and scopes: a call that is not understood, or that sends data to an
unnamed destination, is left to a person, so no rule allows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from remit.manifest.model import Decision
from remit.policy.entry_matches import grants, may_deny
from remit.policy.limits import Situation, denied_pattern, first_unmet
from remit.policy.rules import resolve

if TYPE_CHECKING:
    from remit.core.scope import PathScope
    from remit.guard.approvals.broker_config import Rule
    from remit.policy.decide import Decided
    from remit.policy.request import Request

_STRICT = (Decision.ALLOW, Decision.CONFIRM, Decision.DENY)


class Ruled(NamedTuple):
    """The answer of the rules, and which rules gave it."""

    decision: Decision
    reason: str


def ruled(
    rules: Sequence[Rule],
    decided: Decided,
    others: Iterable[str],
    places: Mapping[str, PathScope],
    situation: Situation,
) -> Ruled:
    """Answer a question by the rules. `others` are reasons to ask that no capability stands for."""
    found = [_first(rules, one.principal, one.request, places, situation) for one in decided.asks]
    found += [Ruled(Decision.DENY, f"no rule can answer this: {reason}") for reason in others]
    if not found:
        return Ruled(Decision.DENY, "no rule matches")
    return max(found, key=lambda one: _STRICT.index(one.decision))


def _first(
    rules: Sequence[Rule], principal: str, request: Request, places: Mapping[str, PathScope], situation: Situation
) -> Ruled:
    for number, rule in enumerate(rules, 1):
        if rule.skill is not None and rule.skill != principal:
            continue
        entry = rule.entry._replace(scopes=tuple(resolve(scope, places) for scope in rule.entry.scopes))
        effect = entry.effect or Decision.DENY
        said = f"rule {number} of the broker ({entry.capability}: {effect})"
        if effect is not Decision.ALLOW:
            if may_deny(entry, request):
                return Ruled(effect, said)
            continue
        limits = entry.constraints
        patterns = limits.denied_command_patterns
        if grants(entry, request) and not first_unmet(limits, number, request, situation):
            if patterns and (not request.command or denied_pattern(patterns, request) is not None):
                continue
            return Ruled(effect, said)
    return Ruled(Decision.DENY, f"no rule of the broker matches `{request.capability} {request.scope.render()}`")
