"""What ends outside goes to the outbound gateway in the agent's own name: previewed, and committed as it was previewed."""

import asyncio

import pytest

from remit.core.errors import AuthorityError
from remit.gateway.inbound import turn_context
from remit.gateway.inbound.turn_context import OutboundClient

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
    monkeypatch.setattr(turn_context, "GatewayClient", Asker)
    return OutboundClient("socket", {"main": "credential"})


def test_what_is_previewed_is_committed_in_the_agent_s_own_name(made):
    asker = made._askers["main"]
    asker.answers = [{"status": "PREVIEW", "tx_id": "t"}, {"status": "OK"}]
    assert asyncio.run(made.preview("main", "SendMessage", {"to": "a"})) == {"status": "PREVIEW", "tx_id": "t"}
    assert asyncio.run(made.commit("main", "SendMessage", {"to": "a"}, "t")) == {"status": "OK"}
    assert asker.asked == [ASKED, {**ASKED, "constraints": {"tx_id": "t"}}]
    assert asker.credential == "credential"


def test_who_has_no_credential_asks_nothing(made):
    for coming in (made.preview("other", "SendMessage", {}), made.commit("other", "SendMessage", {}, "t")):
        with pytest.raises(AuthorityError, match="no credential"):
            asyncio.run(coming)
    assert made._askers["main"].asked == []
    asyncio.run(made.close())
    assert made._askers["main"].closed
