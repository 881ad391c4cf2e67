"""Lines of a skill's files for reports: as they were analysed, or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from remit.core.errors import InputError
from remit.skill.model import Limits

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from remit.checker.report import Report


def limits_of(args: argparse.Namespace) -> Limits:
    """Return how much of a skill is read, according to the command line."""
    return Limits(**{name: getattr(args, name) for name in Limits.__dataclass_fields__})


def lines_of(report: Report, limits: Limits, folder: Path, sources: Iterable[Path] = ()) -> dict[str, list[str]]:
    """Return the lines of each analysed file, by path. A file that has changed since is left out."""
    from remit.skill.find import link_boundary  # noqa: PLC0415
    from remit.skill.walk import Walker  # noqa: PLC0415

    found = report.found
    meant = {place.file for place in report.places()}
    if not meant:
        return {}
    try:
        tree = Walker(folder, limits, link_boundary(folder, sources)).run()
    except InputError:
        return {}  # the report says why it cannot be read
    digests = dict(found.digests)
    out: dict[str, list[str]] = {}
    for file in tree.files:
        known = f"sha256:{file.digest}"
        if file.path in meant and file.data is not None and digests.get(file.path, known) == known:
            out[file.path] = [line.rstrip("\r") for line in file.data.decode("utf-8", "replace").split("\n")]
    return out
