"""What a text lists among its needs: under a heading, after `Requires`, or in the field `compatibility`."""

from __future__ import annotations

import pytest
from prose_values import asks

from each_row import each_row
from remit.core.errors import DataError
from remit.skill.prose.lexicon import load


@each_row(
    ("text", "expected"),
    [
        ("## Prerequisites\n\n- Docker", "container.run"),
        ("## Prerequisites\n\n- Two access tokens", "secret.read"),
        ("## What you need\n\n- A password of the bird house", "secret.read"),
        ("Requires an environment variable with the name of the bird.", "env.read"),
        ("Requirements: the kite MCP server", "tool.invoke"),
    ],
)
def test_what_is_listed_among_the_needs_is_asked_for(text: str, expected: str) -> None:
    assert expected in asks(text)


@each_row(
    "text",
    [
        "## History\n\n- Docker",
        "The password of the bird house is a secret.",
        "## Prerequisites\n\n- No password",
        "## Prerequisites\n\n- Knowledge of birds",
    ],
)
def test_a_mention_elsewhere_or_a_denial_asks_for_nothing(text: str) -> None:
    assert not asks(text)


def test_the_field_compatibility_lists_needs() -> None:
    assert "container.run" in asks("Sing.", about="A skill.\ncompatibility: Requires docker and a bird.")
    assert not asks("Sing.", about="A skill.\ncompatibility: Works on every branch.")


@each_row(
    ("text", "asked"),
    [
        ("Find nests through the bird watch API.", True),
        ("Find nests through the API.", True),
        ("Find nests through the old red bird watch API.", False),
        ("Find nests through the garden. The API is closed.", False),
    ],
)
def test_a_gap_holds_up_to_three_words(text: str, *, asked: bool) -> None:
    assert ("api.call" in asks(f"{text} {text}\n\n{text}")) == asked


@each_row("line", ["need file.read", "need file.chew : a file", "say file.read : .. file", "say file.read : a .."])
def test_a_line_that_cannot_be_read_is_refused_with_its_place(line: str) -> None:
    with pytest.raises(DataError, match=r"probe\.lex:1"):
        load([("probe.lex", line)])
