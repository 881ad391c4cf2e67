"""Conversion of a server's lists into entries, and of entries into what a client is shown. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.digest import canonical
from remit.core.errors import InputError
from remit.guard.mcp.pins import INSTRUCTIONS, ORIGIN, Entries, Sight, Standing
from remit.guard.session.text_findings import text_findings

if TYPE_CHECKING:
    from remit.findings.model import Finding

MOST_ENTRIES = 2000
LARGEST_ENTRY = 256 * 1024  # bytes of canonical JSON
LARGEST_LIST = 4 * 1024 * 1024
LONGEST_RESOURCE_NAME = 200
KINDS = {"tools": "tool", "prompts": "prompt"}
_NAME = re.compile(r"[A-Za-z0-9_./-]{1,128}", re.ASCII)
_TEXTS = (
    "description",
    "title",
    "icons",
    "annotations",
    "_meta",
)  # of a resource: written by the server, and not pinned


class Listed(NamedTuple):
    """Everything that a server lists."""

    entries: dict[str, Mapping[str, Any]]
    problems: tuple[str, ...]


def listed(kind: str, items: Sequence[Any]) -> Listed:
    """Return the entries of one list. Malformed, too large and duplicate items are left out, and cannot be used."""
    entries: dict[str, Mapping[str, Any]] = {}
    problems: list[str] = []
    twice: set[str] = set()
    size = 0
    for item in items:
        problem, name = _problem(kind, item)
        key = f"{KINDS[kind]}:{name}"
        if not problem:
            length = len(canonical(item))
            size += length
            problem = (
                "is too large" if length > LARGEST_ENTRY or size > LARGEST_LIST
                else "is one too many" if len(entries) >= MOST_ENTRIES
                else ""
            )  # fmt: skip
        if problem:
            problems.append(f"{key[:200]!r}: {problem}")
        elif key in entries:
            twice.add(key)
        else:
            entries[key] = item
    for key in twice:  # it is unknown which of them a call would reach
        del entries[key]
        problems.append(f"{key!r}: is there twice")
    return Listed(entries, tuple(problems))


def _problem(kind: str, item: Any) -> tuple[str, str]:
    if not isinstance(item, dict):
        return "is no object", ""
    name = item.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        return "has no name of letters, digits and `_-./`", name[:200] if isinstance(name, str) else ""
    try:
        canonical(item)
    except (InputError, RecursionError, TypeError) as error:
        return f"is no JSON that can be pinned: {error}", name
    schemas = [item.get("inputSchema", {} if kind == "prompts" else None), item.get("outputSchema", {})]
    if not all(isinstance(schema, dict) for schema in schemas):
        return "has a schema that is none", name
    if not isinstance(item.get("description", ""), str):
        return "has a description that is no text", name
    return "", name


def shown(sight: Sight, kind: str) -> list[Mapping[str, Any]]:
    """Return what the client is shown: pinned entries unchanged; names alone before a person has seen the server;
    otherwise nothing.
    """
    prefix = f"{KINDS[kind]}:"
    found: list[Mapping[str, Any]] = []
    for key, value in sight.entries.items():
        if key.startswith(prefix):
            if sight.usable(key):
                found.append(value)
            elif sight.standing[key] is Standing.NEW:
                found.append(_neutral(kind, key.removeprefix(prefix)))
    return found


def _neutral(kind: str, name: str) -> dict[str, Any]:
    text = "This server is not accepted yet; calls are refused until a person accepts it."
    schema = {"inputSchema": {"type": "object"}} if kind == "tools" else {}
    return {"name": name, "description": text, **schema}


def instructions(sight: Sight) -> str | None:
    """Return the server's instructions, if a person has seen them."""
    text = sight.entries.get(INSTRUCTIONS, {}).get("text") if sight.usable(INSTRUCTIONS) else None
    return text if isinstance(text, str) else None


def bare(items: Any) -> list[dict[str, Any]]:
    """Return resources without the server's descriptions: resources come and go, so their descriptions cannot be
    pinned.
    """
    found = []
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and isinstance(item.get("name"), str):
            kept = {key: value for key, value in item.items() if key not in _TEXTS}
            found.append(kept | {"name": item["name"][:LONGEST_RESOURCE_NAME]})
    return found[:MOST_ENTRIES]


class Described(NamedTuple):
    """A finding, and the entry that contains it."""

    key: str
    finding: Finding
    text: str

    def line(self) -> str:
        """Return a line for people; non-ASCII characters are escaped, because hidden ones are what is found."""
        sentence = self.text[:300].encode("ascii", "backslashreplace").decode()
        return f"{self.key}: {self.finding.severity.value}: {self.finding.message}: {sentence}"


def findings(entries: Entries) -> tuple[Described, ...]:
    """Return findings in the texts of entries: descriptions, titles, and schemas. Only a person may accept such an
    entry.
    """
    found: list[Described] = []
    for key, value in entries.items():
        if key != ORIGIN:
            found += (Described(key, finding, text) for text in _texts(value) for finding in text_findings(text))
    return tuple(found)


def grave(entries: Entries) -> frozenset[str]:
    """Return the entries that only a person may accept."""
    return frozenset(one.key for one in findings(entries))


def _texts(value: Any) -> dict[str, None]:
    """Return each text once, with keys: the same words occur in title, description and schema."""
    found: dict[str, None] = {}
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            if " " in item or not item.isascii():
                found[item] = None
        elif isinstance(item, dict):
            todo += [*item.keys(), *item.values()]
        elif isinstance(item, list):
            todo += item
    return found
