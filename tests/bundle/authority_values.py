"""Authorities, certificates and signatures of model signing, made for tests."""

import base64
import hashlib
import json
from datetime import datetime
from functools import cache
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from trust_values import AFTER, BEFORE

from remit.bundle.dsse import IN_TOTO, pae
from remit.bundle.oms_read import PREDICATE, STATEMENT
from remit.bundle.trust import Anchor, Authority
from remit.manifest.model import Verification


@cache
def key(kind: str, number: int = 0):
    """A key of a kind; another number is another key."""
    curves = {"P-256": ec.SECP256R1, "P-384": ec.SECP384R1, "P-521": ec.SECP521R1}
    if kind in curves:
        return ec.derive_private_key(1000 + number, curves[kind]())
    if kind == "Ed25519":
        return ed25519.Ed25519PrivateKey.from_private_bytes(bytes([number + 1]) * 32)
    return rsa.generate_private_key(65537, {"RSA": 2048, "short RSA": 1024}[kind])


class Made(NamedTuple):
    """A certificate and its key."""

    certificate: x509.Certificate
    key: object

    @property
    def der(self) -> bytes:
        return self.certificate.public_bytes(Encoding.DER)

    @property
    def pem(self) -> str:
        return self.certificate.public_bytes(Encoding.PEM).decode()

    @property
    def subject(self) -> str:
        return self.certificate.subject.rfc4514_string()


def named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])


def usage(**uses: bool) -> x509.KeyUsage:
    every = (
        "digital_signature content_commitment key_encipherment data_encipherment key_agreement key_cert_sign crl_sign"
        " encipher_only decipher_only"
    )
    return x509.KeyUsage(**(dict.fromkeys(every.split(), False) | uses))


def issue(  # noqa: PLR0913  one case for each kind of damage
    name: str,
    issuer: Made | None,
    *,
    ca: bool | None = True,
    length: int | None = None,
    kind: str = "P-384",
    number: int = 0,
    uses: x509.KeyUsage | str | None = None,
    start: datetime = BEFORE,
    end: datetime = AFTER,
    more: tuple[tuple[x509.ExtensionType, bool], ...] = (),
) -> Made:
    own = key(kind, number)
    builder = (
        x509.CertificateBuilder()
        .subject_name(named(name))
        .issuer_name(issuer.certificate.subject if issuer else named(name))
        .public_key(own.public_key())
        .serial_number(1000 + number)
        .not_valid_before(start)
        .not_valid_after(end)
    )
    if ca is not None:
        builder = builder.add_extension(x509.BasicConstraints(ca=ca, path_length=length), critical=True)
    asked = uses or (usage(key_cert_sign=True) if ca else usage(digital_signature=True))
    if asked != "none":
        builder = builder.add_extension(asked, critical=True)
    for extension, critical in more:
        builder = builder.add_extension(extension, critical=critical)
    signer = issuer.key if issuer else own
    algorithm = None if isinstance(signer, ed25519.Ed25519PrivateKey) else hashes.SHA256()
    return Made(builder.sign(signer, algorithm), own)


ROOT = issue("Acme Root", None, number=1)
MIDDLE = issue("Acme Signing Authority", ROOT, number=2, length=0)
LEAF = issue("Acme Skills", MIDDLE, ca=False, number=3)
CHAIN = (LEAF, MIDDLE, ROOT)
GRANTED = Authority("Acme", Verification.DECLARED, 2)


def anchor(pem: str = ROOT.pem, **more) -> Anchor:
    return Anchor(pem, GRANTED, **more)


def public_pem(private) -> str:
    return private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def signature(private, data: bytes, *, salted: bool = False) -> bytes:
    if isinstance(private, ec.EllipticCurvePrivateKey):
        return private.sign(data, ec.ECDSA(hashes.SHA384() if private.curve.name == "secp384r1" else hashes.SHA256()))
    if isinstance(private, rsa.RSAPrivateKey):
        pss = padding.PSS(padding.MGF1(hashes.SHA256()), padding.PSS.DIGEST_LENGTH)
        return private.sign(data, pss if salted else padding.PKCS1v15(), hashes.SHA256())
    return private.sign(data)


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def statement(files: dict[str, bytes], **serialization) -> dict:
    digests = {path: hashlib.sha256(content).hexdigest() for path, content in files.items()}
    whole = hashlib.sha256(b"".join(bytes.fromhex(digest) for digest in digests.values())).hexdigest()
    how = {"hash_type": "sha256", "method": "files", "ignore_paths": [".gitignore"], "allow_symlinks": False}
    return {
        "_type": STATEMENT,
        "subject": [{"name": "pdf", "digest": {"sha256": whole}}],
        "predicateType": PREDICATE,
        "predicate": {
            "serialization": how | serialization,
            "resources": [{"name": path, "algorithm": "sha256", "digest": digest} for path, digest in digests.items()],
        },
    }


def chained(*certificates: Made) -> dict:
    return {"x509CertificateChain": {"certificates": [{"rawBytes": encoded(made.der)} for made in certificates]}}


def bundle(said: dict, private=LEAF.key, material: dict | None = None, *, salted: bool = False) -> bytes:
    payload = json.dumps(said).encode()
    sig = encoded(signature(private, pae(IN_TOTO, payload), salted=salted))
    document = {
        "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
        "verificationMaterial": (chained(*CHAIN) if material is None else material) | {"tlogEntries": []},
        "dsseEnvelope": {
            "payload": encoded(payload),
            "payloadType": IN_TOTO,
            "signatures": [{"sig": sig, "keyid": ""}],
        },
    }
    return json.dumps(document).encode()
