"""Certificate chains from a signer to an authority that a trust root names. It uses no network.

Every chain is in order, the signer first. An unknown critical extension, or a name constraint, is refused.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.bundle.refusal import Refusal, refuse
from remit.core.errors import PackageError, TrustError

if TYPE_CHECKING:
    from datetime import datetime

    from cryptography.x509 import Certificate

    from remit.bundle.trust import Anchor

MAX_CHAIN = 8
_HASHES = {"sha256", "sha384", "sha512"}
_CURVES = {"secp256r1": "SHA256", "secp384r1": "SHA384"}  # and the hash that goes with each
_RSA_BITS = range(2048, 8193)
# extensions that are looked at below, or that restrict nothing
_UNDERSTOOD = {
    "2.5.29.14": "subjectKeyIdentifier", "2.5.29.35": "authorityKeyIdentifier", "2.5.29.19": "basicConstraints",
    "2.5.29.15": "keyUsage", "2.5.29.37": "extendedKeyUsage",
}  # fmt: skip
_NAME_CONSTRAINTS = "2.5.29.30"
_SIGNING = {"1.3.6.1.5.5.7.3.3", "2.5.29.37.0"}  # code signing, or any use


class Chain(NamedTuple):
    """A valid chain: the signer and its key, and the authority behind it, if there is one."""

    subject: str
    fingerprint: str  # SHA-256 of the signer's certificate
    key: Any
    anchor: Anchor | None


def read_chain(ders: Sequence[bytes], anchors: Sequence[Anchor], now: datetime) -> Chain | Refusal:
    """Validate a chain, signer first, at a time."""
    if not 1 <= len(ders) <= MAX_CHAIN:
        return refuse("chain-malformed", f"a chain has 1 to {MAX_CHAIN} certificates, this one has {len(ders)}")
    found = _guarded(lambda: _judge(ders, [*map(_authority_certificate, anchors)], now))
    if isinstance(found, Refusal):
        return found
    leaf, at = found
    anchor = None if at is None else anchors[at]
    subject = leaf.subject.rfc4514_string()
    if anchor is not None and anchor.subjects and subject not in anchor.subjects:
        return refuse(
            "certificate-subject", f"`{subject}` is none of the subjects that `{anchor.authority.name}` may have"
        )
    return Chain(subject, hashlib.sha256(ders[0]).hexdigest(), leaf.public_key(), anchor)


def _guarded(judge: Callable[[], tuple[Certificate, int | None] | Refusal]) -> tuple[Certificate, int | None] | Refusal:
    """Run a check, because the package raises many exceptions on hostile input, and warns of what it will refuse later."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return judge()
    except (TrustError, PackageError):
        raise
    except Exception as error:  # noqa: BLE001  none of its failures is a good certificate
        return refuse("chain-malformed", f"a certificate cannot be read ({type(error).__name__})")


def _judge(
    ders: Sequence[bytes], roots: Sequence[Certificate | None], now: datetime
) -> tuple[Certificate, int | None] | Refusal:
    """Return the signer, and the root to which the chain leads.

    The chain ends with the first authority that is named, or with the one that issued its last certificate. (1) Each
    certificate is judged by itself and by its place, (2) and must be issued by the next.
    """
    from cryptography import x509  # noqa: PLC0415

    chain = [x509.load_der_x509_certificate(der) for der in ders]
    at = None
    for number, certificate in enumerate(chain[1:], 2):
        if certificate in roots:  # what stands above it does not matter
            at, chain = roots.index(certificate), chain[:number]
            break
    if at is None:
        at = next((number for number, root in enumerate(roots) if root is not None and _issued(chain[-1], root)), None)
        anchor = None if at is None else roots[at]
        chain += [] if anchor is None else [anchor]
    for number, certificate in enumerate(chain):
        why = _by_itself(certificate, now) or (
            _as_authority(certificate, number - 1) if number else _as_signer(certificate)
        )
        if why:
            return why
    for one, issuer in pairwise(chain):
        if not _issued(one, issuer):
            return refuse("chain-broken", f"`{_name(one)}` was not issued by `{_name(issuer)}`")
    return chain[0], at


def _by_itself(certificate: Certificate, now: datetime) -> Refusal | None:
    if not certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc:
        until = f"{certificate.not_valid_before_utc:%Y-%m-%d} to {certificate.not_valid_after_utc:%Y-%m-%d}"
        return refuse("certificate-expired", f"`{_name(certificate)}` is valid from {until}")
    algorithm = certificate.signature_hash_algorithm  # None for Ed25519
    if algorithm is not None and algorithm.name not in _HASHES:
        return refuse("certificate-algorithm", f"`{_name(certificate)}` is signed over {algorithm.name}")
    if not _accepted(certificate.public_key()):
        return refuse("certificate-algorithm", f"`{_name(certificate)}` has a key of a kind that is not accepted")
    for extension in certificate.extensions:
        oid = extension.oid.dotted_string
        if oid == _NAME_CONSTRAINTS or (extension.critical and oid not in _UNDERSTOOD):
            return refuse(
                "certificate-usage", f"`{_name(certificate)}` is restricted in a way that is not understood ({oid})"
            )
    return None


