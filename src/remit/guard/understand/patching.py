"""`apply_patch` in a command: Codex takes the text for a patch, so it is read as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import SOME_TEXT, lit
from remit.analysis.engine.texts import texts_of
from remit.analysis.world import Outcome
from remit.core.via import Cause, Via
from remit.guard.hosts.patch import FIELD, with_files

if TYPE_CHECKING:
    from remit.analysis.world import Child, Site
    from remit.guard.understand.live import LiveSession

NAMES = frozenset({"apply_patch", "applypatch"})


def patched(session: LiveSession, child: Child, site: Site) -> Outcome:
    """The files that a patch touches, given as a word or on standard input; what names none is not understood."""
    session.effect("process.create", child.words[0], site, Via(Cause.START, "apply_patch", words="runs {}"))
    given = child.words[1] if len(child.words) > 1 else child.stdin
    texts = [item.literal for item in texts_of(session.ground.value(given))] if given else [None]
    for text in texts or [None]:
        files = with_files({"text": text}, "text")[FIELD] if text is not None else {"written": [], "deleted": []}
        if len(child.words) > 2 or not (files["written"] or files["deleted"]):
            session.opaque("`apply_patch` is given something that is no patch", site)
        for capability, paths in (("file.write", files["written"]), ("file.delete", files["deleted"])):
            for path in paths:
                session.effect(capability, lit(path), site, Via(Cause.COMMAND, "apply_patch"), cwd=child.cwd)
    return Outcome(SOME_TEXT)
