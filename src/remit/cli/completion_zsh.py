"""Completions for zsh: a function that follows the commands of the line, and passes the last one's arguments to
`_arguments`.
"""

from __future__ import annotations

from collections.abc import Iterator

from remit.cli.command_tree import FILE, FOLDER, Command, Word, brief

_HEAD = """\
#compdef remit
# zsh completion for remit: eval "$(remit completion zsh)", or in a file `_remit` of a folder in $fpath
_remit() {
    local at=remit
    local -i place=1
    while ((place + 1 < CURRENT)); do
        case "$at ${words[place + 1]}" in
"""
_FOLLOW = """\
            at="$at ${words[place + 1]}"
            words=("${(@)words[place + 1,-1]}")
            ((CURRENT -= place))
            place=1 ;;
        *) ((place++)) ;;
        esac
    done
    case $at in\
"""


def zsh(tree: Command) -> str:
    """Return the whole script."""
    return "".join(line + "\n" for line in (_HEAD.rstrip("\n"), *_body(tree)))


def _body(tree: Command) -> Iterator[str]:
    commands = list(tree.walk())
    yield f"        {' | '.join(_quoted(' '.join(one.path)) for one in commands if len(one.path) > 1)})"
    yield _FOLLOW
    for command in commands:
        yield f"    {_quoted(' '.join(command.path))})"
        if command.inner:
            yield f"        local -a inner=({' '.join(_quoted(_pair(one)) for one in command.inner)})"
        yield f"        _arguments {' '.join(_specs(command))} ;;"
    yield "    esac"
    yield "}"
    yield 'if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _remit "$@"; else compdef _remit remit; fi'


def _pair(command: Command) -> str:
    return f"{command.path[-1]}:{brief(command.title)}"


def _specs(command: Command) -> Iterator[str]:
    for option in command.options:
        value = f":{_plain(option.metavar)}:{_action(option)}" if option.metavar else ""
        for name in option.names:
            yield _quoted(f"*{name}[{_plain(brief(option.help))}]{value}")
    if command.inner:
        more = "".join(f"; {_action(argument)}" for argument in command.arguments[:1])  # a path may stand there, too
        yield _quoted(f"1:command:{{_describe command inner{more}}}")
    for argument in command.arguments:
        yield _quoted(f"{'*' if argument.many else ''}:{_plain(argument.metavar)}:{_action(argument)}")


def _action(word: Word) -> str:
    if word.choices:
        return f"({' '.join(word.choices)})"
    return {FILE: "_files", FOLDER: "_files -/"}.get(word.place, "( )")


def _plain(text: str) -> str:
    """Escape what `_arguments` would interpret."""
    return "".join({"[": "(", "]": ")", ":": " ", "\\": "/"}.get(letter, letter) for letter in text)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
