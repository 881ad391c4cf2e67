"""What a verb is done to: the head of a noun phrase, and for `make` rules nothing that a preposition adds."""

from __future__ import annotations

import pytest

from each_row import each_row
from remit.core.errors import DataError
from remit.skill.prose.lexicon import load
from remit.skill.prose.reader import asked
from remit.skill.prose.sentences import Sentence

LEXICON = load(
    [("test.lex", "make source.write : write create generate : test feature code\ndo source.read : review read : code")]
)


def capabilities(text: str) -> set[str]:
    words = tuple(text.lower().replace(",", " ,").split())
    return {clue.capability for clue in asked(Sentence(text, 1, "", "text", words), LEXICON)}


@each_row(
    "text", ["write the tests", "create a feature and ship it", "write a set of tests", "generate code using the plan"]
)
def test_the_head_of_the_noun_phrase_is_the_object(text: str) -> None:
    assert capabilities(text) == {"source.write"}


@each_row(
    "text",
    [
        "create a feature branch",
        "write code names in small letters",
        "generate questions from the code",
        "create a list from every test",
        "write a summary of the code",
    ],
)
def test_a_noun_before_another_noun_or_behind_a_preposition_is_no_object(text: str) -> None:
    assert capabilities(text) == set()


def test_a_do_rule_reaches_behind_prepositions() -> None:
    assert capabilities("review what happens in the code") == {"source.read"}
    assert capabilities("review the code names") == set()


def test_an_unknown_kind_of_line_is_refused_with_its_place() -> None:
    with pytest.raises(DataError, match=r"bad\.lex:2: `took` begins no line"):
        load([("bad.lex", "# a comment\ntook source.read : read : code")])


def test_a_pair_of_words_may_be_something_else() -> None:
    lexic = load([("test.lex", "none bar_code\ndo source.read : read : code")])
    for words, expected in ((("read", "the", "bar", "codes"), []), (("read", "the", "codes"), ["source.read"])):
        clues = asked(Sentence("", 1, "", "text", words), lexic)
        assert [clue.capability for clue in clues] == expected


@each_row("pair", ["code", "_code", "bar_", "a_b_c"])
def test_what_is_no_pair_is_refused_with_its_place(pair: str) -> None:
    with pytest.raises(DataError, match=r"bad\.lex:1: .* is not a pair"):
        load([("bad.lex", f"none {pair}")])


def test_a_class_that_is_defined_twice_is_refused_with_its_place() -> None:
    with pytest.raises(DataError, match=r"bad\.lex:2: the class `code` is defined twice"):
        load([("bad.lex", "class code = code\nclass code = script")])


def test_what_something_is_made_from_is_not_what_is_made() -> None:
    lexic = load([("test.lex", "put file.write : create put : image")])

    def found(text: str) -> bool:
        return any(asked(Sentence(text, 1, "", "text", tuple(text.split())), lexic))

    assert found("put the words on the image")
    assert not found("create captions from the image")
    assert not found("create captions using an image")


def test_a_row_of_verbs_has_no_objects_in_it() -> None:
    assert capabilities("write , review , and improve code") == {"source.write", "source.read"}
    assert capabilities("create , test , and ship it") == set()
