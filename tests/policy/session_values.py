"""Small sessions for tests: skills with manifests, what the workspace gives, and what becomes of a call."""

from policy_values import PLACES, manifest

from remit.core.scope import PathScope
from remit.manifest.model import Verification
from remit.policy.decide import Call, decide
from remit.policy.limits import Moment, Situation
from remit.policy.principal import Loaded, PersonGrant, SessionPolicy

NOW = Situation(Moment(1_000_000), {}, {}, redacts=True)
SHARED = tuple((name, place) for name, place in PLACES.items() if name != "skill")


def entries(*written):
    return manifest(*written).permissions


def skill(name, *written, level=Verification.FORMAL, sent_by=(), digest=""):
    folder = PathScope("/", ("opt", "skills", name))
    return Loaded(name, digest or f"sha256:{name}", manifest(*written), level, folder, sent_by)


def session(*skills, baseline=(), **more):
    """A session with skills, the last one loaded last; the baseline is written like a manifest."""
    task = entries(*more.pop("task", ()))
    protected = entries(*more.pop("protected", ()))
    return SessionPolicy("s1", entries(*baseline), SHARED, skills=skills, task=task, protected=protected, **more)


def granted(principal, *written, **more):
    return tuple(PersonGrant(principal, entry, **more) for entry in entries(*written))


def gate(policy, *requests, now=NOW, used=None, **more):
    """`allow`, `confirm` or `deny`."""
    return str(decide(policy, Call(requests, **more), now, used or {}).gate)
