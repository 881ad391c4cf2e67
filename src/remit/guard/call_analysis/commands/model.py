"""What is said of a call before it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from remit.core.scope import Scope
    from remit.core.via import Via


class Place(NamedTuple):
    """Where a call would run."""

    cwd: Path
    workspace: Path
    home: Path
    tmp: Path
    skills: tuple[tuple[str, Path], ...] = ()  # loaded or installed skills: name and folder

    def __hash__(self) -> int:
        """Of a part of it: every command is looked up by its place, and paths take long to hash."""
        return hash((str(self.cwd), len(self.skills)))


class Part(NamedTuple):
    """One thing that the call would do."""

    capability: str
    scope: Scope  # paths are absolute, and are where they really lead
    command: str  # the simple command of the call that does it, or that starts what does it
    why: str  # the file and line, or the simple command, and the reason
    scripted: bool  # a script does it, not the call itself
    via: Via
    skill: str = ""  # the skill in whose folder that script lies


class Doubt(NamedTuple):
    """Something that is not understood: nobody can say what the call does there."""

    reason: str
    why: str = ""  # the file and line, or the simple command
    command: str = ""  # the simple command of the call that stands behind it
    file: str = ""  # the absolute path of the file in which it stands; empty for the text of the call
    by_pattern: bool = False  # the call only may change that file, among others that it does not name

    def __str__(self) -> str:
        return f"{self.reason}: {self.why[:200]}" if self.why else self.reason


class ReadFile(NamedTuple):
    """A file whose content the answer rests on."""

    path: Path
    sha256: str
    state: tuple[int, ...] | None = None  # as file systems tell it; None: it had only just changed, and does not tell


class FileState(NamedTuple):
    """What was looked at in the file system: a file, a folder, a link or nothing. The answer rests on that too."""

    path: str
    state: tuple[int, ...] | None  # None: there was nothing


class Understanding(NamedTuple):
    """What the call would do, as far as anybody can say without running it."""

    parts: tuple[Part, ...]
    doubts: tuple[Doubt, ...]
    seen: tuple[ReadFile, ...]
    commands: tuple[tuple[str, ...], ...]  # the plain words of each simple command
    glances: tuple[FileState, ...] = ()
    inner: tuple[tuple[str, ...], ...] = ()  # the same of commands that its scripts run
