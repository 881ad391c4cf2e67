"""SkillGuard's manifests: what is read as what, and that everything else is refused with its place."""

import json

import pytest

from each_row import each_row
from remit.core import vocabulary
from remit.core.errors import ManifestError
from remit.manifest.foreign.result import LossKind
from remit.manifest.foreign.skillguard_read import read_skillguard
from remit.manifest.foreign.skillguard_write import write_skillguard
from remit.manifest.model import Constraints, Decision, Metadata, Permission, RateLimit

FILE = "skillguard-manifest.json"


def read(*entries, **more):
    return read_skillguard(json.dumps({"permissions": entries, **more}).encode(), FILE).manifest


def entry(capability, effect="allow", **more):
    return {"capability": capability, "effect": effect, **more}


def permissions(manifest):
    return [found._replace(line=0) for found in manifest.permissions]


def test_a_whole_document():
    found = read(
        entry(
            "filesystem.write",
            "confirm",
            priority=20,
            constraints={"workspace_only": True, "denied_command_patterns": ["rm -rf"]},
            fallback_msg="Write?",
        ),
        skill_metadata={"name": "pdf", "version": "0.1.0", "trust_tier": 3},
    )
    assert found.skill_metadata == Metadata("pdf", "0.1.0", 3)
    constraints = Constraints(workspace_only=True, denied_command_patterns=("rm -rf",))
    assert permissions(found) == [
        Permission("file.write", effect=Decision.CONFIRM, priority=20, constraints=constraints, fallback_msg="Write?")
    ]


@each_row("effect", ["allow", "confirm", "deny"])
def test_effects_stay_what_they_are(effect):
    assert [found.effect for found in read(entry("web.fetch", effect)).permissions] == [effect]


@each_row("name", sorted(vocabulary().skillguard))
def test_every_name_in_both_spellings_is_read_as_all_that_it_stands_for(name):
    found = {permission.capability for permission in read(entry(name)).permissions}
    assert found == set(vocabulary().skillguard[name].expands)


@each_row(
    ("name", "ours"),
    [
        ("filesystem.*", ["file.read", "file.write", "file.delete"]),
        ("policy.*", ["policy.expand", "policy.restrict", "hook.install"]),
        ("network.client", ["api.call", "net.connect"]),
        ("agent_memory.access", ["memory.read", "memory.write"]),
        ("READ_FILE", ["file.read"]),
        ("*", ["*"]),
    ],
)
def test_one_name_of_theirs_can_be_several_of_ours(name, ours):
    assert [found.capability for found in read(entry(name)).permissions] == ours


def test_null_is_as_good_as_absent():
    bare = read(entry("web.fetch"))
    assert bare == read(entry("web.fetch", priority=None, constraints=None, fallback_msg=None))


@each_row(
    ("written", "scope"),
    [
        ("./src", "./src/**"),
        ("src/", "./src/**"),
        (".", "./**"),
        ("/etc", "/etc/**"),
        ("~/x", "~/x/**"),
        ("./*.md", "./*.md"),
    ],
)
def test_a_path_is_a_prefix(written, scope):
    found = read(entry("filesystem.read", constraints={"resource_scope": [written]}))
    assert [one.render() for one in found.permissions[0].constraints.resource_scope] == [scope]


def test_times_and_rates_are_read_in_our_form():
    found = read(entry("web.post", constraints={"rate_limit": {"calls": 3, "seconds": 60}}))
    assert found.permissions[0].constraints.rate_limit == RateLimit(3, 60)


P = '{"permissions": ['
REFUSED = [
    ("[]", "1:1", "is a list"),
    ("{}", "1:1", "has no `permissions`"),
    ('{"permissions": [], "session_defaults": {}}', "1:41", "`session_defaults` is not a field"),
    ('{"permissions": [], "permissions": []}', "1:21", "occurs twice"),
    (P + '{"capability": "web.fetch", "capability": "*", "effect": "allow"}]}', "1:46", "occurs twice"),
    (P + '{"capability": "web.fetch"}]}', "1:18", "has no `effect`"),
    (P + '{"capability": "web.fetch", "effect": "Allow"}]}', "1:56", "`Allow` is not an effect"),
    (P + '{"capability": "file.read", "effect": "allow"}]}', "1:33", "`file.read` is not a capability of SkillGuard"),
    (P + '{"capability": "web.*.x", "effect": "allow"}]}', "1:33", "is not a capability"),
    (P + '{"capability": "READ_*", "effect": "allow"}]}', "1:33", "is not a capability"),
    (P + '{"capability": "fs*", "effect": "allow"}]}', "1:33", "is not a capability"),
    (P + '{"capability": "web.fetch\\u0000", "effect": "allow"}]}', "1:33", "is not a capability"),
    (P + '{"capability": "web.fetch", "effect": "allow", "scope": "x"}]}', "1:74", "`scope` is not a field"),
    (P + '{"capability": "web.fetch", "effect": "allow", "source": "user-grant"}]}', "1:75", "`source` is not a field"),
    (P + '{"capability": "web.fetch", "effect": "allow", "priority": 1.5}]}', "1:77", "`priority` is"),
    (P + '{"capability": "web.fetch", "effect": "allow", "priority": 99999999}]}', "1:77", "`priority` is"),
    (P + '{"capability": "web.fetch", "effect": "allow", "constraints": []}]}', "1:80", "`constraints` is a list"),
    (P + '{"capability": "web.fetch", "effect": "allow", "constraints": {"hosts": 1}}]}', "1:90", "`hosts` is not"),
    (P + '{"capability": "web.fetch", "effect": "allow", "constraints": {"redact": true}}]}', "1:91", "`redact`"),
    (P + '{"capability": "tool.*", "effect": "allow", "constraints": {"resource_scope": ["x"]}}]}', "1:96", "would mean"),
    (P + '{"capability": "*", "effect": "allow", "constraints": {"resource_scope": ["x"]}}]}', "1:92", "would mean"),
    (P + '{"capability": "web.fetch", "effect": "allow", "constraints": {"time_window": {"start": 9}}}]}', "1:106", "`start`"),
    (P + '{"capability": "web.fetch", "effect": "allow", "constraints": {"rate_limit": {"max": 9}}}]}', "1:103", "`max`"),
    (P + '{"capability": "web.fetch", "effect": "allow", "constraints": {"arguments": {"q": {"type": "s"}}}}]}', "1:109", "`type`"),
    (P + '{"capability": "web.fetch", "effect": "allow", "fallback_msg": "a\\u202eb"}]}', "1:81", "U+202E"),
    ('{"permissions": [], "skill_metadata": {"name": "x", "trust_tier": 5}}', "1:67", "`trust_tier` is 5"),
    ('{"permissions": [], "skill_metadata": {"name": "x\\u001b[2J"}}', "1:48", "U+001B"),
    ('{"permissions": [], "skill_metadata": {"name": "x", "classification": {}}}', "1:71", "`classification`"),
]  # fmt: skip


