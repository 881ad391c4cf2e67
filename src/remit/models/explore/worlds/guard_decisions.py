"""Model of the guard's decisions in one session (`policy/decide.py`, `policy/principal.py`,
`explore/question_states.py`): skills are loaded and change, a workspace denies, a person agrees once, for the session
or until later, or does not, and time passes.

Two skills: `reader` may read a folder, and post under a limit when a person agrees; `sender` may send to a host, and nothing else. Nobody
may read the folder and send in one call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, NamedTuple

from remit.core.capability import vocabulary
from remit.core.scope import PathScope, parse_scope
from remit.guard.store import State
from remit.manifest.model import Constraints, Decision, Manifest, Permission, RateLimit, Verification
from remit.models.explore import question_states
from remit.models.explore.model import Action, Invariant, Model, Mutant, Patch, remembering
from remit.models.explore.question_states import Answered, Tried
from remit.policy import decide as deciding
from remit.policy import principal, skill_policy
from remit.policy.decide import Call, Decided, Use
from remit.policy.gate import Gate
from remit.policy.limits import Moment, Situation
from remit.policy.principal import Loaded, PersonGrant, SessionPolicy
from remit.policy.request import Request

_FRESH = count()
_SPAN = 3  # seconds of the limit: one call of `post` in each
_MOST, _END, _LATE = 1, 1, 1  # calls in a span; when what was agreed to until later ends; the last second
_ANSWERS = 1  # that last


def _entry(capability: str, target: str, effect: Decision, limits: Constraints = Constraints()) -> Permission:  # noqa: B008  a frozen value
    return Permission(
        capability, (parse_scope(vocabulary()[capability].scope_kind, target),), effect, constraints=limits
    )


def _request(capability: str, target: str) -> Request:
    return Request(capability, parse_scope(vocabulary()[capability].scope_kind, target))


_RATE = Constraints(rate_limit=RateLimit(_MOST, _SPAN))
_READER = Manifest("", (
    _entry("file.read", "workspace/a/**", Decision.ALLOW), _entry("web.post", "a.example", Decision.CONFIRM, _RATE),
))  # fmt: skip
_SENDER = Manifest("", (_entry("web.fetch", "b.example", Decision.ALLOW),))
_SKILLS = {
    "reader": Loaded("reader", "digest-1", _READER, Verification.FORMAL, PathScope("/", ("s", "reader"))),
    "reader, changed": Loaded("reader", "digest-2", _READER, Verification.FORMAL, PathScope("/", ("s", "reader"))),
    "sender": Loaded("sender", "digest-3", _SENDER, Verification.FORMAL, PathScope("/", ("s", "sender"))),
}
_DENIAL = _entry("web.post", "a.example", Decision.DENY)
_READ, _SEND, _POST = (
    _request("file.read", "workspace/a/x"),
    _request("web.fetch", "b.example"),
    _request("web.post", "a.example"),
)
_CALLS = {"read": Call((_READ,)), "post": Call((_POST,)), "read and send": Call((_READ, _SEND))}


class PersonsYes(NamedTuple):
    """A person's yes: to which content of the skill, and until when."""

    digest: str
    until: int | None = None


class OpenQuestion(NamedTuple):
    """A question to a person: about which content of the skill, what its answer is bound to, and how far it is."""

    digest: str
    subject: str
    state: State = State.PENDING


class Ran(NamedTuple):
    """A call that ran, and what stood there then."""

    call: str
    digests: tuple[str, ...]  # of the skills that were loaded
    denied: bool
    agreed: bool  # a yes for this content that is not over, or one for this very call
    often: int  # how often it ran within the span, with this time


class GuardState(NamedTuple):
    """The session, the question that is open, and what really went on."""

    loaded: tuple[str, ...] = ()  # the one that was loaded last is last
    denied: bool = False  # the workspace denies `post`
    now: int = 0
    granted: int = 0  # what persons gave: a number of the guard
    used: tuple[tuple[Use, int], ...] = ()  # which entries with a rate, and when
    asked: OpenQuestion | None = None
    said: frozenset[PersonsYes] = frozenset()
    posted: tuple[int, ...] = ()
    ran: Ran | None = None  # just now


