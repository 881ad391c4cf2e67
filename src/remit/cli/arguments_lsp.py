"""Arguments of `remit lsp`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

TITLE = "run the language server that shows in an editor what a skill can do"
TEXT = """\
examples:
  remit lsp                            your editor starts it, over standard input and output
  remit lsp --summaries my-summaries/  with descriptions of private libraries and commands

It reports on remit.json, SKILL.md and every other file of a skill: an escape from the manifest is an error at its line, an opaque location
a warning. Hovering over a line or a capability shows its meaning and cause, and a quick fix adds the smallest entry of remit.json that would
allow an escape. Unsaved text counts. No part of the skill is run. docs/editors.md has the settings of VS Code, Neovim and Helix.

exit status:
  0  the editor ended the session
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
    lsp.add_argument("--stdio", action="store_true", help="accepted for editors that pass it; changes nothing")
