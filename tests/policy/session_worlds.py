"""Random sessions and calls in the small world of `policy_worlds`: skills, senders, grants, a task, doubts, flows, rates and time."""

from dataclasses import replace

from policy_values import PLACES
from policy_worlds import NAMES, ROOTS, World

from remit.core.scope import PathScope
from remit.manifest.model import Decision, Manifest, Verification
from remit.policy.decide import Call, Use, decide
from remit.policy.principal import Loaded, PersonGrant, SessionPolicy

SKILLS = ("a", "b", "c")
GIVING = (None, *[Decision.ALLOW] * 4, Decision.CONFIRM)
SAYING = (*GIVING, Decision.DENY)


class SessionWorld(World):
    """A session and a call, from one seed. Entries lean towards what the call asks for."""

    def __init__(self, seed):
        super().__init__(seed)
        self.requests = (self.request,)
        self.names = names = self.random.sample(SKILLS, self.random.randint(0, 3))
        skills = tuple(self.skill(name) for name in names)
        self.session = SessionPolicy(
            "s",
            self.entries(3, SAYING),
            tuple((name, place) for name, place in PLACES.items() if name != "skill"),
            skills=skills,
            granted=tuple(self.granted() for _ in range(self.random.choice([0, 0, 1, 3]))),
            task=self.entries(3, (*[Decision.ALLOW] * 6, None, Decision.CONFIRM, Decision.DENY))
            if self.rarely(6)
            else (),
            spoken=frozenset(one.capability for one in self.requests) if self.rarely(3) else frozenset(),
            snapshotted=self.random.choice(ROOTS),
            minimum=((self.random.choice(NAMES), self.random.choice(list(Verification))),) if self.rarely(8) else (),
            protected=self.entries(1, [Decision.DENY]) if self.rarely(8) else (),
        )
        self.used = {}
        self.draw(self.request)

    def draw(self, request=None):
        """Another call in another situation of the same session, about the capability that it is made for more often than not."""
        own = request or self._request()
        if request is None and self.rarely(2):
            own = self._request_for(self.request.capability)
        others = [self._request_for(own.capability) for _ in range(2) if self.rarely(3)]
        self.situation = self._situation()
        self.loaded = self.names if self.rarely(2) else self.random.sample(SKILLS, self.random.randint(0, 3))
        self.loaded = tuple(self.loaded)
        self.call = Call(
            () if self.rarely(40) else (own, *others),
            tuple(self.random.sample((*SKILLS, "stranger"), self.random.randint(1, 2))) if self.rarely(4) else (),
            ("not understood",) if self.rarely(6) else (),
            ("goes where nobody named",) if self.rarely(8) else (),
            self.random.choice(["", "x"]),
            ("something else",) if self.rarely(8) else (),
        )
        self.used = self._used()
        return self

    def _request_for(self, capability):
        """A request for one capability, as far as chance gives one soon."""
        found = (self._request() for _ in range(30))
        return next((one for one in found if one.capability == capability), self.request)

    def agreed(self, call=None):
        """The session in which a person agreed to a call, by default to the one at hand."""
        subject = decide(self.session, call or self.call, self.situation, self.used, self.loaded).subject
        return replace(self.session, approved=self.session.approved | ({subject} - {""}))

    def __repr__(self):
        return f"SessionWorld({self.session!r}, {self.call!r}, {self.situation!r}, {self.used!r}, {self.loaded!r})"

    def entries(self, most, effects):
        return tuple(self.entry(effects) for _ in range(self.random.randint(min(most, 1), most)))

    def skill(self, name):
        senders = tuple(self.random.sample((*SKILLS, "stranger"), 1)) if self.rarely() else ()
        manifest = Manifest("remit.json", self.entries(5, SAYING))
        folder = PathScope("/", ("opt", "skills", "demo" if self.rarely(2) else name))
        return Loaded(name, f"sha256:{name}", manifest, self.random.choice(list(Verification)), folder, senders)

    def granted(self):
        ends = self.random.randrange(10**8) if self.rarely(2) else None
        name = self.random.choice((*SKILLS, "", "stranger"))
        content = self.random.choice(["", "", f"sha256:{name}", "sha256:other"])
        return PersonGrant(name, self.entry(SAYING), "user-grant", 0, ends, content)

    def _used(self):
        """Some of the entries with a rate were used, most of them lately."""
        now = self.situation.moment.seconds if self.situation.moment else 0
        names = (*self.call.runs, *self.loaded[-1:], "")
        policies = [self.session.policy(name) for one in names for name in self.session.chain(one)]
        policies += [self.session.scope_of_task("/task")] if self.session.task else []
        return {
            Use(policy.skill, entry): self.some([now, now - 59, now - 61, now + 5])
            for policy in policies
            for entry in policy.rated.values()
            if self.rarely(2)
        }

    def decided(self, session=None, **changes):
        """What is decided in this world, with another session or another call."""
        now = changes.pop("now", self.situation)
        used, loaded = changes.pop("used", self.used), changes.pop("loaded", self.loaded)
        return decide(session or self.session, self.call._replace(**changes), now, used, loaded)
