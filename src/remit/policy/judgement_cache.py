"""A cache of judgements. `judge` is a pure function, so the same request under the same policy has the same judgement.

The cache key has everything on which a judgement depends. It omits only what cannot matter: the time, the earlier
calls and the arguments, if no entry for the request looks at them. Nothing is cached once the first grant has
expired.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from remit.core.sensitive import places
from remit.policy.judge import Judgement, judge

if TYPE_CHECKING:
    from remit.policy.limits import Situation
    from remit.policy.request import Request
    from remit.policy.skill_policy import SkillPolicy

_LONGEST = 2000  # characters of a command
_MOST = 512  # judgements under one policy and one set of bindings


def judged(policy: SkillPolicy, request: Request, situation: Situation) -> Judgement:
    """Return the same as `judge`."""
    capability, scope, command, _, spared = request
    moment = situation.moment
    if moment is None or len(command) > _LONGEST or not is_steady(policy, capability, moment.seconds):
        return judge(policy, request, situation)
    known = policy.judgements(situation.bound)
    key = (capability, scope, command, spared, situation.redacts, situation.understood)
    found = known.get(key)
    if found is None:
        if len(known) >= _MOST:
            known.clear()
        found = known[key] = judge(policy, request, situation)
    return found


def is_steady(policy: SkillPolicy, capability: str, seconds: int) -> bool:
    """Return whether judgements of a capability cannot depend on the time, earlier calls or arguments now."""
    if policy.until is not None and seconds >= policy.until:
        return False
    return not policy.varying or policy.varying.isdisjoint(_meant_by(capability))


@cache
def _meant_by(capability: str) -> frozenset[str]:
    """Return every capability that a request may mean (`judge.meanings`), whatever its scope."""
    sensitive = {name for place in places().rows for names in place.means for name in names}
    kind, _, action = capability.partition(".")
    return frozenset({capability, *sensitive, *((f"file.{action}",) if kind == "source" else ())})
