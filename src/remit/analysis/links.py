"""Links that the skill makes: where they lead, also after they were moved or copied, and what goes through them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from remit.analysis.engine.texts import texts_of
from remit.analysis.file_runs import may_copy
from remit.analysis.scopes import behind_link, below, moved_ends, scopes_of
from remit.core.capability import FILE_DELETES, FILE_READS, FILE_WRITES
from remit.core.scope import DEEP, PathScope, Scope, overlaps

if TYPE_CHECKING:
    from remit.analysis.domain import Text, Value
    from remit.analysis.world import Site
    from remit.core.effect import Effect
    from remit.core.location import Location
    from remit.core.via import Via

_MOST = 300
_IN_A_ROW = 4  # after which whole folders are meant


class Links:
    """From where to where."""

    def __init__(self) -> None:
        self._leads: dict[tuple[Scope, Scope], Site] = {}
        # Paths with `..` behind a name, which lead elsewhere if the name is a link: the effect, and what stands before `..`.
        self._climbs: list[tuple[str, Site, Via, frozenset[Scope]]] = []
        self._behind: dict[tuple[Scope, bool], list[tuple[Scope, Scope]]] = {}  # many effects have the same scope

    def add(self, path: Value, target: Value, site: Site, cwd: Value) -> None:
        """A path leads to a target from now on."""
        starts, ends = (scopes_of("file.write", value, cwd) for value in (path, target))
        for start in starts:
            for end in ends:
                if start != end:
                    self._leads.setdefault((start, end), site)

    def passes(self, capability: str, path: Value, site: Site, via: Via, cwd: Value) -> None:
        """A path is used."""
        for item in texts_of(path):
            for before in _before_climbing(item):
                self._climbs.append((capability, site, via, scopes_of(capability, frozenset({before}), cwd)))

    def climbed(self) -> Iterator[tuple[str, Site, Via]]:
        """What happens at `link/..`, which is beside the target of the link."""
        for capability, site, via, before in self._climbs:
            if any(
                isinstance(start, PathScope) and isinstance(scope, PathScope) and overlaps(start, scope)
                for start, _ in self._leads
                for scope in before
            ):
                yield capability, site, via

    def behind(self, effect: Effect, row: int) -> Iterator[Scope]:
        """The places behind links where an effect happens as well; `row` is how many links were followed to get here.

        It is asked when all links are known.
        """
        whole = row > _IN_A_ROW
        found = self._behind.get((effect.scope, whole))
        if found is None:
            ends = ((start, behind_link(effect.scope, start, end, whole=whole)) for start, end in self._leads)
            found = self._behind[effect.scope, whole] = [(start, scope) for start, scope in ends if scope is not None]
        for start, scope in found:
            if effect.capability != "file.delete" or effect.scope != start:
                yield scope  # but where the link itself is removed

    def targets(self, scopes: Iterable[Scope]) -> frozenset[Scope]:
        """The places behind the links that some places may lie at."""
        found = (behind_link(scope, start, end, whole=False) for scope in scopes for start, end in self._leads)
        return frozenset(scope for scope in found if scope is not None)

    def carry(self, effects: Iterable[Effect]) -> tuple[str, Site] | None:
        """What takes a link, or a folder that holds one, may have moved or copied it to what it writes.

        The answer is why links cannot be followed, if they cannot.
        """
        if not self._leads:
            return None
        made, moves = set(self._leads), _moves(effects)
        deep: dict[Scope, list[PathScope]] = {}  # target → folders everything in which leads there
        todo = sorted(self._leads.items(), key=lambda item: repr(item[0]))  # the same in every run
        while todo and len(self._leads) <= _MOST:
            (start, end), site = todo.pop()
            again = (start, end) not in made
            places = (
                (target, rest)
                for source in moves
                if (rest := below(start, source)) is not None
                for target in moves[source]
            )
            for target, inner in places:
                rest = inner
                if again or DEEP in (*target.parts, *rest):  # anywhere below
                    rest = () if target.parts[-1:] == (DEEP,) else (DEEP,)
                moved = target._replace(parts=(*target.parts, *rest))
                for to in (end,) if again else moved_ends(start, end, moved):
                    known = deep.setdefault(to, [])
                    if (moved, to) in self._leads or any(_lies_in(moved, folder) for folder in known):
                        continue
                    if moved.parts[-1:] == (DEEP,):
                        known.append(moved)
                    self._leads[moved, to] = site
                    todo.append(((moved, to), site))
        if len(self._leads) > _MOST:
            return "it makes more links than can be followed", next(reversed(self._leads.values()))
        return None


def _lies_in(path: PathScope, folder: PathScope) -> bool:
    """Whether a path is one of those in a folder (`a/**`)."""
    above = folder.parts[:-1]
    return path.anchor == folder.anchor and path.parts[: len(above)] == above


def _moves(effects: Iterable[Effect]) -> dict[PathScope, list[PathScope]]:
    """What programs and functions that move or copy take, and what each writes at the same place."""
    taken: dict[tuple[Location, str], list[PathScope]] = {}
    written: dict[tuple[Location, str], list[PathScope]] = {}
    for effect in effects:
        if isinstance(effect.scope, PathScope) and may_copy(effect.via):
            key = effect.where, effect.via.name
            if effect.capability in FILE_WRITES:
                written.setdefault(key, []).append(effect.scope)
            elif effect.capability in (*FILE_READS, *FILE_DELETES):
                taken.setdefault(key, []).append(effect.scope)
    found: dict[PathScope, set[PathScope]] = {}
    for key, sources in taken.items():
        for source in sources:
            found.setdefault(source, set()).update(written.get(key, ()))
    return {source: sorted(found[source], key=repr) for source in sorted(found, key=repr)}


def _before_climbing(path: Text) -> Iterator[Text]:
    """What stands before each `/..` of a path, if it ends in a name."""
    for number, part in enumerate(path.parts):
        at = part.find("/..") if isinstance(part, str) else -1
        while isinstance(part, str) and at >= 0:
            name = part[:at].rpartition("/")[2]
            if (part[at + 3 : at + 4] in ("", "/") and name not in ("", ".", "..")) or (at == 0 and number):
                yield path._replace(parts=(*path.parts[:number], part[:at]) if at else path.parts[:number])
            at = part.find("/..", at + 3)
