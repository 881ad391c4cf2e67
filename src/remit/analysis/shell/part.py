"""What the parts of the shell interpreter share: the run that they serve."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from remit.analysis.domain import SKILL, Hole, Text, Value, text
from remit.analysis.shell.patterns import folder_name
from remit.analysis.shell.values import texts

if TYPE_CHECKING:
    from remit.analysis.shell.builtins import Builtins, CodeBuiltins
    from remit.analysis.shell.conditions import Refinements
    from remit.analysis.shell.data_flow import DataFlow, Streams
    from remit.analysis.shell.dispatch import Calls, Dispatch
    from remit.analysis.shell.expand import Expander
    from remit.analysis.shell.interp import Flow, Loops
    from remit.analysis.shell.lookup import Assignments, Lookup
    from remit.analysis.shell.params import Arithmetic, Parameters
    from remit.analysis.shell.redirects import Redirects
    from remit.analysis.shell.state import State
    from remit.analysis.shell.syntax import Unit
    from remit.analysis.shell.variables import Declarations, Variables
    from remit.analysis.world import World


Builtin = Callable[..., "tuple[State | None, State | None]"]  # where it succeeded, where it failed


class Run:
    """One run of one program."""

    def __init__(self, world: World, unit: Unit, script: Value, dialect: str, steps: int, streams: Streams) -> None:
        self.world = world
        self.streams = streams
        self.unit = self.home_unit = unit
        self.script = script
        self.dialect = dialect
        self.budget = steps
        self.at = 0  # the command that is run
        self.naming = False  # the word that is expanded names a command
        self.assigning = False  # a plain assignment: under `set -e` a failing substitution ends the program
        self.own = True  # others can call its functions
        self.lenient = False  # what cannot be read cannot be read by the shell either
        self.injected: set[str] = set()

    @property
    def braces(self) -> bool:
        """Whether `{a,b}` is expanded."""
        return self.dialect in ("bash", "ksh", "sh")

    @property
    def own_folders(self) -> frozenset[Text]:
        """Folders that are known to exist."""
        return _folders_above(self.script)


@lru_cache(64)
def _folders_above(script: Value) -> frozenset[Text]:
    """The folders that exist because the script does: its own, and those above the skill."""
    out: set[Text] = set()
    for item in texts(script):
        if len(item.parts) == 2 and item.parts[0] == Hole(SKILL):
            folder = folder_name(item)
            while len(folder.parts) > 1:
                out.add(folder)
                folder = folder_name(folder)
            out |= {folder, text(Hole(SKILL), "/.."), text(Hole(SKILL), "/../..")}
    return frozenset(out)


class ShellPart:
    """A part of the interpreter; `connect` hands it the others."""

    arithmetic: Arithmetic
    assignments: Assignments
    builtins: Builtins
    calls: Calls
    code: CodeBuiltins
    data_flow: DataFlow
    declarations: Declarations
    dispatch: Dispatch
    expander: Expander
    flow: Flow
    lookup: Lookup
    loops: Loops
    parameters: Parameters
    redirects: Redirects
    refinements: Refinements
    variables: Variables

    def __init__(self, run: Run) -> None:
        self.run = run
