"""Presentations of an adversary to an executor: everything but two fresh proofs of both servers for exactly this
request.

Each kind of attempt makes presentations from what the adversary holds. None may be accepted. Proofs are signed again
with the servers' own keys, which no real adversary has.
"""

from __future__ import annotations

import hmac
import json
import random
import secrets
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.patch import patched
from remit.authority.question.answers import answer_digest
from remit.authority.question.layout import BUCKETS, GATEWAY, answer_size, parts
from remit.authority.values.action import LIFETIME, new_action
from remit.authority.values.confirmation import Confirmation, confirm, preview_digest
from remit.authority.values.request import Request, make_request
from remit.core.digest import digest
from remit.gateway.games.direct_client import AGENT, SESSION, AnsweredRequest, Keys, signed_again
from remit.policy.dlp.classes import veiled

if TYPE_CHECKING:
    from remit.authority.program.compiled import Program
    from remit.executor.accept import Presented

    Attempt = Callable[["Hand"], Iterator[Presented]]


class Hand(NamedTuple):
    """What the adversary holds in one round."""

    good: AnsweredRequest  # allowed, and not yet presented
    other: AnsweredRequest  # the same for another request
    denied: AnsweredRequest  # denied by the policy
    misled: AnsweredRequest  # the servers were asked about another request than that of the ticket
    waits: AnsweredRequest  # allowed if an approver confirms it
    keys: Keys
    stranger: Keys  # keys of another installation
    foreign: Any  # a credential of that installation's operator
    program: Program
    now: int


def confirmation(hand: Hand, granted: AnsweredRequest, **changes: Any) -> Confirmation:
    """Return the approver's confirmation of a request, with changes."""
    signer = hand.keys.approver
    inputs = patched(hand.program, granted.request, granted.outputs, veiled)
    told: dict[str, Any] = {
        "action_id": granted.action_id, "commitment": granted.commitment, "preview": preview_digest(granted.request, inputs),
        "kid": signer.public.keyid, "signer": signer,
    }  # fmt: skip
    return confirm(**told | changes)


def _no_proofs(hand: Hand) -> Iterator[Presented]:
    empty: tuple[tuple[Any, ...], ...] = ((), (None, None), ({}, {}), ("", ""), (True, True))
    for proofs in empty:
        yield hand.good.presented()._replace(proofs=proofs)


def _one_proof(hand: Hand) -> Iterator[Presented]:
    first, second = (one.to_json() for one in hand.good.proofs)
    alone: tuple[tuple[Any, ...], ...] = ((first,), (second,), (first, None), (None, second), (first, {}))
    for proofs in alone:
        yield hand.good.presented(*proofs)


def _one_server(hand: Hand) -> Iterator[Presented]:
    first, second = (one.to_json() for one in hand.good.proofs)
    named = {**first, "proof": {**first["proof"], "server_id": 1}}
    own = signed_again(hand.good.proofs[0], hand.keys.p0, server_id=1).to_json()
    for proofs in ((first, first), (second, second), (second, first), (first, named), (first, own)):
        yield hand.good.presented(*proofs)
    yield hand.good.presented(first, second, first)


def _mixed(hand: Hand) -> Iterator[Presented]:
    for one, two in (
        (hand.good, hand.other),
        (hand.good, hand.denied),
        (hand.denied, hand.good),
        (hand.other, hand.waits),
    ):
        mixed = one.proofs[0].to_json(), two.proofs[1].to_json()
        yield one.presented(*mixed)
        yield two.presented(*mixed)


def _other_request(hand: Hand) -> Iterator[Presented]:
    told = hand.good.request
    inputs = told.inputs
    for changed in (
        *(told._replace(inputs=inputs | {name: value}) for name, value in _CHANGED.items()),
        told._replace(inputs={name: inputs[name] for name in ("to", "text")}),
        told._replace(caller="somebody"), told._replace(session="another"),
        told._replace(intent="SendInterAgentMessage"), told._replace(intent="FinalizeOutput", inputs={"text": "x"}),
        hand.other.request, hand.denied.request,
    ):  # fmt: skip
        yield hand.good.presented(request=changed.spelling())


_PLACES = 64  # words of an answer that are changed
_CHANGED = {
    "to": "eve@evil.example",
    "text": "something else",
    "subject": "something else",
    "cc": "eve@evil.example",
    "user_confirm": True,
}


