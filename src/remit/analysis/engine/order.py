"""Order: a list that a function builds step by step is its beginning and then its steps, if each is taken at most once.

Facts have no order, so what is appended to a list could stand anywhere behind its beginning. Where the steps lie in the activation
that made the list, and in no loop that the making is not in, their order is that of their lines, and a command line that is
built so can be read as it will be. Whatever else happens to the list makes it a beginning and a bag again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from remit.analysis.domain import BOTTOM, Object, Value
from remit.analysis.engine.run import EnginePart

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.heap import Heap

MAX_WAYS = 32
MAX_STEPS = 16


@dataclass(slots=True)
class Step:
    """What one place in the source adds to a list; `sure`: whoever comes past the making comes past it."""

    site: int
    line: int
    sure: bool
    words: list[Value]


class Order(EnginePart):
    """Notes the steps and reads lists with them."""

    cells: engine.Cells
    objects: engine.Objects
    work: engine.WorkList

    def begin_list(self, heap: Heap, line: int) -> None:
        """A list is made here, and nothing but its steps changes it yet."""
        if heap.home is None and self.run.frame.function.building is not None:
            heap.home = (self.run.frame.index, line)
            heap.steps = []

    def add_step(self, heap: Heap, words: list[Value] | None, line: int, site: object, receivers: int) -> None:
        """Something is appended: `words`, or unknown many."""
        if heap.steps is None:
            return
        if words is None or not self._in_order(heap, line):
            self.lose_steps(heap)
            return
        for step in heap.steps:
            if step.site == id(site):
                self._widen_step(heap, step, words)
                return
        building = self.run.frame.function.building
        assert building is not None
        assert heap.home is not None
        sure = receivers == 1 and building.block(line) == building.block(heap.home[1])
        if len(heap.steps) >= MAX_STEPS:
            self.lose_steps(heap)
            return
        heap.steps.append(Step(id(site), line, sure, words))
        heap.steps.sort(key=lambda step: step.line)
        self.reread(heap)

    def join_steps(self, target: Heap, left: Heap, right: Value, line: int) -> None:
        """`left + right`: a list made here, whose steps so far are all taken or left out already."""
        words = self.step_words(right)
        if target.home is None:
            self.begin_list(target, line)
        if target.steps is None:
            return
        if words is None or left.home is None or not left.steps or left.home[0] != self.run.frame.index:
            if self.cells.read(left.bag) or words is None:
                self.lose_steps(target)
            return
        taken = [Step(step.site, 0, step.sure, step.words) for step in left.steps if step.line < line]
        steps = [*taken, Step(0, 0, sure=True, words=words), *(step for step in target.steps if step.line)]
        if left is target or len(steps) > MAX_STEPS:  # made of itself, in a loop
            self.lose_steps(target)
        elif steps != target.steps:
            target.steps = steps
            self.reread(target)

    def _widen_step(self, heap: Heap, step: Step, words: list[Value]) -> None:
        if len(words) != len(step.words):
            self.lose_steps(heap)
            return
        joined = [old | new for old, new in zip(step.words, words, strict=True)]
        if joined != step.words:
            step.words = joined
            self.reread(heap)

    def lose_steps(self, heap: Heap) -> None:
        """From now on nothing is known of the order behind the beginning."""
        if heap.steps is not None:
            heap.steps = None
            self.reread(heap)

    def reread(self, heap: Heap) -> None:
        """Who read it reads it again."""
        self.work.look_again(heap.bag.readers)

    def _in_order(self, heap: Heap, line: int) -> bool:
        building = self.run.frame.function.building
        if building is None or heap.home is None or heap.home[0] != self.run.frame.index:
            return False
        made = heap.home[1]
        return line > made and line not in building.loose and building.loop(line) == building.loop(made)

    def step_words(self, value: Value) -> list[Value] | None:
        """The elements that `+=` or `extend` adds, if they are known in number and order."""
        if len(value) != 1:
            return None
        (atom,) = value
        if not isinstance(atom, Object):
            return None
        heap = self.objects.heap(atom)
        if heap.kind not in {"list", "tuple"} or heap.escaped or self.cells.read(heap.bag):
            return None
        return [self.cells.read(cell) for cell in heap.prefix]

    def ways(self, heap: Heap, line: int) -> list[list[Value]] | None:
        """What a list may be where it is read, word by word; None if its steps are not known."""
        added = self.cells.read(heap.bag)
        if not added or heap.escaped or not heap.steps or heap.home is None:
            return None
        if not added <= BOTTOM.union(*(word for step in heap.steps for word in step.words)):
            return None
        start = [self.cells.read(cell) for cell in heap.prefix]
        found = self._ways_here(heap, line) if heap.home[0] == self.run.frame.index else self._ways_elsewhere(heap)
        return None if found is None else [start + way for way in found]

    def _ways_here(self, heap: Heap, line: int) -> list[list[Value]] | None:
        """Read in the function that made it: the steps before this line are taken."""
        building = self.run.frame.function.building
        assert building is not None
        assert heap.home is not None
        reached = building.holds(heap.home[1], line)
        return _combined([(step.words, step.sure and reached) for step in heap.steps or () if step.line < line])

    def _ways_elsewhere(self, heap: Heap) -> list[list[Value]] | None:
        """Handed to others at some point: with the steps up to there."""
        assert heap.home is not None
        building = self.work.frames[heap.home[0]].function.building
        assert building is not None
        steps = heap.steps or []
        lines = {step.line + 1 for step in steps} if building.aliased else set(building.exits)
        made = heap.home[1]
        ends = {sum(step.line < line for step in steps) for line in lines | {made} if line >= made} | {len(steps)}
        out: list[list[Value]] = []
        for end in sorted(ends):
            some = _combined([(step.words, step.sure) for step in steps[:end]])
            if some is None or len(out) + len(some) > MAX_WAYS:
                return None
            out.extend(way for way in some if way not in out)
        return out


def _combined(steps: list[tuple[list[Value], bool]]) -> list[list[Value]] | None:
    """Every way to take the steps in order, leaving out some that may be skipped."""
    out: list[list[Value]] = [[]]
    for words, sure in steps:
        taken = [way + words for way in out]
        out = taken if sure else out + taken
        if len(out) > MAX_WAYS:
            return None
    return out
