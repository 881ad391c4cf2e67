"""Which files a JavaScript specifier can mean, as Node and the TypeScript runners look for them.

Where several files can be meant (a source and its compiled form, the conditions of a package), all of them are: which one
is loaded depends on how the script is started.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from remit.core.patterns import lazy_pattern

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
