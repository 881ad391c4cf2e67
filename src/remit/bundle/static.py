"""`evidence/static.json`: the result of Method A, compared with the manifest."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.bundle.canonical import read
from remit.bundle.snapshot import STATIC
from remit.core.effect import Effect, Opaque, Origin
from remit.core.scope import SKILL, PathScope, Scope
from remit.core.shape import DIGEST, PATH, VERSION, Items, Named, Record, Shape, Text, Whole, Word
from remit.manifest.identity import manifest_digest
from remit.proof import Containment, Escape, Residual, Verdict, contain, rests_on
from remit.skill.walk import is_repository

if TYPE_CHECKING:
    from remit.analysis.result import Effects
    from remit.bundle.toolchain import Analyser
    from remit.core.assumption import Assumption
    from remit.core.location import Location
    from remit.manifest.model import Manifest

SCHEMA = "urn:remit:static:v1"
_MANY = 100_000
_LONG = 20_000
_ORIGIN = Word(tuple(map(str, Origin)))
_WHERE = Record({"file": PATH, "line": Whole(0, 10**9)})
_EFFECT: dict[str, Shape] = {
    "capability": Text(200),
    "line": Whole(0, 10**9),
    "origin": _ORIGIN,
    "scope": Text(_LONG),
    "why": Text(_LONG, empty=True),
}
ANALYSER = Record(
    {
        "name": Text(100),
        "version": VERSION,
        "code": DIGEST,
        "summaries": DIGEST,
        "vocabulary": DIGEST,
        "python": VERSION,
        "parsers": Named(Text(100), VERSION, 50),
    }
)
SHAPE = Record(
    {
        "schema": Word((SCHEMA,)),
        "analyser": ANALYSER,
        "manifest": DIGEST,
        "effects": Named(PATH, Items(Record(_EFFECT), _MANY), 20_000),
        "opaque": Items(
            Record(
                {
                    "origin": _ORIGIN,
                    "reason": Text(_LONG, empty=True),
                    "remedy": Text(_LONG, empty=True),
                    "where": _WHERE,
                }
            ),
            _MANY,
        ),
        "assumptions": Items(Record({"id": Text(200), "layer": Text(_LONG), "meaning": Text(_LONG)}), 1_000),
        "verdict": Word(tuple(map(str, Verdict))),
        "escapes": Items(Record({**_EFFECT, "file": PATH, "reason": Text(_LONG)}), _MANY),
        "denied": Items(Record({**_EFFECT, "file": PATH, "entry": Text(_LONG)}), _MANY),
        "residuals": Items(
            Record(
                {
                    "kind": Text(100),
                    "layer": Text(_LONG),
                    "meaning": Text(_LONG),
                    "subject": Text(_LONG),
                    "where": _WHERE,
                },
                frozenset({"where"}),
            ),
            _MANY,
        ),
    }
)


class StaticVerdict(NamedTuple):
    """The result of Method A, compared with the manifest."""

    found: Effects
    manifest: Manifest
    assumed: tuple[Assumption, ...]
    containment: Containment

    @property
    def contained(self) -> bool:
        """Whether everything that runs lies inside, and nothing is opaque."""
        return self.containment.verdict is Verdict.CONTAINED


def judged(found: Effects, manifest: Manifest) -> StaticVerdict:
    """Compare effects with a manifest; ManifestError if that would take too long.

    What the skill uses below a `.git` of its own is opaque: it is not shipped, so that nothing binds it.
    """
    unbound = [effect for effect in found.effects if _is_unbound(effect.scope)]
    reason, remedy = "files below `.git` are not part of a bundle", "move it to another folder"
    found = replace(
        found, opaque=(*found.opaque, *(Opaque(reason, effect.where, remedy, effect.origin) for effect in unbound))
    )
    assumed = rests_on(found.assumptions, found.effects, code=found.analysed > 0)
    return StaticVerdict(found, manifest, assumed, contain(found.effects, found.opaque, assumed, manifest))


def _is_unbound(scope: Scope) -> bool:
    return isinstance(scope, PathScope) and scope.anchor == SKILL and any(map(is_repository, scope.parts))


def document(found: StaticVerdict, by: Analyser) -> dict[str, Any]:
    """Return the evidence. It does not depend on the skill's path, nor on existing evidence."""
    effects: dict[str, list[dict[str, Any]]] = {}
    for effect in sorted(found.found.effects, key=_order):
        effects.setdefault(effect.where.file, []).append(_effect(effect))
    held = found.containment
    return {
        "schema": SCHEMA,
        "analyser": by.value(),
        "manifest": manifest_digest(found.manifest),
        "effects": effects,
        "opaque": [_opaque(item) for item in found.found.opaque],
        "assumptions": [{"id": item.ident, "layer": item.layer, "meaning": item.meaning} for item in found.assumed],
        "verdict": str(held.verdict),
        "escapes": [_escape(item) for item in sorted(held.escapes, key=lambda item: _order(item.effect))],
        "denied": [
            _placed(item.effect) | {"entry": f"{item.entry.capability} {item.entry.place}"}
            for item in sorted(held.denied, key=lambda item: _order(item.effect))
        ],
        "residuals": [_residual(item) for item in held.residuals],
    }


def read_static(data: bytes) -> dict[str, Any]:
    """Read the document; BundleError if it is malformed."""
    value: dict[str, Any] = read(data, STATIC, SHAPE)
    return value


def clean(text: str) -> str:
    """Return text that JSON can represent: lone surrogates are spelt out."""
    return text.encode("utf-8", "backslashreplace").decode()


def _order(effect: Effect) -> tuple[Any, ...]:
    return effect.where, effect.capability, effect.scope.render(), effect.origin, effect.why


def _effect(effect: Effect) -> dict[str, Any]:
    return {
        "capability": effect.capability,
        "line": effect.where.line,
        "origin": str(effect.origin),
        "scope": clean(effect.scope.render()),
        "why": clean(effect.why),
    }


def _placed(effect: Effect) -> dict[str, Any]:
    return _effect(effect) | {"file": effect.where.file}


def _opaque(item: Opaque) -> dict[str, Any]:
    return {
        "origin": str(item.origin),
        "reason": clean(item.reason),
        "remedy": clean(item.remedy),
        "where": _where(item.where),
    }


def _escape(item: Escape) -> dict[str, Any]:
    return _placed(item.effect) | {"reason": clean(item.reason)}


def _residual(item: Residual) -> dict[str, Any]:
    out = {"kind": item.kind, "layer": item.layer, "meaning": clean(item.meaning), "subject": clean(item.subject)}
    return out | ({"where": _where(item.where)} if item.where else {})


def _where(where: Location) -> dict[str, Any]:
    return {"file": where.file, "line": where.line}
