"""Pins: what a person has seen of a server, compared with what the server shows now. Pure.

An entry is anything of a server that a model reads before a call: a tool (`tool:NAME`), a prompt (`prompt:NAME`), the
server's instructions, and the server's origin. It is pinned as a whole: name, description, schemas, annotations. If one
character differs, it is another tool.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import secrets
import unicodedata
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.digest import canonical, digest
from remit.core.errors import GuardError, InputError
from remit.guard.session.text_findings import text_findings
from remit.guard.state_folder import checked, prepared, private_file

if TYPE_CHECKING:
    from remit.findings.model import Finding


Entries = Mapping[str, Mapping[str, Any]]

ORIGIN = "origin"
INSTRUCTIONS = "instructions"
_SEPARATORS = re.compile(r"[\W_]+")


class PinStatus(StrEnum):
    """How an entry compares with its pin."""

    SAME = "same"
    NEW = "new"  # no person has seen anything of this server
    ADDED = "added"
    CHANGED = "changed"
    SHADOWS = "shadows"  # it has the name of another tool, or a confusable one


class Sight(NamedTuple):
    """What a server shows, compared with its pin."""

    entries: Entries
    standing: Mapping[str, PinStatus]
    gone: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()  # what was shown and is not a valid entry
    pinned: Entries | None = None

    @property
    def digest(self) -> str:
        """Return the digest of everything that is shown."""
        return digest({key: dict(value) for key, value in self.entries.items()})

    @property
    def settled(self) -> bool:
        """Whether nothing needs a person's review."""
        return all(standing is PinStatus.SAME for standing in self.standing.values())

    @property
    def first(self) -> bool:
        """Whether no person has seen anything of this server."""
        return self.pinned is None

    def usable(self, key: str) -> bool:
        """Whether an entry is as a person has seen it."""
        return self.standing.get(key) is PinStatus.SAME


def compare(
    pinned: Entries | None, shown: Entries, elsewhere: Mapping[str, str], problems: tuple[str, ...] = ()
) -> Sight:
    """Compare what a server shows with its pin. `elsewhere`: folded names of other servers' tools, with the servers."""
    names: dict[str, int] = {}
    for key in shown:
        names[folded(key)] = names.get(folded(key), 0) + 1
    moved = pinned is not None and _differs(pinned.get(ORIGIN), shown.get(ORIGIN))
    standing: dict[str, PinStatus] = {}
    for key, value in shown.items():
        old = None if pinned is None else pinned.get(key)
        if old is not None and not moved and not _differs(old, value):
            standing[key] = PinStatus.SAME
        elif key.startswith("tool:") and (names[folded(key)] > 1 or folded(key) in elsewhere):
            standing[key] = PinStatus.SHADOWS
        elif pinned is None:
            standing[key] = PinStatus.NEW
        else:
            standing[key] = PinStatus.ADDED if old is None else PinStatus.CHANGED
    gone = tuple(key for key in pinned or () if key not in shown)
    return Sight(shown, standing, gone, problems, pinned)


def folded(name: str) -> str:
    """Return a name as a hurried reader sees it: without case, separators and confusable letters."""
    return _SEPARATORS.sub("", unicodedata.normalize("NFKC", name).casefold())


def diff(sight: Sight, longest: int | None = None) -> str:
    """Return what differs from the pin, line by line, up to a number of characters."""
    parts: list[str] = []
    for key, standing in sight.standing.items():
        if standing is not PinStatus.SAME:
            old = (sight.pinned or {}).get(key)
            parts += [f"{standing.value} {key}", *_lines(old, sight.entries[key])]
    parts += [f"gone {key}" for key in sight.gone]
    parts += [f"refused {problem}" for problem in sight.problems]
    text = "\n".join(parts)
    if longest is None or len(text) <= longest:
        return text
    return f"{text[:longest]}\n… {len(text)} characters in all: remit guard mcp pins"


def _lines(old: Mapping[str, Any] | None, new: Mapping[str, Any]) -> list[str]:
    before = _written(old) if old is not None else []
    return [f"  {line}" for line in list(difflib.unified_diff(before, _written(new), n=1, lineterm=""))[2:]]


def _written(value: Mapping[str, Any]) -> list[str]:
    # non-ASCII characters are escaped: what is hidden in a description must show in its diff
    return json.dumps(value, indent=1, sort_keys=True).splitlines()


