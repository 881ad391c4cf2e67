"""Scopes in normal form: what an effect acts on.

Two scopes that mean the same set have the same form wherever that is cheap to decide, so that reports and manifests are
stable; `covers` decides inclusion exactly in any case. Each form ends in a tag because named tuples of different
classes compare equal otherwise; scopes are hashed and compared far more often than anything else.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, TypeAlias


class ScopeKind(StrEnum):
    """The kind of thing that a capability acts on."""

    PATH = "path"
    HOST = "host"
    PROGRAM = "program"  # a bare name that is looked up, or a path
    NAME = "name"  # environment variables, packages, containers, databases …
    TOOL = "tool"
    NUMBER = "number"
    NONE = "none"


# Folders that a path can start from. Symbols (`<arg>`, `<env:NAME>` …) are anchors too, and so is the parent folder of
# a symbol: `<arg>/..`.
ROOT, HOME, WORKSPACE, SKILL, TEMP = "/", "~", "workspace", "skill", "temp"
PLACES = frozenset({ROOT, HOME, WORKSPACE, SKILL, TEMP})
_WRITTEN = {HOME: "~", WORKSPACE: ".", SKILL: "$SKILL", TEMP: "$TMP"}

BESIDE = "/.."  # after a symbol: the parent folder of the symbol's path
DEEP = "**"  # a component that stands for any number of components


class AnyScope(NamedTuple):
    """Everything; also anything unknown. Only `any` covers `any`."""

    tag: str = "any"

    def render(self) -> str:
        """Return the scope as manifests and reports write it."""
        return "any"


class PathScope(NamedTuple):
    """Paths: an anchor and components. A component is a pattern (see `component`) or `**`."""

    anchor: str
    parts: tuple[str, ...] = ()
    tag: str = "path"

    @property
    def symbol(self) -> str:
        """The symbol with which the path begins; empty if it begins with a folder."""
        return "" if self.anchor in PLACES else self.anchor.removesuffix(BESIDE)

    @property
    def is_beside(self) -> bool:
        """Whether the path begins in the parent folder of a symbol."""
        return self.anchor.endswith(BESIDE)

    def render(self) -> str:
        """Return the scope as manifests and reports write it."""
        if self.anchor == ROOT:
            return "/" + "/".join(self.parts)
        return "/".join((_WRITTEN.get(self.anchor, self.anchor), *self.parts))


class HostScope(NamedTuple):
    """A host, `*.domain` (every host below the domain, at any depth, but not the domain itself) or `*`; port None is any."""

    host: str
    port: int | None = None
    tag: str = "host"

    def render(self) -> str:
        """Return the scope as manifests and reports write it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port is None else f"{host}:{self.port}"


class NameScope(NamedTuple):
    """Names that match a pattern: `*` is any run of characters, slashes included.

    For capabilities on paths, `env:NAME` is the only scope of this form: an environment variable.
    """

    pattern: str
    tag: str = "name"

    def render(self) -> str:
        """Return the scope as manifests and reports write it; a name that would parse as another form is escaped."""
        special = self.pattern in ("any", ".", "..") or self.pattern[:1] in ("<", "~", "$")
        return "\\" + self.pattern if special else self.pattern


class SymbolScope(NamedTuple):
    """A name, host or number that is only known when the skill runs: `<arg>` is what the caller passes, unchanged."""

    symbol: str
    tag: str = "symbol"

    def render(self) -> str:
        """Return the scope as manifests and reports write it."""
        return self.symbol


class NumberScope(NamedTuple):
    """Numbers from `low` to `high`, both included; None is unbounded."""

    low: float | None
    high: float | None
    tag: str = "number"

    def render(self) -> str:
        """Return the scope as manifests and reports write it."""
        if self.low == self.high and self.low is not None:
            return repr(self.low)
        return f"{'' if self.low is None else repr(self.low)}..{'' if self.high is None else repr(self.high)}"


Scope: TypeAlias = AnyScope | PathScope | HostScope | NameScope | SymbolScope | NumberScope

ANY_SCOPE = AnyScope()
