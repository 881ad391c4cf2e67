"""Parser of one permission entry, of a manifest or of the defaults of a workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.scope import ANY_SCOPE
from remit.manifest import fields as f
from remit.manifest.constraints_read import read_constraints
from remit.manifest.model import Constraints, Decision, Evidence, Permission
from remit.manifest.words import meant

if TYPE_CHECKING:
    from remit.manifest.jsontext import Node, Reader

PRIORITY = 1_000_000
LINES = 10_000_000
_STATE = "remove it: who granted what, and until when, is state of a session and is never written by hand"
SESSION_STATE = dict.fromkeys(("source", "granted_at", "expires_at"), _STATE)


def read_entries(reader: Reader, node: Node) -> tuple[Permission, ...]:
    """Parse the list `permissions`."""
    entries = f.items(reader, node, "permissions", f.ENTRIES)
    return tuple(read_entry(reader, entry) for entry in entries)


def read_entry(reader: Reader, node: Node) -> Permission:
    """Parse one entry. Without `scope` it is for everything; without `effect` the level of the capability decides."""
    found = f.fields(
        reader,
        node,
        "a permission",
        ("capability",),
        ("scope", "effect", "priority", "constraints", "fallback_msg", "evidence"),
        nullable=("priority", "constraints", "fallback_msg"),
        elsewhere=SESSION_STATE,
    )
    capability = _capability(reader, found["capability"])
    effect = f.word(reader, found["effect"], "effect", Decision) if "effect" in found else None
    return Permission(
        capability,
        f.scopes(reader, found["scope"], "scope", capability) if "scope" in found else (ANY_SCOPE,),
        effect,
        f.whole(reader, found["priority"], "priority", -PRIORITY, PRIORITY) if "priority" in found else 0,
        read_constraints(reader, found["constraints"], capability, effect) if "constraints" in found else Constraints(),
        f.readable(reader, found["fallback_msg"], "fallback_msg", empty=True) if "fallback_msg" in found else "",
        _evidence(reader, found["evidence"]) if "evidence" in found else (),
        reader.line(node.at),
    )


def _capability(reader: Reader, node: Node) -> str:
    name = f.text(reader, node, "capability", f.NAME, empty=True)
    if not vocabulary().expand(name):
        asked = meant(name, [capability.name for capability in vocabulary()])
        raise reader.fail(node.at, f"`{name}` is not a capability", f"{asked}`remit explain` lists all")
    return name


def _evidence(reader: Reader, node: Node) -> tuple[Evidence, ...]:
    return tuple(_one_evidence(reader, item) for item in f.items(reader, node, "evidence", f.MANY))


def _one_evidence(reader: Reader, node: Node) -> Evidence:
    """Text quoted from a skill may contain any character; the code that shows it must escape it."""
    found = f.fields(reader, node, "an evidence", ("file", "line", "text"), ("rule",))
    return Evidence(
        f.text(reader, found["file"], "file", f.LONG),
        f.whole(reader, found["line"], "line", 0, LINES),
        f.text(reader, found["text"], "text", f.LONG, empty=True),
        f.readable(reader, found["rule"], "rule", f.NAME, empty=True) if "rule" in found else "",
    )
