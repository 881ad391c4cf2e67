"""A commit proof: one policy server's signed word that it decided a request, with its share of the decision.

A proof alone says nothing: the decision is the sum of the shares of two proofs from two servers. It is signed over a domain and
its canonical form, by Ed25519 (the executor then holds public keys alone, and the proof is evidence to others) or, in the profile
`hmac-sha256`, under a key that server and executor share.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from remit.authority.values.action import FORM as ACTION
from remit.core.digest import canonical
from remit.core.errors import AuthorityError, InputError
from remit.core.shape import DIGEST, HEX, Record, Text, Whole, Word

if TYPE_CHECKING:
    from collections.abc import Mapping

VERSION, KIND = 1, "commit"
MOST_BYTES = 4096
_DOMAIN = b"remit/commit-proof/v1\0"
_LATEST = 2**53 - 1
SERVERS = (0, 1)
ED25519, HMAC = PROFILES = ("ed25519", "hmac-sha256")
FORM = Record({
    "v": Whole(VERSION, VERSION),
    "kind": Word((KIND,)),
    "server_id": Whole(*SERVERS),
    "kid": Text(64, r"[A-Za-z0-9._-]+"),
    "ts": Whole(0, _LATEST),
    "action_id": ACTION,
    "program": DIGEST,
    "database": DIGEST,
    "epoch": Whole(0, _LATEST),
    "commitment": HEX,
    "question": HEX,
    "outputs": Text(2, r"[0-9a-f]{2}"),
    "tag": Text(32, r"[0-9a-f]{32}"),
    "profile": Word(PROFILES),
})  # fmt: skip
SIGNED = Record({"proof": FORM, "signature": Text(128, r"[0-9a-f]{64}(?:[0-9a-f]{64})?")})


class Signer(Protocol):
    """Signs as one server: an Ed25519 private key, or a shared one."""

    def sign(self, data: bytes, /) -> bytes:
        """The signature over some bytes."""
        ...


class Verifier(Protocol):
    """Knows one server's signature: an Ed25519 public key, or a shared one."""

    def holds(self, signature: bytes, data: bytes, /) -> bool:
        """Whether a signature over some bytes is that server's."""
        ...


class SharedKey:
    """The profile `hmac-sha256`: who can verify can sign as well."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        if len(key) < 32:
            raise AuthorityError("a shared key has at least 32 bytes", "let `remit up` make one")
        self._key = key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SharedKey) and hmac.compare_digest(self._key, other._key)

    def __hash__(self) -> int:
        return hash(self._key)

    def sign(self, data: bytes) -> bytes:
        """The code over some bytes."""
        return hmac.new(self._key, data, hashlib.sha256).digest()

    def holds(self, signature: bytes, data: bytes) -> bool:
        """Whether a code over some bytes was made with this key; the time does not tell where it differs."""
        return hmac.compare_digest(signature, self.sign(data))


class Context(NamedTuple):
    """What both proofs of an action must say alike."""

    action_id: str
    program: str
    database: str
    epoch: int
    commitment: str


class Proof(NamedTuple):
    """The fields of a proof in their order; `question` is the digest of what this server was asked."""

    server_id: int
    kid: str
    ts: int  # seconds
    context: Context
    question: str
    outputs: bytes
    tag: bytes  # share of the audit tag
    profile: str

    def body(self) -> dict[str, Any]:
        """What is signed, as JSON."""
        told = {**self._asdict(), **self.context._asdict(), "v": VERSION, "kind": KIND}
        del told["context"]
        return told | {"outputs": self.outputs.hex(), "tag": self.tag.hex()}


class Signed(NamedTuple):
    """A proof with its signature; nothing is known of it until a verifier has seen it."""

    proof: Proof
    signature: bytes

    def to_json(self) -> dict[str, Any]:
        """As JSON, in the published form."""
        return {"proof": self.proof.body(), "signature": self.signature.hex()}

    def held_by(self, verifier: Verifier) -> bool:
        """Whether the signature is that of the server."""
        return verifier.holds(self.signature, _DOMAIN + canonical(self.proof.body()))


def sign(proof: Proof, signer: Signer) -> Signed:
    """The proof with the signature of its server."""
    return Signed(proof, signer.sign(_DOMAIN + canonical(proof.body())))


def read_proof(value: Any) -> Signed:
    """The proof in a JSON value; AuthorityError if it has another form."""
    if fault := SIGNED.fault(value, "proof"):
        raise AuthorityError(fault, "pass on what the policy server signed")
    told: Mapping[str, Any] = value["proof"]
    context = Context(**{name: told[name] for name in Context._fields})
    own = {name: told[name] for name in ("server_id", "kid", "ts", "question", "profile")}
    made = Proof(**own, context=context, outputs=bytes.fromhex(told["outputs"]), tag=bytes.fromhex(told["tag"]))
    return Signed(made, bytes.fromhex(value["signature"]))


def parse_proof(data: bytes) -> Signed:
    """The proof in these bytes, which are its canonical form."""
    try:
        value = json.loads(data[: MOST_BYTES + 1].decode())
        spelling = canonical(value)
    except (ValueError, RecursionError, InputError):
        raise AuthorityError("a proof is not JSON", "pass on what the policy server signed") from None
    if spelling != data:
        raise AuthorityError("a proof is not in its canonical spelling", "pass on what the policy server signed")
    return read_proof(value)
