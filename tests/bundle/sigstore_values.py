"""A Sigstore of one's own: an authority, a log of certificates and a log of signatures, each of one entry."""

import base64
import hashlib
import json
import struct
from datetime import UTC, datetime, timedelta

from authority_values import encoded, key, named, usage
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from remit.bundle.dsse import IN_TOTO, pae
from remit.core.digest import canonical

SIGNED = datetime(2026, 1, 1, 12, tzinfo=UTC)
IDENTITY, ISSUER = "release@example.com", "https://accounts.example.com"
_ISSUER_OID = x509.ObjectIdentifier("1.3.6.1.4.1.57264.1.1")
_SCT_OID = x509.ObjectIdentifier("1.3.6.1.4.1.11129.2.4.2")
_AUTHORITY, _SIGNER, _CT_LOG, _LOG = (key("P-256", number) for number in (11, 12, 13, 14))


def der(private) -> bytes:
    return private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def signed(private, data: bytes) -> bytes:
    return private.sign(data, ec.ECDSA(hashes.SHA256()))


def _authority() -> x509.Certificate:
    return (
        x509.CertificateBuilder()
        .subject_name(named("our sigstore"))
        .issuer_name(named("our sigstore"))
        .public_key(_AUTHORITY.public_key())
        .serial_number(1)
        .not_valid_before(SIGNED - timedelta(days=9))
        .not_valid_after(SIGNED + timedelta(days=9))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage(key_cert_sign=True, crl_sign=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(_AUTHORITY.public_key()), critical=False)
        .sign(_AUTHORITY, hashes.SHA256())
    )


AUTHORITY = _authority()


def _leaf(timestamps: bytes, identity: str) -> x509.Certificate:
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([]))
        .issuer_name(AUTHORITY.subject)
        .public_key(_SIGNER.public_key())
        .serial_number(2)
        .not_valid_before(SIGNED)
        .not_valid_after(SIGNED + timedelta(minutes=10))
        .add_extension(usage(digital_signature=True), critical=True)
        .add_extension(x509.ExtendedKeyUsage([x509.ExtendedKeyUsageOID.CODE_SIGNING]), critical=False)
        .add_extension(x509.SubjectAlternativeName([x509.RFC822Name(identity)]), critical=True)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(_AUTHORITY.public_key()), critical=False)
        .add_extension(x509.UnrecognizedExtension(_ISSUER_OID, ISSUER.encode()), critical=False)
        .add_extension(x509.UnrecognizedExtension(_SCT_OID, timestamps), critical=False)
        .sign(_AUTHORITY, hashes.SHA256())
    )


def _octets(data: bytes) -> bytes:
    assert len(data) < 128
    return bytes([4, len(data)]) + data


def certificate(identity: str = IDENTITY, *, log=_CT_LOG) -> x509.Certificate:
    """A certificate whose issue was logged: the log signs it without the log's own signature in it."""
    when = int(SIGNED.timestamp() * 1000)
    empty = _list(_timestamp(when, b"x" * 8))
    before = x509.load_der_x509_certificate(_leaf(empty, identity).public_bytes(Encoding.DER)).tbs_precertificate_bytes
    entry = hashlib.sha256(der(_AUTHORITY)).digest() + struct.pack("!I", len(before))[1:] + before
    said = struct.pack("!BBQH", 0, 0, when, 1) + entry + struct.pack("!H", 0)
    return _leaf(_list(_timestamp(when, signed(log, said))), identity)


def _timestamp(when: int, signature: bytes) -> bytes:
    log = hashlib.sha256(der(_CT_LOG)).digest()
    return struct.pack("!B32sQHBBH", 0, log, when, 0, 4, 3, len(signature)) + signature


def _list(timestamp: bytes) -> bytes:
    inner = struct.pack("!HH", len(timestamp) + 2, len(timestamp)) + timestamp
    return _octets(inner) if len(inner) < 128 else bytes([4, 0x81, len(inner)]) + inner


