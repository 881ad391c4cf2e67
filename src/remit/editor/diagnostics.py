"""Notes as LSP shows them: positions, diagnostics at their lines, actions that edit remit.json, and hover texts."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from remit.core.capability import Change, matches, vocabulary
from remit.core.errors import ManifestError
from remit.editor.notes import Note, NoteKind
from remit.findings.model import Severity
from remit.findings.registry import rules
from remit.manifest.jsontext import Node, Reader
from remit.manifest.render import one_line
from remit.report.markdown import code
from remit.report.screen import visible
from remit.skill.find import main_name

_MAIN = ("SKILL.md", "skill.md", "Skill.md")
_DEEP = 40  # parent folders of a file that are searched
_WIDTHS = {types.PositionEncodingKind.Utf8: "utf-8", types.PositionEncodingKind.Utf32: "utf-32-le"}


def path_of(uri: str) -> Path | None:
    """Return the path of a URI; None if it is not a file of this machine."""
    found = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(os.path.normpath(found)) if found else None


def uri_of(path: Path) -> str:
    """Return the URI of a file."""
    return from_fs_path(str(path)) or path.as_uri()


def skill_of(path: Path, open_files: Iterable[Path]) -> Path | None:
    """Return the folder of the skill that contains a file: the nearest parent with a SKILL.md, saved or not."""
    unsaved = {file.parent for file in open_files if main_name([file.name])}
    for folder in [*path.parents][:_DEEP]:
        if folder in unsaved or any((folder / name).is_file() for name in _MAIN):
            return folder
    return None


class Text:
    """The lines of a file, and the client's unit of columns."""

    def __init__(self, text: str, encoding: types.PositionEncodingKind | str | None) -> None:
        self.text = text
        self.lines = text.split("\n")
        self._codec = _WIDTHS.get(types.PositionEncodingKind(encoding or "utf-16"), "utf-16-le")
        self._unit = {"utf-8": 1, "utf-16-le": 2, "utf-32-le": 4}[self._codec]

    def range(self, line: int, column: int = 0) -> types.Range:
        """Return the range of a line (from 1), without surrounding blanks, or from a column (from 1) on."""
        here = self.lines[line - 1].rstrip() if 0 < line <= len(self.lines) else ""
        first = column - 1 if column else len(here) - len(here.lstrip())
        last = max(len(here), first + 1) if column else len(here)
        number = min(line, max(len(self.lines), 1)) - 1
        return types.Range(
            types.Position(number, self._units(here[:first])), types.Position(number, self._units(here[:last]))
        )

    def at(self, offset: int) -> types.Position:
        """Return the position of an offset."""
        start = self.text.rfind("\n", 0, offset) + 1
        return types.Position(self.text.count("\n", 0, offset), self._units(self.text[start:offset]))

    def column(self, position: types.Position) -> int:
        """Return the column of a position, counted in characters from 0."""
        line = self.lines[position.line] if position.line < len(self.lines) else ""
        data = line.encode(self._codec, "surrogatepass")[: position.character * self._unit]
        return len(data.decode(self._codec, "ignore"))

    def _units(self, text: str) -> int:
        return len(text.encode(self._codec, "surrogatepass")) // self._unit


_BLANKS = re.compile(r"[ \t]*")


def insertion(text: str, entries: Sequence[dict[str, Any]]) -> tuple[int, str] | None:
    """Return how entries are added to a manifest's permissions; ManifestError for no JSON, None for no manifest."""
    root = Reader(text, "remit.json").read()
    written = [one_line(entry) for entry in entries]
    if not isinstance(root.value, dict) or not written:
        return None
    permissions = root.value.get("permissions")
    if permissions is None:
        more = ", " if root.value else ""
        return root.at + 1, f'"permissions": [{", ".join(written)}]{more}'
    if not isinstance(permissions.value, list):
        return None
    return _into(text, permissions.at, permissions.value, written)


def _into(text: str, at: int, items: Sequence[Node], written: Sequence[str]) -> tuple[int, str]:
    """Insert after the last item, with its layout: on a line of its own with its indent, or beside it."""
    if not items:
        return at + 1, ", ".join(written)
    last = items[-1].at
    _, end = json.JSONDecoder().raw_decode(text, last)
    line = text.rfind("\n", 0, last) + 1
    blanks = _BLANKS.match(text, line)
    alone = blanks is not None and blanks.end() == last
    between = f",\n{blanks[0]}" if alone and blanks else ", "
    return end, "".join(f"{between}{entry}" for entry in written)


