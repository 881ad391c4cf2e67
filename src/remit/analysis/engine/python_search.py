"""Where Python looks for modules: `sys.path`, and what a skill puts there.

A module that is not part of the skill is taken for the public library of its name. That holds for the folders of the installation, and
for those of the skill, which are read. It does not hold for a folder that anybody may write to, the skill itself included: what is
imported then is code that nobody has seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import SOME_TEXT, Atom, Object, Value
from remit.analysis.each import each
from remit.analysis.engine.run import EnginePart, Run

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Args, Handler
    from remit.analysis.engine.heap import Heap


class PythonSearch(EnginePart):
    """The list `sys.path`, one for all modules."""

    objects: engine.Objects

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.search_path: Heap | None = None  # `sys.path`, once something has looked at it
        self.search_line = 0

    def handlers(self) -> dict[str, Handler]:
        """What summaries mark `! intrinsic`, by name."""
        return {
            "sys.path": self._sys_path,
        }  # fmt: skip

    def _sys_path(self, receiver: Atom | None, args: Args, line: int) -> Value:
        self.search_path = None  # what stands in it at the start is no news
        found = self.objects.collection(self.objects.slot(-1, "sys.path"), "list", SOME_TEXT, line)
        for atom in each(found):
            if isinstance(atom, Object):
                self.search_path = self.objects.heap(atom)
        self.search_line = line
        return found
