"""What comes back from a foreign format permits what went in, or the difference is said.

A reference decides single requests, without looking at how scopes are compared or losses are found. Conditions that are
known only at run time (patterns, arguments, times, rates, masked values) hold or not by chance.
"""

import json
import zlib

from hypothesis import example, given, settings
from hypothesis import strategies as st
from manifest_values import PATTERNS, manifests

from by_day import many
from each_row import each_row
from remit.core import parse_scope, vocabulary
from remit.core.capability import matches
from remit.core.scope import ANY_SCOPE, covers
from remit.core.source import as_source
from remit.manifest.foreign.enclawed_read import read_enclawed
from remit.manifest.foreign.enclawed_write import write_enclawed, write_enclawed_json
from remit.manifest.foreign.permissions import changed, permits_more
from remit.manifest.foreign.result import LossKind
from remit.manifest.foreign.skillguard_read import read_skillguard
from remit.manifest.foreign.skillguard_write import write_skillguard
from remit.manifest.foreign.tools_read import read_tools
from remit.manifest.foreign.tools_write import write_tools
from remit.manifest.model import Constraints, Decision, Manifest, Permission

REQUESTS = {
    "path": [
        "./a",
        "./a/b",
        "./b",
        "~/x1",
        "~/y",
        "/etc/hosts",
        "/etc/x",
        "$SKILL/f",
        "$TMP/f",
        "./a\\[1]",
        "./a/x.py",
    ],
    "host": ["a.example:443", "q.b.example:80", "c.example:443", "c.example:80", "[::1]:80", "z.example:443"],
    "program": ["git", "./run.sh", "python", "/bin/true", "rm"],
    "name": ["HOME", "A_1", "\\any", "other"],
    "tool": ["mcp__github__x", "Read", "mcp__other__y"],
    "number": ["1", "4", "7", "30"],
    "none": ["any"],
}
ORDER = [Decision.DENY, Decision.CONFIRM, Decision.ALLOW]
WORKSPACE = parse_scope("path", "./**")


def conditions(found: Constraints, kind: str):
    """What must hold besides the scopes, each as something that chance can decide on."""
    yield from (("pattern", pattern) for pattern in found.denied_command_patterns)
    yield from (("argument", argument) for argument in found.arguments)
    for name in ("time_window", "rate_limit", "redact"):
        if value := getattr(found, name):
            yield (name, value)
    if found.workspace_only and kind != "path":
        yield ("workspace_only", True)


def speaks_as(entry: Permission, capability: str, request) -> str | None:
    """The name under which an entry speaks of a request: `source.X` of `file.X` by the file's name, or where it grants."""
    if matches(entry.capability, capability):
        return capability
    source = capability.replace("file.", "source.")
    if source == capability or source not in vocabulary() or not matches(entry.capability, source):
        return None
    granted = entry.decision(source) is not Decision.DENY
    named = any(scope != ANY_SCOPE and covers(scope, request) for scope in entry.scopes)
    return source if as_source(capability, request) or (granted and named) else None


def decide(manifest: Manifest, capability: str, request, chance: int) -> Decision:
    kind = vocabulary()[capability].scope_kind
    applying: list[Permission] = []
    decisions: list[Decision] = []
    for entry in manifest.permissions:
        name = speaks_as(entry, capability, request)
        limits = [entry.scopes, entry.constraints.resource_scope or entry.scopes]
        if entry.constraints.workspace_only and kind == "path":
            limits.append((WORKSPACE,))
        if (
            name
            and all(any(covers(scope, request) for scope in limit) for limit in limits)
            and all(zlib.crc32(f"{found} {chance}".encode()) % 2 for found in conditions(entry.constraints, kind))
        ):
            applying.append(entry)
            decisions.append(entry.decision(name))
    if Decision.DENY in decisions or not decisions:
        return Decision.DENY
    highest = max(entry.priority for entry in applying)
    top = {found for entry, found in zip(applying, decisions, strict=True) if entry.priority == highest}
    return Decision.CONFIRM if Decision.CONFIRM in top else Decision.ALLOW


def said(losses, kind, capability):
    return any(loss.kind is kind and any(matches(name, capability) for name in loss.capabilities) for loss in losses)


def check(manifest, back, losses, chance):
    for capability in vocabulary():
        for text in REQUESTS[capability.scope_kind]:
            request = parse_scope(capability.scope_kind, text)
            before = ORDER.index(decide(manifest, capability.name, request, chance))
            after = ORDER.index(decide(back, capability.name, request, chance))
            where = f"{capability.name} {text}: {ORDER[before]} → {ORDER[after]}"
            assert after <= before or said(losses, LossKind.WIDENED, capability.name), where
            assert after >= before or said(losses, LossKind.NARROWED, capability.name), where


@given(manifests, st.integers(0, 9))
@settings(max_examples=many(100), deadline=None)
def test_skillguard_loses_nothing_silently(manifest, chance):
    written = write_skillguard(manifest)
    check(manifest, read_skillguard(written.text.encode(), "m.json").manifest, written.losses, chance)


