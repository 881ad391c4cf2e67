"""Decorators, partial functions, context managers and awaited values: what both languages build from callables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    Atom,
    Bound,
    Class,
    Closure,
    Const,
    Instance,
    Lib,
    Object,
    Value,
    lit,
    unsited,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.run import EnginePart, Run
from remit.analysis.engine.tables import BUILTIN_MEMBER, VIEW
from remit.analysis.engine.texts import literals
from remit.analysis.summaries.model import Entry

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.heap import Heap


class Decorators(EnginePart):
    """What wraps a callable or a value."""

    expressions: engine.Expressions
    js_process: engine.JavaScriptProcess
    js_objects: engine.JavaScriptObjects
    kept: engine.KeptObjects
    lost: engine.Lost
    python_names: engine.PythonNames
    python_objects: engine.PythonObjects

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.passed: dict[Atom, Value] = {}  # function → what a decorator passes to it before everything else
        self.seen: dict[int, Entry] = {}

    def decorate(self, decorator: Value, target: Value, line: int) -> Value:
        """A decorator applied: a library's keeps the function, one of the skill is called."""
        return BOTTOM.union(*(self._decorate_one(atom, target, line) for atom in each(decorator)))

    def _decorate_one(self, atom: Atom, target: Value, line: int) -> Value:
        entry = self.decorator_entry(atom)
        if entry is not None:
            passed = entry.flag("passes")
            if passed is not None:
                for item in each(target):
                    self.passed[item] = self.passed.get(item, BOTTOM) | self.python_names.expression_text(passed)
                return target
            if entry.flag("intrinsic") == "singledispatch":
                return self.members.dispatch(target)
            if entry.flag("identity") is not None or entry.flag("intrinsic") in _IDENTITY:
                return target
            given = entry.flag("decorates")
            if given is not None:
                value = ANY if given in {"", "any"} else self.python_names.decorated_argument(given)
                outer, self.run.serving = self.run.serving, self._library_of(atom)
                self._call_decorated(target, value)
                self.run.serving = outer
                made = entry.result
                return target | (
                    self.expressions.expression(made, {}, set(), "", line)
                    if made is not None and made.op == "instance"
                    else BOTTOM
                )
        if isinstance(atom, (Closure, Class)) or (self.objects.is_a(atom, "instance", "partial")):
            return self._under_its_name(self.calls.call(frozenset({atom}), Args([target]), line), target)
        if isinstance(atom, Const):
            return target
        self.leaks.leak(target)
        if isinstance(atom, (Lib, Instance, Bound)):
            self.calls.call(frozenset({atom}), Args([target]), line)
        return target

    def _under_its_name(self, made: Value, target: Value) -> Value:
        """What a decorator returns. If that is what it got, then the definition is bound to its name as without a decorator: that
        nobody calls it by way of this reference loses nothing."""
        out: set[Atom] = set()
        for atom in made:
            plain = (
                unsited(atom) if isinstance(atom, Closure) else Class(atom.index) if isinstance(atom, Class) else atom
            )
            if plain in target:
                self.calls.called.add(atom)
                out.add(plain)
            else:
                out.add(atom)
        return frozenset(out)

    def decorator_value(
        self, name: str, entry: Entry, env: dict[str, Value], given: set[str], args: Args, line: int
    ) -> Value:
        """A call of what decorates: it makes a decorator, or was given the function at once; the call does not tell which."""
        target = frozenset(atom for atom in args.at(0) if self.may_be_called(atom))
        made = self.objects.made_here("decorator", line)
        self.seen[made.index] = entry
        self.objects.heap(made).origin = self.run.serving
        self.cells.write(self.objects.heap(made).bag, target)
        for value in args.everything():
            self.leaks.hand_over(value - target)
        if entry.flag("looks") is not None:
            self.lost.looked_at(target)
        out: Value = frozenset({made})
        called_with = entry.flag("decorates")
        if called_with in {"", "any"}:
            self.summaries.widen_universe(name)  # whoever calls the function may pass what the library has
        if target and called_with is not None:
            self._call_decorated(
                target, ANY if called_with in {"", "any"} else self.python_names.decorated_argument(called_with)
            )
        if target and entry.result is not None:
            out = out | frozenset(
                atom
                for atom in self.expressions.expression(entry.result, env, given, name, line)
                if not isinstance(atom, Const)
            )
        return out

    def may_be_called(self, atom: Atom) -> bool:
        """Whether a value is a function, or an object that acts as one."""
        if isinstance(atom, Object):
            return self.objects.heap(atom).kind in {"instance", "partial", "getter", "decorator"}
        return isinstance(atom, (Closure, Bound, Class, Lib))

    def call_decorator(self, atom: Object, args: Args, line: int) -> Value:
        """The decorator is applied by hand; if it was given a function at once, that function is called."""
        target = frozenset(item for item in args.at(0) if self.may_be_called(item))
        out = self.decorate(frozenset({atom}), target, line) if target else BOTTOM
        return out | self.calls.call(self.cells.read(self.objects.heap(atom).bag), args, line)

    def decorator_entry(self, atom: Atom) -> Entry | None:
        """The summary line of what is used as a decorator (a function, or the result of a call that makes one)."""
        if isinstance(atom, Lib):
            owner, _, member = atom.name.rpartition(".")
            found = self.run.library().member(owner, member) if owner else None
            return found if isinstance(found, Entry) else None
        if self.objects.is_a(atom, "decorator"):
            return self.seen.get(atom.index)
        return None

    def _library_of(self, atom: Atom) -> str:
        """The library whose decorator this is."""
        if isinstance(atom, Object):
            return self.objects.heap(atom).origin
        name = (
            atom.name
            if isinstance(atom, Lib)
            else atom.function.name
            if isinstance(atom, Bound) and isinstance(atom.function, Lib)
            else ""
        )
        return self.run.library().top_of(name)

    def _call_decorated(self, target: Value, argument: Value) -> None:
        for atom in each(target):
            if isinstance(atom, Closure):
                own = self.leaks.receiver_of(atom)
                args = Args([self.passed[atom]] if atom in self.passed else [], star=argument, keyword_star=argument)
                frame = self.calls.activation(atom, args.with_receiver(own) if own is not None else args)
                if not frame.evaluated:
                    self.work.enqueue(frame)
                self.leaks.leak_result(frame)
                self.kept.keep(self.cells.read(frame.result), self.run.current_line)
            else:
                self.js_process.leak_atom(atom)

    # ── partial applications ──

    def make_partial(self, callee: Value, args: Args, line: int) -> Value:
        """A callable that remembers arguments."""
        made = self.objects.made_here("partial", line)
        heap = self.objects.heap(made)
        self.objects.write(heap, " callee", callee)
        for i, value in enumerate(args.positional):
            self.objects.write_at(heap, i, value)
        for name, value in args.keywords.items():
            self.objects.write(heap, name, value)
            if name in args.perhaps:
                self.objects.write(heap, " perhaps", lit(name))
        self.cells.write(heap.bag, args.star)
        self.cells.write(heap.keys, args.keyword_star)
        return frozenset({made})

    def partial_member(self, heap: Heap, atom: Object, name: str, line: int) -> Value:
        """What a partial function holds."""
        if name == "func":
            return self.cells.read(self.objects.field(heap, " callee"))
        made = self.objects.allocate(self.objects.slot(atom.index, name), "tuple" if name == "args" else "dict", line)
        if name == "args":
            self.collections.copy_into(self.objects.heap(made), heap)
        else:  # the dictionary that later calls pass on
            view = self.objects.heap(made)
            view.fields, view.bag, view.origin = heap.fields, heap.keys, VIEW
        return frozenset({made})

    def call_partial(self, heap: Heap, args: Args, line: int) -> Value:
        """Call what a partial application remembers."""
        keywords = {name: self.cells.read(cell) for name, cell in heap.fields.items() if not name.startswith(" ")}
        noted = self.cells.read(self.objects.field(heap, " perhaps"))
        perhaps = frozenset(literals(noted) or keywords) if noted else frozenset()
        words = [self.cells.read(cell) for cell in heap.prefix]
        remembered = Args(words, keywords, self.cells.read(heap.bag), self.cells.read(heap.keys), perhaps)
        return self.calls.call(self.cells.read(self.objects.field(heap, " callee")), args.behind(remembered), line)

    # ── context managers, awaiting, operators of instances ──

    def enter(self, value: Value, line: int) -> Value:
        """What `with value as x` binds."""
        out: Value = BOTTOM
        for atom in each(value):
            if self.objects.is_instance(atom):
                method = self.members.member(frozenset({atom}), "__enter__", line) or self.members.member(
                    frozenset({atom}), "__aenter__", line
                )
                out = out | (self.calls.call(method, Args(), line) if method else frozenset({atom}))
            elif self.objects.is_a(atom, "iter"):
                out = out | self.elements.iterate(frozenset({atom}), line)
            elif isinstance(atom, Instance):
                entered = self.summaries.call_listed(atom, "__enter__", Args(), line)
                out = out | (frozenset({atom}) if entered is None else entered)
            else:
                out = out | {atom}
        return out

    def awaited(self, value: Value, line: int) -> Value:
        """A promise is transparent: awaiting gives what it stands for."""
        if self.run.language() == "js":
            self.js_objects.ask_proxies(value, "then", line)
        out: Value = BOTTOM
        for atom in each(value):
            if isinstance(atom, Object) and self.run.language() == "python":
                out = out | self._awaited_object(atom, line)
                continue
            if isinstance(atom, Instance):
                given = self.summaries.call_listed(atom, "__await__", Args(), line)
                if given is not None:
                    out = out | given
                    continue
            if isinstance(atom, Object) and self.run.language() == "js" and (own := self._own_then(atom, line)):
                out = out | self._settled(own, line)
                continue
            out = out | {atom}
        return out

    def _own_then(self, atom: Object, line: int) -> Value:
        """JavaScript: the method `then` that the skill wrote for an object, which awaiting calls."""
        heap = self.objects.heap(atom)
        own = self.cells.read(heap.fields["then"]) if "then" in heap.fields else BOTTOM
        if heap.is_instance():
            own = own | self.class_members.class_member(heap.cls, "then")
        return self.js_objects.with_this(
            frozenset(item for item in own if isinstance(item, Closure)), frozenset({atom})
        )

    def _settled(self, then: Value, line: int) -> Value:
        holder = self.objects.allocate(self.objects.slot(self.run.frame.index, f"then {line}"), "promise", line)
        hands: list[Value] = [
            frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), holder)}) for name in ("resolve", "reject")
        ]
        self.calls.call(then, Args(hands), line)
        return self.cells.read(self.objects.heap(holder).bag) or self.work.settle(BOTTOM)

    def _awaited_object(self, atom: Object, line: int) -> Value:
        """A generator gives what it returns, an object what its `__await__` says."""
        heap = self.objects.heap(atom)
        if heap.kind == "iter" and " result" in heap.fields:
            return self.cells.read(heap.fields[" result"])
        made = self.python_objects.special(atom, ("__await__",), [], line)
        return self.awaited(made, line) if made else frozenset({atom})


_IDENTITY = frozenset({"dataclass", "staticmethod", "classmethod", "property"})
