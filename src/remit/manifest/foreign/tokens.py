"""Enclawed's tokens: `net.egress`, or `net.egress(*.example.com)` with an argument that narrows it."""

from __future__ import annotations

import re
from typing import NamedTuple

from remit.core.capability import vocabulary
from remit.core.errors import ManifestError
from remit.core.scope import ANY_SCOPE, Scope, ScopeKind, parse_scope
from remit.manifest.words import listed, meant

_FORM = re.compile(r"([^()\s]+)(?:\(([^()]*)\))?")


class Token(NamedTuple):
    """A token and its meaning."""

    name: str
    scope: Scope = ANY_SCOPE

    @property
    def capabilities(self) -> tuple[str, ...]:
        """Return what it grants in our words: all that it stands for, or those that its argument can be about."""
        names = vocabulary().expand_enclawed(self.name)
        if self.scope == ANY_SCOPE:
            return names
        return tuple(name for name in names if vocabulary()[name].scope_kind is argument_kind(self.name))

    def render(self) -> str:
        """As it is written."""
        return self.name if self.scope == ANY_SCOPE else f"{self.name}({self.scope.render()})"


def argument_kind(name: str) -> ScopeKind:
    """Return the kind of a token's argument: a path, a host, a program, and so on."""
    if name == "spawn.proc":  # it also stands for packages and containers, but a process is a program that is started
        return ScopeKind.PROGRAM
    return vocabulary()[vocabulary().expand_enclawed(name)[0]].scope_kind


def parse_token(text: str) -> Token:
    """Parse a token; ManifestError if it is invalid."""
    found = _FORM.fullmatch(text)
    name = found[1] if found else text
    if not found or name not in vocabulary().enclawed:
        known = sorted(vocabulary().enclawed)
        raise ManifestError(f"`{text[:80]}` is not a token of enclawed", f"{meant(name, known)}it has {listed(known)}")
    argument = found[2]
    if argument is None:
        return Token(name)
    if "," in argument:
        raise ManifestError(f"`{text[:80]}` has several arguments", "write one token for each")
    if argument == "any":
        raise ManifestError(f"`{text[:80]}` has an argument that narrows nothing", f"write `{name}`")
    kind = argument_kind(name)
    # a path that ends in a slash is a folder, and what lies in it is meant
    folder = kind is ScopeKind.PATH and argument.endswith("/")
    return Token(name, parse_scope(kind, argument + "**" if folder else argument))
