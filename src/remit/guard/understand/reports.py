"""What a call is found to do: the state of its analysis, its time, and how its effects are reported."""

from __future__ import annotations

import posixpath
import time
from pathlib import Path
from typing import TYPE_CHECKING, cast

from remit.analysis.domain import BOTTOM, Text, Value
from remit.analysis.engine.engine import Engine
from remit.analysis.session import Session
from remit.analysis.world import HERE, Site
from remit.core.assumption import assumptions
from remit.guard.understand.commandlines import CommandLines
from remit.guard.understand.disk import Disk
from remit.guard.understand.grounding import Ground
from remit.guard.understand.importing import as_imported, may_rename
from remit.guard.understand.landing import Landings
from remit.guard.understand.linking import DiskLinker
from remit.guard.understand.machine import DiskSkill, LiveHost
from remit.guard.understand.options import Options
from remit.guard.understand.runs import LiveShells
from remit.skill.classify import classify
from remit.skill.model import Limits, Skill, SkillFile
from remit.skill.walk import RawFile

if TYPE_CHECKING:
    from remit.analysis.engine.frames import Loaded
    from remit.core.effect import Effect
    from remit.core.location import Location
    from remit.core.scope import Scope
    from remit.core.via import Via
    from remit.guard.understand.values import Place

ENGINE_STEPS = 400_000
BYTES_A_SECOND = 200_000  # of programs, on a busy machine
_LIMITS = Limits(max_source_bytes=1 << 20)
_CHANGING = ("write", "delete", "create", "execute", "install", "run", "kill", "manage", "configure", "chmod")


class SpentError(Exception):
    """The time is over."""


