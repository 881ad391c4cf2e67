"""A refusal says what was refused and what to do, in words that an agent and a person can read."""

import re

import pytest

from each_row import each_row
from remit.authority.intents import TYPES, intents
from remit.core.shape import Text

WRONG = {
    "word": ("two words", "name"),
    "line": ("two\nlines", "line"),
    "address": ("Anna <anna@example.org>", "mail address"),
    "url": ("ftp://example.org/", "http or https"),
    "path": ("../up", "`..`"),
    "handle": ("nothing", "handle"),
}
LONGEST = 200
PATTERN = re.compile(r"\[\^|\(\?|\\x|\{\d+,")


def fitting(kind):
    return {"url": "https://example.org/", "address": "anna@example.org", "handle": "0" * 32, "number": 1}.get(
        kind, "x"
    )


@pytest.mark.parametrize("name", sorted(intents()))
def test_inputs_of_another_form_are_refused_in_words(name, world):
    one = intents()[name]
    for field, kind in one.types.items():
        inputs = {other: fitting(its) for other, its in one.types.items()}
        for value in (WRONG.get(kind, ("",))[0], 5, None, "x" * 70_000):
            answer = world.act(name, {**inputs, field: value})
            if answer.reason_code == "INPUTS_FORM":
                assert f"`inputs.{field}`" in answer.summary, answer
                assert len(answer.summary) < LONGEST, answer
                assert not PATTERN.search(answer.summary), answer


@each_row("kind", sorted(WRONG))
def test_every_form_says_in_words_what_it_is(kind):
    value, words = WRONG[kind]
    form = TYPES[kind]
    assert isinstance(form, Text)
    assert words in form.fault(value, "inputs.x")
    assert not PATTERN.search(form.words)


def test_a_transaction_of_another_form_is_refused_in_words(world):
    answer = world.act("MemoryList", {}, tx_id="last one")
    assert answer.reason_code == "BAD_FORM"
    assert "the name that a preview gave" in answer.summary
