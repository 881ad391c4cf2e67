"""The classes and modules that an unknown receiver may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.engine.heap import Cell
from remit.analysis.engine.run import EnginePart, Run

if TYPE_CHECKING:
    from remit.analysis.engine import engine


class Receivers(EnginePart):
    """What a value may be of which nothing is known."""

    work: engine.WorkList

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.classes: set[str] = set()  # summarised classes that an unknown receiver may be an instance of
        self.owners_of: dict[
            tuple[str, str], dict[str, None]
        ] = {}  # language and member → the classes and modules that have it
        self.cell = Cell()  # read by calls on unknown receivers

    def add(self, cls: str) -> None:
        """An unknown receiver may be an instance of this class from now on."""
        if cls not in self.classes:
            self.classes.add(cls)
            self._index_members(cls, cls, set())
            self.grew()

    def _index_members(self, owner: str, cls: str, seen: set[str]) -> None:
        """Note which names a class has members for, its bases' included."""
        section = self.run.library().section(cls)
        if section is None or cls in seen:
            return
        seen.add(cls)
        for name in section.entries:
            self.owners_of.setdefault((self.run.language(), name), {})[owner] = None
        for base in section.bases:
            self._index_members(owner, base, seen)

    def grew(self) -> None:
        """Calls on unknown receivers look again."""
        self.work.look_again(self.cell.readers)
