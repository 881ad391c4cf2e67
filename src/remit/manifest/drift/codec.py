"""JSON form of summaries: in the cache with every text, in a lock file without long ones."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from remit.core.capability import vocabulary
from remit.core.effect import Origin
from remit.core.errors import ManifestError
from remit.core.location import Location
from remit.core.scope import parse_scope
from remit.manifest.drift.entries import scopes_of
from remit.manifest.drift.model import Summary, Trait, TraitKind, in_order
from remit.manifest.model import Decision

# The list that holds a sort, and what its traits call their subject there.
_LISTS = {
    TraitKind.CAPABILITY: ("capabilities", "capability"),
    TraitKind.COMMAND: ("commands", "command"),
    TraitKind.HIDDEN: ("hidden", "text"),
    TraitKind.OPAQUE: ("opaque", "reason"),
    TraitKind.TOOL: ("tools", "tool"),
    TraitKind.ENTRY: ("permissions", "capability"),
    TraitKind.PACKAGE: ("packages", "package"),
    TraitKind.ADDRESS: ("addresses", "address"),
    TraitKind.LIMIT: ("limits", "limit"),
}
_FIELDS = frozenset({"scope", "origin", "file", "line", "why", "path", "digest"})
_TOP = ("name", "content", "manifest", *(name for name, _ in _LISTS.values()), "instructions", "files")


def encode(summary: Summary, *, texts: bool = True) -> dict[str, Any]:
    """Return JSON values. Without texts, instructions and hidden text are digests, and call chains are left out."""
    out: dict[str, Any] = {"name": summary.name, "content": summary.content}
    if summary.manifest:
        out["manifest"] = summary.manifest
    for sort, (name, subject) in _LISTS.items():
        found = [_trait(trait, subject, texts=texts) for trait in summary.of(sort)]
        if found:
            out[name] = found
    instructions: dict[str, list[Any]] = {}
    for trait in summary.of(TraitKind.INSTRUCTION):
        row = [trait.where.line, trait.subject, trait.mark] if texts else trait.mark
        instructions.setdefault(trait.where.file, []).append(row)
    out["instructions"] = instructions
    out["files"] = {trait.subject: trait.mark for trait in summary.of(TraitKind.FILE)}
    return out


def _trait(trait: Trait, subject: str, *, texts: bool) -> dict[str, Any]:
    hidden = trait.sort is TraitKind.HIDDEN
    out: dict[str, Any] = {} if hidden and not texts else {subject: trait.subject}
    if trait.scopes:
        out["scope"] = trait.scopes[0] if len(trait.scopes) == 1 else list(trait.scopes)
    if trait.origin:
        out["origin"] = trait.origin
    out["file"] = trait.where.file
    if trait.where.line:
        out["line"] = trait.where.line
    if trait.why:
        out["why"] = trait.why
    if trait.path and texts:
        out["path"] = [list(where) for where in trait.path]
    if trait.mark:
        out["digest"] = trait.mark
    return out


def decode(data: Any) -> Summary:
    """Parse JSON values; ValueError if they are invalid.

    Nothing is ignored: an unknown field, capability or scope would be a capability misread.
    """
    top = _object(data, _TOP)
    traits: list[Trait] = []
    for sort, (name, subject) in _LISTS.items():
        traits += [_read(item, sort, subject) for item in _list(top.get(name, []))]
    for file, rows in _object(top.get("instructions")).items():
        traits += [_sentence(file, row) for row in _list(rows)]
    for path, mark in _object(top.get("files")).items():
        traits.append(Trait(TraitKind.FILE, path, Location(path), mark=_text(mark)))
    return Summary(_text(top.get("name")), _text(top.get("content")), _text(top.get("manifest", "")), in_order(traits))


def _read(data: Any, sort: TraitKind, subject: str) -> Trait:
    item = _object(data, (subject, *_FIELDS))
    scope = item.get("scope", [])
    trait = Trait(
        sort,
        _text(item.get(subject, "" if sort is TraitKind.HIDDEN else None)),
        Location(_text(item.get("file")), _line(item.get("line", 0))),
        tuple(_text(one) for one in (scope if isinstance(scope, list) else [scope])),
        _text(item.get("origin", "")),
        _text(item.get("why", "")),
        tuple(_location(where) for where in _list(item.get("path", []))),
        _text(item.get("digest", "")),
    )
    if sort is TraitKind.CAPABILITY:
        _capability(trait)
    elif sort is TraitKind.ENTRY:
        _entry(trait)
    return trait


def _capability(trait: Trait) -> None:
    found = vocabulary().get(trait.subject)
    if found is None or len(trait.scopes) != 1 or trait.origin not in tuple(Origin):
        raise ValueError(f"`{trait.subject}` is not a capability with one scope and an origin")
    try:
        parse_scope(found.scope_kind, trait.scopes[0])
    except ManifestError as error:
        raise ValueError(error.message) from None


def _entry(trait: Trait) -> None:
    if not vocabulary().expand(trait.subject) or not trait.scopes or trait.origin not in ("", *Decision):
        raise ValueError(f"`{trait.subject}` is not an entry of a manifest")
    try:
        scopes_of(trait)
    except ManifestError as error:
        raise ValueError(error.message) from None


def _sentence(file: str, row: Any) -> Trait:
    if isinstance(row, str):
        return Trait(TraitKind.INSTRUCTION, "", Location(file), mark=row)
    line, text, mark = _list(row, 3)
    return Trait(TraitKind.INSTRUCTION, _text(text), Location(file, _line(line)), mark=_text(mark))


def _object(value: Any, known: Collection[str] | None = None) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("an object is missing")  # noqa: TRY004  one kind of failure for every wrong form
    unknown = sorted(set(value) - set(known)) if known is not None else []
    if unknown:
        raise ValueError(f"`{unknown[0]}` is not a field")
    return value


def _list(value: Any, length: int | None = None) -> list[Any]:
    if not isinstance(value, list) or (length is not None and len(value) != length):
        raise ValueError("a list is missing")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a text is missing")  # noqa: TRY004
    return value


def _line(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError("a line is missing")
    return value


def _location(value: Any) -> Location:
    file, line = _list(value, 2)
    return Location(_text(file), _line(line))
