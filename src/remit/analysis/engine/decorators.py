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
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.intrinsics_js import JavaScriptIntrinsics
from remit.analysis.engine.intrinsics_python import PythonIntrinsics
from remit.analysis.engine.marks import BUILTIN_MEMBER, VIEW
from remit.analysis.engine.texts import literals
from remit.analysis.summaries.model import Entry

if TYPE_CHECKING:
    from remit.analysis.engine.heap import Heap


class Decorators(PythonIntrinsics, JavaScriptIntrinsics):
    """What wraps a callable or a value."""

    def decorate(self, decorator: Value, target: Value, line: int) -> Value:
        """A decorator applied: a library's keeps the function, one of the skill is called."""
        out: Value = BOTTOM
        for atom in each(decorator):
            out = out | self._decorate_one(atom, target, line)
        return out

    def _decorate_one(self, atom: Atom, target: Value, line: int) -> Value:
        entry = self.decorator_entry(atom)
        if entry is not None:
            passed = entry.flag("passes")
            if passed is not None:
                for item in each(target):
                    self.passed[item] = self.passed.get(item, BOTTOM) | self.expression_text(passed)
                return target
            if entry.flag("identity") is not None or entry.flag("intrinsic") in _IDENTITY:
                return target
            given = entry.flag("decorates")
            if given is not None:
                value = ANY if given in {"", "any"} else self.decorated_argument(given)
                outer, self.serving = self.serving, self._library_of(atom)
                self._call_decorated(target, value)
                self.serving = outer
                made = entry.result
                return target | (
                    self.expression(made, {}, set(), "", line) if made is not None and made.op == "instance" else BOTTOM
                )
        if isinstance(atom, Closure | Class) or (
            isinstance(atom, Object) and self.heap(atom).kind in {"instance", "partial"}
        ):
            return self.call(frozenset({atom}), Args([target]), line)
        if isinstance(atom, Const):
            return target
        self.leak(target)
        if isinstance(atom, Lib | Instance | Bound):
            self.call(frozenset({atom}), Args([target]), line)
        return target

    def decorator_value(
        self, name: str, entry: Entry, env: dict[str, Value], given: set[str], args: Args, line: int
    ) -> Value:
        """A call of what decorates: it makes a decorator, or was given the function at once; the call does not tell which."""
        target = frozenset(atom for atom in self.first(args) if self.may_be_called(atom))
        made = self.allocate_at(line, "decorator")
        self.decorators[made.index] = entry
        self.heap(made).origin = self.serving
        self.write(self.heap(made).bag, target)
        for value in args.everything():
            self.hand_over(value - target)
        if entry.flag("looks") is not None:
            self.looked_at(target)
        out: Value = frozenset({made})
        called_with = entry.flag("decorates")
        if called_with in {"", "any"}:
            self.widen_universe(name)  # whoever calls the function may pass what the library has
        if target and called_with is not None:
            self._call_decorated(target, ANY if called_with in {"", "any"} else self.decorated_argument(called_with))
        if target and entry.result is not None:
            out = out | frozenset(
                atom for atom in self.expression(entry.result, env, given, name, line) if not isinstance(atom, Const)
            )
        return out

    def may_be_called(self, atom: Atom) -> bool:
        """Whether a value is a function, or an object that acts as one."""
        if isinstance(atom, Object):
            return self.heap(atom).kind in {"instance", "partial", "getter", "decorator"}
        return isinstance(atom, Closure | Bound | Class | Lib)

    def call_decorator(self, atom: Object, args: Args, line: int) -> Value:
        """The decorator is applied by hand; if it was given a function at once, that function is called."""
        target = frozenset(item for item in self.first(args) if self.may_be_called(item))
        out = self.decorate(frozenset({atom}), target, line) if target else BOTTOM
        return out | self.call(self.read(self.heap(atom).bag), args, line)

    def decorator_entry(self, atom: Atom) -> Entry | None:
        """The summary line of what is used as a decorator (a function, or the result of a call that makes one)."""
        if isinstance(atom, Lib):
            owner, _, member = atom.name.rpartition(".")
            found = self.library().member(owner, member) if owner else None
            return found if isinstance(found, Entry) else None
        if isinstance(atom, Object) and self.heap(atom).kind == "decorator":
            return self.decorators.get(atom.index)
        return None

    def _library_of(self, atom: Atom) -> str:
        """The library whose decorator this is."""
        if isinstance(atom, Object):
            return self.heap(atom).origin
        name = (
            atom.name
            if isinstance(atom, Lib)
            else atom.function.name
            if isinstance(atom, Bound) and isinstance(atom.function, Lib)
            else ""
        )
        return self.library().top_of(name)

    def _call_decorated(self, target: Value, argument: Value) -> None:
        for atom in each(target):
            if isinstance(atom, Closure):
                own = self.receiver_of(atom)
                args = Args([self.passed[atom]] if atom in self.passed else [], star=argument, keyword_star=argument)
                frame = self.activation(atom, args.with_receiver(own) if own is not None else args)
                if not frame.evaluated:
                    self.enqueue(frame)
                self.leak_result(frame)
                self.keep(self.read(frame.result), self.current_line)
            else:
                self.leak_atom(atom)

    # ── partial applications ──

    def make_partial(self, callee: Value, args: Args, line: int) -> Value:
        """A callable that remembers arguments."""
        made = self.allocate_at(line, "partial")
        heap = self.heap(made)
        self.write(self.field(heap, " callee"), callee)
        for i, value in enumerate(args.positional):
            self.write(self.position(heap, i), value)
        for name, value in args.keywords.items():
            self.write(self.field(heap, name), value)
            if name in args.perhaps:
                self.write(self.field(heap, " perhaps"), lit(name))
        self.write(heap.bag, args.star)
        self.write(heap.keys, args.keyword_star)
        return frozenset({made})

    def _partial_member(self, heap: Heap, atom: Object, name: str, line: int) -> Value:
        if name == "func":
            return self.read(self.field(heap, " callee"))
        made = self.allocate(self.slot(atom, name), "tuple" if name == "args" else "dict", line)
        if name == "args":
            self.copy_into(self.heap(made), heap)
        else:  # the dictionary that later calls pass on
            view = self.heap(made)
            view.fields, view.bag, view.origin = heap.fields, heap.keys, VIEW
        return frozenset({made})

    def call_partial(self, heap: Heap, args: Args, line: int) -> Value:
        """Call what a partial application remembers."""
        keywords = {name: self.read(cell) for name, cell in heap.fields.items() if not name.startswith(" ")}
        noted = self.read(self.field(heap, " perhaps"))
        perhaps = frozenset(literals(noted) or keywords) if noted else frozenset()
        words = [self.read(cell) for cell in heap.prefix]
        remembered = Args(words, keywords, self.read(heap.bag), self.read(heap.keys), perhaps)
        return self.call(self.read(self.field(heap, " callee")), args.behind(remembered), line)

    # ── context managers, awaiting, operators of instances ──

    def enter(self, value: Value, line: int) -> Value:
        """What `with value as x` binds."""
        out: Value = BOTTOM
        for atom in each(value):
            if isinstance(atom, Object) and self.heap(atom).kind == "instance" and self.heap(atom).cls >= 0:
                method = self.member(frozenset({atom}), "__enter__", line) or self.member(
                    frozenset({atom}), "__aenter__", line
                )
                out = out | (self.call(method, Args(), line) if method else frozenset({atom}))
            elif isinstance(atom, Object) and self.heap(atom).kind == "iter":
                out = out | self.elements(frozenset({atom}), line)
            elif isinstance(atom, Instance):
                found = self.library().member(atom.cls, "__enter__")
                explicit = isinstance(found, Entry) and found.name == "__enter__"
                out = out | (
                    self.call_method(f"{atom.cls}.__enter__", atom, Args(), line) if explicit else frozenset({atom})
                )
            else:
                out = out | {atom}
        return out

    def awaited(self, value: Value, line: int) -> Value:
        """A promise is transparent: awaiting gives what it stands for."""
        if self.language() == "js":
            self.ask_proxies(value, "then", line)
        out: Value = BOTTOM
        for atom in each(value):
            if isinstance(atom, Object) and self.language() == "python":
                out = out | self._awaited_object(atom, line)
                continue
            if isinstance(atom, Instance):
                found = self.library().member(atom.cls, "__await__")
                if isinstance(found, Entry) and found.name == "__await__":
                    out = out | self.call_method(f"{atom.cls}.__await__", atom, Args(), line)
                    continue
            if isinstance(atom, Object) and self.language() == "js" and (own := self._own_then(atom, line)):
                out = out | self._settled(own, line)
                continue
            out = out | {atom}
        return out

    def _own_then(self, atom: Object, line: int) -> Value:
        """JavaScript: the method `then` that the skill wrote for an object, which awaiting calls."""
        heap = self.heap(atom)
        own = self.read(heap.fields["then"]) if "then" in heap.fields else BOTTOM
        if heap.kind == "instance" and heap.cls >= 0:
            own = own | self.class_member(heap.cls, "then")
        return self.with_this(frozenset(item for item in own if isinstance(item, Closure)), frozenset({atom}))

    def _settled(self, then: Value, line: int) -> Value:
        holder = self.allocate(self.slots.setdefault((self.frame.index, f"then {line}"), object()), "promise", line)
        hands: list[Value] = [
            frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), holder)}) for name in ("resolve", "reject")
        ]
        self.call(then, Args(hands), line)
        return self.read(self.heap(holder).bag) or self.settle(BOTTOM)

    def _awaited_object(self, atom: Object, line: int) -> Value:
        """A generator gives what it returns, an object what its `__await__` says."""
        heap = self.heap(atom)
        if heap.kind == "iter" and " result" in heap.fields:
            return self.read(heap.fields[" result"])
        made = self.special(atom, ("__await__",), [], line)
        return self.awaited(made, line) if made else frozenset({atom})


_IDENTITY = frozenset({"dataclass", "staticmethod", "classmethod", "property", "singledispatch"})
