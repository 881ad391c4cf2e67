"""Containment: inside means capability and scope, denials win, opaque is never contained."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remit.core import Effect, Location, Opaque, parse_scope, vocabulary
from remit.core.assumption import Assumption
from remit.manifest import Decision, Manifest, Permission
from remit.proof import Verdict, contain

WHERE = Location("scripts/a.py", 3)


def effect(capability: str, scope: str = "any") -> Effect:
    return Effect(capability, parse_scope(vocabulary()[capability].scope_kind, scope), WHERE, "why")


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
]
OUTSIDE = [
    ("file.read ./a", "file.write"),
    ("file.read any", "file.read ./**"),
    ("file.read ./ab", "file.read ./a"),
    ("file.write ./a.py", "source.write ./**"),
    ("file.read <arg>", "file.read ./**"),
    ("file.read <env:X>", "file.read <arg>"),
    ("web.fetch example.com", "web.fetch *.example.com"),
    ("web.fetch example.com.evil.net", "web.fetch example.com"),
    ("process.create ./git", "process.create git"),
    ("secret.read ~/.ssh/id_rsa", "file.read"),
    ("secret.read ~/.ssh/id_rsa", "file.*"),
    ("hook.install pre-commit", "file.write"),
]


@pytest.mark.parametrize(("found", "granted"), INSIDE)
def test_inside(found, granted):
    assert judge([effect(*found.split(" "))], [granted]).verdict is Verdict.CONTAINED


@pytest.mark.parametrize(("found", "granted"), OUTSIDE)
def test_outside(found, granted):
    result = judge([effect(*found.split(" "))], [granted])
    assert result.verdict is Verdict.ESCAPES
    assert result.escapes[0].reason
    assert result.escapes[0].remedy


def test_two_entries_do_not_cover_together():
    assert judge([effect("file.read", "./*")], ["file.read ./a*", "file.read ./**/b*"]).verdict is Verdict.ESCAPES


@pytest.mark.parametrize(
    ("found", "denied", "verdict"),
    [
        ("file.write ./out/a", "-file.write ./out/**", Verdict.ESCAPES),
        ("file.write ./OUT/a", "-file.write ./out/**", Verdict.ESCAPES),  # a file system may not tell them apart
        ("file.write ./**", "-file.write ./out/x", Verdict.ESCAPES),
        ("file.write <arg>", "-file.write ./out/x", Verdict.ESCAPES),
        ("file.write ./a.py", "-source.write ./**", Verdict.ESCAPES),
        ("source.write ./a.py", "-file.write ./**", Verdict.ESCAPES),
        ("file.write ./a", "-file.read", Verdict.CONTAINED),
        ("file.write ./a", "-file.write ./b", Verdict.CONTAINED),
        ("file.write ./a", "-*", Verdict.ESCAPES),
    ],
)
def test_a_denial_wins_wherever_it_can_meet_the_effect(found, denied, verdict):
    entries = ["file.*", denied]
    assert judge([effect(*found.split(" "))], entries).verdict is verdict
    assert judge([effect(*found.split(" "))], entries[::-1]).verdict is verdict


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
    assert not residuals(judge([effect("pay")], ["?pay", "*"]), "confirm")


def test_assumptions_are_residuals_with_their_layer():
    result = judge([], ["*"], assumed=[Assumption("dns", "names are true", "capsule: proxy")])
    assert residuals(result, "assumption")["dns"].layer == "capsule: proxy"


PATHS = ["any", "./a", "./a/b", "./**", "./a/*", "~/x", "/etc/hosts", "<arg>", "<arg>/x"]
ENTRIES = st.sampled_from(
    [f"{mark}file.{verb} {path}" for mark in ("", "-", "?") for verb in ("read", "write", "*") for path in PATHS]
)
EFFECTS = st.builds(effect, st.sampled_from(["file.read", "file.write", "source.read"]), st.sampled_from(PATHS))
ORDER = {Verdict.CONTAINED: 0, Verdict.OPAQUE: 1, Verdict.ESCAPES: 2}


@given(st.lists(EFFECTS, max_size=4), st.lists(ENTRIES, max_size=4), ENTRIES)
def test_granting_more_never_hurts_and_denying_more_never_helps(effects, entries, extra):
    before = {found.effect for found in judge(effects, entries).escapes}
    after = {found.effect for found in judge(effects, [*entries, extra]).escapes}
    assert before <= after if extra.startswith("-") else after <= before


@given(st.lists(EFFECTS, max_size=4), EFFECTS, st.lists(ENTRIES, max_size=4))
def test_doing_more_never_helps(effects, extra, entries):
    assert ORDER[judge(effects, entries).verdict] <= ORDER[judge([*effects, extra], entries).verdict]


@given(st.lists(EFFECTS, max_size=4), st.lists(ENTRIES, max_size=4), st.randoms())
def test_the_order_of_entries_does_not_matter(effects, entries, random):
    shuffled = entries[:]
    random.shuffle(shuffled)
    assert judge(effects, entries).verdict is judge(effects, shuffled).verdict
