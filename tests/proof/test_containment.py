"""Containment: inside means capability and scope, denials win and are listed apart, opaque is never contained."""

import re

from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.core import Effect, Location, Opaque, parse_scope, vocabulary
from remit.core.assumption import Assumption
from remit.core.via import recorded
from remit.manifest import Decision, Manifest, Permission, parse_manifest
from remit.manifest.model import Constraints, RateLimit, TimeWindow
from remit.policy.entry_matches import denies_wholly, may_deny
from remit.proof import Verdict, contain, remedy_for

WHERE = Location("scripts/a.py", 3)


def effect(capability: str, scope: str = "any") -> Effect:
    return Effect(capability, parse_scope(vocabulary()[capability].scope_kind, scope), WHERE, recorded("why"))


def entry(text: str, line: int = 1) -> Permission:
    """`-file.read ./x` denies, `?` asks."""
    decision = {"-": Decision.DENY, "?": Decision.CONFIRM}.get(text[0], Decision.ALLOW)
    capability, _, scope = text.lstrip("-?").partition(" ")
    name = vocabulary().expand(capability)[0]
    scopes = (parse_scope(vocabulary()[name].scope_kind, scope or "any"),)
    return Permission(capability, scopes, decision, line=line)


def judge(effects, entries, opaque=(), assumed=()):
    return contain(
        effects, opaque, assumed, Manifest("remit.json", tuple(entry(text, n) for n, text in enumerate(entries, 1)))
    )


def test_without_a_manifest_nothing_is_declared():
    assert contain([effect("pay")], [], [], None).verdict is Verdict.UNDECLARED


def test_an_empty_manifest_permits_nothing():
    assert judge([], []).verdict is Verdict.CONTAINED
    assert judge([effect("env.read", "HOME")], []).verdict is Verdict.ESCAPES


INSIDE = [
    ("file.read ./a", "file.read"),
    ("file.read ./a", "file.read ./**"),
    ("file.read ./a", "file.*"),
    ("file.read ./a", "*"),
    ("source.write ./a.py", "file.write ./**"),
    ("file.read <arg>", "file.read <arg>"),
    ("file.read <arg>/x", "file.read <arg>/**"),
    ("web.fetch api.example.com:443", "web.fetch *.example.com"),
    ("process.create git", "process.create git"),
    ("process.create git", "?process.create git"),
    ("pay", "pay"),
    ("secret.read ~/.ssh/id_rsa", "secret.read ~/.ssh/**"),
    ("file.write ./a.py", "source.write ./**"),  # a name that surely is source code
    ("file.read ./src/*.ts", "source.*"),
    ("file.write ./a.txt", "source.write ./**"),  # the entry says that what lies there is source code
    ("file.read <arg>", "source.read <arg>"),
    ("file.delete <arg>/Makefile", "source.delete"),
]
OUTSIDE = [
    ("file.read ./a", "file.write"),
    ("file.read any", "file.read ./**"),
    ("file.read ./ab", "file.read ./a"),
    ("file.write ./**", "source.write"),
    ("file.write ./a.txt", "source.write"),
    ("file.write ./a.txt", "source.write ./src/**"),
    ("file.write ./*.py*", "source.write"),
    ("file.write ./src/a.py", "source.write ./lib/**"),
    ("file.chmod ./a.py", "source.*"),
    ("source.execute ./a.py", "file.*"),
    ("file.read <arg>", "file.read ./**"),
    ("file.read <env:X>", "file.read <arg>"),
    ("web.fetch example.com", "web.fetch *.example.com"),
    ("web.fetch example.com.evil.net", "web.fetch example.com"),
    ("process.create ./git", "process.create git"),
    ("secret.read ~/.ssh/id_rsa", "file.read"),
    ("secret.read ~/.ssh/id_rsa", "file.*"),
    ("hook.install pre-commit", "file.write"),
]


@each_row(("found", "granted"), INSIDE)
def test_inside(found, granted):
    assert judge([effect(*found.split(" "))], [granted]).verdict is Verdict.CONTAINED


@each_row(("found", "granted"), OUTSIDE)
def test_outside(found, granted):
    result = judge([effect(*found.split(" "))], [granted])
    assert result.verdict is Verdict.ESCAPES
    assert result.escapes[0].reason
    assert result.escapes[0].remedy


