"""The result of analysing a command: parts, doubts, and the files that the result depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from remit.core.scope import Scope
    from remit.core.via import Via


class CallPlace(NamedTuple):
    """Where a call would run."""

    cwd: Path
    workspace: Path
    home: Path
    tmp: Path
    skills: tuple[tuple[str, Path], ...] = ()  # loaded or installed skills: name and folder

    def __hash__(self) -> int:
        """Hash a part of the place: every command is looked up by its place, and hashing paths is slow."""
        return hash((str(self.cwd), len(self.skills)))


class Part(NamedTuple):
    """One effect of the call."""

    capability: str
    scope: Scope  # paths are absolute and resolved
    command: str  # the simple command of the call that causes it
    why: str  # the file and line, or the simple command, and the reason
    scripted: bool  # caused by a script, not by the call itself
    via: Via
    skill: str = ""  # the skill in whose folder that script lies


class Doubt(NamedTuple):
    """Something that is not understood: its effects are unknown."""

    reason: str
    why: str = ""  # the file and line, or the simple command
    command: str = ""  # the simple command of the call that causes it
    file: str = ""  # absolute path of the file that contains it; empty for the text of the call
    by_pattern: bool = False  # the call may change that file only as one of those that a pattern matches

    def __str__(self) -> str:
        return f"{self.reason}: {self.why[:200]}" if self.why else self.reason


class ReadFile(NamedTuple):
    """A file whose content the answer depends on."""

    path: Path
    sha256: str
    state: tuple[int, ...] | None = None  # from `stat`; None: changed too recently to tell


class FileState(NamedTuple):
    """A file system entry that was looked at: a file, a folder, a link or nothing. The answer depends on it too."""

    path: str
    state: tuple[int, ...] | None  # None: nothing was there


class Understanding(NamedTuple):
    """The effects of the call, as far as known without running it."""

    parts: tuple[Part, ...]
    doubts: tuple[Doubt, ...]
    seen: tuple[ReadFile, ...]
    commands: tuple[tuple[str, ...], ...]  # plain words of each simple command
    glances: tuple[FileState, ...] = ()
    inner: tuple[tuple[str, ...], ...] = ()  # likewise for commands that its scripts run
