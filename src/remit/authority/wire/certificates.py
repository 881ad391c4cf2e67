"""Certificates for parties on several machines: one authority for the installation, and a certificate for each party.

A party is identified by its name (`p0`, `gateway`), which its certificate contains beside the host where it is
reached. The authority's key is only needed to issue certificates, and should not be on a machine that runs a party.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from pathlib import Path

_YEARS = 2
_AUTHORITY = "Remit authority of this installation"


class Signing(NamedTuple):
    """The authority: its certificate and its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey


def make_authority(folder: Path) -> Signing:
    """Create an authority: `authority.crt`, which is public, and `authority.key`, which is secret."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = _named(_AUTHORITY)
    usage = x509.KeyUsage(
        key_cert_sign=True, crl_sign=True, digital_signature=False, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip
    made = (
        _begun(name, name, key)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .sign(key, hashes.SHA256())
    )
    _write(folder / "authority.crt", made.public_bytes(serialization.Encoding.PEM), 0o644)
    _write(folder / "authority.key", _private(key), 0o600)
    return Signing(made, key)


def read_authority(folder: Path) -> Signing:
    """Load an existing authority; AuthorityError if it cannot be read."""
    try:
        certificate = x509.load_pem_x509_certificate((folder / "authority.crt").read_bytes())
        key = serialization.load_pem_private_key((folder / "authority.key").read_bytes(), None)
    except (OSError, ValueError, TypeError) as error:
        message = f"the authority in `{folder}` cannot be read: {type(error).__name__}"
        raise AuthorityError(message, "restore its key, or start over in an empty folder") from None
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise AuthorityError(f"the authority in `{folder}` has a key of another kind", "bring its key back")
    return Signing(certificate, key)


def make_certificate(signing: Signing, folder: Path, name: str, host: str) -> None:
    """Write `NAME.crt` and `NAME.key` for a party at a host, or at several, separated by commas."""
    key = ec.generate_private_key(ec.SECP256R1())
    made = (
        _begun(_named(name), signing.certificate.subject, key)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name), *_reached(name, host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signing.key.public_key()), critical=False)
        .add_extension(
            x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]), critical=False
        )
        .sign(signing.key, hashes.SHA256())
    )
    _write(folder / f"{name}.crt", made.public_bytes(serialization.Encoding.PEM), 0o644)
    _write(folder / f"{name}.key", _private(key), 0o600)


def _reached(name: str, hosts: str) -> Iterator[x509.GeneralName]:
    for host in hosts.split(","):
        try:
            yield x509.IPAddress(ipaddress.ip_address(host))
        except ValueError:
            if host != name:
                yield x509.DNSName(host)


def _begun(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(minutes=5))
        .not_valid_after(now + dt.timedelta(days=365 * _YEARS))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _private(key: ec.EllipticCurvePrivateKey) -> bytes:
    form = serialization.PrivateFormat.PKCS8
    return key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())


def _write(path: Path, data: bytes, mode: int) -> None:
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode), "wb") as file:
            file.write(data)
    except OSError as error:
        raise AuthorityError(f"`{path}` cannot be written: {error.strerror}", "give an empty folder") from None
