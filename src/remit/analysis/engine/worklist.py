"""The work list: activations that are to be evaluated (again), within a budget of steps."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, Value
from remit.analysis.engine.frames import Frame, Loaded, Reader
from remit.analysis.engine.run import EnginePart, Run

if TYPE_CHECKING:
    from remit.analysis.ir import Function

BASE_STEPS = 200_000  # a budget in steps, never in seconds: verdicts must be reproducible


class WorkList(EnginePart):
    """Activations, and which of their facts are due."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.frames: list[Frame] = []
        self.queue: deque[Frame] = deque()
        self.final = False  # after the fixpoint: what nothing reaches is anything
        self.steps = 0
        self.budget = BASE_STEPS
        self.exhausted = False

    def new_frame(self, function: Function, loaded: Loaded, parent: Frame | None) -> Frame:
        """An activation without arguments yet."""
        frame = Frame(len(self.frames), function, loaded, parent)
        self.frames.append(frame)
        return frame

    def enqueue(self, frame: Frame) -> None:
        """Evaluate a frame (again)."""
        for reader in frame.facts:
            reader.due = True
        if not frame.queued:
            frame.queued = True
            self.queue.append(frame)

    def look_again(self, readers: Iterable[Reader]) -> None:
        """Carry out facts again: something that they read has changed."""
        for reader in readers:
            frame = reader.frame
            if reader.fact is None:
                self.enqueue(frame)
                continue
            reader.due = True
            if not frame.queued:
                frame.queued = True
                self.queue.append(frame)

    def settle(self, value: Value) -> Value:
        """After the fixpoint, a value that nothing reaches may still be anything: never silence."""
        if value:
            return value
        self.run.reader.hollow = True
        return ANY if self.final else value
