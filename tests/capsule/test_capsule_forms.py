"""The published schemas are those of the values, and real values fit them."""

import json
import os
from pathlib import Path

import jsonschema
import pytest
from capsules import asked, contract_of, manifest

import remit.capsule.schema
from remit.capsule import contract, launch, probes
from remit.capsule.contract import Hiding, Mask, contract_value
from remit.capsule.egress.record import Connection, Egress
from remit.capsule.launch import Ran
from remit.capsule.probes import Probed, ProbeOutcome, probed_value
from remit.capsule.run import Ending
from remit.capsule.seccomp import refused_names

FORMS = {
    "capsule": (contract.SHAPE, "Output of `remit capsule run --explain --format json`: all that a command can reach"),
    "capsule-run": (launch.SHAPE, "What `remit capsule run --record` writes"),
    "capsule-probe": (probes.SHAPE, "Output of `remit capsule probe --format json`"),
}


def schema_of(name):
    shape, title = FORMS[name]
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:remit:schema:{name}:1",
        "title": title,
    }
    return head | shape.schema()


@pytest.mark.parametrize("name", FORMS)
def test_the_published_schema_is_the_form(name):
    text = json.dumps(schema_of(name), indent=2) + "\n"
    if os.environ.get("REMIT_UPDATE_DOCS"):
        Path(remit.capsule.schema.__file__).with_name(f"{name}.schema.json").write_text(text, "utf-8")
    assert remit.capsule.schema.text(name) == text, "REMIT_UPDATE_DOCS=1 pytest tests/capsule writes it anew"
    jsonschema.Draft202012Validator.check_schema(json.loads(text))


@pytest.fixture
def values(tmp_path):
    made = contract_of(
        asked(tmp_path, manifest(("file.read", "./**"), ("web.fetch", "example.com"), ("file.read", "./no")))
    )
    gone = Connection("GET", "example.com", 80, "93.184.216.34", 10, 20, "closed")
    end = Ran(Ending.EXITED, 3, Egress((gone,), ("lost",)), (Mask("/x/.env", Hiding.HIDDEN, False, "why"),))
    return {
        "capsule": contract_value(made, refused_names()),
        "capsule-run": launch.ran_value(made, end),
        "capsule-probe": probed_value([Probed("tcp", "connects", ProbeOutcome.HELD, "GOT", "refused")]),
    }


@pytest.mark.parametrize("name", FORMS)
def test_real_values_fit(values, name):
    value = json.loads(json.dumps(values[name]))
    jsonschema.Draft202012Validator(schema_of(name)).validate(value)
    assert FORMS[name][0].fault(value, "it") == ""


@pytest.mark.parametrize("name", FORMS)
def test_a_value_with_another_field_or_without_one_is_refused(values, name):
    value = json.loads(json.dumps(values[name]))
    validator = jsonschema.Draft202012Validator(schema_of(name))
    for wrong in (value | {"more": 1}, {key: item for key, item in value.items() if key != "version"}):
        assert not validator.is_valid(wrong)
        assert FORMS[name][0].fault(wrong, "it")


def test_values_of_variables_are_not_published(tmp_path):
    made = contract_of(asked(tmp_path, manifest(("env.read", "GREETING")), caller={"GREETING": "the text of a person"}))
    assert ("GREETING", "the text of a person") in made.environment
    assert "the text of a person" not in json.dumps(contract_value(made, ()))
