"""The manifest reader: what it accepts, and that everything else is refused with line, column and remedy."""

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.core.errors import ManifestError
from remit.core.scope import ANY_SCOPE, HostScope, NameScope, PathScope
from remit.manifest import (
    Decision,
    Manifest,
    Permission,
    find_manifest,
    parse_defaults,
    parse_manifest,
    read_defaults,
    read_manifest,
)
from remit.manifest.jsontext import Node, Reader
from remit.manifest.model import (
    AcceptedFinding,
    Classification,
    Constraints,
    Defaults,
    Evidence,
    Matching,
    Metadata,
    RateLimit,
    TimeWindow,
    Verification,
)


def parse(text: str):
    return parse_manifest(text.encode(), "remit.json").permissions


def test_a_manifest_is_a_list_of_permissions():
    found = parse(
        """{
  "permissions": [
    {"capability": "file.write", "scope": "./out/**"},
    {"capability": "web.fetch", "scope": "*.example.com", "effect": "confirm"},
    {"capability": "secret.*", "effect": "deny"}
  ]
}"""
    )
    assert found == (
        Permission("file.write", (PathScope("workspace", ("out", "**")),), line=3),
        Permission("web.fetch", (HostScope("*.example.com"),), Decision.CONFIRM, line=4),
        Permission("secret.*", (ANY_SCOPE,), Decision.DENY, line=5),
    )


def test_no_permissions_is_a_manifest_that_permits_nothing():
    assert parse('{"permissions": []}') == ()


def test_a_pattern_over_one_kind_of_scope_takes_a_scope():
    assert parse('{"permissions": [{"capability": "file.*", "scope": "./**"}]}')[0].place == "./**"


REFUSED = [
    ("", "1:1", "a value is missing"),
    ("[]", "1:1", "the manifest is a list"),
    ("{}", "1:1", "has no `permissions`"),
    ('{"permissions": {}}', "1:17", "`permissions` is an object"),
    ('{"permissions": [], "permissions": []}', "1:21", "the key `permissions` occurs twice"),
    ('{"permissions": [], "extra": 1}', "1:30", "`extra` is not a field"),
    ('{"permissions": []} x', "1:21", "something follows"),
    ('{"permissions": [],}', "1:20", "a key in quotes is missing"),
    ('{"permissions": [1]}', "1:18", "a permission is a number"),
    ('{"permissions": [{}]}', "1:18", "has no `capability`"),
    ('{"permissions": [{"capability": null}]}', "1:33", "`capability` is null"),
    ('{"permissions": [{"capability": "file.raed"}]}', "1:33", "`file.raed` is not a capability"),
    ('{"permissions": [{"capability": "nothing.*"}]}', "1:33", "`nothing.*` is not a capability"),
    ('{"permissions": [{"capability": "file.read", "scpoe": "x"}]}', "1:55", "`scpoe` is not a field"),
    ('{"permissions": [{"capability": "file.read", "scope": ""}]}', "1:55", "a scope is empty"),
    ('{"permissions": [{"capability": "file.read", "scope": "../x"}]}', "1:55", "goes up"),
    ('{"permissions": [{"capability": "web.fetch", "scope": "a b"}]}', "1:55", "is not a host"),
    ('{"permissions": [{"capability": "clipboard.read", "scope": "x"}]}', "1:60", "has none"),
    ('{"permissions": [{"capability": "*", "scope": "./**"}]}', "1:47", "would mean"),
    ('{"permissions": [{"capability": "pay", "effect": "maybe"}]}', "1:50", "`maybe` is not an effect"),
    ('{"permissions": [{"capability": "pay", "effect": true}]}', "1:50", "`effect` is true or false"),
    ('{"permissions": [{"capability": "pay\n"}]}', "1:37", "not closed or holds a bad character"),
    ('{"permissions": [{"capability": "\\ud800"}]}', "1:33", "surrogate"),
    ('{"permissions": 1e999}', "1:17", "too large"),
    ('{"permissions": NaN}', "1:17", "begins no value"),
    ("\ufeff{}", "1:1", "begins no value"),
    ('{\n  "permissions": [\n    {"capability": "x"}]}', "3:20", "`x` is not a capability"),
]


@each_row(("text", "place", "reason"), REFUSED)
def test_anything_else_is_refused_with_its_place(text, place, reason):
    with pytest.raises(ManifestError) as error:
        parse(text)
    assert error.value.message.startswith(f"remit.json:{place}: ")
    assert reason in error.value.message
    assert error.value.remedy