def _accepted(key: Any) -> bool:
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa  # noqa: PLC0415

    if isinstance(key, ec.EllipticCurvePublicKey):
        return key.curve.name in _CURVES
    if isinstance(key, rsa.RSAPublicKey):
        return key.key_size in _RSA_BITS and 65537 <= key.public_numbers().e < 2**32
    return isinstance(key, ed25519.Ed25519PublicKey)


def _as_signer(certificate: Certificate) -> Refusal | None:
    constraints, usage, purposes = _uses(certificate)
    if constraints is not None and constraints.ca:
        return refuse("certificate-usage", f"`{_name(certificate)}` is an authority, and no signer")
    if usage is None or not usage.digital_signature:
        return refuse("certificate-usage", f"`{_name(certificate)}` is not for signatures")
    if purposes is not None and not _SIGNING & {purpose.dotted_string for purpose in purposes}:
        return refuse("certificate-usage", f"`{_name(certificate)}` is not for signing code")
    return None


def _as_authority(certificate: Certificate, below: int) -> Refusal | None:
    """Return why a certificate cannot be an authority. `below` counts the authorities between it and the signer."""
    constraints, usage, _ = _uses(certificate)
    if constraints is None or not constraints.ca or usage is None or not usage.key_cert_sign:
        return refuse("certificate-usage", f"`{_name(certificate)}` may not issue certificates")
    if constraints.path_length is not None and below > constraints.path_length:
        return refuse("certificate-usage", f"`{_name(certificate)}` may not issue for so long a chain")
    return None


def _uses(certificate: Certificate) -> tuple[Any, Any, Any]:
    from cryptography import x509  # noqa: PLC0415

    found = {extension.oid.dotted_string: extension.value for extension in certificate.extensions}
    oids = (x509.BasicConstraints.oid, x509.KeyUsage.oid, x509.ExtendedKeyUsage.oid)
    first, second, third = (found.get(oid.dotted_string) for oid in oids)
    return first, second, third


def _issued(certificate: Certificate, issuer: Certificate) -> bool:
    """Return whether the names match and the signature holds."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415

    try:
        certificate.verify_directly_issued_by(issuer)
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True


def _name(certificate: Certificate) -> str:
    return certificate.subject.rfc4514_string()[:200]


def _authority_certificate(anchor: Anchor) -> Certificate | None:
    """Return the certificate of an anchor; None for a public key. A malformed anchor is an error, because the reader
    wrote it.
    """
    from cryptography import x509  # noqa: PLC0415

    if "PUBLIC KEY" in anchor.pem[:40]:
        return None
    try:
        return x509.load_pem_x509_certificate(anchor.pem.encode())
    except ValueError:
        message = f"the certificate of `{anchor.authority.name}` in the trust root cannot be read"
        raise TrustError(message, "copy it again, with its first and last line") from None


def check_anchor(anchor: Anchor) -> None:
    """Raise an error if an anchor is neither a certificate nor a usable public key."""
    crypto()
    if public_key_of(anchor) is None:
        _authority_certificate(anchor)


def public_key_of(anchor: Anchor) -> Any | None:
    """Return the key of an anchor that is a public key; None for a certificate."""
    crypto()
    from cryptography.hazmat.primitives.serialization import load_pem_public_key  # noqa: PLC0415

    if "PUBLIC KEY" not in anchor.pem[:40]:
        return None
    try:
        key = load_pem_public_key(anchor.pem.encode())
    except Exception:  # noqa: BLE001  the package raises whatever its parts raise
        key = None
    if key is None or not _accepted(key):
        message = f"the public key of `{anchor.authority.name}` in the trust root cannot be used"
        raise TrustError(message, "give a key of P-256, P-384, Ed25519 or RSA with 2048 bits or more")
    return key


def holds(key: Any, signature: bytes, data: bytes) -> bool:
    """Return whether a signature over some bytes is that of an accepted key."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
    from cryptography.hazmat.primitives import hashes  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa  # noqa: PLC0415

    ways: list[tuple[Any, ...]] = [()]  # Ed25519 has no choice
    if isinstance(key, ec.EllipticCurvePublicKey):
        ways = [(ec.ECDSA(getattr(hashes, _CURVES[key.curve.name])()),)]
    elif isinstance(key, rsa.RSAPublicKey):
        salted = padding.PSS(padding.MGF1(hashes.SHA256()), padding.PSS.DIGEST_LENGTH)
        ways = [(padding.PKCS1v15(), hashes.SHA256()), (salted, hashes.SHA256())]
    for way in ways:
        try:
            key.verify(signature, data, *way)
        except (InvalidSignature, ValueError):
            continue
        return True
    return False


def crypto() -> None:
    """Raise an error if the package is missing."""
    try:
        import cryptography.x509  # noqa: F401, PLC0415
    except ImportError:
        raise PackageError("cryptography", "prove") from None
