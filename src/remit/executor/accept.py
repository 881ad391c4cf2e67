"""The acceptance predicate: when a request may happen. Numbered as in docs/theorems.md; every step must hold, in this order.

(1) parse        the request is in its one spelling and of its intent's form; there are two proofs, of server 0 and of server 1
(2) keys         each proof names a key of its server that the executor holds, and that key's profile; the two keys differ
(3) signatures   both hold
(4) freshness    both were signed no longer ago than the limit, and not in the future; the action did not begin too long ago
(5) binding      both have one context; it is of the program, database and epoch that the executor knows; its commitment is that of
                 the request; and each server was asked exactly what follows from the request
(6) replay       the action has not been marked: see `replay`, which marks it before anything happens
(7) decision     the shares say `allow`; if they say `confirm`, an approver signed this action, request and preview
(8) values       what came along are the values of exactly the handles that the request names, each sealed for it and where it goes

Nothing here can be switched off. The predicate is a function of what is presented, what is known and the time.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.patch import patched
from remit.authority.question.asking import questions
from remit.authority.question.spoken import spoken
from remit.authority.values.action import LIFETIME, born
from remit.authority.values.carried import received
from remit.authority.values.confirmation import preview_digest, read_confirmation
from remit.authority.values.opening import open_for
from remit.authority.values.outputs import joined
from remit.authority.values.proof import SERVERS, read_proof
from remit.authority.values.request import read_request
from remit.core.errors import AuthorityError
from remit.executor.accepted import Accepted, Held, claim_issuing
from remit.executor.codes import codes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from remit.authority.codes import Code
    from remit.authority.question.layout import Layout
    from remit.authority.values.confirmation import Confirmation
    from remit.authority.values.opening import BindingKey, Opening
    from remit.authority.values.proof import Proof, Signed, Verifier


class Presented(NamedTuple):
    """What arrives: nothing of it is believed yet."""

    request: bytes
    nonce: bytes
    proofs: tuple[Any, ...]
    confirmation: Any = None


class HeldKey(NamedTuple):
    """A server's key with the one profile it is for."""

    profile: str
    verifier: Verifier


class Known(NamedTuple):
    """What the executor was given when it was started."""

    keys: Mapping[tuple[int, str], HeldKey]  # by server and kid
    approvers: Mapping[str, Verifier]  # by kid
    binding: BindingKey
    layout: Layout
    lifetime: int  # of a proof, in seconds
    skew: int  # that clocks may differ by, in seconds
    classes: Callable[[str], Collection[str]]
    redact: Callable[[str], str]


class Refused(NamedTuple):
    """Why a request does not happen."""

    code: Code
    detail: str = ""


class NotAcceptedError(Exception):
    """Leaves the predicate at the first step that does not hold."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.refused = Refused(codes()[code], detail)


def _maker(
    issue: Callable[[Held], Accepted],
) -> Callable[[Known, Presented, Mapping[str, bytes], int], Accepted | Refused]:
    """The one function that can issue what opens the door of effects: the right to do so has no name anywhere else."""

    def accept(known: Known, presented: Presented, secrets: Mapping[str, bytes], now: int) -> Accepted | Refused:
        try:
            opening, first, second = _parsed(presented)  # (1)
            _apart(known, first.proof, second.proof)  # (2)
            for signed in (first, second):
                _verify(known, signed)  # (2), (3)
            for signed in (first, second):
                _fresh(known, signed.proof, now)  # (4)
            _bound(known, opening, first.proof, second.proof)  # (5)
            held = _decided(known, presented, opening, first.proof, second.proof)  # (7)
            return issue(held._replace(secrets=_values(known, opening, held.inputs, secrets)))  # (8)
        except NotAcceptedError as no:
            return no.refused

    return accept


_accept = _maker(claim_issuing())


def accept(
    known: Known, presented: Presented, now: int, secrets: Mapping[str, bytes] = MappingProxyType({})
) -> Accepted | Refused:
    """Whether a request may happen, all but (6). `secrets`: values of handles as they travel."""
    return _accept(known, presented, secrets, now)


def _parsed(presented: Presented) -> tuple[Opening, Signed, Signed]:
    try:
        opening = open_for(read_request(presented.request), presented.nonce)
    except AuthorityError as error:
        raise NotAcceptedError("REQUEST_FORM", str(error)) from None
    try:
        first, second = (read_proof(value) for value in presented.proofs)
    except (AuthorityError, ValueError) as error:
        raise NotAcceptedError("PROOF_FORM", str(error)) from None
    if (first.proof.server_id, second.proof.server_id) != SERVERS:
        raise NotAcceptedError("PROOF_FORM")
    return opening, first, second


def _apart(known: Known, first: Proof, second: Proof) -> None:
    """Two servers have two keys: with one for both, one server's word would be that of two."""
    keys = [known.keys.get((proof.server_id, proof.kid)) for proof in (first, second)]
    if keys[0] is not None and keys[1] is not None and keys[0].verifier == keys[1].verifier:
        raise NotAcceptedError("KEY_UNKNOWN", "both servers have one key")


