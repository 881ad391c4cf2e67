"""Attacks through the relay that lends the model to a client: the provider reaches no host for an agent."""

from each_row import each_row
from remit.gateway.inbound.agent.model_proxy import _names_addresses, _without_provider_tools

OWN = [{"name": "Bash", "input_schema": {}}, {"type": "custom", "name": "x"}, {"type": "function", "name": "shell"}]


@each_row(
    "tool",
    [
        {"type": "web_fetch_20250910", "name": "web_fetch"},
        {"type": "web_search"},
        {"type": "mcp", "server_url": "https://x.example"},
        {"type": 3},
        "x",
    ],
)
def test_only_tools_that_the_client_runs_are_handed_on(tool):
    kept = _without_provider_tools(
        {"tools": [*OWN, tool], "mcp_servers": [{"url": "https://x.example"}], "stream": True}
    )
    assert kept == {"tools": OWN, "stream": True}


@each_row(
    "block",
    [
        {"type": "image", "source": {"type": "url", "url": "https://x.example/a?d=secret"}},
        {"type": "image_url", "image_url": {"url": "HTTPS://x.example"}},
        {"type": "input_file", "file_url": "http://x.example"},
        {"type": "tool_result", "content": [{"type": "document", "source": {"url": "https://x.example"}}]},
    ],
)
def test_no_content_is_an_address(block):
    assert _names_addresses([{"role": "user", "content": [block]}])


def test_words_that_name_an_address_are_words():
    text = {"type": "text", "text": "see https://x.example"}
    call = {"type": "tool_use", "name": "fetch", "input": {"url": "https://x.example"}}
    assert not _names_addresses(
        [{"role": "user", "content": [text, call]}, {"role": "user", "content": "https://x.example"}]
    )
