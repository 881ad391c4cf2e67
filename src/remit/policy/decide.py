"""The decision on a call in a session. One principal must permit everything that the call would do, or the call is
refused.

(1) On whose behalf: the skill whose script it runs; else the skill that this agent loaded last; else the agent by itself. A call that
    runs scripts of two skills is made on behalf of both, and both must permit all of it.
(2) That principal, and every principal on whose behalf it acts, is judged for each request (`judge.py`); so is the scope of the
    task, if there is one. The strictest answer counts. A denial ends it. A call without effects needs no permission.
(3) If that principal has no entry for a request, another one may: a skill that was loaded earlier, or the agent by
    itself, where the user's own words ask for each capability, or where no other skill sent for this one and nothing goes to where
    only a skill's text points. If one of them may do all of it, Remit asks the user on whose behalf it is. What a script of a skill
    does is always that skill's.
(4) Remit asks about everything it does not understand, and about flows to destinations that the user did not name.
(5) If the user agreed to this very call before, it runs. The very call is what the host is to do, its effects,
    the doubts about it, and the skills on whose behalf it is made, as they are now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from remit.core.digest import digest
from remit.manifest.model import Decision
from remit.policy.gate import Gate
from remit.policy.judge import Ask, Deny, Judgement
from remit.policy.principal import AGENT, GRANT, PersonGrant, SessionPolicy
from remit.policy.projector import Projector

if TYPE_CHECKING:
    from remit.policy.limits import Situation
    from remit.policy.permit import Permit
    from remit.policy.request import Request
    from remit.policy.skill_policy import SkillPolicy

_ELSEWHERE = frozenset({"undeclared", "outside", "sensitive"})  # refusals that say only: not this principal
_UNUSED: Mapping[Use, Sequence[float]] = MappingProxyType({})
_NEVER: Mapping[int, Sequence[float]] = MappingProxyType({})  # the history where no entry has a rate
TASK = "/task"  # as the scope of the task is named among those who judge; no skill has such a name


class Call(NamedTuple):
    """One call of an agent."""

    requests: tuple[Request, ...]  # everything that it would do
    runs: tuple[str, ...] = ()  # the skills whose scripts it runs
    doubts: tuple[str, ...] = ()  # what is not understood of it
    flows: tuple[str, ...] = ()  # reasons to ask about where it sends things
    content: str = ""  # a digest of the call as the host makes it
    besides: tuple[str, ...] = ()  # other reasons to ask, which say nothing about on whose behalf it is


class JudgedRequest(NamedTuple):
    """One request, judged for one principal."""

    principal: str
    request: Request
    judgement: Judgement
    source: str = ""  # whose entry decided
    permit: Permit | None = None  # of the projector, if nothing speaks against it


class Use(NamedTuple):
    """A use of an entry with a rate limit, by its principal and its name."""

    principal: str
    entry: str


class Decided(NamedTuple):
    """The decision on a call."""

    gate: Gate  # ALLOW, CONFIRM or DENY
    principal: str
    judged: tuple[JudgedRequest, ...]
    reasons: tuple[str, ...]
    subject: str = ""  # what an approval of this very call binds to, if it is asked about
    code: str = ""  # of the first denial
    approved: bool = False  # a person agreed to it before
    uses: tuple[Use, ...] = ()  # entries with a rate that it uses: each counts as used when the call is made

    @property
    def foremost(self) -> str:
        """The capability that explains the decision: of the first denied request, else the first to ask about, else the
        first.
        """
        for kind in (Deny, Ask, object):
            for one in self.judged:
                if isinstance(one.judgement, kind):
                    return one.request.capability
        return ""

    @property
    def asks(self) -> tuple[JudgedRequest, ...]:
        """The requests that need the user's consent."""
        return tuple(one for one in self.judged if isinstance(one.judgement, Ask))


def decide(
    session: SessionPolicy,
    call: Call,
    situation: Situation,
    used: Mapping[Use, Sequence[float]] = _UNUSED,
    loaded: Sequence[str] | None = None,
) -> Decided:
    """Decide on a call. `loaded` are the skills of the agent that makes it, the last one last; by default those of the session.

    `used` is when entries with a rate were used; the history of the situation is made from it.
    """
    skills = tuple(one.name for one in session.skills) if loaded is None else tuple(loaded)
    first = call.runs or skills[-1:] or (AGENT,)  # (1)
    situation = situation._replace(understood=not call.doubts, history=_NEVER)
    found = _judged(session, call, situation, used, first)  # (2)
    whose = first
    if found.gate is Gate.DENY and found.code in _ELSEWHERE and not call.runs:  # (3)
        found = _for_another(session, call, situation, used, found, skills)
        whose = (*first, found.principal)
    asked = (*call.doubts, *call.flows, *call.besides)
    if found.gate is not Gate.DENY and asked:  # (4)
        found = found._replace(gate=Gate.CONFIRM, reasons=(*found.reasons, *asked))
    if found.gate is not Gate.CONFIRM:
        return found
    subject = subject_of(session, call, whose)
    if subject in session.approved:  # (5)
        return found._replace(gate=Gate.ALLOW, subject=subject, approved=True)
    return found._replace(subject=subject)


