"""Findings as a client shows them: diagnostics at their lines, and actions that edit remit.json."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from remit.core.errors import ManifestError
from remit.editor.allowing import insertion
from remit.editor.findings import Kind
from remit.report.screen import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remit.editor.findings import Finding
    from remit.editor.places import Text

SOURCE = "remit"
_SEVERITIES = {
    Kind.ESCAPE: types.DiagnosticSeverity.Error,
    Kind.WRONG: types.DiagnosticSeverity.Error,
    Kind.OPAQUE: types.DiagnosticSeverity.Warning,
    Kind.DENIED: types.DiagnosticSeverity.Information,
    Kind.UNDECLARED: types.DiagnosticSeverity.Information,
    Kind.UNUSED: types.DiagnosticSeverity.Hint,
}


def diagnostics(found: Sequence[Finding], text: Text) -> list[types.Diagnostic]:
    """What is to be seen in one file; effects that are as they should be are not."""
    return [_diagnostic(one, text) for one in dict.fromkeys(map(_hashable, found)) if one.kind in _SEVERITIES]


def _hashable(one: Finding) -> Finding:
    return one._replace(entry=None)


def _diagnostic(one: Finding, text: Text) -> types.Diagnostic:
    todo = f"\n→ {one.remedy}" if one.remedy else ""
    return types.Diagnostic(
        text.range(one.line, one.column),
        visible(one.message) + "".join(f"\n{visible(line)}" for line in todo.splitlines()[1:]),
        _SEVERITIES[one.kind],
        code=one.capability or str(one.kind),
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if one.kind is Kind.UNUSED else None,
    )


def actions(
    here: Sequence[Finding], everywhere: Sequence[Finding], manifest: Text, uri: str
) -> Iterator[types.CodeAction]:
    """For what escapes on the lines in question: allow it, the least that does. What could be anything is never offered."""
    wanted = _entries(here)
    for entry in wanted:
        title = f"allow {entry['capability']} on {_scopes(entry)} in remit.json"
        yield from _action(title, [entry], manifest, uri)
    every = _entries(everywhere)
    if len(every) > 1 and wanted:
        yield from _action(f"allow all {len(every)} that escape, each at its own scope", every, manifest, uri)


def _entries(found: Sequence[Finding]) -> list[dict[str, Any]]:
    """Each entry once."""
    return list({str(one.entry): one.entry for one in found if one.kind is Kind.ESCAPE and one.entry}.values())


def _scopes(entry: dict[str, Any]) -> str:
    scope = entry.get("scope", "")
    return ", ".join(scope) if isinstance(scope, list) else str(scope)


def _action(title: str, entries: list[dict[str, Any]], manifest: Text, uri: str) -> Iterator[types.CodeAction]:
    try:
        put = insertion(manifest.text, entries)
    except ManifestError:
        return  # a diagnostic says what is wrong with it
    if put is None:
        return
    at = manifest.at(put.at)
    edit = types.WorkspaceEdit(changes={uri: [types.TextEdit(types.Range(at, at), put.text)]})
    yield types.CodeAction(visible(title), kind=types.CodeActionKind.QuickFix, edit=edit)
