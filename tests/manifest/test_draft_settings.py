"""Blocks of settings, and services that are reached through tools of the host."""

from __future__ import annotations

from each_row import each_row
from remit.manifest.draft.clues import Clue, required
from remit.manifest.draft.code_blocks import shown_settings
from remit.manifest.model import Evidence
from remit.skill.document import Fence


def asked(text: str, language: str = "json") -> set[str]:
    return set(shown_settings(Fence(language, language, text, 1, "")))


@each_row(
    ("text", "language", "expected"),
    [
        ('{"mcpServers": {"nest": {"command": "nest"}}}', "json", {"policy.expand"}),
        ("[mcp_servers.nest]\ncommand = 1", "toml", {"policy.expand"}),
        ('{"permissions": {"allow": ["Bash"]}}', "json", {"policy.expand"}),
        ('{"mcpServers": {"nest": {"env": {"NEST_TOKEN": "…"}}}}', "json", {"policy.expand", "secret.write"}),
        ('{"NEST_TOKEN": "…"}', "json", set()),
        ('{"hooks": {"PreToolUse": []}}', "json", {"hook.install"}),
        ("BIRD_HOUSE=red\n# the key\nBIRD_TOKEN=abc", "", {"env.read", "secret.read"}),
        ("BIRD_HOUSE=red", "bash", {"env.read"}),
        ('{"permissions": {"contents": "read"}}', "json", set()),
        ('{"hooks": {"build": []}}', "json", set()),
        ('x = {"mcpServers": {}}', "python", set()),
        ("BIRD_HOUSE=red\nfeed --all", "bash", set()),
        ("# nothing", "bash", set()),
    ],
)
def test_what_a_block_of_settings_asks_for(text: str, language: str, expected: set[str]) -> None:
    assert asked(text, language) == expected


def clue(capability: str, kind: str, rule: str, line: int) -> Clue:
    return Clue(capability, 4, kind, Evidence("SKILL.md", line, "words", rule))


TOOL = clue("tool.invoke", "sentence", "`mcp tool`", 1)


@each_row(
    ("found", "calls"),
    [
        (clue("api.call", "sentence", "`~apikey`", 2), False),
        (clue("api.call", "command", "`nest mcp login`", 2), False),
        (clue("api.call", "sentence", "`~service cli`", 2), True),
        (clue("api.call", "script", "`requests.get`", 2), True),
    ],
)
def test_a_service_behind_tools_of_the_host_is_not_called_by_the_skill(found: Clue, *, calls: bool) -> None:
    assert ("api.call" in required([TOOL, found])) == calls
    assert "api.call" in required([found])


def test_a_secret_that_is_to_be_put_into_a_file_is_written() -> None:
    fence = Fence("", "", "BIRD_TOKEN=abc", 1, "Setup", "Add to the file:")
    assert set(shown_settings(fence)) == {"env.read", "secret.read", "secret.write"}