class LiveReports(Session):
    """Collects what one call would do, until its time is over."""

    def __init__(self, place: Place, seconds: float) -> None:
        self.place = place
        self._deadline = time.monotonic() + seconds
        self._bytes = int(seconds * BYTES_A_SECOND)
        self.cwd = str(place.cwd)
        self.disk = Disk(place)
        self.ground = Ground(place)
        self._folders = tuple((name, self.disk.real(str(folder))) for name, folder in place.skills)
        super().__init__(cast("Skill", DiskSkill("", Path("/"), self.source, self._file)))
        self.modules = DiskLinker(self.disk, self._import, self.skill_of)
        self.linker = self.modules
        self.live_host: LiveHost
        self.engine = Engine(self, self.libraries, self.modules, LiveHost)
        self.engine.environments.cwd.value = BOTTOM
        self.engine.work.budget = ENGINE_STEPS
        self.shells = self._live_shells = LiveShells(self)
        self.landings = Landings(self)
        self.command_lines = CommandLines()
        self.options = Options()
        self.words: dict[tuple[str, ...], None] = {}
        self.inner: dict[tuple[str, ...], None] = {}  # words of commands that scripts run
        self.codes: dict[tuple[str, str], None] = {}  # texts of the call that are run: language and text
        self.added: dict[tuple[Text, Value], None] = {}  # texts that are added to files: path and text
        self.patched: dict[tuple[str, str], None] = {}  # texts of files after a patch of the call: path and text
        self._caused: dict[tuple[str, Scope, Location], str] = {}
        self.inline: dict[str, Site] = {}
        self._running: list[str] = []
        self._starters: dict[str, str] = {}  # script → the simple command that runs it
        self._imported: dict[str, Loaded | None] = {}  # modules of Python, as others import them
        self._renames = False  # whether something may change the name of a module
        self._classified: dict[str, SkillFile | None] = {}
        self._shadows: set[str] = set()
        self.changes = False  # whether something was found that changes what lies on the disk

    def tick(self) -> None:
        """The hard end."""
        if time.monotonic() > self._deadline:
            raise SpentError

    def _load_source(self, path: str, language: str, source: bytes) -> Loaded:
        self._spend(len(source))
        self._renames = self._renames or may_rename(source)
        return super()._load_source(path, language, source)

    def _load_text(self, language: str, source: str, holes: dict[str, Value], site: Site, cwd: Value = HERE) -> None:
        self._spend(len(source))
        self._renames = self._renames or may_rename(source.encode("utf-8", "replace"))
        super()._load_text(language, source, holes, site, cwd)

    def _import(self, path: str, language: str) -> Loaded | None:
        """A file that a program loads into itself: it finds the words of that program, not its own."""
        if self.command_lines.loaded(path):
            self.live_host.started_otherwise()
        if language != "python" or self._renames or (path, language) in self._loaded:
            return self._load_module(path, language)
        if path not in self._imported:
            source = self.source(path)
            known = None if source is None else as_imported(source)
            if known is None:
                return self._load_module(path, language)
            self._imported[path] = None  # it may import itself
            self._imported[path] = self._load_source(path, language, known)
        return self._imported[path]

    def only_imported(self, loaded: Loaded) -> bool:
        """Whether a program is a module that others import, and no more."""
        return not self._renames and self._imported.get(loaded.file) is loaded

    def whole_modules(self) -> bool:
        """Load modules as a whole that were loaded as others import them, if a program may change their names; whether there were any."""
        todo = [path for path in self._imported if self._renames and (path, "python") not in self._loaded]
        for path in todo:
            self._load_module(path, "python")
        return bool(todo)

    def _spend(self, size: int) -> None:
        """Reading a program cannot be stopped, so that one which is too long for the time is not begun."""
        self._bytes -= size
        if self._bytes < 0:
            raise SpentError

    def source(self, path: str) -> bytes | None:
        """What a file of this machine holds, if it can be read."""
        return self.disk.read("/" + path)

    def _file(self, path: str) -> SkillFile | None:
        if path not in self._classified:
            data = self.source(path)
            self._classified[path] = None
            if data is not None:
                info = self.disk.look(self.disk.real("/" + path))
                runs = bool(info and info.st_mode & 0o111)
                raw = RawFile(posixpath.basename(path), len(data), "", data[:8192], data, runs, tail=data[-8192:])
                self._classified[path] = classify(raw, _LIMITS)
        return self._classified[path]

    # ── World: reporting ──

    def effect(
        self, capability: str, scope: Value, site: Site, via: Via, *, cwd: Value = HERE, port: Value | None = None
    ) -> None:
        """Report an effect on what its scope really is here."""
        self.tick()
        here = self.ground.value(cwd)
        target = self.landings.landed(capability, self.ground.value(scope), here, site, via)
        self.changes = self.changes or capability.rpartition(".")[2] in _CHANGING
        super().effect(capability, target, site, via, cwd=here, port=port if port is None else self.ground.value(port))

    def _name(self, capability: str, scope: Value, site: Site) -> str:  # noqa: ARG002
        """The shell of the host starts the programs of a call; nothing in a call is a blank."""
        return "shell.execute" if capability == "process.create" and site.hosted else capability

    def _cause(self, site: Site) -> str:
        """The simple command that stands behind what happens just now; empty if that is the line itself."""
        if self._running:
            return self._running[0]
        for at in (site.where, *site.path):
            if at.file in self._starters:
                return self._starters[at.file]
        return next(iter(self._starters.values()), "") if not site.hosted else ""

    def _add(self, capability: str, scope: Scope, site: Site, via: Via) -> None:
        self._caused.setdefault((capability, scope, site.where), self._cause(site))
        super()._add(capability, scope, site, via)

    def assume(self, ident: str, site: Site) -> None:
        """What the guard has to see to is a doubt: nobody comes after it."""
        found = assumptions()[ident]
        if found.layer.startswith("guard:"):
            self.opaque(f"it is not known whether {found.meaning}", site)

    def told(self, words: tuple[Value, ...], rest: Value, site: Site, *, cwd: Value = HERE) -> None:  # noqa: ARG002
        """A simple command."""
        self.tick()
        (self.words if site.hosted else self.inner)[self._plain(words, rest)] = None
        self._physical(words, site)

    def _physical(self, words: tuple[Value, ...], site: Site) -> None:
        known = [next(iter(word)).literal for word in words if len(word) == 1 and isinstance(next(iter(word)), Text)]  # type: ignore[union-attr]
        if known[:1] in (["cd"], ["pushd"], ["set"]) and any(word in ("-P", "physical") for word in known):
            self.opaque("folders are followed without the names of links", site)
        if known[:1] == ["alias"] and any(word and "=" in word for word in known):
            self.opaque("an alias changes what words mean, in some shells", site)

    def _plain(self, words: tuple[Value, ...], rest: Value) -> tuple[str, ...]:
        return tuple(_shown(self.ground.value(word)) for word in words) + (("<any>",) if rest else ())

    # ── whose ──

    def skill_of(self, path: str) -> str:
        """The skill in whose folder a path lies."""
        found = [(folder, name) for name, folder in self._folders if path == folder or path.startswith(folder + "/")]
        return max(found, key=lambda item: len(item[0]))[1] if found else ""

    def starter(self, effect: Effect) -> str:
        """The simple command that stands behind an effect; empty if that is the line itself."""
        return self._caused.get((effect.capability, effect.scope, effect.where), "")

    def origin(self, where: Location) -> Location:
        """The place in a file, or in the call, from which a text comes."""
        seen = 0
        while (
            where.file in self.inline and self.inline[where.file].where.file != where.file and seen < len(self.inline)
        ):
            where = self.inline[where.file].where
            seen += 1
        return where


def _shown(value: Value) -> str:
    item = next(iter(value)) if len(value) == 1 else None
    if not isinstance(item, Text):
        return "<any>"
    return "".join(part if isinstance(part, str) else f"<{part.origin}>" for part in item.parts)
