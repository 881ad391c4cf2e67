"""Random list building: every command line that is really run was predicted, with its words in their order.

A program builds the words of `cp` in random steps and runs them here and there. What is copied last is written, what comes before
is read; the program is run on random ways with a stand-in for `subprocess.run`, and each word must have been reported so.
"""

from __future__ import annotations

import fnmatch
import random
import types
from typing import TYPE_CHECKING

import pytest

from remit.analysis.session import analyse
from remit.skill.load import load_skill

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """
import contextlib, subprocess
class E(Exception): pass
def go(words): subprocess.run(words)
def add(words, word): words.append(word)
def part(c):
    made = ["p0"]
    if c(): made += ["p1"]
    made.append("p2")
    return made
def whole(c):
    made = ["cp", "w0"]
    if c(): go(made)
    made.append("w1")
    if c(): made.extend(["w2", "w3"])
    return made
"""


class Maker:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.words = 0

    def word(self) -> str:
        self.words += 1
        return f'"f{self.words}"'

    def name(self) -> str:
        return self.random.choice(["cmd", "cmd", "cmd", "other"])

    def simple(self, loop: bool) -> str:  # noqa: FBT001
        name = self.name()
        rare = [
            f"{name} = {self.name()}", f"{name}.insert(1, {self.word()})", f"len({name}) > 3 and {name}.pop()", f"{name} = [*{self.name()}, {self.word()}]",
            f"{name}[-1] = {self.word()}", f"[{name}.append(w) for w in ({self.word()}, {self.word()})]", f"add({name}, {self.word()})",
            f"{name}.extend(part(c))", f"{name} += part(c)", f"{name} = whole(c)", f"c() and {name}.append({self.word()})",
            f"{name}.append({self.word()}) if c() else None", f"list(map({name}.append, [{self.word()}]))", f"{name} = list({name})", f"{name} *= 2",
            f"{name}.reverse()" if self.words % 5 == 0 else f"hold = lambda: {name}.append({self.word()})",
            "if c(): return", "if c(): raise E", *(["if c(): break", "if c(): continue"] if loop else []),
        ]  # fmt: skip
        common = [
            f"{name}.append({self.word()})", f"{name} += [{self.word()}, {self.word()}]", f"{name}.extend([{self.word()}])", f"go({name})",
            f"subprocess.run({name})", f"{name} = {self.name()} + [{self.word()}]", f'{name} = ["cp", {self.word()}]', f"subprocess.run({name} + [{self.word()}])",
        ]  # fmt: skip
        return self.random.choice(common if self.random.random() < 0.75 else rare)

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
            ["if c():"], ["if c():", "else:"], ["for _ in range(2):"], ["while c():", "else:"], ["try:", "except E:"],
            ["try:", "except E:", "else:", "finally:"], ["with contextlib.suppress(E):"],
        ])  # fmt: skip
        out: list[str] = []
        for i, head in enumerate(heads):
            inside = loop or (i == 0 and head.startswith(("for", "while")))
            out += ["    " * indent + head, *self.block(depth, inside, indent + 1)]
        return out

    def program(self) -> str:
        body = [
            '    cmd = ["cp", "a0"]',
            '    other = ["cp"]',
            *self.block(3, False, 1),
            "    go(cmd)",
            "    go(other)",
        ]
        return HEAD + "def main(c):\n" + "\n".join(body) + "\n"


def really(source: str, seed: int) -> set[tuple[str, ...]]:
    made: set[tuple[str, ...]] = set()
    ways = random.Random(seed)
    child = types.SimpleNamespace(run=lambda words: made.add(tuple(words)))
    code = compile(source.replace("contextlib, subprocess", "contextlib"), "x", "exec")
    for _ in range(60):
        names: dict[str, object] = {}
        exec(code, names)
        names["subprocess"] = child
        bits = iter([ways.random() < 0.5 for _ in range(ways.randrange(2, 30))])
        try:
            names["main"](lambda bits=bits: next(bits, False))  # type: ignore[operator]
        except names["E"]:  # type: ignore[misc]
            pass
    return made


BY_DAY = 25


@pytest.mark.parametrize("seed", range(200), ids=lambda seed: f"{seed}" if seed < BY_DAY else f"{seed}_nightly")
def test_lists(seed: int, tmp_path: Path) -> None:
    source = Maker(seed).program()
    try:
        compile(source, "x", "exec")
    except SyntaxError:
        return
    root = tmp_path / "x"
    (root / "scripts").mkdir(parents=True)
    (root / "SKILL.md").write_text("---\nname: x\ndescription: A helper. Use it for files.\n---\n\nText.\n")
    (root / "scripts" / "main.py").write_text(source + "import sys\nmain(lambda: len(sys.argv) > 1)\n")
    effects = analyse(load_skill(root))
    read, written = (
        {effect.scope.render() for effect in effects.effects if effect.capability == name}
        for name in ("file.read", "file.write")
    )

    def covers(scopes: set[str], word: str) -> bool:
        """As it is, or as the folder that several files are copied to."""
        return "any" in scopes or any(
            fnmatch.fnmatch(f"./{word}", scope) or scope.startswith(f"./{word}/") for scope in scopes
        )

    for words in really(source, seed):
        if len(words) > 2 and words[0] == "cp" and not effects.opaque:
            assert covers(written, words[-1]), (words, sorted(written), source)
            for word in words[1:-1]:
                assert covers(read, word), (words, sorted(read), source)
