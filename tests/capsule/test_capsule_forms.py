"""The published schemas are those of the values, and real values fit them."""

import json

import jsonschema
import pytest
from capsules import asked, contract_of, manifest

from remit.capsule import contract, launch, probes
from remit.capsule.contract import Hiding, Mask, contract_value
from remit.capsule.egress.record import Connection, Egress
from remit.capsule.launch import Ran
from remit.capsule.probes import Probed, ProbeOutcome, probed_value
from remit.capsule.run import Ending
from remit.capsule.seccomp import refused_names
from remit.cli.schemas import schema_text

FORMS = {"capsule": contract.SHAPE, "capsule-run": launch.SHAPE, "capsule-probe": probes.SHAPE}


def schema_of(name):
    return json.loads(schema_text(name))


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
    assert FORMS[name].fault(value, "it") == ""


@pytest.mark.parametrize("name", FORMS)
def test_a_value_with_another_field_or_without_one_is_refused(values, name):
    value = json.loads(json.dumps(values[name]))
    validator = jsonschema.Draft202012Validator(schema_of(name))
    for wrong in (value | {"more": 1}, {key: item for key, item in value.items() if key != "version"}):
        assert not validator.is_valid(wrong)
        assert FORMS[name].fault(wrong, "it")


def test_values_of_variables_are_not_published(tmp_path):
    made = contract_of(asked(tmp_path, manifest(("env.read", "GREETING")), caller={"GREETING": "the text of a person"}))
    assert ("GREETING", "the text of a person") in made.environment
    assert "the text of a person" not in json.dumps(contract_value(made, ()))