@given(manifests, st.integers(0, 9))
@settings(max_examples=many(100), deadline=None)
def test_enclawed_loses_nothing_silently(manifest, chance):
    written = write_enclawed(manifest)
    check(manifest, read_enclawed(f"---\n{written.text}---\n".encode(), "SKILL.md").manifest, written.losses, chance)


@given(manifests)
@settings(max_examples=50, deadline=None)
def test_both_forms_of_enclawed_say_the_same(manifest):
    front = read_enclawed(f"---\n{write_enclawed(manifest).text}---\n".encode(), "SKILL.md").manifest
    document = json.loads(write_enclawed_json(manifest).text) | {"id": "x"}
    other = read_enclawed(json.dumps(document).encode(), "skill.json").manifest
    assert [entry._replace(line=0) for entry in front.permissions] == [
        entry._replace(line=0) for entry in other.permissions
    ]
    assert front.verification is other.verification


ASKED_FOR_SOURCE = Manifest(
    "m",
    (
        Permission("file.read", effect=Decision.ALLOW),
        Permission("source.read", (parse_scope("path", "./a/**"),), Decision.CONFIRM),
    ),
)


@example(ASKED_FOR_SOURCE, 0)
@given(manifests, st.integers(0, 9))
@settings(max_examples=many(100), deadline=None)
def test_allowed_tools_lose_nothing_silently_and_never_widen(manifest, chance):
    written = write_tools(manifest)
    back = read_tools(f"---\n{written.text}---\n".encode(), "SKILL.md")
    check(manifest, back.manifest, written.losses, chance)
    assert back.losses == ()
    assert not [loss for loss in written.losses if loss.kind is LossKind.WIDENED]


def scopes(*texts):
    return st.lists(st.sampled_from([parse_scope("path", text) for text in texts]), unique=True, min_size=1, max_size=2)


PLACES = ("any", "./**", "./a/**", "./a", "./*", "~/**", "/etc/hosts", "./a/*.py")
small_constraints = st.builds(
    Constraints,
    workspace_only=st.booleans(),
    resource_scope=st.just(()) | scopes(*PLACES).map(tuple),
    denied_command_patterns=st.sampled_from([(), (), ("rm",), ("rm", "git")]),
    redact=st.booleans(),
)
small_entries = st.builds(
    Permission,
    st.sampled_from(["file.read", "file.*", "source.read"]),
    scopes(*PLACES).map(tuple),
    st.none() | st.sampled_from(Decision),
    st.integers(0, 2),
    st.just(Constraints()) | small_constraints,
)
small_manifests = st.lists(small_entries, max_size=3).map(lambda found: Manifest("m", tuple(found)))


@given(small_manifests, small_manifests, st.sets(st.integers(0, 9), min_size=3, max_size=3))
@settings(max_examples=many(250), deadline=None)
def test_the_comparison_misses_nothing(one, other, chances):
    """Whatever a second manifest permits and the first does not, the comparison finds: also between unlike ones."""
    for capability in ("file.read", "source.read"):
        for text in REQUESTS["path"]:
            request = parse_scope("path", text)
            for chance in chances:
                before, after = (ORDER.index(decide(found, capability, request, chance)) for found in (one, other))
                assert after <= before or permits_more(one, other, capability), (capability, text)


def entry(effect, *places, within=(), **more):
    found = [tuple(parse_scope("path", text) for text in texts) for texts in (places or ("any",), within)]
    return Permission("file.read", found[0], Decision(effect), constraints=Constraints(resource_scope=found[1]), **more)


@each_row(
    ("before", "after"),
    [
        ([entry("allow"), entry("deny", "./a/**")], [entry("allow"), entry("confirm", "./a/**", priority=9)]),
        ([entry("allow"), entry("deny", "./a/**")], [entry("allow"), entry("deny", "./a/b")]),
        ([entry("allow"), entry("confirm", "./a")], [entry("allow", priority=1), entry("confirm", "./a")]),
        ([entry("allow", "./a")], [entry("allow", "./a*", within=["./*b"])]),
        ([entry("allow", "./a*", within=["./*b"])], [entry("allow", "./a1")]),
        ([entry("allow"), entry("deny", "./a*")], [entry("allow"), entry("deny", "./a*", within=["./*b"])]),
        ([], [entry("confirm")]),
        ([entry("confirm")], [entry("allow")]),
        ([], [entry("allow", "./a")._replace(capability="source.read")]),
        (
            [entry("allow")._replace(capability="source.read")],
            [entry("allow", "./a")._replace(capability="source.read")],
        ),
        (
            [entry("allow"), entry("deny", "./a")],
            [entry("allow"), entry("deny", "./a")._replace(capability="source.read")],
        ),
    ],
)
def test_more_that_is_easily_missed(before, after):
    one, other = Manifest("m", tuple(before)), Manifest("m", tuple(after))
    assert permits_more(one, other, "file.read")
    assert not permits_more(one, one, "file.read")


