"""Code that harms by how it runs: without an end, or only from some day on."""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from typing import TYPE_CHECKING

from remit.guard.understand.endless import REASON, is_endless

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remit.core.effect import Effect
    from remit.guard.planted.doing import Doing

_LANGUAGES = {
    "py": "python", "js": "javascript", "cjs": "javascript", "mjs": "javascript", "jsx": "javascript", "ts": "typescript",
    "tsx": "typescript", "sh": "bash", "bash": "bash", "zsh": "zsh",
}  # fmt: skip
_WAITS = re.compile(r"\b(?:sleep|inotifywait|read|wait)\b")  # a watch of the shell, which its author meant
_MEANT = re.compile(
    r"(?i)\b(?:loop|forever|endless|infinite|daemon|watch|poll|monitor|stress|load test|benchmark|server|bot)"
)
_DESTROYS = frozenset({"file.delete", "secret.delete", "system.configure", "database.delete", "shell.execute"})
# A line that compares the time of day with a day that stands in it: what is older than a month is no such day
_NOW = r"(?:\bnow\b|\btoday\b|\butcnow\b|\bDate\.now\b|\bnew Date\(|\btime\.time\(|\bdate\s+\+%)"
_DAY = r"(?:\d{4}|\b[A-Z][A-Z_]{3,}\b)"
_MORE = r"(?:[<>]=?|={2,3}|-g[te]\b|-l[te]\b)"
_PART = r"(?:\.month|\.day|weekday\(\)|getMonth\(\)|getDate\(\)|getDay\(\))"
_THEN = re.compile(
    rf"\b(?:if|elif|while|when|unless|test)\b.*(?:{_NOW}[^<>=\-]*{_MORE}[^\-]*?{_DAY}|{_DAY}[^<>=\-]*{_MORE}[^\-]*?{_NOW}"
    rf"|{_NOW}[^<>=\-]*{_PART}\s*{_MORE}\s*\d)"
)
_WIPES = re.compile(r"(?i)\b(?:DROP\s+(?:TABLE|DATABASE|SCHEMA)|DELETE\s+FROM|TRUNCATE\s+TABLE)\b")
_REACH = 8  # lines below it that hang on it
_INSTALLED = re.compile(r"(?:.*/)?setup\.py\Z")
_STARTS = frozenset({"shell.execute", "process.create", "source.execute"})


def installed(name: str, did: Doing, does: Doing) -> Iterator[str]:
    """What is started when somebody installs a package."""
    known = set(map(_key, did.effects))
    new = [one for one in does.effects if one.capability in _STARTS and _key(one) not in known]
    if new and _INSTALLED.match(name):
        yield f"would run something whenever it is installed (line {min(one.where.line for one in new)})"


def endless(name: str, before: str, text: str, prompts: Sequence[str]) -> Iterator[str]:
    """A program that never ends, or takes all the room there is, if it did end before and nobody asked for one that goes on."""
    language = _LANGUAGES.get(name.rpartition(".")[2].lower())
    if language is None or not is_endless(language, text) or (before and is_endless(language, before)):
        return
    if any(map(_MEANT.search, prompts)) or (language in ("bash", "zsh") and _WAITS.search(text)):
        return
    line = _loop(text) if language == "python" else 0
    yield f"would be code, and {REASON}{f' (line {line})' if line else ''}"


def _loop(text: str) -> int:
    """The line of the loop of Python that has no end; 0 if it is something else."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.While | ast.For):
            part = "\n".join(text.split("\n")[node.lineno - 1 : node.end_lineno])
            if is_endless("python", textwrap.dedent(part)):
                return node.lineno
    return 0


def dated(did: Doing, does: Doing, before: str, text: str) -> Iterator[str]:
    """Destruction that waits for a day."""
    known = set(map(_key, did.effects))
    lines = {one.where.line for one in does.effects if one.capability in _DESTROYS and _key(one) not in known}
    spoken = text.splitlines()
    lines |= {number for number, line in enumerate(spoken, 1) if _WIPES.search(line)}
    if not lines:
        return
    for number, line in enumerate(spoken, 1):
        if line not in before and _THEN.search(line) and any(number <= at <= number + _REACH for at in lines):
            yield f"would be code that destroys something from some day on (line {number})"
            return


def _key(effect: Effect) -> tuple[str, str]:
    return effect.capability, effect.scope.render()
