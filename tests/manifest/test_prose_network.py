"""Sentences about the web, servers, hosted services, messages and what is made public."""

from __future__ import annotations

import pytest
from prose_values import asks

from each_row import each_row
from remit.core.errors import DataError
from remit.skill.prose.lexicon import load
from remit.skill.prose.services import is_api_address, is_service_program

OURS = {
    "api.call",
    "web.fetch",
    "web.post",
    "web.interact",
    "net.connect",
    "net.listen",
    "message.send",
    "publish",
    "pay",
}


@each_row(
    ("text", "expected"),
    [
        ("Fetch the page and read its title.", {"web.fetch"}),
        ("Use WebFetch to get the newest rules.", {"web.fetch"}),
        ("Search the web for similar birds.", {"web.fetch"}),
        ("Download the dataset first.", {"web.fetch"}),
        ("Check the official docs for the current names.", {"web.fetch"}),
        ("Click the button in the browser.", {"web.interact"}),
        ("Run the checks with Playwright and a headless browser.", {"web.interact"}),
        ("Start the local server.", {"net.listen"}),
        ("Restart the job over SSH.", {"net.connect"}),
        ("Query the REST API for each bird.", {"api.call"}),
        ("List the songs via the API.", {"api.call"}),
        ("Needs BIRDS_API_KEY.", {"api.call"}),
        ("Use the `gh` CLI to find the issue.", {"api.call"}),
        ("Query Spotify for the song.\n\nIt plays songs via Spotify.", {"api.call"}),
        ("The base is `https://api.birds.org/v2`.\n\nAll REST API answers are JSON.", {"api.call"}),
        ("Send an email with the list.", {"message.send"}),
        ("Post the list to Slack.", {"message.send"}),
        ("Deploy the app to production.", {"publish"}),
        ("Publish the package on PyPI.", {"publish"}),
        ("Buy the ticket.", {"pay"}),
    ],
)
def test_what_is_done_on_the_network(text: str, expected: set[str]) -> None:
    assert asks(text) & OURS == expected


@each_row(
    "text",
    [
        "Never fetch the page.",
        "Fetch the pages with `mcp__birds__fetch`.",
        "The user can download the file.",
        "Fill in the PDF form.",
        "Open the report in the browser.",
        "Design REST API endpoints.",
        "Use the fluent API of the builder.",
        "See https://docs.birds.org/api/v2 for its names.",
        "Messages of the log are short.",
        "Reply in the review thread.",
        "Tokens are transferred between holders.",
        "## Limitations\n\nDownload the dataset first.",
        "Works without BIRDS_API_KEY.",
    ],
)
def test_look_alikes_ask_for_nothing(text: str) -> None:
    assert not asks(text) & OURS


@each_row(
    "url",
    [
        "https://api.birds.org",
        "birds.org/api/v3/list",
        "https://birds.org/v1/songs?x=1",
        "https://maps.googleapis.com/x",
    ],
)
def test_addresses_that_programs_call(url: str) -> None:
    assert is_api_address(url)


@each_row(
    "url",
    [
        "https://birds.org/list",
        "http://localhost:8000/api/x",
        "https://docs.birds.org/api/v3",
        "https://github.com/birds/api",
        "https://api.example.com/v1",
    ],
)
def test_addresses_for_people_and_of_no_service(url: str) -> None:
    assert not is_api_address(url)


def test_programs_of_services() -> None:
    assert is_service_program("gh")
    assert not is_service_program("git")


def test_a_class_in_a_phrase_and_with_a_word_after_it() -> None:
    read = load([("a.lex", "class bird = owl great_tit\nsay api.call 2 : via @bird\ndo web.fetch : get : @bird_page")])
    assert {phrase.words for phrase in read.phrases["via"]} == {("via", "owl"), ("via", "great", "tit")}
    assert read.verbs["get"][0].objects == {("owl", "page"), ("great", "tit", "page")}


@pytest.mark.parametrize("line", ["say api.call 2 : via @bird", "do web.fetch : get : @bird_page"])
def test_a_class_that_nothing_defines_is_refused(line: str) -> None:
    with pytest.raises(DataError, match=r"a\.lex:1: the class `@bird`"):
        load([("a.lex", line)])
