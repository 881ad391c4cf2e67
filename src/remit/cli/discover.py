"""Resolution of command-line paths: skills in folders and other sources, and the summary files of a project."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from remit.cli.messages import say
from remit.core.errors import InputError, RemitError, UsageError

SUFFIXES = (".py.sum", ".js.sum", ".cmd")


def skills(paths: Sequence[str]) -> tuple[list[Path], list[RemitError]]:
    """Return the skills at or below the paths, each once, in the order of the paths; and what is wrong with a path."""
    from remit.skill.find import find_skills  # noqa: PLC0415  `--help` does not need it

    found: dict[str, Path] = {}
    wrong: list[RemitError] = []
    for path in paths:
        try:
            for folder in find_skills(path):
                found.setdefault(os.path.realpath(folder), folder)
        except InputError as error:
            wrong.append(error)
    return list(found.values()), wrong


class OpenSources(NamedTuple):
    """The skills of some sources, as long as these are open."""

    folders: list[Path]
    wrong: list[RemitError]  # what is wrong with a source, or with a skill in it
    names: dict[Path, str]  # names in reports for folders that are not the user's own
    roots: tuple[Path, ...]  # folders that hold the skills of archives and repositories


@contextmanager
def open_sources(given: Sequence[str], *, quiet: bool = False) -> Iterator[OpenSources]:
    """Return the skills of sources, each once, in order. What was fetched is removed afterwards."""
    with ExitStack() as stack:
        found: dict[str, Path] = {}
        names: dict[Path, str] = {}
        wrong: list[RemitError] = []
        roots: list[Path] = []
        for one in given:
            if os.path.isdir(one):  # noqa: PTH112  no other kind of source is so frequent
                folders, errors = skills([one])
            else:
                folders, errors = _fetched(one, stack, names, roots, quiet=quiet)
            wrong += errors
            for folder in folders:
                found.setdefault(os.path.realpath(folder), folder)
        yield OpenSources(list(found.values()), wrong, names, tuple(roots))


def _fetched(
    given: str, stack: ExitStack, names: dict[Path, str], roots: list[Path], *, quiet: bool
) -> tuple[list[Path], list[RemitError]]:
    from remit.sources.fetch import fetch_source  # noqa: PLC0415  folders do without
    from remit.sources.source import SourceKind, parse_source  # noqa: PLC0415

    try:
        source = parse_source(given)
        if source.kind is SourceKind.FOLDER:
            return skills([given])
        if source.kind is SourceKind.REPOSITORY and not quiet:
            say(f"fetching {source.address}")
        fetched = stack.enter_context(fetch_source(source))
    except InputError as error:
        return [], [error]
    names |= {skill: fetched.name_of(skill) for skill in fetched.skills}
    roots.append(fetched.root)
    return list(fetched.skills), [InputError(f"`{path}`: {reason}") for path, reason in fetched.refusals()]


def summary_files(given: Iterable[str], skill_folders: Iterable[Path]) -> tuple[Path, ...]:
    """Return the summary files that a user names: no folder counts by its name, because a third party may have written
    it.

    A skill must not describe the libraries by which it is judged: a file inside a checked skill is refused.
    """
    inside = [os.path.realpath(folder) for folder in skill_folders]
    out: list[Path] = []
    for name in given:
        path = Path(name)
        files = _listed(path)
        for file in files:
            if _within(file, inside):
                raise UsageError(
                    f"the summary file `{file}` is inside of a skill that is checked",
                    "a skill cannot vouch for itself; move the file out of it",
                )
        out += files
    return tuple(dict.fromkeys(file.resolve() for file in out))


def _listed(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(inner for inner in path.iterdir() if inner.name.endswith(SUFFIXES) and inner.is_file())
    if not path.is_file():
        raise UsageError(f"`{path}` does not exist", "give a summary file, or a folder of them")
    if not path.name.endswith(SUFFIXES):
        raise UsageError(f"`{path}` is not named as a summary file", f"its name ends in {' or '.join(SUFFIXES)}")
    return [path]


def _within(path: Path, folders: list[str]) -> bool:
    real = os.path.realpath(path)
    return any(real == folder or real.startswith(folder + os.sep) for folder in folders)
