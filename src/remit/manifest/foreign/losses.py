"""Losses of a written manifest, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from remit.core.capability import matches
from remit.manifest.foreign.permissions import changed, rules
from remit.manifest.foreign.result import Loss, LossKind
from remit.manifest.model import Decision, Manifest, Verification


def unsaid(manifest: Manifest, format_name: str, says: Collection[str]) -> list[Loss]:
    """Return the parts of a manifest that do not affect permissions and that a format cannot carry.

    `says` names those that it can: `name`, `version`, `trust_tier`, `classification`, `verification`, `fallback_msg`,
    `priority`.
    """
    about = manifest.skill_metadata
    entries = manifest.permissions
    present = {
        "name": bool(about and about.name),
        "version": bool(about and about.version),
        "trust_tier": bool(about and about.trust_tier is not None),
        "classification": bool(about and about.classification),
        "verification": manifest.verification is not Verification.UNVERIFIED,
        "fallback_msg": any(entry.fallback_msg for entry in entries),
        "priority": any(entry.priority for entry in entries),
        "evidence": any(entry.evidence for entry in entries),
        "drafted": bool(manifest.drafted),
        "tests": bool(manifest.tests),
        "accepted": bool(manifest.accepted),
    }
    lost = [f"`{name}`" for name, there in present.items() if there and name not in says]
    if not lost:
        return []
    return [Loss(LossKind.LOST, f"{format_name} has no place for {', '.join(lost)}")]


def differences(
    before: Manifest, after: Manifest, words: Mapping[str, Iterable[str]], said: Iterable[Loss], format_name: str
) -> list[Loss]:
    """Return what a manifest permits differently when it is read back. `words` are those that were written, with their
    meanings.

    A loss that was reported already is not repeated.
    """
    more, less = changed(before, after)
    granted = {name for name in more if any(rule.decision is not Decision.DENY for rule in rules(before, name))}
    out: list[Loss] = []
    explained: set[str] = set()
    for word, meaning in words.items():
        also = tuple(name for name in meaning if name in more and name not in granted)
        explained.update(also)
        if also:
            out.append(Loss(LossKind.WIDENED, f"`{word}` also allows {_names(also)}", also))
    if rest := tuple(name for name in more if name not in explained):
        message = f"{format_name} allows more of {_names(rest)}: a question, scope, limit or denial is not said"
        out.append(Loss(LossKind.WIDENED, message, rest))
    known = {name for loss in said if loss.kind is LossKind.NARROWED for name in loss.capabilities}
    if rest := tuple(name for name in less if not any(matches(other, name) for other in known)):
        out.append(Loss(LossKind.NARROWED, f"{format_name} allows less of {_names(rest)}", rest))
    return out


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
