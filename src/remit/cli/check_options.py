"""The options of commands that check skills, in the form of `remit.checker`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from remit.checker.run import Options
from remit.cli.discover import summary_files
from remit.skill.model import Limits

if TYPE_CHECKING:
    import argparse


def check_options(args: argparse.Namespace, folders: Sequence[Path] = (), sources: Sequence[Path] = ()) -> Options:
    """Return the options that were given for some folders in some sources."""
    return Options(
        limits=Limits(**{name: getattr(args, name) for name in Limits.__dataclass_fields__}),
        summaries=summary_files(getattr(args, "summaries", ()), folders),
        cache=not args.no_cache,
        jobs=getattr(args, "jobs", 0) or 0,
        memory=args.max_memory * 1024 * 1024,
        timeout=args.timeout,
        sources=(*sources, *(Path(path) for path in getattr(args, "paths", ()))),
    )
