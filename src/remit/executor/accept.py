"""The acceptance predicate: when a request may happen. Numbered as in docs/theorems.md; every step must hold, in this
order.

(1) parse        the request is in canonical form and valid for its intent; there are two proofs, of server 0 and of server 1
(2) keys         each proof names a key of its server that the executor holds; the two keys differ
(3) signatures   both hold
(4) freshness    both were signed no longer ago than the limit, and not in the future; the action did not begin too long ago
(5) binding      both have one context; it is of the program, database and epoch that the executor knows; its ticket is that of this
                 request, this action and the executor's own replay store; each server got exactly the question derived from the request,
                 and signed exactly the answer that is presented
(6) caller       a credential issued by the operator is for the caller and the session of the request, and its scope covers it
(7) decision     both answers together are rows that bear the executor's own tag; the program, evaluated here, allows the request; if
                 it wants a confirmation, an approver signed this action, request, store and preview
(8) values       there are values for exactly the handles that the request names, each sealed for this request and its destination
(9) replay       the action has not been marked: see `replay`, which marks it before anything happens

No step can be switched off. The predicate is a pure function of what is presented, what the executor knows and the time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.codes import Code, codes
from remit.authority.patch import patched
from remit.authority.program.decision import decision, refusal
from remit.authority.question.answers import RowsForgedError, answer_digest
from remit.authority.question.questions import QuestionPair, ask
from remit.authority.question.slots import Spoken, spoken
from remit.authority.values.action import FORM as ACTION
from remit.authority.values.action import LIFETIME, born
from remit.authority.values.confirmation import Confirmation, preview_digest, read_confirmation
from remit.authority.values.opening import NONCE_BYTES, BindingKey, LookUp, Opening, open_for
from remit.authority.values.proof import SERVERS, Proof, Signed, Verifier, read_proof
from remit.authority.values.request import read_request
from remit.authority.values.sealed_values import received
from remit.core.errors import AuthorityError
from remit.executor.accepted_request import Accepted, AcceptedFields, claim_issuing
from remit.executor.credentials.tokens import parse_credential
from remit.executor.credentials.verifier import NotBelieved, Revoked, scope_fault, verify

if TYPE_CHECKING:
    from remit.authority.question.layout import Layout
    from remit.bundle.keys import PublicKey


class Presented(NamedTuple):
    """A presented request with its evidence, not yet verified."""

    request: bytes
    nonce: bytes
    action_id: str
    salt: bytes
    proofs: tuple[Any, ...]
    answers: tuple[bytes, ...]  # what the servers answered, whose digests they signed
    credential: Any
    confirmation: Any = None


class ExecutorConfiguration(NamedTuple):
    """What the executor was configured with at its start."""

    keys: Mapping[tuple[int, str], Verifier]  # by server and kid
    approvers: Mapping[str, Verifier]  # by kid
    operators: Mapping[str, PublicKey]  # by kid
    store: str  # the replay store's name
    binding: BindingKey
    layout: Layout
    lifetime: int  # of a proof, in seconds
    skew: int  # that clocks may differ by, in seconds
    classes: Callable[[str], Collection[str]]
    redact: Callable[[str], str]


class RefusalReason(NamedTuple):
    """The reason of a refusal."""

    code: Code
    detail: str = ""


class NotAcceptedError(Exception):
    """Raised at the first step that does not hold."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.refused = RefusalReason(codes("executor")[code], detail)


def _maker(
    issue: Callable[[AcceptedFields], Accepted],
) -> Callable[[ExecutorConfiguration, Presented, Mapping[str, bytes], int], Accepted | RefusalReason]:
    """Return the only function that can issue an `Accepted`: no other name holds the right to do so."""

    def accept(
        known: ExecutorConfiguration, presented: Presented, secrets: Mapping[str, bytes], now: int
    ) -> Accepted | RefusalReason:
        try:
            look_up, first, second = _parsed(known, presented)  # (1)
            keys = _keys(known, first.proof, second.proof)  # (2)
            for key, signed in zip(keys, (first, second), strict=True):
                _verify(key, signed)  # (3)
            for signed in (first, second):
                _fresh(known, signed.proof, now)  # (4)
            _alive(known, look_up.action_id, now)  # (4)
            bound = _bound(known, presented, look_up, first.proof, second.proof)  # (5)
            _called(known, look_up.opening, presented.credential, now)  # (6)
            held = _decided(known, presented, bound)  # (7)
            return issue(held._replace(secrets=_values(known, look_up.opening, held.inputs, secrets)))  # (8)
        except NotAcceptedError as no:
            return no.refused

    return accept


