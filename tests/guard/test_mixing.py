"""Data that nobody named, in a file that the user named: asked about."""

import time

import pytest
from engine_world import Agent

from remit.guard.event import Kind, Outcome

ALL = [{"capability": name, "scope": "./**", "effect": "allow"} for name in ("file.read", "file.write")]
INTO = "from docx import Document\nd = Document('report.docx')\nd.add_paragraph({})\nd.save('report.docx')"


def opened(folder, prompt):
    agent = Agent(folder, asks=True)
    for name in ("report.docx", "data/customers.csv", "users.db", "style.json", "helper.py"):
        (agent.root / name).parent.mkdir(parents=True, exist_ok=True)
        (agent.root / name).write_text("x\n")
    agent.time[0] = time.time() + 2
    agent.skill("documents", permissions=ALL)
    agent.tell(Kind.SESSION)
    agent.says(prompt)
    agent.loads("documents")
    return agent


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    return opened(tmp_path_factory.mktemp("mixing"), "Add a slogan to report.docx.")


def code(text):
    return f"python3 - <<'EOF'\n{INTO.format(text)}\nEOF"


@pytest.mark.parametrize("text", ["open('data/customers.csv').read()", "str(open('users.db', 'rb').read())"])
def test_what_nobody_named_does_not_go_into_what_the_user_named(agent, text):
    verdict = agent.runs(code(text))
    assert verdict.outcome is Outcome.ASK
    assert "which nobody named, may go into `report.docx`" in verdict.reason


def test_a_pattern_is_no_other_way(agent):
    text = f"import glob\nfor name in glob.glob('data/*.csv'):\n    found = open(name).read()\n{INTO.format('found')}"
    assert "may go into `report.docx`" in agent.runs(f"python3 - <<'EOF'\n{text}\nEOF").reason


def test_a_command_of_the_shell_is_no_other_way(agent):
    assert "may go into `report.docx`" in agent.runs("cat data/customers.csv >> report.docx").reason


@pytest.mark.parametrize(
    "command",
    [
        code("'We care'"),
        code("open('style.json').read()"),  # settings
        "cat data/customers.csv",
        "head -3 data/customers.csv > sample.csv",  # a file of its own
    ],
)
def test_ordinary_work_goes_on(agent, command):
    verdict = agent.runs(command)
    assert verdict.outcome is Outcome.PASS, verdict.reason


def test_what_the_user_names_goes_there(tmp_path):
    agent = opened(tmp_path, "Put the customers of data/customers.csv into report.docx.")
    verdict = agent.runs(code("open('data/customers.csv').read()"))
    assert verdict.outcome is Outcome.PASS, verdict.reason
