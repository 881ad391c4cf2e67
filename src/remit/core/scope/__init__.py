"""Scopes: what an effect acts on. Normal forms, syntax, inclusion and overlap."""

from remit.core.scope.forms import (
    ANY_SCOPE,
    BESIDE,
    DEEP,
    HOME,
    PLACES,
    ROOT,
    SKILL,
    TEMP,
    WORKSPACE,
    AnyScope,
    HostScope,
    NameScope,
    NumberScope,
    PathScope,
    Scope,
    ScopeKind,
    SymbolScope,
)
from remit.core.scope.inclusion import covers, overlaps
from remit.core.scope.parse import is_symbol, parse_scope

__all__ = [
    "ANY_SCOPE",
    "BESIDE",
    "DEEP",
    "HOME",
    "PLACES",
    "ROOT",
    "SKILL",
    "TEMP",
    "WORKSPACE",
    "AnyScope",
    "HostScope",
    "NameScope",
    "NumberScope",
    "PathScope",
    "Scope",
    "ScopeKind",
    "SymbolScope",
    "covers",
    "is_symbol",
    "overlaps",
    "parse_scope",
]
