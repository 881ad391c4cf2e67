"""The parser of trust roots. Anything unknown is refused, with line and column."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from remit.bundle.files import read_small
from remit.bundle.keys import is_keyid, parse_public_text
from remit.bundle.names import is_pattern
from remit.bundle.trust import Anchor, Authority, Clearance, Identity, Revocation, TrustedKey, TrustRoot
from remit.core.capability import vocabulary
from remit.core.counting import counted
from remit.core.errors import RemitError, TrustError
from remit.manifest import fields as f
from remit.manifest.model import Verification
from remit.manifest.read import MAX_RANK, read_document
from remit.manifest.words import meant

if TYPE_CHECKING:
    from pathlib import Path

    from remit.manifest.jsontext import Node, Reader

MAX_BYTES = 4 * 1024 * 1024
MAX_VERSION = 1_000_000_000
MAX_KEYS = 1_000
MAX_THRESHOLD = 32
MAX_PEM = 20_000
MAX_SIGSTORE = 500_000
_SCHEMA = "$schema"
_OPTIONAL = (
    _SCHEMA, "threshold", "require_bundle", "clearance", "minimum_level", "unlimited_grants", "roots", "root_threshold", "certificates",
    "identities", "sigstore_root",
)  # fmt: skip
_GRANTED = ("name", "level")
_GRANTED_MORE = ("rank", "compartments", "releasability")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", re.ASCII)
_PEM = re.compile(r"-----BEGIN (CERTIFICATE|PUBLIC KEY)-----\n([A-Za-z0-9+/=]{1,76}\n)+-----END \1-----\n?", re.ASCII)


def read_trust_root(path: Path) -> TrustRoot:
    """Read a trust root file."""
    return parse_trust_root(read_small(path, "the trust root", MAX_BYTES), str(path))


def parse_trust_root(data: bytes, file: str) -> TrustRoot:
    """Parse a trust root."""
    reader, top = read_document(data, file, TrustError)
    found = f.fields(reader, top, "the trust root", ("version", "keys"), _OPTIONAL)
    if _SCHEMA in found:
        f.text(reader, found[_SCHEMA], _SCHEMA)
    many = {name: _list(reader, found, name) for name in ("certificates", "identities")}
    root = TrustRoot(
        f.whole(reader, found["version"], "version", 1, MAX_VERSION),
        tuple(_key(reader, item) for item in f.items(reader, found["keys"], "keys", MAX_KEYS)),
        _threshold(reader, found, "threshold"),
        f.flag(reader, found["require_bundle"], "require_bundle") if "require_bundle" in found else False,
        _clearance(reader, found["clearance"]) if "clearance" in found else Clearance(),
        _minimum(reader, found["minimum_level"]) if "minimum_level" in found else (),
        _roots(reader, found["roots"]) if "roots" in found else (),
        _threshold(reader, found, "root_threshold"),
        tuple(_anchor(reader, item) for item in many["certificates"]),
        tuple(_identity(reader, item) for item in many["identities"]),
        _sigstore(reader, found["sigstore_root"]) if "sigstore_root" in found else "",
        f.whole(reader, found["unlimited_grants"], "unlimited_grants", 0, MAX_VERSION)
        if "unlimited_grants" in found
        else None,
    )
    if problem := inconsistency(root):
        raise reader.fail(top.at, problem, "correct it; `remit keys trust` writes roots that hold together")
    return root


def inconsistency(root: TrustRoot) -> str:
    """Return what is inconsistent in a trust root, or an empty string."""
    known = [key.keyid for key in root.keys]
    if twice := next((keyid for keyid in known if known.count(keyid) > 1), ""):
        return f"the key {twice} occurs twice in `keys`"
    if unknown := next((keyid for keyid in root.roots if keyid not in known), ""):
        return f"`roots` names the key {unknown}, which is not in `keys`"
    if root.threshold > max(1, len(known)):
        return f"`threshold` is {root.threshold}, of {counted(len(known), 'key')}"
    if root.root_threshold > max(1, len(root.roots)):
        return f"`root_threshold` is {root.root_threshold}, and `roots` names {counted(len(root.roots), 'key')}"
    for key in root.keys:
        if key.not_before and key.not_after and key.not_before >= key.not_after:
            return f"the key {key.keyid} is never valid: `not_before` is not before `not_after`"
    return ""


def parse_moment(text: str) -> datetime | None:
    """Parse a UTC time in its only form (`2027-01-31T00:00:00Z`); None if it is malformed."""
    if not _MOMENT.fullmatch(text):
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        return None


def _list(reader: Reader, found: dict[str, Node], name: str) -> list[Node]:
    return f.items(reader, found[name], name, f.FEW) if name in found else []


def _key(reader: Reader, node: Node) -> TrustedKey:
    found = f.fields(
        reader,
        node,
        "a key",
        ("keyid", "public", *_GRANTED),
        (*_GRANTED_MORE, "skills", "not_before", "not_after", "revoked"),
        nullable=("not_before", "not_after", "revoked"),
    )
    try:
        public = parse_public_text(f.text(reader, found["public"], "public", f.NAME))
    except TrustError as error:
        raise _again(reader, found["public"], error) from None
    if f.text(reader, found["keyid"], "keyid", f.NAME) != public.keyid:
        raise reader.fail(found["keyid"].at, "`keyid` is not that of the key", f"write `{public.keyid}`")
    return TrustedKey(
        public,
        _authority(reader, found),
        _moment(reader, found, "not_before"),
        _moment(reader, found, "not_after"),
        _revocation(reader, found["revoked"]) if "revoked" in found else None,
        _skills(reader, found),
    )


def _skills(reader: Reader, found: dict[str, Node]) -> tuple[str, ...]:
    names = _names(reader, found, "skills")
    if wrong := next((name for name in names if not is_pattern(name)), ""):
        remedy = "write the name of a skill, or a beginning such as `acme/*`; leave `skills` out to mean any skill"
        raise reader.fail(found["skills"].at, f"`{f.shown(wrong)}` names no skills", remedy)
    if "skills" in found and not names:
        raise reader.fail(
            found["skills"].at, "`skills` is empty", "name a skill; to stop a key from signing anything, revoke it"
        )
    return names


def _again(reader: Reader, node: Node, error: RemitError) -> RemitError:
    return reader.fail(node.at, error.message, error.remedy) if not error.where else error


def _authority(reader: Reader, found: dict[str, Node]) -> Authority:
    return Authority(
        f.readable(reader, found["name"], "name", f.NAME),
        f.word(reader, found["level"], "level", Verification),
        _rank(reader, found),
        _names(reader, found, "compartments"),
        _names(reader, found, "releasability"),
    )


def _rank(reader: Reader, found: dict[str, Node]) -> int:
    return f.whole(reader, found["rank"], "rank", 0, MAX_RANK) if "rank" in found else 0


def _names(reader: Reader, found: dict[str, Node], name: str) -> tuple[str, ...]:
    """Return a set of names, in order."""
    if name not in found:
        return ()
    return tuple(
        sorted(f.distinct(reader, found[name], name, f.FEW, lambda item: f.readable(reader, item, name, f.NAME)))
    )


def _moment(reader: Reader, found: dict[str, Node], name: str) -> datetime | None:
    if name not in found:
        return None
    written = f.text(reader, found[name], name, f.NAME)
    moment = parse_moment(written)
    if moment is None:
        raise reader.fail(found[name].at, f"`{f.shown(written)}` is not a time", "write `2027-01-31T00:00:00Z`")
    return moment


def _revocation(reader: Reader, node: Node) -> Revocation:
    found = f.fields(reader, node, "`revoked`", ("at", "reason"))
    at = _moment(reader, found, "at")
    assert at is not None
    return Revocation(at, f.readable(reader, found["reason"], "reason"))


def _clearance(reader: Reader, node: Node) -> Clearance:
    found = f.fields(reader, node, "`clearance`", (), _GRANTED_MORE)
    names = (_names(reader, found, "compartments"), _names(reader, found, "releasability"))
    return Clearance(_rank(reader, found), *names)


def _minimum(reader: Reader, node: Node) -> tuple[tuple[str, Verification], ...]:
    if not isinstance(node.value, dict):
        raise reader.fail(node.at, f"`minimum_level` is {node.kind}", "write an object: capability to level")
    for name, item in node.value.items():
        if not vocabulary().expand(name):
            asked = meant(name, [capability.name for capability in vocabulary()])
            raise reader.fail(item.at, f"`{f.shown(name)}` is not a capability", f"{asked}`remit explain` lists all")
    return tuple(sorted((name, f.word(reader, item, "level", Verification)) for name, item in node.value.items()))


def _roots(reader: Reader, node: Node) -> tuple[str, ...]:
    def one(item: Node) -> str:
        keyid = f.text(reader, item, "roots", f.NAME, empty=True)
        if not is_keyid(keyid):
            raise reader.fail(item.at, f"`{f.shown(keyid)}` is not a keyid", "write the `keyid` of one of the `keys`")
        return keyid

    return tuple(sorted(f.distinct(reader, node, "roots", f.FEW, one)))


def _threshold(reader: Reader, found: dict[str, Node], name: str) -> int:
    return f.whole(reader, found[name], name, 1, MAX_THRESHOLD) if name in found else 1


def _sigstore(reader: Reader, node: Node) -> str:
    """Return a document inside a string; the package that parses it is optional."""
    text = f.text(reader, node, "sigstore_root", MAX_SIGSTORE)
    try:
        _, top = read_document(text.encode(), "sigstore_root", TrustError)
    except TrustError as error:
        raise reader.fail(node.at, error.message, "copy the text of a `trusted_root.json` of Sigstore") from None
    if not isinstance(top.value, dict):
        raise reader.fail(
            node.at, f"`sigstore_root` is {top.kind}", "copy the text of a `trusted_root.json` of Sigstore"
        )
    return text


def _anchor(reader: Reader, node: Node) -> Anchor:
    found = f.fields(reader, node, "a certificate", ("pem", *_GRANTED), (*_GRANTED_MORE, "subjects"))
    pem = f.text(reader, found["pem"], "pem", MAX_PEM)
    if not _PEM.fullmatch(pem):
        raise reader.fail(
            found["pem"].at, "`pem` is not one certificate or public key in PEM", "copy it with its first and last line"
        )
    return Anchor(pem, _authority(reader, found), _names(reader, found, "subjects"))


def _identity(reader: Reader, node: Node) -> Identity:
    found = f.fields(reader, node, "an identity", ("identity", "issuer", *_GRANTED), _GRANTED_MORE)
    return Identity(
        f.readable(reader, found["identity"], "identity"),
        f.readable(reader, found["issuer"], "issuer"),
        _authority(reader, found),
    )
