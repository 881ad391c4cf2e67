"""Counterexample sessions: from the line that begins them to the effect that no entry holds."""

import copy
import json
import random

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from skill_sessions import (
    BY_HOOK,
    COMMANDS,
    DIGESTS,
    EFFECTS,
    FETCHES,
    FOUND,
    LONE,
    TOLD,
    WRITES,
    effect,
    manifest,
    place,
    session,
    sessions,
)

from each_row import each_row
from remit.cli.schemas import schema_text
from remit.core import parse_scope, vocabulary
from remit.core.errors import InputError
from remit.core.scope import covers
from remit.manifest.jsontext import MAX_DEPTH
from remit.policy.entry_matches import grants
from remit.proof import Evidence, contain, counterexamples
from remit.proof.counterexample import Beginning, Script, SessionStart
from remit.proof.replay import replay
from remit.proof.session_form import FORMAT, document, read_sessions, session_value
from remit.proof.witness import instances, witness

VALIDATOR = jsonschema.Draft202012Validator(json.loads(schema_text("session")))


def test_what_the_text_asks_for_is_the_envelope_itself():
    found = session(TOLD)
    assert found.beginning == Beginning(SessionStart.INSTRUCTED, place("SKILL.md:12"), "rm -rf ./old")
    assert (found.envelope.op, found.envelope.args) == ("file.delete", {"target": "./old/unforeseen"})
    assert found.scripts == ()
    assert found.reason == "not declared"
    assert "file.delete" in found.remedy


def test_a_script_is_started_by_the_line_that_names_it():
    found = session(WRITES)
    assert found.beginning == Beginning(SessionStart.INSTRUCTED, place("SKILL.md:9"), "python3 a.py <arg>")
    assert (found.envelope.op, found.envelope.args) == ("source.execute", {"target": "./a.py"})
    assert found.scripts == (Script("a.py", DIGESTS["a.py"], place("SKILL.md:9")),)
    assert found.effect.path == (place("a.py:9"), place("a.py:6"))


def test_scripts_start_scripts():
    found = session(FETCHES)
    assert found.beginning.where == place("SKILL.md:9")
    assert found.envelope.args == {"target": "./a.py"}
    assert found.scripts == (
        Script("a.py", DIGESTS["a.py"], place("SKILL.md:9")),
        Script("b.sh", DIGESTS["b.sh"], place("a.py:7")),
    )


def test_a_hook_sends_no_envelope():
    found = session(BY_HOOK)
    assert found.beginning == Beginning(SessionStart.HOOK, place("SKILL.md:4"), "bash hook.sh")
    assert found.envelope is None
    assert [script.file for script in found.scripts] == ["hook.sh"]


def test_a_script_that_nothing_names_can_be_started_all_the_same():
    found = session(LONE)
    assert found.beginning == Beginning(SessionStart.UNPROMPTED, place("lone.sh"))
    assert found.envelope.args == {"target": "./lone.sh"}


def test_a_script_that_only_itself_starts_is_not_reached_by_a_circle():
    again = effect("source.execute ./lone.sh", "lone.sh:2")
    found = session(LONE, Evidence((*EFFECTS, again), COMMANDS, DIGESTS))
    assert found.beginning.how is SessionStart.UNPROMPTED


def test_the_shortest_of_several_ways_is_shown():
    direct = effect("web.fetch evil.example:443", "lone.sh:9")
    told = effect("source.execute ./*.sh", "SKILL.md:30", origin=TOLD.origin)
    found = session(FETCHES, Evidence((*EFFECTS, direct, told), COMMANDS, DIGESTS))
    assert found.scripts == (Script("b.sh", DIGESTS["b.sh"], place("SKILL.md:30")),)


def test_one_session_for_each_capability_and_scope_the_shortest_first():
    twice = WRITES._replace(where=place("helper.py:40"))
    found = sessions(Evidence((*EFFECTS, twice), COMMANDS, DIGESTS))
    kinds = [(item.effect.capability, item.effect.scope) for item in found]
    assert len(set(kinds)) == len(kinds) == 5
    assert [item.length for item in found] == sorted(item.length for item in found)
    assert session(WRITES).effect.where == place("helper.py:2")


@given(st.randoms(use_true_random=False))
def test_the_order_of_what_was_found_changes_nothing(chance: random.Random):
    effects = list(EFFECTS)
    chance.shuffle(effects)
    assert sessions(Evidence(effects, COMMANDS, DIGESTS)) == sessions()


def test_nothing_outside_no_session():
    allowed = manifest('{"capability": "file.*"}', '{"capability": "web.fetch"}', '{"capability": "process.create"}')
    assert sessions(given=allowed) == ()


# ── one thing out of a scope ──

SCOPES = [
    ("file.read", "./a/**/b?c*.txt"),
    ("file.read", "any"),
    ("file.read", "<arg>"),
    ("file.read", "<arg>/x/*"),
    ("file.write", "$TMP/*"),
    ("file.read", "./"),
    ("web.fetch", "*.example.com"),
    ("web.fetch", "any"),
    ("web.fetch", "<arg>"),
    ("pay", "1024..65535"),
    ("pay", "..10"),
    ("net.listen", "*:80"),
    ("process.create", "git*"),
    ("env.read", "ACME_?"),
    ("tool.invoke", "any"),
    ("pay", "any"),
    ("camera.capture", "any"),
]


