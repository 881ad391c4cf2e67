"""The signed proof of one policy server: what it was asked for a ticket, what it answered, and from which tables.

A proof contains no decision: gateway and executor each decide for themselves from both answers. It is signed with
Ed25519, so that it is evidence to third parties: a signed answer that does not follow from the tables convicts its
server.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from remit.core.digest import canonical
from remit.core.errors import AuthorityError
from remit.core.shape import DIGEST, HEX, Record, Text, Whole, Word

VERSION, KIND = 2, "look-up"
LIFETIME, SKEW = 30, 5  # seconds that a proof is valid, and that clocks may differ by
MOST_BYTES = 4096
_DOMAIN = b"remit/look-up-proof/v2\0"
_LATEST = 2**53 - 1
SERVERS = (0, 1)
_KID = Text(64, r"[A-Za-z0-9._-]+")
FORM = Record({
    "v": Whole(VERSION, VERSION),
    "kind": Word((KIND,)),
    "server_id": Whole(*SERVERS),
    "kid": _KID,
    "ts": Whole(0, _LATEST),
    "program": DIGEST,
    "database": DIGEST,
    "epoch": Whole(0, _LATEST),
    "ticket": HEX,
    "question": HEX,
    "answer": HEX,
})  # fmt: skip
SIGNED = Record({"proof": FORM, "signature": Text(128, r"[0-9a-f]{128}")})


class Signer(Protocol):
    """The Ed25519 private key of one party."""

    def sign(self, data: bytes, /) -> bytes:
        """Return the signature over some bytes."""
        ...


class Verifier(Protocol):
    """The Ed25519 public key of one party."""

    def holds(self, signature: bytes, data: bytes, /) -> bool:
        """Return whether a signature over some bytes is that party's."""
        ...


class Context(NamedTuple):
    """The fields that both proofs of a look-up must share."""

    program: str
    database: str
    epoch: int
    ticket: str


class Proof(NamedTuple):
    """The fields of a proof in their order; `question` and `answer` are digests."""

    server_id: int
    kid: str
    ts: int  # seconds
    context: Context
    question: str
    answer: str

    def body(self) -> dict[str, Any]:
        """Return what is signed, as JSON."""
        told = {**self._asdict(), **self.context._asdict(), "v": VERSION, "kind": KIND}
        del told["context"]
        return told


class Signed(NamedTuple):
    """A proof with its signature, not yet verified."""

    proof: Proof
    signature: bytes

    def to_json(self) -> dict[str, Any]:
        """Return the published JSON form."""
        return {"proof": self.proof.body(), "signature": self.signature.hex()}

    def held_by(self, verifier: Verifier) -> bool:
        """Return whether the signature is that of the server."""
        return verifier.holds(self.signature, _DOMAIN + canonical(self.proof.body()))


def sign(proof: Proof, signer: Signer) -> Signed:
    """Sign a proof."""
    return Signed(proof, signer.sign(_DOMAIN + canonical(proof.body())))


def read_proof(value: Any) -> Signed:
    """Read a proof from a JSON value; AuthorityError if it is malformed."""
    if fault := SIGNED.fault(value, "proof"):
        raise AuthorityError(fault, "pass on what the policy server signed")
    told: Mapping[str, Any] = value["proof"]
    context = Context(**{name: told[name] for name in Context._fields})
    own = {name: told[name] for name in ("server_id", "kid", "ts", "question", "answer")}
    return Signed(Proof(**own, context=context), bytes.fromhex(value["signature"]))
