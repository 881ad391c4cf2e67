"""Finds what an import means: a file of the skill, a summarised library, or nobody knows (rule 1)."""

from __future__ import annotations

import json
import posixpath
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remit.analysis.domain import ANY, BOTTOM, FILE, Data, Lib, Module, Text, Value
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.engine.frames import Loaded
    from remit.analysis.engine.run import Run
    from remit.core.location import Location


# Which files a JavaScript specifier can mean, as Node and the TypeScript runners look for them.
#
# Where several files can be meant (a source and its compiled form, the conditions of a package), all of them are: which
# one is loaded depends on how the script is started.

_ENDINGS = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx", ".json", ".node")
_INDEX = tuple(f"/index{ending}" for ending in _ENDINGS)
_TYPED = {".js": (".ts", ".tsx", ".jsx"), ".mjs": (".mts",), ".cjs": (".cts",), ".jsx": (".tsx",)}
_VERSION = lazy_pattern(r"^(@[^/]+/[^/@]+|[^/@]+)@[^/]+")


def _builtins() -> frozenset[str]:
    source = Path(__file__).with_name("data").joinpath("node_builtins.txt").read_text("utf-8")
    return frozenset(line for line in source.split("\n") if line and not line.startswith("#"))


BUILTINS = _builtins()


def plain_name(name: str) -> str:
    """A package without the prefix of its registry and its version: `npm:a@1/b` is `a/b`."""
    if name.startswith("npm:"):
        return _VERSION.sub(r"\1", name[4:])
    return name.removeprefix("node:")


def is_builtin(name: str) -> bool:
    """Whether Node finds this among its own modules first."""
    return name.startswith("node:") or name.partition("/")[0] in BUILTINS


class Specifiers:
    """Looks among the files of one skill; `read` gives the text of one of them."""

    def __init__(self, files: Collection[str], read: Callable[[str], str | None]) -> None:
        self.files = files
        self.read = read

    def relative(self, path: str) -> list[str]:
        """The files that a path can mean: itself, with an ending, or what the folder says is its entry."""
        path = posixpath.normpath(path)
        if path in self.files:
            return [path]
        found = [path + ending for ending in _ENDINGS if path + ending in self.files]
        stem, dot, ending = path.rpartition(".")
        found += [stem + other for other in _TYPED.get(dot + ending, ()) if stem + other in self.files]
        return found or self._folder(path)

    def _folder(self, path: str) -> list[str]:
        described = self._described(path)
        entries = [] if described is None else self._entries(path, described, ".")
        return entries or [path + index for index in _INDEX if path + index in self.files]

    def package(self, name: str, importer: str) -> list[str] | None:
        """The files of a bundled package; empty if it is bundled but its entry is not found, None if it is not bundled."""
        scoped = name.startswith("@")
        parts = name.split("/")
        top = "/".join(parts[: 2 if scoped else 1])
        inner = "/".join(parts[2 if scoped else 1 :])
        for folder in _upwards(importer):
            root = posixpath.join(folder, "node_modules", top)
            if root + ".js" in self.files or any(file.startswith(root + "/") for file in self.files):
                described = self._described(root)
                if described is not None and "exports" in described:
                    return self._entries(root, described, f"./{inner}" if inner else ".")
                return self.relative(posixpath.join(root, inner) if inner else root)
        return None

    def internal(self, name: str, importer: str) -> list[str]:
        """The files that `#name` means by the nearest package.json."""
        for folder in _upwards(importer):
            described = self._described(folder)
            if described is not None:
                table = described.get("imports")
                return self._files(folder, _targets(table, name)) if isinstance(table, dict) else []
        return []

    def _described(self, folder: str) -> dict[str, Any] | None:
        path = posixpath.join(folder, "package.json") if folder else "package.json"
        text = self.read(path) if path in self.files else None
        try:
            found = json.loads(text) if text is not None else None
        except (ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) else None

    def _entries(self, folder: str, described: dict[str, Any], wanted: str) -> list[str]:
        exports = described.get("exports")
        if exports is not None:
            table = (
                exports if isinstance(exports, dict) and any(key.startswith(".") for key in exports) else {".": exports}
            )
            return self._files(folder, _targets(table, wanted))
        named = [described.get(field) for field in ("main", "module")]
        return self._files(folder, (target for target in named if isinstance(target, str)))

    def _files(self, folder: str, targets: Iterable[str]) -> list[str]:
        out: list[str] = []
        for target in targets:
            path = posixpath.normpath(posixpath.join(folder, target))
            if path != posixpath.normpath(folder or "."):
                out.extend(file for file in self.relative(path) if file not in out)
        return out