def subject_of(session: SessionPolicy, call: Call, whose: Sequence[str]) -> str:
    """Return the digest of everything that the user is shown and agrees to. A changed skill or a new doubt changes it."""
    chains = [[[name, session.content(name)] for name in session.chain(principal)] for principal in whose]
    does = sorted(one.digest("") for one in call.requests)
    return digest(
        [chains, call.content, does, *(sorted(part) for part in (call.runs, call.doubts, call.flows, call.besides))]
    )


def _judged(
    session: SessionPolicy,
    call: Call,
    situation: Situation,
    used: Mapping[Use, Sequence[float]],
    principals: Sequence[str],
) -> Decided:
    """Judge a call for principals of which each must permit all of it."""
    name = " and ".join(principals)
    judged: list[JudgedRequest] = []
    uses: dict[Use, None] = {}
    for policy in _policies(session, principals):
        rated = policy.rated
        if rated or situation.history is not _NEVER:
            times = {member: used.get(Use(policy.skill, entry), ()) for member, entry in rated.items()}
            situation = situation._replace(history=times or _NEVER)
        projector = Projector(policy)
        for request in call.requests:
            judgement, permit = projector.consider(request, situation)
            judged.append(JudgedRequest(policy.skill, request, judgement, _source(policy, judgement), permit))
            if rated and not isinstance(judgement, Deny):
                uses |= {Use(policy.skill, rated[one]): None for one in judgement.uses if one in rated}
    denied = [one.judgement for one in judged if isinstance(one.judgement, Deny)]
    if denied:
        # a refusal that no other principal's rights could lift takes precedence
        worst = next((one for one in denied if one.code not in _ELSEWHERE), denied[0])
        reasons = tuple(dict.fromkeys(one.reason for one in (worst, *denied)))
        return Decided(Gate.DENY, name, tuple(judged), reasons, code=worst.code)
    asked = tuple(dict.fromkeys(one.judgement.reason for one in judged if isinstance(one.judgement, Ask)))
    gate = Gate.CONFIRM if asked else Gate.ALLOW
    return Decided(gate, name, tuple(judged), asked, uses=tuple(uses))


def _policies(session: SessionPolicy, principals: Iterable[str]) -> Iterator[SkillPolicy]:
    for name in dict.fromkeys(one for principal in principals for one in session.chain(principal)):
        yield session.policy(name)
    if session.task:
        yield session.scope_of_task(TASK)


def _source(policy: SkillPolicy, judgement: Judgement) -> str:
    if isinstance(judgement, Deny):
        return ""
    return policy.granting[judgement.member][1].source or f"skill:{policy.skill}"


def _for_another(
    session: SessionPolicy,
    call: Call,
    situation: Situation,
    used: Mapping[Use, Sequence[float]],
    refused: Decided,
    skills: Sequence[str],
) -> Decided:
    """Return the same call for another principal that may do all of it, with a question; or the refusal."""
    others = [name for name in reversed(skills) if name != refused.principal]
    missing = {one.request.capability for one in refused.judged if isinstance(one.judgement, Deny)}
    alone = session.chain(refused.principal) == (refused.principal,)
    if refused.principal != AGENT and (missing <= session.spoken or (alone and not call.flows)):
        others.insert(0, AGENT)
    for name in others:
        found = _judged(session, call, situation, used, (name,))
        if found.gate is not Gate.DENY:
            whose = f"skill `{name}`" if name else "the user"
            reason = f"`{refused.principal}` was loaded last and may not do this; on behalf of {whose} it may be done"
            return found._replace(gate=Gate.CONFIRM, reasons=(reason, *found.reasons))
    return refused


def session_grants(
    session: SessionPolicy, decided: Decided, now: int, expires: int | None = None
) -> tuple[PersonGrant, ...]:
    """Return what the user grants by agreeing for the session or longer: the requests in question, under the limits of
    the entries that cover them.

    The grant copies the entry with the scope of the request: it never holds more than the entry, nor more than was shown, nor longer.
    As the newest grant, it outranks earlier ones by the same person. The task is not a principal that can receive grants.
    """
    found: dict[PersonGrant, None] = {}
    for one in decided.judged:
        if one.principal == TASK or not isinstance(one.judgement, Ask):
            continue
        policy = session.policy(one.principal)
        for capability, member in one.judgement.held:
            entry, layer = policy.granting[member]
            same = entry._replace(
                capability=capability,
                scopes=(one.request.scope,),
                effect=Decision.ALLOW,
                priority=entry.priority + 1,
                evidence=(),
                line=0,
            )
            ends = min((end for end in (expires, layer.expires) if end is not None), default=None)
            found[PersonGrant(one.principal, same, GRANT, now, ends, session.content(one.principal))] = None
    return tuple(found)
