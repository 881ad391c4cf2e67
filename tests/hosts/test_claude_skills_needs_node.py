"""What a hook can hold of a skill in the real Claude Code; test_claude_skills_nightly.py has the other facts."""

from facts_values import BYPASS, decision, touch
from scripted_model import call, say


def test_loading_a_skill_can_be_denied(claude):
    claude.skill("weather", "Tell the weather.")
    turns = [call("Skill", skill="weather"), say("done")]
    run = claude.run(turns, claude.stand_in({"PreToolUse:Skill": decision("deny")}), *BYPASS)
    assert "Tell the weather." not in run.model.everything()


def test_an_expansion_can_be_blocked(claude):
    claude.skill("weather", "Tell the weather.")
    said = {"decision": "block", "reason": "the skill has changed"}
    answers = {"UserPromptExpansion": {"stdout": said}}
    run = claude.run([say("done")], claude.stand_in(answers), *BYPASS, prompt="/weather today")
    assert "Tell the weather." not in run.model.everything()


def test_hooks_of_a_skill_do_not_overrule_a_deny(rewriting):
    turns = [call("Skill", skill="weather"), *touch()]
    rewriting.run(turns, rewriting.stand_in({"PreToolUse:Bash": decision("deny")}), *BYPASS)
    assert not list(rewriting.work.glob("[mr]*"))
