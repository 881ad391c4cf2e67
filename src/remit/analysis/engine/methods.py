"""Methods of built-in types: text, lists, dictionaries, sets, iterators and promises of both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis import ir
from remit.analysis.domain import (
    ANY,
    BOTTOM,
    NOT_NEGATIVE,
    NOTHING,
    SOME_BOOL,
    SOME_NUM,
    SOME_TEXT,
    UNKNOWN,
    Anything,
    Atom,
    Bound,
    Class,
    Closure,
    Data,
    Lib,
    Object,
    Text,
    Value,
    lit,
)
from remit.analysis.engine.collections import Collections
from remit.analysis.engine.frames import Args
from remit.analysis.engine.strings import field_paths, javascript_string, python_string
from remit.analysis.engine.texts import concat_values, derived
from remit.analysis.python.building import STEPS

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.analysis.engine.heap import Heap


class Methods(Collections):
    """What the languages provide without an import."""

    def builtin_method(self, name: str, receiver: Atom, args: Args, line: int) -> Value:
        """A method of text or of a collection; `name` is `kind.method`."""
        kind, _, method = name.partition(".")
        if kind == "function":
            return self.function_method(method, receiver, args, line)
        if kind == "promise":
            return self._promise(method, receiver, args, line)
        if kind == "text":
            return self._text_method(method, receiver, args, line)
        if kind == "manager":
            return self.enter(frozenset({receiver}), line) if "enter" in method else NOTHING
        if kind == "type" and isinstance(receiver, Class):
            return self.make_instance(receiver, args, line)
        if kind == "unbound":
            return self.unbound_method(receiver.name if isinstance(receiver, Lib) else "", method, args, line)
        if kind == "plain":  # what every object has: nothing of it acts, and a skill's own is live anyway
            return (
                SOME_TEXT
                if method in {"toString", "toLocaleString"}
                else frozenset({receiver})
                if method == "valueOf"
                else SOME_BOOL
            )
        if kind == "borrowed":  # a method of a prototype, called on the prototype itself
            for value in args.everything():
                self.leak(value)
            return frozenset({Data(UNKNOWN)})
        assert isinstance(receiver, Object)
        table = _PYTHON if self.language() == "python" else _JAVASCRIPT
        handler = table.get((kind, method)) or table.get(("*", method))
        if handler is None:
            for value in args.everything():
                self.leak(value)
            return self.elements(frozenset({receiver}), line) | SOME_NUM
        return handler(self, self.heap(receiver), receiver, args, line)

    def first(self, args: Args, index: int = 0) -> Value:
        """A positional argument, or nothing."""
        return args.positional[index] if index < len(args.positional) else args.star

    def make_instance(self, cls: Class, args: Args, line: int) -> Value:
        """See `calls`."""
        raise AssertionError

    # ── text ──

    def _text_method(self, method: str, receiver: Atom, args: Args, line: int) -> Value:
        value: Value = frozenset({receiver})
        for argument in args.everything():
            if self.language() == "js" or method not in {"join", "format"}:
                self._call_text_callback(argument, value, line)
        if self.language() == "python":
            if method == "join":
                return self._join_text(value, self.first(args), line)
            if method in {"format", "format_map"}:
                self._walk_fields(receiver, args, line)
            return self._materialise(python_string(method, value, args), line)
        return self._materialise(javascript_string(method, value, args), line)

    def _walk_fields(self, receiver: Atom, args: Args, line: int) -> None:
        """`"{0.a.b} {x[k]}".format(…)` reads attributes and elements, and shows what it finds."""
        for value in args.everything():
            self.show(value, line)
        for first, steps in field_paths(receiver.literal if isinstance(receiver, Text) else None):
            found = args.keywords.get(first, args.keyword_star) if isinstance(first, str) else self.first(args, first)
            for attribute, name in steps:
                found = self.member(found, name, line) if attribute else self.item(found, lit(name), line)
            self.show(found, line)

    def _call_text_callback(self, argument: Value, subject: Value, line: int) -> None:
        for atom in argument:
            if isinstance(atom, Closure | Bound | Lib | Class) or (
                isinstance(atom, Object) and self.heap(atom).kind == "partial"
            ):
                self.call(frozenset({atom}), Args([derived(subject)], star=derived(subject)), line)

    def _materialise(self, result: Value | list[Value] | tuple[Value, ...], line: int) -> Value:
        """A list of known texts becomes an object; `(value,)` a list of unknown length."""
        if isinstance(result, frozenset):
            return result
        made = self.allocate_at(line, "list")
        heap = self.heap(made)
        if isinstance(result, tuple):
            self.write(heap.bag, result[0])
        else:
            for i, value in enumerate(result):
                self.write(self.position(heap, i), value)
        return frozenset({made})

    def allocate_at(self, line: int, kind: str) -> Object:
        """The object that the call being evaluated makes."""
        return self.allocate(self.call_term if self.call_term is not None else line, kind, line)

    def _join_text(self, separator: Value, items: Value, line: int) -> Value:
        out: Value = BOTTOM
        for atom in items:
            heap = self.heap(atom) if isinstance(atom, Object) else None
            if heap is not None and not self.read(heap.bag) and heap.prefix and not heap.escaped:
                pieces: list[Value] = []
                for i, cell in enumerate(heap.prefix):
                    if i:
                        pieces.append(separator)
                    pieces.append(self.read(cell))
                out = out | concat_values(pieces)
            elif heap is not None:
                out = out | derived(self.elements(frozenset({atom}), line) | separator)
            else:
                out = out | derived(frozenset({atom}) | separator)
        return out

    # ── promises: a promise is the value it will have ──

    def _promise(self, method: str, receiver: Atom, args: Args, line: int) -> Value:
        value: Value = frozenset({receiver})
        if method == "then":
            out = self.call(self.first(args), Args([value]), line)
            if len(args.positional) > 1:
                out = out | self.call(args.positional[1], Args([ANY]), line)
            return out if args.positional else value
        if method == "catch":
            return value | self.call(self.first(args), Args([ANY]), line)
        self.call(self.first(args), Args(), line)
        return value

    # ── handlers ──

    def _append(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self._step(heap, list(args.positional) if not args.star else None, line)
        for value in [*args.positional, args.star]:
            self.write(heap.bag, value)
            if heap.escaped:
                self.leak(value)
        return NOTHING if self.language() == "python" else SOME_NUM

    def _extend(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self._step(heap, self.step_words(self.first(args)), line)
        for value in [*args.positional, args.star]:
            self.write(heap.bag, self.elements(value, line))
            if heap.escaped:
                self.leak(value)
        return NOTHING

    def _step(self, heap: Heap, words: list[Value] | None, line: int) -> None:
        """A step of a list that is built, if this very call takes it."""
        term = self.call_term
        direct = isinstance(term, ir.Call) and isinstance(term.callee, ir.Attr) and term.callee.name in STEPS
        self.add_step(heap, words if direct else None, line, term, self.operands)

    def _insert(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for value in args.positional[1:] or [args.star]:
            self.write(heap.bag, value)
        self.lose_order(heap)
        return NOTHING

    def _unshift(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for value in [*args.positional, args.star]:
            self.write(heap.bag, value)
        self.lose_order(heap)
        return SOME_NUM

    def _take(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        if heap.kind == "list":
            self.lose_order(heap)
        return self.elements(frozenset({atom}), line) if heap.kind != "dict" else self._get(heap, atom, args, line)

    def _shuffle(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for value in args.everything():
            element = self.elements(frozenset({atom}), line)
            self.call(value, Args([element, element]), line)
        self.lose_order(heap)
        return frozenset({atom})

    def _copy(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        made = self.allocate_at(line, heap.kind)
        if made != atom:
            self.copy_into(self.heap(made), heap)
        return frozenset({made})

    def _get(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        key = self.first(args)
        found = self.object_item(atom, key, line)
        default = args.positional[1] if len(args.positional) > 1 else BOTTOM if found else NOTHING
        return found | default | (NOTHING if self.language() == "python" and len(args.positional) < 2 else BOTTOM)

    def _setdefault(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        value = args.positional[1] if len(args.positional) > 1 else NOTHING
        self.put(heap, self.first(args), value)
        return self.object_item(atom, self.first(args), line)

    def _update(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for value in [*args.positional, args.star]:
            self.spread_mapping(heap, value)
            for item in value:
                if isinstance(item, Object) and self.heap(item).kind in {"list", "tuple", "iter", "set"}:
                    pairs = self.elements(frozenset({item}), line)
                    self.write(heap.bag, self.elements(pairs, line))
        for name, value in args.keywords.items():
            self.write(self.field(heap, name), value)
        self.write(heap.bag, args.keyword_star)
        if heap.escaped:
            for value in args.everything():
                self.leak(value)
        return NOTHING

    def _set_add(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self._append(heap, atom, args, line)
        return frozenset({atom})

    def _keys_of(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return self.collection(self.slot(atom, "keys"), "iter", self.keys(frozenset({atom})), line)

    def _values(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return self.collection(self.slot(atom, "values"), "iter", self.values_of(heap), line)

    def _items(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        keys = self.keys(frozenset({atom})) if heap.kind in {"dict", "map", "instance"} else SOME_NUM
        pair = self.allocate_pair(atom, keys, self.values_of(heap))
        return self.collection(self.slot(atom, "items"), "iter", frozenset({pair}), line)

    def slot(self, atom: Object, name: str) -> object:
        """A stable key for the views of an object."""
        return self.slots.setdefault((atom.index, name), object())

    def _pair(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return frozenset({self.allocate_pair(atom, self.keys(frozenset({atom})), self.values_of(heap))})

    def _bool(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return SOME_BOOL

    def _num(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return SOME_NUM

    def _index(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return NOT_NEGATIVE

    def _none(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return NOTHING

    def _some_text(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return SOME_TEXT

    def _sort(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        element = self.elements(frozenset({atom}), line)
        for value in args.everything():
            self.call(value, Args([element, element] if self.language() == "js" else [element]), line)
        self.lose_order(heap)
        return frozenset({atom}) if self.language() == "js" else NOTHING

    def _union(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "set")
        self.copy_into(self.heap(made), heap)
        for value in args.everything():
            self.write(self.heap(made).bag, self.elements(value, line))
        return frozenset({made})

    def _element(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for value in args.everything():
            self.leak(value)
        return self.elements(frozenset({atom}), line)

    # Python's records and special methods

    def _replaced(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "tuple")
        target = self.heap(made)
        for i, cell in enumerate(heap.prefix):
            self.write(self.position(target, i), self.read(cell))
        for name, cell in heap.fields.items():
            at = next((i for i, other in enumerate(heap.prefix) if other is cell), None)
            if at is not None:
                target.fields[name] = target.prefix[at]
            self.write(self.field(target, name), self.read(cell) | args.keywords.get(name, BOTTOM) | args.keyword_star)
        return frozenset({made})

    def _as_dict(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "dict")
        for name, cell in heap.fields.items():
            self.write(self.field(self.heap(made), name), self.read(cell))
        self.write(self.heap(made).bag, self.read(heap.bag))
        return frozenset({made})

    def _get_item(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return self.object_item(atom, self.first(args), line)

    def _set_item(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self.store_item(atom, self.first(args), self.first(args, 1), line)
        return NOTHING

    def _iterator(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return self.collection(self.slot(atom, "iterator"), "iter", self.elements(frozenset({atom}), line), line)

    # JavaScript callbacks

    def _callback(self, atom: Object, args: Args, line: int) -> tuple[Value, Value]:
        element = self.elements(frozenset({atom}), line)
        return element, self.call(self.first(args), Args([element, SOME_NUM, frozenset({atom})]), line)

    def _map(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        _, result = self._callback(atom, args, line)
        return self.collection(self.call_term or line, "list", result, line)

    def _flat(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        """Elements of lists in lists, to any depth."""
        out: set[Atom] = set()
        todo, seen = [atom], {atom}
        while todo:
            for item in self.elements(frozenset({todo.pop()}), line):
                out.add(item)
                if isinstance(item, Object) and item not in seen and self.heap(item).kind in {"list", "tuple"}:
                    seen.add(item)
                    todo.append(item)
        return self.collection(self.call_term or line, "list", frozenset(out), line)

    def _next(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        """`iterator.next(x)`: what is sent goes where the generator last yielded, which can be anywhere in it."""
        for value in args.everything():
            self.leak(value)
        made = self.allocate_at(line, "dict")
        result = self.heap(made)
        returned = heap.fields.get(" result")
        self.write(
            self.field(result, "value"),
            self.elements(frozenset({atom}), line) | (self.read(returned) if returned is not None else BOTTOM),
        )
        self.write(self.field(result, "done"), SOME_BOOL)
        return frozenset({made})

    def _flat_map(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        _, result = self._callback(atom, args, line)
        return self.collection(self.call_term or line, "list", self.elements(result, line) | result, line)

    def _filter(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        element, _ = self._callback(atom, args, line)
        return self.collection(self.call_term or line, "list", element, line)

    def _filter_all(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return self.collection(self.call_term or line, "list", self.elements(frozenset({atom}), line), line)

    def _for_each(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        if heap.kind == "map":
            self.call(self.first(args), Args([self.values_of(heap), self.read(heap.keys)]), line)
        else:
            self._callback(atom, args, line)
        return NOTHING

    def _find(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        return self._callback(atom, args, line)[0]

    def _some(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self._callback(atom, args, line)
        return SOME_BOOL

    def _find_index(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self._callback(atom, args, line)
        return SOME_NUM

    def _reduce(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        element = self.elements(frozenset({atom}), line)
        start = args.positional[1] if len(args.positional) > 1 else element
        slot = self.slot(atom, f"reduce {line}")
        holder = self.allocate(slot, "list", line)
        accumulator = self.read(self.heap(holder).bag) | start
        result = self.call(self.first(args), Args([accumulator, element, SOME_NUM, frozenset({atom})]), line)
        self.write(self.heap(holder).bag, result)
        return result | start

    def _join_array(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        separator = self.first(args) or frozenset({Text((",",))})
        return self._join_text(separator, frozenset({atom}), line)

    def _concat_array(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "list")
        target = self.heap(made)
        self.copy_into(target, heap)
        for value in args.everything():
            lists = frozenset(
                item for item in value if isinstance(item, Object) and self.heap(item).kind in {"list", "iter"}
            )
            self.write(target.bag, self.elements(lists, line) | (value - lists))
            if any(isinstance(item, Data | Anything) for item in value):
                self.write(target.bag, self.elements(value - lists, line))
        return frozenset({made})

    def _slice_array(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        start: int | None = 0
        if args.positional:
            number = next(iter(args.positional[0])) if len(args.positional[0]) == 1 else None
            low = getattr(number, "low", None)
            start = int(low) if low is not None and low == getattr(number, "high", None) and low >= 0 else None
        if len(args.positional) > 1:
            start = None
        return self.slice(frozenset({atom}), start, self.call_term or line)

    def _splice(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for value in args.positional[2:]:
            self.write(heap.bag, value)
        self.lose_order(heap)
        return self.collection(self.call_term or line, "list", self.elements(frozenset({atom}), line), line)

    def _fill(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        for cell in [*heap.prefix, heap.bag]:
            self.write(cell, self.first(args))
        return frozenset({atom})

    def _with(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        """A copy in which something is put: `with(index, value)`, `toSpliced(start, count, …values)`."""
        values = self.elements(frozenset({atom}), line).union(*args.everything())
        return self.collection(self.call_term or line, "list", values, line)

    def _map_set(self, heap: Heap, atom: Object, args: Args, line: int) -> Value:
        self.put(heap, self.first(args), self.first(args, 1))
        return frozenset({atom})

    # contracts

    def enter(self, value: Value, line: int) -> Value:
        """See `intrinsics`."""
        raise AssertionError

    def unbound_method(self, owner: str, method: str, args: Args, line: int) -> Value:
        """See `python_objects`."""
        raise AssertionError

    def function_method(self, method: str, receiver: Atom, args: Args, line: int) -> Value:
        """See `intrinsics`."""
        raise AssertionError


_M = Methods
_PYTHON: dict[tuple[str, str], Callable[[Methods, Heap, Object, Args, int], Value]] = {
    ("*", "append"): _M._append, ("*", "appendleft"): _M._unshift, ("*", "extend"): _M._extend, ("*", "extendleft"): _M._insert,
    ("list", "insert"): _M._insert, ("*", "pop"): _M._take, ("*", "popleft"): _M._take, ("*", "remove"): _M._take,
    ("list", "sort"): _M._sort, ("list", "reverse"): _M._shuffle, ("list", "rotate"): _M._shuffle, ("*", "copy"): _M._copy,
    ("*", "clear"): _M._none, ("*", "index"): _M._index, ("*", "count"): _M._num, ("dict", "get"): _M._get,
    ("dict", "items"): _M._items, ("dict", "keys"): _M._keys_of, ("dict", "values"): _M._values, ("dict", "popitem"): _M._pair,
    ("dict", "setdefault"): _M._setdefault, ("dict", "update"): _M._update, ("dict", "move_to_end"): _M._none,
    ("set", "add"): _M._append, ("set", "update"): _M._extend, ("*", "discard"): _M._none, ("*", "union"): _M._union,
    ("*", "intersection"): _M._union, ("*", "difference"): _M._union, ("*", "symmetric_difference"): _M._union,
    ("tuple", "_replace"): _M._replaced, ("tuple", "_asdict"): _M._as_dict, ("*", "__getitem__"): _M._get_item,
    ("*", "__setitem__"): _M._set_item, ("*", "__iter__"): _M._iterator, ("*", "__reversed__"): _M._iterator,
    ("*", "__len__"): _M._num, ("*", "__contains__"): _M._bool, ("*", "__eq__"): _M._bool, ("*", "__delitem__"): _M._none,
    ("*", "issubset"): _M._bool, ("*", "issuperset"): _M._bool, ("*", "isdisjoint"): _M._bool,
    ("dict", "most_common"): _M._items, ("dict", "total"): _M._num, ("iter", "send"): _M._element, ("iter", "__next__"): _M._element,
    ("iter", "__anext__"): _M._element, ("iter", "close"): _M._none, ("dict", "subtract"): _M._none,
}  # fmt: skip
_JAVASCRIPT: dict[tuple[str, str], Callable[[Methods, Heap, Object, Args, int], Value]] = {
    ("list", "push"): _M._append, ("*", "pop"): _M._take, ("*", "shift"): _M._take, ("list", "unshift"): _M._unshift,
    ("list", "splice"): _M._splice, ("list", "concat"): _M._concat_array, ("list", "map"): _M._map, ("list", "filter"): _M._filter,
    ("*", "forEach"): _M._for_each, ("list", "reduce"): _M._reduce, ("list", "reduceRight"): _M._reduce, ("list", "find"): _M._find,
    ("list", "findLast"): _M._find, ("list", "findIndex"): _M._find_index, ("list", "findLastIndex"): _M._find_index,
    ("list", "some"): _M._some, ("list", "every"): _M._some, ("list", "sort"): _M._sort, ("list", "toSorted"): _M._sort,
    ("list", "flat"): _M._flat, ("list", "flatMap"): _M._flat_map, ("list", "join"): _M._join_array, ("list", "slice"): _M._slice_array,
    ("list", "includes"): _M._bool, ("list", "indexOf"): _M._num, ("list", "lastIndexOf"): _M._num, ("list", "reverse"): _M._shuffle,
    ("list", "toReversed"): _M._shuffle, ("*", "keys"): _M._keys_of, ("*", "values"): _M._values, ("*", "entries"): _M._items,
    ("list", "with"): _M._with, ("list", "toSpliced"): _M._with, ("list", "copyWithin"): _M._shuffle,
    ("list", "fill"): _M._fill, ("list", "at"): _M._element, ("*", "toString"): _M._some_text, ("map", "get"): _M._get,
    ("map", "set"): _M._map_set, ("*", "has"): _M._bool, ("*", "delete"): _M._bool, ("*", "clear"): _M._none,
    ("set", "add"): _M._set_add, ("map", "add"): _M._set_add, ("dict", "hasOwnProperty"): _M._bool, ("iter", "next"): _M._next,
    ("weakref", "deref"): _M._element, ("list", "take"): _M._filter_all, ("list", "drop"): _M._filter_all, ("list", "toArray"): _M._filter_all,
}  # fmt: skip
