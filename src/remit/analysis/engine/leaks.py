"""Leaks: a value that goes where the analysis does not follow may be called, read and changed by anyone.

This is rule 2 and 3 of the method made mechanical: what is not consumed by something that is tracked, leaks. A leaked
primitive counts with scope any, a leaked function runs with any arguments, a leaked object may hold anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, INERT, Atom, Bound, Class, Closure, Instance, Lib, Module, Object, Value, unsited
from remit.analysis.each import each
from remit.analysis.engine.frames import Args, Frame, Loaded
from remit.analysis.engine.heap import EXPOSED, HANDED, Cell, Heap, cells_of
from remit.analysis.engine.run import EnginePart, Run
from remit.analysis.engine.tables import CAUGHT, PROTOCOLS
from remit.analysis.summaries.model import Entry, Section

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.ir import Function, Term


class Leaks(EnginePart):
    """What happens to values that are lost sight of."""

    receivers: engine.Receivers
    data_flow: engine.DataFlow
    js_process: engine.JavaScriptProcess
    kept: engine.KeptObjects

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.leaked_modules: dict[str, None] = {}
        self.leaked_atoms: set[Atom] = set()
        self.handed: set[Atom] = set()
        self.references: dict[
            Atom, tuple[Frame, int]
        ] = {}  # functions by the place that hands them on, and where it is
        self.sites: dict[int, int] = {}  # term that hands a function on → number of the place
        self.lost_call = False  # whether something is called of which the engine has lost the value

    def leak(self, value: Value) -> None:
        """Everything in a value leaks."""
        if INERT.issuperset(map(type, value)):
            return
        for atom in each(value):
            if type(atom) in _LEAKING:
                self.js_process.leak_atom(atom)

    def give_away(self, value: Value) -> None:
        """Code that is not seen gets it, and what comes back may be part of it: a whole module is then more than can be followed."""
        for name in self._modules_in(value, 0) if self.run.language() == "js" else ():
            reason = f"module `{name}` is handed to code that is not seen"
            self.run.opaque(reason, self.run.current_line, "hand over the functions that are needed")
        self.leak(value)

    def _modules_in(self, value: Value, depth: int) -> list[str]:
        """The modules with effects that a value is, or that an object in it holds."""
        out: list[str] = []
        for atom in each(value):
            if isinstance(atom, Lib) and self._is_acting_module(atom.name):
                out.append(atom.name)
            elif isinstance(atom, Object) and depth < _DEEP and atom not in self.leaked_atoms:
                heap = self.objects.heap(atom)
                for cell in cells_of(heap):
                    if cell.value:
                        out.extend(self._modules_in(cell.value, depth + 1))
        return out

    def _is_acting_module(self, name: str) -> bool:
        section = self.run.library().section(name)
        return section is not None and not section.is_class and any(entry.effects for entry in section.entries.values())

    def hand_over(self, value: Value) -> None:
        """Given to a library function whose parameters are described: what can be called in it leaks, but a collection stays
        what it is (a function that changes its argument says `mutates`)."""
        if INERT.issuperset(map(type, value)):
            return
        for atom in each(value):
            if isinstance(atom, Bound) and isinstance(atom.function, Lib) and atom.function.name == "~chosen.*":
                continue  # a value like any other, unless the summary says that it is called
            if self.objects.is_a(atom, *_PLAIN):
                self._show(self.objects.heap(atom), HANDED)
            elif self.objects.is_instance(atom) and self.run.language() == "python":
                self._hand_over_instance(atom)
            elif type(atom) in _LEAKING:
                self.js_process.leak_atom(atom)

    def _hand_over_instance(self, atom: Object) -> None:
        """A library that is given an object calls its special methods, and those by which objects stand in for files, mappings
        and the like; other methods it cannot know."""
        if atom in self.leaked_atoms or atom in self.handed:
            return
        self.handed.add(atom)
        for name in self.method_names(self.objects.heap(atom).cls):
            if name in PROTOCOLS or (name.startswith("__") and name.endswith("__") and name not in _CONSTRUCTORS):
                self.leak(self.members.member(frozenset({atom}), name, self.run.current_line))

    def expose(self, value: Value) -> None:
        """It reaches a place where the analysis does not follow it, but whoever is there only reads it: what can be called in it
        leaks, however deep it lies; objects stay what they are, because a store into an unknown receiver leaks by itself."""
        for atom in each(value):
            if isinstance(atom, Object):
                self._show(self.objects.heap(atom), EXPOSED)
            elif type(atom) in _LEAKING and not isinstance(atom, Class):
                self.js_process.leak_atom(atom)

    def _show(self, heap: Heap, level: int) -> None:
        """Somebody else sees what the object holds, now and later: what is written to it from now on is shown too."""
        if heap.shown >= level:
            return
        heap.shown = level
        for cell in cells_of(heap):
            cell.heap = heap
            self.written_to_shown(heap, cell.value)

    def written_to_shown(self, heap: Heap, value: Value) -> None:
        """A value in an object that somebody else sees."""
        if heap.shown == HANDED:
            self.hand_over(value)
        else:
            self.expose(value)

    def leak_plain_atom(self, atom: Atom) -> None:  # noqa: C901, PLR0912  one case for each kind of value
        """One atom leaks (once is enough: what it can do does not depend on where)."""
        if type(atom) not in _LEAKING:
            return
        if isinstance(atom, Object):
            self.objects.heap(atom).bag.into |= self.run.flows.context
        function = atom.function if isinstance(atom, Bound) else atom
        if isinstance(function, Closure):
            self.data_flow.handed(unsited(function))
        if atom in self.leaked_atoms:
            return
        self.leaked_atoms.add(atom)
        if isinstance(atom, Lib):
            if not self.leak_module(atom.name):
                self.call_leaked(atom)
        elif isinstance(atom, Closure):
            self._leak_function(unsited(atom))
        elif isinstance(atom, Bound):
            self._leak_bound(atom)
        elif isinstance(atom, Class):
            self.leaked_atoms.add(Class(atom.index))
            self.call_leaked(atom)
            self.js_process.leak_atom(self.programs.classes[atom.index].instance)
        elif isinstance(atom, Instance):
            self.receivers.add(atom.cls)
        elif isinstance(atom, Object):
            self._leak_object(self.objects.heap(atom), atom)
        elif isinstance(atom, Module):
            for cell in list(self.programs.loaded[atom.index].frame.variables.values()):
                self.leak(cell.value)

    def _leak_function(self, closure: Closure) -> None:
        """Whoever has a function has its attributes and the defaults of its parameters too."""
        self.leaked_atoms.add(closure)
        self.activate_with_anything(closure, leaks=True)
        for (function, _), cell in list(self.members.functions_fields.items()):
            if function == closure:
                self.leak(cell.value)
        for param in self.programs.functions[closure.function][1].params:
            if param.default is not None:
                self.leak(self.default_of(closure, param.name).value)

    def default_of(self, closure: Closure, name: str) -> Cell:
        """Where the default of a parameter is kept: the activation that made the function."""
        index = self.programs.functions[closure.function][1].index
        return self.work.frames[closure.frame].cell(f"default {index} {name}")

    def leak_module(self, module: str) -> bool:
        """An unknown receiver may be this module from now on, or a part of it (`fs.promises`)."""
        section = self.run.library().section(module)
        if not isinstance(section, Section) or section.is_class:
            return False
        if module in self.leaked_modules:
            return True
        self.leaked_modules[module] = None
        for entry in section.entries.values() if self.run.language() == "js" else ():
            result = entry.result if entry.params is None else None
            if result is not None and result.op == "module":
                self.leak_module(result.text)
            elif result is not None and result.op == "instance":
                self.receivers.add(result.text)
        for name in section.entries:
            self.receivers.owners_of.setdefault((self.run.language(), name), {})[module] = None
        self.receivers.grew()
        return True

    def _leak_bound(self, atom: Bound) -> None:
        if isinstance(atom.function, Closure):
            self.activate_with_anything(atom.function, receiver=frozenset({atom.receiver}), leaks=True)
        elif atom.function.name != "~any.*":  # mostly data; where it is called, the call is opaque
            self.call_leaked(atom)

    def call_leaked(self, atom: Atom) -> None:
        """Whoever got hold of it may call it with anything."""
        self.calls.call(frozenset({atom}), Args(star=ANY, keyword_star=ANY), self.run.current_line)

    def _leak_object(self, heap: Heap, atom: Object) -> None:
        names = self.method_names(heap.cls) if heap.is_instance() else []
        methods: Value = frozenset()
        if (
            self.run.language() == "python"
        ):  # looked up first: once it has escaped, a name may mean the member of anything
            for name in names:
                if name not in _CONSTRUCTORS:
                    methods = methods | self.members.member(frozenset({atom}), name, self.run.current_line)
            names = []
        heap.escaped = True
        for cell in cells_of(heap):
            self.work.look_again(cell.readers)
            self.leak(cell.value)
        self.leak(methods)
        for name in names:
            self.leak(self.members.member(frozenset({atom}), name, self.run.current_line))

    def method_names(self, cls: int) -> list[str]:
        """The members that a class defines itself or inherits from classes of the skill."""
        state = self.programs.classes[cls]
        names = list(state.body.variables)
        for base in each(state.bases.value):
            if isinstance(base, Class) and base.index != cls:
                names.extend(self.method_names(base.index))
        return names

    def activate_with_anything(self, closure: Closure, *, receiver: Value | None = None, leaks: bool = False) -> None:
        """Run a function of the skill with any arguments."""
        loaded, function = self.programs.functions[closure.function]
        given = ANY | self.kept.called_by(CAUGHT) if function.name in _EXITS else ANY
        args = Args(keywords=self._fixtures(loaded, function), star=given, keyword_star=ANY)
        own = self.receiver_of(closure) if receiver is None else receiver
        if own is not None:
            args = args.with_receiver(own)
        flows = self.run.flows
        outer, flows.context = flows.context, {self.data_flow.handed(closure)}
        if function.name in _EXITS:
            self.data_flow.caught()
        frame = self.calls.activation(closure, args)
        flows.context = outer
        if leaks:
            self.leak_result(frame)
        if not frame.evaluated:
            self.work.enqueue(frame)

    def leak_result(self, frame: Frame) -> None:
        """What an activation returns or yields goes to unseen code."""
        if not frame.leaks_result:
            frame.leaks_result = True
            self.leak(frame.result.value | frame.yields.value)

    def _fixtures(self, loaded: Loaded, function: Function) -> dict[str, Value]:
        """What a test runner passes by the name of a parameter."""
        name = loaded.file.rpartition("/")[2]
        if loaded.program.language != "python" or not (
            name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py"
        ):
            return {}
        out: dict[str, Value] = {}
        for param in function.params:
            found = self.run.library().member("pytest._Fixtures", param.name)
            if isinstance(found, Entry):
                out[param.name] = self.summaries.evaluate_entry(f"pytest.{param.name}", found, None, function.line)
        return out

    def receiver_of(self, closure: Closure) -> Value | None:
        """What `self` or `this` is when nobody says: an instance of the class or of a subclass."""
        _loaded, function = self.programs.functions[closure.function]
        cls = self.class_members.classes_of_body.get(closure.frame)
        if cls is None or function.class_index is None:
            return ANY if function.takes_this else None
        if function.binding == "static":
            return ANY if function.takes_this else None
        if function.binding == "class":
            return frozenset({Class(cls)})
        return frozenset(self.instances_of(cls, set()))

    def instances_of(self, cls: int, seen: set[int]) -> list[Atom]:
        """The instances of a class and of its subclasses."""
        seen.add(cls)
        out: list[Atom] = [self.programs.classes[cls].instance]
        for sub in self.programs.classes[cls].subclasses:
            if sub not in seen:
                out.extend(self.instances_of(sub, seen))
        return out


_CONSTRUCTORS = frozenset(
    {"__init__", "__new__", "__init_subclass__", "__class_getitem__", "__slots__", "__match_args__"}
)
_EXITS = frozenset({"__exit__", "__aexit__"})  # Python: they are given the exception that ended the block
_DEEP = 3  # how far into objects a module is looked for
_PLAIN = frozenset({"list", "tuple", "set", "dict"})
_LEAKING = frozenset({Lib, Closure, Bound, Class, Instance, Object, Module})


_FUNCTIONS = frozenset({Closure, Lib, Bound, Class})


class Lost(EnginePart):
    """Notes where a function is handed on, and counts what was lost sight of."""

    js_process: engine.JavaScriptProcess
    terms: engine.Terms

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self._acting: dict[str, bool] = {}  # library function → whether calling it does more than compute

    def count_lost(self) -> None:
        """Functions that were handed on and that nothing calls by way of that reference: they count, with any arguments.

        If something is called whose value is lost, that may be any function that was handed on. Of a package whose users are known
        only what they reach counts.
        """
        for atom, (frame, line) in list(self.leaks.references.items()) if self.programs.entries is None else ():
            if atom not in self.leaks.leaked_atoms and (self.leaks.lost_call or atom not in self.calls.called):
                self.run.frame, self.run.reader, self.run.current_line = frame, frame.whole, line
                if isinstance(atom, Class):
                    self.leaks.leaked_atoms.add(atom)
                    self.leaks.call_leaked(atom)
                else:
                    self.js_process.leak_atom(atom)

    def looked_at(self, value: Value) -> None:
        """Functions and classes that are compared or asked for their names: they are not called by way of this reference."""
        for atom in each(value):
            if self.objects.is_a(atom, "tuple"):
                for cell in cells_of(self.objects.heap(atom)):
                    self.calls.called.update(cell.value)
            else:
                self.calls.called.add(atom)

    def count_held(self) -> None:
        """Primitives that were stored or returned and that nobody was seen to call: they count, with any arguments."""
        for atom, (frame, line) in list(self.cells.held.items()):
            if atom in self.calls.called:
                continue
            self.run.frame, self.run.reader, self.run.current_line = frame, frame.whole, line
            function = atom.function if isinstance(atom, Bound) else atom
            if isinstance(function, Lib) and self.acts(function.name):
                self.js_process.leak_atom(atom)

    def acts(self, name: str) -> bool:
        """Whether calling a library function may do more than compute."""
        known = self._acting.get(key := f"{self.run.language()} {name}")
        if known is None:
            library = self.run.library()
            owner, _, member = name.rpartition(".")
            found = library.member(owner, member) if owner and library.section(name) is None else None
            acting = isinstance(found, Entry) and (bool(found.effects) or found.flag("intrinsic") is not None)
            known = self._acting[key] = acting and not name.startswith("~")
        return known

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
            return Lib(atom.name, site) if not atom.site and self.acts(atom.name) else atom
        if isinstance(atom, Bound):
            function = self._sited(atom.function, site)
            assert isinstance(function, (Lib, Closure))
            return atom if function is atom.function else Bound(function, atom.receiver)
        return atom
