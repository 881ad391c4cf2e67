"""The participants of `pipeline`: ann and bob, who are admitted, eve, who is not, olga, the operator, a device, and a
bad model.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from remit.gateway.inbound.agent.turn import AgentCall, By, ConversationMessage, Talk
from remit.gateway.inbound.channels.interface import Sending, SendResult
from remit.gateway.inbound.events import Event, Gate, What
from remit.gateway.inbound.nodes.command_requests import NODES, DeviceCommand
from remit.gateway.inbound.nodes.commands import Commands, Device
from remit.gateway.inbound.nodes.devices import DeviceAnswer
from remit.gateway.inbound.pairing import TABLE as PAIRING
from remit.gateway.inbound.pairing import ChannelPairings as People
from remit.gateway.inbound.pairing import Rules
from remit.gateway.inbound.routing import ChatAddress, ConversationKind
from remit.gateway.inbound.settings.values import MAIN, Agent, ChannelSettings, Platform, Settings
from remit.gateway.inbound.tool_policy import Layer, Policy
from remit.models.explore.interleave import StoredValue, memory_of
from remit.models.explore.worlds.inbound._gateway import REQUEST, Runs, Sends, Thinks

_COMMAND, _WISH = "system.which", "run it for ann"
DEVICE = Device("d", "linux", frozenset({_COMMAND}))
WANTED = DeviceCommand(DEVICE.id, _COMMAND, "what ann wants", tainted=True)
DIGEST = WANTED.digest
MARKS = {"ann": " ann", "bob": "/approve"}  # in everything that each says or is told
_AGENT = Agent(Policy(frozenset({"node_run", "node_list"}), {}))
_SHUT = Agent(Policy(_AGENT.policy.tools, {"session": Layer(deny=("group:nodes",))}))
_OPEN = Settings(
    channels={"chat": ChannelSettings(Platform.WEBHOOK, "us", Gate(operators=frozenset({"olga"})), Rules(), "secret")},
    agents={MAIN: _AGENT},
)
# everything is allowed; the tool is denied; the command is denied on devices
SETTINGS = (_OPEN, _OPEN._replace(agents={MAIN: _SHUT}), _OPEN._replace(nodes=Commands(deny=frozenset({_COMMAND}))))
OPEN = 0
ALLOWED = (_AGENT.policy.tools, frozenset[str](), _AGENT.policy.tools)
BEGUN = memory_of({
    (PAIRING, "chat"): StoredValue(People(allowed=("ann", "bob"))),
    (PAIRING, NODES): StoredValue(People(allowed=(DEVICE.id,))),
})  # fmt: skip


def _said(peer: str, text: str, name: str) -> Event:
    return Event(
        ChatAddress("chat", "us", ConversationKind.DIRECT, peer),
        What.SAID,
        text,
        f"m{name}",
        name,
        f"trace-{name}",
        name,
    )


EVENTS = (
    _said("ann", _WISH, "0"), _said("bob", f"/approve {REQUEST}", "1"), _said("olga", f"/approve {REQUEST}", "2"),
    _said("eve", "what eve says", "3"), _said("ann", "more of ann", "4"),
)  # fmt: skip
ANN, BOB, APPROVES, EVE, MORE = range(len(EVENTS))
SESSIONS = {peer: f"main/direct/chat/us/{peer}" for peer in ("ann", "bob", "olga")}


def words_in(talk: Talk) -> Iterator[str]:
    """Everything that was said in a conversation."""
    for said in talk.said:
        yield said.text
        yield from (one.text for one in said.results)


def answer_of(asked: Any) -> Any:
    """What is answered by model, device, platform and clock."""
    match asked:
        case Thinks(talk):
            last = talk.said[-1]
            if last.by is By.PERSON and last.text == _WISH:  # under another name, and whether it was shown or not
                arguments = (
                    f'{{"device":"{WANTED.device}","command":"{WANTED.command}","arguments":"{WANTED.arguments}"}}'
                )
                return ConversationMessage(By.AGENT, "", (AgentCall("c", "Nodes-Run", arguments),))
            return ConversationMessage(By.AGENT, " ".join(words_in(talk)))
        case Runs(name):
            return DeviceAnswer(name, 0, "what the device told ann")
        case Sends():
            return Sending(SendResult.SENT)
    return None
