"""The first line of a program: who runs it, and whether the options given there could run anything else."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.patterns import lazy_pattern
from remit.core.table import read_toml

if TYPE_CHECKING:
    import re

_LINE = lazy_pattern(rb"(?:\xef\xbb\xbf)?#![ \t]*([^\r\n]*)")


class Shebang(NamedTuple):
    """The program without its folder (empty: there is no such line), and whether its options only tune it."""

    program: str
    plain: bool


@cache
def _tables() -> tuple[list[list[str]], list[tuple[re.Pattern[str], re.Pattern[str]]]]:
    """Programs that fetch and start another one, and the options of interpreters that load no code."""
    raw = read_toml(Path(__file__).with_name("data") / "shebangs.toml")
    options = [
        (lazy_pattern(rf"(?:{line['programs']})\Z"), lazy_pattern(rf"(?:(?:{line['options']}) )*\Z"))
        for line in raw["harmless"]
    ]
    return [words.split() for words in raw["launchers"]], options


def read_shebang(head: bytes) -> Shebang:
    """What the first line says."""
    found = _LINE.match(head)
    words = found[1].decode("utf-8", "replace").split() if found else []
    if not words:
        return Shebang("", plain=True)
    before: list[str] = []
    if words[0].rsplit("/", 1)[-1] == "env":
        words = words[1:]
        while words and (words[0].startswith("-") or "=" in words[0]):
            before.append(words.pop(0))
    words = _launched([words[0].rsplit("/", 1)[-1], *words[1:]]) if words else [""]
    return Shebang(words[0], _only_tunes("env", before) and _only_tunes(words[0], words[1:]))


def _launched(words: list[str]) -> list[str]:
    """The program behind one that fetches and starts it (`npx tsx`), with its options."""
    for launcher in _tables()[0]:
        rest = words[len(launcher) :]
        if words[: len(launcher)] == launcher and rest and not rest[0].startswith("-"):
            return [rest[0].partition("@")[0], *rest[1:]]
    return words


def _only_tunes(program: str, words: list[str]) -> bool:
    line = "".join(f"{word} " for word in words)
    return not words or any(name.match(program) and known.match(line) for name, known in _tables()[1])
