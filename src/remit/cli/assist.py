"""Suggestions for a draft by a program of the user's choice. They are marked, and none of them grants anything."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import tempfile
from contextlib import suppress
from threading import Timer
from typing import TYPE_CHECKING, Any

from remit.core.capability import vocabulary
from remit.core.errors import InputError
from remit.manifest.draft.update import marks
from remit.manifest.model import Decision, Evidence, Manifest, Permission
from remit.manifest.words import HIDDEN
from remit.skill.find import main_name

if TYPE_CHECKING:
    from pathlib import Path

_SECONDS = 120
_MOST = 256 * 1024  # bytes of an answer
_FORM = 'it must print a JSON list of {"capability": …, "reason": …}'


def suggested(command: str, folder: Path, manifest: Manifest) -> tuple[Manifest, list[str]]:
    """Return the manifest with a denied entry for each new suggestion, for a person to decide; and notes."""
    text = (folder / (main_name([path.name for path in folder.iterdir()]) or "SKILL.md")).read_text("utf-8", "replace")
    question = {
        "skill": manifest.skill_metadata.name if manifest.skill_metadata else folder.name,
        "prose": text,
        "capabilities": {capability.name: capability.meaning for capability in vocabulary()},
        "drafted": sorted({entry.capability for entry in manifest.permissions if entry.effect is not Decision.DENY}),
    }
    entries: list[Permission] = []
    notes: list[str] = []
    known = {entry.capability for entry in manifest.permissions}
    for name, reason in _answer(command, question):
        source = "source." + name.removeprefix("file.")
        if name in known:
            continue
        known.add(name)
        if name.startswith("file.") and source in known:
            notes.append(f"`{command}` suggests {name}: not added, because its denial would deny {source} too")
            continue
        said = f"suggested by {shlex.split(command)[0]}, not by the skill's words: {reason}"[:300]
        entries.append(
            Permission(
                name, effect=Decision.DENY, fallback_msg=said, evidence=(Evidence("SKILL.md", 1, reason, "suggestion"),)
            )
        )
        notes.append(f"`{command}` suggests {name}: denied in the draft; allow it if it is right")
    made = manifest._replace(
        permissions=(*manifest.permissions, *entries), drafted=tuple(sorted({*manifest.drafted, *marks(entries)}))
    )
    return made, notes


def _answer(command: str, question: dict[str, Any]) -> list[tuple[str, str]]:
    try:
        answer = json.loads(_printed(command, json.dumps(question).encode()))
    except (OSError, ValueError, RecursionError, subprocess.SubprocessError) as error:
        raise InputError(f"`{command}` gave no suggestions: {error}"[:300], _FORM) from None
    if not isinstance(answer, list):
        raise InputError(f"`{command}` printed no list", _FORM)
    return [_one(command, item) for item in answer]


def _printed(command: str, question: bytes) -> bytes:
    """Return what the program prints; ValueError if it is too much, too late, or the program fails.

    The question is a file and not a pipe, and the program has a process group of its own: its child processes can
    neither block this nor outlive it.
    """
    with tempfile.TemporaryFile() as asked:
        asked.write(question)
        asked.seek(0)
        with subprocess.Popen(  # noqa: S603  the user names the program
            shlex.split(command), stdin=asked, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        ) as running:
            timer = Timer(_SECONDS, _end, (running,))
            timer.start()
            try:
                assert running.stdout is not None
                printed = running.stdout.read(_MOST + 1)
                if len(printed) <= _MOST:
                    running.wait()
            finally:
                timer.cancel()
                _end(running)
    if len(printed) > _MOST:
        raise ValueError(f"it printed more than {_MOST} bytes")
    if running.returncode:
        raise ValueError(f"it ended with {running.returncode}, or was ended after {_SECONDS} seconds")
    return printed


def _end(running: subprocess.Popen[bytes]) -> None:
    """Kill the remaining process group of a program that was started here."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(running.pid, signal.SIGKILL)


def _one(command: str, item: object) -> tuple[str, str]:
    name = item.get("capability") if isinstance(item, dict) else None
    if not isinstance(name, str) or name not in vocabulary():
        raise InputError(f"`{command}` suggests {json.dumps(item)[:80]}, which is no capability", _FORM)
    reason = item.get("reason", "") if isinstance(item, dict) else ""
    return name, " ".join(HIDDEN.sub(" ", str(reason)).split())[:200]
