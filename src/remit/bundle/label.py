"""The label: guarantees and findings of a skill, short enough for a registry, with the same bytes for the same skill.

`remit label` prints it; a bundle carries it as `evidence/label.json`, where `remit verify` checks it against the files again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from remit.bundle.canonical import read
from remit.bundle.snapshot import LABEL
from remit.core.shape import DIGEST, PATH, VERSION, Flag, Items, Record, Text, Whole, Word
from remit.findings.guarantees import Condition, Guarantee, GuaranteeStatus, GuaranteeSubject, UnknownKind, guarantees
from remit.findings.model import Finding, Level, Severity, level_of
from remit.version import VERSION as REMIT

if TYPE_CHECKING:
    from remit.analysis.result import Effects
    from remit.core.location import Location

SCHEMA = "urn:remit:label:v1"
_MANY = 100_000
_PLACES = Items(Record({"file": PATH, "line": Whole(0, 10**9)}), _MANY)
SHAPE = Record(
    {
        "schema": Word((SCHEMA,)),
        "skill": Text(1_000),
        "content": DIGEST,
        "remit": VERSION,
        "level": Word(tuple(map(str, Level))),
        "findings": Record(dict.fromkeys(map(str, Severity), Whole(0, _MANY))),
        "code": Flag(),
        "guarantees": Items(
            Record(
                {
                    "id": Text(100),
                    "about": Word(tuple(map(str, GuaranteeSubject))),
                    "text": Text(20_000),
                    "conditions": Items(Record({"kind": Word(tuple(map(str, UnknownKind))), "where": _PLACES}), 100),
                }
            ),
            100,
        ),
        "not_understood": Record({"code": _PLACES, "commands": _PLACES, "sentences": Whole(0, _MANY)}),
        "assumptions": Items(Text(200), 1_000),
    }
)


def label_value(found: Effects, findings: Sequence[Finding], content: str) -> dict[str, Any]:
    """Return the label of a skill; `content` is the digest of its files. Findings count even if the skill's own manifest
    accepts them.
    """
    counts = dict.fromkeys(map(str, Severity), 0)
    for finding in findings:
        counts[str(finding.severity)] += 1
    commands = (item.where for item in found.assumed if item.ident == "instructed-commands")
    return {
        "schema": SCHEMA,
        "skill": found.skill or ".",
        "content": content,
        "remit": REMIT,
        "level": str(level_of(list(findings))),
        "findings": counts,
        "code": bool(found.code),
        "guarantees": [_claim(item, claim) for item in guarantees(found) for claim in item.claims],
        "not_understood": {
            "code": _places(item.where for item in found.opaque),
            "commands": _places(commands),
            "sentences": len(found.unread),
        },
        "assumptions": list(found.assumptions),
    }


def read_label(data: bytes) -> dict[str, Any]:
    """Read a label; BundleError if it is malformed."""
    value: dict[str, Any] = read(data, LABEL, SHAPE)
    return value


def false_claims(told: dict[str, Any], own: dict[str, Any]) -> Iterator[str]:
    """Yield the guarantees of a label that another one does not support: it must have the same sentence, about no
    narrower part, under no other condition.
    """
    for claim in told["guarantees"]:
        if not any(_implies(found, claim) for found in own["guarantees"]):
            yield claim_text(claim)


def claim_text(claim: dict[str, Any]) -> str:
    """Return a guarantee of a label as a sentence."""
    return f"{GuaranteeSubject(claim['about']).words}{claim['text']}"


def _implies(found: dict[str, Any], claim: dict[str, Any]) -> bool:
    same = (found["id"], found["text"]) == (claim["id"], claim["text"])
    wide = found["about"] == claim["about"] or found["about"] == GuaranteeSubject.CODE
    return same and wide and _locations(found) <= _locations(claim)


def _locations(claim: dict[str, Any]) -> frozenset[tuple[str, str, int]]:
    return frozenset((one["kind"], at["file"], at["line"]) for one in claim["conditions"] for at in one["where"])


def _claim(item: Guarantee, claim: GuaranteeStatus) -> dict[str, Any]:
    return {
        "id": item.ident,
        "about": str(claim.about),
        "text": item.text,
        "conditions": [_condition(condition) for condition in claim.conditions],
    }


def _condition(condition: Condition) -> dict[str, Any]:
    return {"kind": str(condition.kind), "where": _places(condition.where)}


def _places(found: Iterable[Location]) -> list[dict[str, Any]]:
    return [{"file": at.file, "line": at.line} for at in sorted(set(found))]
