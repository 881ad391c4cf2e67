"""The published schemas and the readers agree: what the schema refuses, the reader refuses; and what only the reader can
refuse stands here with its reason."""

import copy
import json
import re

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st
from manifest_values import defaults, manifests

from by_day import many
from each_row import each_row
from remit.cli.schemas import schema_text
from remit.core import vocabulary
from remit.core.errors import ManifestError
from remit.manifest import parse_defaults, parse_manifest
from remit.manifest.render import render

SCHEMAS = {name: json.loads(schema_text(name)) for name in ("manifest", "defaults")}
MANIFEST, DEFAULTS = (jsonschema.Draft202012Validator(schema) for schema in SCHEMAS.values())


def read(data: str, parse=parse_manifest) -> str:
    """Why a reader refuses a document; nothing if it takes it."""
    try:
        parse(data.encode(), "remit.json")
    except ManifestError as error:
        return error.message
    return ""


# What a schema cannot say.
READER_ONLY = {
    "how scopes are written depends on the capability": (
        r"a scope for `|is not a host|goes up with|is not a place|for something that has none|is not a number or range|is not a class"
        r"|unfinished escape|is not a symbol|cannot hold the character NUL|hides a slash"
    ),
    "two scopes may be two spellings of one": r"a value occurs twice in `(scope|resource_scope)`",
    "whether a pattern runs is known to the engine": r"the pattern (has|cannot be run|takes)",
    "the times of a window are compared": r"`from` and `to` are the same time",
    "1.0 is a whole number for a schema": r"is a number with a fraction",
    "characters outside of the basic plane have two spellings in patterns": r"the invisible character U\+E0",
}


def reader_only(message: str) -> bool:
    return any(re.search(reason, message) for reason in READER_ONLY.values())


def test_the_schemas_are_schemas():
    for schema in SCHEMAS.values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_both_documents_have_the_same_entries():
    shared = SCHEMAS["defaults"]["$defs"]
    assert shared == {name: SCHEMAS["manifest"]["$defs"][name] for name in shared}


def test_every_capability_and_no_other_is_listed():
    names = [found.name for found in vocabulary()]
    patterns = {f"{name.partition('.')[0]}.*" for name in names if "." in name}
    assert set(SCHEMAS["manifest"]["$defs"]["capability"]["enum"]) == {*names, *patterns, "*"}


@given(manifests)
def test_what_is_written_fits_the_schema(manifest):
    MANIFEST.validate(json.loads(render(manifest)))


@given(defaults)
def test_defaults_that_are_written_fit_the_schema(document):
    DEFAULTS.validate(json.loads(render(document)))


def places(value, path=()):
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from places(item, (*path, key))


NEW = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 10**7),
    st.just(1.5),
    st.text("a\x07.*/<", max_size=3),
    st.sampled_from(
        [
            "allow",
            "deny",
            "24:00",
            "08:00",
            "mon",
            "file.read",
            "*",
            "web.fetch",
            "any",
            "x" * 1001,
            [],
            {},
            ["a"],
            [1, 1],
        ]
    ),
).map(copy.deepcopy)  # a list or object that is drawn twice must not hold itself


@settings(max_examples=many(200))
@given(manifests, st.data())
def test_a_change_is_judged_alike(manifest, data):
    document = json.loads(render(manifest))
    path = data.draw(st.sampled_from(list(places(document))))
    changed = copy.deepcopy({"top": document})
    holder = changed
    *way, last = ("top", *path)
    for key in way:
        holder = holder[key]
    if data.draw(st.booleans()) and path:
        del holder[last]
    else:
        holder[last] = data.draw(NEW)
    if data.draw(st.booleans()) and isinstance(changed.get("top"), dict):
        changed["top"][data.draw(st.sampled_from(["extra", "verification", "$schema"]))] = data.draw(NEW)
    message = read(json.dumps(changed["top"]))
    if MANIFEST.is_valid(changed["top"]):
        assert not message or reader_only(message)
    else:
        assert message


def entry(fields: str) -> str:
    return f'{{"permissions": [{{"capability": "file.read", {fields}}}]}}'


BOTH_REFUSE = [
    "[]",
    "{}",
    '{"permissions": {}}',
    '{"permissions": [], "permission": []}',
    '{"permissions": [{}]}',
    '{"permissions": [{"capability": "file.raed"}]}',
    '{"permissions": [{"capability": "filesystem.read"}]}',
    '{"permissions": [], "verification": "proved"}',
    '{"permissions": [], "drafted": ["sha256:00"]}',
    '{"permissions": [], "skill_metadata": {"name": ""}}',
    '{"permissions": [], "skill_metadata": {"name": "a\\u001b"}}',
    '{"permissions": [], "skill_metadata": {"name": "a", "trust_tier": 5}}',
    '{"permissions": [], "skill_metadata": {"name": "a", "classification": {"label": "x"}}}',
    entry('"scope": []'),
    entry('"scope": null'),
    entry('"scope": ""'),
    entry('"effect": "maybe"'),
    entry('"effect": null'),
    entry('"priority": 1.5'),
    entry('"priority": 1000001'),
    entry('"fallback_msg": "\\u202e"'),
    entry('"fallback_msg": "a\\n"'),
    entry('"source": "user-grant"'),
    entry('"granted_at": "now"'),
    entry('"constraints": {"workspace_only": "yes"}'),
    entry('"constraints": {"resource_scope": []}'),
    entry('"constraints": {"denied_command_patterns": [""]}'),
    entry('"constraints": {"denied_command_patterns": ["a", "a"]}'),
    entry('"constraints": {"arguments": {"a": []}}'),
    entry('"constraints": {"arguments": {"a": [1.5]}}'),
    entry('"constraints": {"arguments": {"": [1]}}'),
    entry('"constraints": {"time_window": {}}'),
    entry('"constraints": {"time_window": {"days": ["monday"]}}'),
    entry('"constraints": {"time_window": {"from": "24:00"}}'),
    entry('"constraints": {"rate_limit": {"calls": 0, "seconds": 1}}'),
    entry('"effect": "deny", "constraints": {"redact": true}'),
    entry('"evidence": [{"file": "a", "line": -1, "text": ""}]'),
]


@each_row("document", BOTH_REFUSE)
def test_both_refuse(document):
    assert not MANIFEST.is_valid(json.loads(document))
    assert read(document)


ONLY_THE_READER = [
    entry('"scope": "../x"'),
    entry('"scope": ["./a", "a"]'),
    entry('"constraints": {"denied_command_patterns": ["(?=a)"]}'),
    entry('"constraints": {"time_window": {"from": "08:00", "to": "08:00"}}'),
    entry('"priority": 1.0'),
    entry('"fallback_msg": "\\udb40\\udc41"'),
]


@each_row("document", ONLY_THE_READER)
def test_only_the_reader_refuses(document):
    assert MANIFEST.is_valid(json.loads(document))
    assert reader_only(read(document))


def test_every_reason_of_the_reader_has_a_case():
    messages = [read(document) for document in ONLY_THE_READER]
    for why, reason in READER_ONLY.items():
        assert any(re.search(reason, message) for message in messages), why


@each_row(
    "document",
    [
        "{}",
        '{"permissions": []}',
        '{"session_defaults": {}}',
        '{"session_defaults": {"permissions": []}, "description": 1}',
        '{"session_defaults": {"permissions": [{"capability": "pay", "expires_at": "x"}]}}',
    ],
)
def test_both_refuse_defaults(document):
    assert not DEFAULTS.is_valid(json.loads(document))
    assert read(document, parse_defaults)
