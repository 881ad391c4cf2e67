"""Literals and names mean what Node says they mean."""

import json
import shutil
import subprocess

import pytest
from js_show import lower

from each_row import each_row
from remit.analysis.domain import Hole, Num, Text
from remit.analysis.ir import Bind, Call, Evaluate, Global, Known
from remit.analysis.javascript.literals import array_index, name_text, number_value, unescape

STRINGS = [
    r"'plain'", r"'\n\t\r\b\f\v\0'", r"'\x41\u0041\u{41}\u{1F600}'", r"'\101\1\07\377\400\8\9'", r"'\'\"\\'", "'a\\\nb'",
    "'a\\\r\nb'", "'a\\\u2028b'", r"'\ud83d\ude00'", r"'\a\c\d\z'", r"'\u{000041}'", r"'\0a'", r"'\08'", '"é𝒳"',
    "`a\r\nb`", r"`\x41\u{42}`", "`a\\\nb`", r"'\u2028'", r"'a\
b'", "'\\\r'",
]  # fmt: skip
NUMBERS = [
    "0", "1", "42", "1_000_000", "0x1F", "0X1f", "0b101", "0o17", "017", "019", "08.5", ".5", "5.", "1.5e3", "1e21", "1e-7",
    "1E+2", "12n", "0xFFn", "9007199254740993", "0.1", "123456789012345680000", "1e300", "0.00001",
]  # fmt: skip
NAMES = [r"\u0065val", r"\u{65}val", r"e\u0076al", r"\u{000065}v\u0061l", "évil", "$_a1", r"\u00e9"]

node = pytest.mark.skipif(shutil.which("node") is None, reason="compares with Node")


def of_node(expressions):
    program = f"console.log(JSON.stringify({json.dumps(expressions)}.map(e => String((0, eval)(e)))))"
    done = subprocess.run(["node", "-e", program], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def value_of(expression):
    (bind,) = lower(f"var x = {expression}").functions[0].facts
    assert isinstance(bind, Bind)
    assert isinstance(bind.term, Known)
    (atom,) = bind.term.value
    return atom


@node
def test_strings_decode_as_node_decodes_them():
    for expression, expected in zip(STRINGS, of_node(STRINGS), strict=True):
        assert value_of(expression).literal == expected, expression


@node
def test_numbers_are_those_of_node_or_not_claimed():
    claimed = 0
    for expression, expected in zip(NUMBERS, of_node(NUMBERS), strict=True):
        atom = value_of(expression)
        assert isinstance(atom, Num)
        if atom.low is not None:
            claimed += 1
            assert str(atom.low) == expected, expression
    assert claimed > len(NUMBERS) / 2


@node
def test_names_are_compared_as_node_compares_them():
    keys = of_node([f"Object.keys({{{name}: 1}})[0]" for name in NAMES])
    assert [name_text(name) for name in NAMES] == keys


def test_an_escaped_eval_is_eval():
    (fact,) = lower(r"\u0065val(x)").functions[0].facts
    assert isinstance(fact, Evaluate)
    assert isinstance(fact.term, Call)
    callee = fact.term.callee
    assert isinstance(callee, Global)
    assert (callee.name, callee.line) == ("eval", 1)


def test_half_a_surrogate_pair_is_not_a_text():
    assert value_of(r"'a\ud83d'") == Text(("a", Hole("any")))


@each_row(("raw", "index"), [("0", 0), ("12", 12), ("01", None), ("-1", None), ("1.5", None), ("", None), ("a", None)])
def test_array_indices_are_canonical(raw, index):
    assert array_index(raw) == index


def test_broken_literals_do_not_raise():
    assert unescape("\\u{ffffffffffffffff}\\u{110000}") == "\ufffd\ufffd"
    assert number_value("0x") == frozenset({Num()})
    assert number_value("1__0") == frozenset({Num(10, 10)})