SOURCE = "remit"
_BY_KIND = {
    NoteKind.ESCAPE: types.DiagnosticSeverity.Error,
    NoteKind.WRONG: types.DiagnosticSeverity.Error,
    NoteKind.FINDING: types.DiagnosticSeverity.Hint,
    NoteKind.OPAQUE: types.DiagnosticSeverity.Hint,
    NoteKind.DENIED: types.DiagnosticSeverity.Hint,
    NoteKind.ANSWER: types.DiagnosticSeverity.Information,
    NoteKind.UNUSED: types.DiagnosticSeverity.Hint,
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
    """Return the diagnostics of a file, without allowed effects. `place` is a line of any file of the skill."""
    shown = [one._replace(entry=None) for one in found if one.kind in _BY_KIND]  # an entry cannot be hashed
    return [_diagnostic(one, text, place) for one in dict.fromkeys(shown)]


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
        tags=[types.DiagnosticTag.Unnecessary] if one.kind is NoteKind.UNUSED else None,
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
    return list({str(one.entry): one.entry for one in found if one.kind is NoteKind.ESCAPE and one.entry}.values())


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
    offset, written = put
    at = manifest.at(offset)
    edit = types.WorkspaceEdit(changes={uri: [types.TextEdit(types.Range(at, at), written)]})
    yield types.CodeAction(visible(title), kind=types.CodeActionKind.QuickFix, edit=edit)


_CHANGES = {Change.NONE: "changes nothing", Change.REVERSIBLE: "reversible", Change.IRREVERSIBLE: "irreversible"}
_STANDS = {
    NoteKind.ESCAPE: "❌ outside of the manifest",
    NoteKind.DENIED: "🚫 denied by the manifest",
    NoteKind.OPAQUE: "❔ not understood, so not contained",
}
_WHO = {"instructed": "the text asks the agent for it", "hook": "it runs without being asked"}
_WORD = re.compile(r'"([a-z*]+(?:\.[a-z*]+)?)"')
_CAUSES = 12  # locations that are listed


def line_hover(found: Sequence[Note]) -> str:
    """Return the hover text for one line of a script or document; empty if there is none."""
    names = dict.fromkeys(one.capability for one in found if one.capability and one.kind is not NoteKind.UNUSED)
    parts = [_finding(one) for one in found if one.kind is NoteKind.FINDING]
    parts += [
        "\n".join([_meaning(name), "", *(_cause(one) for one in found if one.capability == name)]) for name in names
    ]
    parts += [
        f"{_STANDS[one.kind]}: {code(one.message)}  \n→ {code(one.remedy)}"
        for one in found
        if one.kind is NoteKind.OPAQUE
    ]
    return "\n\n---\n\n".join(parts)


def _finding(one: Note) -> str:
    """Return a finding, its data flow, and what the rule is about."""
    rule = rules()[one.rule]
    steps = "".join(
        f"\n{number}. {code(f'{file}:{line}')} {code(text)}" for number, (file, line, text) in enumerate(one.steps, 1)
    )
    todo = f"\n\n→ {code(one.remedy)}" if one.remedy else ""
    return f"**{one.severity or 'accepted'}** {code(one.message)}\n{steps}{todo}\n\n{rule.why}\n\n`remit explain {one.rule}`"


def manifest_hover(line: str, column: int, found: Sequence[Note]) -> str:
    """Return what the capability at a column of remit.json means, and what needs it; empty if there is none."""
    for word in _WORD.finditer(line):
        name = word[1]
        if word.start() <= column <= word.end() and vocabulary().expand(name):
            meant = _meaning(name) if name in vocabulary() else f"**{code(name)}**: {_all(name)}"
            used = [one for one in found if one.capability and one.kind is not NoteKind.UNUSED]
            return "\n".join([meant, "", *_causes([one for one in used if matches(name, one.capability)])])
    return ""


def _meaning(name: str) -> str:
    known = vocabulary()[name]
    return f"**{code(name)}** {known.meaning}  \n*{known.level}, {_CHANGES[known.change]}*"


def _all(name: str) -> str:
    names = vocabulary().expand(name)
    few = ", ".join(map(code, names[:_CAUSES]))
    return few + (f" and {len(names) - _CAUSES} more" if len(names) > _CAUSES else "")


def _causes(found: Sequence[Note]) -> Iterator[str]:
    if not found:
        yield "Nothing in the skill needs it."
    for one in found[:_CAUSES]:
        yield f"- {code(f'{one.file}:{one.line}')} {code(one.scope)}{_stand(one)}"
    if len(found) > _CAUSES:
        yield f"- … and {len(found) - _CAUSES} more places"


def _cause(one: Note) -> str:
    who = f", {_WHO[one.origin]}" if one.origin in _WHO else ""
    calls = f"  \n  called from {' → '.join(map(code, one.calls))}" if one.calls else ""
    return f"- {code(one.scope)}{_stand(one)}{who}{calls}"


def _stand(one: Note) -> str:
    return f" {_STANDS[one.kind]}" if one.kind in _STANDS else ""
