"""Terms and facts: what each evaluates to, and what it does to cells and objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remit.analysis import ir
from remit.analysis.domain import (
    ANY,
    BOTTOM,
    NOTHING,
    SOME_BOOL,
    UNREACHED,
    Anything,
    Atom,
    Class,
    Closure,
    Data,
    Module,
    Num,
    Object,
    Text,
    Value,
)
from remit.analysis.engine.definitions import Definitions
from remit.analysis.engine.frames import Args, Frame
from remit.analysis.engine.narrowing import passing, type_names
from remit.analysis.engine.strings import javascript_words
from remit.analysis.engine.tables import PROTOCOLS
from remit.analysis.engine.texts import concat_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.analysis.ir import Fact, Term


class Evaluator(Definitions):
    """Runs facts to a fixpoint."""

    def run(self) -> None:
        """Evaluate until nothing changes; then once more with what nothing reached taken as anything."""
        self._drain()
        self._activate_the_rest()
        self.count_held()
        self._drain()
        self.final = True
        for frame in list(self.frames):
            if frame.hollow:
                self.enqueue(frame)
        self._drain()
        self._activate_the_rest()
        self.count_held()
        self._drain()

    def _drain(self) -> None:
        while self.queue and not self.exhausted:
            frame = self.queue.popleft()
            frame.queued = False
            self.evaluate_frame(frame)

    def _activate_the_rest(self) -> None:
        """Every body is live: functions that nobody calls may still be called, with anything."""
        done = (-1, False)
        while done != (len(self.frames), self.calls_unknown) and not self.exhausted:
            done = (len(self.frames), self.calls_unknown)
            for frame in list(self.frames):
                self._activate_uncalled(frame)
            self._drain()

    def _activate_uncalled(self, frame: Frame) -> None:
        for index in frame.function.inner:
            function = frame.loaded.program.functions[index]
            if function.is_class_body or not self._live_unasked(function, frame):
                continue
            closure = Closure(frame.loaded.first_function + index, frame.index)
            if closure not in self._with_anything and (
                not self.is_activated(closure) or self._called_by_others(function, frame)
            ):
                self._with_anything.add(closure)
                leaks = (
                    frame.loaded.program.language == "js" or self.entries is not None
                )  # whoever calls it gets the result
                self.activate_with_anything(closure, leaks=leaks)

    def _live_unasked(self, function: ir.Function, frame: Frame) -> bool:
        """Whether a function may be called although nobody is seen to call it.

        In a package whose users are known, a name that they do not reach is not called.
        """
        return (
            self.entries is None or frame.loaded.file in self.entries or self.called_without_its_name(function, frame)
        )

    def called_without_its_name(self, function: ir.Function, frame: Frame) -> bool:
        """Whether a function may be called by somebody who does not name it.

        That is so of what a running function makes, of decorated functions, and in a class that someone mentions of special methods
        and overrides.
        """
        if function.decorated:
            return True
        outer: Frame | None = frame
        while outer is not None and outer.function.is_class_body:
            outer = outer.parent
        if outer is None or outer.parent is not None:
            return True
        special = function.name.startswith("_") and function.name.endswith(
            "_"
        )  # `__del__`, and `_missing_` of enumerations
        stands_in = (
            function.class_index is not None and function.name in PROTOCOLS
        )  # for a file, a mapping: libraries call it
        return (special or stands_in or self._called_by_others(function, frame)) and self._mentioned(frame)

    def _mentioned(self, body: Frame) -> bool:
        """Whether anyone gets hold of the class with this body; functions of no class are taken as mentioned."""
        cls = self.classes_of_body.get(body.index)
        if cls is None or self.classes[cls].info.decorated or body.parent is None:
            return True
        cell = body.parent.variables.get(self.classes[cls].info.name)
        return cell is None or bool(cell.readers) or Class(cls) in self._leaked

    def _called_by_others(self, function: ir.Function, frame: Frame) -> bool:
        """Whether a function is called without a call in the source: special methods, overrides of a library's methods."""
        if function.decorated:
            return True
        name = function.name
        if name == "__call__":  # a call of an object that is known to have it is seen
            return self.calls_unknown
        if name.startswith("__") and name.endswith("__"):
            return name not in _CALLED_EXPLICITLY
        cls = self.classes_of_body.get(frame.index)
        if cls is None or (name.startswith("_") and frame.loaded.program.language == "python"):
            return False
        if self.builtin_base(cls) is not None and frame.loaded.program.language == "js":
            return name in _CALLED_BY_COLLECTIONS
        return any(base not in _PLAIN_BASES for base in self.library_bases(cls))

    def evaluate_frame(self, frame: Frame) -> None:
        """All facts of one activation."""
        outer = getattr(self, "frame", frame)
        self.frame = frame
        frame.evaluated = True
        frame.hollow = False
        for parameter, default in frame.defaults:  # it may have grown since the call
            self.write(parameter, default.value)
        for fact in frame.function.facts:
            self.steps += 1
            self.fact(fact)
        if self.steps > self.budget and not self.exhausted:
            self.exhausted = True
            self.opaque("the analysis budget is spent", frame.function.line, "split the script into smaller ones")
        self.frame = outer

    # ── facts ──

    def fact(self, fact: Fact) -> None:
        """Carry out one fact."""
        _FACTS[type(fact)](self, fact)

    def _bind(self, fact: ir.Bind) -> None:
        value = self.eval(fact.term)
        owner = self.frame.owner(fact.owner)
        if owner is not None and value:
            if fact.name == "%thrown" or (self.language() == "python" and type(fact.term) is not ir.Import):
                self.hold(value)  # in JavaScript a declaration takes an import apart: only what goes elsewhere counts
            self.write(owner.cell(fact.name), value)

    def _set_attr(self, fact: ir.SetAttr) -> None:
        base, value = self.settle(self.eval(fact.base)), self.eval(fact.term)
        for atom in base:
            self.store_attr(atom, fact.name, value, fact.line)

    def _item_stored(self, fact: ir.SetItem) -> None:
        base, key, value = self.settle(self.eval(fact.base)), self.eval(fact.key), self.eval(fact.term)
        for atom in base:
            self.store_item(atom, key, value, fact.line)

    def _delete(self, fact: ir.Delete) -> None:
        base, key = self.settle(self.eval(fact.base)), self.eval(fact.key)
        for atom in base:
            self.delete_item(atom, key, fact.line)

    def _evaluate(self, fact: ir.Evaluate) -> None:
        self.eval(fact.term)

    def _return(self, fact: ir.Return) -> None:
        value = self.eval(fact.term)
        if self.frame.leaks_result:
            self.leak(value)
        self.hold(value)
        self.write(self.frame.yields if fact.yields else self.frame.result, value)

    def _star_import(self, fact: ir.StarImport) -> None:
        module = self.linker.imported(self, fact.name, fact.level, self.frame.loaded, fact.line)
        self.import_effects(module, fact.line)
        if module not in self.frame.loaded.star:
            self.frame.loaded.star.append(module)
            for frame in self.frames:
                if frame.loaded is self.frame.loaded and frame is not self.frame:
                    self.enqueue(frame)

    def _export(self, fact: ir.Export) -> None:
        value = self.eval(fact.term)
        exports = self.frame.loaded.exports
        self.hold(value)
        if fact.name is None:
            self.write(exports, value)
        else:
            self.write(self.exports_field(self.frame.loaded, fact.name), value)

    # ── terms ──

    def eval(self, term: Term) -> Value:
        """The value of a term in the current frame."""
        self.steps += 1
        return _TERMS[type(term)](self, term)

    def _known(self, term: ir.Known) -> Value:
        return term.value

    def _var(self, term: ir.Var) -> Value:
        owner = self.frame.owner(term.owner)
        if owner is None:
            return ANY
        cell = owner.cell(term.name)
        cell.readers[self.frame] = None
        return cell.value

    def _global(self, term: ir.Global) -> Value:
        return self.global_name(term.name, term.line)

    def _attr(self, term: ir.Attr) -> Value:
        return self.member(self.settle(self.eval(term.base)), term.name, term.line)

    def _item(self, term: ir.Item) -> Value:
        base, key = self.settle(self.eval(term.base)), self.eval(term.key)
        return self.item(base, key, term.line)

    def _slice(self, term: ir.Slice) -> Value:
        return self.slice(self.eval(term.base), term.start, term)

    def _star(self, term: ir.Star) -> Value:
        return self.elements(self.eval(term.term), 0)

    def _call(self, term: ir.Call) -> Value:
        callee = self.settle(self._callee(term.callee))
        args = self.arguments(term)
        out: Value = BOTTOM
        for atom in callee:
            self.call_term, self.operands = term, len(callee)
            out = out | self.call(frozenset({atom}), args, term.line, new=term.new)
        return out

    def _callee(self, term: Term) -> Value:
        """What is called. A method that its receiver does not have is still a method of that name, if the receiver was misjudged."""
        found = self.eval(term)
        if found or not self.final or type(term) is not ir.Attr or self.language() != "js":
            return found
        return self.member_of(Anything(), term.name, term.line)

    def arguments(self, term: ir.Call) -> Args:
        """The actual arguments of a call, `*` and `**` unfolded where they are known."""
        args = Args()
        for item in term.args:
            if isinstance(item, ir.Star):
                self.unfold(self.eval(item.term), args)
            elif args.star:
                args.star = args.star | self.eval(item)
            else:
                args.positional.append(self.eval(item))
        for name, word in term.keywords:
            if name is not None:
                args.keywords[name] = self.eval(word)
            else:
                inner = word.term if isinstance(word, ir.Star) else word
                self.unfold_keywords(self.eval(inner), args)
        return args

    def _concat(self, term: ir.Concat) -> Value:
        values = [self.settle(self.eval(part)) for part in term.parts]
        for value in values:
            self.show(value, term.line)
        return concat_values(values if self.language() == "python" else [javascript_words(value) for value in values])

    def _binary(self, term: ir.Binary) -> Value:
        left, right = self.settle(self.eval(term.left)), self.settle(self.eval(term.right))
        if term.op == "cmp":
            return self.compared(left, right, term.line) if self.language() == "python" else SOME_BOOL
        return self.operate(term.op, left, right, term)

    def _narrow(self, term: ir.Narrow) -> Value:
        value, tested = self.eval(term.term), self.eval(term.types)
        listed = frozenset(atom for atom in tested if isinstance(atom, Object))
        types = type_names((tested - listed) | self.elements(listed, term.line))
        if types is None:
            return value
        self.narrowing[self.frame] = None
        left = passing(value, types, self.objects, keep=term.keep, bytes_possible=self.bytes_possible)
        return left if left or not value else UNREACHED

    def _choice(self, term: ir.Choice) -> Value:
        out = self.eval(term.options[0])
        for option in term.options[1:]:
            out = out | self.eval(option)
        return out

    def _sequence(self, term: ir.Sequence) -> Value:
        """A list, tuple or set; where `*` unfolds one of several lists, one for each of them."""
        values = [
            self.eval(item.term) if isinstance(item, ir.Star) else self.settle(self.eval(item)) for item in term.items
        ]
        chosen = next(
            (i for i, item in enumerate(term.items) if isinstance(item, ir.Star) and self._are_lists(values[i])), None
        )
        if chosen is None:
            return frozenset({self._filled(self.allocate(term, term.kind, term.line), term, values)})
        out: set[Atom] = set()
        for atom in values[chosen]:
            assert isinstance(atom, Object)
            values[chosen] = frozenset({atom})
            out.add(self._filled(self.allocate_each(term, atom, term.kind, term.line), term, values))
        return frozenset(out)

    def _are_lists(self, value: Value) -> bool:
        """Whether a value is one of several lists, each known in order."""
        return len(value) > 1 and all(isinstance(atom, Object) and self.step_words(frozenset({atom})) for atom in value)

    def _filled(self, made: Object, term: ir.Sequence, values: list[Value]) -> Object:
        heap = self.heap(made)
        if term.kind == "list":
            self.begin_list(heap, term.line)
        open_ended = False
        position = 0
        for item, given in zip(term.items, values, strict=True):
            words = [given]
            if isinstance(item, ir.Star):
                words, rest = self.spread(given, term.line)
                if rest:
                    for value in (rest, *words):
                        self.write(heap.bag, value)
                    self.lose_steps(heap)
                    open_ended = True
                    continue
            for value in words:
                if open_ended or term.kind == "set":
                    self.write(heap.bag, value)
                else:
                    self.write(self.position(heap, position), value)
                    position += 1
        return made

    def _bag(self, term: ir.Bag) -> Value:
        made = self.allocate(term, term.kind, term.line)
        heap = self.heap(made)
        if term.key is not None:
            self.write(heap.keys, self.eval(term.key))
        self.write(heap.bag, self.eval(term.element))
        return frozenset({made})

    def _mapping(self, term: ir.Mapping) -> Value:
        made = self.allocate(term, "dict", term.line)
        heap = self.heap(made)
        for key, value_term in term.pairs:
            value = self.eval(value_term)
            if key is None:
                self.spread_mapping(heap, value)
            else:
                self.put(heap, self.eval(key), value)
        return frozenset({made})

    def _iterate(self, term: ir.Iterate) -> Value:
        return self.elements(self.settle(self.eval(term.term)), term.line)

    def _keys(self, term: ir.Keys) -> Value:
        return self.keys(self.settle(self.eval(term.term)))

    def _unpacked(self, term: ir.Element) -> Value:
        return self.item(self.settle(self.eval(term.term)), frozenset({Num(term.index, term.index)}), term.line)

    def _rest(self, term: ir.Rest) -> Value:
        return self.slice(self.eval(term.term), term.start, term)

    def _enter(self, term: ir.Enter) -> Value:
        return self.enter(self.settle(self.eval(term.term)), term.line)

    def _await(self, term: ir.Await) -> Value:
        return self.awaited(self.settle(self.eval(term.term)), term.line)

    def _part(self, term: ir.Part) -> Value:
        value = self.eval(term.term)
        if all(isinstance(atom, Data | Text | Num) for atom in value):
            return value
        self.leak(value)
        return ANY if value else BOTTOM

    def _throw(self, term: ir.Throw) -> Value:
        self.expose(self.eval(term.term))
        return BOTTOM

    def _catch(self, term: ir.Catch) -> Value:
        """Instances of the skill's own classes where the types are known; what they carry was exposed when they were thrown."""
        value = self.eval(term.types)
        types = frozenset(
            kind
            for atom in value
            for kind in (self.elements(frozenset({atom}), term.line) if isinstance(atom, Object) else (atom,))
        )
        if all(isinstance(kind, Class) for kind in types):
            return frozenset(
                found for kind in types if isinstance(kind, Class) for found in self.instances_of(kind.index, set())
            )
        return ANY

    def _decorate(self, term: ir.Decorate) -> Value:
        return self.decorate(self.settle(self.eval(term.decorator)), self.eval(term.target), term.line)

    def _super(self, term: ir.Super) -> Value:
        return self.super_of(term.cls, term.line)

    def _import(self, term: ir.Import) -> Value:
        module = self.linker.imported(self, term.name, term.level, self.frame.loaded, term.line)
        self.import_effects(module, term.line)
        if term.member is None:
            return module
        return self.imported_member(module, term, term.line)

    def _dynamic_import(self, term: ir.DynamicImport) -> Value:
        return self.import_computed(self.eval(term.name), term.line)

    def _unknown(self, term: ir.Unknown) -> Value:
        return self.opaque(term.reason, term.line)