def test_two_entries_do_not_cover_together():
    assert judge([effect("file.read", "./*")], ["file.read ./a*", "file.read ./**/b*"]).verdict is Verdict.ESCAPES


DENIED = [
    ("file.write ./out/a", "-file.write ./out/**"),
    ("file.write ./a.py", "-source.write ./**"),
    ("source.write ./a.py", "-file.write ./**"),
    ("file.write ./a", "-*"),
    ("file.write <arg>", "-file.write"),
]
MET = [
    ("file.write ./OUT/a", "-file.write ./out/**"),  # a file system may not tell them apart
    ("file.write ./**", "-file.write ./out/x"),
    ("file.write <arg>", "-file.write ./out/x"),
    ("file.write any", "-file.write ~/**"),
    ("file.write ./a.txt", "-source.write ./**"),  # it may be source code
    ("file.write ./a*", "-file.write ./A1"),
]
APART = [("file.write ./a", "-file.read"), ("file.write ./a", "-file.write ./b"), ("file.write ./a", "-secret.*")]


@each_row(("found", "denied"), DENIED)
@each_row("granted", [[], ["file.*"], ["*"]])
def test_what_a_denial_holds_wholly_is_an_attempt_whatever_is_granted(found, denied, granted):
    for entries in ([*granted, denied], [denied, *granted]):
        result = judge([effect(*found.split(" "))], entries)
        assert result.verdict is Verdict.CONTAINED
        assert [item.entry.effect for item in result.denied] == [Decision.DENY]
        assert not result.escapes
        (refused,) = residuals(result, "deny").values()
        assert refused.layer == "guard: denies"
        assert {item.kind for item in result.residuals} == {"deny"}  # what is not executed needs nothing else


@each_row(("found", "denied"), MET)
def test_what_a_denial_meets_in_part_needs_a_grant_and_leaves_a_condition(found, denied):
    assert judge([effect(*found.split(" "))], [denied]).verdict is Verdict.ESCAPES
    for entries in (["file.*", denied], [denied, "file.*"]):
        result = judge([effect(*found.split(" "))], entries)
        assert result.verdict is Verdict.CONTAINED
        assert not result.denied
        assert residuals(result, "deny")


@each_row(("found", "denied"), APART)
def test_a_denial_of_something_else_changes_nothing(found, denied):
    result = judge([effect(*found.split(" "))], ["file.*", denied])
    assert result.verdict is Verdict.CONTAINED
    assert not result.denied
    assert not residuals(result, "deny")


def test_a_denied_attempt_does_not_excuse_the_others():
    result = judge([effect("file.write", "./a"), effect("pay")], ["-pay"])
    assert result.verdict is Verdict.ESCAPES
    assert [item.effect.capability for item in result.escapes] == ["file.write"]
    assert [item.effect.capability for item in result.denied] == ["pay"]
    assert judge([effect("pay")], ["-pay"], [Opaque("unknown", WHERE)]).verdict is Verdict.OPAQUE


def constrained(text: str, line: int = 1, **constraints) -> Permission:
    found = entry(text, line)
    if "resource_scope" in constraints:
        kind = vocabulary()[vocabulary().expand(found.capability)[0]].scope_kind
        constraints["resource_scope"] = tuple(parse_scope(kind, scope) for scope in constraints["resource_scope"])
    return found._replace(constraints=Constraints(**constraints))


def held(found: str, *entries: Permission):
    return contain([effect(*found.split(" "))], (), (), Manifest("remit.json", entries))


