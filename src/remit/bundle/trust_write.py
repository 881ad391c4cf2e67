"""The writer of trust roots. A trust root has one canonical value, so its digest identifies its meaning."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from remit.core.digest import canonical, digest

if TYPE_CHECKING:
    from datetime import datetime

    from remit.bundle.trust import Authority, TrustedKey, TrustRoot


def root_value(root: TrustRoot) -> dict[str, Any]:
    """Return the trust root as JSON, without defaults."""
    value = {
        "version": root.version,
        "keys": [_key(key) for key in root.keys],
        "threshold": root.threshold,
        "require_bundle": root.require_bundle,
        "clearance": _without_empty(root.clearance._asdict()),
        "minimum_level": {pattern: str(level) for pattern, level in root.minimum_level},
        "roots": list(root.roots),
        "root_threshold": root.root_threshold,
        "certificates": [
            {**_authority(anchor.authority), **_without_empty({"subjects": anchor.subjects}), "pem": anchor.pem}
            for anchor in root.certificates
        ],
        "identities": [
            {"identity": item.identity, "issuer": item.issuer, **_authority(item.authority)} for item in root.identities
        ],
        "unlimited_grants": root.unlimited_grants,
        "sigstore_root": root.sigstore_root,
    }
    if root.unlimited_grants is None:
        del value["unlimited_grants"]
    optional = ("clearance", "minimum_level", "roots", "certificates", "identities", "sigstore_root")
    return {name: part for name, part in value.items() if part or name not in optional}


def root_bytes(root: TrustRoot) -> bytes:
    """Return the bytes that are signed."""
    return canonical(root_value(root))


def root_digest(root: TrustRoot) -> str:
    """Return the digest of a trust root's meaning, however its file is written."""
    return digest(root_value(root))


def render_root(root: TrustRoot) -> str:
    """Return the text of a trust root for people."""
    return json.dumps(root_value(root), indent=2, ensure_ascii=True) + "\n"


def _key(key: TrustedKey) -> dict[str, Any]:
    value: dict[str, Any] = {"keyid": key.keyid, "public": key.public.text, **_authority(key.authority)}
    if key.skills:
        value["skills"] = list(key.skills)
    if key.not_before:
        value["not_before"] = moment_text(key.not_before)
    if key.not_after:
        value["not_after"] = moment_text(key.not_after)
    if key.revoked:
        value["revoked"] = {"at": moment_text(key.revoked.at), "reason": key.revoked.reason}
    return value


def _authority(granted: Authority) -> dict[str, Any]:
    return _without_empty({**granted._asdict(), "level": str(granted.level)})


def _without_empty(value: dict[str, Any]) -> dict[str, Any]:
    return {name: list(part) if isinstance(part, tuple) else part for name, part in value.items() if part}


def moment_text(moment: datetime) -> str:
    """Format a time."""
    return moment.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