_CALLED_EXPLICITLY = frozenset({"__init__", "__new__", "__enter__", "__post_init__"})
# Library classes that call nothing of what a subclass defines.
# What constructors and methods of JavaScript's collections call on an instance of a subclass.
_CALLED_BY_COLLECTIONS = frozenset(
    "set add has get keys values entries join push toJSON toString valueOf then constructor".split()
)
_PLAIN_BASES = frozenset(
    ["builtins.object", "abc.ABC", "typing.Protocol", "typing.Generic", "typing.NamedTuple", "typing.TypedDict", "enum.Enum", "enum.IntEnum",
     "enum.StrEnum", "enum.Flag", "builtins.Exception", "builtins.BaseException", "builtins.ValueError", "builtins.RuntimeError",
     "builtins.KeyError", "builtins.TypeError", "builtins.OSError", "globals.Error", "pydantic.BaseModel"]
)  # fmt: skip
_FACTS: dict[type, Callable[[Evaluator, Any], None]] = {
    ir.Bind: Evaluator._bind, ir.SetAttr: Evaluator._set_attr, ir.SetItem: Evaluator._item_stored, ir.Delete: Evaluator._delete,
    ir.Evaluate: Evaluator._evaluate, ir.Return: Evaluator._return, ir.StarImport: Evaluator._star_import, ir.Export: Evaluator._export,
}  # fmt: skip
_TERMS: dict[type, Callable[[Evaluator, Any], Value]] = {
    ir.Known: Evaluator._known, ir.Var: Evaluator._var, ir.Global: Evaluator._global, ir.Attr: Evaluator._attr, ir.Item: Evaluator._item,
    ir.Slice: Evaluator._slice, ir.Star: Evaluator._star, ir.Call: Evaluator._call, ir.Concat: Evaluator._concat, ir.Binary: Evaluator._binary,
    ir.Choice: Evaluator._choice, ir.Narrow: Evaluator._narrow, ir.Sequence: Evaluator._sequence, ir.Bag: Evaluator._bag, ir.Mapping: Evaluator._mapping,
    ir.MakeFunction: Evaluator._make_function, ir.MakeClass: Evaluator._make_class, ir.Iterate: Evaluator._iterate, ir.Keys: Evaluator._keys,
    ir.Element: Evaluator._unpacked, ir.Rest: Evaluator._rest, ir.Enter: Evaluator._enter, ir.Await: Evaluator._await, ir.Part: Evaluator._part,
    ir.Throw: Evaluator._throw, ir.Catch: Evaluator._catch,
    ir.Decorate: Evaluator._decorate, ir.Super: Evaluator._super, ir.Import: Evaluator._import, ir.DynamicImport: Evaluator._dynamic_import,
    ir.Unknown: Evaluator._unknown,
}  # fmt: skip
__all__ = ["NOTHING", "Evaluator", "Module"]