# One entry, as `{"capability": "file.read", … }`, or the head of a manifest: what each field must not be.
WRONG_ENTRIES = [
    ('"scope": null', "`scope` is null"),
    ('"scope": 3', "`scope` is a number"),
    ('"scope": []', "`scope` is an empty list"),
    ('"scope": ["./a", 1]', "`scope` is a number"),
    ('"scope": ["./a", "a"]', "occurs twice in `scope`"),
    ('"scope": "./a/[x]"', "is not a class"),
    (f'"scope": "{"a" * 1001}"', "longer than 1000"),
    (f'"scope": {json.dumps([f"./{n}" for n in range(501)])}', "more than 500"),
    ('"effect": null', "`effect` is null"),
    ('"effect": "Allow"', "`Allow` is not an effect"),
    ('"priority": 1.0', "`priority` is a number with a fraction"),
    ('"priority": 1e2', "`priority` is a number with a fraction"),
    ('"priority": true', "`priority` is true or false"),
    ('"priority": "1"', "`priority` is text"),
    ('"priority": 1000001', "`priority` is 1000001"),
    ('"priority": 100000000000000000000000000000000000000000', "too many digits"),
    ('"fallback_msg": 1', "`fallback_msg` is a number"),
    ('"fallback_msg": "a\\u001b[2Jb"', "U+001B at position 2"),
    ('"fallback_msg": "a\\u202eb"', "U+202E"),
    ('"fallback_msg": "a\\nb"', "U+000A"),
    ('"fallback_msg": "\\udb40\\udc41"', "U+E0041"),
    ('"fallback_msg": "\\ud83d"', "surrogate"),
    (f'"fallback_msg": "{"a" * 1001}"', "longer than 1000"),
    ('"source": "user-grant"', "`source` is not a field"),
    ('"granted_at": ""', "`granted_at` is not a field"),
    ('"expires_at": ""', "`expires_at` is not a field"),
    ('"prioritty": 1', "`prioritty` is not a field"),
    ('"evidence": {}', "`evidence` is an object"),
    ('"evidence": [{"file": "a", "line": 1}]', "has no `text`"),
    ('"evidence": [{"file": "a", "line": -1, "text": ""}]', "`line` is -1"),
    ('"evidence": [{"file": "a", "line": 1.5, "text": ""}]', "with a fraction"),
    ('"evidence": [{"file": "", "line": 1, "text": ""}]', "`file` is empty"),
    ('"evidence": [{"file": "a", "line": 1, "text": "", "more": 1}]', "`more` is not a field"),
    ('"constraints": []', "`constraints` is a list"),
    ('"constraints": {"workspace": true}', "`workspace` is not a field"),
    ('"constraints": {"workspace_only": "yes"}', "`workspace_only` is text"),
    ('"constraints": {"workspace_only": null}', "`workspace_only` is null"),
    ('"constraints": {"resource_scope": "./a"}', "`resource_scope` is text"),
    ('"constraints": {"resource_scope": []}', "`resource_scope` is an empty list"),
    ('"constraints": {"resource_scope": ["../a"]}', "goes up"),
    ('"constraints": {"denied_command_patterns": "rm"}', "is text"),
    ('"constraints": {"denied_command_patterns": [""]}', "is empty"),
    ('"constraints": {"denied_command_patterns": ["a", "a"]}', "occurs twice"),
    ('"constraints": {"denied_command_patterns": ["(a)\\\\1"]}', "a back-reference"),
    ('"constraints": {"denied_command_patterns": ["("]}', "cannot be run"),
    (f'"constraints": {{"denied_command_patterns": {json.dumps([str(n) for n in range(101)])}}}', "more than 100"),
    ('"constraints": {"arguments": []}', "`arguments` is a list"),
    ('"constraints": {"arguments": {"": ["a"]}}', "has no name"),
    ('"constraints": {"arguments": {"a": "b"}}', "the argument `a` is text"),
    ('"constraints": {"arguments": {"a": []}}', "`a` is an empty list"),
    ('"constraints": {"arguments": {"a": [1.5]}}', "a number with a fraction"),
    ('"constraints": {"arguments": {"a": [null]}}', "is null"),
    ('"constraints": {"arguments": {"a": [9007199254740993]}}', "`a` is 9007199254740993"),
    ('"constraints": {"arguments": {"a": [1, 1]}}', "occurs twice"),
    ('"constraints": {"arguments": {"a": {}}}', "has no `pattern`"),
    ('"constraints": {"arguments": {"a": {"pattern": "(?=x)"}}}', "a look-ahead"),
    ('"constraints": {"arguments": {"a": {"patern": "x"}}}', "`patern` is not a field"),
    ('"constraints": {"time_window": {}}', "`time_window` is empty"),
    ('"constraints": {"time_window": {"days": []}}', "an empty list"),
    ('"constraints": {"time_window": {"days": ["monday"]}}', "`monday` is not a day"),
    ('"constraints": {"time_window": {"days": ["mon", "mon"]}}', "occurs twice"),
    ('"constraints": {"time_window": {"from": "8:00"}}', "`8:00` is not a time"),
    ('"constraints": {"time_window": {"to": "24:01"}}', "`24:01` is not a time"),
    ('"constraints": {"time_window": {"from": "24:00"}}', "`from` is `24:00`"),
    ('"constraints": {"time_window": {"from": "08:00", "to": "08:00"}}', "the same time"),
    ('"constraints": {"time_window": {"start": "08:00"}}', "`start` is not a field"),
    ('"constraints": {"rate_limit": {"calls": 1}}', "has no `seconds`"),
    ('"constraints": {"rate_limit": {"calls": 0, "seconds": 1}}', "`calls` is 0"),
    ('"constraints": {"rate_limit": {"calls": 1, "seconds": 0.5}}', "with a fraction"),
    ('"constraints": {"redact": 1}', "`redact` is a number"),
    ('"effect": "deny", "constraints": {"redact": true}', "is not allowed in an entry that denies"),
    ('"effect": "deny", "constraints": {"denied_command_patterns": ["a"]}', "is not allowed in an entry that denies"),
    (
        '"effect": "deny", "constraints": {"rate_limit": {"calls": 1, "seconds": 1}}',
        "is not allowed in an entry that denies",
    ),
]


