"""Commands, in a capsule: with the manifest that the operator wrote for them, and nothing else."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import ManifestError
from remit.executor.effects.confined import ready, run_for
from remit.executor.effects.form import Done, NotDoneError

if TYPE_CHECKING:
    from pathlib import Path

    from remit.executor.accepted import Accepted
    from remit.manifest.model import Manifest


class Process(NamedTuple):
    """What commands are given."""

    manifest: Path  # read for each command: what it grants is what it says now
    workspace: str
    seconds: int
    most: int  # bytes of output that are kept
    helpers: Path
    apart: tuple[str, ...]  # folders that no command sees

    def happen(self, accepted: Accepted) -> Done:
        """Run it to its end, or to the end of its time; then none of its processes is left."""
        from remit.capsule.confinement import Limits  # noqa: PLC0415  see `confined`
        from remit.capsule.prepare import Asked  # noqa: PLC0415

        words = _words(accepted.inputs["command"])
        asked = Asked(
            manifest=_granted(accepted, self.manifest), command=words, workspace=self.workspace, home="", confirmed=bool(accepted.confirmed_by),
            kept_apart=self.apart, limits=Limits(seconds=self.seconds),
        )  # fmt: skip
        ended = run_for(accepted, ready(accepted, asked, self.helpers), b"", self.most)
        how = f"it was ended after {self.seconds} s" if ended.status is None else f"it ended with {ended.status}"
        told = {"status": ended.status, "output": ended.output.decode("utf-8", "replace"), "cut": ended.cut}
        record = {"status": ended.status, "manifest": ended.manifest, "bytes": len(ended.output), "cut": ended.cut}
        left = {"planted": list(ended.planted), "problems": list(ended.problems)}
        noted = {name: found for name, found in left.items() if found}
        return Done(f"the command was run: {how}", told | noted, record | noted)


def _granted(accepted: Accepted, path: Path) -> Manifest:  # noqa: ARG001  (who acts holds one)
    from remit.manifest.read import parse_manifest, read_bytes  # noqa: PLC0415  only who runs commands needs it

    try:
        return parse_manifest(read_bytes(path), path.name)
    except ManifestError as error:
        raise NotDoneError(f"nothing was run: {error.message}", error.remedy) from None


def _words(line: str) -> tuple[str, ...]:
    """A command is words, not a program of a shell."""
    try:
        words = tuple(shlex.split(line))
    except ValueError as error:
        raise NotDoneError(f"the command cannot be read: {error}", "close what is quoted") from None
    if not words:
        raise NotDoneError("there is no command", "name a program")
    return words
