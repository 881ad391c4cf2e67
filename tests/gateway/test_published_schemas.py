"""The published schemas of what the parties send one another: made from the forms that are read by, and never stricter than a reader."""

import copy
import json
import os
import re
from pathlib import Path

import jsonschema
import pytest
from gateworld import CARD, World
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from authority_world import NOW, case, known
from each_row import each_row
from remit.authority.codes import PARTIES, codes
from remit.authority.settings import read_settings
from remit.authority.values import confirmation, proof
from remit.cli.schemas import schema_text
from remit.core import telemetry_table as telemetry
from remit.core.errors import AuthorityError, UsageError
from remit.executor.accept import accept
from remit.executor.accepted_request import Accepted
from remit.executor.forms import Result, read_presented, read_result, write_presented
from remit.gateway.acts import ANSWER, RefusedError, parse_act, read_act
from remit.gateway.deployment.plan import single_machine

ROOT = Path(__file__).resolve().parents[2]
FORMS = ("proof", "confirmation", "party", "executor-request", "executor-answer", "act", "act-answer")


def schema_of(name):
    return json.loads(schema_text(name))


def test_the_published_codes_are_those_of_the_tables():
    validator = jsonschema.Draft202012Validator(schema_of("reason-codes"))
    assert validator.is_valid("REPLAY_DENY")
    assert not validator.is_valid("REPLAY_ALLOW")
    assert all(validator.is_valid(code) for party in PARTIES for code in codes(party))


def test_the_page_of_codes_is_that_of_the_tables():
    page = ROOT / "docs" / "reason-codes.md"
    head = page.read_text("utf-8").partition("\n## ")[0] + "\n"
    parts = []
    for party, (_, title) in PARTIES.items():
        rows = [f"| `{one.name}` | {one.meaning} | {one.remedy or '-'} |" for one in codes(party).values()]
        parts.append(
            "\n".join(
                [f"## {title[0].upper()}{title[1:]}", "", "| code | meaning | what to do |", "|---|---|---|", *rows, ""]
            )
        )
    text = head + "\n".join(parts)
    if os.environ.get("REMIT_UPDATE_DOCS"):
        page.write_text(text, "utf-8")
    assert page.read_text("utf-8") == text, "REMIT_UPDATE_DOCS=1 pytest tests/gateway writes it anew"


def test_every_code_that_a_party_says_is_published():
    """Codes in the source are words in capitals with a line between them; those of a room stand in its table."""
    said = {
        "authority/server": {*codes("policy-server")},
        "executor": {*codes("executor"), *codes("gateway")},  # of callers the codes are those of the gateway
    }
    for room, table in said.items():
        files = (ROOT / "src" / "remit" / room).rglob("*.py")
        found = {code for file in files for code in re.findall(r'"([A-Z]+_[A-Z]+)(?:"|: )', file.read_text("utf-8"))}
        assert found
        assert found - {"SET_NX", *telemetry.told().events} <= table, found - table


GOOD, CONFIRMED = case(), case("CommitSkillInstall", {"skill": "wanted-skill", "digest": "abc"})


def request_of(one, **more):
    presented = one.presented()
    return json.loads(write_presented(presented, {"0" * 32: b"value"})) | more


def read_request(value):
    read = read_presented(json.dumps(value).encode())
    return read is not None and isinstance(accept(known(), read[0], NOW), Accepted)


def told(reader, errors):
    def accepts(value):
        try:
            reader(value)
        except errors:
            return False
        return True

    return accepts


def read_party(value, folder):
    path = folder / "settings.json"
    path.write_text(json.dumps(value))
    read_settings(path)


