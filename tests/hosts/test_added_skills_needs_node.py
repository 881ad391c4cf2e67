"""Skills that `remit add` installs are offered to the model by the real hosts."""

import contextlib

import pytest
from held_runs import Guard
from other_runs import GEMINI_AUTH, codex, copilot, gemini, opencode
from scripted_model import say

DESCRIPTION = "tells the weather of yesterday"
OTHERS = {
    "codex": ("@openai/codex@0.166.0", codex),
    "gemini": ("@google/gemini-cli@0.61.0", gemini),
    "copilot": ("@github/copilot@1.0.102", copilot),
    "opencode": ("opencode-ai@1.18.18", opencode),
}


def add(place, monkeypatch, host, scope):
    """What a user does who has the folder of a skill."""
    skill = place.scratch / "from/yesterday"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text(f"---\nname: yesterday\ndescription: {DESCRIPTION}\n---\nSay that it rained.\n")
    Guard(place, monkeypatch).remit("add", skill, "--host", host, f"--{scope}", "--yes", "--quiet")


@pytest.mark.parametrize("scope", ["user", "project"])
def test_claude_code_sees_it(claude, monkeypatch, scope):
    add(claude, monkeypatch, "claude-code", scope)
    run = claude.run([say("done")], {})
    assert DESCRIPTION in run.model.everything()


@pytest.mark.parametrize("host", OTHERS)
@pytest.mark.parametrize("scope", ["user", "project"])
def test_other_hosts_see_it_nightly(other_host, monkeypatch, host, scope):
    package, session = OTHERS[host]
    place = other_host(package, host)
    add(place, monkeypatch, host, scope)
    if host == "gemini":
        place.write(".gemini/settings.json", GEMINI_AUTH)
    with contextlib.chdir(place.work):
        run = session(place, [say("done")])
    assert DESCRIPTION in run.model.everything()
