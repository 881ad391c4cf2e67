"""What the tests of Method B share: short ways to write manifests and effects, and one memory of the checkers' stubs."""

import os
import tempfile
from pathlib import Path

from remit.core import Effect, Location, parse_scope, vocabulary
from remit.core.via import recorded
from remit.manifest import Decision, Manifest, Permission

# tests prove many things; reading stubs each time is slow
CACHE = Path(tempfile.gettempdir()) / f"remit-test-checkers-{os.getuid()}"
WHERE = Location("scripts/a.py", 3)


def effect(text: str) -> Effect:
    """`file.read ./x`; without a scope it is on anything."""
    capability, _, scope = text.partition(" ")
    return Effect(capability, parse_scope(vocabulary()[capability].scope_kind, scope or "any"), WHERE, recorded("why"))


def entry(text: str) -> Permission:
    """`-file.read ./x` denies, `?` asks."""
    decision = {"-": Decision.DENY, "?": Decision.CONFIRM}.get(text[0], Decision.ALLOW)
    capability, _, scope = text.lstrip("-?").partition(" ")
    name = vocabulary().expand(capability)[0]
    return Permission(capability, (parse_scope(vocabulary()[name].scope_kind, scope or "any"),), decision)


def manifest(*entries: str) -> Manifest:
    return Manifest("remit.json", tuple(map(entry, entries)))
