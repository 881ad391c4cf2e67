"""The machine as the analysis sees it: a skill whose files are read on demand, and an evaluator that knows its limits."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.domain import Text, Value
from remit.analysis.engine.modules import Engine
from remit.analysis.engine.texts import texts_of
from remit.analysis.hosted import is_credential

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from remit.analysis.engine.frames import Frame
    from remit.analysis.world import Site
    from remit.guard.understand.reports import LiveReports
    from remit.skill.model import SkillFile


class DiskSkill(NamedTuple):
    """The machine as a skill: its files are those that something names."""

    name: str
    root: Path
    read: Callable[[str], bytes | None]
    file: Callable[[str], SkillFile | None]
    files: tuple[SkillFile, ...] = ()
    documents: tuple[object, ...] = ()


class LiveEngine(Engine):
    """The evaluator, which stops when the time is over and follows `sys.path` on this disk."""

    session: LiveReports

    def evaluate_frame(self, frame: Frame) -> None:
        """Evaluate, unless the time is over."""
        self.session.tick()
        super().evaluate_frame(frame)

    def search_also(self, value: Value) -> None:
        """A folder is put into `sys.path`: modules are looked for there as well, and before libraries."""
        for item in texts_of(self.session.ground.value(value)):
            folder = None if item.literal is None else posixpath.normpath(f"{self.session.cwd}/{item.literal}")
            if item.literal is None or folder is None:
                self.opaque("modules are imported from a folder that is not known", self._search_line)
                continue
            folder = posixpath.normpath(item.literal if item.literal.startswith("/") else folder).lstrip("/")
            if folder not in self.session.modules.folders:
                self.session.modules.folders.append(folder)
            for name in self.session.modules.libraries:
                if any(found.partition(".")[0] == name for found in self.session.disk.names("/" + folder) or ()):
                    self.opaque(f"`/{folder}` holds a module `{name}`, like a library", self._search_line)


class HostedNames:
    """What effects of the call itself are called."""

    def names(self, capability: str, scope: Value, site: Site) -> tuple[str, ...]:
        """The shell of the host starts the programs of a call; a variable that is named like a key is a credential."""
        if capability == "process.create" and site.hosted:
            return ("shell.execute",)
        item = next(iter(scope)) if len(scope) == 1 else None
        if capability == "env.read" and isinstance(item, Text) and is_credential(item.literal or ""):
            return (capability, "secret.read")
        return (capability,)
