"""Doors: every name by which code outside of a room can get at what the room holds; and a program that uses them all.

A name without a leading underscore is a door, whatever it is bound to, and so is what `__all__` lists. An imported name is one if
it is handed on (`__all__`, `import x as x`): that is what a type checker lets others use. `loose` looks for users of other names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from self_analysis.source import Source, module_name, parsed

DRIVER = "use_every_door.py"


class Door(NamedTuple):
    """A name of a module that others can use."""

    file: str
    name: str

    @property
    def shown(self) -> str:
        """As it is imported."""
        return f"{module_name(self.file)}.{self.name}"


class Driver(NamedTuple):
    """A program that hands each door of a room to someone who may do anything with it, but has no Permit."""

    text: str
    doors: tuple[Door, ...]


def drive(files: Source, only: Door | None = None) -> Driver:
    """The program for some modules, or for one door of them. Importing them runs their bodies, doors or not."""
    doors = tuple(Door(path, name) for path in files for name in door_names(parsed(files, path)))
    numbers = {path: i for i, path in enumerate(files)}
    lines = [f"import {module_name(path)} as module_{i}" for path, i in numbers.items()]
    for i, door in enumerate(doors):
        if only in (None, door):
            lines += [f"def door_{i}(anyone):", f"    anyone(module_{numbers[door.file]}.{door.name})"]
    return Driver("\n".join(lines) + "\n", doors)


def door_names(tree: ast.Module) -> list[str]:
    """The names of a module that are doors."""
    listed = set(_listed(tree))
    names = {name for name, imported in _bound(tree) if name in listed or not (imported or name.startswith("_"))}
    return sorted(names | listed)


def _listed(tree: ast.Module) -> Iterator[str]:
    """What `__all__` says, in any of the ways in which it is written."""
    for node in ast.walk(tree):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target]
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            for item in ast.walk(node):
                if isinstance(item, ast.Constant) and isinstance(item.value, str):
                    yield item.value


def _bound(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Names that the body of a module binds, and whether by an import that keeps them to itself."""
    for node in _own_statements(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, False
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                bound = alias.asname or alias.name.partition(".")[0]
                yield bound, alias.asname != alias.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, False
        elif isinstance(node, ast.Global):
            for name in node.names:
                yield name, False


def _own_statements(node: ast.AST) -> Iterator[ast.AST]:
    """What runs in the body of a module: all but the insides of functions and classes. `global` counts wherever it stands."""
    for child in ast.iter_child_nodes(node):
        yield child
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield from (inner for inner in ast.walk(child) if isinstance(inner, ast.Global))
        else:
            yield from _own_statements(child)
