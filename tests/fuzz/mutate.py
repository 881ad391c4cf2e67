"""Broken and hostile skill folders, one for each seed."""

from __future__ import annotations

import contextlib
import io
import os
import random
import re
import zipfile
from typing import TYPE_CHECKING

from seeds import SEED

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TOKEN = re.compile(rb"\w+|\s+|[^\w\s]")
BYTES = [
    b"\x00", b"\xff", b"\xc3", b"\xe2\x80", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\x1b[31m", b"\xe2\x80\xae", b"\\", b"`", b'"', b"'",
    b"$(", b"${", b"{{", b"<<", b"---\n", b"```\n", b"#", b"\n", b"\t",
]  # fmt: skip
NESTED = [
    (b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"$(", b")"), (b"${x:-", b"}"), (b"`${", b"}`"), (b"f(", b")"), (b"not ", b""), (b"-", b""),
    (b"if x:\n", b""), (b"if true; then ", b" fi"), (b"> ", b""), (b"- ", b""), (b"lambda: ", b""), (b"a.", b"b"), (b"!", b""),
    (b"<div>", b"</div>"), (b"x=>", b""), (b"'$(", b")'"), (b'"$(', b')"'),
]  # fmt: skip
NAMES = [
    "a\nb.py", "\x1b[2J.sh", "\u202etxt.py", "-rf", "x" * 200 + ".py", "a b.sh", "json.py", "random.py", "ünï.js", "..py", "con", "$(rm x).sh",
    "`x`.py", "a;b.sh", "__init__.py", "conftest.py", "sitecustomize.py", "x.pyc", "x.so", "\udcff.py",
]  # fmt: skip
YAML_BOMB = b"a: &a [x,x,x,x,x,x,x,x,x]\n" + b"".join(
    b"%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n" % ((98 + i, 98 + i) + (97 + i,) * 9) for i in range(20)
)
YAML_LINES = (
    b"name: [1", b"name: !!python/object/apply:os.system ['x']", b"name: {a: &x *x}", b"description: |", b"<<: *a", b"? a", b"name: \x00",
    b"a: " + b"[" * 500, b"hooks: 3", b"allowed-tools: {a: [Bash]}", b"name: 0x1", b"2024-01-01: .nan", b"- x", b"metadata: " + b"{a: " * 100,
)  # fmt: skip


class Mutator:
    """Makes the folder of one seed."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def folder(self, target: Path) -> None:
        """Write a mutated skill."""
        rng = self.rng
        chosen = [*rng.sample(sorted(SEED), rng.randint(0, 3)), "SKILL.md"]
        files = {name: SEED[name].encode() for name in chosen}
        for _ in range(rng.randint(1, 4)):
            others = sorted(set(files) - {"SKILL.md"})  # a skill without a readable SKILL.md is refused at once
            name = rng.choice(others) if others and rng.random() < 0.8 else "SKILL.md"
            files[name] = rng.choice(self.CONTENT)(self, files[name])
        if rng.random() < 0.2:
            files[rng.choice(NAMES)] = files[rng.choice(sorted(files))]
        for name, data in files.items():
            _write(target, name, data)
        if rng.random() < 0.15:
            rng.choice(self.PLANTS)(self, target)

    def place(self, data: bytes) -> int:
        """The beginning of a line, or the end."""
        return self.rng.choice([0, len(data), *(found.end() for found in re.finditer(rb"\n", data))])

    # ── contents ──

    def flip(self, data: bytes) -> bytes:
        out = bytearray(data)
        for _ in range(self.rng.randint(1, 8)):
            if out:
                out[self.rng.randrange(len(out))] = self.rng.randrange(256)
        return bytes(out)

    def insert(self, data: bytes) -> bytes:
        at = self.rng.randint(0, len(data))
        return data[:at] + self.rng.choice(BYTES) * self.rng.choice((1, 1, 2, 50)) + data[at:]

    def cut(self, data: bytes) -> bytes:
        a, b = sorted(self.rng.randint(0, len(data)) for _ in range(2))
        return self.rng.choice((data[:a], data[a:], data[:a] + data[b:], data[a:b]))

    def swap(self, data: bytes) -> bytes:
        tokens = TOKEN.findall(data)
        for _ in range(self.rng.randint(1, 6)):
            if len(tokens) > 1:
                i, j = self.rng.randrange(len(tokens)), self.rng.randrange(len(tokens))
                tokens[i], tokens[j] = tokens[j], tokens[i]
        return b"".join(tokens)

    def repeat(self, data: bytes) -> bytes:
        tokens = TOKEN.findall(data) or [b"x"]
        at = self.rng.randrange(len(tokens))
        return b"".join([*tokens[:at], tokens[at] * self.rng.choice((2, 20, 300)), *tokens[at:]])

    def mix(self, data: bytes) -> bytes:
        other = self.rng.choice(sorted(SEED.values())).encode()
        a, b = self.rng.randint(0, len(data)), self.rng.randint(0, len(other))
        return data[:a] + other[b : b + self.rng.randint(1, 400)] + data[a:]

    def nest(self, data: bytes) -> bytes:
        opening, closing = self.rng.choice(NESTED)
        depth = self.rng.choice((5, 60, 300, 3000))
        middle = b"x" if self.rng.random() < 0.7 else b""
        end = closing * depth if self.rng.random() < 0.8 else b""
        at = self.place(data)
        return data[:at] + opening * depth + middle + end + b"\n" + data[at:]

    def giant(self, data: bytes) -> bytes:
        size = self.rng.choice((10_000, 200_000))
        pieces = (b"x" * size, b"9" * size, b'"' + b"a" * size + b'"', b"a+" * (size // 2), b"x\n" * (size // 20))
        more = (b"[" + b"1," * (size // 20) + b"]", b"x = x + 'a'\n" * 300)
        at = self.place(data)
        return data[:at] + self.rng.choice(pieces + more) + b"\n" + data[at:]

    def recode(self, data: bytes) -> bytes:
        text = data.decode("utf-8", "replace")
        coding = self.rng.choice(("utf-16", "utf-32", "latin-1", "utf-7", "cp1252"))
        claimed = self.rng.choice(("utf-7", "rot13", "utf-16", "nonsense", "unicode_escape", "hex"))
        ends = (data.replace(b"\n", b"\r\n"), data.replace(b"\n", b"\r"))
        cookie = f"# -*- coding: {claimed} -*-\n".encode()
        return self.rng.choice((text.encode(coding, "replace"), cookie + data, *ends, b"\xef\xbb\xbf" + data))

    def yaml_bomb(self, data: bytes) -> bytes:
        return b"---\n" + YAML_BOMB + b"---\n" + data

    def front_matter(self, data: bytes) -> bytes:
        lines = self.rng.sample(YAML_LINES, self.rng.randint(1, 4))
        return b"---\n" + b"\n".join(lines) + b"\n---\n" + data

    CONTENT: tuple[Callable[[Mutator, bytes], bytes], ...] = (
        flip, flip, insert, insert, insert, cut, cut, swap, swap, swap, repeat, mix, mix, nest, nest, giant, recode, yaml_bomb, front_matter,
    )  # fmt: skip

    # ── what is no plain file, or no text ──

    def link(self, target: Path) -> None:
        goals = (
            "/etc/passwd",
            "../..",
            ".",
            "SKILL.md",
            "nowhere",
            "/dev/zero",
            "/proc/self/environ",
            "loop",
            "scripts",
            "../outside",
        )
        with contextlib.suppress(OSError):
            os.symlink(
                self.rng.choice(goals), target / self.rng.choice(("loop", "scripts/x.py", "x.sh", "references", "lib"))
            )

    def fifo(self, target: Path) -> None:
        with contextlib.suppress(OSError):
            os.mkfifo(target / self.rng.choice(("pipe", "x.py", "SKILL2.md", "remit.json")))

    def zipped(self, target: Path) -> None:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in self.rng.sample(("__main__.py", "../../x.py", "/etc/x", "a" * 500, "word/document.xml"), 2):
                archive.writestr(name, b"\x00" * self.rng.choice((10, 4_000_000)))
        head = self.rng.choice((b"", b"#!/usr/bin/env python3\n", SEED["scripts/a.py"].encode()))
        data = head + buffer.getvalue()
        name = self.rng.choice(("a.zip", "tool", "x.docx", "x.pyz", "x.py"))
        _write(target, name, self.rng.choice((data, data[: len(data) // 2], self.flip(data))))

    def deep(self, target: Path) -> None:
        with contextlib.suppress(OSError):
            (target / "/".join(["d"] * self.rng.choice((10, 60, 150)))).mkdir(parents=True)

    def many(self, target: Path) -> None:
        for number in range(self.rng.choice((50, 400))):
            _write(target, f"many/f{number}.{self.rng.choice(('py', 'txt', 'sh'))}", b"x = 1\n")

    def binary(self, target: Path) -> None:
        heads = (
            b"\x7fELF",
            b"MZ",
            b"\xcf\xfa\xed\xfe",
            b"\x89PNG\r\n",
            b"%PDF-",
            b"PK\x03\x04",
            b"\x1f\x8b",
            b"SQLite format 3\x00",
        )
        name = self.rng.choice(("bin/tool", "x.py", "a.png", "tool.sh"))
        _write(target, name, self.rng.choice((*heads, b"#!/bin/sh\x00")) + self.rng.randbytes(300))

    def sparse(self, target: Path) -> None:
        path = target / self.rng.choice(("big.bin", "big.py", "big.md"))
        with path.open("wb") as file:
            file.truncate(self.rng.choice((5_000_000, 50_000_000, 3_000_000_000)))

    def locked(self, target: Path) -> None:
        path = target / "locked.py"
        path.write_bytes(b"x")
        path.chmod(0)

    PLANTS: tuple[Callable[[Mutator, Path], None], ...] = (
        link, link, link, link, fifo, zipped, zipped, deep, many, binary, binary, sparse, locked,
    )  # fmt: skip


def _write(target: Path, name: str, data: bytes) -> None:
    path = target / name
    with contextlib.suppress(OSError):  # a name that this file system refuses
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
