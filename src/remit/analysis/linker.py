"""Finds what an import means: a file of the skill, a summarised library, or nobody knows (rule 1)."""

from __future__ import annotations

import posixpath
import sys
from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, BOTTOM, Lib, Module, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from remit.analysis.engine.base import EngineBase
    from remit.analysis.engine.frames import Loaded

_JS_ENDINGS = ("", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx", ".json", "/index.js", "/index.ts", "/index.mjs", "/index.tsx")
_TYPED = {".js": (".ts", ".tsx"), ".mjs": (".mts",), ".cjs": (".cts",), ".jsx": (".tsx",)}


class Linker:
    """Knows the files of one skill. `load` gives the loaded program of a file in a language, loading it if need be."""

    def __init__(self, files: Iterable[str], load: Callable[[str, str], Loaded | None]) -> None:
        self.files = frozenset(files)
        self.load = load
        self._modules: dict[str, list[str]] = {}
        for path in sorted(self.files):
            if path.endswith(".py"):
                self._index(path.removesuffix("/__init__.py").removesuffix(".py"), path)

    def _index(self, dotted: str, path: str) -> None:
        """A module can be imported by any suffix of its path, depending on `sys.path`."""
        parts = dotted.split("/")
        for i in range(len(parts)):
            self._modules.setdefault(".".join(parts[i:]), []).append(path)

    # ── Python ──

    def exists(self, name: str, loaded: Loaded) -> bool:
        """Whether a relative or absolute name is a module of the skill."""
        folder = posixpath.dirname(loaded.file)
        relative = posixpath.join(folder, name.replace(".", "/"))
        return relative + ".py" in self.files or relative + "/__init__.py" in self.files or name in self._modules

    def imported(self, engine: EngineBase, name: str, level: int, loaded: Loaded, line: int) -> Value:
        """The module of an import, in the language of the importing program."""
        if loaded.program.language == "js":
            return self._javascript(engine, name, loaded, line)
        if level:
            return self._relative(engine, name, level, loaded, line)
        return self._absolute(engine, name, loaded, line)

    def _relative(self, engine: EngineBase, name: str, level: int, loaded: Loaded, line: int) -> Value:
        folder = posixpath.dirname(loaded.file)
        for _ in range(level - 1):
            folder = posixpath.dirname(folder)
        base = posixpath.join(folder, name.replace(".", "/")) if name else folder
        for path in (base + ".py", posixpath.join(base, "__init__.py")):
            if path in self.files:
                return self._module(path, "python")
        if any(path.startswith(base + "/") for path in self.files):
            return self._package(base)
        return engine.opaque(f"`{'.' * level}{name}` is not a file of the skill", line, "add the module to the skill")

    def _package(self, folder: str) -> Value:
        """A folder without `__init__.py` is a package: its modules are its members."""
        prefix = folder + "/" if folder else ""
        members = [path for path in sorted(self.files) if path.startswith(prefix) and path.endswith(".py") and "/" not in path[len(prefix) :]]
        out: Value = BOTTOM
        for path in members:
            out = out | self._module(path, "python")
        return out or ANY

    def _absolute(self, engine: EngineBase, name: str, loaded: Loaded, line: int) -> Value:
        own = self._candidates(name, loaded)
        library = engine.libraries["python"]
        known = library.module(name)
        if own and name.partition(".")[0] in sys.stdlib_module_names and self._shadows(name, own, loaded):
            engine.opaque(f"`{own[0]}` shadows the library `{name}`", line, f"rename `{own[0]}`")
        if own:
            found: Value = BOTTOM
            for path in own:
                found = found | self._module(path, "python")
            beside = own[0].rpartition("/")[0] == loaded.file.rpartition("/")[0]
            return found if known is None or beside else found | {Lib(name)}
        if known is not None:
            return frozenset({Lib(name)})
        section = library.section(name)
        if section is not None:
            return frozenset({Lib(name)})
        if name in self._packages():
            return self._package_by_name(name)
        return engine.opaque(f"module `{name}` has no summary", line, f"describe `{name}` in a summary file (remit summaries --help)")

    def _packages(self) -> set[str]:
        return {".".join(parts[i:j]) for parts in (path.split("/")[:-1] for path in self.files if path.endswith(".py")) for i in range(len(parts)) for j in range(i + 1, len(parts) + 1)}

    def _package_by_name(self, name: str) -> Value:
        wanted = name.replace(".", "/")
        out: Value = BOTTOM
        for folder in sorted({posixpath.dirname(path) for path in self.files if path.endswith(".py")}):
            if folder == wanted or folder.endswith("/" + wanted):
                out = out | self._package(folder)
        return out

    def _candidates(self, name: str, loaded: Loaded) -> list[str]:
        """Files that `import name` can mean: next to the importer first, then anywhere `sys.path` may point to."""
        folder = posixpath.dirname(loaded.file)
        base = posixpath.join(folder, name.replace(".", "/"))
        near = [path for path in (base + ".py", base + "/__init__.py") if path in self.files]
        if near:
            return near
        if not loaded.file:
            return self._modules.get(name, [])
        return [path for path in self._modules.get(name, []) if path != loaded.file]

    def _shadows(self, name: str, own: list[str], loaded: Loaded) -> bool:
        """Whether a script of the folder would import the skill's file instead of the library."""
        folder = posixpath.dirname(loaded.file)
        top = name.partition(".")[0]
        beside = {posixpath.join(folder, top + ".py"), posixpath.join(folder, top, "__init__.py")}
        return bool(beside & self.files) and posixpath.join(folder, "__init__.py") not in self.files

    def _module(self, path: str, language: str) -> Value:
        found = self.load(path, language)
        return frozenset({Module(found.index)}) if found is not None else ANY

    # ── JavaScript ──

    def _javascript(self, engine: EngineBase, name: str, loaded: Loaded, line: int) -> Value:
        name = name.removeprefix("node:").removeprefix("npm:")
        if name.startswith(("./", "../", "/")) or name in {".", ".."}:
            path = self.script(posixpath.normpath(posixpath.join(posixpath.dirname(loaded.file), name)))
            if path is None:
                return engine.opaque(f"`{name}` is not a file of the skill", line, "add the file to the skill")
            if path.endswith(".json"):
                from remit.analysis.domain import FILE, Data  # noqa: PLC0415

                return frozenset({Data(FILE)})
            return self._module(path, "js")
        library = engine.libraries["js"]
        if library.module(name) is not None:
            return frozenset({Lib(name)})
        bundled = self._bundled(name, loaded)
        if bundled is not None:
            return self._module(bundled, "js")
        if name.startswith(("http:", "https:", "data:", "jsr:", "file:")):
            return engine.opaque(f"code is imported from `{name[:60]}`", line, "bundle the module with the skill")
        return engine.opaque(f"package `{name}` has no summary", line, f"describe `{name}` in a summary file (remit summaries --help)")

    def script(self, path: str) -> str | None:
        """The file that a relative specifier means."""
        for ending in _JS_ENDINGS:
            if path + ending in self.files:
                return path + ending
        for ending, others in _TYPED.items():
            if path.endswith(ending):
                for other in others:
                    if path.removesuffix(ending) + other in self.files:
                        return path.removesuffix(ending) + other
        return None

    def _bundled(self, name: str, loaded: Loaded) -> str | None:
        folder = posixpath.dirname(loaded.file)
        while True:
            found = self.script(posixpath.join(folder, "node_modules", name))
            if found is not None:
                return found
            if not folder:
                return None
            folder = posixpath.dirname(folder)
