"""`remit defaults`: prints the built-in defaults, or checks a file of the user."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.counting import counted

if TYPE_CHECKING:
    import argparse


def defaults(args: argparse.Namespace) -> int:
    """Run the command. An invalid file raises, with line, column and remedy."""
    file: str | None = args.file
    if file is None:
        from remit.manifest.baseline import shipped_defaults  # noqa: PLC0415
        from remit.manifest.render import render  # noqa: PLC0415

        sys.stdout.write(render(shipped_defaults()))
        return 0
    from remit.manifest.read import read_defaults  # noqa: PLC0415

    read = read_defaults(Path(file)).permissions
    print(f"{file}: {counted(len(read), 'entry', 'entries')}, nothing wrong")
    return 0
