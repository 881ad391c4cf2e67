"""Prints, as JSON, the public functions and classes of modules: `describe.py SITE-FOLDERS OUT MODULE…`. Runs inside the sandbox."""

import importlib
import inspect
import json
import os
import sys


def signature(thing, *, bound=False):
    """Names of required positional and of further parameters; None if they are not known."""
    try:
        found = list(inspect.signature(thing).parameters.values())
    except (TypeError, ValueError):
        return None
    if bound and found and found[0].kind in (0, 1):
        found = found[1:]
    required = [p.name for p in found if p.kind in (0, 1) and p.default is p.empty]
    needed = [p.name for p in found if p.kind == 3 and p.default is p.empty]
    optional = [p.name for p in found if p.kind in (1, 3) and p.default is not p.empty]
    return {"required": required, "needed": needed, "optional": optional, "rest": any(p.kind == 2 for p in found)}


def methods(kind):
    """Public methods of a class by name: how they are called."""
    found = {}
    for name in dir(kind):
        if name.startswith("_") and name not in ("__enter__", "__iter__", "__call__", "__next__"):
            continue
        try:
            raw, member = inspect.getattr_static(kind, name), getattr(kind, name)
        except Exception:
            continue
        if (callable(member) and name != "__call__") or (name == "__call__" and "__call__" in vars(kind)):
            found[name] = signature(member, bound=not isinstance(raw, (classmethod, staticmethod)))
    return found


def members(module):
    found = {}
    for name in getattr(module, "__all__", None) or dir(module):
        if name.startswith("_"):
            continue
        try:
            member = getattr(module, name)
        except Exception:
            continue
        if inspect.isclass(member):
            if not issubclass(member, BaseException):
                found[name] = {"call": signature(member), "methods": methods(member)}
        elif callable(member):
            found[name] = {"call": signature(member)}
    return found


def main():
    sys.path[:0] = json.loads(sys.argv[1])
    described = {}
    for name in sys.argv[3:]:
        try:
            described[name] = members(importlib.import_module(name))
        except BaseException as error:
            described[name] = f"{type(error).__name__}: {error}"[:120]
    with open(sys.argv[2], "w") as file:
        json.dump(described, file)
    os._exit(0)


main()
