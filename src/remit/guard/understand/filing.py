"""The files of this machine, as the analysis of a call finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.engine.texts import texts_of
from remit.analysis.world import HERE
from remit.guard.understand.reports import LiveReports

if TYPE_CHECKING:
    from remit.analysis.domain import Text, Value
    from remit.analysis.shell.syntax import Function
    from remit.analysis.world import Site


class LiveFiles(LiveReports):
    """What lies where, as long as the call has changed nothing."""

    def wrote(self, path: Value, content: Value, site: Site, *, added: bool = False) -> None:
        """The text of a file, under the name by which its writing was reported here."""
        for item in texts_of(self.ground.value(path)):
            landed = self.landings.written.get((item, site.where), frozenset({item}))
            if added:
                self.added |= {(name, self.ground.value(content)): None for name in texts_of(landed)}
            super().wrote(landed, self.ground.value(content), site, added=added)

    def written(self, path: Value) -> Value:
        """What was seen to be written under such a name, in whichever folder."""
        items = set(texts_of(self.ground.value(path)))
        found = [landed for (item, _), landed in self.landings.written.items() if item in items]
        return super().written(frozenset().union(items, *found))

    def skill_files(self, path: Value, cwd: Value = HERE) -> tuple[str, ...] | None:
        """The files of this machine that a path can name; None if it may be another, or there is none."""
        found: dict[str, None] = {}
        folders = [item.literal for item in texts_of(self.ground.value(cwd))]
        for item in texts_of(self.ground.value(path)):
            for folder in folders:
                if not item.literal or folder is None or "\0" in item.literal:
                    return None
                real = self.disk.real(item.literal if item.literal.startswith("/") else f"{folder}/{item.literal}")
                if real in self.landings.changed or not self.disk.is_file(real) or self.disk.is_installed(real):
                    return None
                found[real.lstrip("/")] = None
        return tuple(found) or None

    def shell_functions(self, name: str) -> tuple[Function, ...]:  # noqa: ARG002
        """Only what the call itself defines or sources is a function."""
        return ()

    def matching(self, pattern: str, cwd: Value) -> tuple[str, ...] | None:
        """What a pattern becomes, as long as the call has changed nothing yet."""
        (folder,) = [item.literal for item in texts_of(self.ground.value(cwd))] if len(cwd) == 1 else (None,)
        return None if self.changes or folder is None else self.landings.names(pattern, folder)

    def is_folder(self, path: Text) -> bool:
        """Whether a folder is there and can be entered, as long as the call has changed nothing yet."""
        found = [item.literal for item in texts_of(self.ground.value(frozenset({path})))]
        return not self.changes and all(item is not None and self.disk.is_folder(item) for item in found)
