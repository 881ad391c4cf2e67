"""What a person gives under an entry with a rate is counted with that entry: agreeing makes nothing possible more often."""

from policy_values import request
from session_values import session, skill

from each_row import each_row
from remit.manifest.model import RateLimit
from remit.policy.decide import Call, decide, session_grants
from remit.policy.gate import Gate
from remit.policy.limits import Moment, Situation

RATE = {"rate_limit": {"calls": 1, "seconds": 100}}


def runs(policy, times, asked):
    """At which of these times a call runs, if a person agrees for the session to whatever is asked."""
    used, ran = {}, []
    for now in times:
        decided = decide(policy, Call((asked,)), Situation(Moment(now), redacts=True), used)
        if decided.gate is Gate.CONFIRM:
            policy = policy.with_grants(session_grants(policy, decided, now))
        if decided.gate is not Gate.DENY:
            ran.append(now)
            used |= {use: (*used.get(use, ()), now) for use in decided.uses}
    return ran


@each_row(
    ("capability", "scope", "target"),
    [
        ("web.post", "a.example", "a.example"),
        ("web.post", "*.example", "a.example"),
        ("web.*", "*.example", "a.example"),
        ("file.write", "workspace/**", "workspace/x"),
    ],
)
def test_a_grant_is_counted_with_its_entry(capability, scope, target):
    asked = request("web.post" if capability.startswith("web") else capability, target)
    policy = session(skill("a", (capability, scope, "confirm", RATE)))
    assert runs(policy, [0, 1, 2, 150, 151, 300], asked) == [0, 150, 300]


def test_two_grants_under_one_entry_are_counted_together():
    policy = session(skill("a", ("web.post", "*.example", "confirm", RATE)))
    first, second = request("web.post", "a.example"), request("web.post", "b.example")
    asked = decide(policy, Call((first, second)), Situation(Moment(0), redacts=True))
    policy = policy.with_grants(session_grants(policy, asked, 0))
    used = dict.fromkeys(decide(policy, Call((first,)), Situation(Moment(0), redacts=True), {}).uses, (0,))
    assert decide(policy, Call((second,)), Situation(Moment(1), redacts=True), used).gate is Gate.DENY


def test_entries_of_a_manifest_are_counted_apart():
    policy = session(skill("a", ("web.post", "a.example", "allow", RATE), ("web.post", "b.example", "allow", RATE)))
    for target in ("a.example", "b.example"):
        assert runs(policy, [0, 1], request("web.post", target)) == [0]
    used = dict.fromkeys(
        decide(policy, Call((request("web.post", "a.example"),)), Situation(Moment(0), redacts=True), {}).uses, (0,)
    )
    assert (
        decide(policy, Call((request("web.post", "b.example"),)), Situation(Moment(1), redacts=True), used).gate
        is Gate.ALLOW
    )


def test_what_a_person_gives_with_another_rate_is_counted_apart():
    asked = request("web.post", "a.example")
    own = session(skill("a", ("web.post", "a.example", "confirm", RATE)))
    (given,) = session_grants(own, decide(own, Call((asked,)), Situation(Moment(0), redacts=True)), 0)
    uses = {}
    for seconds in (100, 200):
        limits = given.entry.constraints._replace(rate_limit=RateLimit(1, seconds))
        policy = own.with_grants([given._replace(entry=given.entry._replace(constraints=limits))])
        uses[seconds] = decide(policy, Call((asked,)), Situation(Moment(0), redacts=True)).uses
    entry = decide(own, Call((asked,)), Situation(Moment(0), redacts=True)).uses
    assert (uses[100] == entry, uses[200] == entry) == (True, False)
