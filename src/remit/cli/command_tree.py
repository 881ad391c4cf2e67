"""The command line as data: each command with its arguments. Completions and the manual are made from it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

from remit.cli.parsers import Command as WithActions

FILE, FOLDER = "file", "folder"
# the meaning of a placeholder; other placeholders stand for something that no shell can know
_PLACES = {
    **dict.fromkeys(
        ("PATH", "FILE", "OLD", "NEW", "ROOT", "KEY", "SETTINGS", "FILE|URL", "NAME=PATH", "SOURCE", "RESULTS"), FILE
    ),
    **dict.fromkeys(("DIR", "FOLDER"), FOLDER),
}


class Word(NamedTuple):
    """An option, or a positional argument (then `names` is empty)."""

    names: tuple[str, ...]
    help: str
    metavar: str  # empty: it takes no value
    choices: tuple[str, ...] = ()
    place: str = ""  # FILE or FOLDER, where the value is one
    many: bool = False


class Command(NamedTuple):
    """A command: its words, its purpose, and its arguments."""

    path: tuple[str, ...]
    title: str  # one line
    text: str  # examples, and the rest of `--help`
    options: tuple[Word, ...]
    arguments: tuple[Word, ...]
    inner: tuple[Command, ...]

    def walk(self) -> Iterator[Command]:
        """Return the command itself and every one below it."""
        yield self
        for command in self.inner:
            yield from command.walk()


def command_tree(parser: argparse.ArgumentParser) -> Command:
    """Return the tree of a parser, in the order of `--help`."""
    return _command(parser, ("remit",), parser.description or "", parser.epilog or "")


def _command(parser: argparse.ArgumentParser, path: tuple[str, ...], title: str, text: str) -> Command:
    options, arguments = [], []
    inner = (
        [_action(name, path, one) for name, one in parser.actions.items()] if isinstance(parser, WithActions) else []
    )
    for action in parser._actions:  # noqa: SLF001  argparse has no other list of them
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            titles = {found.dest: found.help or "" for found in action._choices_actions}  # noqa: SLF001
            inner = [
                _command(one, (*path, name), titles.get(name, ""), one.epilog or "")
                for name, one in action.choices.items()
            ]
        elif action.option_strings:
            options.append(_word(action))
        else:
            arguments.append(_word(action))
    return Command(path, title, text, tuple(options), tuple(arguments), tuple(inner))


def _action(name: str, path: tuple[str, ...], parser: argparse.ArgumentParser) -> Command:
    """Return an action of a command that has arguments of its own, too."""
    title = (parser.description or "").rstrip(".")
    return _command(parser, (*path, name), f"{title[:1].lower()}{title[1:]}", parser.epilog or "")


def _word(action: argparse.Action) -> Word:
    choices = tuple(str(choice) for choice in action.choices or ()) or _known(str(action.metavar))
    metavar = ""
    if action.nargs != 0:
        shown = action.metavar if isinstance(action.metavar, str) else action.dest
        metavar = shown if action.metavar or not choices else "|".join(choices)
    return Word(
        tuple(action.option_strings),
        (action.help or "").replace("%%", "%"),
        metavar,
        choices,
        _PLACES.get(metavar, ""),
        action.nargs in ("*", "+", "..."),
    )


def _known(metavar: str) -> tuple[str, ...]:
    """Return all possible values of a placeholder, if Remit knows them."""
    match metavar:
        case "HOST":
            from remit.guard.install.registry import INSTALLERS  # noqa: PLC0415  `--help` does not need them

            return tuple(installer.name for installer in INSTALLERS)
        case "WORD":
            from remit.core import vocabulary  # noqa: PLC0415
            from remit.findings.registry import idents  # noqa: PLC0415

            return (*idents(), *(capability.name for capability in vocabulary()))
        case _:
            return ()


_LONGEST = 70


def brief(text: str) -> str:
    """Return the first part of a help text that fits a line."""
    line = " ".join(text.split()).partition("; ")[0].rstrip(":")
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…"
