"""Keys and trust roots as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.bundle.refusal import Refusal
from remit.bundle.trust import Authority, TrustedKey, TrustRoot, authority
from remit.bundle.trust_write import root_digest
from remit.core.counting import counted
from remit.report.screen import visible
from remit.report.wording import pad

if TYPE_CHECKING:
    from datetime import datetime


def root_lines(root: TrustRoot, file: str, now: datetime) -> Iterator[str]:
    """Return a trust root, for a person who judges it."""
    yield f"{visible(file)}: trust root, version {root.version}"
    yield f"  {root_digest(root)}"
    yield f"  a bundle needs {counted(root.threshold, 'signature')}; a skill without a bundle that verifies is " + (
        "refused" if root.require_bundle else "unverified"
    )
    reader = root.clearance
    yield f"  the reader is cleared for {_labels(reader.rank, reader.compartments)}" + (
        f", and is {_names(reader.releasability)}" if reader.releasability else ""
    )
    if root.unlimited_grants is not None:
        yield f"  `formal` needs a manifest with at most {counted(root.unlimited_grants, 'unlimited grant')}"
    for pattern, level in root.minimum_level:
        yield f"  {pattern} is denied below {level}"
    yield from _keys(root, now)
    yield from _others(
        "authorities for skill.oms.sig", [(item.authority, _names(item.subjects)) for item in root.certificates]
    )
    yield from _others(
        "identities of Sigstore", [(item.authority, f"{item.identity} by {item.issuer}") for item in root.identities]
    )
    if root.identities and not root.sigstore_root:
        yield "  they count for nothing: there is no trusted root of Sigstore (--sigstore)"


def _keys(root: TrustRoot, now: datetime) -> Iterator[str]:
    yield ""
    yield "keys" if root.keys else "no keys"
    width = max((len(visible(key.authority.name)) for key in root.keys), default=0)
    for key in root.keys:
        yield f"  {key.keyid[:16]}…  {pad(visible(key.authority.name), width)}  {_key(root, key, now)}"
    if root.roots:
        yield f"  the next trust root needs {counted(root.root_threshold, 'signature')} of those marked `root`"
    else:
        yield "  no key may sign the next trust root: it cannot be changed but by hand"


def _key(root: TrustRoot, key: TrustedKey, now: datetime) -> str:
    found = authority(root, key.keyid, now)
    if isinstance(found, Refusal):
        return f"counts for nothing: {visible(found.reason.partition(') ')[2])}"
    until = f", until {key.not_after:%Y-%m-%d}" if key.not_after else ""
    skills = _names(key.skills) or "any skill that no other key names"
    return f"{_granted(found)}, signs {skills}" + until + (", root" if key.keyid in root.roots else "")


def _others(title: str, items: list[tuple[Authority, str]]) -> Iterator[str]:
    if not items:
        return
    yield ""
    yield title
    for granted, more in items:
        yield f"  {visible(granted.name)}  {_granted(granted)}" + (f"  {visible(more)}" if more else "")


def _granted(granted: Authority) -> str:
    text = f"up to {granted.level}, for {_labels(granted.rank, granted.compartments)}"
    return text + (f", released to {_names(granted.releasability)}" if granted.releasability else "")


def _labels(rank: int, compartments: tuple[str, ...]) -> str:
    return f"rank {rank}" + (f" in {_names(compartments)}" if compartments else "")


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(visible(name) for name in names)
