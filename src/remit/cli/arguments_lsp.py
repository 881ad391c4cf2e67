"""Arguments of `remit lsp`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

TITLE = "serve an editor: what a skill can do, at its line, while it is written"
TEXT = """\
examples:
  remit lsp                            started by an editor, over standard input and output
  remit lsp --summaries my-summaries/  with descriptions of private libraries and commands

It answers for remit.json, SKILL.md and every other file of a skill: what escapes the manifest is an error at its line, what is
not understood a warning; beside a line or a capability it says what it means and what causes it; and it offers the smallest
entry of remit.json that would allow what escapes. Texts that are not saved yet count. Nothing of a skill is run.
docs/editors.md has the settings of VS Code, Neovim and Helix.

exit status:
  0  the editor left
  2  the command line is wrong, or a package is missing (`pip install 'remit[lsp]'`)
"""


def add_lsp(lsp: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    lsp.add_argument(
        "--summaries",
        metavar="PATH",
        action="append",
        default=[],
        help="a summary file, or a folder of them; may be repeated",
    )
    lsp.add_argument("--stdio", action="store_true", help="what it does anyway; some editors say so")
