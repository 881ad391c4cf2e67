"""What managed settings change, and what settings of a user or a project can do where there are none."""

import json

import pytest
from claude_runs import hooks
from facts_values import BYPASS, decision, touch
from managed_place import only_ours
from scripted_model import say


def test_hooks_of_other_settings_do_not_run_beside_managed_ones(claude):
    other = hooks({"PreToolUse": f"touch {claude.scratch}/other"})
    run = claude.run(touch(), other, *BYPASS, prefix=only_ours(claude, {}))
    assert run.told("PreToolUse")
    assert not (claude.scratch / "other").exists()


def test_a_setting_of_the_user_alone_can_be_undone_by_a_project(claude):
    claude.skill("weather", "Now: !`touch inline`")
    (claude.home / ".claude").mkdir()
    (claude.home / ".claude/settings.json").write_text(json.dumps({"disableSkillShellExecution": True}))
    (claude.work / ".claude/settings.json").write_text(json.dumps({"disableSkillShellExecution": False}))
    claude.run([say("done")], {}, *BYPASS, prompt="/weather")
    assert (claude.work / "inline").exists()


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
