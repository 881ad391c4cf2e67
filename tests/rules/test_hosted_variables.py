"""What variables and requests of documents are called: blanks, values that the document sets, credentials, services."""

import pytest


def fence(code: str) -> str:
    return f"Run:\n\n```bash\n{code}\n```\n"


READS = {
    "curl https://example.com/$REGION_NAME": {"REGION_NAME"},
    "printenv DEPLOY_STAGE": {"DEPLOY_STAGE"},
    "cat $output_file": set(),
    "cat $INPUT": set(),
    "cat $1": set(),
}


@pytest.mark.parametrize("line", READS)
def test_a_variable_is_read_unless_it_is_a_blank(skill, line):
    assert skill({}, fence(line)).scopes("env.read") == READS[line]


def test_what_the_document_sets_in_another_fence_is_not_read(skill):
    text = fence("STAGE_NAME=$(git branch --show-current)") + "\nThen:\n\n" + fence("echo \"it's $STAGE_NAME")
    assert "env.read" not in skill({}, text).capabilities


def test_in_a_script_a_blank_is_a_variable(shell):
    assert shell('cat "$INPUT" "$output_file"\n').scopes("env.read") == {"INPUT", "output_file"}


def test_an_export_of_a_document_sets_a_variable_for_later_commands(skill, shell):
    assert skill({}, fence("export DEPLOY_STAGE=test")).scopes("env.write") == {"DEPLOY_STAGE"}
    assert "env.write" not in skill({}, fence("DEPLOY_STAGE=test make")).capabilities
    assert "env.write" not in shell("export DEPLOY_STAGE=test\n").capabilities


def test_a_variable_that_is_named_like_a_key_is_a_credential(skill, shell):
    found = skill({}, fence('mytool --key "$ACME_API_KEY"'))
    assert {"env.read", "secret.read"} <= found.capabilities
    assert "secret.read" in skill({}, fence("export ACME_TOKEN=...")).capabilities
    assert "secret.read" not in skill({}, fence("export ACME_REGION=...")).capabilities
    assert "secret.read" not in shell('mytool --key "$ACME_API_KEY"\n').capabilities


BOTH, CALL, NEITHER = {"api.call", "secret.read"}, {"api.call"}, set()
REQUESTS = {
    'curl -H "Authorization: Bearer $ACME_TOKEN" https://example.com/x': BOTH,
    "curl -H 'X-Api-Key: <key>' https://example.com/x": BOTH,
    "curl -d @a.json -u user:pass https://api.example.com/x": BOTH,
    "curl 'https://example.com/x?apikey=YourApiKey'": BOTH,
    "wget --header='Authorization: token x' https://example.com/x": BOTH,
    "curl https://api.example.com/x": CALL,
    "curl https://example.com/api/v1/x": CALL,
    "curl https://example.com/page": NEITHER,
    "curl -H 'Accept: text/html' https://example.com/page": NEITHER,
    "curl http://localhost:8000/v1/models": NEITHER,
}


@pytest.mark.parametrize("line", REQUESTS)
def test_a_request_of_a_document_that_speaks_to_a_service(skill, line):
    found = skill({}, fence(line)).capabilities
    assert found & BOTH == REQUESTS[line]
    assert found & {"web.fetch", "web.post"}


def test_in_a_script_a_request_is_what_it_is_on_the_wire(shell):
    assert shell('curl -H "Authorization: x" https://api.example.com/x\n').capabilities == {
        "process.create",
        "web.fetch",
    }
