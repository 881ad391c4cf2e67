"""Random control flow: what a variable really is at each place was predicted.

A program calls one of four functions through variables that it keeps assigning; each call makes a file whose name tells the
place and the function. The program is run many times on random ways, and every file that it made must have been reported.
"""

from __future__ import annotations

import builtins
import fnmatch
import random
from typing import TYPE_CHECKING

from each_row import each_row
from remit.analysis.session import analyse
from remit.skill.load import load_skill

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """
import contextlib
class E(Exception): pass
def v0(p): open(p + "_0", "w")
def v1(p): open(p + "_1", "w")
def v2(p): open(p + "_2", "w")
def v3(p): open(p + "_3", "w")
"""
NAMES = ["f", "g", "h"]


class Maker:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.places = 0

    def name(self) -> str:
        return self.random.choice(NAMES)

    def function(self) -> str:
        return f"v{self.random.randrange(4)}"

    def assignment(self) -> str:
        forms = [
            f"{self.name()} = {self.function()}",
            f"{self.name()} = {self.name()}",
            f"{self.name()}, {self.name()} = {self.name()}, {self.function()}",
            f"c() and ({self.name()} := {self.function()})",
            f"{self.name()} = {self.function()} if c() else {self.name()}",
        ]
        return self.random.choice(forms)

    def simple(self, loop: bool) -> str:  # noqa: FBT001
        kind = self.random.random()
        if kind < 0.25 and self.places < 10:
            self.places += 1
            return f'{self.name()}("r{self.places}")'
        if kind < 0.4 and loop:
            return "if c(): " + self.random.choice(["break", "continue"])
        if kind < 0.5:
            return "if c(): " + self.random.choice(["raise E", "return"])
        return self.assignment()

    def block(self, depth: int, loop: bool, indent: int) -> list[str]:  # noqa: FBT001
        out: list[str] = []
        for _ in range(self.random.randrange(1, 4)):
            if depth == 0 or self.random.random() < 0.6:
                out.append("    " * indent + self.simple(loop))
            else:
                out.extend(self.compound(depth - 1, loop, indent))
        return out

    def compound(self, depth: int, loop: bool, indent: int) -> list[str]:  # noqa: FBT001
        heads = self.random.choice([
            ["if c():"], ["if c():", "else:"], ["for _ in range(2):"], ["for _ in range(2):", "else:"], ["while c():", "else:"],
            ["try:", "except E:"], ["try:", "except E:", "else:", "finally:"], ["try:", "finally:"], ["with contextlib.suppress(E):"],
            [f"for {self.name()} in ({self.function()}, {self.function()}):"],
        ])  # fmt: skip
        out: list[str] = []
        for i, head in enumerate(heads):
            inside = loop or (i == 0 and head.startswith(("for", "while")))
            out += ["    " * indent + head, *self.block(depth, inside, indent + 1)]
        return out

    def program(self) -> str:
        body = ["    f = v0", "    g = v1", "    h = v2", '    k = lambda: f("late")', *self.block(3, False, 1)]
        body += ['    f("e1"); g("e2"); h("e3"); k()']
        return HEAD + "def main(c):\n" + "\n".join(body) + "\n"


def really(source: str, seed: int) -> set[str]:
    made: set[str] = set()
    ways = random.Random(seed)
    for _ in range(40):
        names = {"__builtins__": {**vars(builtins), "open": lambda path, _mode: made.add(path)}}
        exec(compile(source, "x", "exec"), names)
        bits = iter([ways.random() < 0.5 for _ in range(ways.randrange(2, 30))])
        try:
            names["main"](lambda bits=bits: next(bits, False))
        except names["E"]:
            pass
    return made


@each_row("seed", range(60))
def test_flow(seed: int, tmp_path: Path) -> None:
    source = Maker(seed).program()
    try:
        compile(source, "x", "exec")
    except SyntaxError:
        return  # `break` in a `finally` of Python that forbids it
    root = tmp_path / "x"
    (root / "scripts").mkdir(parents=True)
    (root / "SKILL.md").write_text("---\nname: x\ndescription: A helper. Use it for files.\n---\n\nText.\n")
    (root / "scripts" / "main.py").write_text(source + "import sys\nmain(lambda: len(sys.argv) > 1)\n")
    effects = analyse(load_skill(root))
    found = {effect.scope.render() for effect in effects.effects if effect.capability == "file.write"}
    missing = [path for path in really(source, seed) if not any(fnmatch.fnmatch(f"./{path}", scope) for scope in found)]
    assert not missing or effects.opaque, source