def accepting(**fields):
    whole = {"finding": "hides-from-user", "where": "SKILL.md:5", "digest": "0" * 16, "reason": "a joke", **fields}
    return f'"accepted": [{json.dumps(whole)}]'


WRONG_HEADS = [
    ('"skill_metadata": null', "is null"),
    ('"skill_metadata": {}', "has no `name`"),
    ('"skill_metadata": {"name": ""}', "`name` is empty"),
    ('"skill_metadata": {"name": "a\\u0007"}', "U+0007"),
    ('"skill_metadata": {"name": "a", "author": "b"}', "`author` is not a field"),
    ('"skill_metadata": {"name": "a", "version": 1}', "`version` is a number"),
    ('"skill_metadata": {"name": "a", "trust_tier": 0}', "`trust_tier` is 0"),
    ('"skill_metadata": {"name": "a", "trust_tier": 5}', "`trust_tier` is 5"),
    ('"skill_metadata": {"name": "a", "trust_tier": 1.0}', "with a fraction"),
    ('"skill_metadata": {"name": "a", "classification": {"label": "x"}}', "has no `rank`"),
    ('"skill_metadata": {"name": "a", "classification": {"label": "x", "rank": -1}}', "`rank` is -1"),
    (
        '"skill_metadata": {"name": "a", "classification": {"label": "x", "rank": 1, "compartments": ["b", "b"]}}',
        "twice",
    ),
    ('"skill_metadata": {"name": "a", "classification": {"label": "x", "rank": 1, "releasability": [""]}}', "is empty"),
    ('"verification": "proved"', "`proved` is not a verification"),
    ('"verification": 3', "`verification` is a number"),
    ('"drafted": ["sha256:0"]', "is not a digest"),
    ('"drafted": "x"', "`drafted` is text"),
    ('"tests": "make test"', "`tests` is text"),
    ('"tests": []', "an empty list"),
    ('"tests": [""]', "is empty"),
    ('"tests": ["  "]', "is not a command line"),
    ('"tests": ["sh -c \'x"]', "is not a command line"),
    ('"tests": ["make test", "make test"]', "twice"),
    ('"tests": ["make\\u202etest"]', "invisible"),
    ('"tests": [["make", "test"]]', "`tests` is a list"),
    ('"accepted": {}', "`accepted` is an object"),
    ('"accepted": [{"finding": "hides-from-user"}]', "an accepted finding has no `where`"),
    (accepting(finding="Hides it"), "`Hides it` is not a finding"),
    (accepting(digest="12"), "`12` is not a digest"),
    (accepting(reason=""), "`reason` is empty"),
    (accepting(until="2027-02-30"), "`2027-02-30` is not a date"),
    (accepting(until="20270203"), "`20270203` is not a date"),
    ('"$schema": 1', "`$schema` is a number"),
    ('"name": "a"', "`name` is not a field"),
]


