"""The parser of OpenSSF model signatures, version 1.0: Sigstore bundles whose envelope lists the files of a folder.

`Signed` values are well formed, but not yet verified.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, NamedTuple

from remit.bundle import dsse
from remit.bundle.refusal import Refusal, refuse
from remit.core.errors import BundleError
from remit.manifest import fields as f
from remit.manifest.read import read_document

if TYPE_CHECKING:
    from remit.manifest.jsontext import Node, Reader

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://model_signing/signature/v1.0"
MAX_RESOURCES = 20_000
_MEDIA = re.compile(r"application/vnd\.dev\.sigstore\.bundle(\+json;version=0\.[123]|\.v0\.[123]\+json)")
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
# proofs of time and of being logged, which nothing here relies on
_UNUSED = ("tlogEntries", "timestampVerificationData")


class Material(NamedTuple):
    """The claimed signer."""

    certificates: tuple[bytes, ...]  # signer first; empty if a key is only hinted at
    hint: str = ""
    logged: bool = False  # whether a public log is said to have the signature


class Signed(NamedTuple):
    """A parsed file: the envelope, the claimed signer, and the signed files."""

    envelope: dsse.Envelope
    material: Material
    name: str  # of the folder
    files: tuple[tuple[str, str], ...]  # path and SHA-256, as they are listed
    ignored: tuple[str, ...]
    links_allowed: bool


def read_oms(data: bytes, file: str = "skill.oms.sig") -> Signed | Refusal:
    """Parse a signature file."""
    if len(data) > dsse.MAX_BYTES:
        return refuse("oms-malformed", f"{file} is larger than {dsse.MAX_BYTES} bytes")
    try:
        return _bundle(data, file)
    except BundleError as error:
        return refuse("oms-malformed", error.message)


def _bundle(data: bytes, file: str) -> Signed | Refusal:
    reader, top = read_document(data, file, BundleError)
    found = f.fields(reader, top, "the bundle", ("mediaType", "verificationMaterial", "dsseEnvelope"))
    media = f.text(reader, found["mediaType"], "mediaType", f.NAME)
    if not _MEDIA.fullmatch(media):
        return refuse("oms-unsupported", f"`{f.shown(media)}` is not a bundle of Sigstore that is understood")
    material = _material(reader, found["verificationMaterial"])
    envelope = dsse.envelope_in(reader, found["dsseEnvelope"], dsse.IN_TOTO)
    if len(envelope.signatures) != 1:
        return refuse("oms-malformed", f"{file}: a bundle has one signature, this one has {len(envelope.signatures)}")
    return _statement(envelope, material, file)


def _material(reader: Reader, node: Node) -> Material:
    kinds = ("x509CertificateChain", "certificate", "publicKey")
    found = f.fields(
        reader, node, "`verificationMaterial`", (), (*kinds, *_UNUSED), nullable=(*kinds, "timestampVerificationData")
    )
    given = [kind for kind in kinds if kind in found]
    if len(given) != 1:
        raise reader.fail(
            node.at, f"one of {', '.join(kinds)} is wanted, {len(given)} are given", "have it signed again"
        )
    inner = found[given[0]]
    logged = "tlogEntries" in found and bool(f.items(reader, found["tlogEntries"], "tlogEntries", f.FEW))
    if given[0] == "publicKey":
        hint = f.fields(reader, inner, "`publicKey`", ("hint",))["hint"]
        return Material((), f.text(reader, hint, "hint", f.NAME, empty=True))
    if given[0] == "certificate":
        return Material((_certificate(reader, inner),), logged=logged)
    listed = f.fields(reader, inner, "`x509CertificateChain`", ("certificates",))["certificates"]
    items = f.items(reader, listed, "certificates", f.FEW, empty=False)
    return Material(tuple(_certificate(reader, item) for item in items), logged=logged)


def _certificate(reader: Reader, node: Node) -> bytes:
    return dsse.base64_in(
        reader, f.fields(reader, node, "a certificate", ("rawBytes",))["rawBytes"], "rawBytes", 50_000
    )


def _statement(envelope: dsse.Envelope, material: Material, file: str) -> Signed | Refusal:
    reader, top = read_document(envelope.payload, f"{file}, statement", BundleError)
    found = f.fields(reader, top, "the statement", ("_type", "subject", "predicateType", "predicate"))
    for name, wanted in (("_type", STATEMENT), ("predicateType", PREDICATE)):
        written = f.text(reader, found[name], name)
        if written != wanted:
            return refuse("oms-unsupported", f"`{name}` is `{f.shown(written)}`, not `{wanted}`")
    predicate = f.fields(reader, found["predicate"], "`predicate`", ("serialization", "resources"))
    how = f.fields(
        reader,
        predicate["serialization"],
        "`serialization`",
        ("hash_type", "method"),
        ("ignore_paths", "allow_symlinks"),
    )
    for name, wanted in (("hash_type", "sha256"), ("method", "files")):
        written = f.text(reader, how[name], name)
        if written != wanted:
            return refuse("oms-unsupported", f"`{name}` is `{f.shown(written)}`, not `{wanted}`")
    resources = f.items(reader, predicate["resources"], "resources", MAX_RESOURCES, empty=False)
    files = tuple(_resource(reader, item) for item in resources)
    listed = [path for path, _ in files]
    if wrong := next((path for path in listed if not _normal(path)), None):
        return refuse("oms-path", f"`{f.shown(wrong)}` is not a path inside the folder")
    if len(set(listed)) != len(listed):
        return refuse("oms-malformed", f"{file}: a path is listed twice")
    name, digest = _subject(reader, found["subject"])
    if digest != hashlib.sha256(b"".join(bytes.fromhex(content) for _, content in files)).hexdigest():
        return refuse("oms-subject", "the digest of the subject is not that of the files that are listed")
    ignored = tuple(
        f.text(reader, item, "ignore_paths", f.LONG)
        for item in (f.items(reader, how["ignore_paths"], "ignore_paths", f.MANY) if "ignore_paths" in how else ())
    )
    links = f.flag(reader, how["allow_symlinks"], "allow_symlinks") if "allow_symlinks" in how else False
    return Signed(envelope, material, name, files, ignored, links)


def _subject(reader: Reader, node: Node) -> tuple[str, str]:
    subjects = f.items(reader, node, "subject", f.FEW, empty=False)
    if len(subjects) != 1:
        raise reader.fail(node.at, f"a folder is one subject, {len(subjects)} are listed", "have it signed again")
    found = f.fields(reader, subjects[0], "the subject", ("name", "digest"))
    digest = f.fields(reader, found["digest"], "`digest`", ("sha256",))["sha256"]
    return f.text(reader, found["name"], "name", f.LONG, empty=True), _hexadecimal(reader, digest)


def _resource(reader: Reader, node: Node) -> tuple[str, str]:
    found = f.fields(reader, node, "a resource", ("name", "algorithm", "digest"))
    algorithm = f.text(reader, found["algorithm"], "algorithm", f.NAME)
    if algorithm != "sha256":
        raise reader.fail(found["algorithm"].at, f"a file is hashed with `{f.shown(algorithm)}`", "sign with SHA-256")
    return f.text(reader, found["name"], "name", f.LONG), _hexadecimal(reader, found["digest"])


def _hexadecimal(reader: Reader, node: Node) -> str:
    written = f.text(reader, node, "digest", f.NAME)
    if not _DIGEST.fullmatch(written):
        raise reader.fail(node.at, f"`{f.shown(written)}` is not a digest", "have it signed again")
    return written


def _normal(path: str) -> bool:
    """Return whether a path is relative and in normal form on every system."""
    return not ("\\" in path or "\0" in path or any(part in ("", ".", "..") for part in path.split("/")))
