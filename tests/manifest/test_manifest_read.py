"""The manifest reader: what it accepts, and that everything else is refused with line, column and remedy."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remit.core.errors import ManifestError
from remit.core.scope import ANY_SCOPE, HostScope, PathScope
from remit.manifest import Decision, Permission, find_manifest, parse_manifest, read_manifest
from remit.manifest.jsontext import Node, Reader


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
    ('{"permissions": [], "permissions": []}', "1:21", "the key `permissions` stands twice"),
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
    ('{"permissions": [{"capability": "file.read", "scope": ["x"]}]}', "1:55", "`scope` is a list"),
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


@pytest.mark.parametrize(("text", "place", "reason"), REFUSED)
def test_anything_else_is_refused_with_its_place(text, place, reason):
    with pytest.raises(ManifestError) as error:
        parse(text)
    assert error.value.message.startswith(f"remit.json:{place}: ")
    assert reason in error.value.message
    assert error.value.remedy


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
