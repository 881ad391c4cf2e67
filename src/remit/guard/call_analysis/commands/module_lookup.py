"""Resolution of imports on this disk: the file beside the script, the file in a folder of `sys.path`, or a library."""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, BOTTOM, Value
from remit.analysis.linker import Linker, is_builtin, plain_name

if TYPE_CHECKING:
    from remit.analysis.engine.frames import Loaded
    from remit.analysis.engine.run import Run
    from remit.guard.call_analysis.commands.disk import Disk

_MAX_MODULES = 64  # of a package that is used as a whole
_BINARY = (".so", ".pyd", ".pyc", ".zip", ".egg")


class DiskFiles(frozenset[str]):
    """The files of the machine, by path without the leading slash; only files that were looked into are listed."""

    disk: Disk
    opened: dict[str, None]

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self.disk.is_file("/" + path)

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self.opened))


class DiskLinker(Linker):
    """Looks up modules where the interpreter would."""

    def __init__(self, disk: Disk, load: Callable[[str, str], Loaded | None], skill_of: Callable[[str], str]) -> None:
        self._opened: dict[str, None] = {}

        def loading(path: str, language: str) -> Loaded | None:
            self._opened[path] = None
            return load(path, language)

        super().__init__((), loading)
        found = DiskFiles()
        found.disk, found.opened = disk, self._opened
        self.files = found
        self.disk = disk
        self._skill_of = skill_of
        self.folders: list[str] = []  # folders that programs add to `sys.path`
        self.libraries: set[str] = set()  # modules that were taken for libraries

    def exists(self, name: str, loaded: Loaded) -> bool:
        """Whether a name is a module in a searched folder."""
        return bool(self._candidates(name, loaded))

    def _candidates(self, name: str, loaded: Loaded) -> list[str]:
        inner = name.replace(".", "/")
        for folder in (posixpath.dirname(loaded.file), *self.folders):
            base = posixpath.join(folder, inner)
            if found := [path for path in (base + "/__init__.py", base + ".py") if path in self.files]:
                return found[:1]
        return []

    def _absolute(self, run: Run, name: str, loaded: Loaded, line: int) -> Value:
        for folder in (posixpath.dirname(loaded.file), *self.folders):
            self._hidden(run, folder, name.partition(".")[0], line)
        if not self._candidates(name, loaded):
            self.libraries.add(name.partition(".")[0])
            if found := self._namespace(run, name, loaded):
                return found
        return super()._absolute(run, name, loaded, line)

    def _hidden(self, run: Run, folder: str, top: str, line: int) -> None:
        """Compiled code is found before the library of the same name."""
        for found in self.disk.names("/" + folder) or ():
            if found.startswith(top + ".") and found.endswith(_BINARY):
                run.opaque(f"`/{folder}/{found}` is compiled code that may be imported", line, "use source")

    def _namespace(self, run: Run, name: str, loaded: Loaded) -> Value:
        """A folder without `__init__.py` is a package if no library has its name."""
        library = run.libraries["python"]
        if library.module(name) is not None or library.section(name) is not None:
            return BOTTOM
        for folder in (posixpath.dirname(loaded.file), *self.folders):
            inner = posixpath.join(folder, name.replace(".", "/"))
            if self.disk.is_folder("/" + inner) and any(
                found.endswith(".py") for found in self.disk.names("/" + inner) or ()
            ):
                return self._package(inner)
        return BOTTOM

    def _shadows(self, name: str, loaded: Loaded) -> bool:
        folder = posixpath.dirname(loaded.file)
        top = posixpath.join(folder, name.partition(".")[0])
        beside = top + ".py" in self.files or top + "/__init__.py" in self.files
        return beside and posixpath.join(folder, "__init__.py") not in self.files

    def _package(self, folder: str) -> Value:
        names = self.disk.names("/" + folder)
        modules = [f"{folder}/{name}" for name in names or () if name.endswith(".py")]
        if names is None or len(modules) > _MAX_MODULES:
            return ANY
        out: Value = BOTTOM
        for path in modules:
            out = out | self._module(path, "python")
        return out or ANY

    def _packages(self) -> set[str]:
        return set()

    def _javascript(self, run: Run, name: str, loaded: Loaded, line: int) -> Value:
        """A package that a skill brings along is not the public package of that name."""
        if not name.startswith((".", "/", "#")) and not is_builtin(name):
            folder = posixpath.dirname(loaded.file)
            while folder and self._skill_of("/" + folder):
                if self.disk.is_folder(f"/{folder}/node_modules/{plain_name(name).partition('/')[0]}"):
                    return run.opaque(f"the skill brings its own package `{name}`", line, "use the public package")
                folder = posixpath.dirname(folder)
        return super()._javascript(run, name, loaded, line)

    def shadowing(self, folder: str, library: Callable[[str], object | None]) -> list[str]:
        """Return the files of a folder that are imported instead of a library, whichever library imports them."""
        out: list[str] = []
        for found in self.disk.names("/" + folder) or ():
            stem = found.partition(".")[0]
            module = found.endswith((".py", *_BINARY)) or f"{folder}/{found}/__init__.py" in self.files
            if module and (stem in sys.stdlib_module_names or library(stem) is not None):
                out.append(f"/{folder}/{found}")
        return out
