"""Documents that tell the agent to run one script in many ways: a few are followed one by one, the others together.

Each way costs a walk through the script. Words that are joined place by place stand for every combination of them, so
nothing is lost but which word goes with which.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from remit.analysis.domain import Value
    from remit.analysis.world import Site

ONE_BY_ONE = 5


class ShellRun(NamedTuple):
    """One way to run a shell script of the skill."""

    file: str
    site: Site
    args: tuple[Value, ...]
    rest: Value
    cwd: Value
    env: Mapping[str, Value] | None
    stdin: Value

    @property
    def surroundings(self) -> Hashable:
        """What runs that are joined have in common."""
        env = frozenset(self.env.items()) if self.env else None
        return self.file, len(self.args), bool(self.rest), self.cwd, env, self.stdin


class Repeats:
    """Counts the runs of each script, and keeps those that are to be run together."""

    def __init__(self) -> None:
        self._count: Counter[str] = Counter()
        self._waiting: dict[Hashable, ShellRun] = {}

    def defer(self, run: ShellRun) -> bool:
        """Whether this run was put off, to be joined with others."""
        key = run.surroundings
        self._count[run.file] += 1
        if self._count[run.file] <= ONE_BY_ONE:
            return False
        before = self._waiting.get(key)
        self._waiting[key] = run if before is None else _joined(before, run)
        return True

    def take(self) -> list[ShellRun]:
        """The runs that were put off."""
        waiting, self._waiting = list(self._waiting.values()), {}
        return waiting


def _joined(one: ShellRun, other: ShellRun) -> ShellRun:
    """Words by their place."""
    args = tuple(a | b for a, b in zip(one.args, other.args, strict=True))
    return one._replace(args=args, rest=one.rest | other.rest)
