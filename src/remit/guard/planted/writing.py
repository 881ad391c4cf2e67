"""The texts that a call would write, each with the file that it would stand in: those of tools, and of commands where they are known."""

from __future__ import annotations

import json
import re
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.capability import FILE_WRITES
from remit.core.remembered import Facts
from remit.core.scope import ROOT, PathScope
from remit.core.scope.component import literal
from remit.guard.hosts.patch import FIELD
from remit.guard.hosts.want import Role
from remit.guard.paths import landing
from remit.guard.planted.patches import changes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from remit.guard.drafting import Drafted
    from remit.guard.event import Event
    from remit.guard.hosts.want import Want
    from remit.policy.request import Request

LARGEST = 2_000_000  # bytes of a file that is read: the text before a change
# How hosts name the two texts of a change, and that it is made wherever the first one stands.
_PAIRS = (("old_string", "new_string"), ("old_str", "new_str"), ("oldString", "newString"), ("oldText", "newText"))
_ALL = ("replace_all", "replaceAll", "allow_multiple")


class Form(StrEnum):
    """How a text is known."""

    TEXT = "text"  # it is written
    COPY = "copy"  # it stands in another file already, and was read there
    WORDS = "words"  # of a command that changes the file in a way that nobody follows: `sed -i`


class Writing(NamedTuple):
    """One text. `before` is what stands there now; a text may be all of the file or be added to it."""

    path: str  # absolute
    text: str
    before: str
    form: Form = Form.TEXT
    whole: bool = False  # it is all that stands there afterwards


def writings(event: Event, wants: Iterable[Want], drafted: Drafted, home: str, root: str) -> tuple[Writing, ...]:
    """What a call writes, as far as anybody can say. `root` is the workspace."""
    found = dict.fromkeys(_by_tool(event, wants, home))
    if drafted.understood and not found and not _may_write(drafted):
        return ()
    for known in drafted.understood:
        for path, text in known.written:
            whole = _is_redirected(path, drafted.outgoing)
            found[Writing(path, text, content(path), whole=whole)] = None
    found |= dict.fromkeys(_copied(drafted.requests, root))
    if drafted.understood:
        told = {one.path for one in found if one.form is Form.TEXT}
        for path in sorted(set(_named(drafted.requests, FILE_WRITES)) - told):
            found[Writing(path, drafted.outgoing, content(path), Form.WORDS)] = None
    return tuple(found)


_known_to_write: Facts[bool] = Facts()


def _may_write(drafted: Drafted) -> bool:
    """Whether a command may write to a file."""
    found = _known_to_write.get(drafted)
    if found is None:
        found = any(one.capability in FILE_WRITES for one in drafted.requests) or any(
            known.written for known in drafted.understood
        )
        _known_to_write.put(drafted, found)
    return found


def writes_text(want: Want) -> bool:
    """Whether a tool writes a text into a file."""
    return want.capability in FILE_WRITES and want.role is Role.PATH and want.content is not None


def content(path: str) -> str:
    """What a file says now; nothing if there is none, or it is too large to be read."""
    try:
        with Path(path).open("rb") as file:
            return file.read(LARGEST).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


def _by_tool(event: Event, wants: Iterable[Want], home: str) -> Iterator[Writing]:
    patches = {
        where: change
        for text in (event.args.values() if FIELD in event.args else ())
        if isinstance(text, str)
        for change in changes(text)
        for name in (change.path, change.moved)
        if name and (where := landing(name, event.cwd, home))
    }
    for want in wants:
        path = landing(want.target, event.cwd, home) if writes_text(want) else None
        if path is None:
            continue
        change = patches.get(path)
        source = landing(change.path, event.cwd, home) if change else path
        before = content(source or path)
        text = change.applied(before) if change else _changed(path, event.args, want.content or "", before)
        yield Writing(path, text, before, whole=True)


def _is_redirected(path: str, command: str) -> bool:
    """Whether the output of a command replaces what stands in a file (`> x`); what is added (`>> x`) replaces nothing."""
    return re.search(rf"(?<![>\d&=-])>\|?\s*['\"]?[^\s'\"|;&<>]*{re.escape(Path(path).name)}", command) is not None


def _changed(path: str, args: Mapping[str, Any], new: str, before: str) -> str:
    """The text of a file after a tool changed it."""
    pairs = [pair for item in (args, *_items(args)) for pair in _pair(item)]
    if path.endswith(".ipynb") and "new_source" in args:
        return _with_cell(before, new)
    if not pairs:
        return new
    for old, text, everywhere in pairs:
        before = before.replace(old, text, -1 if everywhere else 1) if old and old in before else f"{before}\n{text}"
    return before


def _items(args: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    edits = args.get("edits")
    yield from (item for item in edits if hasattr(item, "get")) if isinstance(edits, list | tuple) else ()


def _pair(item: Mapping[str, Any]) -> Iterator[tuple[str, str, bool]]:
    for old, new in _PAIRS:
        if isinstance(item.get(new), str):
            yield str(item.get(old) or ""), item[new], any(item.get(name) for name in _ALL)


def _with_cell(before: str, source: str) -> str:
    """A notebook with one more cell: which one it replaces changes nothing of what it adds."""
    try:
        cells = list(json.loads(before)["cells"])
    except (ValueError, KeyError, TypeError):
        cells = []
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": source}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [*cells, cell]}, indent=1)


def _copied(requests: Iterable[Request], root: str) -> Iterator[Writing]:
    """A file that a command reads may become one that it writes: a copy, a move, a text that is passed on.

    What lies in the workspace under a name of the same kind is there already, so a copy of it adds nothing.
    """
    read = set(_named(requests, ("file.read", "source.read")))
    written = set(_named(requests, FILE_WRITES))
    for source in sorted(read - written):
        own = source.startswith(f"{root}/") and "/skills/" not in source[len(root) :]
        for path in sorted(written):
            if not own or Path(source).suffix != Path(path).suffix:
                yield Writing(path, content(source), content(path), Form.COPY)


def _named(requests: Iterable[Request], capabilities: tuple[str, ...]) -> Iterator[str]:
    for request in requests:
        scope = request.scope
        if request.capability in capabilities and isinstance(scope, PathScope) and scope.anchor == ROOT:
            parts = [literal(part) for part in scope.parts]
            if None not in parts:
                yield "/" + "/".join(part or "" for part in parts)
