"""How skills reach the real Claude Code, and which ways lead past a hook."""

import json

import pytest
from facts_values import BYPASS, decision, touch
from scripted_model import call, say


def test_a_skill_that_the_model_loads_is_told_by_name_alone_and_later_calls_name_no_skill(claude):
    claude.skill("weather", "Tell the weather.")
    turns = [call("Skill", skill="weather", args="today"), *touch()]
    run = claude.run(turns, claude.stand_in({}), *BYPASS)
    skill, bash = run.told("PreToolUse")
    assert skill["tool_input"] == {"skill": "weather", "args": "today"}
    assert "weather" not in json.dumps(bash["tool_input"])
    assert "Tell the weather." in run.model.everything()


def test_a_skill_that_the_user_loads_is_told_as_an_expansion_and_can_be_blocked(claude):
    claude.skill("weather", "Tell the weather.")
    run = claude.run([say("done")], claude.stand_in({}), *BYPASS, prompt="/weather today")
    expansion = run.told("UserPromptExpansion")[0]
    assert (expansion["command_name"], expansion["command_args"]) == ("weather", "today")
    assert not run.told("PreToolUse")
    assert "Tell the weather." in run.model.everything()


INLINE = "Now: !`touch inline; echo ran`"


@pytest.mark.parametrize("how", ["by the model", "by the user"])
def test_inline_shell_of_a_skill_runs_past_the_hooks(claude, how):
    claude.skill("weather", INLINE)
    turns = [call("Skill", skill="weather"), say("done")] if how == "by the model" else [say("done")]
    prompt = "hi" if how == "by the model" else "/weather"
    run = claude.run(turns, claude.stand_in({"PreToolUse:Bash": decision("deny")}), *BYPASS, prompt=prompt)
    assert (claude.work / "inline").exists()
    assert not [entry for entry in run.told("PreToolUse") if entry["tool_name"] == "Bash"]


@pytest.mark.parametrize("how", ["by the model", "by the user"])
def test_a_setting_stops_inline_shell(claude, how):
    claude.skill("weather", INLINE)
    turns = [call("Skill", skill="weather"), say("done")] if how == "by the model" else [say("done")]
    prompt = "hi" if how == "by the model" else "/weather"
    settings = claude.stand_in({}) | {"disableSkillShellExecution": True}
    claude.run(turns, settings, *BYPASS, prompt=prompt)
    assert not (claude.work / "inline").exists()


def test_hooks_of_a_skill_change_what_ours_let_pass(rewriting):
    turns = [call("Skill", skill="weather"), *touch()]
    run = rewriting.run(turns, rewriting.stand_in({}), *BYPASS)
    assert (rewriting.work / "rewritten").exists()
    assert not (rewriting.work / "made").exists()
    assert run.told("PreToolUse")[-1]["tool_input"]["command"] == "touch made"
    assert run.told("PostToolUse")[-1]["tool_input"]["command"] == "touch rewritten"


def test_hooks_of_a_skill_do_not_overrule_an_ask(rewriting):
    turns = [call("Skill", skill="weather"), *touch()]
    rewriting.run(turns, rewriting.stand_in({"PreToolUse:Bash": decision("ask")}))
    assert not list(rewriting.work.glob("[mr]*"))
