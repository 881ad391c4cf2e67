"""Presentations that an executor accepts, and ways to change them."""

import json

from authority_world import case, key
from remit.authority.values.confirmation import confirm
from remit.authority.values.request import make_request

SKILL = ("CommitSkillInstall", {"skill": "wanted-skill", "digest": "abc"})
GOOD = case()
CONFIRMED = case(*SKILL)


def proofs(one, *, which=(0, 1), **changes):
    """The case with fields of its proofs changed, signed again by the right servers."""
    return one._replace(
        proofs=tuple(proof._replace(**changes) if number in which else proof for number, proof in enumerate(one.proofs))
    )


def contexts(one, *, which=(0, 1), **changes):
    return proofs(one, which=which, context=one.proofs[0].context._replace(**changes))


def raw(one, number, change):
    """The case as presented, with one signed proof's JSON changed afterwards."""
    presented = one.presented()
    told = [json.loads(json.dumps(value)) for value in presented.proofs]
    told[number] = change(told[number])
    return presented._replace(proofs=tuple(told))


def field(name, value):
    def change(told):
        told["proof"][name] = value
        return told

    return change


def without(name):
    def change(told):
        del told["proof"][name]
        return told

    return change


def other_request(**inputs):
    changed = GOOD.request.inputs | inputs
    return GOOD._replace(request=make_request("SendMessage", "agent", "session-1", changed))


def reconfirmed(one, **changes):
    told = {name: one.confirmation[name] for name in ("action_id", "commitment", "preview", "kid")} | changes
    signer = key("somebody else") if changes.get("kid") == "somebody" else key("person")
    return one._replace(confirmation=confirm(*told.values(), signer).to_json())


def swapped():
    """Each server signs the other one's proof."""
    return GOOD._replace(proofs=(GOOD.proofs[0]._replace(server_id=1), GOOD.proofs[1]._replace(server_id=0)))
