"""What the engine asks of whoever runs it: where programs are told their words, and when to stop. The guard has answers of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import BOTTOM, Object, Value
from remit.analysis.engine.run import EnginePart
from remit.analysis.scopes import scopes_of
from remit.core.scope import DEEP, SKILL, PathScope, covers

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.commandlines import Given, Words
    from remit.analysis.engine.frames import Frame
    from remit.analysis.ir import Function


_SKILL = PathScope(SKILL, (DEEP,))
_OUTSIDE = "modules are imported from a folder that is not surely part of the skill"
_REMEDY = "keep modules in the skill, and name their folder from `__file__`"


class Host(EnginePart):
    """The answers of a check of a folder, which knows nothing of how its programs are started."""

    cells: engine.Cells
    environments: engine.Environments
    evaluator: engine.Evaluator
    programs: engine.Programs
    python_search: engine.PythonSearch

    def tick(self) -> None:
        """An activation is about to be evaluated."""

    def give_words(self, words: Value) -> None:
        """A program of the skill is started with these words, somewhere among others."""
        self.cells.write(self.environments.argv, words)

    def further_words(self) -> Value:
        """Words that a reader of the command line may hand out, besides those that the skill wrote there."""
        return BOTTOM

    def program_words(self) -> Words | None:
        """The words that the running program is given, by their places; None: any words of the caller."""
        return None

    def argv_replaced(self, words: Value) -> None:
        """For a while, the command line is another."""

    def is_command_line(self, value: Value) -> bool:
        """Whether a list is the words that the running program is given, without its name."""
        return False

    def declared(self, parser: Object, line: int) -> Given | None:
        """What the argument gets that a parser is told of on this line; None: any word of the caller."""
        return None

    def parsed(self, parser: Object, line: int) -> None:
        """A parser reads a command line on this line."""

    def parsed_otherwise(self, parser: Object, words: Value) -> None:
        """A parser reads words that are not, or not surely, the command line."""

    def live_unasked(self, function: Function, frame: Frame) -> bool:
        """Whether a function may be called although nobody is seen to call it.

        In a package whose users are known, a name that they do not reach is not called.
        """
        return (
            self.programs.entries is None
            or frame.loaded.file in self.programs.entries
            or self.evaluator.called_without_its_name(function, frame)
        )

    def search_also(self, value: Value) -> None:
        """Something is put into `sys.path`, by the statement that looked at it last."""
        scopes = scopes_of("source.read", value, self.environments.here())
        if value and not all(covers(_SKILL, scope) for scope in scopes):
            self.run.opaque(_OUTSIDE, self.python_search.search_line, _REMEDY)
