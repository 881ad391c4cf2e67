"""Parser of scopes, as manifests and summaries write them. `parse_scope(kind, scope.render())` is the identity."""

from __future__ import annotations

import re

from remit.core.errors import ManifestError
from remit.core.patterns import lazy_pattern
from remit.core.scope.component import normal
from remit.core.scope.forms import (
    ANY_SCOPE,
    BESIDE,
    DEEP,
    HOME,
    ROOT,
    SKILL,
    TEMP,
    WORKSPACE,
    HostScope,
    NameScope,
    NumberScope,
    PathScope,
    Scope,
    ScopeKind,
    SymbolScope,
)
from remit.core.scope.hosts import normal_pattern

_SYMBOL = lazy_pattern(r"<(?:arg|stdin|file|net|model|env:[A-Za-z_][A-Za-z0-9_]*)>", re.ASCII)
_HEAD = lazy_pattern(r"(<[^/>]*>(?:/\.\.(?=/|$))?|[~$][^/]*|)(?:/|$)")
_VARIABLES = {"~": HOME, "$HOME": HOME, "$SKILL": SKILL, "$TMP": TEMP, "$WORKSPACE": WORKSPACE, "": ROOT}
_VARIABLE = lazy_pattern(r"env:[A-Za-z_*?][A-Za-z0-9_*?]*", re.ASCII)
_SYSTEM_PROGRAM = lazy_pattern(r"/(?:usr/)?s?bin/([A-Za-z0-9_][A-Za-z0-9_.+-]*)", re.ASCII)
_NUMBER = lazy_pattern(r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?", re.ASCII)


def is_symbol(text: str) -> bool:
    """Whether a text is a symbol such as `<arg>` or `<env:HOME>`."""
    return _SYMBOL.fullmatch(text) is not None


def parse_scope(kind: ScopeKind | str, text: str) -> Scope:
    """Return the scope that a text means for capabilities of this kind; ManifestError if it is invalid."""
    if text == "any":
        return ANY_SCOPE
    if not text:
        message = "a scope is empty"
        raise ManifestError(message, "write `any` for everything, or leave the scope out")
    return _PARSERS[ScopeKind(kind)](text)


def _path(text: str) -> PathScope | NameScope:
    if _VARIABLE.fullmatch(text):  # a credential in a variable and not in a file; `./env:x` is a file
        return NameScope(normal(text))
    head = _HEAD.match(text)
    if head is None and text[0] != "<":
        return PathScope(WORKSPACE, components(text))
    word = head[1] if head else text
    anchor = word if is_symbol(word.removesuffix(BESIDE)) else _VARIABLES.get(word)
    if anchor is None:
        message = f"`{word}` at the start of `{text}` is not a place"
        raise ManifestError(message, f"start with `/`, `./`, `~/`, `$SKILL/`, `$TMP/` or `<arg>`; a name is `./{word}`")
    return PathScope(anchor, components(text[len(word) :]))


def components(text: str) -> tuple[str, ...]:
    """Return components in normal form: no empty ones, no `.`, one `**` instead of several, `*` before `**`."""
    out: list[str] = []
    for piece in text.split("/"):
        if piece in ("", "."):
            continue
        part = DEEP if piece == DEEP else one_component(piece)
        if part in (".", ".."):
            message = f"`{text}` goes up with `..`"
            raise ManifestError(message, "write the intended path")
        out.append(part)
    return normal_parts(out)


def one_component(pattern: str) -> str:
    """Return a pattern of one component in normal form: a component is never empty, so `?*` is `*`."""
    form = normal(pattern)
    if "/" in form:
        message = f"`{pattern}` hides a slash in a name"
        raise ManifestError(message, "write the slash as it is")
    return "*" if form == "?*" else form


def normal_parts(parts: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Return components with each run of `*` and `**` in its normal order."""
    if DEEP not in parts:
        return tuple(parts)
    out: list[str] = []
    deep = False
    for part in parts:
        if part == DEEP:
            deep = True
            continue
        if deep and part != "*":
            out.append(DEEP)
            deep = False
        out.append(part)
    if deep:
        out.append(DEEP)
    return tuple(out)


def _host(text: str) -> Scope:
    if is_symbol(text):
        return SymbolScope(text)
    host, colon, port = text.rpartition(":")
    if not colon or (text.startswith("[") and text.endswith("]")):
        host, port = text, ""
    pattern = normal_pattern(host)
    number = port_number(port) if port else None
    if pattern is None or (colon and host != text and number is None):
        message = f"`{text}` is not a host"
        raise ManifestError(message, "write `api.example.com`, `*.example.com`, `example.com:443`, `[::1]` or `*:443`")
    return ANY_SCOPE if pattern == "*" and number is None else HostScope(pattern, number)


def port_number(text: str) -> int | None:
    """Return a port from its digits, or None."""
    good = text.isascii() and text.isdigit() and len(text) <= 5 and text[0] != "0" and int(text) < 65536
    return int(text) if good else None


def _program(text: str) -> Scope:
    if "/" in text or text in (".", "..") or text[0] in "~$<":
        return program_scope(_path(text))
    return NameScope(normal(text))


def program_scope(scope: Scope) -> Scope:
    """Return the scope of a program with this path: a system program goes by its name, so `/bin/ls` and `/usr/bin/ls`
    are `ls`.
    """
    if isinstance(scope, PathScope) and scope.anchor == ROOT and (system := _SYSTEM_PROGRAM.fullmatch(scope.render())):
        return NameScope(system[1])
    return scope


def _name(text: str) -> Scope:
    if is_symbol(text):
        return SymbolScope(text)
    if text[0] == "<":
        message = f"`{text}` is not a symbol"
        raise ManifestError(message, f"write `<arg>`, `<env:NAME>` …, or `\\{text}` for the name itself")
    pattern = normal(text)
    return ANY_SCOPE if pattern in ("*", "?*") else NameScope(pattern)


def _number(text: str) -> Scope:
    if is_symbol(text):
        return SymbolScope(text)
    low, dots, high = text.partition("..")
    try:
        first = _bound(low)
        last = _bound(high) if dots else first
    except ValueError:
        first = last = None
    if (first is None and last is None) or (first is not None and last is not None and first > last):
        message = f"`{text}` is not a number or range"
        raise ManifestError(message, "write `8080`, `1..10`, `..10` or `1..`")
    return NumberScope(first, last)


def _bound(text: str) -> float | None:
    if not text:
        return None
    if not _NUMBER.fullmatch(text) or len(text) > 40:
        raise ValueError
    return int(text) if text.lstrip("-").isdigit() else float(text)


def _none(text: str) -> Scope:
    message = f"`{text}` is a scope for something that has none"
    raise ManifestError(message, "leave the scope out")


_PARSERS = {
    ScopeKind.PATH: _path,
    ScopeKind.HOST: _host,
    ScopeKind.PROGRAM: _program,
    ScopeKind.NAME: _name,
    ScopeKind.TOOL: _name,
    ScopeKind.NUMBER: _number,
    ScopeKind.NONE: _none,
}
