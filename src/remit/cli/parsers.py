"""Command-line parsers: our own error messages, a grouped help, and commands whose first word may be an action."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

# The commands by purpose; commands not listed here are in the last group.
GROUPS = (
    ("before you install a skill", "check add update remove list diff lock explain"),
    ("write and publish a skill", "init test convert label prove verify keys replay summaries"),
    ("while agents work", "guard approvals undo audit capsule console"),
    ("for teams and registries", "scan up down outcome deploy policy gateway node serve telemetry"),
    ("rarely needed", "defaults models games lsp schema cache completion manual version"),
)
_CHOICE = re.compile(r"argument (?P<name>.+?): invalid choice: '(?P<word>.*?)' \(choose from")
_MISSING = re.compile(r"the following arguments are required: (.+)")
_UNKNOWN = re.compile(r"unrecognized arguments: (\S+)")
_WRONG = 2


class Parser(argparse.ArgumentParser):
    """A parser that prints the problem in one line and the remedy in another."""

    def error(self, message: str) -> NoReturn:
        """Print the problem and the remedy, and exit with status 2."""
        from remit.cli.messages import say  # noqa: PLC0415  `--help` has no time for it

        say(*self._explained(message))
        sys.exit(_WRONG)

    def _explained(self, message: str) -> tuple[str, str]:
        """Return an error of argparse in our words, with the remedy."""
        help_command = f"see `{self.prog} --help`"
        if found := _CHOICE.search(message):
            word, name = found["word"], found["name"]
            choices = self._choices(name)
            if name == "COMMAND":
                return f"`{word}` is not a command", f"{_meant(word, choices)}`remit --help` lists all"
            where = f"`{self.prog}`" if name.isupper() or not name.startswith("-") else name.split("/")[-1]
            listed = ", ".join(f"`{choice}`" for choice in choices)
            return f"`{word}` is not a value for {where}", f"{_meant(word, choices)}write one of {listed}"
        if found := _MISSING.search(message):
            return f"{found[1]} is missing", f"write `{self.prog} {self._arguments()}`; {help_command}"
        if found := _UNKNOWN.search(message):
            options = [option for action in self._actions for option in action.option_strings]
            return f"`{found[1]}` is not an option of `{self.prog}`", f"{_meant(found[1], options)}{help_command}"
        return message.removeprefix("argument "), help_command

    def _arguments(self) -> str:
        """Return what must be written after the command."""
        needed = [action for action in self._actions if action.required or not action.option_strings]
        words = [(*action.option_strings[-1:], str(action.metavar or action.dest)) for action in needed]
        return " ".join(" ".join(word) for word in words)

    def _choices(self, name: str) -> list[str]:
        for action in self._actions:
            named = "/".join(action.option_strings) or action.metavar or action.dest
            if named == name and action.choices:
                return [str(choice) for choice in action.choices]
        return []


class Command(Parser):
    """A command whose first word may be one of its `actions`, which have arguments of their own; any other word is its
    own.
    """

    def __init__(self, *words: Any, **options: Any) -> None:
        super().__init__(*words, **options)
        self.actions: dict[str, argparse.ArgumentParser] = {}

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse as the action, if one is named. The command itself reports unknown options, because it knows its own."""
        if args and args[0] in self.actions:
            found, rest = self.actions[args[0]].parse_known_args(args[1:], namespace)
            found.action = args[0]
            return found, rest
        found, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return found, rest


class MainParser(Parser):
    """The parser of `remit`: its help shows commands in groups, the rarely needed ones last."""

    def format_help(self) -> str:
        """Return the whole help."""
        titles: dict[str, str] = {}
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001  argparse has no other list of them
                titles |= {found.dest: found.help or "" for found in action._choices_actions}  # noqa: SLF001
        grouped = [(title, [name for name in names.split() if name in titles]) for title, names in GROUPS]
        known = {name for _, names in grouped for name in names}
        grouped[-1][1].extend(name for name in titles if name not in known)
        width = max(map(len, titles))
        parts = [f"usage: {self.prog} COMMAND …\n\n{self.description}"]
        for title, names in grouped:
            lines = "".join(f"    {name:<{width}}  {titles[name]}\n" for name in names)
            parts.append(f"{title}:\n{lines}")
        parts.append("`remit COMMAND --help` explains a command with examples; `remit --version` prints the version.\n")
        return "\n".join(parts)


def _meant(word: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415  only a wrong command line needs it

    close = get_close_matches(word, list(known), 1)
    return f"did you mean `{close[0]}`? " if close else ""
