"""Small policies for tests: a manifest from its entries, and what a request comes to."""

import json

from remit.core.capability import vocabulary
from remit.core.scope import PathScope, parse_scope
from remit.manifest import parse_manifest
from remit.manifest.model import Verification
from remit.policy import Allow, Deny, Envelope, Projector, Refusal, Request, SkillPolicy, judge, read
from remit.policy.limits import UNKNOWN

PLACES = {
    "workspace": PathScope("/", ("home", "ann", "project")),
    "~": PathScope("/", ("home", "ann")),
    "skill": PathScope("/", ("opt", "skills", "demo")),
    "temp": PathScope("/", ("tmp", "s1")),
}


def manifest(*entries):
    """A manifest of entries in short form: (capability, scope, effect, constraints, …) or the entry itself."""
    written = {"skill_metadata": {"name": "demo"}, "permissions": [_entry(entry) for entry in entries]}
    return parse_manifest(json.dumps(written).encode(), "remit.json")


def _entry(entry):
    if isinstance(entry, dict):
        return entry
    capability, scope, effect, *rest = entry
    out = {"capability": capability, "effect": effect, "constraints": rest[0] if rest else {}}
    return out if scope is None else out | {"scope": scope}


def policy(*entries, level=Verification.FORMAL, places=PLACES, **more):
    return SkillPolicy("demo", manifest(*entries), level, places=places, **more)


def request(capability, target=None, command="", **arguments):
    kind = vocabulary()[capability].scope_kind
    scope = parse_scope(kind, "any" if target is None else target)
    return Request(capability, scope, command, tuple(sorted(arguments.items())))


def envelope(op, target=None, command=None, arguments=None, reasoning=""):
    parts = {"target": target, "command": command, "arguments": arguments}
    return Envelope(op, {name: value for name, value in parts.items() if value is not None}, reasoning)


def word(judgement):
    """`allow`, `once`, `confirm`, or the code of a denial."""
    if isinstance(judgement, Allow):
        return "allow"
    if isinstance(judgement, Deny | Refusal):
        return judgement.code
    return "once" if judgement.once else "confirm"


def asked(entries, asking, situation=UNKNOWN, **more):
    """What a policy of these entries says to an envelope or request."""
    found = read(asking, situation.bound) if isinstance(asking, Envelope) else asking
    return word(found if isinstance(found, Refusal) else judge(policy(*entries, **more), found, situation))


def projector(*entries, **more):
    return Projector(policy(*entries, **more))