@each_row(("capability", "scope"), SCOPES)
def test_an_instance_is_one_thing_in_the_scope(capability, scope):
    kind = vocabulary()[capability].scope_kind
    whole = parse_scope(kind, scope)
    found = list(instances(whole, kind))
    assert found
    for one in found:
        assert parse_scope(kind, one.render()) == one
        assert not ({"*", "?"} & set(one.render()))
        assert covers(whole, one) or "<arg>" in scope


def test_an_instance_is_one_that_no_entry_grants():
    reading = effect("file.read ./a/*", "a.py:1")
    entries = manifest('{"capability": "file.read", "scope": ["./a/u*", "./a/a*"]}').permissions
    found = witness(reading, entries)
    assert found is not None
    assert found.render() == "./a/z"
    assert not any(grants(entry, reading._replace(scope=found)) for entry in entries)
    assert witness(reading, manifest('{"capability": "file.read", "scope": "./**"}').permissions) is None


def test_what_a_caller_passes_may_lie_outside_of_the_workspace():
    reading = effect("file.read <arg>", "a.py:1")
    entries = manifest('{"capability": "file.read", "scope": "./**"}').permissions
    assert witness(reading, entries).render() == "/unforeseen"


# ── as JSON ──


def written(**changes):
    value = document("tidy", sessions())
    value["sessions"][0] |= changes
    return value


def test_what_is_written_is_read_back():
    value = document("tidy", sessions())
    VALIDATOR.validate(value)
    again = read_sessions(json.dumps(value).encode(), "s.json")
    assert again.skill == "tidy"
    assert again.sessions == sessions()


def test_the_three_schemas_describe_the_same_session():
    schemas = [json.loads(schema_text(name))["$defs"] for name in ("session", "replay", "check")]
    for name in ("session", "capability", "scope", "place", "origin"):
        assert schemas[0][name] == schemas[1][name] == schemas[2][name]


FIRST = session_value(sessions()[0])
BAD = {
    "another format": {"format": "urn:remit:session:2"},
    "no sessions": {"sessions": []},
    "a field too many": {"more": 1},
    "no skill": {"skill": None},
    "a session that is a text": {"sessions": ["x"]},
    "an unknown capability": {"sessions": [FIRST | {"effect": FIRST["effect"] | {"capability": "file.eat"}}]},
    "a scope that is none": {"sessions": [FIRST | {"effect": FIRST["effect"] | {"scope": "./../x"}}]},
    "an unknown beginning": {"sessions": [FIRST | {"begins": FIRST["begins"] | {"how": "luck"}}]},
    "an unknown origin": {"sessions": [FIRST | {"effect": FIRST["effect"] | {"origin": "luck"}}]},
    "an argument too many": {"sessions": [FIRST | {"envelope": {"op": "pay", "args": {"x": "1"}, "reasoning": "r"}}]},
    "a negative line": {"sessions": [FIRST | {"calls": [{"file": "a", "line": -1}]}]},
    "a line that is true": {"sessions": [FIRST | {"calls": [{"file": "a", "line": True}]}]},
    "no effect": {"sessions": [{key: value for key, value in FIRST.items() if key != "effect"}]},
}


@each_row("name", BAD)
def test_what_is_no_session_is_refused_with_its_place(name):
    value = document("tidy", sessions()) | BAD[name]
    with pytest.raises(InputError, match=r"^s\.json:\d+:\d+: ") as error:
        read_sessions(json.dumps(value).encode(), "s.json")
    assert error.value.remedy
    assert not VALIDATOR.is_valid(value) or "scope" in name or "capability" in name  # words that no pattern lists


@each_row("data", [b"", b"{", b"\xff", b"[" * (MAX_DEPTH + 9), b'{"format": 1, "format": 1}', b"null"])
def test_what_is_no_json_is_refused(data):
    with pytest.raises(InputError):
        read_sessions(data, "s.json")


@given(st.data())
def test_whatever_is_read_is_sessions_or_refused_and_can_be_replayed(data):
    """Bytes that were changed anywhere: the answer is a value or an `InputError`, and replaying it fails never."""
    raw = bytearray(json.dumps(document("tidy", sessions()[:2])).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(raw) - 1))
        raw[place : place + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=9))
    try:
        found = read_sessions(bytes(raw), "s.json")
    except InputError:
        return
    for item in found.sessions:
        assert replay(item, FOUND, (), manifest()).links


@given(st.data())
def test_a_value_in_another_place_is_a_session_or_refused(data):
    """Values that are moved to other fields of a document."""
    value = document("tidy", sessions()[:2])
    places = list(_places(value))
    (one, key), (other, source) = (data.draw(st.sampled_from(places)) for _ in range(2))
    one[key] = copy.deepcopy(other[source])
    try:
        found = read_sessions(json.dumps(value).encode(), "s.json")
    except InputError:
        return
    for item in found.sessions:
        assert replay(item, FOUND, (), manifest()).links


def _places(value):
    for key in value if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


def test_a_session_is_refused_only_for_a_refusal():
    found = contain(EFFECTS, (), (), manifest())
    assert counterexamples(FOUND, (), manifest()) == ()
    assert len(found.escapes) == 5
    assert FORMAT in json.dumps(document("tidy", sessions()))