@each_row(("field", "reason"), WRONG_ENTRIES)
def test_a_wrong_entry_is_refused(field, reason):
    refused(f'{{"permissions": [\n  {{"capability": "file.read", {field}}}\n]}}', 2, reason)


@each_row(("field", "reason"), WRONG_HEADS)
def test_a_wrong_head_is_refused(field, reason):
    refused(f'{{"permissions": [],\n  {field}}}', 2, reason)


def refused(text, line, reason):
    with pytest.raises(ManifestError) as error:
        parse(text)
    assert error.value.message.startswith(f"remit.json:{line}:")
    assert reason in error.value.message
    assert error.value.remedy


def test_too_many_entries_are_refused():
    entries = ",".join(['{"capability": "pay"}'] * 2001)
    with pytest.raises(ManifestError, match="more than 2000"):
        parse(f'{{"permissions": [{entries}]}}')


def test_state_of_a_session_is_refused_with_a_reason():
    with pytest.raises(ManifestError) as error:
        parse('{"permissions": [{"capability": "pay", "granted_at": "2026-01-01T00:00:00Z"}]}')
    assert "state of a session" in error.value.remedy


def test_every_field():
    (found,) = parse(
        """{"permissions": [{"capability": "shell.execute", "scope": ["git", "./run.sh"], "effect": "confirm", "priority": -3,
        "constraints": {"workspace_only": true, "resource_scope": ["git"], "denied_command_patterns": ["^rm"],
          "arguments": {"b": [true, 1, "x"], "a": {"pattern": "[a-z]*"}},
          "time_window": {"days": ["sun", "mon"], "from": "22:00", "to": "06:30"},
          "rate_limit": {"calls": 5, "seconds": 60}, "redact": true},
        "fallback_msg": "ask the owner", "evidence": [{"file": "SKILL.md", "line": 4, "text": "run git", "rule": "command"}]}]}"""
    )
    assert found == Permission(
        "shell.execute",
        (NameScope("git"), PathScope("workspace", ("run.sh",))),
        Decision.CONFIRM,
        -3,
        Constraints(
            workspace_only=True,
            resource_scope=(NameScope("git"),),
            denied_command_patterns=("^rm",),
            arguments=(("a", Matching("[a-z]*")), ("b", (True, 1, "x"))),
            time_window=TimeWindow(("mon", "sun"), 22 * 60, 6 * 60 + 30),
            rate_limit=RateLimit(5, 60),
            redact=True,
        ),
        "ask the owner",
        (Evidence("SKILL.md", 4, "run git", "command"),),
        1,
    )


def test_the_head():
    found = parse_manifest(
        b"""{"$schema": "urn:remit:schema:manifest:1", "permissions": [], "verification": "tested", "drafted": ["sha256:%s"],
        "tests": ["make test", "python3 -m unittest"],
        "skill_metadata": {"name": "tidy", "version": "1.2", "trust_tier": 4,
          "classification": {"label": "secret", "rank": 3, "compartments": ["y", "x"], "releasability": []}}}"""
        % (b"0" * 64),
        "remit.json",
    )
    label = Classification("secret", 3, ("x", "y"))
    assert found == Manifest(
        "remit.json",
        (),
        Metadata("tidy", "1.2", 4, label),
        Verification.TESTED,
        ("sha256:" + "0" * 64,),
        ("make test", "python3 -m unittest"),
    )


def test_accepted_findings():
    text = f'{{"permissions": [],\n {accepting(until="2031-12-31")}}}'
    (found,) = parse_manifest(text.encode(), "remit.json").accepted
    assert found == AcceptedFinding("hides-from-user", "SKILL.md:5", "0" * 16, "a joke", "2031-12-31", 2)


def test_null_is_absent_where_skillguard_writes_it():
    entry = '{"capability": "pay", "priority": null, "constraints": null, "fallback_msg": null}'
    assert parse(f'{{"permissions": [{entry}]}}') == (Permission("pay", line=1),)
    head = b'{"permissions": [], "skill_metadata": {"name": "a", "version": null, "trust_tier": null}}'
    assert parse_manifest(head, "remit.json").skill_metadata == Metadata("a")


