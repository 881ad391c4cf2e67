"""Members of libraries: functions, constants and classes of summarised modules, and what their instances have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, BOTTOM, SOME_BOOL, SOME_TEXT, UNKNOWN, Atom, Bound, Data, Instance, Lib, Value
from remit.analysis.engine.heap import Cell
from remit.analysis.engine.marks import BUILTIN_MEMBER, PROTOTYPE
from remit.analysis.engine.run import EnginePart
from remit.analysis.summaries.model import Entry, Section

BUILTIN_TYPES = frozenset(
    f"builtins.{name}"
    for name in "dict list set frozenset tuple str bytes bytearray int float complex bool object type range memoryview".split()
)
_ENTERING = frozenset({"__enter__", "__exit__", "__aenter__", "__aexit__"})
_OF_FUTURES = frozenset(
    {"result", "done", "cancel", "cancelled", "exception", "add_done_callback", "set_name", "get_name"}
)
BORROWS = frozenset({"call", "apply", "bind"})

if TYPE_CHECKING:
    from remit.analysis.engine import engine


class LibraryMembers(EnginePart):
    """What the summaries say that is inside a library's value."""

    cells: engine.Cells
    js_intrinsics: engine.JavaScriptIntrinsics
    members: engine.Members
    programs: engine.Programs
    summaries: engine.Summaries

    def library_member(self, atom: Lib, name: str, line: int) -> Value:  # noqa: C901, PLR0911, PLR0912  one case for each kind of value
        """A member of a summarised module or class, or of the constant that a name stands for."""
        library = self.run.library()
        section = library.section(atom.name)
        if section is None:
            constant = self.constant(atom, line)
            if constant is not None:
                return self.members.member(constant, name, line)
            if name in {"__name__", "__doc__", "__qualname__", "__module__"}:
                return SOME_TEXT
            if name == "__call__":
                return frozenset({atom})
            if name in _OF_FUTURES and self.run.language() == "python":
                return BOTTOM  # a task is what it will give, or a task: of a function it can only be the other
            if atom.name in BUILTIN_TYPES:
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}unbound.{name}"), atom)})
            if self.run.language() == "js" and name in {"call", "apply", "bind"}:
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), atom)})
            if self.run.language() == "js" and name in {"name", "length", "__esModule"}:
                return frozenset({Data(UNKNOWN)})
            return self.run.opaque(f"`{atom.name}.{name}` is not understood", line)
        found = library.member(atom.name, name)
        if found is None and name in {"__name__", "__doc__", "__file__", "__version__", "__qualname__", "__module__"}:
            return SOME_TEXT
        if self.run.language() == "js" and found is None:
            if section.is_class and name in {"call", "apply", "bind", "name", "length"}:
                return (
                    frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), atom)})
                    if name in {"call", "apply", "bind"}
                    else frozenset({Data(UNKNOWN)})
                )
            if section.is_class and name == "prototype":
                return frozenset({Lib(PROTOTYPE + atom.name)})
            if name == "__esModule":
                return SOME_BOOL
            if name == "default" and not section.is_class:
                return frozenset({atom})  # a CommonJS package as a namespace
            if atom.name == "globals":
                return self.js_intrinsics.js_global(name, line)
        if found is None and not section.is_class and "default" in section.entries and name != "default":
            whole = library.member(atom.name, "default")
            if isinstance(whole, Entry) and whole.result is not None and whole.params is None:
                return self.members.member(
                    self.summaries.evaluate_entry(f"{atom.name}.default", whole, None, line), name, line
                )
        return self.as_value(f"{atom.name}.{name}", found, line)

    def as_value(self, name: str, found: Entry | Section | None, line: int) -> Value:
        """What a reference to a library member evaluates to."""
        if found is None:
            return self.run.opaque(
                f"`{name}` has no summary", line, f"describe `{name}` in a summary file (remit summaries --help)"
            )
        if isinstance(found, Section):
            return frozenset({Lib(found.name)})
        if found.params is None and not found.pure:
            return self.summaries.evaluate_entry(name, found, None, line)
        return frozenset({Lib(name)})

    def constant(self, atom: Lib, line: int) -> Value | None:
        """The value of a name that `pure` lists without saying whether it is a function."""
        owner, _, name = atom.name.rpartition(".")
        found = self.run.library().member(owner, name) if owner else None
        if isinstance(found, Entry) and found.params is None:
            return (self.summaries.evaluate_entry(atom.name, found, None, line) - {atom}) or None
        return None

    def bound_constant(self, atom: Bound, line: int) -> Value | None:
        """The value of an instance's member that `pure` lists without saying whether it is a method."""
        if (
            not isinstance(atom.function, Lib)
            or not isinstance(atom.receiver, Instance)
            or atom.function.name.startswith("~")
        ):
            return None
        owner, _, name = atom.function.name.rpartition(".")
        found = self.run.library().member(owner, name)
        if isinstance(found, Entry) and found.params is None and found.result is not None and found.result.op != "any":
            return self.summaries.evaluate_entry(atom.function.name, found, atom.receiver, line)
        return None

    def chosen(self, atom: Atom, line: int) -> Value:
        """A member that a computed name chose is used for more than its value: nobody knows what happens."""
        name = atom.name if isinstance(atom, Lib) else atom.cls if isinstance(atom, Instance) else "a function"
        return self.run.opaque(f"a member of `{name}` is chosen by a computed name", line, "use the member by its name")

    def listed_member(self, atom: Instance, name: str, line: int) -> Value:
        """A member of an instance of a summarised class; in Python one of any name that the skill gave such an instance."""
        found = self.run.library().member(atom.cls, name)
        explicit = isinstance(found, Entry) and found.name == name
        if explicit or self.run.language() != "python":
            return self._summarised(atom, name, found, line)
        added = self.cells.read(self.members.instance_fields.setdefault(("", name), Cell(self.members.function_parts)))
        return added | self._summarised(atom, name, found, line)

    def _summarised(self, atom: Instance, name: str, found: Entry | Section | None, line: int) -> Value:
        if self.run.language() == "python" and not (isinstance(found, Entry) and found.name == name):
            if name in self.programs.stored_names and not (isinstance(found, Entry) and found.pure):
                return ANY  # set by the skill; what it set has leaked
            if name in _ENTERING:
                return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}manager.{name}"), atom)})
        if isinstance(found, Entry):
            if found.params is None and not found.pure:
                return self.summaries.evaluate_entry(f"{atom.cls}.{name}", found, atom, line)
            return frozenset({Bound(Lib(f"{atom.cls}.{name}"), atom)})
        if isinstance(found, Section):
            return frozenset({Lib(found.name)})
        if name.startswith("__") and name.endswith("__"):
            return frozenset({Data(UNKNOWN)})
        if name in BORROWS and self.run.language() == "js" and self._is_callable(atom):
            return frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), atom)})
        return self.run.opaque(
            f"`{atom.cls}.{name}` has no summary", line, f"describe `{atom.cls}.{name}` in a summary file"
        )

    def _is_callable(self, atom: Instance) -> bool:
        return self.run.library().listed(atom.cls, "__call__") is not None
