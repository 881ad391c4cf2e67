"""Methods of built-in types: text, lists, dictionaries, sets, iterators and promises of both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    MISSING,
    NOTHING,
    PERHAPS,
    SOME_BOOL,
    SOME_NUM,
    SOME_TEXT,
    UNDEFINED,
    UNKNOWN,
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
from remit.analysis.each import each
from remit.analysis.engine.absence import or_missing
from remit.analysis.engine.arrays import ArrayMethods
from remit.analysis.engine.frames import Args
from remit.analysis.engine.strings import field_paths, javascript_string, javascript_words, python_string
from remit.analysis.engine.texts import derived

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.analysis.engine.heap import Heap


class Methods(ArrayMethods):
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

    def make_instance(self, cls: Class, args: Args, line: int) -> Value:
        """See `calls`."""
        raise AssertionError

    # ── text ──

    def words(self, value: Value) -> Value:
        """JavaScript: a value as `+` and templates write it. What may be missing is then the word `undefined`: that is looked at where
        the skill has something of this name."""
        if MISSING in value and self.read(self.called_undefined):
            value = (value - PERHAPS) | {UNDEFINED}
        return javascript_words(value)

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
            return self._materialise(python_string(method, value, args), receiver, line)
        return self._materialise(javascript_string(method, value, args), receiver, line)

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
        for atom in each(argument):
            if isinstance(atom, Closure | Bound | Lib | Class) or (
                isinstance(atom, Object) and self.heap(atom).kind == "partial"
            ):
                self.call(frozenset({atom}), Args([derived(subject)], star=derived(subject)), line)

    def _materialise(self, result: Value | list[Value] | tuple[Value, ...], receiver: Atom, line: int) -> Value:
        """A list of known texts becomes an object; `(value,)` a list of unknown length."""
        if isinstance(result, frozenset):
            return result
        made = self.allocate_each(self.call_term or line, receiver, "list", line)
        if isinstance(result, tuple):
            self.fill(self.heap(made), [], result[0])
        else:
            self.fill(self.heap(made), result)
        return frozenset({made})

    # ── promises: a promise is the value it will have ──

    def _promise(self, method: str, receiver: Atom, args: Args, line: int) -> Value:
        value: Value = frozenset({receiver})
        if method == "then":
            out = self.call(self.first(args), Args([or_missing(value)]), line)  # it may be kept without a value
            if len(args.positional) > 1:
                out = out | self.call(args.positional[1], Args([ANY]), line)
            return out if args.positional else value
        if method == "catch":
            return value | self.call(self.first(args), Args([ANY]), line)
        self.call(self.first(args), Args(), line)
        return value

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
    ("*", "append"): _M._append, ("*", "appendleft"): _M._unshift, ("*", "extend"): _M._extend, ("*", "extendleft"): _M._extend_left,
    ("list", "insert"): _M._insert, ("*", "pop"): _M._take, ("*", "popleft"): _M._take, ("*", "remove"): _M._take,
    ("list", "sort"): _M._sort, ("list", "reverse"): _M._shuffle, ("list", "rotate"): _M._shuffle, ("*", "copy"): _M._copy,
    ("*", "clear"): _M._emptied, ("*", "index"): _M._index, ("*", "count"): _M._num, ("dict", "get"): _M._get,
    ("dict", "items"): _M._items, ("dict", "keys"): _M._keys_of, ("dict", "values"): _M._values, ("dict", "popitem"): _M._pair,
    ("dict", "setdefault"): _M._setdefault, ("dict", "update"): _M._update, ("dict", "move_to_end"): _M._none,
    ("set", "add"): _M._append, ("set", "update"): _M._extend, ("*", "discard"): _M._none, ("*", "union"): _M._union,
    ("*", "intersection"): _M._union, ("*", "difference"): _M._union, ("*", "symmetric_difference"): _M._union,
    ("tuple", "_replace"): _M._replaced, ("tuple", "_asdict"): _M._as_dict, ("*", "__getitem__"): _M._get_item,
    ("*", "__setitem__"): _M._set_item, ("*", "__iter__"): _M._iterator, ("*", "__reversed__"): _M._iterator,
    ("*", "__len__"): _M._num, ("*", "__contains__"): _M._bool, ("*", "__eq__"): _M._bool, ("*", "__delitem__"): _M._emptied,
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
