"""File effects, by a helper program in a capsule that sees only the granted folder and follows no links.

Sensitive paths inside the folder (credentials, hooks, start-up files, settings of agents) are hidden there as for every command,
and refused before anything starts.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.executor.effects.adapter import EffectDone, NotDoneError
from remit.executor.effects.capsule_command import ready, run_for

if TYPE_CHECKING:
    from remit.executor.accepted_request import Accepted
    from remit.manifest.model import Manifest

CONTENT = "content"  # what must not be seen: the gateway gives it a handle
_HAND = Path(__file__).parents[1] / "data" / "hand.py.txt"
_SECONDS = 30
_REMEDY = "see `files` in effects.json"


class Folders(NamedTuple):
    """The folders that the operator granted, by their real paths, the base of relative paths, and limits."""

    workspace: str
    readable: tuple[str, ...]
    writable: tuple[str, ...]
    most: int  # bytes of a file
    helpers: Path
    apart: tuple[str, ...]  # folders that are hidden from every command


class FileEffect(NamedTuple):
    """One file operation: `read`, `write`, `append` or `delete`."""

    act: str
    folders: Folders

    def happen(self, accepted: Accepted) -> EffectDone:
        """Run the helper."""
        path, data = accepted.inputs["path"], accepted.inputs.get("text", "").encode()
        root, parts = self._placed(path)
        if len(data) > self.folders.most:
            raise NotDoneError(f"it has more than {self.folders.most} bytes", _REMEDY)
        told = self._told(accepted, root, parts, data)
        record = {"path": "/".join((root, *parts)), "act": self.act}
        if self.act == "read":
            return EffectDone("the file was read", {CONTENT: _text(told)}, record)
        return EffectDone(_SAID[self.act], {"bytes": told["size"]}, record | {"bytes": told["size"]})

    def _placed(self, path: str) -> tuple[str, tuple[str, ...]]:
        """Return the granted folder that holds a path, and the components from there. Paths have no `.` and no `..`
        (their form).
        """
        if path.startswith(f"{self.folders.workspace}/"):
            # a second spelling of what the policy judged: `deny token in private` must not depend on it
            raise NotDoneError(
                "a path inside the workspace is written relative to it", "leave out the workspace's name"
            )
        full = path if path.startswith("/") else f"{self.folders.workspace}/{path}"
        granted = self.folders.readable if self.act == "read" else self.folders.writable
        holding = [root for root in granted if full.startswith(f"{root}/")]
        if not holding:
            raise NotDoneError(f"`{path}` is in no folder that is granted for this", _REMEDY)
        root = max(holding, key=len)
        return root, tuple(full.removeprefix(f"{root}/").split("/"))

    def _told(self, accepted: Accepted, root: str, parts: tuple[str, ...], data: bytes) -> dict[str, Any]:
        from remit.capsule.confinement import Limits  # noqa: PLC0415
        from remit.capsule.contract import Access  # noqa: PLC0415
        from remit.capsule.prepare import RunRequest  # noqa: PLC0415

        asked = RunRequest(
            manifest=_manifest(accepted, root, self.act), command=_command(accepted), workspace=root, home="",
            kept_apart=self.folders.apart, limits=Limits(seconds=_SECONDS),
        )  # fmt: skip
        one = ready(accepted, asked, self.folders.helpers)
        access = Access.READ if self.act == "read" else Access.READ | Access.WRITE | Access.DELETE
        for depth in range(1, len(parts) + 1):  # a folder on the way may be kept back, too
            kept = one.prepared.masker.judge("/".join((root, *parts[:depth])), access, folder=depth < len(parts))
            if kept:
                raise NotDoneError(f"`{'/'.join(parts)}` is kept back: {kept[1]}", "name another file")
        order = {"act": self.act, "root": root, "parts": parts, "most": self.folders.most,
                 "data": base64.b64encode(data).decode()}  # fmt: skip
        ended = run_for(
            accepted, one, f"ORDER = {json.dumps(json.dumps(order))}\n{_hand()}".encode(), 2 * self.folders.most + 4096
        )
        if ended.status != 0:
            if self.act == "read":
                raise NotDoneError("the file could not be read", _REMEDY)
            raise RuntimeError(f"the hand ended with {ended.status}")  # something may have changed
        told: dict[str, Any] = json.loads(ended.output)
        if "refused" in told:
            raise NotDoneError(f"`{'/'.join(parts)}`: {told['refused']}", "name a plain file")
        return told


_SAID = {"write": "the file was written", "append": "the text was appended", "delete": "the file was deleted"}


def _text(told: dict[str, Any]) -> str:
    try:
        return base64.b64decode(told["data"]).decode("utf-8")
    except UnicodeDecodeError:
        raise NotDoneError("the file is no text", "name a text") from None


def _command(accepted: Accepted) -> tuple[str, ...]:  # noqa: ARG001  (who acts holds one)
    """Return the command of the helper: our program for the system's Python, isolated from environment and folder."""
    from remit.capsule.confinement import SEARCHED  # noqa: PLC0415

    found = shutil.which("python3", path=":".join(SEARCHED))
    if found is None:
        raise NotDoneError("there is no Python among the programs of the system", "install python3")
    return os.path.realpath(found), "-I", "-S", "-"


@cache
def _hand() -> str:
    return _HAND.read_text("utf-8")


def _manifest(accepted: Accepted, root: str, act: str) -> Manifest:
    """Return a manifest that grants the one folder, and the program of the helper."""
    from remit.core.scope import DEEP, ROOT, PathScope  # noqa: PLC0415
    from remit.core.scope.component import escape  # noqa: PLC0415
    from remit.manifest.model import Decision, Manifest, Permission  # noqa: PLC0415
    from remit.policy.command_permits import program_scope  # noqa: PLC0415

    folder = PathScope(ROOT, (*(escape(part) for part in root.split("/") if part), DEEP))
    program = program_scope(_command(accepted)[0])
    capabilities = ("file.read",) if act == "read" else ("file.read", "file.write", "file.delete")
    granted = [Permission(name, (folder,), Decision.ALLOW) for name in capabilities]
    if program is not None:
        granted.append(Permission("process.create", (program,), Decision.ALLOW))
    return Manifest("remit files", tuple(granted))
