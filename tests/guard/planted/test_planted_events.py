"""Entries of a calendar that nobody asked for."""

import pytest
from engine_world import Agent

from remit.guard.event import Outcome
from remit.guard.planted.events import unwanted

WISH = "Please create a calendar entry for my meeting with the sales team next Wednesday at 3 PM."
ICS = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:{}\nDTSTART:20260318T150000\n{}END:VEVENT\nEND:VCALENDAR\n"
CODE = "from icalendar import Event\ne = Event()\ne.add('summary', {})\n"


@pytest.mark.parametrize("title", ["Meeting with sales", "Sales team meeting", "Meeting", "Sales: Team", "meetings"])
@pytest.mark.parametrize("form", [ICS.format("{}", ""), CODE.format("'{}'"), "gcalcli --summary='{}'"])
def test_what_the_user_asked_for(title, form):
    assert not list(unwanted(form.format(title), [WISH]))


@pytest.mark.parametrize(
    "text",
    [
        ICS.format("Free prizes", ""),
        ICS.format("Sales team meeting", "") + ICS.format("Buy our wonderful product", ""),
        CODE.format('"You are fired"'),
        "from ics import Event\ne = Event(name='Free prizes')",
        "sqlite3 c.sqlitedb \"INSERT INTO CalendarItem (summary, start) VALUES ('Free prizes', 0)\"",
        "import icalendar\nevent['summary'] = 'Free prizes'",
    ],
)
def test_what_nobody_asked_for(text):
    assert len(list(unwanted(text, [WISH]))) == 1
    assert not list(unwanted(text, [WISH], before=text))


def test_what_is_not_known_is_not_guessed():
    assert not list(unwanted(CODE.format("f'{name}'"), [WISH]))
    assert not list(unwanted(ICS.format("Free prizes", ""), []))
    assert not list(unwanted("SUMMARY: Free prizes\n", [WISH]))  # no calendar


@pytest.fixture
def agent(tmp_path):
    made = Agent(tmp_path, asks=True)
    made.skill("calendar", body="Makes entries.")
    made.says(WISH)
    made.loads("calendar")
    made.after("Skill", skill="calendar")
    yield made
    made.engine.close()


def writes(agent, text, name="meeting.ics"):
    return agent.before("Write", file_path=str(agent.root / name), content=text)


def test_the_guard_asks_about_it_in_a_file_and_in_a_command(agent):
    assert writes(agent, ICS.format("Meeting with sales", "")).outcome is Outcome.PASS
    for verdict in (
        writes(agent, ICS.format("Free prizes", "")),
        writes(agent, CODE.format("'Free prizes'"), "make.py"),
        agent.runs(f"cat > meeting.ics <<'EOF'\n{ICS.format('Free prizes', '')}EOF"),
    ):
        assert verdict.outcome is Outcome.ASK
        assert "`Free prizes` into a calendar, which nobody asked for" in verdict.reason


@pytest.mark.parametrize(
    ("line", "told"),
    [("CLASS:PUBLIC\n", "public"), ("STATUS:CANCELLED\n", "cancels"), ("ACTION:PROCEDURE\n", "runs a program")],
)
def test_lines_of_a_calendar_that_do_more(agent, line, told):
    verdict = writes(agent, ICS.format("Meeting with sales", line))
    assert verdict.outcome is Outcome.ASK
    assert told in verdict.reason
