"""DSSE envelopes: a payload, its type, and signatures over both.

Each signature is over the pre-authentication encoding (PAE), which holds the type, so that what was signed as one kind of
document can never be taken for another. An existing `Envelope` is well formed; `verify` returns which signatures hold.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from remit.bundle.keys import PrivateKey, PublicKey, is_keyid, strict_base64
from remit.bundle.refusal import Refusal, refuse
from remit.core.digest import canonical
from remit.core.errors import BundleError, RemitError
from remit.manifest import fields as f
from remit.manifest.read import read_document

if TYPE_CHECKING:
    from remit.manifest.jsontext import Node, Reader

IN_TOTO = "application/vnd.in-toto+json"  # an attestation
TRUST_ROOT = "application/vnd.remit.trust-root+json"
MAX_BYTES = 16 * 1024 * 1024
MAX_SIGNATURES = 32
_MAX_SIGNATURE = 4_096  # characters; the longest is one of RSA
_ANEW = "have it signed again"


class Signature(NamedTuple):
    """The bytes of a signature, and the claimed signer."""

    keyid: str
    sig: bytes


class Envelope(NamedTuple):
    """A payload, its type, and the signatures."""

    payload_type: str
    payload: bytes
    signatures: tuple[Signature, ...]

    @property
    def pae(self) -> bytes:
        """Return the bytes that each signature covers."""
        return pae(self.payload_type, self.payload)


class Signers(NamedTuple):
    """The keys with valid signatures, each once; and why the other signatures do not count."""

    held: tuple[str, ...]
    refused: tuple[Refusal, ...]


def pae(payload_type: str, payload: bytes) -> bytes:
    """The pre-authentication encoding, version 1."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def sign(payload_type: str, payload: bytes, keys: Iterable[PrivateKey]) -> Envelope:
    """Return an envelope signed with each key."""
    envelope = Envelope(payload_type, payload, ())
    for key in keys:
        envelope = add_signature(envelope, key)
    return envelope


def add_signature(envelope: Envelope, key: PrivateKey) -> Envelope:
    """Return the envelope with one more signature. A key can sign once."""
    if any(signature.keyid == key.public.keyid for signature in envelope.signatures):
        raise BundleError(f"the key {key.public.keyid} has signed already", "sign with another key")
    added = Signature(key.public.keyid, key.sign(envelope.pae))
    return envelope._replace(signatures=(*envelope.signatures, added))


def verify(envelope: Envelope, keys: Mapping[str, PublicKey]) -> Signers:
    """Return which signatures hold. Each invalid one has a reason, and a key that signs twice counts once."""
    signed = envelope.pae
    held: list[str] = []
    refused: list[Refusal] = []
    for keyid, sig in envelope.signatures:
        key = keys.get(keyid)
        if key is None or key.keyid != keyid:
            refused.append(refuse("signer-unknown", f"there is no key {keyid} in the trust root"))
        elif not key.holds(sig, signed):
            refused.append(refuse("signature-invalid", f"the signature of the key {keyid} does not hold"))
        elif keyid in held:
            refused.append(refuse("signature-repeated", f"the key {keyid} has signed twice"))
        else:
            held.append(keyid)
    return Signers(tuple(held), tuple(refused))


def render_envelope(envelope: Envelope) -> bytes:
    """Return the envelope as canonical JSON and a final newline."""
    signatures = [{"keyid": keyid, "sig": _base64(sig)} for keyid, sig in envelope.signatures]
    value = {"payload": _base64(envelope.payload), "payloadType": envelope.payload_type, "signatures": signatures}
    return canonical(value) + b"\n"


def read_envelope(data: bytes, file: str = "the envelope", payload_type: str = IN_TOTO) -> Envelope:
    """Read an envelope of one type; BundleError with line and column if it is malformed."""
    if len(data) > MAX_BYTES:
        raise BundleError(f"{file}: an envelope has at most {MAX_BYTES} bytes", "sign less")
    reader, top = read_document(data, file, BundleError)
    envelope = envelope_in(reader, top, payload_type)
    for keyid, _ in envelope.signatures:
        if not is_keyid(keyid):
            message = f"{file}: `{f.shown(keyid)}` is not the digest of a key"
            raise BundleError(message, "name the key that signed by its keyid")
    return envelope


def envelope_in(reader: Reader, node: Node, payload_type: str) -> Envelope:
    """Read the envelope in a document. The caller checks `keyid`, because some formats leave it empty."""
    found = f.fields(reader, node, "the envelope", ("payload", "payloadType", "signatures"))
    kind = f.text(reader, found["payloadType"], "payloadType", f.NAME)
    if kind != payload_type:
        raise reader.fail(found["payloadType"].at, f"the type is `{f.shown(kind)}`, not `{payload_type}`", _ANEW)
    payload = base64_in(reader, found["payload"], "payload", MAX_BYTES)
    items = f.items(reader, found["signatures"], "signatures", MAX_SIGNATURES, empty=False)
    return Envelope(kind, payload, tuple(_signature(reader, item) for item in items))


def _signature(reader: Reader, node: Node) -> Signature:
    found = f.fields(reader, node, "a signature", ("sig",), ("keyid",))
    keyid = f.text(reader, found["keyid"], "keyid", f.NAME, empty=True) if "keyid" in found else ""
    return Signature(keyid, base64_in(reader, found["sig"], "sig", _MAX_SIGNATURE))


def base64_in(reader: Reader, node: Node, name: str, limit: int) -> bytes:
    """Read base64 bytes of a document."""
    text = f.text(reader, node, name, limit)
    try:
        return strict_base64(text, reader.kind)
    except RemitError as error:
        raise reader.fail(node.at, f"`{name}`: {error.message}", error.remedy) from None


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
