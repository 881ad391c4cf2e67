"""Names of Python: builtins, unbound names, and text of values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    SOME_TEXT,
    Anything,
    Atom,
    Bound,
    Closure,
    Const,
    Data,
    Instance,
    Lib,
    Num,
    Text,
    Value,
    hole,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.texts import texts_of
from remit.analysis.python.names import BUILTIN_NAMES

if TYPE_CHECKING:
    from remit.analysis.engine import engine


class PythonNames(EnginePart):
    """What a name stands for that no code of the skill binds."""

    calls: engine.Calls
    receivers: engine.Receivers
    library_members: engine.LibraryMembers
    programs: engine.Programs
    work: engine.WorkList

    def text_of(self, value: Value) -> Value:
        """`str(value)`."""
        out: set[Atom] = set()
        for atom in each(value):
            if isinstance(atom, (Text, Data)):
                out.add(atom)
            elif isinstance(atom, (Num, Const)) or (isinstance(atom, Instance) and atom.payload is not None):
                out.update(texts_of(frozenset({atom})))
            elif isinstance(atom, Anything):
                out.update(hole(atom.origin, exact=False))
            elif isinstance(atom, Lib):
                constant = self.library_members.constant(atom, self.run.current_line)
                out.update(self.text_of(constant) if constant is not None else SOME_TEXT)
            else:
                out.update(SOME_TEXT)
        return frozenset(out)

    def python_global(self, name: str, line: int) -> Value:
        """A builtin, or a name that nothing binds."""
        if name in {"__builtins__", "__loader__", "__spec__"}:
            return self.run.opaque(f"`{name}` reaches around the language", line)
        if name in BUILTIN_NAMES:
            return self.library_members.library_member(Lib("builtins"), name, line)
        return self.unbound(name, line)

    def is_builtin(self, name: str) -> bool:
        """Whether the language binds this name itself."""
        return name in BUILTIN_NAMES

    def unbound(self, name: str, line: int) -> Value:
        """Scripts fail on an unbound name; in instructed code the agent supplies it."""
        return self.work.settle(BOTTOM)

    def expression_text(self, text: str) -> Value:
        """The value of a flag's argument: `<arg>`, `<net>`, `any`, an instance."""
        if "." in text:
            self.receivers.add(text)
            return frozenset({Instance(text)})
        return hole(text.strip("<>")) if text.startswith("<") else ANY

    def decorated_argument(self, text: str) -> Value:
        """What a command-line library passes to the function that it decorates: text, or the path or number made of it."""
        value = self.expression_text(text)
        if self.run.language() != "python" or text != "<arg>":
            return value
        self.receivers.add("pathlib.Path")
        return value | {Instance("pathlib.Path", frozenset(texts_of(value))), Num()}

    def bind_to(self, found: Atom, receiver: Atom, line: int) -> Value:
        """A member found on a class, bound to a receiver."""
        if isinstance(found, Closure):
            function = self.programs.functions[found.function][1]
            if function.binding == "static":
                return frozenset({found})
            if function.binding == "property":
                return self.calls.call_closure(found, Args([frozenset({receiver})]), line, bound=True)
            return frozenset({Bound(found, receiver)})
        return frozenset({found})