@each_row(("text", "place", "reason"), REFUSED)
def test_anything_else_is_refused_with_its_place(text, place, reason):
    with pytest.raises(ManifestError) as error:
        read_skillguard(text.encode(), FILE)
    assert error.value.message.startswith(f"{FILE}:{place}: "), error.value.message
    assert reason in error.value.message
    assert error.value.remedy


@each_row(
    ("pattern", "construct"),
    [
        (r"(a)\1", "back-reference"),
        ("(?=x)y", "look-ahead"),
        ("(?<!x)y", "look-behind"),
        ("a++", "possessive"),
        ("(?R)", "recursion"),
    ],
)
def test_a_pattern_that_cannot_be_run_is_named(pattern, construct):
    with pytest.raises(ManifestError, match=construct):
        read(entry("shell.execute", constraints={"denied_command_patterns": [pattern]}))


def test_a_misspelling_gets_a_suggestion():
    with pytest.raises(ManifestError) as error:
        read(entry("filesytem.read"))
    assert "`filesystem.read`" in error.value.remedy


@each_row("text", ['{"permissions": ' + "[" * 100_000, "{" * 5000, '{"a":' * 5000, '"' + "x" * 10**6])
def test_absurd_documents_are_refused_and_no_crash(text):
    with pytest.raises(ManifestError):
        read_skillguard(text.encode(), FILE)


def test_too_many_entries_are_refused():
    with pytest.raises(ManifestError, match="more than"):
        read(*[entry("web.fetch")] * 3000)


# ── writing ──


def write(*found, **more):
    from remit.manifest.model import Manifest

    return write_skillguard(Manifest("remit.json", found, **more))


def kinds(writing):
    return [loss.kind for loss in writing.losses]


def test_the_fewest_names_are_written():
    found = write(Permission("api.call", effect=Decision.ALLOW), Permission("net.connect", effect=Decision.ALLOW))
    assert [one["capability"] for one in json.loads(found.text)["permissions"]] == ["network.client"]
    assert found.losses == ()


def test_a_name_that_stands_for_more_is_a_widening():
    found = write(Permission("net.connect", effect=Decision.ALLOW))
    assert [(loss.kind, loss.message) for loss in found.losses] == [
        (LossKind.WIDENED, "`network.client` also allows `api.call`")
    ]


def test_a_capability_without_a_name_is_left_out_and_said():
    found = write(Permission("db.read", effect=Decision.ALLOW))
    assert json.loads(found.text)["permissions"] == []
    assert kinds(found) == [LossKind.NARROWED]


def test_a_denial_that_cannot_be_said_is_a_widening_if_something_else_allows():
    both = (Permission("file.*", effect=Decision.ALLOW), Permission("file.chmod", effect=Decision.DENY))
    assert LossKind.WIDENED not in kinds(write(*both))  # nothing that is written stands for file.chmod
    whole = (Permission("*", effect=Decision.ALLOW), Permission("file.chmod", effect=Decision.DENY))
    widened = [loss for loss in write(*whole).losses if loss.kind is LossKind.WIDENED]
    assert [loss.capabilities for loss in widened] == [("file.chmod",)]


def test_without_an_effect_the_level_is_written():
    found = write(Permission("web.fetch"), Permission("web.post"))
    assert [one["effect"] for one in json.loads(found.text)["permissions"]] == ["allow", "confirm"]


def test_a_value_that_was_masked_is_a_widening():
    found = write(Permission("secret.read", effect=Decision.ALLOW, constraints=Constraints(redact=True)))
    assert kinds(found) == [LossKind.WIDENED]