def _other_spelling(hand: Hand) -> Iterator[Presented]:
    right = hand.good.request.spelling()
    for wrong in (
        right + b"\n", right.replace(b":", b": ", 1), right[:-1] + b',"caller":"somebody"}', right.replace(b"{", b'{"v":1,', 1),
        b"", right.replace(b"anna", b"\\u0061nna"),
    ):  # fmt: skip
        yield hand.good.presented(request=wrong)


def _other_nonce(hand: Hand) -> Iterator[Presented]:
    right = hand.good.presented()
    yield right._replace(salt=secrets.token_bytes(32))
    yield right._replace(action_id=new_action(hand.now))
    for nonce in (
        secrets.token_bytes(32),
        hand.other.look_up.opening.nonce,
        b"",
        right.nonce[:31],
        bytes([right.nonce[0] ^ 1]) + right.nonce[1:],
    ):
        yield right._replace(nonce=nonce)


def _other_context(hand: Hand) -> Iterator[Presented]:
    """Both servers sign for another program, database or epoch, or they sign different values."""
    for name, value in (
        ("program", digest("another program")), ("database", digest("another database")), ("epoch", hand.good.proofs[0].proof.context.epoch + 1),
        ("ticket", hand.other.proofs[0].proof.context.ticket), ("question", "0" * 64), ("answer", "0" * 64),
    ):  # fmt: skip
        first, second = _again(hand, **{name: value})
        yield hand.good.presented(first, second)
        yield hand.good.presented(first, hand.good.proofs[1].to_json())
        yield hand.good.presented(hand.good.proofs[0].to_json(), second)


def _old(hand: Hand) -> Iterator[Presented]:
    for seconds in (-31 - 5, -3600, 60, 86400):
        yield hand.good.presented(*_again(hand, ts=hand.now + seconds))
    first, second = _again(hand, ts=hand.now - 3600)
    yield hand.good.presented(first, hand.good.proofs[1].to_json())
    yield hand.good.presented(hand.good.proofs[0].to_json(), second)
    for seconds in (LIFETIME + 60, 2 * LIFETIME, -600):
        yield hand.good.presented()._replace(action_id=new_action(hand.now - seconds))


def _strangers_keys(hand: Hand) -> Iterator[Presented]:
    for granted in (hand.good, hand.denied):
        both = [signed_again(one, key) for one, key in zip(granted.proofs, hand.stranger[:2], strict=True)]
        yield granted.presented(*(one.to_json() for one in both))
    first, second = hand.good.proofs
    yield hand.good.presented(first.to_json(), signed_again(second, hand.stranger.p1).to_json())
    yield hand.good.presented(first.to_json(), signed_again(second, hand.keys.p0).to_json())
    yield hand.good.presented(first.to_json(), signed_again(second, hand.keys.approver).to_json())
    yield hand.good.presented(*_again(hand, kid="k2"))


def _other_signature(hand: Hand) -> Iterator[Presented]:
    """A MAC keyed with the public key, which an attacker knows too, is no signature."""
    codes = [hmac.digest(key.public.raw, b"x", "sha512").hex() for key in hand.keys[:2]]
    pairs = zip(hand.good.proofs, codes, strict=True)
    yield hand.good.presented(*({**one.to_json(), "signature": code} for one, code in pairs))
    for signature in ("", "0" * 64, "0" * 128):
        yield hand.good.presented(*({**one.to_json(), "signature": signature} for one in hand.good.proofs))


def _gateway_tags(program: Program, size: int) -> set[int]:
    """Return the offsets of the tags that only the gateway checks in an answer of this size."""
    bucket = next(bucket for bucket in range(len(BUCKETS)) if answer_size(program, bucket) == size)
    out: set[int] = set()
    at = 0
    for part in parts(program, bucket):
        out |= {8 * (at + row * part.kept.words + part.kept.slots + GATEWAY) for row in range(1 << part.bits)}
        at += part.answer_bytes() // 8
    return out


def _other_answer(hand: Hand) -> Iterator[Presented]:
    """One server turns a denial into a permission: it changes its answer and signs it."""
    for granted in (hand.denied, hand.good):
        for number, signer in enumerate(hand.keys[:2]):
            size = len(granted.answers[number])
            places = sorted(set(range(0, size, 8)) - _gateway_tags(hand.program, size))
            for place in random.Random(1).sample(places, min(len(places), _PLACES)):  # noqa: S311  a plan, not a secret
                answer = bytearray(granted.answers[number])
                answer[place] ^= 1
                first, second = (bytes(answer) if number == one else granted.answers[one] for one in (0, 1))
                signed = signed_again(granted.proofs[number], signer, answer=answer_digest(bytes(answer)))
                told = [signed if one == number else granted.proofs[one] for one in (0, 1)]
                yield granted.presented(*(one.to_json() for one in told))._replace(answers=(first, second))
    yield hand.denied.presented()._replace(answers=hand.good.answers)
    told = [
        signed_again(one, key, answer=good.proof.answer)
        for one, good, key in zip(hand.denied.proofs, hand.good.proofs, hand.keys[:2], strict=True)
    ]
    yield hand.denied.presented(*(one.to_json() for one in told))._replace(answers=hand.good.answers)


