"""Several twins at a time: each process that checks has a TLC of its own, which it keeps from twin to twin."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import InputError, RemitError
from remit.models.tla.running import Tlc, ready

if TYPE_CHECKING:
    from remit.models.outcome import Outcome

_MOST = 2  # TLC, and what compares, want much memory for the largest twins
_HELD: list[Tlc] = []  # of this process


class _Failed(NamedTuple):
    """An error of ours, as it comes from another process."""

    message: str
    remedy: str


def each(work: Callable[[Tlc, str], Outcome], names: Sequence[str]) -> Iterator[Outcome]:
    """What becomes of each, in the order in which they end; `work` is a function of a module."""
    ready()
    with TemporaryDirectory(prefix="remit-tlc-") as folder:
        jobs = min(_MOST, os.cpu_count() or 1, len(names))
        with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
            for future in as_completed([pool.submit(_worked, work, name, folder) for name in names]):
                found = future.result()
                if isinstance(found, _Failed):
                    raise InputError(*found)
                yield found


def _worked(work: Callable[[Tlc, str], Outcome], name: str, folder: str) -> Outcome | _Failed:
    try:
        if not _HELD:
            _HELD.append(Tlc(Path(folder) / str(os.getpid())))  # it ends with this process
        return work(_HELD[0], name)
    except RemitError as error:
        return _Failed(error.message, error.remedy)
