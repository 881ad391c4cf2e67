"""Installation of skills through admission: from the import folder to the folder that hosts load, whole or not at all.

(1) the skill is found by its name, and its content has the digest of the decision
(2) it is verified in place: without admission at the required level nothing is written
(3) it is copied to a private folder, where no other process changes it; the copy has the same digest
(4) the copy is verified, since the source may have changed meanwhile
(5) it is installed in one step, replacing a skill of the same name
Verification reads a possibly hostile skill, so it runs in a separate process with limits.
"""

from __future__ import annotations

import ctypes
import json
import os
import secrets
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import RemitError
from remit.executor.effects.adapter import EffectDone, NotDoneError

if TYPE_CHECKING:
    from pathlib import Path

    from remit.executor.accepted_request import Accepted

LEVELS = ("unverified", "declared", "tested", "formal")  # in their order
_SECONDS = 300
_REMEDY = "see `skills` in effects.json"
_AT_FDCWD, _EXCHANGE = -100, 2


class Install(NamedTuple):
    """The source folders, the target folder, the trust root, and the least level."""

    offered: Path
    place: Path
    trust_root: Path
    state: Path  # what was admitted before; beside it copies are made
    level: str

    def happen(self, accepted: Accepted) -> EffectDone:
        """Perform all five steps."""
        name, digest = accepted.inputs["skill"], accepted.inputs["digest"]
        if "/" in name or name.startswith("."):
            raise NotDoneError(f"`{name}` is not the name of a skill", "give the name that ImportSkill returned")
        try:
            source = self._found(accepted, name, digest)  # (1)
            self._verified(accepted, source)  # (2)
            draft = self.state.parent / f"skill-{secrets.token_hex(8)}"
            try:
                from remit.bundle.skill_copy import content_of, copy_skill  # noqa: PLC0415  only who installs needs it

                copy_skill(source, draft)  # (3)
                if content_of(draft) != digest:
                    raise NotDoneError(f"`{name}` was changed since it was decided about", "import it again")
                told = self._verified(accepted, draft)  # (4)
                _place(accepted, draft, self.place / name)  # (5)
            finally:
                shutil.rmtree(draft, ignore_errors=True)
        except NotDoneError:
            raise
        except RemitError as error:
            raise NotDoneError(f"`{name}` is not installed: {error.message}", error.remedy) from None
        facts = {"skill": name, "version": told["version"], "level": told["level"], "digest": digest}
        return EffectDone(f"`{name}` is installed, {told['level']}", facts, facts | {"signers": told["signers"]})

    def _found(self, accepted: Accepted, name: str, digest: str) -> Path:  # noqa: ARG002  (who acts holds one)
        """Return the offered folder that has this digest."""
        from remit.bundle.skill_copy import content_of  # noqa: PLC0415
        from remit.skill.find import find_skills  # noqa: PLC0415

        for folder in find_skills(self.offered):
            if folder.name == name and content_of(folder) == digest:
                return folder
        raise NotDoneError(f"no skill `{name}` with this digest is offered", "import it again")

    def _verified(self, accepted: Accepted, folder: Path) -> dict[str, Any]:  # noqa: ARG002  (who acts holds one)
        """Return the admission result of a folder; NotDoneError if it is not admitted at the least level."""
        command = [
            sys.executable, "-I", "-m", "remit.cli", "verify", str(folder), "--trust-root", str(self.trust_root),
            "--state", str(self.state), "--format", "json", "--timeout", str(_SECONDS),
        ]  # fmt: skip
        try:
            done = subprocess.run(  # noqa: S603  (our own program)
                command, stdin=subprocess.DEVNULL, capture_output=True, timeout=2 * _SECONDS, check=False,
                env={"PATH": "/usr/bin:/bin", "HOME": str(self.state), "LANG": "C.UTF-8"},
            )  # fmt: skip
            told: dict[str, Any] = json.loads(done.stdout)
        except (OSError, subprocess.SubprocessError, ValueError) as error:
            raise NotDoneError(f"admission gives no answer: {type(error).__name__}", _REMEDY) from None
        level = told["level"]
        if done.returncode or not told["holds"] or told["refused"] or LEVELS.index(level) < LEVELS.index(self.level):
            why = "; ".join(item["meaning"] for item in told["reasons"]) or f"it is {level}, not {self.level}"
            raise NotDoneError(f"it is not admitted: {why}", "have a trusted signer sign it")
        return told


def _place(accepted: Accepted, draft: Path, place: Path) -> None:
    """Install in one step: a reader sees the old skill or the new one, whole."""
    place.parent.mkdir(parents=True, exist_ok=True)
    waiting = place.with_name(f".{place.name}.{secrets.token_hex(8)}")
    shutil.move(draft, waiting)  # beside it: the last step is within one folder
    try:
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            raise NotDoneError(f"`{place}` is not a folder", "remove it")
        if place.exists():
            _exchange(accepted, waiting, place)
        else:
            waiting.rename(place)
    finally:
        shutil.rmtree(waiting, ignore_errors=True)
    handle = os.open(place.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    os.fsync(handle)
    os.close(handle)


def _exchange(accepted: Accepted, one: Path, other: Path) -> None:  # noqa: ARG001  (who acts holds one)
    """Swap two folders atomically (renameat2)."""
    library = ctypes.CDLL(None, use_errno=True)
    if library.renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _EXCHANGE):
        raise NotDoneError(f"`{other.name}` cannot be replaced in one step: {os.strerror(ctypes.get_errno())}", _REMEDY)
