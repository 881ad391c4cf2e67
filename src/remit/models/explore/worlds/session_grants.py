"""Model of session grants (`policy/decide.py`, `session_grants`): all small entries with questions, with every limit,
followed by every call that differs in one or several respects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, product
from typing import Any, NamedTuple

from remit.core.scope import PathScope, ScopeKind, parse_scope
from remit.manifest.model import Constraints, Decision, Manifest, Permission, RateLimit, TimeWindow, Verification
from remit.models.explore.model import Case, Invariant, Model, Mutant, Patch, every, model_of, was_asked
from remit.policy import decide as deciding
from remit.policy import principal
from remit.policy.decide import Call
from remit.policy.gate import Gate
from remit.policy.limits import Moment, Situation
from remit.policy.principal import Loaded, PersonGrant, SessionPolicy
from remit.policy.request import Request

_FRESH = count()
# seconds: when it is asked, an hour in which nothing may be posted, and when all is over
_ASKED, _LATER, _END = 600, 7200, 7300
_LIMITS = {
    "none": Constraints(),
    "argument": Constraints(arguments=(("kind", ("right",)),)),
    "hours": Constraints(time_window=TimeWindow((), 0, 60)),
    "rate": Constraints(rate_limit=RateLimit(1, 10_000)),
}
_HOSTS = {name: parse_scope(ScopeKind.HOST, name) for name in ("*.example", "a.example", "b.example")}


class GrantRequest(NamedTuple):
    """An entry that wants to be asked about, by whom it was given, and for how long a person agrees."""

    limit: str
    own: bool  # of the skill's manifest; else a person gave it, and it ends
    until: int | None
    denied: bool  # the workspace denies it
    level: Verification


class Probe(NamedTuple):
    """A call after that, and how it differs from the one that was asked about."""

    host: str
    capability: str
    argument: str
    now: int
    used: bool  # the one that was asked about ran
    changed: bool  # the skill is another one
    other: bool  # on behalf of another skill


class ProbeResult(NamedTuple):
    """What becomes of a probe without what was given, and with it."""

    before: Gate
    after: Gate


_PROBES = tuple(Probe(*chosen) for chosen in product(
    ("a.example", "b.example"), ("web.post", "web.fetch"), ("right", "wrong"), (_ASKED, _LATER, _END), (False, True), (False, True), (False, True),
))  # fmt: skip


def _entry(asked: GrantRequest) -> Permission:
    return Permission("web.post", (_HOSTS["*.example"],), Decision.CONFIRM, constraints=_LIMITS[asked.limit])


def _session(asked: GrantRequest, places: Any, probe: Probe | None = None) -> SessionPolicy:
    entry = _entry(asked)
    digest = "another" if probe and probe.changed else "digest"
    manifest = Manifest("", (entry,) if asked.own else ())
    skills = (
        Loaded("skill", digest, manifest, asked.level, PathScope("/", ("s",))),
        Loaded("other", "other", Manifest("", (entry,)), asked.level, PathScope("/", ("o",))),
    )
    skills = skills if probe and probe.other else skills[::-1]
    given = () if asked.own else (PersonGrant("skill", entry, expires=_END),)
    denial = Permission("web.post", (_HOSTS["a.example"],), Decision.DENY)
    return SessionPolicy("s", (denial,) if asked.denied else (), places, skills=skills, granted=given)


def _call(probe: Probe) -> Call:
    return Call((Request(probe.capability, _HOSTS[probe.host], arguments=(("kind", probe.argument),)),))


_FIRST = Probe("a.example", "web.post", "right", _ASKED, used=False, changed=False, other=False)


def _answers(asked: GrantRequest) -> Iterator[tuple[Probe, ProbeResult]]:
    # policies are kept ready by what they are made of: one that spoiled code made must be nobody else's
    places = (("workspace", PathScope("/", ("explored", str(next(_FRESH))))),)
    session = _session(asked._replace(denied=False), places)  # it was not denied yet when the person agreed
    decided = deciding.decide(session, _call(_FIRST), Situation(Moment(_ASKED), redacts=True))
    given = deciding.session_grants(session, decided, _ASKED, asked.until)
    for probe in _PROBES:
        policy = _session(asked, places, probe)
        used = dict.fromkeys(decided.uses, (_ASKED,)) if probe.used else {}
        situation = Situation(Moment(probe.now), redacts=True)
        before, after = (
            deciding.decide(one, _call(probe), situation, used) for one in (policy, policy.with_grants(given))
        )
        yield probe, ProbeResult(before.gate, after.gate)


def _unmet(case: Case) -> bool:
    """Whether a limit of the entry does not hold for the probe."""
    probe: Probe = case.asked
    return {
        "argument": probe.argument == "wrong", "hours": probe.now != _ASKED, "rate": probe.used,
    }.get(case.settings.limit, False)  # fmt: skip


def _same(case: Case) -> bool:
    """Whether it is what the person agreed to."""
    probe = case.asked
    return (probe.host, probe.capability, probe.changed, probe.other) == ("a.example", "web.post", False, False)


def _over(case: Case) -> bool:
    asked = case.settings
    ends = [end for end in (asked.until, None if asked.own else _END) if end is not None]
    return bool(ends) and case.asked.now >= min(ends)


_INVARIANTS = (
    Invariant("what-was-asked", "what a person approved for the session runs without a question until the session ends",
              lambda case: was_asked(case) and _same(case) and not _over(case) and not _unmet(case) and not case.settings.denied,
              lambda case: case.answer.after is Gate.ALLOW),
    Invariant("nothing-else", "a grant changes nothing for another target, capability, content or skill", lambda case: was_asked(case) and not _same(case),
              lambda case: case.answer.after is case.answer.before),
    Invariant("under-its-limits", "a grant does not lift the limits of its entry: arguments, hours, rate",
              lambda case: was_asked(case) and case.asked.capability == "web.post" and not case.asked.other and _unmet(case),
              lambda case: case.answer.after is Gate.DENY),
    Invariant("ends", "a grant ends when the person said, and together with the entry that it is based on", lambda case: was_asked(case) and _over(case),
              lambda case: case.answer.after is case.answer.before),
    Invariant("denials-stay", "what is denied stays denied, whatever was approved before",
              lambda case: was_asked(case) and case.settings.denied and case.asked.host == "a.example" and case.asked.capability == "web.post",
              lambda case: case.answer.after is Gate.DENY),
)  # fmt: skip


def _given(spoil: Callable[[PersonGrant], PersonGrant]) -> Callable[..., Any]:
    """Grants that hold something else than they should."""
    return lambda real: lambda *args: tuple(map(spoil, real(*args)))


def _with(**changed: Any) -> Callable[[PersonGrant], PersonGrant]:
    return lambda one: one._replace(entry=one.entry._replace(**changed))


def model() -> Model:
    """The model."""
    settings = every(
        GrantRequest, limit=_LIMITS, own=(True, False), until=(None, _LATER), denied=(False, True), level=(Verification.DECLARED, Verification.FORMAL)
    )  # fmt: skip
    wider, unlimited = _with(scopes=(_HOSTS["*.example"],)), _with(constraints=Constraints())
    mutants = (
        Mutant("gives a question", "what-was-asked", Patch(deciding, "session_grants", _given(_with(effect=Decision.CONFIRM)))),
        Mutant("gives the whole entry", "nothing-else", Patch(deciding, "session_grants", _given(wider))),
        Mutant("gives to whatever the skill becomes", "nothing-else", Patch(deciding, "session_grants", _given(lambda one: one._replace(content="")))),
        Mutant("gives without limits", "under-its-limits", Patch(deciding, "session_grants", _given(unlimited))),
        Mutant("gives for ever", "ends", Patch(deciding, "session_grants", _given(lambda one: one._replace(expires=None)))),
        Mutant("gives above denials", "denials-stay", Patch(principal, "_policy", lambda real: lambda *args: real(*args[:6], (), *args[7:]))),
    )  # fmt: skip
    return model_of(
        "session-grants", "an approval for the session grants what was asked, under the limits of the entry, to this content of the skill, until the session ends; it never overrides a denial",
        settings, ("call", _answers), _INVARIANTS, mutants,
    )  # fmt: skip
