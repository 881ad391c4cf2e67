"""`remit lsp`: the language server, on standard input and output."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from remit.cli.discover import summary_files

if TYPE_CHECKING:
    import argparse


def lsp(args: argparse.Namespace) -> int:
    """Run the command. The two streams belong to the editor: any other output goes to standard error."""
    from remit.editor.server import serve  # noqa: PLC0415  it needs the extra `lsp`

    with os.fdopen(os.dup(0), "rb") as stdin, os.fdopen(os.dup(1), "wb") as stdout:
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(sys.stderr.fileno(), 1)
        serve(stdin, stdout, lambda folder: summary_files(args.summaries, [folder]))
    return 0
