"""What an analysis of a small skill could find, by hand: SKILL.md starts a.py, which calls helper.py and starts b.sh."""

from remit.core import Effect, Location, Origin, parse_scope, vocabulary
from remit.core.effect import Command
from remit.core.via import recorded
from remit.manifest import Manifest, parse_manifest
from remit.proof import Evidence, contain, counterexamples

DIGESTS = {
    name: "sha256:" + str(number) * 64
    for number, name in enumerate(("SKILL.md", "a.py", "b.sh", "helper.py", "hook.sh", "lone.sh"))
}


def effect(text: str, where: str, origin: Origin = Origin.SCRIPT, path: str = "") -> Effect:
    capability, _, scope = text.partition(" ")
    parsed = parse_scope(vocabulary()[capability].scope_kind, scope or "any")
    return Effect(
        capability, parsed, place(where), recorded(f"`{capability}`"), origin, tuple(map(place, path.split()))
    )


def place(text: str) -> Location:
    file, _, line = text.partition(":")
    return Location(file, int(line or 0))


START = effect("source.execute ./a.py", "SKILL.md:9", Origin.INSTRUCTED)
HOOKED = effect("source.execute $SKILL/hook.sh", "SKILL.md:4", Origin.HOOK)
INNER = effect("source.execute ./b.sh", "a.py:7", path="a.py:9")
WRITES = effect("file.write ./out/x.txt", "helper.py:2", path="a.py:9 a.py:6")
FETCHES = effect("web.fetch evil.example:443", "b.sh:1")
TOLD = effect("file.delete ./old/**", "SKILL.md:12", Origin.INSTRUCTED)
BY_HOOK = effect("file.read ~/.netrc.d/*", "hook.sh:3")
LONE = effect("process.create rm", "lone.sh:1")
EFFECTS = (START, HOOKED, INNER, WRITES, FETCHES, TOLD, BY_HOOK, LONE)
COMMANDS = (
    Command("python3", "python3 a.py <arg>", Location("SKILL.md", 9)),
    Command("rm", "rm -rf ./old", Location("SKILL.md", 12)),
    Command("bash", "bash hook.sh", Location("SKILL.md", 4), Origin.HOOK),
)
FOUND = Evidence(EFFECTS, COMMANDS, DIGESTS)
ENTRIES = '{"capability": "source.execute", "scope": ["./a.py", "./b.sh", "$SKILL/hook.sh"]}'


def manifest(*entries: str) -> Manifest:
    return parse_manifest(f'{{"permissions": [{", ".join((ENTRIES, *entries))}]}}'.encode(), "remit.json")


def sessions(found: Evidence = FOUND, given: Manifest | None = None):
    given = given or manifest()
    return counterexamples(found, contain(found.effects, (), (), given).escapes, given)


def session(wanted: Effect, found: Evidence = FOUND, given: Manifest | None = None):
    (only,) = [
        item
        for item in sessions(found, given)
        if (item.effect.capability, item.effect.scope) == (wanted.capability, wanted.scope)
    ]
    return only