@each_row(
    ("found", "granted", "constraints", "inside"),
    [
        ("file.read ./a", "file.read", {"resource_scope": ["./**"]}, True),
        ("file.read ~/a", "file.read", {"resource_scope": ["./**"]}, False),
        ("file.read ./a", "file.read ~/**", {"resource_scope": ["./**"]}, False),  # both must hold it
        ("file.read ./a", "file.read", {"resource_scope": ["~/**", "./a"]}, True),
        ("file.read ./*", "file.read", {"resource_scope": ["./a*", "./b*"]}, False),
        ("file.read any", "file.read", {"workspace_only": True}, False),
        ("file.read ./a", "file.read", {"workspace_only": True}, True),
        ("file.read <arg>", "file.read", {"workspace_only": True}, True),
        ("file.read <arg>/x", "file.read <arg>/**", {"workspace_only": True}, True),
        ("file.read <env:X>", "file.read", {"workspace_only": True}, False),
        ("file.read $TMP/a", "file.read", {"workspace_only": True}, False),
        ("file.read $SKILL/a", "file.read", {"workspace_only": True}, False),
        ("file.read ~/a", "file.read", {"workspace_only": True}, False),
        ("process.create ./run.sh", "process.create", {"workspace_only": True}, True),
        ("process.create git", "process.create", {"workspace_only": True}, False),  # found on the search path
        ("web.fetch a.example", "web.fetch", {"workspace_only": True}, False),  # no host lies in a folder
    ],
)
def test_scope_resource_scope_and_workspace_only_must_all_hold(found, granted, constraints, inside):
    result = held(found, constrained(granted, **constraints))
    assert (result.verdict is Verdict.CONTAINED) is inside
    assert inside or result.escapes[0].reason.startswith("declared for ")


def test_an_argument_is_bound_to_the_workspace_where_an_entry_asks_for_it():
    result = held("file.read <arg>", constrained("file.read", workspace_only=True))
    assert "workspace_only" in residuals(result, "constraint")["file.read any"].meaning
    assert residuals(result, "binding")
    assert not residuals(held("file.read ./a", constrained("file.read", workspace_only=True)), "constraint")


RUN_TIME = [
    {"denied_command_patterns": ("rm",)},
    {"arguments": (("a", (1,)),)},
    {"time_window": TimeWindow(("mon",))},
    {"rate_limit": RateLimit(1, 1)},
    {"redact": True},
]


@each_row("constraints", RUN_TIME, ids=lambda found: next(iter(found)))
def test_what_cannot_be_judged_before_a_run_is_left_to_the_guard(constraints):
    (name,) = constraints
    result = held("process.create git", constrained("process.create", 4, **constraints))
    assert result.verdict is Verdict.CONTAINED
    (found,) = residuals(result, "constraint").values()
    assert name in found.meaning
    assert "line 4" in found.meaning
    assert found.layer.startswith("guard")
    free = held("process.create git", constrained("process.create", **constraints), entry("process.create git", 2))
    # another entry grants it without the condition; but a pattern denies whatever else grants
    assert bool(residuals(free, "constraint")) is (name == "denied_command_patterns")


@each_row(
    ("found", "constraints", "attempt"),
    [
        ("file.write ./a", {"workspace_only": True}, True),
        ("file.write ~/a", {"workspace_only": True}, False),
        ("file.write <arg>", {"workspace_only": True}, False),
        ("file.write ./a", {"resource_scope": ["./**"]}, True),
        ("file.write ./a", {"resource_scope": ["./b"]}, False),
        ("file.write ./a", {"arguments": (("a", (1,)),)}, False),
        ("file.write ./a", {"time_window": TimeWindow(("mon",))}, False),
    ],
)
def test_a_denial_that_is_narrowed_denies_less(found, constraints, attempt):
    denial = constrained("-file.write", **constraints)
    assert bool(held(found, denial).denied) is attempt
    assert (held(found, denial).verdict is Verdict.CONTAINED) is attempt
    assert held(found, denial, entry("file.write", 2)).verdict is Verdict.CONTAINED


@each_row(
    ("found", "constraints", "met"),
    [
        ("file.write ./a", {"resource_scope": ["./b"]}, False),
        ("file.write ./*", {"resource_scope": ["./b", "~/**"]}, True),
        ("file.write /etc/a", {"workspace_only": True}, True),  # the workspace may lie there
        ("process.create git", {"workspace_only": True}, False),
        ("web.post a.example", {"resource_scope": ["b.example"]}, False),
        ("file.write ./a", {"arguments": (("a", (1,)),)}, True),
    ],
)
def test_a_denial_that_is_narrowed_meets_less(found, constraints, met):
    capability = found.partition(" ")[0]
    denial = constrained(f"-{capability}", **constraints)
    assert bool(residuals(held(found, denial, entry(capability, 2)), "deny")) is met


