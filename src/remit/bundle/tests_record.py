"""`evidence/tests.json`, the record of `remit test`. It is not recomputed: the signer vouches for it, and it must be for
exactly these files and this manifest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remit.bundle.canonical import read
from remit.bundle.snapshot import TESTS
from remit.core.errors import BundleError
from remit.core.shape import DIGEST, Flag, Items, Named, Nothing, OneOf, Record, Text, Whole, Word
from remit.manifest.identity import manifest_digest

if TYPE_CHECKING:
    from remit.manifest.model import Manifest

_MANY = 20_000
_LONG = Text(20_000, empty=True)
_UNIT = {"capability": Text(200), "scope": Text(4_000)}
_FINDING = Record({**_UNIT, "outcome": Text(100), "commands": Items(Whole(0, _MANY), _MANY)})
_RUN = Record(
    {
        "command": Items(_LONG, 1_000),
        "source": Text(100),
        "ending": Text(100),
        "status": OneOf((Whole(-1_000, 1_000), Nothing())),
        "complete": Flag(),
        "problems": Items(_LONG, 1_000),
        "expected": Whole(0, 255),
        "by": Word(("agent",)),
        "unlike": Items(_LONG, 10_000),
    },
    frozenset({"expected", "by", "unlike"}),
)
SHAPE = Record(
    {
        "version": Whole(1, 1),
        "skill": Text(200),
        "content": DIGEST,
        "manifest": DIGEST,
        "tools": Named(Text(100), Text(1_000), 20),
        "commands": Items(_RUN, 1_000),
        "observed": Items(_FINDING, _MANY),
        "loaded": Items(Text(4_000), _MANY),
        "looked_for": Items(Text(4_000), _MANY),
        "outside": Items(_FINDING, _MANY),
        "denied": Items(_FINDING, _MANY),
        "exercised": Items(Record(_UNIT), _MANY),
        "untested": Items(Record({**_UNIT, "unobservable": _LONG}, frozenset({"unobservable"})), _MANY),
        "level_reached": Flag(),
        "stand_ins": Items(Text(200), _MANY),
    },
    frozenset({"stand_ins"}),
)


def why_not_tested(data: bytes, manifest: Manifest, content: str) -> tuple[str, str] | None:
    """Return why a record does not show that a skill was tested, as code and detail; None if it does."""
    try:
        value = read(data, TESTS, SHAPE)
    except BundleError as error:
        return "tests-malformed", error.message
    name = manifest.skill_metadata.name if manifest.skill_metadata else ""
    if value["content"] != content or value["manifest"] != manifest_digest(manifest) or value["skill"] != name:
        return "tests-differ", "the skill or its manifest changed since"
    if not _reached(value):
        return "tests-short", _shortest(value)
    from remit.capsule.verdict import units, why_unseen  # noqa: PLC0415  few bundles hold a record

    shown = {(item["capability"], item["scope"]) for item in value["exercised"]}
    for unit, _ in units(manifest):
        scope = unit.scope.render()
        if (unit.capability, scope) not in shown and not why_unseen(
            unit.capability, unit.scope
        ):  # not the record's to say
            return "tests-short", f"untested: {unit.capability} {scope}"
    return None


def _reached(value: dict[str, Any]) -> bool:
    """Return whether the record reaches `tested`, recomputed from its own details."""
    passed = all(
        run["ending"] == "exited"
        and run["status"] == run.get("expected", 0)
        and run["complete"]
        and not run["problems"]
        and not run.get("unlike")
        for run in value["commands"]
    )
    return bool(value["commands"]) and passed and not value["outside"] and value["level_reached"] is True


def _shortest(value: dict[str, Any]) -> str:
    for item in value["outside"][:1]:
        return f"outside: {item['capability']} {item['scope']}"
    return "a test failed, or not all of it was seen"