_accept = _maker(claim_issuing())


def accept(
    known: ExecutorConfiguration, presented: Presented, now: int, secrets: Mapping[str, bytes] = MappingProxyType({})
) -> Accepted | RefusalReason:
    """Return whether a request may happen, checking all steps but (9). `secrets`: sealed values of handles."""
    return _accept(known, presented, secrets, now)


class VerifiedLookUp(NamedTuple):
    """A look-up with the questions and answers of both servers."""

    look_up: LookUp
    said: Spoken
    asked: QuestionPair
    answered: tuple[bytes, bytes]


def _parsed(known: ExecutorConfiguration, presented: Presented) -> tuple[LookUp, Signed, Signed]:
    try:
        opening = open_for(read_request(presented.request), known.store, presented.nonce)
    except AuthorityError as error:
        raise NotAcceptedError("REQUEST_FORM", str(error)) from None
    if fault := ACTION.fault(presented.action_id, "action_id"):
        raise NotAcceptedError("REQUEST_FORM", fault)
    if len(presented.salt) != NONCE_BYTES:
        raise NotAcceptedError("REQUEST_FORM", f"a salt has {NONCE_BYTES} bytes")
    try:
        first, second = (read_proof(value) for value in presented.proofs)
    except (AuthorityError, ValueError) as error:
        raise NotAcceptedError("PROOF_FORM", str(error)) from None
    if (first.proof.server_id, second.proof.server_id) != SERVERS or len(presented.answers) != len(SERVERS):
        raise NotAcceptedError("PROOF_FORM")
    return LookUp(opening, presented.action_id, presented.salt), first, second


def _keys(known: ExecutorConfiguration, *proofs: Proof) -> list[Verifier]:
    """Return the keys of both proofs, which must differ: with a shared key, one server could speak for both."""
    keys = []
    for proof in proofs:
        key = known.keys.get((proof.server_id, proof.kid))
        if key is None:
            raise NotAcceptedError("KEY_UNKNOWN", f"server {proof.server_id}, key {proof.kid}")
        if key in keys:
            raise NotAcceptedError("KEY_UNKNOWN", "both servers have one key")
        keys.append(key)
    return keys


def _verify(key: Verifier, signed: Signed) -> None:
    if not signed.held_by(key):
        raise NotAcceptedError("SIGNATURE_BAD", f"server {signed.proof.server_id}")


def _fresh(known: ExecutorConfiguration, proof: Proof, now: int) -> None:
    if not -known.skew <= now - proof.ts <= known.lifetime:
        raise NotAcceptedError("PROOF_STALE", f"server {proof.server_id}")


def _alive(known: ExecutorConfiguration, action_id: str, now: int) -> None:
    if not born(action_id) - known.skew <= now <= _last(known, action_id):
        raise NotAcceptedError("ACTION_STALE")


def _last(known: ExecutorConfiguration, action_id: str) -> int:
    """Return the last second in which an action can be accepted, however often it is signed."""
    return born(action_id) + LIFETIME + known.lifetime + known.skew


