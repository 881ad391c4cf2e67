"""Settings that are code, as they lie around a program on this machine."""

from __future__ import annotations

from fnmatch import fnmatch
from typing import TYPE_CHECKING

from remit.analysis.configurations import WRITTEN, Configuration, configurations

if TYPE_CHECKING:
    from remit.analysis.world import Site
    from remit.guard.understand.live import LiveSession


def around_program(session: LiveSession, program: str, folder: str, site: Site) -> None:
    """Report files that make a program run code, in its folder and those above, as far as the workspace reaches."""
    lines = [line for line in configurations().get(program, ()) if line.section != WRITTEN]
    if not lines:
        return
    top = str(session.disk.place.workspace)
    here = session.disk.real(folder)
    while True:
        names = session.disk.names(here) or ()
        for line in lines:
            for name in names:
                if any(fnmatch(name, pattern) for pattern in line.files) and _speaks(session, f"{here}/{name}", line):
                    session.opaque(f"`{here}/{name}` is loaded by `{program}`: {line.meaning}", site)
        if here in (top, "/", "") or not here.startswith(f"{top}/"):
            return
        here = here.rpartition("/")[0]


def _speaks(session: LiveSession, path: str, line: Configuration) -> bool:
    data = session.disk.read(path)
    return data is None or line.speaks(data.decode("utf-8", "replace"))
