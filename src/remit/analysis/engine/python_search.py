"""Where Python looks for modules: `sys.path`, and what a skill puts there.

A module that is not part of the skill is taken for the public library of its name. That holds for the folders of the installation, and
for those of the skill, which are read. It does not hold for a folder that anybody may write to, the skill itself included: what is
imported then is code that nobody has seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import SOME_TEXT, Object, Value
from remit.analysis.each import each
from remit.analysis.engine.python_reflection import PythonReflection
from remit.analysis.scoping import scopes_of
from remit.core.scope import DEEP, SKILL, PathScope, covers

if TYPE_CHECKING:
    from remit.analysis.domain import Atom
    from remit.analysis.engine.frames import Args

_SKILL = PathScope(SKILL, (DEEP,))
_OUTSIDE = "modules are imported from a folder that is not surely part of the skill"
_REMEDY = "keep modules in the skill, and name their folder from `__file__`"


class PythonSearch(PythonReflection):
    """The list `sys.path`, one for all modules."""

    def _sys_path(self, receiver: Atom | None, args: Args, line: int) -> Value:
        self.search_path = None  # what stands in it at the start is no news
        found = self.collection(self.slots.setdefault((-1, "sys.path"), object()), "list", SOME_TEXT, line)
        for atom in each(found):
            if isinstance(atom, Object):
                self.search_path = self.heap(atom)
        self._search_line = line
        return found

    def search_also(self, value: Value) -> None:
        """Something is put into `sys.path`, by the statement that looked at it last."""
        scopes = scopes_of("source.read", value, self.read(self.cwd))
        if value and not all(covers(_SKILL, scope) for scope in scopes):
            self.opaque(_OUTSIDE, self._search_line, _REMEDY)
