"""A cache of decisions. `decide` is a pure function, so the same requests under the same policy have the same decision.

A decision is cached only if it depends on nothing else: no relevant entry looks at the time, earlier calls or
arguments, nothing is doubtful, and no question is asked. Policy and requests are compared by identity: a replaced
value is a different one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from remit.policy.decide import Call, Decided, Use, decide
from remit.policy.gate import Gate
from remit.policy.judgement_cache import is_steady

if TYPE_CHECKING:
    from remit.policy.limits import Situation
    from remit.policy.principal import SessionPolicy
    from remit.policy.request import Bindings, Request

_MOST = 512


class _Made(NamedTuple):
    """A decision, and everything on which it depends."""

    session: SessionPolicy
    requests: tuple[Request, ...]
    runs: tuple[str, ...]
    loaded: tuple[str, ...]
    bound: Bindings
    redacts: bool
    understood: bool
    until: float  # when the first grant ends
    decided: Decided


class Repeated:
    """The recent decisions."""

    def __init__(self) -> None:
        self._made: dict[tuple[int, int], _Made] = {}

    def decide(
        self,
        session: SessionPolicy,
        call: Call,
        situation: Situation,
        used: Mapping[Use, Sequence[float]],
        loaded: tuple[str, ...],
    ) -> Decided:
        """Return the same as `decide`."""
        if call.doubts or call.flows or call.besides or situation.moment is None:
            return decide(session, call, situation, used, loaded)
        key = id(session), id(call.requests)
        made = self._made.get(key)
        if (
            made is not None
            and made.session is session
            and made.requests is call.requests
            and (made.runs, made.loaded, made.redacts, made.understood)
            == (call.runs, loaded, situation.redacts, situation.understood)
            and made.bound == situation.bound
            and situation.moment.seconds < made.until
        ):
            return made.decided
        decided = decide(session, call, situation, used, loaded)
        until = _steady_until(session, decided, situation.moment.seconds)
        if until is not None:
            if len(self._made) >= _MOST:
                self._made.clear()
            self._made[key] = _Made(
                session,
                call.requests,
                call.runs,
                loaded,
                situation.bound,
                situation.redacts,
                situation.understood,
                until,
                decided,
            )
        return decided


def _steady_until(session: SessionPolicy, decided: Decided, seconds: int) -> float | None:
    """Return until when the decision stays the same; None if it depends on more than the compared values."""
    if decided.gate is not Gate.ALLOW or decided.approved or session.task:
        return None
    policies = [session.policy(name) for name in dict.fromkeys(one.principal for one in decided.judged)]
    capabilities = {one.request.capability for one in decided.judged}
    if any(policy.rated or not is_steady(policy, name, seconds) for policy in policies for name in capabilities):
        return None
    return min((policy.until for policy in policies if policy.until is not None), default=float("inf"))
