"""Something happens as soon as a script is loaded."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.analysis.python.trees import walk
from remit.core.patterns import lazy_pattern
from remit.core.scope import ROOT, PathScope
from remit.findings.destinations import becomes_variables
from remit.findings.evidence import by_effect
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.findings.subject import Subject

_ACTS = {
    "web.post": "sends data",
    "net.connect": "opens a connection",
    "shell.execute": "runs commands",
    "memory.write": "changes the agent's memory",
    "policy.expand": "changes the agent's settings",
    "secret.read": "reads credentials",
    "schedule.create": "schedules a job",
    "profile.write": "changes the shell profile",
    "file.delete": "deletes files",
}
_SWALLOWS = (ast.Pass, ast.Return, ast.Continue)


def find(subject: Subject) -> Iterator[Finding]:
    """Functions that a module calls while it is loaded, which act and swallow errors."""
    acting: dict[str, list[Effect]] = {}
    for effect in subject.effects:
        if effect.where.file.endswith(".py") and not effect.via.possible and _act(effect):
            if effect.capability == "secret.read" and becomes_variables(subject, effect):
                continue  # where they go is another rule's
            acting.setdefault(effect.where.file, []).append(effect)
    for file, effects in acting.items():
        data = subject.skill.read(file)
        if data is None or len(data) > _LARGEST or not _SILENT.search(data):
            continue
        spans = _hidden_spans(data)
        for effect in effects:
            if any(first <= effect.where.line <= last for first, last in spans):
                yield by_effect(
                    RULE,
                    subject,
                    effect,
                    Severity.HIGH,
                    f"{_act(effect)} as soon as {file} is loaded, and hides failures",
                )
                break


def _act(effect: Effect) -> str:
    """What an effect does to the user, in words; empty for what a module may do while it is loaded."""
    if effect.capability == "file.read" and isinstance(effect.scope, PathScope) and effect.scope.anchor == ROOT:
        return f"reads {effect.scope.render()}" if effect.scope.parts[:1] == ("tmp",) else ""
    return _ACTS.get(effect.capability, "")


_LARGEST = 200_000
_SILENT = lazy_pattern(
    rb"except(?: (?:Base)?Exception(?: as \w+)?)?\s*:\s*(?:#[^\n]*)?\n?\s*(?:pass|return|continue|\w+ =)"
)


def _hidden_spans(data: bytes) -> list[tuple[int, int]]:
    """The lines of functions that run at import and swallow errors, and of those that they call."""
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    functions = {item.name: item for item in tree.body if isinstance(item, ast.FunctionDef)}
    last = max(
        (at for at, item in enumerate(tree.body) if isinstance(item, (ast.FunctionDef, ast.ClassDef))), default=0
    )
    early = tree.body[:last]  # what stands behind all definitions is the program itself
    called = {name for item in early if isinstance(item, (ast.Expr, ast.Assign)) for name in _calls(item)}
    todo = [name for name in called if name in functions and _swallows(functions[name])]
    found: dict[str, tuple[int, int]] = {}
    while todo:
        name = todo.pop()
        if name in functions and name not in found:
            found[name] = (functions[name].lineno, functions[name].end_lineno or functions[name].lineno)
            todo += _calls(functions[name])
    spans = list(found.values())
    spans += [
        (item.lineno, item.end_lineno or item.lineno)
        for item in early
        if isinstance(item, ast.Try) and _is_silent(item) and not _imports(item)
    ]
    return spans


def _calls(node: ast.AST) -> list[str]:
    return [item.func.id for item in walk(node) if isinstance(item, ast.Call) and isinstance(item.func, ast.Name)]


def _swallows(function: ast.FunctionDef) -> bool:
    return any(isinstance(item, ast.Try) and _is_silent(item) for item in walk(function))


def _is_silent(item: ast.Try) -> bool:
    """Whether every error is passed over."""
    return any(
        (
            handler.type is None
            or (isinstance(handler.type, ast.Name) and handler.type.id in ("Exception", "BaseException"))
        )
        and all(isinstance(line, (*_SWALLOWS, ast.Assign)) for line in handler.body)
        for handler in item.handlers
    )


def _imports(item: ast.Try) -> bool:
    return all(isinstance(line, (ast.Import, ast.ImportFrom, ast.Assign)) for line in item.body)


RULE = Rule(
    "import-side-effect",
    "hidden code",
    "a script acts when it is imported, and hides failures",
    Severity.HIGH,
    "Code at import time runs for every task. If it hides its errors, nobody notices.",
    'Set-up of logging, paths, warnings and settings (`load_dotenv`); code under `if __name__ == "__main__"`.',
    "Move it into a function that the task calls, and report errors.",
    find,
)