def bundle(payload: bytes, *, identity: str = IDENTITY, payload_type: str = IN_TOTO, log=_LOG, ct_log=_CT_LOG) -> dict:
    """A statement, signed and logged."""
    leaf = certificate(identity, log=ct_log)
    sig = signed(_SIGNER, pae(payload_type, payload))
    spec = {
        "envelopeHash": {"algorithm": "sha256", "value": "0" * 64},
        "payloadHash": {"algorithm": "sha256", "value": hashlib.sha256(payload).hexdigest()},
        "signatures": [{"signature": encoded(sig), "verifier": encoded(leaf.public_bytes(Encoding.PEM))}],
    }
    envelope = {
        "payload": encoded(payload),
        "payloadType": payload_type,
        "signatures": [{"sig": encoded(sig), "keyid": ""}],
    }
    return _bundle(leaf, "dsse", spec, log) | {"dsseEnvelope": envelope}


def file_bundle(content: bytes, *, identity: str = IDENTITY) -> dict:
    """A file, signed and logged."""
    leaf = certificate(identity)
    sig, digest = signed(_SIGNER, content), hashlib.sha256(content)
    spec = {
        "data": {"hash": {"algorithm": "sha256", "value": digest.hexdigest()}},
        "signature": {"content": encoded(sig), "publicKey": {"content": encoded(leaf.public_bytes(Encoding.PEM))}},
    }
    message = {
        "messageDigest": {"algorithm": "SHA2_256", "digest": encoded(digest.digest())},
        "signature": encoded(sig),
    }
    return _bundle(leaf, "hashedrekord", spec, _LOG) | {"messageSignature": message}


def _bundle(leaf: x509.Certificate, kind: str, spec: dict, log) -> dict:
    body = canonical({"apiVersion": "0.0.1", "kind": kind, "spec": spec})
    return {
        "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
        "verificationMaterial": {
            "certificate": {"rawBytes": encoded(leaf.public_bytes(Encoding.DER))},
            "tlogEntries": [_entry(kind, body, log)],
        },
    }


def _entry(kind: str, body: bytes, log) -> dict:
    name = hashlib.sha256(der(_LOG)).digest()
    time = int(SIGNED.timestamp()) + 60
    promise = {"body": encoded(body), "integratedTime": time, "logID": name.hex(), "logIndex": 0}
    tree = hashlib.sha256(b"\0" + body).digest()  # of one leaf
    note = f"our log - 1\n1\n{encoded(tree)}\n"
    line = base64.b64encode(name[:4] + signed(log, note.encode())).decode()
    return {
        "logIndex": "0",
        "logId": {"keyId": encoded(name)},
        "kindVersion": {"kind": kind, "version": "0.0.1"},
        "integratedTime": str(time),
        "inclusionPromise": {"signedEntryTimestamp": encoded(signed(log, canonical(promise)))},
        "inclusionProof": {
            "logIndex": "0",
            "rootHash": encoded(tree),
            "treeSize": "1",
            "hashes": [],
            "checkpoint": {"envelope": f"{note}\n\u2014 our-log {line}\n"},
        },
        "canonicalizedBody": encoded(body),
    }


def _log(private) -> dict:
    return {
        "baseUrl": "https://log.example.com",
        "hashAlgorithm": "SHA2_256",
        "publicKey": {
            "rawBytes": encoded(der(private)),
            "keyDetails": "PKIX_ECDSA_P256_SHA_256",
            "validFor": {"start": "2025-01-01T00:00:00Z"},
        },
        "logId": {"keyId": encoded(hashlib.sha256(der(private)).digest())},
    }


TRUSTED_ROOT = json.dumps(
    {
        "mediaType": "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
        "tlogs": [_log(_LOG)],
        "ctlogs": [_log(_CT_LOG)],
        "certificateAuthorities": [
            {
                "subject": {"organization": "ours", "commonName": "our sigstore"},
                "uri": "https://ca.example.com",
                "certChain": {"certificates": [{"rawBytes": encoded(AUTHORITY.public_bytes(Encoding.DER))}]},
                "validFor": {"start": "2025-01-01T00:00:00Z"},
            }
        ],
        "timestampAuthorities": [],
    }
)
