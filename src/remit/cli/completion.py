"""`remit completion`: the script with which a shell completes words after `remit`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.cli.arguments import parser
from remit.cli.command_tree import command_tree
from remit.cli.completion_bash import bash
from remit.cli.completion_fish import fish
from remit.cli.completion_zsh import zsh

if TYPE_CHECKING:
    import argparse

SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}


def completion(args: argparse.Namespace) -> int:
    """Run the command."""
    print(script(args.shell), end="")
    return 0


def script(shell: str) -> str:
    """Return the completions of a shell."""
    return SHELLS[shell](command_tree(parser()))
