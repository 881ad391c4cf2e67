"""Completions for bash: one function with tables of the command line, which does not call Remit while the user types."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from remit.cli.command_tree import FOLDER, Command, Word

# a word after `=` is a word of its own for bash, so `--format=j` is completed as `--format j` is
_HEAD = """\
# bash completion for remit: eval "$(remit completion bash)"
_remit() {
    local at=remit current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} word place=1 skip=
    COMPREPLY=()
    if [[ $current == = ]]; then
        current=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        if [[ $skip ]]; then
            skip=
            continue
        fi
        case "$at $word" in
"""


_ADD = 'mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY'  # to what is offered already


def bash(tree: Command) -> str:
    """Return the whole script."""
    return "".join(line + "\n" for line in (_HEAD.rstrip("\n"), *_body(tree)))


def _body(tree: Command) -> Iterator[str]:
    commands = list(tree.walk())
    inner = [" ".join(one.path) for one in commands if len(one.path) > 1]
    yield f"        {_either(inner)})"
    yield '            at="$at $word" place=1 ;;'
    valued = [
        " ".join((*one.path, name)) for one in commands for word in one.options if word.metavar for name in word.names
    ]
    yield f"        {_either(valued)})"
    yield "            skip=1 ;;"
    yield '        *" -"* | *" =") ;;'
    yield "        *) place=$((place + 1)) ;;"
    yield "        esac"
    yield "    done"
    yield '    case "$at $before" in'
    for command in commands:
        for option in command.options:
            if option.metavar:
                names = _either([" ".join((*command.path, name)) for name in option.names])
                yield f"    {names}) {_offer(option)} return ;;"
    yield "    esac"
    yield '    case "$at" in'
    for command in commands:
        yield f"    {_quoted(' '.join(command.path))})"
        words = [name for option in command.options for name in option.names if name.startswith("--")]
        yield f"        if [[ $current == -* ]]; then {_words(words)} return; fi"
        if command.inner:
            yield f"        if ((place == 1)); then {_words([one.path[-1] for one in command.inner])} fi"
        yield from _arguments(command.arguments)
        yield "        ;;"
    yield "    esac"
    yield "}"
    yield "complete -F _remit remit"


def _arguments(arguments: tuple[Word, ...]) -> Iterator[str]:
    for number, argument in enumerate(arguments, 1):
        offer = _offer(argument)
        if offer != ":;":
            sign = ">=" if argument.many else "=="
            yield f"        if ((place {sign} {number})); then {offer} fi"


def _offer(word: Word) -> str:
    if word.choices:
        return _words(list(word.choices))
    if word.place:
        kind = "-d" if word.place == FOLDER else "-f"
        return f'compopt -o filenames; {_ADD} < <(compgen {kind} -- "$current");'
    return ":;"


def _words(words: list[str]) -> str:
    return f'{_ADD} < <(compgen -W {shlex.quote(" ".join(words))} -- "$current");'


def _either(texts: list[str]) -> str:
    return " | ".join(_quoted(text) for text in texts)


def _quoted(text: str) -> str:
    return f'"{text}"'
