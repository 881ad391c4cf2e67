"""A conversation, in no endpoint's dialect."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

MOST_SAID = 60
MOST_CHARACTERS = 200_000


def whole(text: str) -> str:
    """A text without half characters, which no channel and no endpoint takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


class By(StrEnum):
    """Who spoke."""

    PERSON = "person"
    AGENT = "agent"
    TOOLS = "tools"


class Call(NamedTuple):
    """A tool that the agent calls. `arguments` are JSON, as the model wrote them."""

    id: str
    tool: str
    arguments: str


class Result(NamedTuple):
    """What a tool answered."""

    id: str
    text: str


class Said(NamedTuple):
    """One piece of a conversation: a text, and calls of an agent or results of tools."""

    by: By
    text: str = ""
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()

    @property
    def size(self) -> int:
        """How long it is."""
        return (
            len(self.text) + sum(len(one.arguments) for one in self.calls) + sum(len(one.text) for one in self.results)
        )


class Talk(NamedTuple):
    """What is remembered of a session."""

    said: tuple[Said, ...] = ()
    tainted: bool = False  # words of others than operators, or of tools, had a part in it

    def shortened(self) -> Talk:
        """The last part that is not too long. It begins with a person: a result without its call is no conversation."""
        said, size, begin = self.said, 0, len(self.said)
        for place in range(len(said) - 1, -1, -1):
            size += said[place].size
            if size > MOST_CHARACTERS or len(said) - place > MOST_SAID:
                break
            if said[place].by is By.PERSON:
                begin = place
        return Talk(said[begin:], self.tainted)


class Waits(NamedTuple):
    """For what a call waits: a person's word about a request to a device, or about a transaction."""

    name: str
    until: int
    inputs: str  # with which the tool goes on, as JSON
    call: str = ""  # the guard's name for the call


class Pause(NamedTuple):
    """A turn up to the call that must wait: the conversation, the results of the calls before it, and how often the model was asked."""

    talk: Talk
    results: tuple[Result, ...]
    rounds: int
    waits: Waits
