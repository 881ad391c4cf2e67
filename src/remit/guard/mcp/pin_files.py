"""Pins in the state folder: `mcp/SERVER.pins.json` is what a person accepted, `mcp/SERVER.seen.json` what was shown last."""

from __future__ import annotations

import json
import os
import re
import secrets
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import GuardError
from remit.guard.mcp.pins import compare, folded
from remit.guard.places import checked, prepared, private_file

if TYPE_CHECKING:
    from pathlib import Path

    from remit.guard.mcp.pins import Entries, Sight

SERVER = re.compile(r"[A-Za-z0-9](?:_?[A-Za-z0-9-])*", re.ASCII)  # what ends it, `__`, is not in it
LONGEST_SERVER = 40
_FORM = 1
_MOST = 16 * 1024 * 1024


class PinFiles(NamedTuple):
    """Where pins lie."""

    folder: Path

    @classmethod
    def of(cls, state: Path) -> PinFiles:
        """Those of a state folder, which is made if it is not there."""
        return cls(prepared(prepared(state).folder / "mcp").folder)

    def servers(self) -> tuple[str, ...]:
        """Every server that was ever seen or accepted."""
        names = {path.name.split(".")[0] for path in self.folder.glob("*.json") if path.name.count(".") == 2}
        return tuple(sorted(names))

    def pinned(self, server: str) -> Entries | None:
        """What a person accepted; None if nobody has seen the server."""
        found = self._read(self._path(server, "pins"))
        return None if found is None else found["entries"]

    def seen(self, server: str) -> Sight | None:
        """What was shown last and waits for a person, held against the pin as it is now."""
        found = self._read(self._path(server, "seen"))
        if found is None:
            return None
        return compare(self.pinned(server), found["entries"], self.elsewhere(server), tuple(found["problems"]))

    def pin(self, server: str, entries: Entries) -> None:
        """Accept it."""
        self._write(self._path(server, "pins"), {"entries": dict(entries)})
        self._path(server, "seen").unlink(missing_ok=True)

    def keep(self, server: str, sight: Sight) -> None:
        """Keep what waits for a person."""
        value = {"entries": dict(sight.entries), "problems": list(sight.problems)}
        if self._read(self._path(server, "seen")) != value | {"remit": _FORM}:
            self._write(self._path(server, "seen"), value)

    def elsewhere(self, server: str) -> dict[str, str]:
        """Tools of other servers that a person accepted: folded names, and whose they are."""
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
            raise GuardError(f"`{path}` cannot be read: {error}", "put it aside, and accept the server anew") from None
        if not (
            isinstance(value, dict)
            and value.get("remit") == _FORM
            and isinstance(value.get("entries"), dict)
            and all(isinstance(entry, dict) for entry in value["entries"].values())
        ):
            raise GuardError(f"`{path}` is not a file of pins", "put it aside, and accept the server anew")
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
    """The name of a server, if it can be told from the tool in `mcp__SERVER__TOOL`."""
    if len(server) > LONGEST_SERVER or SERVER.fullmatch(server) is None:
        message = f"`{server}` cannot be the name of a server"
        raise GuardError(message, "letters, digits, `-` and single `_`, at most 40; give another with --name")
    return server