@given(manifests)
@settings(max_examples=50, deadline=None)
def test_a_manifest_permits_no_more_than_itself(manifest):
    backwards = manifest._replace(permissions=manifest.permissions[::-1])
    assert changed(manifest, backwards) == ((), ())


def test_the_reference_notices_a_denial_that_is_gone():
    """The check itself can fail."""
    whole = Manifest(
        "m", (Permission("file.*", effect=Decision.ALLOW), Permission("file.delete", effect=Decision.DENY))
    )
    try:
        check(whole, whole._replace(permissions=whole.permissions[:1]), (), 0)
    except AssertionError as error:
        assert "file.delete" in str(error)  # noqa: PT017
    else:
        raise AssertionError


# ── documents of theirs ──

NAMES = sorted(vocabulary().skillguard)
PATHS = [name for name in NAMES if vocabulary()[vocabulary().expand_skillguard(name)[0]].scope_kind == "path"]
constraints = st.none() | st.fixed_dictionaries(
    {},
    optional={
        "workspace_only": st.booleans(),
        "denied_command_patterns": st.lists(st.sampled_from(PATTERNS), unique=True, max_size=2),
        "arguments": st.just({"mode": ["a", 1, True]}),
        "time_window": st.just({"days": ["mon"], "from": "08:00"}),
        "rate_limit": st.just({"calls": 3, "seconds": 60}),
    },
)
prefixes = st.lists(st.sampled_from(["./a", ".", "~/x", "/etc", "./*.md", "docs/**"]), unique=True, min_size=1)


@st.composite
def skillguard_entries(draw):
    found = draw(constraints)
    name = draw(st.sampled_from([*NAMES, "*", "filesystem.*", "repl.*", "policy.*", "tool.*"]))
    effect = draw(st.sampled_from(["allow", "confirm", "deny"]))
    if found and effect == "deny":
        found = {key: value for key, value in found.items() if key in ("workspace_only", "arguments", "time_window")}
    if name in PATHS and draw(st.booleans()):
        found = {**(found or {}), "resource_scope": draw(prefixes)}
    entry = {"capability": name, "effect": effect, "constraints": found, "priority": draw(st.integers(-5, 50))}
    return {**entry, "fallback_msg": draw(st.sampled_from([None, "Allow?", "Löschen?"]))}


skillguard_documents = st.fixed_dictionaries(
    {"permissions": st.lists(skillguard_entries(), max_size=5)},
    optional={"skill_metadata": st.just({"name": "pdf", "version": "1.0", "trust_tier": 3})},
)


@given(skillguard_documents)
@settings(max_examples=many(100), deadline=None)
def test_a_document_of_skillguard_comes_back_as_it_was(document):
    found = read_skillguard(json.dumps(document).encode(), "m.json")
    written = write_skillguard(found.manifest)
    back = read_skillguard(written.text.encode(), "m.json")
    assert changed(found.manifest, back.manifest) == ((), ())
    assert back.manifest.skill_metadata == found.manifest.skill_metadata
    assert {loss.kind for loss in written.losses} <= {LossKind.UNSURE}


ARGUMENTS = {
    "net.egress": ["*.example.com", "a.example:443"],
    "fs.read": ["./.cache/", "~/x"],
    "fs.write.rev": ["./out/**"],
    "fs.write.irrev": ["./out/**", "./tmp/"],
    "spawn.proc": ["git", "./run.sh"],
    "tool.invoke": ["mcp__x__*"],
    "publish": ["#news"],
    "pay": ["..10"],
    "mutate.schema": ["users"],
}
tokens = st.sampled_from(sorted(vocabulary().enclawed)).flatmap(
    lambda name: st.sampled_from([name, *(f"{name}({argument})" for argument in ARGUMENTS[name])])
)
enclawed_documents = st.fixed_dictionaries(
    {"id": st.just("x"), "caps": st.lists(tokens, max_size=6)},
    optional={
        "v": st.just(1),
        "version": st.integers(0, 10**9),
        "verification": st.sampled_from(["unverified", "declared", "tested", "formal"]),
        "label": st.builds(
            lambda level, names: {"level": level, "compartments": names},
            st.integers(0, 5),
            st.lists(st.sampled_from(["finance", "medical"]), unique=True),
        ),
    },
)


@given(enclawed_documents)
@settings(max_examples=many(100), deadline=None)
def test_a_document_of_enclawed_comes_back_as_it_was(document):
    found = read_enclawed(json.dumps(document).encode(), "skill.json")
    written = write_enclawed(found.manifest)
    back = read_enclawed(f"---\n{written.text}---\n".encode(), "SKILL.md")
    assert changed(found.manifest, back.manifest) == ((), ())
    assert (back.manifest.skill_metadata, back.manifest.verification) == (
        found.manifest.skill_metadata,
        found.manifest.verification,
    )
    assert {loss.kind for loss in written.losses} <= {LossKind.UNSURE}


def test_every_token_has_an_argument_here():
    assert set(ARGUMENTS) == set(vocabulary().enclawed)
