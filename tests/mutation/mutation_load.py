"""Puts other code in place: of a module before it is imported, and of functions that are there already."""

from __future__ import annotations

import functools
import gc
import importlib.abc
import importlib.machinery
import sys
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterator, Mapping


class Rewriting(importlib.abc.MetaPathFinder):
    """Modules that are compiled from another tree than the one in their file."""

    def __init__(self, trees: Mapping[str, Callable[[str], ast.Module]]) -> None:
        self._trees = trees

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        spec = importlib.machinery.PathFinder.find_spec(name, path, target) if name in self._trees else None
        if spec is not None:
            spec.loader = _Loader(name, str(spec.origin), self._trees[name])
        return spec


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, tree: Callable[[str], ast.Module]) -> None:
        super().__init__(name, path)
        self._tree = tree

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._tree(self.get_data(self.path).decode()), self.path, "exec", dont_inherit=True)


class Live:
    """The functions and caches of ours that are in this process now."""

    def __init__(self, prefix: str) -> None:
        self._functions: dict[tuple[str, str, int], list[FunctionType]] = {}
        self._caches = []
        gc.unfreeze()  # what is frozen is not among the objects
        for one in gc.get_objects():
            if isinstance(one, FunctionType) and one.__code__.co_filename.startswith(prefix):
                self._functions.setdefault(_key(one.__code__), []).append(one)
            elif isinstance(one, functools._lru_cache_wrapper) and str(one.__module__).startswith("remit."):
                self._caches.append(one)
        gc.freeze()

    def forget(self) -> None:
        """Let nothing be remembered that other code has answered."""
        for one in self._caches:
            one.cache_clear()

    def put(self, code: CodeType) -> bool:
        """Let functions run the code that a module has for them; whether that could be done."""
        done = True
        for inner in _all_codes(code):
            for function in self._functions.get(_key(inner), ()):
                try:
                    function.__code__ = inner
                except ValueError:  # it needs other names of the function around it
                    done = False
        self.forget()
        return done


def _key(code: CodeType) -> tuple[str, str, int]:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _all_codes(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _all_codes(one)


def install(trees: Mapping[str, Callable[[str], ast.Module]]) -> None:
    """Let modules that are imported from now on have other trees."""
    sys.meta_path.insert(0, Rewriting(trees))