class _Guard:
    """What the guard decides, for one exploration."""

    def __init__(self) -> None:
        self.session = remembering(self._session)
        self.decided = remembering(self._decided)
        self._grants: list[tuple[PersonGrant, ...]] = [()]
        # policies are kept ready by what they are made of: one that spoiled code made must be nobody else's
        self._places = (("workspace", PathScope("/", ("explored", str(next(_FRESH))))),)

    def _session(self, loaded: tuple[str, ...], denied: bool, granted: int) -> SessionPolicy:  # noqa: FBT001  remembered by its arguments
        policy = SessionPolicy("s", (_DENIAL,) if denied else (), self._places)
        for name in loaded:
            policy = policy.with_skill(_SKILLS[name])
        return policy.with_grants(self._grants[granted])

    def _decided(self, session: tuple[Any, ...], name: str, now: int, used: tuple[tuple[Use, int], ...]) -> Decided:
        times: dict[Use, tuple[float, ...]] = {}
        for use, at in used:
            times[use] = (*times.get(use, ()), at)
        policy = self.session(*session)
        return deciding.decide(policy, _CALLS[name], Situation(Moment(now), redacts=True), times)

    def of(self, world: GuardState, name: str) -> Decided:
        """What becomes of a call."""
        found: Decided = self.decided((world.loaded, world.denied, world.granted), name, world.now, world.used)
        return found

    def _given(self, world: GuardState, until: int | None) -> int:
        """What persons have given, with what one gives now who agrees to the question."""
        policy = self.session(world.loaded, world.denied, world.granted)
        given = deciding.session_grants(policy, self.of(world, "post"), world.now, until)
        granted = policy.with_grants(given).granted
        if granted not in self._grants:
            self._grants.append(granted)
        return self._grants.index(granted)

    def call(self, world: GuardState) -> Iterator[tuple[Any, GuardState]]:
        """The agent calls a tool: it runs, is asked about, or is denied. A call that was answered is tried again."""
        for name in _CALLS:
            if name == "post" and len(world.posted) > _MOST:
                continue  # once too often is enough
            decided = self.of(world, name)
            if decided.gate is Gate.ALLOW:
                yield (name, "allowed"), _ran(world, name, decided, agreed=_agreed(world))
            elif decided.gate is Gate.CONFIRM:
                asked = world.asked
                if asked is None or asked.subject != decided.subject:
                    asked = OpenQuestion(_reader(world), decided.subject)
                    yield (name, "asked"), world._replace(asked=asked, ran=None)
                    continue
                after = question_states.step(asked.state, Tried())
                if after.admits:
                    then = _ran(world, name, decided, agreed=asked.digest == _reader(world))
                    yield (name, "tried again"), then._replace(asked=asked._replace(state=after.state))

    def answer(self, world: GuardState) -> Iterator[tuple[Any, GuardState]]:
        """A person says yes once, for the session, or until a moment; or no."""
        asked = world.asked
        if asked is None or asked.state is not State.PENDING:
            return
        for said in (State.ONCE, State.DENIED):
            after = question_states.step(asked.state, Answered(said)).state
            yield str(said), world._replace(asked=asked._replace(state=after), ran=None)
        if self.of(world, "post").subject == asked.subject and len(world.said) < _ANSWERS:
            for until in (None, _END):
                said_ = world.said | {PersonsYes(asked.digest, until)}
                yield (
                    ("for the session" if until is None else "until later"),
                    world._replace(granted=self._given(world, until), asked=None, said=said_, ran=None),
                )


def _reader(world: GuardState) -> str:
    """The skill that may post, as it is now; nothing if it is not loaded."""
    return next((_SKILLS[name].digest for name in world.loaded if name.startswith("reader")), "")


def _agreed(world: GuardState) -> bool:
    """Whether a person agreed to what the skill is now, and that is not over."""
    digest = _reader(world)
    return any(one.digest == digest and (one.until is None or world.now < one.until) for one in world.said)


def _ran(world: GuardState, name: str, decided: Decided, *, agreed: bool) -> GuardState:
    digests = tuple(_SKILLS[one].digest for one in world.loaded)
    if name != "post":
        return world._replace(ran=Ran(name, digests, False, agreed, 0))
    used = (*world.used, *((use, world.now) for use in decided.uses))
    posted = (*world.posted, world.now)
    return world._replace(used=used, posted=posted, ran=Ran(name, digests, world.denied, agreed, len(posted)))


