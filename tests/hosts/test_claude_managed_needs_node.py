"""What managed settings hold: the traps that only an administrator can close. test_claude_managed_nightly.py has the other facts."""

import json

from facts_values import BYPASS, decision, touch
from managed_place import managed, only_ours
from scripted_model import call, say


def test_managed_settings_stop_the_hooks_of_skills(rewriting):
    turns = [call("Skill", skill="weather"), *touch()]
    run = rewriting.run(turns, {}, *BYPASS, prefix=only_ours(rewriting, {}))
    assert (rewriting.work / "made").exists()
    assert not (rewriting.work / "rewritten").exists()
    assert [entry["tool_name"] for entry in run.told("PreToolUse")] == ["Skill", "Bash"]


def test_managed_hooks_cannot_be_turned_off_by_a_project(claude):
    (claude.work / ".claude").mkdir()
    (claude.work / ".claude/settings.json").write_text(json.dumps({"disableAllHooks": True}))
    claude.run(touch(), {}, *BYPASS, prefix=only_ours(claude, {"PreToolUse": decision("deny")}))
    assert not (claude.work / "made").exists()


def test_a_project_cannot_allow_inline_shell_again(claude):
    claude.skill("weather", "Now: !`touch inline`")
    (claude.work / ".claude/settings.json").write_text(json.dumps({"disableSkillShellExecution": False}))
    prefix = managed(claude.scratch / "managed", {"disableSkillShellExecution": True})
    claude.run([say("done")], {"disableSkillShellExecution": False}, *BYPASS, prompt="/weather", prefix=prefix)
    assert not (claude.work / "inline").exists()


def test_the_command_line_cannot_drop_managed_hooks(claude):
    prefix = only_ours(claude, {"PreToolUse": decision("deny")})
    run = claude.run(touch(), {}, *BYPASS, "--setting-sources", "project", prefix=prefix)
    assert not (claude.work / "made").exists()
    assert run.told("PreToolUse")
