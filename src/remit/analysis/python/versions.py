"""Versions of local variables: what a name means depends on where in the function it stands.

Facts have no order, so a variable that is assigned several times would be the join of all its values, and `cmd = ["nice"] + cmd`
would feed itself. Each assignment therefore makes a variable of its own, and where ways meet a new one joins them. Only
locals that are assigned more than once have versions; what nested functions see is the join of all, under a name of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from remit.analysis.ir import Bind, Choice, Fact, Term, Var

State: TypeAlias = (
    "tuple[dict[str, str], bool]"  # the version of each variable, and whether this point is never reached
)


def shared(name: str) -> str:
    """The variable that holds whatever a local with versions ever is, for those who look from elsewhere."""
    return f"{name}*"


@dataclass(slots=True)
class Loop:
    """A loop that is being lowered: what the variables are where it is left or begun again."""

    breaks: list[State] = field(default_factory=list)
    continues: list[State] = field(default_factory=list)


class Flow:
    """The versions while a function is lowered from top to bottom."""

    def __init__(self, owner: int, names: frozenset[str], facts: list[Fact]) -> None:
        self.owner = owner
        self.names = names
        self.facts = facts
        self.current: dict[str, str] = {}
        self.dead = False
        self.made: list[tuple[str, str]] = []
        self.loops: list[Loop] = []
        self.lazy = 0  # inside a generator expression, which runs later

    def read(self, name: str) -> str:
        """The variable that a reference means here."""
        return shared(name) if self.lazy else self.current.get(name, name)

    def bind(self, name: str, value: Term, *, surely: bool = True) -> None:
        """An assignment; if it may not happen, the old value may remain."""
        old = self.current.get(name, name)
        version = self._make(name)
        self.facts.append(Bind(self.owner, version, value if surely else Choice((value, Var(self.owner, old)))))

    def _make(self, name: str) -> str:
        version = f"{name}@{len(self.made)}"
        self.made.append((name, version))
        self.current[name] = version
        return version

    # ── states ──

    def state(self) -> State:
        """Here."""
        return dict(self.current), self.dead

    def resume(self, state: State) -> None:
        """Go on from there."""
        self.current, self.dead = dict(state[0]), state[1]

    def end(self) -> None:
        """What follows in this block is never reached."""
        self.dead = True

    def join(self, states: list[State]) -> None:
        """Ways meet."""
        live = [current for current, dead in states if not dead]
        self.resume((states[0][0], not live))
        for name in self.names:
            versions = list(dict.fromkeys(current.get(name, name) for current in live))
            if len(versions) == 1:
                self.current[name] = versions[0]
            elif versions:
                self._merge(name, versions)

    def _merge(self, name: str, versions: list[str]) -> None:
        joined = self._make(name)
        self.facts.append(Bind(self.owner, joined, Choice(tuple(Var(self.owner, version) for version in versions))))

    def anywhere(self, start: State, mark: int) -> State:
        """What the variables may be at some point between `start`, when `mark` versions were made, and here."""
        before = self.state()
        self.resume((start[0], False))
        for name in self.names:
            versions = [start[0].get(name, name), *(version for other, version in self.made[mark:] if other == name)]
            if len(versions) > 1:
                self._merge(name, list(dict.fromkeys(versions)))
        found = self.state()
        self.resume(before)
        return found

    # ── loops ──

    def enter_loop(self) -> dict[str, str]:
        """The variables at the head of a loop: as before, or as the last round left them."""
        self.loops.append(Loop())
        for name in self.names:
            self._merge(name, [self.current.get(name, name)])
        return dict(self.current)

    def close_loop(self, head: dict[str, str]) -> Loop:
        """The body is done: its ends lead back to the head, from where the loop is left."""
        loop = self.loops.pop()
        for current, dead in [self.state(), *loop.continues]:
            for name in self.names if not dead else ():
                if current.get(name, name) != head[name]:
                    self.facts.append(Bind(self.owner, head[name], Var(self.owner, current.get(name, name))))
        self.resume((head, False))
        return loop

    def leave(self, *, again: bool) -> None:
        """`break` or `continue`."""
        if self.loops:
            (self.loops[-1].continues if again else self.loops[-1].breaks).append(self.state())
        self.end()

    def finish(self) -> None:
        """The function is done: what others see of its variables."""
        for name in self.names:
            self.facts.append(Bind(self.owner, shared(name), Var(self.owner, name)))
        for name, version in self.made:
            self.facts.append(Bind(self.owner, shared(name), Var(self.owner, version)))
