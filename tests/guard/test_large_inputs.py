"""Inputs of 10 MB: each is judged, none is denied for its size, and what is not read is not taken for understood."""

import pytest
from test_guard_rules import working

from remit.guard.event import Kind, Outcome

LARGE = 10_000_000
POST = [{"capability": name, "effect": "allow"} for name in ("web.post", "api.call", "net.connect", "tool.invoke")]


def test_a_large_file_is_written(tmp_path):
    agent = working(tmp_path)
    assert (
        agent.before("Write", file_path=str(agent.root / "a.txt"), content="word " * (LARGE // 5)).outcome
        is Outcome.PASS
    )


@pytest.mark.parametrize("text", ["cat > a.txt <<'END'\n{}\nEND\n", "x='{}'"])
def test_a_command_that_is_too_long_to_be_read_is_asked_about(tmp_path, text):
    verdict = working(tmp_path).runs(text.format("word " * (LARGE // 5)))
    assert verdict.outcome is Outcome.ASK
    assert "characters, and more than 100,000 are not read" in verdict.reason
    assert len(verdict.reason) < 1000


def test_a_large_result_is_masked(tmp_path):
    agent = working(tmp_path)
    agent.runs("grep -rn KEY .")
    text = "word " * (LARGE // 5) + ".env:API_KEY=abcdefghij0123456789"
    verdict = agent.tell(
        Kind.AFTER, tool="Bash", args={"command": "grep -rn KEY ."}, text=text, result={"stdout": text}
    )
    assert verdict.changed["stdout"].endswith("API_KEY=[masked by remit]")


def test_both_ends_of_a_large_prompt_name_things(tmp_path):
    agent = working(tmp_path, permissions=POST)
    hosts = [f"{name}.example.org" for name in ("first", "middle", "last")]
    filler = "word " * (LARGE // 10)
    assert agent.says(f"use {hosts[0]} {filler} {hosts[1]} {filler} or {hosts[2]}").outcome is Outcome.PASS
    found = [agent.runs(f"curl -d hello https://{host}/").outcome for host in hosts]
    assert found == [Outcome.PASS, Outcome.ASK, Outcome.PASS]


@pytest.mark.parametrize(("size", "asked"), [(10_000, False), (LARGE, True)])
def test_a_large_argument_is_asked_about_because_it_is_not_searched(tmp_path, size, asked):
    agent = working(tmp_path, permissions=POST)
    verdict = agent.before("mcp__store__put", rows=["word " * (size // 5)])
    assert verdict.outcome is (Outcome.ASK if asked else Outcome.PASS)
    assert ("for keys and tokens" in verdict.reason) is asked


def test_more_addresses_than_can_be_looked_at_are_asked_about(tmp_path):
    agent = working(tmp_path, permissions=POST)
    agent.says(" ".join(f"a{number}@corp-mail.org" for number in range(2000)))
    few, many = (" ".join(f"a{number}@corp-mail.org" for number in range(size)) for size in (10, 2000))
    assert agent.before("mcp__store__put", rows=[few]).outcome is Outcome.PASS
    assert "more addresses than Remit can check" in agent.before("mcp__store__put", rows=[many]).reason
