"""Reader of SkillGuard's manifests, in both spellings of its names. What its grammar leaves open is refused.

A path in `resource_scope` is a prefix there: it means itself and everything below it. A name that stands for several of
our capabilities becomes an entry for each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from remit.core.capability import vocabulary
from remit.core.scope import DEEP, PathScope, Scope
from remit.core.scope.component import literal
from remit.manifest import fields as f
from remit.manifest.constraints_read import read_constraints
from remit.manifest.entry_read import PRIORITY, SESSION_STATE
from remit.manifest.foreign.permissions import least
from remit.manifest.foreign.result import Reading
from remit.manifest.model import Constraints, Decision, Manifest, Metadata, Permission
from remit.manifest.read import read_document
from remit.manifest.words import listed, meant

if TYPE_CHECKING:
    from remit.manifest.jsontext import Node, Reader

_ENTRY = ("priority", "constraints", "fallback_msg")
_ABOUT = ("version", "trust_tier")


def read_skillguard(data: bytes, file: str) -> Reading:
    """Return the manifest in a document of SkillGuard."""
    reader, top = read_document(data, file)
    found = f.fields(reader, top, "the manifest of SkillGuard", ("permissions",), ("skill_metadata",))
    entries = f.items(reader, found["permissions"], "permissions", f.ENTRIES)
    metadata = _metadata(reader, found["skill_metadata"]) if "skill_metadata" in found else None
    return Reading(Manifest(file, tuple(entry for node in entries for entry in _entries(reader, node)), metadata))


def is_skillguard(value: Any) -> bool:
    """Whether a JSON document claims to be a manifest of this kind; browsers and others have a manifest.json too."""
    if not isinstance(value, dict) or not isinstance(entries := getattr(value.get("permissions"), "value", None), list):
        return False
    return "skill_metadata" in value or any(
        isinstance(entry.value, dict) and "capability" in entry.value for entry in entries
    )


def _metadata(reader: Reader, node: Node) -> Metadata:
    found = f.fields(reader, node, "`skill_metadata`", ("name",), _ABOUT, nullable=_ABOUT)
    return Metadata(
        f.readable(reader, found["name"], "name", f.NAME),
        f.readable(reader, found["version"], "version", f.NAME, empty=True) if "version" in found else "",
        f.whole(reader, found["trust_tier"], "trust_tier", 1, 4) if "trust_tier" in found else None,
    )


def _entries(reader: Reader, node: Node) -> Iterator[Permission]:
    """Return one entry of theirs, as one for each of our capabilities."""
    required = ("capability", "effect")
    found = f.fields(reader, node, "a permission", required, _ENTRY, nullable=_ENTRY, elsewhere=SESSION_STATE)
    names = _capabilities(reader, found["capability"])
    effect = f.word(reader, found["effect"], "effect", Decision)
    priority = f.whole(reader, found["priority"], "priority", -PRIORITY, PRIORITY) if "priority" in found else 0
    message = f.readable(reader, found["fallback_msg"], "fallback_msg", empty=True) if "fallback_msg" in found else ""
    for name in names:
        constraints = Constraints()
        if "constraints" in found:
            constraints = _constraints(reader, found["constraints"], name, names, effect)
        yield Permission(
            name,
            effect=effect,
            priority=priority,
            constraints=constraints,
            fallback_msg=message,
            line=reader.line(node.at),
        )


def _capabilities(reader: Reader, node: Node) -> tuple[str, ...]:
    name = f.text(reader, node, "capability", f.NAME, empty=True)
    if name == "*":
        return ("*",)
    found = least(vocabulary().expand_skillguard(name))
    if not found:
        asked = meant(name, vocabulary().skillguard)
        remedy = f"{asked}docs/capabilities.md lists its names"
        raise reader.fail(node.at, f"`{f.shown(name)}` is not a capability of SkillGuard", remedy)
    return found


def _constraints(reader: Reader, node: Node, name: str, names: tuple[str, ...], effect: Decision) -> Constraints:
    if isinstance(node.value, dict):
        if "redact" in node.value:
            raise reader.fail(
                node.value["redact"].at, "`redact` is not a field of `constraints`", "it is one of remit.json"
            )
        kinds = {vocabulary()[other].scope_kind for other in names if other != "*"}
        if "resource_scope" in node.value and len(kinds) > 1:
            message = f"`resource_scope` would mean {listed(sorted(kinds))}"
            raise reader.fail(node.value["resource_scope"].at, message, "write one entry for each capability")
    found = read_constraints(reader, node, name, effect)
    return found._replace(resource_scope=tuple(map(_prefix, found.resource_scope)))


def _prefix(scope: Scope) -> Scope:
    """Return a path without wildcards as everything that begins with it."""
    if isinstance(scope, PathScope) and all(part != DEEP and literal(part) is not None for part in scope.parts):
        return scope._replace(parts=(*scope.parts, DEEP))
    return scope
