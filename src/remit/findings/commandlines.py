"""Command lines that documents and scripts run, as words: for what effects do not say."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.core.patterns import lazy_pattern
from remit.core.via import Cause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.core.location import Location
    from remit.findings.model import Basis
    from remit.findings.subject import Subject

_ENDS = lazy_pattern(r"\|\||&&|[;|\n]|(?<!>)&(?![\d>])")
_LISTED = str.maketrans(dict.fromkeys("\"'`,()[]", " "))
_STARTS = frozenset({"shell.execute", "process.create", "subagent.delegate", "system.configure"})


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
    for command in subject.found.commands:
        words = tuple(word.strip("\"'") for word in command.text.split())
        yield CommandLine(
            _name(command.program), words[1:], command.where, subject.basis(command.where, command.origin)
        )
    for effect in subject.effects:
        if effect.capability not in _STARTS or effect.via.cause not in (Cause.START, Cause.COMMAND):
            continue
        if effect.where.file in subject.documents:
            continue  # those are among the commands above
        name = _name(effect.scope.render() if effect.via.cause is Cause.START else effect.via.name.partition(" ")[0])
        line = subject.line(effect.where)
        if (at := line.find(name)) >= 0:
            rest = _ENDS.split(line[at:], maxsplit=1)[0].translate(_LISTED).split()
            yield CommandLine(name, tuple(rest[1:]), effect.where, subject.basis_of(effect))


def _name(program: str) -> str:
    return program.rpartition("/")[2]
