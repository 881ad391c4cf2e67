"""Functions by the place that hands them on (rule 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import Atom, Bound, Class, Closure, Lib, Value
from remit.analysis.engine.run import EnginePart

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.ir import Term

_FUNCTIONS = frozenset({Closure, Lib, Bound, Class})


class References(EnginePart):
    """Notes where a function is handed on."""

    leaks: engine.Leaks
    lost: engine.Lost
    terms: engine.Terms

    def reference(self, term: Term) -> Value:
        """The value of a term that is handed on: passed, stored or returned.

        A function among it is noted with this place. One that is never called by way of it was lost sight of, and counts as called
        with anything (rules 2 and 3), however often it is called elsewhere.
        """
        value = self.terms.eval(term)
        for atom in value:
            if type(atom) in _FUNCTIONS:
                return self._noted(value, term)
        return value

    def _noted(self, value: Value, term: Term) -> Value:
        site = self.leaks.sites.setdefault(id(term), len(self.leaks.sites) + 1)
        out: set[Atom] = set()
        for atom in value:
            found = self._sited(atom, site)
            out.add(found)
            if found is not atom and found not in self.leaks.references:
                self.leaks.references[found] = (self.run.frame, self.run.current_line)
        return frozenset(out)

    def _sited(self, atom: Atom, site: int) -> Atom:
        if isinstance(atom, Closure):
            return atom if atom.site else Closure(atom.function, atom.frame, site)
        if isinstance(atom, Class):
            return atom if atom.site else Class(atom.index, site)
        if isinstance(atom, Lib):
            return Lib(atom.name, site) if not atom.site and self.lost.acts(atom.name) else atom
        if isinstance(atom, Bound):
            function = self._sited(atom.function, site)
            assert isinstance(function, (Lib, Closure))
            return atom if function is atom.function else Bound(function, atom.receiver)
        return atom
