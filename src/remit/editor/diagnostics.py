"""Conversion of notes to LSP: diagnostics at their lines, and actions that edit remit.json."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types

from remit.core.errors import ManifestError
from remit.editor.notes import Kind, Note
from remit.findings.model import Severity
from remit.manifest.jsontext import Node, Reader
from remit.manifest.render import one_line
from remit.report.screen import visible

if TYPE_CHECKING:
    from remit.editor.places import Text


_BLANKS = re.compile(r"[ \t]*")


class Insertion(NamedTuple):
    """A text to insert at an offset."""

    at: int
    text: str


def insertion(text: str, entries: Sequence[dict[str, Any]]) -> Insertion | None:
    """Return how entries are added to the permissions of a manifest; ManifestError if it is not JSON, None if it is not
    a manifest.
    """
    root = Reader(text, "remit.json").read()
    written = [one_line(entry) for entry in entries]
    if not isinstance(root.value, dict) or not written:
        return None
    permissions = root.value.get("permissions")
    if permissions is None:
        more = ", " if root.value else ""
        return Insertion(root.at + 1, f'"permissions": [{", ".join(written)}]{more}')
    if not isinstance(permissions.value, list):
        return None
    return _into(text, permissions.at, permissions.value, written)


def _into(text: str, at: int, items: Sequence[Node], written: Sequence[str]) -> Insertion:
    """Insert after the last item, with its layout: on a line of its own with its indent, or beside it."""
    if not items:
        return Insertion(at + 1, ", ".join(written))
    last = items[-1].at
    _, end = json.JSONDecoder().raw_decode(text, last)
    line = text.rfind("\n", 0, last) + 1
    blanks = _BLANKS.match(text, line)
    alone = blanks is not None and blanks.end() == last
    between = f",\n{blanks[0]}" if alone and blanks else ", "
    return Insertion(end, "".join(f"{between}{entry}" for entry in written))


SOURCE = "remit"
_BY_KIND = {
    Kind.ESCAPE: types.DiagnosticSeverity.Error,
    Kind.WRONG: types.DiagnosticSeverity.Error,
    Kind.FINDING: types.DiagnosticSeverity.Hint,
    Kind.OPAQUE: types.DiagnosticSeverity.Hint,
    Kind.DENIED: types.DiagnosticSeverity.Hint,
    Kind.ANSWER: types.DiagnosticSeverity.Information,
    Kind.UNUSED: types.DiagnosticSeverity.Hint,
}
_BY_SEVERITY: dict[str, types.DiagnosticSeverity] = {
    Severity.CRITICAL: types.DiagnosticSeverity.Error,
    Severity.HIGH: types.DiagnosticSeverity.Error,
    Severity.MEDIUM: types.DiagnosticSeverity.Warning,
    Severity.LOW: types.DiagnosticSeverity.Information,
}
# the pages of rules: installed, and in a checkout
_PAGES = (Path(sys.prefix) / "share/remit/rules", Path(__file__).parents[3] / "docs/rules")


def diagnostics(
    found: Sequence[Note], text: Text, place: Callable[[str, int], types.Location]
) -> list[types.Diagnostic]:
    """Return the diagnostics of one file, without effects that the manifest allows. `place` is a line of any file of
    the skill.
    """
    shown = [one for one in found if one.kind in _BY_KIND]
    return [_diagnostic(one, text, place) for one in dict.fromkeys(map(_hashable, shown))]


def _hashable(one: Note) -> Note:
    return one._replace(entry=None)


def _diagnostic(one: Note, text: Text, place: Callable[[str, int], types.Location]) -> types.Diagnostic:
    severity = _BY_SEVERITY.get(one.severity) or _BY_KIND[one.kind]
    steps = [types.DiagnosticRelatedInformation(place(file, line), visible(words)) for file, line, words in one.steps]
    page = _page(one.rule)
    todo = f"\n→ {one.remedy}" if one.remedy else ""
    return types.Diagnostic(
        text.range(one.line, one.column),
        visible(one.message) + "".join(f"\n{visible(line)}" for line in todo.splitlines()[1:]),
        severity,
        code=one.rule or one.capability or str(one.kind),
        code_description=types.CodeDescription(page) if page else None,
        source=SOURCE,
        related_information=steps or None,
        tags=[types.DiagnosticTag.Unnecessary] if one.kind is Kind.UNUSED else None,
    )


def _page(rule: str) -> str | None:
    """Return the URL of the page of a rule."""
    pages = [folder / f"{rule}.md" for folder in _PAGES] if rule else []
    return next((page.as_uri() for page in pages if page.is_file()), None)


def actions(here: Sequence[Note], everywhere: Sequence[Note], manifest: Text, uri: str) -> Iterator[types.CodeAction]:
    """Return actions for escapes on these lines: allow them, as narrowly as possible. Unknown scopes get no action."""
    wanted = _entries(here)
    for entry in wanted:
        title = f"allow {entry['capability']} on {_scopes(entry)} in remit.json"
        yield from _action(title, [entry], manifest, uri)
    every = _entries(everywhere)
    if len(every) > 1 and wanted:
        yield from _action(f"allow all {len(every)} that escape, each at its own scope", every, manifest, uri)


def _entries(found: Sequence[Note]) -> list[dict[str, Any]]:
    """Return each entry once."""
    return list({str(one.entry): one.entry for one in found if one.kind is Kind.ESCAPE and one.entry}.values())


def _scopes(entry: dict[str, Any]) -> str:
    scope = entry.get("scope", "")
    return ", ".join(scope) if isinstance(scope, list) else str(scope)


def _action(title: str, entries: list[dict[str, Any]], manifest: Text, uri: str) -> Iterator[types.CodeAction]:
    try:
        put = insertion(manifest.text, entries)
    except ManifestError:
        return  # a diagnostic reports it
    if put is None:
        return
    at = manifest.at(put.at)
    edit = types.WorkspaceEdit(changes={uri: [types.TextEdit(types.Range(at, at), put.text)]})
    yield types.CodeAction(visible(title), kind=types.CodeActionKind.QuickFix, edit=edit)