def _targets(table: dict[str, Any], wanted: str) -> Iterator[str]:
    """What a table of exports or imports gives for a name, under every condition."""
    for key, value in table.items():
        if key == wanted:
            yield from leaves(value)
        elif "*" in key:
            before, _, after = key.partition("*")
            if wanted.startswith(before) and wanted.endswith(after) and len(wanted) >= len(key) - 1:
                middle = wanted[len(before) : len(wanted) - len(after)]
                yield from (leaf.replace("*", middle) for leaf in leaves(value))


def leaves(value: object) -> Iterator[str]:
    """Every text in a JSON value, at any depth."""
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)


def _upwards(importer: str) -> Iterator[str]:
    folder = posixpath.dirname(importer).strip("/")  # above the root there is nothing, not the root again
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


class Linker:
    """Knows the files of one skill. `load` gives the loaded program of a file in a language, loading it if need be.

    Files that are `packaged` are imported by their full names; others by any suffix, because nobody knows `sys.path`.
    """

    def __init__(
        self, files: Iterable[str], load: Callable[[str, str], Loaded | None], *, packaged: bool = False
    ) -> None:
        self.files = frozenset(files)
        self.load = load
        self.uses: set[tuple[Location, str]] = set()  # where a file of the skill is imported
        self._paths: dict[int, str] = {}
        self._packaged = packaged
        self._modules: dict[str, list[str]] = {}
        for path in sorted(self.files):
            if path.endswith(".py"):
                self._index(path.removesuffix("/__init__.py").removesuffix(".py"), path)

    def _index(self, dotted: str, path: str) -> None:
        """A module can be imported by any suffix of its path, depending on `sys.path`."""
        parts = dotted.split("/")
        for i in range(1 if self._packaged else len(parts)):
            self._modules.setdefault(".".join(parts[i:]), []).append(path)

    # ── Python ──

    def exists(self, name: str, loaded: Loaded) -> bool:
        """Whether a relative or absolute name is a module of the skill."""
        folder = posixpath.dirname(loaded.file)
        relative = posixpath.join(folder, name.replace(".", "/"))
        return relative + ".py" in self.files or relative + "/__init__.py" in self.files or name in self._modules

    def imported(self, run: Run, name: str, level: int, loaded: Loaded, line: int) -> Value:
        """The module of an import, in the language of the importing program."""
        if loaded.program.language == "js":
            return self._used(run, self._javascript(run, name, loaded, line), line)
        if level:
            return self._used(run, self._relative(run, name, level, loaded, line), line)
        return self._used(run, self._absolute(run, name, loaded, line), line)

    def _used(self, run: Run, found: Value, line: int) -> Value:
        paths = [self._paths[atom.index] for atom in found if isinstance(atom, Module)]
        if paths:
            where = run.site(line).where
            self.uses.update((where, path) for path in paths)
        return found

    def _relative(self, run: Run, name: str, level: int, loaded: Loaded, line: int) -> Value:
        folder = posixpath.dirname(loaded.file)
        for _ in range(level - 1):
            folder = posixpath.dirname(folder)
        base = posixpath.join(folder, name.replace(".", "/")) if name else folder
        for path in (base + ".py", posixpath.join(base, "__init__.py")):
            if path in self.files:
                return self._module(path, "python")
        if any(path.startswith(base + "/") for path in self.files):
            return self._package(base)
        return run.opaque(f"`{'.' * level}{name}` is not a file of the skill", line, "add the module to the skill")

    def _package(self, folder: str) -> Value:
        """A folder without `__init__.py` is a package: its modules are its members."""
        prefix = folder + "/" if folder else ""
        members = [
            path
            for path in sorted(self.files)
            if path.startswith(prefix) and path.endswith(".py") and "/" not in path[len(prefix) :]
        ]
        return BOTTOM.union(*(self._module(path, "python") for path in members)) or ANY

    def _absolute(self, run: Run, name: str, loaded: Loaded, line: int) -> Value:
        own = self._candidates(name, loaded)
        library = run.libraries["python"]
        known = library.module(name)
        if own and name.partition(".")[0] in sys.stdlib_module_names and self._shadows(name, loaded):
            run.opaque(f"`{own[0]}` shadows the library `{name}`", line, f"rename `{own[0]}`")
        if own:
            found = BOTTOM.union(*(self._module(path, "python") for path in own))
            beside = own[0].rpartition("/")[0] == loaded.file.rpartition("/")[0]
            return found if known is None or beside else found | {Lib(name)}
        if known is not None or library.section(name) is not None:
            return frozenset({Lib(name)})
        if name in self._packages():
            return self._package_by_name(name)
        return run.opaque(
            f"module `{name}` has no summary", line, f"describe `{name}` in a summary file (remit summaries --help)"
        )

    def _packages(self) -> set[str]:
        return {
            ".".join(parts[i:j])
            for parts in (path.split("/")[:-1] for path in self.files if path.endswith(".py"))
            for i in range(len(parts))
            for j in range(i + 1, len(parts) + 1)
        }

    def _package_by_name(self, name: str) -> Value:
        wanted = name.replace(".", "/")
        folders = sorted({posixpath.dirname(path) for path in self.files if path.endswith(".py")})
        return BOTTOM.union(*(self._package(one) for one in folders if f"/{one}".endswith(f"/{wanted}")))

    def _candidates(self, name: str, loaded: Loaded) -> list[str]:
        """Files that `import name` can mean: next to the importer first, then anywhere `sys.path` may point to."""
        folder = "" if self._packaged else posixpath.dirname(loaded.file)
        base = posixpath.join(folder, name.replace(".", "/"))
        near = [path for path in (base + ".py", base + "/__init__.py") if path in self.files]
        if near:
            return near
        if not loaded.file:
            return self._modules.get(name, [])
        return [path for path in self._modules.get(name, []) if path != loaded.file]

    def _shadows(self, name: str, loaded: Loaded) -> bool:
        """Whether a script of the folder would import the skill's file instead of the library."""
        folder = posixpath.dirname(loaded.file)
        top = name.partition(".")[0]
        beside = {posixpath.join(folder, top + ".py"), posixpath.join(folder, top, "__init__.py")}
        return bool(beside & self.files) and posixpath.join(folder, "__init__.py") not in self.files

    def _module(self, path: str, language: str) -> Value:
        found = self.load(path, language)
        if found is None:
            return ANY
        self._paths[found.index] = path
        return frozenset({Module(found.index)})

    # ── JavaScript ──

    def _javascript(self, run: Run, name: str, loaded: Loaded, line: int) -> Value:
        if name.startswith(("./", "../", "/")) or name in {".", ".."}:
            return self.own_file(run, posixpath.join(posixpath.dirname(loaded.file), name), name, line)
        if name.startswith(("http:", "https:", "data:", "jsr:", "file:")):
            return run.opaque(f"code is imported from `{name[:60]}`", line, "bundle the module with the skill")
        specifiers, plain = self._specifiers(run), plain_name(name)
        if name.startswith("#"):
            return self._scripts(run, specifiers.internal(name, loaded.file), name, line)
        bundled = None if is_builtin(name) else specifiers.package(plain, loaded.file)
        if bundled is not None:
            return self._scripts(run, bundled, name, line)
        if run.libraries["js"].module(plain) is not None:
            return frozenset({Lib(plain)})
        return run.opaque(
            f"package `{name}` has no summary", line, f"describe `{plain}` in a summary file (remit summaries --help)"
        )

    def own_file(self, run: Run, path: str, shown: str, line: int) -> Value:
        """The module that a path in the skill means to JavaScript."""
        return self._used(run, self._scripts(run, self.own_paths(run, path), shown, line), line)

    def own_paths(self, run: Run, path: str) -> list[str]:
        """The files that a path in the skill means to JavaScript; what follows a `?` only tells two loads apart."""
        specifiers = self._specifiers(run)
        return specifiers.relative(path) or specifiers.relative(re.split(r"[?#]", path)[0])

    def _specifiers(self, run: Run) -> Specifiers:
        return Specifiers(
            self.files,
            lambda path: next((text.literal for text in run.world.file_text(path) if isinstance(text, Text)), None),
        )

    def _scripts(self, run: Run, paths: list[str], name: str, line: int) -> Value:
        out: Value = BOTTOM
        for path in paths:
            if path.endswith(".node"):
                out = out | run.opaque(f"`{path}` is native code", line, "use a module that is source")
            else:
                out = out | (frozenset({Data(FILE)}) if path.endswith(".json") else self._module(path, "js"))
        return out or run.opaque(f"`{name}` is not a file of the skill", line, "add the file to the skill")
