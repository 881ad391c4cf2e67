"""Renderer of manifests: one canonical text for each, which parses back to the same manifest.

Keys have one order, defaults are left out, one scope is a text and several are a list. Characters that hide or steer
are written as escapes, so that the visible file is its meaning.
"""

from __future__ import annotations

import json
from typing import Any

from remit.core.scope import ANY_SCOPE, Scope
from remit.manifest.model import (
    AcceptedFinding,
    Allowed,
    Classification,
    Constraints,
    Defaults,
    Evidence,
    Manifest,
    Matching,
    Metadata,
    Permission,
    RateLimit,
    TimeWindow,
    Verification,
)
from remit.manifest.words import HIDDEN

WIDTH = 120  # columns; a list or object that fits stands on one line


def render(document: Manifest | Defaults) -> str:
    """Return the text of a document."""
    value = manifest_value(document) if isinstance(document, Manifest) else defaults_value(document)
    return layout(value)


def layout(value: dict[str, Any]) -> str:
    """Return JSON values as the text of a document."""
    return f"{_layout(value, 0, 0)}\n"


def manifest_value(manifest: Manifest) -> dict[str, Any]:
    """Return a manifest as JSON values."""
    return _filled(
        skill_metadata=_metadata(manifest.skill_metadata) if manifest.skill_metadata else None,
        verification=str(manifest.verification) if manifest.verification is not Verification.UNVERIFIED else None,
        tests=list(manifest.tests),
    ) | {
        "permissions": [entry_value(entry) for entry in manifest.permissions],
        **_filled(accepted=[accepted_value(item) for item in manifest.accepted], drafted=list(manifest.drafted)),
    }


def defaults_value(defaults: Defaults) -> dict[str, Any]:
    """Return the defaults of a workspace as JSON values."""
    entries = [entry_value(entry) for entry in defaults.permissions]
    return _filled(description=defaults.description) | {"session_defaults": {"permissions": entries}}


def entry_value(entry: Permission) -> dict[str, Any]:
    """Return an entry as JSON values."""
    return {
        "capability": entry.capability,
        **_filled(
            scope=scope_value(entry.scopes) if entry.scopes != (ANY_SCOPE,) else None,
            effect=str(entry.effect) if entry.effect else None,
            priority=entry.priority,
            constraints=constraints_value(entry.constraints),
            fallback_msg=entry.fallback_msg,
            evidence=[_evidence(item) for item in entry.evidence],
        ),
    }


def accepted_value(item: AcceptedFinding) -> dict[str, str]:
    """Return an accepted finding as JSON values."""
    entry = {"finding": item.finding, "where": item.where, "digest": item.digest, "reason": item.reason}
    return entry | _filled(until=item.until)


def scope_value(scopes: tuple[Scope, ...]) -> str | list[str]:
    """Return scopes as they are written: one is a text, several are a list."""
    written = [scope.render() for scope in scopes]
    return written[0] if len(written) == 1 else written


def constraints_value(constraints: Constraints) -> dict[str, Any]:
    """Return constraints as JSON values; empty if there are none."""
    return _filled(
        workspace_only=constraints.workspace_only,
        resource_scope=[scope.render() for scope in constraints.resource_scope],
        denied_command_patterns=list(constraints.denied_command_patterns),
        arguments={name: _allowed(allowed) for name, allowed in constraints.arguments},
        time_window=_window(constraints.time_window) if constraints.time_window else None,
        rate_limit=_rate(constraints.rate_limit) if constraints.rate_limit else None,
        redact=constraints.redact,
    )


def _filled(**fields: Any) -> dict[str, Any]:
    """Return the fields that differ from their default: absent, false, zero or empty."""
    return {name: value for name, value in fields.items() if value}


def _metadata(metadata: Metadata) -> dict[str, Any]:
    return {
        "name": metadata.name,
        **_filled(
            version=metadata.version,
            trust_tier=metadata.trust_tier,
            classification=_classification(metadata.classification) if metadata.classification else None,
        ),
    }


def _classification(found: Classification) -> dict[str, Any]:
    sets = _filled(compartments=sorted(found.compartments), releasability=sorted(found.releasability))
    return {"label": found.label, "rank": found.rank, **sets}


def _allowed(allowed: Allowed) -> dict[str, str] | list[str | int | bool]:
    return {"pattern": allowed.pattern} if isinstance(allowed, Matching) else list(allowed)


def _window(window: TimeWindow) -> dict[str, Any]:
    clock = {
        name: _clock(at) for name, at, usual in (("from", window.start, 0), ("to", window.end, 1440)) if at != usual
    }
    return _filled(days=list(window.days)) | clock


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _rate(limit: RateLimit) -> dict[str, int]:
    return {"calls": limit.calls, "seconds": limit.seconds}


def _evidence(item: Evidence) -> dict[str, Any]:
    return {"file": item.file, "line": item.line, "text": item.text, **_filled(rule=item.rule)}


def _layout(value: Any, indent: int, used: int) -> str:
    """Return JSON indented by two spaces. What fits beside the `used` columns of its line stays on it, except for the
    document itself and for lists of objects: one entry, one line.
    """
    flat = one_line(value)
    fits = indent + used + len(flat) < WIDTH and not _lists_objects(value)
    if not isinstance(value, dict | list) or not value or (indent and fits):
        return flat
    inner = indent + 2
    if isinstance(value, list):
        return _between("[", [_layout(item, inner, 0) for item in value], "]", indent)
    keys = [f"{_text(name)}: " for name in value]
    lines = [key + _layout(item, inner, len(key)) for key, item in zip(keys, value.values(), strict=True)]
    return _between("{", lines, "}", indent)


def _lists_objects(value: Any) -> bool:
    if isinstance(value, list):
        return any(isinstance(item, dict) for item in value)
    return isinstance(value, dict) and any(map(_lists_objects, value.values()))


def _between(first: str, lines: list[str], last: str, indent: int) -> str:
    pad = "\n" + " " * (indent + 2)
    return first + pad + f",{pad}".join(lines) + "\n" + " " * indent + last


def one_line(value: Any) -> str:
    """Return JSON values on one line, written as in a document."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(name)}: {one_line(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(one_line, value)) + "]"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _text(text: str) -> str:
    written = json.dumps(text, ensure_ascii=False)
    return HIDDEN.sub(lambda found: json.dumps(found[0])[1:-1], written)
