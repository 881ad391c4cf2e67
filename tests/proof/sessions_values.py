"""A small skill for Method C: one script with effects of every standing, and a manifest that speaks of them."""

from remit.core.capability import vocabulary
from remit.core.effect import Effect, Origin
from remit.core.location import Location
from remit.core.scope import parse_scope
from remit.core.via import recorded
from remit.manifest.model import Decision, Manifest, Permission


def scope(capability, text):
    return parse_scope(vocabulary()[capability].scope_kind, text)


def entry(capability, text, effect=Decision.ALLOW):
    return Permission(capability, (scope(capability, text),), effect)


def effect(capability, text, line=1, file="scripts/work.py", origin=Origin.SCRIPT):
    return Effect(capability, scope(capability, text), Location(file, line), recorded("a test says so"), origin)


MANIFEST = Manifest(
    "remit.json",
    (
        entry("file.read", "./data/**"),
        entry("file.write", "./out/**"),
        entry("web.post", "api.example.com"),
        entry("message.send", "*", Decision.CONFIRM),
        entry("file.delete", "./**", Decision.DENY),
    ),
)
EFFECTS = (
    effect("file.read", "./data/in.csv", 3),
    effect("file.write", "./out/report.txt", 5),
    effect("web.post", "api.example.com", 7),
)