def test_what_is_denied_is_masked_though_it_is_granted():
    result = judge([effect("file.read")], ["file.read", "secret.read", "-secret.read ~/.aws/**"])
    assert "secret.read" in residuals(result, "mask")


def test_several_scopes_are_alternatives():
    both = Permission("file.read", (parse_scope("path", "./a"), parse_scope("path", "./b/**")), Decision.ALLOW)
    assert held("file.read ./a", both).verdict is Verdict.CONTAINED
    assert held("file.read ./b/c", both).verdict is Verdict.CONTAINED
    assert held("file.read ./c", both).verdict is Verdict.ESCAPES
    assert held("file.read ./c", both).escapes[0].reason == "declared for ./a, ./b/** only"


def test_opaque_is_never_contained():
    place = Opaque("unknown", WHERE)
    assert judge([], ["*"], [place]).verdict is Verdict.OPAQUE
    assert judge([effect("pay")], ["*"], [place]).verdict is Verdict.OPAQUE
    assert judge([effect("pay")], [], [place]).verdict is Verdict.ESCAPES


def test_unused_entries():
    result = judge(
        [effect("file.read", "./a"), effect("file.write", "any")],
        ["file.read ./**", "file.read ~/**", "file.write ./out/**", "pay", "-publish", "secret.write"],
    )
    # part of an unknown path needs `file.write ./out/**`, and masking `secret.write`; a denial is never unused
    assert [item.line for item in result.unused] == [2, 4]


def residuals(result, kind):
    return {item.subject: item for item in result.residuals if item.kind == kind}


def test_broad_scopes_leave_sensitive_places_to_be_masked():
    wide = judge([effect("file.read")], ["file.read"])
    assert wide.verdict is Verdict.CONTAINED
    assert "secret.read" in residuals(wide, "mask")
    assert residuals(wide, "mask")["secret.read"].layer.startswith("capsule")
    granted = judge([effect("file.read")], ["file.read", "secret.read"])
    assert "secret.read" not in residuals(granted, "mask")
    partly = judge([effect("file.read")], ["file.read", "secret.read ~/.aws/**"])
    assert "secret.read" in residuals(partly, "mask")
    narrow = judge([effect("file.read", "./data.csv")], ["file.read"])
    assert not residuals(narrow, "mask")


def test_symbols_are_bound_at_run_time():
    result = judge([effect("file.read", "<arg>"), effect("web.fetch", "<env:HOST>")], ["*"])
    assert set(residuals(result, "binding")) == {"<arg>", "<env:HOST>"}
    assert not residuals(judge([effect("file.read", "./a")], ["*"]), "binding")


def test_what_only_asking_covers_waits_for_a_person():
    assert residuals(judge([effect("pay")], ["?pay"]), "confirm")
    assert residuals(judge([effect("pay")], ["?pay", "*"]), "confirm")  # of two that are equal, the one that asks


def test_priority_decides_between_allowing_and_asking():
    asks, allows = entry("?pay"), entry("pay")
    assert residuals(held("pay", asks, allows), "confirm")
    assert not residuals(held("pay", asks, allows._replace(priority=1)), "confirm")
    assert residuals(held("pay", asks._replace(priority=2), allows._replace(priority=1)), "confirm")
    denies = entry("-pay")._replace(priority=-5)
    assert held("pay", denies, allows._replace(priority=9)).denied  # deny wins over every priority


def test_without_an_effect_the_level_of_the_name_that_grants_decides():
    assert not residuals(held("env.read HOME", Permission("env.read")), "confirm")
    assert residuals(held("file.read ./a.py", Permission("file.read")), "confirm")
    assert not residuals(held("file.read ./a.py", Permission("source.read")), "confirm")


def test_assumptions_are_residuals_with_their_layer():
    result = judge([], ["*"], assumed=[Assumption("dns", "names are true", "capsule: proxy")])
    assert residuals(result, "assumption")["dns"].layer == "capsule: proxy"


