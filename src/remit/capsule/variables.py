"""The environment of a command in a capsule: a few settings, and the caller's variables that `env.read` grants. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache

from remit.capsule.confinement import DATA, SEARCHED
from remit.core.errors import DataError
from remit.core.scope import AnyScope, NameScope
from remit.core.scope.component import literal, match
from remit.core.table import read_table

_USUAL = {
    "PATH": ":".join(SEARCHED),
    "USER": "skill",
    "LOGNAME": "skill",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "UV_USE_IO_URING": "0",  # it is refused
}
_KEPT = ("TERM", "COLUMNS", "LINES", "TZ", "NO_COLOR")  # how output is shown


def environment(
    caller: Mapping[str, str], granted: tuple[NameScope | AnyScope, ...], own: Mapping[str, str], proxy: str = ""
) -> tuple[tuple[str, str], ...]:
    """Return names and values, sorted; `own` are the capsule's variables, and `proxy` is the address of the egress
    proxy, if any.
    """
    found = {name: caller[name] for name in _KEPT if name in caller}
    if granted:
        found |= {name: value for name, value in caller.items() if _handed_on(name, granted)}
    found |= {**_USUAL, **own}
    if proxy:
        names = ("http_proxy", "https_proxy", "all_proxy")
        found |= {spelt: proxy for name in names for spelt in (name, name.upper())}
        found |= {"NODE_USE_ENV_PROXY": "1", "no_proxy": "", "NO_PROXY": ""}
    return tuple(sorted(found.items()))


def _handed_on(name: str, granted: tuple[NameScope | AnyScope, ...]) -> bool:
    if not name or "=" in name or any(fnmatchcase(name, pattern) for pattern in _table("steering")):
        return False
    exact = any(isinstance(scope, NameScope) and literal(scope.pattern) == name for scope in granted)
    if any(fnmatchcase(name.upper(), pattern) for pattern in _table("credentials")):
        return exact
    return exact or any(isinstance(scope, AnyScope) or match(scope.pattern, name) for scope in granted)


def credential_patterns() -> tuple[str, ...]:
    """Return patterns of variables that hold credentials, in upper case."""
    return _table("credentials")


def steering_patterns() -> tuple[str, ...]:
    """Patterns of variables that change which code programs load or whom they talk to."""
    return _table("steering")


@cache
def _table(section: str) -> tuple[str, ...]:
    found: list[str] = []
    for row in read_table(DATA / "environment.table", 2):
        pattern, why = row.cells
        if row.section not in ("steering", "credentials") or not pattern or not why or pattern == "*":
            raise DataError(f"{row.where}: a line has a section, a name and a reason", "correct the line")
        if row.section == section:
            found.append(pattern)
    return tuple(found)
