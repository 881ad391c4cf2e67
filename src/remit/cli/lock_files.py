"""Shared by `remit diff` and `remit lock`: summaries of folders, and reading and writing of lock files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.checker.extras import SUMMARY
from remit.checker.run import Run
from remit.cli.check_options import check_options
from remit.cli.input_file import read_given
from remit.cli.progress import Progress
from remit.manifest.drift.codec import decode
from remit.manifest.drift.lockfile import MAX_BYTES, Lock, parse

if TYPE_CHECKING:
    import argparse

    from remit.checker.report import Failure
    from remit.manifest.drift.model import Summary


class Remembered(NamedTuple):
    """A folder, and the summary of its skill, or why that is unknown."""

    folder: Path
    summary: Summary | None
    failure: Failure | None = None


def remember(args: argparse.Namespace, folders: Sequence[Path], sources: Sequence[Path] = ()) -> list[Remembered]:
    """Return a summary of each folder, in order. `sources` are folders that hold them."""
    out: dict[int, Remembered] = {}
    with Progress(len(folders), quiet=args.quiet) as progress:
        for number, answer in Run(folders, check_options(args, folders, sources), SUMMARY).answers():
            progress.step(answer.name)
            summary = decode(answer.more) if answer.more is not None else None
            out[number] = Remembered(answer.folder, summary, answer.failure)
    return [out[number] for number in range(len(folders))]


def read_lock(path: Path) -> Lock:
    """Return the lock in a file."""
    make, less = "write one with `remit lock PATH`", "lock fewer skills in one file"
    data = read_given(path, f"the lock `{path}`", MAX_BYTES, make, less)
    return parse(data, str(path))


def relative(path: Path | str, base: Path) -> str:
    """Return a path as a lock names it: from the folder of the lock, with `/`. Links are kept in the name."""
    return Path(os.path.relpath(os.path.abspath(path), os.path.abspath(base))).as_posix()  # noqa: PTH100
