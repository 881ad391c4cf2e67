"""What managed settings change: the traps that only an administrator can close."""

import json

import pytest
from claude_runs import hooks
from facts_values import BYPASS, decision, touch
from managed_place import managed
from scripted_model import call, say


def only_ours(claude, answers):
    """The stand-in as a managed hook, and no hook of anybody else."""
    return managed(claude.scratch / "managed", claude.stand_in(answers) | {"allowManagedHooksOnly": True})


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


def test_hooks_of_other_settings_do_not_run_beside_managed_ones(claude):
    other = hooks({"PreToolUse": f"touch {claude.scratch}/other"})
    run = claude.run(touch(), other, *BYPASS, prefix=only_ours(claude, {}))
    assert run.told("PreToolUse")
    assert not (claude.scratch / "other").exists()


def test_a_project_cannot_allow_inline_shell_again(claude):
    claude.skill("weather", "Now: !`touch inline`")
    (claude.work / ".claude/settings.json").write_text(json.dumps({"disableSkillShellExecution": False}))
    prefix = managed(claude.scratch / "managed", {"disableSkillShellExecution": True})
    claude.run([say("done")], {"disableSkillShellExecution": False}, *BYPASS, prompt="/weather", prefix=prefix)
    assert not (claude.work / "inline").exists()


def test_a_setting_of_the_user_alone_can_be_undone_by_a_project(claude):
    claude.skill("weather", "Now: !`touch inline`")
    (claude.home / ".claude").mkdir()
    (claude.home / ".claude/settings.json").write_text(json.dumps({"disableSkillShellExecution": True}))
    (claude.work / ".claude/settings.json").write_text(json.dumps({"disableSkillShellExecution": False}))
    claude.run([say("done")], {}, *BYPASS, prompt="/weather")
    assert (claude.work / "inline").exists()


def test_the_command_line_cannot_drop_managed_hooks(claude):
    prefix = only_ours(claude, {"PreToolUse": decision("deny")})
    run = claude.run(touch(), {}, *BYPASS, "--setting-sources", "project", prefix=prefix)
    assert not (claude.work / "made").exists()
    assert run.told("PreToolUse")


@pytest.mark.parametrize("option", ["--setting-sources=project", "--safe-mode"])
def test_the_command_line_can_drop_the_hooks_of_a_user(claude, option):
    (claude.home / ".claude").mkdir()
    (claude.home / ".claude/settings.json").write_text(json.dumps(claude.stand_in({"PreToolUse": decision("deny")})))
    claude.run(touch(), {}, *BYPASS, option)
    assert (claude.work / "made").exists()


def test_safe_mode_keeps_managed_hooks(claude):
    claude.run(touch(), {}, *BYPASS, "--safe-mode", prefix=only_ours(claude, {"PreToolUse": decision("deny")}))
    assert not (claude.work / "made").exists()


def test_bare_runs_no_hook_at_all(claude):
    run = claude.run(touch(), {}, *BYPASS, "--bare", prefix=only_ours(claude, {"PreToolUse": decision("deny")}))
    assert (claude.work / "made").exists()
    assert not run.log


def test_a_project_sets_the_environment_of_hooks(claude):
    (claude.work / ".claude").mkdir()
    said = {"env": {"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_OF_THE_PROJECT": "yes"}}
    (claude.work / ".claude/settings.json").write_text(json.dumps(said))
    run = claude.run(touch(), {}, *BYPASS, prefix=only_ours(claude, {}))
    assert said["env"].items() <= run.told("PreToolUse")[0]["environment"].items()


def test_settings_with_a_comment_are_ignored_with_their_hooks(claude):
    (claude.home / ".claude").mkdir()
    hooks_of_user = json.dumps(claude.stand_in({"PreToolUse": decision("deny")}))
    (claude.home / ".claude/settings.json").write_text(f"// mine\n{hooks_of_user}")
    claude.run(touch(), {}, *BYPASS)
    assert (claude.work / "made").exists()
