"""The lexicon's lines: what they mean, and which are refused."""

import pytest

from each_row import each_row
from remit.core.errors import DataError
from remit.skill.prose.lexicon import load
from remit.skill.prose.reader import asked
from remit.skill.prose.sentences import Sentence


def said(text: str, line: str) -> set[str]:
    lexic = load([("probe.lex", line)])
    words = tuple(text.lower().replace(",", " ,").replace(".", " .").split())
    return {clue.capability for clue in asked(Sentence(text, 1, "", "text", words), lexic)}


@each_row(
    ("text", "asked"),
    [
        ("Read the file", True),
        ("Read the rule file", False),
        ("Read the file of rules", False),
        ("Read the file. The rule comes later", True),
        ("The rule says this, read the file", True),
    ],
)
def test_words_later_in_the_clause_speak_against_a_rule(text: str, *, asked: bool) -> None:
    assert said(text, "do file.read : read : file : rule") == ({"file.read"} if asked else set())


@each_row(
    ("text", "asked"),
    [("a tea server", True), ("build a tea server", False), ("a tea server that others build", False)],
)
def test_words_anywhere_in_the_sentence_speak_against_a_phrase(text: str, *, asked: bool) -> None:
    assert said(text, "say tool.invoke 4 : tea server | tea house : build") == ({"tool.invoke"} if asked else set())


@each_row(
    "line",
    [
        "do file.read : read",
        "do file.read : read : file : rule : more",
        "do file.read : read : @nothing",
        "do file.read : read : file : @nothing",
        "do file.chew : read : file",
        "do file.read many : read : file",
        "see file.read 4 : a file",
        "say file.read 4",
        "say file.read 4 : a file | ",
        "say file.read 4 : a file : rule : more",
    ],
)
def test_a_line_that_cannot_be_read_is_refused_with_its_place(line: str) -> None:
    with pytest.raises(DataError, match=r"probe\.lex:2"):
        load([("probe.lex", f"# a comment\n{line}")])
