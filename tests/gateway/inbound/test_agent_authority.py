"""What ends outside goes to the outbound gateway in the agent's own name: previewed, and committed as it was previewed."""

import asyncio

import pytest

from remit.core.errors import AuthorityError
from remit.gateway.inbound.agent import authority
from remit.gateway.inbound.agent.authority import Authority

ASKED = {"intent_id": "SendMessage", "inputs": {"to": "a"}}


class Asker:
    """An outbound gateway that answers as it was told to."""

    def __init__(self, socket, credential):
        self.socket, self.credential, self.asked, self.closed = socket, credential, [], False
        self.answers = []

    async def act(self, asked):
        self.asked.append(asked)
        return self.answers.pop(0)

    async def __aexit__(self, *_):
        self.closed = True


@pytest.fixture
def made(monkeypatch):
    monkeypatch.setattr(authority, "Asker", Asker)
    monkeypatch.setattr(authority, "_PAUSE", 0.0)
    return Authority("socket", {"main": "credential"})


def told(made, *answers, agent="main"):
    asker = made._askers["main"]
    asker.answers = list(answers)
    asker.asked.clear()
    return asyncio.run(made(agent, "SendMessage", {"to": "a"})), asker.asked


def test_what_is_previewed_is_committed(made):
    found, asked = told(made, {"status": "PREVIEW", "tx_id": "t"}, {"status": "OK"})
    assert found == {"status": "OK"}
    assert asked == [ASKED, {**ASKED, "constraints": {"tx_id": "t"}}]
    assert made._askers["main"].credential == "credential"


@pytest.mark.parametrize("status", ["DENY", "OK"])
def test_what_has_no_preview_is_over(made, status):
    found, asked = told(made, {"status": status})
    assert (found, asked) == ({"status": status}, [ASKED])


def test_a_person_is_waited_for(made):
    waits = {"status": "DENY", "reason_code": "CONFIRM_MISSING"}
    found, asked = told(made, {"status": "CONFIRM", "tx_id": "t"}, waits, waits, {"status": "OK"})
    assert found == {"status": "OK"}
    assert len(asked) == 4
    found, asked = told(made, {"status": "CONFIRM", "tx_id": "t"}, *[waits] * 60)
    assert found == waits
    assert len(asked) == 51
    found, asked = told(made, {"status": "PREVIEW", "tx_id": "t"}, waits, waits)
    assert found == waits
    assert len(asked) == 2


def test_who_has_no_credential_asks_nothing(made):
    with pytest.raises(AuthorityError, match="no credential"):
        told(made, {"status": "OK"}, agent="other")
    assert made._askers["main"].asked == []
    asyncio.run(made.close())
    assert made._askers["main"].closed
