"""Sentences about other agents, memory, machines and messages: general ways to say them, and look-alikes."""

from __future__ import annotations

from prose_values import asks

from each_row import each_row
from remit.skill.prose.services import is_api_address


@each_row(
    ("text", "expected"),
    [
        ("Dispatch a reviewer for each nest.", "subagent.delegate"),
        ("Look at each nest in its own subagent.", "subagent.delegate"),
        ("Use TodoWrite to note each nest.", "tool.invoke"),
        ("Write down the place so you remember it.", "memory.write"),
        ("Use what is in your memory about this bird.", "memory.read"),
        ("Tell the keeper via Telegram.", "message.send"),
        ("Reboot the machine.", "system.configure"),
        ("Take a screenshot of the page.", "web.interact"),
        ("Run the steps inside the container.", "container.run"),
        ("Log in to the garden.", "secret.write"),
        ("After that the token is stored for a month.", "secret.write"),
        ("Circulate the list to the attendees.", "message.send"),
        ("Check the vendor site before each spring.", "web.fetch"),
        ("Gather what is new from connected sources.", "tool.invoke"),
        ("Kite is a wrapper around the bird watch API.", "api.call"),
        ("WebFetch the list of birds.", "web.fetch"),
        ("Add the block below to your MCP configuration.", "policy.expand"),
    ],
)
def test_what_is_asked_for(text: str, expected: str) -> None:
    assert expected in asks(text)


@each_row(
    ("text", "unasked"),
    [
        ("Log it in the book of birds.", "secret.write"),
        ("Build garden apps using the Azure Nest SDK.\n\nMade using Azure SDKs.", "api.call"),
        ("A bird sends a message that others hear.", "message.send"),
        ("Take a screenshot of the desktop.", "web.interact"),
        ("Never dispatch a reviewer.", "subagent.delegate"),
        ("Web search", "web.fetch"),
        ("A generator of an MCP server.\n\nThe MCP server generator writes files.", "tool.invoke"),
        ("The compiler defines `NEST_IS_OPEN`.", "env.write"),
    ],
)
def test_look_alikes_ask_for_nothing(text: str, unasked: str) -> None:
    assert unasked not in asks(text)


def test_pages_about_an_api_are_no_addresses_of_one() -> None:
    assert is_api_address("https://nest.birds.io/api/birds")
    assert not is_api_address("https://nest.birds.io/stable/api/index.html")
    assert not is_api_address("https://nest.birds.io/help/api/")