@pytest.fixture(scope="module")
def documents(tmp_path_factory):
    """By name: documents that their reader takes, and whether the reader takes a document."""
    folder = tmp_path_factory.mktemp("party")
    confirmed = request_of(CONFIRMED)
    done = Result("done", "", "sent", {"status": 200}, GOOD.action_id, "0" * 32)
    acts = [
        {"intent_id": "SendMessage", "inputs": {"to": "anna@example.org", "text": "hello"}},
        {
            "intent_id": "FetchResource",
            "inputs": {"url": "https://example.org/a?b"},
            "constraints": {"tx_id": "0" * 32},
        },
        {"intent_id": "MemoryList", "inputs": {}, "constraints": {}},
    ]
    return {
        "proof": ([GOOD.presented().proofs[0]], told(proof.read_proof, AuthorityError)),
        "confirmation": ([confirmed["confirmation"]], told(confirmation.read_confirmation, AuthorityError)),
        "party": (
            [one.settings for one in single_machine(Path("/run/remit"), 1000)],
            told(lambda value: read_party(value, folder), UsageError),
        ),
        "executor-request": (
            [request_of(GOOD), confirmed, request_of(GOOD, confirmation=confirmed["confirmation"])], read_request,
        ),
        "executor-answer": (
            [done.to_json(), Result("refused", "REPLAY_DENY").to_json()],
            told(lambda value: read_result(json.dumps(value).encode()), AuthorityError),
        ),
        "act": (acts, told(lambda value: read_act(parse_act(json.dumps(value).encode())), RefusedError)),
    }  # fmt: skip


READ = tuple(name for name in FORMS if name != "act-answer")


@each_row("name", READ)
def test_what_is_read_fits(documents, name):
    values, accepts = documents[name]
    for value in values:
        jsonschema.Draft202012Validator(schema_of(name)).validate(value)
        assert accepts(value)


def places(value, at=()):
    """Every place of a value."""
    yield at
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(inner, (*at, key))


def changed(value, at, wrong):
    """The value with something else at a place."""
    if not at:
        return wrong
    out = copy.deepcopy(value)
    inner = out
    for key in at[:-1]:
        inner = inner[key]
    if wrong is ...:
        del inner[at[-1]]
    else:
        inner[at[-1]] = wrong
    return out


WRONG = (None, True, 0, -1, 2**60, 1.5, "", "x", "A0", " 00", "x" * 70_000, "AA==", [], {}, [[]], {"x": 1}, ...)


@each_row("name", READ)
def test_every_field_that_the_schema_refuses_the_reader_refuses_too(documents, name):
    values, accepts = documents[name]
    validator = jsonschema.Draft202012Validator(schema_of(name))
    refused, tried = 0, set()
    for value in values:
        for at in places(value):
            field = tuple("*" if isinstance(key, int) else key for key in at)
            kind = (value.get("role"), field, type(inside(value, at)))
            if kind in tried:  # a further item of a list, or the same field of a further document of this form
                continue
            tried.add(kind)
            more = ({**inner, "more": 1} for inner in [inside(value, at)] if isinstance(inner, dict))
            for wrong in (*WRONG, *more):
                if at == () and wrong is ...:
                    continue
                made = changed(value, at, wrong)
                if not validator.is_valid(made):
                    refused += 1
                    assert not accepts(made), (at, wrong)
    assert refused > 50


def inside(value, at):
    for key in at:
        value = value[key]
    return value


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.parametrize("name", READ)
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_what_a_reader_takes_fits_whatever_was_changed(documents, name, data):
    values, accepts = documents[name]
    value = data.draw(st.sampled_from(values))
    at = data.draw(st.sampled_from(list(places(value))))
    before = inside(value, at)
    texts = st.text(max_size=3).map(lambda more: before + more) if isinstance(before, str) else JSON
    made = changed(value, at, data.draw(JSON | texts))
    if accepts(made):
        jsonschema.Draft202012Validator(schema_of(name)).validate(made)


def test_what_the_gateway_says_fits(tmp_path):
    world = World(tmp_path)
    world.act("SendMessage", {"to": "boss@example.org", "text": f"hello {CARD}"})
    world.done("SendMessage", {"to": "boss@example.org", "text": "hello"})
    world.act("SendMessage", {"to": "boss@example.org", "text": "TOP SECRET//NOFORN"})
    world.act("SendMessage", {"to": "nobody@example.org", "text": "hello"})
    world.act("Nothing")
    world.act("MemoryList")
    world.said({"user_confirm": True})
    validator = jsonschema.Draft202012Validator(schema_of("act-answer"))
    assert {str(one.status) for one in world.answers} >= {"OK", "PREVIEW", "DENY"}
    for one in world.answers:
        value = one.to_json()
        validator.validate(value)
        assert ANSWER.fault(value, "answer") == ""
        assert not validator.is_valid(value | {"proofs": []})