def _differs(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> bool:
    if old is None or new is None:
        return old is not new
    return digest(dict(old)) != digest(dict(new))


SERVER = re.compile(r"[A-Za-z0-9](?:_?[A-Za-z0-9-])*", re.ASCII)  # its delimiter, `__`, does not occur in it
LONGEST_SERVER = 40
_FORM = 1
_MOST = 16 * 1024 * 1024


class PinFiles(NamedTuple):
    """The files of pins."""

    folder: Path

    @classmethod
    def of(cls, state: Path) -> PinFiles:
        """Return the pins of a state folder, which is made if it does not exist."""
        return cls(prepared(prepared(state).folder / "mcp").folder)

    def servers(self) -> tuple[str, ...]:
        """Return every server that was ever seen or accepted."""
        names = {path.name.split(".")[0] for path in self.folder.glob("*.json") if path.name.count(".") == 2}
        return tuple(sorted(names))

    def pinned(self, server: str) -> Entries | None:
        """Return what a person accepted; None if no person has seen the server."""
        found = self._read(self._path(server, "pins"))
        return None if found is None else found["entries"]

    def seen(self, server: str) -> Sight | None:
        """Return what was shown last and waits for a person, compared with the current pin."""
        found = self._read(self._path(server, "seen"))
        if found is None:
            return None
        return compare(self.pinned(server), found["entries"], self.elsewhere(server), tuple(found["problems"]))

    def pin(self, server: str, entries: Entries) -> None:
        """Pin what a person accepted."""
        self._write(self._path(server, "pins"), {"entries": dict(entries)})
        self._path(server, "seen").unlink(missing_ok=True)

    def keep(self, server: str, sight: Sight) -> None:
        """Store what waits for a person."""
        value = {"entries": dict(sight.entries), "problems": list(sight.problems)}
        if self._read(self._path(server, "seen")) != value | {"remit": _FORM}:
            self._write(self._path(server, "seen"), value)

    def elsewhere(self, server: str) -> dict[str, str]:
        """Return the tools of other servers that a person accepted: folded names, with their servers."""
        found: dict[str, str] = {}
        for other in self.servers():
            if other != server:
                found |= {folded(key): other for key in self.pinned(other) or () if key.startswith("tool:")}
        return found

    def _path(self, server: str, kind: str) -> Path:
        return self.folder / f"{checked_name(server)}.{kind}.json"

    def _read(self, path: Path) -> dict[str, Any] | None:
        checked(self.folder)
        if not os.path.lexists(path):
            return None
        private_file(path)
        try:
            data = path.read_bytes()
            value = json.loads(data) if len(data) <= _MOST else None
        except (OSError, ValueError, RecursionError) as error:
            raise GuardError(f"`{path}` cannot be read: {error}", "move it away, and accept the server again") from None
        if not (
            isinstance(value, dict)
            and value.get("remit") == _FORM
            and isinstance(value.get("entries"), dict)
            and all(isinstance(entry, dict) for entry in value["entries"].values())
        ):
            raise GuardError(f"`{path}` is not a file of pins", "move it away, and accept the server again")
        return value

    def _write(self, path: Path, value: dict[str, Any]) -> None:
        checked(self.folder)
        draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        try:
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
                json.dump({"remit": _FORM, **value}, file, indent=1)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        except OSError as error:
            raise GuardError(f"`{path}` cannot be written: {error}", "look at the state folder") from None
        finally:
            draft.unlink(missing_ok=True)


def checked_name(server: str) -> str:
    """Check that the name of a server can be separated from the tool in `mcp__SERVER__TOOL`."""
    if len(server) > LONGEST_SERVER or SERVER.fullmatch(server) is None:
        message = f"`{server}` cannot be the name of a server"
        raise GuardError(message, "letters, digits, `-` and single `_`, at most 40; give another with --name")
    return server


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


def listed(kind: str, items: Sequence[Any]) -> tuple[dict[str, Mapping[str, Any]], list[str]]:
    """Return the entries of one list, and problems. Malformed, too large and duplicate items are left out, and cannot be used."""
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
    return entries, problems


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
    """Return what the client is shown: pinned entries unchanged; only names before a person has seen the server."""
    prefix = f"{KINDS[kind]}:"
    found: list[Mapping[str, Any]] = []
    for key, value in sight.entries.items():
        if key.startswith(prefix):
            if sight.usable(key):
                found.append(value)
            elif sight.standing[key] is PinStatus.NEW:
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
    """Return resources without their descriptions, which cannot be pinned because resources come and go."""
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
    """Return findings in descriptions, titles and schemas. Only a person may accept an entry that has any."""
    found: list[Described] = []
    for key, value in entries.items():
        if key != ORIGIN:
            found += (Described(key, finding, text) for text in _texts(value) for finding in text_findings(text))
    return tuple(found)


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
