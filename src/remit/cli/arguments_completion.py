"""What can be written after `remit completion` and `remit manual`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

COMPLETION_TITLE = "print what a shell completes words with"
COMPLETION = """\
examples:
  remit completion bash                    to be kept as ~/.local/share/bash-completion/completions/remit
  remit completion zsh                     to be kept as a file _remit in a folder of $fpath
  remit completion fish                    to be kept as ~/.config/fish/completions/remit.fish

In a running shell: `eval "$(remit completion bash)"`, the same for zsh, and `remit completion fish | source`. While one types,
nothing is started: the words of this version stand in the script.

exit status:
  0  the script was printed
  2  there is no such shell
"""
MANUAL_TITLE = "print the manual page, in roff"
MANUAL = """\
examples:
  remit manual                             to be kept as ~/.local/share/man/man1/remit.1, or read with `man -l -`

exit status:
  0  the page was printed
  2  the command line is wrong
"""


def add_completion(command: argparse.ArgumentParser) -> None:
    """The arguments of `remit completion`."""
    command.add_argument("shell", choices=("bash", "zsh", "fish"), help="which shell")