def _bound(
    known: ExecutorConfiguration, presented: Presented, look_up: LookUp, first: Proof, second: Proof
) -> VerifiedLookUp:
    layout, context = known.layout, first.context
    if context != second.context:
        raise NotAcceptedError("CONTEXT_DIFFERS")
    if (context.program, context.database, context.epoch) != (layout.digest, layout.database, layout.epoch):
        raise NotAcceptedError("PROGRAM_UNKNOWN")
    if context.ticket != known.binding.ticket(look_up).hex():
        raise NotAcceptedError("REQUEST_DIFFERS")
    try:
        said = spoken(layout.program, look_up.opening.request, known.classes)
        asked = ask(layout, said, known.binding.question_seed(look_up))
    except AuthorityError as error:
        raise NotAcceptedError("REQUEST_FORM", str(error)) from None
    for proof, question, answer in zip((first, second), asked.questions, presented.answers, strict=True):
        if proof.question != question.digest():
            raise NotAcceptedError("QUESTION_DIFFERS", f"server {proof.server_id}")
        if proof.answer != answer_digest(answer):
            raise NotAcceptedError("ANSWER_DIFFERS", f"server {proof.server_id}")
    return VerifiedLookUp(look_up, said, asked, (presented.answers[0], presented.answers[1]))


def _called(known: ExecutorConfiguration, opening: Opening, shown: Any, now: int) -> None:
    """Check the caller by the operator's tokens, since the gateway's word is not enough. Only the gateway can know the
    user id of the process.
    """
    try:
        credential = parse_credential(shown)
    except AuthorityError as error:
        raise NotAcceptedError("CALLER_BAD", error.message) from None
    request, user = opening.request, credential.workload.token.uid
    found = verify(credential, known.operators, Revoked(), user, now)
    if isinstance(found, NotBelieved):
        raise NotAcceptedError("CALLER_BAD", found.code)
    if (found.name, found.session) != (request.caller, request.session):
        raise NotAcceptedError("CALLER_BAD", "the credential is of another caller or session")
    if fault := scope_fault(found.scope, request.intent, request.inputs):
        raise NotAcceptedError("CALLER_BAD", fault.code)


def _decided(known: ExecutorConfiguration, presented: Presented, bound: VerifiedLookUp) -> AcceptedFields:
    opening, action_id = bound.look_up.opening, bound.look_up.action_id
    try:
        outputs = decision(known.layout, bound.said, bound.asked, bound.answered)
    except RowsForgedError as error:
        raise NotAcceptedError("ROWS_FORGED", error.message) from None
    if not outputs.allow:
        raise NotAcceptedError("POLICY_DENY", refusal(known.layout, bound.said, bound.asked, bound.answered))
    try:
        inputs = patched(known.layout.program, opening.request, outputs, known.redact)
    except AuthorityError as error:
        raise NotAcceptedError("POLICY_DENY", str(error)) from None
    word = _word(presented.confirmation)
    approver = confirmed(known, word, bound.look_up, inputs) if outputs.confirm else ""
    tag = known.binding.ticket(bound.look_up)[:16]
    expires = _last(known, action_id) + known.skew + 1  # executors with one memory may have different clocks
    return AcceptedFields(action_id, opening.request, outputs, inputs, {}, tag, expires, known.layout.epoch, approver)


def _values(
    known: ExecutorConfiguration, opening: Opening, inputs: dict[str, Any], secrets: Mapping[str, bytes]
) -> Mapping[str, bytes]:
    """Return the values of exactly the handles among the inputs, each sealed for this request and its destination."""
    try:
        return received(known.binding, opening, inputs, secrets)
    except AuthorityError as error:
        raise NotAcceptedError("SECRET_DIFFERS", error.message) from None


def _word(value: Any) -> Confirmation | None:
    """Return the confirmation. A malformed one is refused even if none is needed."""
    try:
        return None if value is None else read_confirmation(value)
    except AuthorityError as error:
        raise NotAcceptedError("CONFIRM_BAD", str(error)) from None


def confirmed(known: ExecutorConfiguration, word: Confirmation | None, look_up: LookUp, inputs: dict[str, Any]) -> str:
    """Return the key of the approver."""
    if word is None:
        raise NotAcceptedError("CONFIRM_MISSING")
    commitment = known.binding.commitment(look_up.opening).hex()
    wanted = (look_up.action_id, commitment, preview_digest(look_up.opening.request, inputs))
    key = known.approvers.get(word.kid)
    if word[:3] != wanted or key is None or not word.held_by(key):
        raise NotAcceptedError("CONFIRM_BAD")
    return word.kid
