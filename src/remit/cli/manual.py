"""The manual page remit(1), generated from the command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.cli.arguments import parser
from remit.cli.command_tree import Command, Word, command_tree
from remit.version import VERSION

if TYPE_CHECKING:
    import argparse

_NAME = "remit \\- report what a skill can do, and enforce what it may do"
_DESCRIPTION = """\
Reads the skills of AI agents (folders with SKILL.md and scripts) and says everything that they can do: files, programs, hosts, each with
file, line and reason. What is not understood is called opaque. A manifest, remit.json beside SKILL.md, says what a skill may do; whether it
stays inside is checked, proved and signed, and held by a guard in the agent. Nothing of a skill is run for this but its tests, confined.
"""
_FILES = (
    ("remit.json", "the manifest of a skill, next to SKILL.md"),
    ("skills.lock", "what skills could do when they were checked"),
    ("remit-defaults.json", "what counts in a workspace for every skill"),
    ("$XDG_STATE_HOME/remit, ~/.local/state/remit", "the guard's log, store, keys and snapshots"),
    ("$XDG_CACHE_HOME/remit, ~/.cache/remit", "results of former checks"),
)
_ENVIRONMENT = (
    ("NO_COLOR", "no colours, on a terminal too"),
    ("REMIT_DEBUG", "shows the cause of an unexpected failure"),
)


def manual(_: argparse.Namespace) -> int:
    """Run the command."""
    print(manual_page(command_tree(parser())), end="")
    return 0


def manual_page(tree: Command) -> str:
    """Return the page in roff."""
    return "".join(line + "\n" for line in _lines(tree))


def _lines(tree: Command) -> Iterator[str]:
    yield f'.TH REMIT 1 "" "remit {VERSION}" "User Commands"'
    yield from (".SH NAME", _NAME, ".SH SYNOPSIS", *_synopsis(tree), ".SH DESCRIPTION", _escaped(_DESCRIPTION.rstrip()))
    yield ".SH OPTIONS"
    yield from _words(tree)
    yield ".SH COMMANDS"
    for command in tree.walk():
        if len(command.path) > 1:
            yield from _command(command)
    yield from (".SH EXIT STATUS", ".TP", ".B 0", "nothing was found against it")
    yield from (
        ".TP",
        ".B 1",
        "something was found",
        ".TP",
        ".B 2",
        "the command line is wrong, or something cannot be read",
    )
    for title, rows in (("ENVIRONMENT", _ENVIRONMENT), ("FILES", _FILES)):
        yield f".SH {title}"
        for name, text in rows:
            yield from (".TP", f".I {_escaped(name)}", _escaped(text))


def _command(command: Command) -> Iterator[str]:
    yield f".SS {_escaped(' '.join(command.path))}"
    yield _escaped(f"{command.title[:1].upper()}{command.title[1:]}.")
    if command.arguments or not command.inner:
        yield ".PP"
        yield from _synopsis(command)
    yield from _words(command)
    if command.text:
        yield from (".PP", ".EX", *(_escaped(line) for line in command.text.rstrip().splitlines()), ".EE")


def _words(command: Command) -> Iterator[str]:
    for word in (*command.arguments, *command.options):
        if "--help" not in word.names:
            yield from (".TP", _head(word), _escaped(word.help or "see the examples"))


def _synopsis(command: Command) -> Iterator[str]:
    yield f".B {_escaped(' '.join(command.path))}"
    if command.inner and not command.arguments:
        yield "\\fICOMMAND\\fR ...\\&"
    for word in command.arguments:
        yield f"\\fI{_escaped(word.metavar)}\\fR" + (" ...\\&" if word.many else "")
    if any("--help" not in option.names for option in command.options):
        yield "[\\fIoptions\\fR]"


def _head(word: Word) -> str:
    names = ", ".join(f"\\fB{_escaped(name)}\\fR" for name in word.names)
    value = f"\\fI{_escaped(word.metavar)}\\fR" if word.metavar else ""
    return f"{names} {value}".strip()


def _escaped(text: str) -> str:
    """Escape a text for roff: lines that begin like requests, backslashes, hyphens of options."""
    plain = (
        text.replace("\\", "\\e")
        .replace("-", "\\-")
        .replace("'", "\\(aq")
        .replace("`", "\\(ga")
        .replace("~", "\\(ti")
        .replace("^", "\\(ha")
    )
    return "\n".join(f"\\&{line}" if line.startswith(".") else line for line in plain.splitlines())
