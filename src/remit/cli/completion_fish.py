"""Completions for fish: a line for each possible word, with its condition."""

from __future__ import annotations

from collections.abc import Iterator

from remit.cli.command_tree import FILE, FOLDER, Command, Word, brief

# true where the commands of the line so far are exactly these; words that are no command of the last one do not count
_HEAD = """\
# fish completion for remit: remit completion fish | source
function __remit_at
    set -l at remit
    for word in (commandline -opc)[2..-1]
        if contains -- "$at $word" $__remit_commands
            set at "$at $word"
        end
    end
    test "$at" = "$argv"
end
complete -c remit -f
"""


def fish(tree: Command) -> str:
    """Return the whole script."""
    known = " ".join(_quoted(" ".join(command.path)) for command in tree.walk() if len(command.path) > 1)
    return "".join(line + "\n" for line in (f"{_HEAD}set -g __remit_commands {known}", *_lines(tree)))


def _lines(tree: Command) -> Iterator[str]:
    for command in tree.walk():
        start = f"complete -c remit -n {_quoted('__remit_at ' + ' '.join(command.path))}"
        for inner in command.inner:
            yield f"{start} -a {_quoted(inner.path[-1])} -d {_quoted(brief(inner.title))}"
        for option in command.options:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            yield f"{start} {names}{_value(option)} -d {_quoted(brief(option.help))}"
        for argument in command.arguments:
            offer = _offer(argument)
            if offer:
                yield f"{start} {offer}"


def _value(option: Word) -> str:
    if not option.metavar:
        return ""
    offer = _offer(option)
    return f" -r {offer}" if offer else " -x"


def _offer(word: Word) -> str:
    if word.choices:
        return f"-fa {_quoted(' '.join(word.choices))}"
    return {FILE: "-F", FOLDER: "-fa '(__fish_complete_directories)'"}.get(word.place, "")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
