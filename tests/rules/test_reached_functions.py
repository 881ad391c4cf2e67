"""Functions of src are used by src: what only models or tests use is removed, or the product uses it.

A name counts as used where code outside of `models` and outside of its own definition names it, or a text does that is no docstring (commands
are imported by name). Only what is live itself uses anything. Live from the start: functions with a decorator, special names, files
that others call, and methods of a class with a base of another package.
"""

import ast
import re
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2] / "src/remit"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
PLAIN = {"NamedTuple", "Protocol", "StrEnum", "IntEnum", "Enum", "Generic", "Exception"}  # bases that call no method
CALLED = {
    "authority/wire/client.py": "h11 or httptools call methods of a protocol by their names",
    "authority/wire/server.py": "the same",
    "api.py": "what users import",
}


class Scope(NamedTuple):
    """A file, or a function or class in it with those around it."""

    file: str
    name: str = ""
    line: int = 0

    def holds(self, other):
        return self.file == other.file and f"{other.name}.".startswith(f"{self.name}.")


class Source:
    """All scopes but those of models, by the last part of their name; what each names; and which of them others than src call."""

    def __init__(self, root):
        self.scopes, self.names, self.around, self.called = defaultdict(list), defaultdict(set), {}, []
        trees = {path.relative_to(root).as_posix(): ast.parse(path.read_bytes()) for path in sorted(root.rglob("*.py"))}
        self.own = PLAIN | {
            one.name for tree in trees.values() for one in ast.walk(tree) if isinstance(one, ast.ClassDef)
        }
        for file, tree in trees.items():
            if not file.startswith("models/"):
                self.called.append(Scope(file))
                self._read(tree, Scope(file))

    def _read(self, node, around):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, FUNCTIONS):
                one = Scope(around.file, f"{around.name}.{child.name}".lstrip("."), child.lineno)
                self.scopes[child.name].append(one)
                self.around[one] = around
                if self._is_called(node, child, around.file):
                    self.called.append(one)
                for decorator in child.decorator_list:
                    self.names[around] |= {name for part in ast.walk(decorator) for name in _names(part)}
                self._read(child, one)
            elif not _is_text_of_its_own(child):
                self.names[around] |= _names(child)
                self._read(child, around)

    def _is_called(self, node, child, file):
        bases = [ast.unparse(base).split("[")[0] for base in getattr(node, "bases", ())]
        return child.decorator_list or child.name.startswith("__") or file in CALLED or set(bases) - self.own

    def unreached(self):
        """What nothing live names."""
        live, named = set(), set(self.called)
        while new := {one for one in named - live if self.around.get(one, one) in live or not one.name}:
            live |= new
            found = {
                other for one in new for name in self.names[one] for other in self.scopes[name] if not other.holds(one)
            }
            named |= found
        every = [one for scopes in self.scopes.values() for one in scopes]
        return sorted(f"{one.file}:{one.line} {one.name}" for one in every if one not in live)


def _is_text_of_its_own(node):
    """A docstring, or a list of exported names."""
    exported = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    return exported or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _names(node):
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
            return {name}
        case ast.Constant(value=str(text)):
            return set(re.findall(r"\w+", text))
    return set()


def test_every_function_is_used_by_the_product():
    assert Source(ROOT).unreached() == [], "remove it, or let the product use it"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def f(): pass\n", ["x.py:1 f"]),
        ("def f(): f()\n", ["x.py:1 f"]),
        ("def f(): pass\ndef g(): f()\n", ["x.py:1 f", "x.py:2 g"]),
        ("def f(): pass\nf()\n", []),
        ("__all__ = ['f']\ndef f():\n    'f'\n", ["x.py:2 f"]),
        ("COMMANDS = {'a': 'x:f'}\ndef f(): pass\n", []),
        ("class A:\n    def f(self): pass\n    def g(self): pass\nA().g()\n", ["x.py:2 A.f"]),
        ("import b\nclass A(b.C):\n    def f(self): pass\nA()\n", []),
        ("@hook\ndef f(): pass\n", []),
    ],
)
def test_what_is_unreached_is_seen(tmp_path, text, found):
    (tmp_path / "models").mkdir()
    (tmp_path / "x.py").write_text(text)
    (tmp_path / "models/m.py").write_text("from x import f\nf()\n")
    assert Source(tmp_path).unreached() == found