def test_without_an_effect_the_level_decides():
    (found,) = parse('{"permissions": [{"capability": "*"}]}')
    assert found.effect is None
    assert found.decision("env.read") is Decision.ALLOW
    assert found.decision("file.write") is Decision.CONFIRM
    assert found.decision("secret.read") is Decision.CONFIRM


def test_defaults():
    found = parse_defaults(
        b'{"description": "base", "session_defaults": {"permissions": [{"capability": "pay", "effect": "deny"}]}}',
        "d.json",
    )
    assert found == Defaults("d.json", (Permission("pay", effect=Decision.DENY, line=1),), "base")
    assert parse_defaults(b'{"description": null, "session_defaults": {"permissions": []}}', "d.json").description == ""


@each_row(
    ("text", "reason"),
    [
        ("{}", "has no `session_defaults`"),
        ('{"session_defaults": []}', "`session_defaults` is a list"),
        ('{"session_defaults": {}}', "has no `permissions`"),
        ('{"session_defaults": {"permissions": [], "x": 1}}', "`x` is not a field"),
        ('{"session_defaults": {"permissions": []}, "permissions": []}', "`permissions` is not a field"),
        ('{"session_defaults": {"permissions": []}, "description": "\\u0000"}', "U+0000"),
        ('{"session_defaults": {"permissions": [{"capability": "pay", "expires_at": 1}]}}', "`expires_at` is not"),
    ],
)
def test_wrong_defaults_are_refused(text, reason):
    with pytest.raises(ManifestError, match=r"d\.json:1:\d+: ") as error:
        parse_defaults(text.encode(), "d.json")
    assert reason in error.value.message
    assert error.value.remedy


def test_lines_of_a_long_document_are_found_in_time():
    text = '{"permissions": [\n' + ",\n".join(['{"capability": "pay"}'] * 2000) + "]}" + "\n" * 1_000_000
    assert parse(text)[-1].line == 2001


def test_a_misspelling_gets_a_suggestion():
    with pytest.raises(ManifestError) as error:
        parse('{"permissions": [{"capability": "file.delte"}]}')
    assert "`file.delete`" in error.value.remedy


def test_deep_nesting_is_refused_and_not_a_crash():
    with pytest.raises(ManifestError, match="nested deeper"):
        parse("[" * 100_000)


def test_text_that_is_not_utf8_is_refused():
    with pytest.raises(ManifestError, match=r"remit\.json:2: the text is not UTF-8"):
        parse_manifest(b"{\n\xff", "remit.json")


def test_the_file_beside_the_skill_is_found(tmp_path):
    assert find_manifest(tmp_path) is None
    (tmp_path / "remit.json").write_text('{"permissions": []}')
    found = find_manifest(tmp_path)
    assert found is not None
    assert read_manifest(found).permissions == ()


def test_what_is_no_readable_file_is_refused(tmp_path):
    (tmp_path / "remit.json").symlink_to("nowhere")
    found = find_manifest(tmp_path)
    assert found is not None  # a dangling link is not "no manifest"
    with pytest.raises(ManifestError, match="is not a file"):
        read_manifest(found)
    with pytest.raises(ManifestError, match="is not a file"):
        read_manifest(tmp_path)


def test_a_file_that_is_too_large_is_refused(tmp_path):
    (tmp_path / "remit.json").write_bytes(b" " * (4 * 1024 * 1024 + 1))
    for read in (read_manifest, read_defaults):
        with pytest.raises(ManifestError, match="is larger than"):
            read(tmp_path / "remit.json")


def test_importing_the_reader_is_light():
    code = (
        "import remit.manifest, sys; print([n for n in ('yaml', 're2', 'tree_sitter', 'difflib') if n in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def plain(node: Node):
    if isinstance(node.value, dict):
        return {key: plain(value) for key, value in node.value.items()}
    if isinstance(node.value, list):
        return [plain(value) for value in node.value]
    return node.value


@given(json_values, st.sampled_from([None, 1]), st.booleans())
def test_the_reader_agrees_with_the_standard_one(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert plain(Reader(text, "f").read()) == json.loads(text)


@given(st.text(alphabet='{}[]",:0123456789.eE+-truefalsn \\u\n', max_size=40))
def test_the_reader_accepts_nothing_that_the_standard_one_refuses(text):
    try:
        found = plain(Reader(text, "f").read())
    except ManifestError:
        return
    assert found == json.loads(text)
