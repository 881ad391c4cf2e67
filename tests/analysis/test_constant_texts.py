"""Texts that Python code makes of literals alone are known; what could be another at run time is not."""

import ast

from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.analysis.python.constants import Constants, makes_texts

CODES = "CODES = (104, 105, 46, 97, 97)\n"


def made(source):
    """The text of the last expression of a source."""
    tree = ast.parse(source)
    assert makes_texts(source)
    last = tree.body[-1]
    assert isinstance(last, ast.Expr)
    return Constants(tree).text(last.value)


@each_row(
    "source",
    [
        "''.join(map(chr, (104, 105, 46, 97, 97)))",
        "''.join([chr(c) for c in list((104, 105, 46, 97, 97))])",
        "import base64\nbase64.b64decode('aGkuYWE=').decode()",
        "from base64 import b64decode\nb64decode(b'aGkuYWE=').decode('ascii')",
        "bytes.fromhex('68692e6161').decode()",
        "'aa.ih'[::-1]",
        "import codecs\ncodecs.decode('uv.nn', 'rot13')",
        "bytes(b ^ 7 for b in [111, 110, 41, 102, 102]).decode()",
        "''.join(chr(c - i) for i, c in enumerate((104, 106, 48, 100, 101)))",
        "import binascii\nbinascii.unhexlify('68692e6161').decode()",
        "import zlib, base64\nzlib.decompress(base64.b64decode('eJzLyNRLTAQABV4Bwg==')).decode()",
    ],
)
def test_a_text_of_literals_is_known(source):
    assert made(source) == "hi.aa"


@each_row(
    "source",
    [
        CODES + "bytes(CODES).decode()",
        CODES + "CODES = (1,)\nbytes(CODES).decode()",
        "def f(CODES): pass\n" + CODES + "bytes(CODES).decode()",
        "bytes = print\nbytes((104, 105)).decode()",
        "from other import bytes\nbytes((104, 105)).decode()",
        "import other as base64\nbase64.b64decode('aGkuYWE=').decode()",
        "DATA = [104, 105]\nDATA.append(106)\nbytes(DATA).decode()",
        "DATA = [104, 105]\nother = DATA\nother[0] = 1\nbytes(DATA).decode()",
        "DATA = [104, 105]\nDATA[0] = 1\nbytes(DATA).decode()",
        "DATA = [104, 105]\nDATA += [1]\nbytes(DATA).decode()",
        "DATA = [104, 105]\nchange(DATA)\nbytes(DATA).decode()",
        "import sys\nbytes(sys.argv).decode()",
        "bytearray((104, 105))",
        "bytearray.fromhex('6869')",
        "bytes(10 ** 9).decode()",
        "bytes(999999999).decode()",
        "''.join(chr(c) for c in range(10 ** 12))",
        "''.join(['x' * 10 ** 9])[::-1]",
        "bytes((200, 201)).decode('latin-1')[0].decode()",
        "'%s' % (1,)[::-1]",
        "import codecs\ncodecs.decode(b'x', 'zip')",
        "'a'.replace('', " + repr("b" * 1000) + ").replace('', " + repr("c" * 2000) + ")[::-1]",
    ],
)
def test_what_could_be_another_text_is_not_known(source):
    assert made(source) is None


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1), st.integers(1, 31))
def test_hidden_texts_are_found_again(text, key):
    data = [ord(char) ^ key for char in text]
    assert made(f"bytes(d ^ {key} for d in {data}).decode()") == text
    assert made(f"{text[::-1]!r}[::-1]") == text


@each_row(
    "source",
    [
        "H = [104, 105]\ndef late(): globals()['H'][:] = [106]\nlate()\nbytes(H).decode()",
        "KEY = 7\nexec('KEY = 9')\nbytes(b ^ KEY for b in (111, 110)).decode()",
        "import builtins\nbuiltins.bytes = print\nbytes((104, 105)).decode()",
        "exec('def chr(code): return chr')\nchr(104) + chr(105)",
        "vars()['bytes'] = print\nbytes((104, 105)).decode()",
        "import sys\nsys.modules['base64'] = print\nimport base64\nbase64.b64decode('aGk=').decode()",
    ],
)
def test_what_names_reached_by_text_could_change_is_not_worked_out(source):
    tree = ast.parse(source)
    last = tree.body[-1]
    assert isinstance(last, ast.Expr)
    assert not makes_texts(source) or Constants(tree).text(last.value) is None
