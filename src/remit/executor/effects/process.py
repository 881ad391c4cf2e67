"""Commands in a capsule, confined to the manifest that the operator wrote for them."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import ManifestError
from remit.executor.effects.adapter import EffectDone, NotDoneError
from remit.executor.effects.capsule_command import ready, run_for

if TYPE_CHECKING:
    from pathlib import Path

    from remit.executor.accepted_request import Accepted
    from remit.manifest.model import Manifest


class Process(NamedTuple):
    """The settings of commands."""

    manifest: Path  # read anew for each command
    workspace: str
    seconds: int
    most: int  # bytes of output that are kept
    helpers: Path
    apart: tuple[str, ...]  # folders that are hidden from every command

    def happen(self, accepted: Accepted) -> EffectDone:
        """Run a command until it ends or its time limit; then none of its processes is left."""
        from remit.capsule.confinement import Limits  # noqa: PLC0415  see `confined`
        from remit.capsule.prepare import RunRequest  # noqa: PLC0415

        words = _words(accepted.inputs["command"])
        asked = RunRequest(
            manifest=_granted(accepted, self.manifest), command=words, workspace=self.workspace, home="", confirmed=bool(accepted.confirmed_by),
            kept_apart=self.apart, limits=Limits(seconds=self.seconds),
        )  # fmt: skip
        ended = run_for(accepted, ready(accepted, asked, self.helpers), b"", self.most)
        how = f"it was ended after {self.seconds} s" if ended.status is None else f"it ended with {ended.status}"
        told = {"status": ended.status, "output": ended.output.decode("utf-8", "replace"), "cut": ended.cut}
        record = {"status": ended.status, "manifest": ended.manifest, "bytes": len(ended.output), "cut": ended.cut}
        left = {"planted": list(ended.planted), "problems": list(ended.problems)}
        noted = {name: found for name, found in left.items() if found}
        return EffectDone(f"the command was run: {how}", told | noted, record | noted)


def _granted(accepted: Accepted, path: Path) -> Manifest:  # noqa: ARG001  (who acts holds one)
    from remit.manifest.read import parse_manifest, read_bytes  # noqa: PLC0415  only who runs commands needs it

    try:
        return parse_manifest(read_bytes(path), path.name)
    except ManifestError as error:
        raise NotDoneError(f"nothing was run: {error.message}", error.remedy) from None


def _words(line: str) -> tuple[str, ...]:
    """Split a command into words. It is not a shell program."""
    try:
        words = tuple(shlex.split(line))
    except ValueError as error:
        raise NotDoneError(f"the command cannot be read: {error}", "close the quotation") from None
    if not words:
        raise NotDoneError("there is no command", "name a program")
    return words
