"""Reading `remit.json`. Whatever is not understood is refused: a field that is ignored would be a permission misread."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.errors import ManifestError
from remit.core.scope import ANY_SCOPE, ScopeKind, parse_scope
from remit.manifest.jsontext import Node, Reader
from remit.manifest.model import Decision, Manifest, Permission

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from remit.core.scope import Scope

NAME = "remit.json"
MAX_BYTES = 4 * 1024 * 1024


def find_manifest(skill: Path) -> Path | None:
    """The manifest beside a skill's SKILL.md, if there is one.

    A link is taken too: it is read, and reading refuses what is no file.
    """
    path = skill / NAME
    return path if path.is_symlink() or path.exists() else None


def read_manifest(path: Path) -> Manifest:
    """The manifest in a file; ManifestError with line and column if it is not one."""
    try:
        if not path.is_file():
            raise ManifestError(f"`{path}` is not a file", "give the file of a manifest")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        reason = (error.strerror or "error").lower()
        raise ManifestError(f"`{path}` cannot be read: {reason}", "make it readable") from None
    if len(data) > MAX_BYTES:
        raise ManifestError(f"`{path}` is larger than {MAX_BYTES} bytes", "a manifest is a short list; shorten it")
    return parse_manifest(data, str(path))


def parse_manifest(data: bytes, file: str) -> Manifest:
    """The manifest in some bytes."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ManifestError(f"{file}:{line}: the text is not UTF-8", "save the file as UTF-8") from None
    reader = Reader(text, file)
    top = reader.read()
    fields = _fields(reader, top, "the manifest", required=("permissions",))
    entries = fields["permissions"]
    if not isinstance(entries.value, list):
        raise reader.fail(entries.at, f"`permissions` is {entries.kind}", "write a list of permissions")
    return Manifest(file, tuple(_permission(reader, entry) for entry in entries.value))


def _fields(
    reader: Reader, node: Node, what: str, required: tuple[str, ...], optional: tuple[str, ...] = ()
) -> dict[str, Node]:
    known = (*required, *optional)
    if not isinstance(node.value, dict):
        raise reader.fail(node.at, f"{what} is {node.kind}", f"write an object with {_listed(known)}")
    for name, value in node.value.items():
        if name not in known:
            raise reader.fail(
                value.at, f"`{name}` is not a field of {what}", f"{_meant(name, known)}it has {_listed(known)}"
            )
    for name in required:
        if name not in node.value:
            raise reader.fail(node.at, f"{what} has no `{name}`", f"add it; it has {_listed(known)}")
    return node.value


def _text(reader: Reader, node: Node, name: str) -> str:
    if not isinstance(node.value, str):
        raise reader.fail(node.at, f"`{name}` is {node.kind}", "write a text in quotes")
    return node.value


def _permission(reader: Reader, node: Node) -> Permission:
    fields = _fields(reader, node, "a permission", ("capability",), ("scope", "effect"))
    capability = _capability(reader, fields["capability"])
    scope = _scope(reader, capability, fields["scope"]) if "scope" in fields else ANY_SCOPE
    effect = None
    if "effect" in fields:
        word = _text(reader, fields["effect"], "effect")
        if word not in tuple(Decision):
            raise reader.fail(
                fields["effect"].at, f"`{word}` is not an effect", f"write {_listed(tuple(Decision), 'or')}"
            )
        effect = Decision(word)
    return Permission(capability, (scope,), effect, line=reader.line(node.at))


def _capability(reader: Reader, node: Node) -> str:
    name = _text(reader, node, "capability")
    if not vocabulary().expand(name):
        meant = _meant(name, [capability.name for capability in vocabulary()])
        raise reader.fail(node.at, f"`{name}` is not a capability", f"{meant}`remit explain` lists all")
    return name


def _scope(reader: Reader, capability: str, node: Node) -> Scope:
    """A scope means the same for each capability that a pattern stands for, or it is refused."""
    text = _text(reader, node, "scope")
    kinds = {vocabulary()[name].scope_kind for name in vocabulary().expand(capability)}
    kinds = kinds - {ScopeKind.NONE} or kinds
    if text != "any" and len(kinds) > 1:
        listed = _listed(sorted(kinds))
        raise reader.fail(
            node.at,
            f"a scope for `{capability}` would mean {listed}",
            "name the capabilities one by one, each with its scope",
        )
    try:
        return parse_scope(min(kinds), text)
    except ManifestError as error:
        raise reader.fail(node.at, error.message, error.remedy) from None


def _meant(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), 1)
    return f"did you mean `{close[0]}`? " if close else ""


def _listed(words: Iterable[str], last: str = "and") -> str:
    *most, final = [f"`{word}`" for word in words]
    return f"{', '.join(most)} {last} {final}" if most else final
