"""Command lines that documents and scripts run, as words: for what effects do not say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.core.location import Location
    from remit.findings.model import Basis
    from remit.findings.subject import Subject


class CommandLine(NamedTuple):
    """One command with the words that follow it."""

    program: str  # its name without a folder
    words: tuple[str, ...]  # after the name
    where: Location
    basis: Basis

    @property
    def text(self) -> str:
        """The command as it would be typed."""
        return " ".join((self.program, *self.words))

    def has(self, *options: str) -> bool:
        """Whether one of these words stands in it; `--name` also as `--name=value`."""
        return any(word in options or word.partition("=")[0] in options for word in self.words)


def command_lines(subject: Subject) -> Iterator[CommandLine]:
    """Every command line."""
    for command in (*subject.found.commands, *subject.found.started):
        words = tuple(word.strip("\"'") for word in command.text.split())
        yield CommandLine(
            _name(command.program), words[1:], command.where, subject.basis(command.where, command.origin)
        )


def _name(program: str) -> str:
    return program.rpartition("/")[2]