def _other_credential(hand: Hand) -> Iterator[Presented]:
    right = hand.good.presented()
    right_token = right.credential["workload"]
    for wrong in (None, {}, "agent", hand.foreign, {**right.credential, "delegations": []}):
        yield right._replace(credential=wrong)
    yield right._replace(credential={**right.credential, "workload": {**right_token, "signature": "0" * 128}})


def _denied(hand: Hand) -> Iterator[Presented]:
    yield hand.denied.presented()
    yield hand.denied.presented(confirmation=confirmation(hand, hand.denied).to_json())


def _misled(hand: Hand) -> Iterator[Presented]:
    yield hand.misled.presented()


def _unconfirmed(hand: Hand) -> Iterator[Presented]:
    one = hand.waits
    for told in (None, True, {}, "yes", {"user_confirm": True}):
        yield one.presented(confirmation=told)
    kid, stranger = hand.keys.approver.public.keyid, hand.stranger.approver
    for changes in (
        {"signer": stranger}, {"signer": stranger, "kid": stranger.public.keyid}, {"signer": hand.keys.p0},
        {"preview": preview_digest(one.request, {**one.request.inputs, "text": "something else"})}, {"action_id": hand.other.action_id},
        {"commitment": hand.other.commitment},
    ):  # fmt: skip
        yield one.presented(confirmation=confirmation(hand, one, **changes).to_json())
    right = confirmation(hand, one).to_json()
    yield one.presented(confirmation={**right, "signature": "0" * 128})
    yield one.presented(confirmation={**right, "kid": kid[::-1]})


def _again(hand: Hand, **changes: Any) -> list[Any]:
    signers = hand.keys[:2]
    return [signed_again(one, key, **changes).to_json() for one, key in zip(hand.good.proofs, signers, strict=True)]


def message(to: str, text: str) -> Request:
    """Return a request to send a message."""
    return make_request("SendMessage", AGENT, SESSION, {"to": to, "subject": "s", "text": text})


_HEX = frozenset("0123456789abcdef")


def proof_fields(hand: Hand) -> Iterator[Presented]:
    """Yield presentations with one changed field of a proof, not signed again."""
    told = [one.to_json() for one in hand.good.proofs]
    for number, proof in enumerate(told):
        for changed in _each(proof):
            yield hand.good.presented(*(changed if place == number else one for place, one in enumerate(told)))


def request_fields(hand: Hand) -> Iterator[Presented]:
    """Yield presentations with one changed field of the request, in its canonical spelling."""
    for changed in _each(json.loads(hand.good.request.spelling())):
        spelled = json.dumps(changed, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        yield hand.good.presented(request=spelled.encode())


def _each(value: Any) -> Iterator[Any]:
    """Yield the value with each leaf changed, and with each field left out."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield {key: one for key, one in value.items() if key != name}
            for changed in _each(inner):
                yield {**value, name: changed}
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, str):
        yield _other(value)


def _other(text: str) -> str:
    """Return a different text, of the same form if it is hexadecimal."""
    if text and set(text) <= _HEX:
        return text[:-1] + ("0" if text[-1] != "0" else "1")
    return text + "x"


ATTEMPTS: Mapping[str, Attempt] = {
    "no proofs": _no_proofs,
    "one proof": _one_proof,
    "two proofs of one server": _one_server,
    "proofs of different actions": _mixed,
    "each field of the request changed or left out": request_fields,
    "each field of each proof changed or left out": proof_fields,
    "another intent, caller, session or input": _other_request,
    "another spelling of the request": _other_spelling,
    "another nonce, salt or action": _other_nonce,
    "another program, database, epoch or question": _other_context,
    "old, or from the future, signed again": _old,
    "proofs of another installation or key": _strangers_keys,
    "a code or a foreign signature in place of one": _other_signature,
    "a changed answer of one server": _other_answer,
    "what the policy denies": _denied,
    "the credential of somebody else, or none": _other_credential,
    "a gateway that asked about something else": _misled,
    "confirmation missing, forged, of something else": _unconfirmed,
}
