"""Names of packages: those that project files declare, those that the code in a skill's text names, and those in a
request.

A name counts as a registry knows it. An address, a path or a repository is not a name: a person must say where it
leads.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from remit.guard.paths import read_start

if TYPE_CHECKING:
    from pathlib import Path

_LARGEST = 8_000_000  # bytes of a file
_MOST_FILES = 100
_FOLDERS = ("", "*/")  # where project files are looked for: the workspace, and each folder in it
# A name; with a scope, as npm writes it; a Go module, which begins with a host. `user/name` is a repository elsewhere.
_NAME = re.compile(r"[a-z0-9][\w.-]*|@[\w.-]+/[\w.-]+|[\w-]+(?:\.[\w-]+)+/[\w./-]+", re.IGNORECASE)
_REQUIREMENT = re.compile(r"\s*(@?[A-Za-z0-9][\w./-]*?)\s*(?:\[[^\]]*\])?\s*(?:(?:[=<>!~^@;,(]|\s-).*)?", re.DOTALL)
_DEPENDENCIES = re.compile(r".*dependencies|requires?|require-dev", re.IGNORECASE)
_LOCKED = re.compile(r'^name = "([^"]+)"', re.MULTILINE)
_NPM_LOCKED = re.compile(r'"(?:[^"]*/)?node_modules/((?:@[^"/]+/)?[^"/]+)"')
_MODULE = re.compile(r"^\s*(?:require\s+)?([\w.-]+\.[\w-]+/\S+)\s+v\d", re.MULTILINE)
_GEM = re.compile(r"^\s*gem\s+[\"']([^\"']+)", re.MULTILINE)
_FENCE = re.compile(r"^\s*(```+|~~~+)[^\n]*\n(.*?)^\s*\1", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_IMPORT = re.compile(
    r"^\s*(?:from|import)\s+([A-Za-z_]\w*)|(?:\bfrom|\brequire\s*\(|\bimport\s*\(?)\s*[\"']((?:@[\w.-]+/)?[\w.-]+)",
    re.MULTILINE,
)
_WORD = re.compile(r"[^\s\"'`,;()|&=<>]+")
_PROGRAM = re.compile(r"(?:^|&&|\|\||[;|])\s*(?:npx\s+)?([\w@./-]+)")


def package_name(text: str) -> str:
    """Return the name in an installer's argument, without extras and version; empty for an address, a path or an
    option.
    """
    found = _REQUIREMENT.fullmatch(text)
    name = found[1] if found else ""
    leads_elsewhere = set(text[len(name) :]) & {":", "/"}  # `name@npm:other`, `name @ https://…`
    return _plain(name) if _NAME.fullmatch(name) and not leads_elsewhere else ""


def _plain(name: str) -> str:
    return name.lower() if "/" in name else re.sub(r"[-_.]+", "-", name).lower()


def declared(root: Path) -> frozenset[str]:
    """Return the packages that project files in a workspace declare now, and programs that their scripts run."""
    return frozenset(name for text in _declared(root) if (name := package_name(text)))


def requirements(text: str) -> tuple[str, ...] | None:
    """Return the packages of a requirements file; None if a line is anything but a name: an option, an address, a path."""
    lines = [line.split(" #")[0].strip() for line in text.replace("\\\n", " ").splitlines()]
    names = [package_name(line) for line in lines if line and not line.startswith("#")]
    return tuple(names) if all(names) else None


def _declared(root: Path) -> Iterator[str]:
    paths = (path for folder in _FOLDERS for name in _READERS for path in sorted(root.glob(folder + name)))
    for _, path in zip(range(_MOST_FILES), paths, strict=False):
        data = read_start(path, _LARGEST + 1) or b""
        if len(data) <= _LARGEST:
            with suppress(ValueError, RecursionError):  # it declares nothing then
                yield from next(read for name, read in _READERS.items() if path.match(name))(data.decode())


def _of_npm(text: str) -> Iterator[str]:
    found = json.loads(text)
    yield from _dependencies(found)
    scripts = found.get("scripts") if isinstance(found, dict) else None
    for command in scripts.values() if isinstance(scripts, dict) else ():
        yield from _PROGRAM.findall(str(command))


def _of_toml(text: str) -> Iterator[str]:
    yield from _dependencies(tomllib.loads(text))


def _dependencies(value: Any) -> Iterator[str]:
    """Return the names below every key for dependencies: the keys of a table, the items of a list, also in groups."""
    for key, inner in value.items() if isinstance(value, dict) else ():
        if key == "dependency-groups" or _DEPENDENCIES.fullmatch(key):
            yield from _names(inner)
        else:
            yield from _dependencies(inner)


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        yield from (one for one in value if isinstance(one, str))
    for key, inner in value.items() if isinstance(value, dict) else ():
        if isinstance(inner, list):
            yield from _names(inner)
        else:
            yield key


def _of_npm_lock(text: str) -> Iterator[str]:
    yield from _NPM_LOCKED.findall(text)
    packages = json.loads(text).get("packages")
    for one in packages.values() if isinstance(packages, dict) else ():
        programs = one.get("bin") if isinstance(one, dict) else None
        yield from programs if isinstance(programs, dict) else ()


_READERS: Mapping[str, Any] = {
    "package.json": _of_npm,
    "composer.json": _of_npm,
    "package-lock.json": _of_npm_lock,
    "pyproject.toml": _of_toml,
    "Cargo.toml": _of_toml,
    "*.lock": _LOCKED.findall,
    "requirements*.txt": str.splitlines,
    "go.mod": _MODULE.findall,
    "Gemfile": _GEM.findall,
}


def named_in_code(files: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Return the packages that the files of a skill may mean: words of code in its texts, imports of its scripts,
    requirements.
    """
    for path, text in files:
        name = path.rpartition("/")[2]
        if name.endswith(".md"):
            code = "\n".join((*(found[2] for found in _FENCE.finditer(text)), *_SPAN.findall(text)))
            words: Iterable[str] = (*_WORD.findall(code), *_imports(code))
        elif name.startswith("requirements"):
            words = text.splitlines()
        else:
            words = _imports(text)
        yield from (found for word in words if (found := package_name(word)))


def _imports(code: str) -> Iterator[str]:
    yield from (one or other for one, other in _IMPORT.findall(code))
