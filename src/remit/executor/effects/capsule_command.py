"""A command in a capsule for an accepted request: confined to its manifest, with bounded output and time.

Capsule modules are imported when a command runs, so that an executor without such effects does not load them.
"""

from __future__ import annotations

import os
import shlex
import threading
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import RemitError
from remit.executor.effects.adapter import NotDoneError

if TYPE_CHECKING:
    from pathlib import Path

    from remit.capsule.prepare import Prepared, RunRequest
    from remit.executor.accepted_request import Accepted
    from remit.manifest.model import Manifest
    from remit.policy.permit import Permit

_PIECE = 1 << 16


class CommandEnd(NamedTuple):
    """How a command ended. Without a status, it was killed at its time limit."""

    status: int | None
    output: bytes
    cut: bool  # there was more than is kept
    planted: tuple[str, ...]  # files that were created without a grant
    problems: tuple[str, ...]  # of the record of what left
    manifest: str  # its digest


class Ready(NamedTuple):
    """A command that is ready to start."""

    permit: Permit
    prepared: Prepared
    starter: bytes  # the small program that starts first in the capsule


def ready(accepted: Accepted, asked: RunRequest, helpers: Path) -> Ready:
    """Prepare a command; NotDoneError if it may not, or cannot, start here. Nothing has happened then."""
    from remit.capsule.helper.build import helper  # noqa: PLC0415
    from remit.capsule.prepare import prepare  # noqa: PLC0415

    permit = _permit(accepted, asked.manifest, asked.command)
    try:
        return Ready(permit, prepare(permit, asked), helper(permit, helpers))
    except (RemitError, OSError) as error:
        message, remedy = (error.message, error.remedy) if isinstance(error, RemitError) else (str(error), "look at it")
        raise NotDoneError(f"nothing was run: {message}", remedy) from None


def run_for(accepted: Accepted, one: Ready, given: bytes, most: int) -> CommandEnd:  # noqa: ARG001  (who acts holds one)
    """Run a command to its end. At the time limit of its contract all its processes are killed. After an error it is
    open what happened.
    """
    from remit.capsule.launch import Streams, run_in_capsule  # noqa: PLC0415
    from remit.capsule.run import Ending  # noqa: PLC0415

    kept = _BoundedOutput(most)
    source, sink = os.pipe()
    reader = threading.Thread(target=kept.drain, args=(source,), daemon=True)
    reader.start()
    told = os.memfd_create("remit")
    try:
        os.write(told, given)
        os.lseek(told, 0, os.SEEK_SET)
        ran = run_in_capsule(one.permit, one.prepared, one.starter, Streams(told, sink, sink))
    finally:
        os.close(told)
        os.close(sink)
        reader.join(10)
    status = None if ran.how is Ending.TIME else ran.code
    planted = tuple(mask.path for mask in ran.planted)
    return CommandEnd(status, bytes(kept.data), kept.cut, planted, ran.egress.problems, one.prepared.contract.manifest)


def _permit(accepted: Accepted, manifest: Manifest, words: tuple[str, ...]) -> Permit:
    """Return the permit for the program, which the manifest must grant. An `allow` suffices, since two servers decided
    this very command; a `confirm` needs an approver's signature.
    """
    from remit.manifest.model import Verification  # noqa: PLC0415
    from remit.policy.command_permits import program_scope, starting  # noqa: PLC0415
    from remit.policy.projector import Approval, Projector  # noqa: PLC0415
    from remit.policy.refusal import Refusal  # noqa: PLC0415
    from remit.policy.skill_policy import SkillPolicy  # noqa: PLC0415

    program = program_scope(words[0])
    if program is None:
        raise NotDoneError(f"`{words[0]}` is not a program", "begin with the name of a program, or its path")
    projector = Projector(SkillPolicy("executor", manifest, Verification.FORMAL))
    found = projector.project(starting(program, words))
    if isinstance(found, Refusal) and found.question and accepted.confirmed_by:
        found = projector.project(starting(program, words), answer=Approval(found.question.digest))
    if isinstance(found, Refusal):
        line = shlex.join(words)[:200]
        raise NotDoneError(f"`{line}` may not be run: {found.reason}", "see `process` in effects.json")
    return found


class _BoundedOutput:
    """The first bytes of a command's output. The rest is read and dropped, so that the command does not block."""

    def __init__(self, most: int) -> None:
        self.data = bytearray()
        self.cut = False
        self._most = most

    def drain(self, source: int) -> None:
        """Read until every writer has closed the pipe."""
        with os.fdopen(source, "rb", buffering=0) as file:
            while piece := file.read(_PIECE):
                room = self._most - len(self.data)
                self.data += piece[:room]
                self.cut = self.cut or len(piece) > room