def _verify(known: Known, signed: Signed) -> None:
    key = known.keys.get((signed.proof.server_id, signed.proof.kid))
    if key is None or key.profile != signed.proof.profile:
        raise NotAcceptedError("KEY_UNKNOWN", f"server {signed.proof.server_id}, key {signed.proof.kid}")
    if not signed.held_by(key.verifier):
        raise NotAcceptedError("SIGNATURE_BAD", f"server {signed.proof.server_id}")


def _fresh(known: Known, proof: Proof, now: int) -> None:
    if not -known.skew <= now - proof.ts <= known.lifetime:
        raise NotAcceptedError("PROOF_STALE", f"server {proof.server_id}")
    if not born(proof.context.action_id) - known.skew <= now <= _last(known, proof):
        raise NotAcceptedError("ACTION_STALE")


def _last(known: Known, proof: Proof) -> int:
    """The last second in which an action can be accepted, however often it is signed."""
    return born(proof.context.action_id) + LIFETIME + known.lifetime + known.skew


def _bound(known: Known, opening: Opening, first: Proof, second: Proof) -> None:
    layout, context = known.layout, first.context
    if context != second.context:
        raise NotAcceptedError("CONTEXT_DIFFERS")
    if (context.program, context.database, context.epoch) != (layout.digest, layout.database, layout.epoch):
        raise NotAcceptedError("PROGRAM_UNKNOWN")
    if context.commitment != known.binding.commitment(opening).hex():
        raise NotAcceptedError("REQUEST_DIFFERS")
    try:
        said = spoken(layout.program, opening.request, known.classes)
        asked = questions(layout, said, known.binding.question_seed(opening))
    except AuthorityError as error:
        raise NotAcceptedError("REQUEST_FORM", str(error)) from None
    for proof, question in zip((first, second), asked, strict=True):
        if proof.question != question.digest():
            raise NotAcceptedError("QUESTION_DIFFERS", f"server {proof.server_id}")


def _decided(known: Known, presented: Presented, opening: Opening, first: Proof, second: Proof) -> Held:
    try:
        outputs = joined(first.outputs, second.outputs)
    except AuthorityError as error:
        raise NotAcceptedError("POLICY_DENY", str(error)) from None
    if not outputs.allow:
        raise NotAcceptedError("POLICY_DENY")
    try:
        inputs = patched(known.layout.program, opening.request, outputs, known.redact)
    except AuthorityError as error:
        raise NotAcceptedError("POLICY_DENY", str(error)) from None
    word = _word(presented.confirmation)
    approver = confirmed(known, word, first, inputs) if outputs.confirm else ""
    tag = bytes(left ^ right for left, right in zip(first.tag, second.tag, strict=True))
    expires = _last(known, first) + known.skew + 1  # executors with one memory may have different clocks
    return Held(first.context.action_id, opening.request, outputs, inputs, {}, tag, expires, approver)


def _values(
    known: Known, opening: Opening, inputs: dict[str, Any], secrets: Mapping[str, bytes]
) -> Mapping[str, bytes]:
    """The values of exactly the handles among the inputs, each sealed for this request and where it goes."""
    try:
        return received(known.binding, opening, inputs, secrets)
    except AuthorityError as error:
        raise NotAcceptedError("SECRET_DIFFERS", error.message) from None


def _word(value: Any) -> Confirmation | None:
    """The confirmation, which has its form whether it is wanted or not."""
    try:
        return None if value is None else read_confirmation(value)
    except AuthorityError as error:
        raise NotAcceptedError("CONFIRM_BAD", str(error)) from None


def confirmed(known: Known, word: Confirmation | None, proof: Proof, inputs: dict[str, Any]) -> str:
    """The approver's key."""
    if word is None:
        raise NotAcceptedError("CONFIRM_MISSING")
    wanted = (proof.context.action_id, proof.context.commitment, preview_digest(inputs))
    key = known.approvers.get(word.kid)
    if word[:3] != wanted or key is None or not word.held_by(key):
        raise NotAcceptedError("CONFIRM_BAD")
    return word.kid
