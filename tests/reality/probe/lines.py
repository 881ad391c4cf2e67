"""Command lines for a block of a command summary: operands of every kind, every listed option, and those that the help lists besides."""

from __future__ import annotations

import re
import shlex
import shutil
from typing import TYPE_CHECKING, NamedTuple

from probe.batch import SYSTEM, Step
from probe.workspace import EXISTING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from remit.analysis.commands.model import Command, Option

OPERANDS: tuple[tuple[str, ...], ...] = (
    (),
    *((name,) for name in EXISTING),
    ("folder",),
    ("word",),
    ("probe.new",),
    ("./run.sh",),
    ("./run.sh", "data.txt"),
    ("data.txt", "more.txt"),
    ("data.txt", "probe.new"),
    ("image.png", "new.jpg"),
    ("page.pdf", "new.txt"),
    ("sound.wav", "new.flac"),
    ("data.zip", "folder"),
    ("folder", "probe.new"),
    ("data.db", "select 1"),
    ("word", "data.txt"),
    ("1", "data.txt", "more.txt"),
    ("-", "data.txt"),
    ("http://127.0.0.1:9/file.txt",),
)
VALUES = ("more.txt", "probe.new", "./run.sh", "touch probe.ran")
UNLISTED = ("more.txt", "probe.new", "./run.sh")  # values of an option that only the help lists
_OPTION = re.compile(r"(?<![\w./=-])(--?[A-Za-z0-9][\w-]*)")
_HELP_LINE = re.compile(r"^\s{0,14}\[?-")


class Line(NamedTuple):
    """A command line, and which option it is about (empty: the operands)."""

    block: str
    words: tuple[str, ...]
    about: str = ""
    builtin: bool = False

    @property
    def text(self) -> str:
        """As it stands in a script."""
        return shlex.join(self.words)

    @property
    def step(self) -> Step:
        """To be run."""
        argv = ("bash", "-c", self.text) if self.builtin else self.words
        return Step(self.text + "\n", argv)


def program(name: str) -> str | None:
    """Where a program of the system lies. One of a person's own folders is none: what it is differs from machine to machine."""
    return shutil.which(name, path=SYSTEM)


def start(command: Command) -> tuple[str, ...] | None:
    """The words that start a command on this machine, if it is installed."""
    for name in command.names:
        words = tuple(name.split(" "))
        if name.startswith("python-m/"):
            words = ("python3", "-m", *name.removeprefix("python-m/").split(" "))
        if "*" not in name and "/" not in words[0] and ("builtin" in command.marks or program(words[0])):
            return words
    return None


def operand_lines(command: Command, words: tuple[str, ...]) -> list[Line]:
    """The command with operands of each kind."""
    return [Line(command.label, (*words, *operands), "", "builtin" in command.marks) for operands in OPERANDS]


def option_lines(
    command: Command, words: tuple[str, ...], operands: tuple[str, ...], known: set[int], helped: list[str]
) -> Iterator[list[Line]]:
    """The lines of each option of the block that is not in `known` (those of its parent), and of each that only the help lists."""

    def lines(name: str, given: Iterable[tuple[str, ...]]) -> list[Line]:
        return [Line(command.label, (*words, *one, *operands), name, "builtin" in command.marks) for one in given]

    for option in {id(option): option for option in command.options.values() if id(option) not in known}.values():
        yield lines(option.names[0], _given(option.names[0], option))
    for name in helped:
        if name not in command.options:
            attached = [(f"{name}={value}",) for value in UNLISTED if name.startswith("--")]
            yield lines(name, [(name,), *((name, value) for value in UNLISTED), *attached])


def _given(name: str, option: Option) -> Iterator[tuple[str, ...]]:
    """The words of an option with each value of the bank."""
    if not option.bound:
        if "*" not in name:
            yield (name,)
        return
    for value in VALUES:
        if name.endswith("*"):
            yield (name[:-1] + value,)
        elif name.endswith("="):
            yield (name + value,)
        elif option.until:
            yield (name, value, ";")
        elif option.optional:
            yield (f"{name}={value}" if name.startswith("--") else name + value,)
        elif len(option.values) > 1:
            yield (name, *[value] * len(option.values))
            yield (name, *["word"] * (len(option.values) - 1), value)
        else:
            yield (name, value)
    if option.optional:
        yield (name,)


def options_of_help(text: str) -> list[str]:
    """The options that a help text lists."""
    found: dict[str, None] = {}
    for line in text.splitlines():
        if _HELP_LINE.match(line) or line.lstrip().startswith(("usage", "Usage", "[")):
            found.update(dict.fromkeys(_OPTION.findall(line)))
    return [name for name in found if name not in ("--help", "-h", "--version")]
