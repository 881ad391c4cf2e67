"""Presentations that an executor accepts, and ways to change them."""

import json

from authority_world import NOW, case, key
from remit.authority.question.answers import answer_digest
from remit.authority.values.confirmation import confirm
from remit.authority.values.request import make_request
from remit.executor.credentials.issuer import credential, grant, scope, workload

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


def spoiled(one, server, row=0, word=0):
    """The case with one bit of a row of one server's answer turned over, which that server signed."""
    answer = bytearray(one.answers[server])
    answer[32 * row + 8 * word] ^= 1
    changed = tuple(bytes(answer) if number == server else told for number, told in enumerate(one.answers))
    return proofs(one._replace(answers=changed), which=(server,), answer=answer_digest(bytes(answer)))


def shown(one, name="agent", session="session-1", rights=("*", "*"), exp=NOW + 100, signer="operator"):
    """The case with another credential."""
    who = workload("operator", key(signer), name, exp=exp)
    granted = grant("operator", key(signer), name, scope(rights[:1], rights[1:]), session, exp=exp)
    return one._replace(credential=credential(who, (granted,)).to_json())


def swapped():
    """Each server signs the other one's proof."""
    return GOOD._replace(proofs=(GOOD.proofs[0]._replace(server_id=1), GOOD.proofs[1]._replace(server_id=0)))