PATHS = ["any", "./a", "./a/b", "./**", "./a/*", "~/x", "/etc/hosts", "<arg>", "<arg>/x"]
ENTRIES = st.sampled_from(
    [f"{mark}file.{verb} {path}" for mark in ("", "-", "?") for verb in ("read", "write", "*") for path in PATHS]
)
DENIALS, GRANTS = (ENTRIES.filter(lambda text, mark=mark: text.startswith("-") is mark) for mark in (True, False))
EFFECTS = st.builds(effect, st.sampled_from(["file.read", "file.write", "source.read"]), st.sampled_from(PATHS))
ORDER = {Verdict.CONTAINED: 0, Verdict.OPAQUE: 1, Verdict.ESCAPES: 2}


def sorted_out(effects, entries):
    """The effects that escape, that are denied, and that are inside."""
    result = judge(effects, entries)
    escapes = {found.effect for found in result.escapes}
    denied = {found.effect for found in result.denied}
    assert not escapes & denied
    return escapes, denied, set(effects) - escapes - denied


@given(st.lists(EFFECTS, max_size=4), st.lists(ENTRIES, max_size=4), GRANTS)
def test_granting_more_never_hurts_and_lifts_no_denial(effects, entries, extra):
    before, after = sorted_out(effects, entries), sorted_out(effects, [*entries, extra])
    assert after[0] <= before[0]
    assert after[1] == before[1]
    assert after[2] >= before[2]


@given(st.lists(EFFECTS, max_size=4), st.lists(ENTRIES, max_size=4), DENIALS)
def test_denying_more_never_makes_an_effect_granted(effects, entries, extra):
    before, after = sorted_out(effects, entries), sorted_out(effects, [*entries, extra])
    assert after[2] <= before[2]
    assert after[1] >= before[1]
    assert before[0] - after[0] <= after[1]  # what escapes no longer is denied now


@given(st.lists(EFFECTS, max_size=4), st.lists(ENTRIES, max_size=4))
def test_whatever_a_denial_meets_is_refused_at_run_time(effects, entries):
    result = judge(effects, entries)
    refused = set(residuals(result, "deny"))
    denied = {found.effect for found in result.denied}
    for denial in (entry(text) for text in entries if text.startswith("-")):
        for found in effects:
            if found not in denied and may_deny(denial, found):
                assert f"{denial.capability} {denial.place}" in refused
            assert may_deny(denial, found) >= denies_wholly(denial, found)


@given(st.lists(EFFECTS, max_size=4), EFFECTS, st.lists(ENTRIES, max_size=4))
def test_doing_more_never_helps(effects, extra, entries):
    assert ORDER[judge(effects, entries).verdict] <= ORDER[judge([*effects, extra], entries).verdict]


@given(st.lists(EFFECTS, max_size=4), st.lists(ENTRIES, max_size=4), st.randoms())
def test_the_order_of_entries_does_not_matter(effects, entries, random):
    shuffled = entries[:]
    random.shuffle(shuffled)
    assert judge(effects, entries).verdict is judge(effects, shuffled).verdict
    assert sorted_out(effects, entries) == sorted_out(effects, shuffled)


@given(st.lists(EFFECTS, min_size=1, max_size=4), st.lists(ENTRIES, max_size=3))
def test_what_the_remedy_suggests_is_read_and_helps(effects, entries):
    groups: dict[str, list] = {}
    for found in judge(effects, entries).escapes:
        groups.setdefault(found.effect.capability, []).append(found.effect)
    texts = [remedy_for(found, declared=False) for found in groups.values()]
    written = ", ".join(re.fullmatch(r"add (.*) to the manifest, or .*", text)[1] for text in texts)
    suggested = parse_manifest(f'{{"permissions": [{written}]}}'.encode(), "remit.json").permissions
    manifest = Manifest("remit.json", (*(entry(text) for text in entries), *suggested))
    assert not contain(effects, (), (), manifest).escapes


def test_one_remedy_for_several_scopes():
    found = [effect("process.create", "git"), effect("process.create", "rm"), effect("process.create", "git")]
    assert '"scope": ["git", "rm"]}' in remedy_for(found, declared=True)
    assert '{"capability": "process.create"}' in remedy_for([*found, effect("process.create")], declared=True)
