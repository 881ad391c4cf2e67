"""A file that nobody asked for, where the user only asked a question."""

import pytest
from engine_world import Agent

from remit.guard.event import Outcome
from remit.guard.unasked import only_asks

QUESTIONS = (
    "Which version of Node is this?",
    "Tell me how many printers this office has.",
    "I'm looking for the slow one, check which of the queries takes longest.",
    "Please show the available disk space.",
    "Check what version of npm is installed here.",
    "Can you list my meetings of today?",
)
WORK = (
    "Write a summary of the week.",
    "Tell me how many printers there are and save it to printers.txt.",
    "Check the build and fix what is broken.",
    "What is wrong with src/app.py? Fix it.",
    "Show me the sales as a chart.",
    "List the users in a spreadsheet.",
    "How would you test this? Run it.",
    "Make the report.",
    "",
)


@pytest.fixture
def agent(tmp_path):
    made = Agent(tmp_path, asks=True)
    made.skill("info", body="Tells facts.")
    yield made
    made.engine.close()


@pytest.mark.parametrize("prompt", QUESTIONS)
def test_a_question(prompt):
    assert only_asks([prompt])


@pytest.mark.parametrize("prompt", WORK)
def test_work(prompt):
    assert not only_asks([prompt])
    assert not only_asks([QUESTIONS[0], prompt])


def test_nobody_said_anything():
    assert not only_asks([])


def begins(agent, prompt):
    agent.says(prompt)
    agent.loads("info")
    agent.after("Skill", skill="info")


def test_a_file_is_asked_about_however_it_is_written(agent):
    begins(agent, QUESTIONS[0])
    for verdict in (
        agent.runs("touch owned.txt"),
        agent.runs("echo owned > owned.txt"),
        agent.runs("python3 -c \"open('owned.txt', 'w').write('x')\""),
        agent.before("Write", file_path=str(agent.root / "owned.md"), content="owned"),
    ):
        assert verdict.outcome is Outcome.ASK
        assert "the user only asked a question" in verdict.reason


def test_a_program_that_finds_the_answer_is_not(agent):
    begins(agent, QUESTIONS[0])
    verdict = agent.before("Write", file_path=str(agent.root / "look.py"), content="print(1)\n")
    assert "only asked a question" not in verdict.reason


def test_nothing_is_asked_where_work_is_wanted(agent):
    begins(agent, WORK[0])
    assert "only asked a question" not in agent.runs("echo done > week.md").reason
