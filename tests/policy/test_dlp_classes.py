"""The classes in which policies speak of what a text shows."""

import base64

import pytest

from each_row import each_row
from remit.core import text_views
from remit.core.errors import DataError
from remit.policy.dlp.classes import CLASSES, classes, load, veiled
from remit.policy.dlp.rows import table

AWS = "AKIA" + "IOSFODNN7EXAMPLE"
CARD = "4111 1111 1111 1111"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("nothing to see", set()),
        (f"the key is {AWS}", {"key"}),
        (f"pay with {CARD}", {"card"}),
        ("TLP:RED for you alone", {"marking"}),
        (f"TLP:RED {AWS} {CARD}", {"key", "card", "marking"}),
        ("write to anna@somewhere.org or call +49 30 901820 00", set()),
        ("x" * 50_000 + f" {AWS}", {"key"}),  # all of the text is looked at
    ],
)
def test_what_a_text_shows(text, found):
    assert classes(text) == found


def test_the_classes_are_those_of_policies():
    from remit.authority.program.language import CLASSES as SPOKEN

    assert CLASSES == SPOKEN


def test_keys_and_cards_are_veiled_and_the_rest_stays():
    text = veiled(f"TLP:RED {AWS}, {CARD}, anna@somewhere.org")
    assert AWS not in text
    assert "1111" not in text
    assert "TLP:RED" in text
    assert "anna@somewhere.org" in text


@each_row("text", ["[c]\njwt | key\njwt | key\n", "[c]\nnobody | key\n", "[c]\njwt | secret\n", "[c]\njwt | key\n"])
def test_a_table_that_is_wrong_is_refused(text, tmp_path):
    path = tmp_path / "c.table"
    path.write_text(text)
    with pytest.raises(DataError, match=r"c\.table"):
        load(path, {pattern.kind for pattern in table().patterns})


ENCODED = [
    AWS.replace("I", "%49"),
    AWS.replace("I", "%2549"),
    "pay+with+4111+1111+1111+1111",
    "&#65;" + AWS[1:],
    "".join(chr(0xE0000 + ord(char)) for char in AWS),
    "\u200b".join(AWS),
    base64.b64encode(f"Bearer {AWS}".encode()).decode(),
    f"Bearer {AWS}".encode().hex(),
]


@each_row("text", ENCODED)
def test_what_is_encoded_is_shown_as_well_and_veiled(text):
    assert classes(f"see {text} now") & {"key", "card"}
    assert not classes(veiled(f"see {text} now")) & {"key", "card"}


def test_a_text_with_too_many_views_shows_everything_and_is_not_passed_on(monkeypatch):
    monkeypatch.setattr(text_views, "MOST", 100)
    assert classes("x" * 101) == frozenset(CLASSES)
    assert "x" not in veiled("x" * 101)
