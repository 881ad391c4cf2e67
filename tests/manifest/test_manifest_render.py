"""What is written reads back as the same, in one canonical text; and digests of what it says."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from manifest_values import defaults, manifests, permissions

from by_day import many
from each_row import each_row
from remit.manifest import parse_defaults, parse_manifest
from remit.manifest.identity import entry_digest, manifest_digest
from remit.manifest.model import Decision, Evidence, Manifest
from remit.manifest.render import render
from remit.manifest.words import HIDDEN


def without_lines(document):
    bare = document._replace(permissions=tuple(entry._replace(line=0) for entry in document.permissions))
    if isinstance(bare, Manifest):
        bare = bare._replace(accepted=tuple(entry._replace(line=0) for entry in bare.accepted))
    return bare


def typed(manifest):
    """1 and true are equal in Python, but not in a manifest."""
    return repr(manifest)


@settings(max_examples=many(150))
@given(manifests)
def test_what_is_written_reads_back(manifest):
    text = render(manifest)
    again = without_lines(parse_manifest(text.encode(), "remit.json"))
    assert again == manifest
    assert typed(again) == typed(manifest)
    assert render(again) == text


@given(defaults)
def test_defaults_read_back(document):
    text = render(document)
    assert without_lines(parse_defaults(text.encode(), "defaults.json")) == document


@given(manifests)
def test_nothing_hides_in_the_text(manifest):
    text = render(manifest)
    assert not HIDDEN.search(text.replace("\n", ""))
    assert text.endswith("}\n")
    json.loads(text)


@given(manifests, st.randoms())
def test_the_order_and_spelling_of_a_file_do_not_matter(manifest, random):
    def shuffled(value):
        if isinstance(value, dict):
            keys = list(value)
            random.shuffle(keys)
            return {key: shuffled(value[key]) for key in keys}
        return [shuffled(item) for item in value] if isinstance(value, list) else value

    text = render(manifest)
    other = json.dumps(shuffled(json.loads(text)), indent=random.choice([None, 1]))
    assert render(parse_manifest(other.encode(), "remit.json")) == text


def test_the_layout(snapshot):
    text = """{"permissions": [
      {"evidence": [{"line": 3, "file": "SKILL.md", "text": "read the\\u202e data"}], "scope": ["./data/**"], "capability": "file.read"},
      {"capability": "process.create", "scope": ["git", "ffmpeg"], "effect": "allow", "priority": 5, "fallback_msg": "only git and ffmpeg",
       "constraints": {"redact": false, "rate_limit": {"seconds": 60, "calls": 3}, "denied_command_patterns": ["^git push"],
                       "arguments": {"path": {"pattern": "[a-z]+"}, "depth": [1, 2, true]},
                       "time_window": {"to": "17:30", "days": ["fri", "mon"]}}},
      {"capability": "secret.*", "effect": "deny"}],
      "verification": "declared", "tests": ["python3 -m unittest discover -s tests"],
      "skill_metadata": {"trust_tier": 2, "name": "tidy", "classification": {"rank": 2, "label": "internal", "compartments": ["b", "a"]}}}"""
    assert render(parse_manifest(text.encode(), "remit.json")) == snapshot


def test_an_empty_manifest():
    assert render(Manifest("remit.json", ())) == '{\n  "permissions": []\n}\n'


@given(permissions())
def test_where_an_entry_stands_and_why_is_no_part_of_its_digest(entry):
    moved = entry._replace(line=9, evidence=(Evidence("a", 1, "b"),), scopes=entry.scopes[::-1])
    assert entry_digest(moved) == entry_digest(entry)


@given(permissions(), permissions())
def test_entries_that_say_something_else_have_other_digests(left, right):
    same = left._replace(evidence=()) == right._replace(evidence=()) and typed(left) == typed(right)
    assert same <= (entry_digest(left) == entry_digest(right))
    changed = left._replace(effect=Decision.DENY if left.effect is not Decision.DENY else Decision.ALLOW)
    assert entry_digest(changed) != entry_digest(left)


@each_row(
    ("left", "right"),
    [
        ('{"capability": "pay"}', '{"capability": "pay", "effect": "confirm"}'),
        ('{"capability": "pay"}', '{"capability": "pay", "priority": 1}'),
        ('{"capability": "pay"}', '{"capability": "pay", "fallback_msg": "x"}'),
        ('{"capability": "pay"}', '{"capability": "pay", "constraints": {"redact": true}}'),
        (
            '{"capability": "pay", "constraints": {"arguments": {"a": [1]}}}',
            '{"capability": "pay", "constraints": {"arguments": {"a": [true]}}}',
        ),
        ('{"capability": "env.read", "scope": "A"}', '{"capability": "env.read", "scope": "B"}'),
    ],
)
def test_every_field_counts(left, right):
    first, second = (parse_manifest(f'{{"permissions": [{text}]}}'.encode(), "remit.json") for text in (left, right))
    assert entry_digest(first.permissions[0]) != entry_digest(second.permissions[0])
    assert manifest_digest(first) != manifest_digest(second)


def test_the_tests_of_a_manifest_are_part_of_its_digest():
    one, other = (
        Manifest("remit.json", (), tests=("make a", "make b")),
        Manifest("remit.json", (), tests=("make b", "make a")),
    )
    assert len({manifest_digest(found) for found in (one, other, Manifest("remit.json", ()))}) == 3


@given(manifests, st.randoms())
def test_the_digest_of_a_manifest(manifest, random):
    entries = list(manifest.permissions)
    random.shuffle(entries)
    other = manifest._replace(file="else.json", permissions=tuple(entries), drafted=())
    assert manifest_digest(other) == manifest_digest(manifest)
    if entries:
        assert manifest_digest(manifest._replace(permissions=manifest.permissions[1:])) != manifest_digest(manifest)