def _load(world: GuardState) -> Iterator[tuple[Any, GuardState]]:
    for name in _SKILLS:
        others = tuple(one for one in world.loaded if one.split(",")[0] != name.split(",")[0])
        if name != "reader" or "reader, changed" not in world.loaded:  # what changed does not change back
            yield name, world._replace(loaded=(*others, name), ran=None)


def _unload(world: GuardState) -> Iterator[tuple[Any, GuardState]]:
    if world.loaded:
        yield world.loaded[-1], world._replace(loaded=world.loaded[:-1], ran=None)


def _deny(world: GuardState) -> Iterator[tuple[Any, GuardState]]:
    yield not world.denied, world._replace(denied=not world.denied, ran=None)


def _tick(world: GuardState) -> Iterator[tuple[Any, GuardState]]:
    if world.now < _LATE:
        yield (), world._replace(now=world.now + 1, ran=None)


def _actions() -> tuple[Action, ...]:
    guard = _Guard()
    return (
        Action("load", _load), Action("a skill goes away", _unload), Action("the workspace changes", _deny), Action("call", guard.call),
        Action("answer", guard.answer), Action("a second passes", _tick),
    )  # fmt: skip


def _posts(world: GuardState) -> bool:
    return world.ran is not None and world.ran.call == "post"


_INVARIANTS = (
    Invariant("no-pooling", "a call that needs the rights of two skills never runs", lambda world: world.ran is not None,
              lambda world: world.ran.call != "read and send"),
    Invariant("of-a-loaded-skill", "a call runs only if a loaded skill permits it", lambda world: world.ran is not None,
              lambda world: any(one in ("digest-1", "digest-2") for one in world.ran.digests)),
    Invariant("deny-wins-at-once", "what the workspace denies does not run from then on, even if a person approved it before", _posts, lambda world: not world.ran.denied),
    Invariant("agreed-first", "what an entry marks `confirm` runs only after a person approved this call, or this content of the skill, and no longer than approved",
              _posts, lambda world: world.ran.agreed),
    Invariant("no-more-often", "an approved call does not run more often than its entry allows", _posts, lambda world: world.ran.often <= _MOST),
)  # fmt: skip


def _pooled(real: Callable[..., Any]) -> Callable[..., Any]:
    """Each part of a call may be somebody else's."""

    def judged(session: SessionPolicy, call: Call, situation: Any, used: Any, principals: Any) -> Any:
        found = real(session, call, situation, used, principals)
        parts = [
            [real(session, call._replace(requests=(one,)), situation, used, (skill.name,)) for skill in session.skills]
            for one in call.requests
        ]
        allowed = all(any(one.gate is Gate.ALLOW for one in part) for part in parts)
        return found._replace(gate=Gate.ALLOW) if allowed and len(parts) > 1 else found

    return judged


def _given(**spoiled: Any) -> Callable[..., Any]:
    """Grants that hold something else than they should."""
    return lambda real: lambda *args: tuple(one._replace(**spoiled) for one in real(*args))


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("adds up the rights of two skills", "no-pooling", Patch(deciding, "_judged", _pooled)),
        Mutant("gives everybody what a skill has", "of-a-loaded-skill",
            Patch(principal, "baseline_layer", lambda real: lambda baseline, name: real((*baseline, *_READER.permissions), name))),
        Mutant("forgets what the workspace denies", "deny-wins-at-once", Patch(principal, "_policy",
            lambda real: lambda *args: real(*args[:6], (), *args[7:]))),
        Mutant("gives to whatever the skill becomes", "agreed-first", Patch(deciding, "session_grants", _given(content=""))),
        Mutant("gives for ever", "agreed-first", Patch(deciding, "session_grants", _given(expires=None))),
        Mutant("binds an answer to the words alone", "agreed-first", Patch(deciding, "subject_of", lambda _: lambda *_: "the call")),
        Mutant("counts what was given by itself", "no-more-often", Patch(skill_policy, "_rated",
            lambda _: lambda entries, _: {member: f"{layer.source} {entry.place}" for member, (entry, layer) in enumerate(entries) if entry.constraints.rate_limit})),
    )  # fmt: skip
    return Model(
        "guard-decisions", "a call runs for one loaded skill, after approval where that is required, and no more often than its entry allows; a denial takes effect at once",
        (GuardState(),), _actions, _INVARIANTS, lambda _: False, mutants,
    )  # fmt: skip
