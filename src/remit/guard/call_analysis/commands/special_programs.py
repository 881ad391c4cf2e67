"""Programs of a call that need more than a summary: their output is run later, they read a patch, or files around them
are code.
"""

from __future__ import annotations

from fnmatch import fnmatch
from typing import TYPE_CHECKING

from remit.analysis.configurations import WRITTEN, Configuration, configurations
from remit.analysis.domain import SOME_TEXT, lit
from remit.analysis.engine.texts import texts_of
from remit.analysis.world import Child, Outcome, Site
from remit.core.via import Cause, Via
from remit.guard.hosts.payload import PATCH, with_files

if TYPE_CHECKING:
    from remit.guard.call_analysis.commands.analysis_session import CommandAnalysis

PATCHES = frozenset({"apply_patch", "applypatch"})  # Codex takes the text for a patch, so it is read as one
_TEE = frozenset({"tee", "gtee", "sponge"})  # what comes in is the content of the files that they name


def piped(session: CommandAnalysis, names: set[str], child: Child, site: Site) -> None:
    """Return the text that a program writes unchanged: its input, or nothing."""
    known = [item.literal for word in child.words for item in texts_of(word)]
    if names & _TEE and child.stdin:
        text = child.stdin
    elif ("truncate" in names and {"0", "-s0", "--size=0"} & {*known}) or ("cp" in names and "/dev/null" in known):
        text = lit("")
    else:
        return
    for word in child.words[1:]:
        session.wrote(word, text, site)


def patched(session: CommandAnalysis, child: Child, site: Site) -> Outcome:
    """Return the files that a patch touches, given as a word or on standard input. A patch that names none is not
    understood.
    """
    session.effect("process.create", child.words[0], site, Via(Cause.START, "apply_patch", words="runs {}"))
    given = child.words[1] if len(child.words) > 1 else child.stdin
    texts = [item.literal for item in texts_of(session.ground.value(given))] if given else [None]
    for text in texts or [None]:
        files = with_files({"text": text}, "text")[PATCH] if text is not None else {"written": [], "deleted": []}
        if len(child.words) > 2 or not (files["written"] or files["deleted"]):
            session.opaque("`apply_patch` is given something that is no patch", site)
        for capability, paths in (("file.write", files["written"]), ("file.delete", files["deleted"])):
            for path in paths:
                session.effect(capability, lit(path), site, Via(Cause.COMMAND, "apply_patch"), cwd=child.cwd)
    return Outcome(SOME_TEXT)


def around_program(session: CommandAnalysis, program: str, folder: str, site: Site) -> None:
    """Report files that make a program run code, in its folder and those above, up to the workspace."""
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


def _speaks(session: CommandAnalysis, path: str, line: Configuration) -> bool:
    data = session.disk.read(path)
    return data is None or line.speaks(data.decode("utf-8", "replace"))
