"""A conversation, independent of any endpoint's format."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

MOST_SAID = 60
MOST_CHARACTERS = 200_000


def whole(text: str) -> str:
    """Return a text without lone surrogates, which no channel and no endpoint accepts."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


class By(StrEnum):
    """The speaker of a message."""

    PERSON = "person"
    AGENT = "agent"
    TOOLS = "tools"


class Call(NamedTuple):
    """A tool call of the agent. `arguments` are JSON, as the model wrote them."""

    id: str
    tool: str
    arguments: str


class Result(NamedTuple):
    """The result of a tool."""

    id: str
    text: str


class Said(NamedTuple):
    """One message of a conversation: a text with calls of an agent or results of tools."""

    by: By
    text: str = ""
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()

    @property
    def size(self) -> int:
        """Its length in characters."""
        return (
            len(self.text) + sum(len(one.arguments) for one in self.calls) + sum(len(one.text) for one in self.results)
        )


class Talk(NamedTuple):
    """The stored conversation of a session."""

    said: tuple[Said, ...] = ()
    tainted: bool = False  # contains text of people other than operators, or of tools

    def shortened(self) -> Talk:
        """Return the last part within the limits.

        It begins with a person's message: a result without its call is invalid.
        """
        said, size, begin = self.said, 0, len(self.said)
        for place in range(len(said) - 1, -1, -1):
            size += said[place].size
            if size > MOST_CHARACTERS or len(said) - place > MOST_SAID:
                break
            if said[place].by is By.PERSON:
                begin = place
        return Talk(said[begin:], self.tainted)


class Waits(NamedTuple):
    """What a call waits for: a person's approval of a request to a device, or of a transaction."""

    name: str
    until: int
    inputs: str  # the inputs with which the tool continues, as JSON
    call: str = ""  # the guard's name for the call


class Pause(NamedTuple):
    """The state of a suspended turn: the conversation, the results of the calls before, and the number of model
    requests.
    """

    talk: Talk
    results: tuple[Result, ...]
    rounds: int
    waits: Waits
