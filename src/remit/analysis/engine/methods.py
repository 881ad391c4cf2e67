"""Methods of built-in types: text, lists, dictionaries, sets, iterators and promises of both languages."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    MISSING,
    NOTHING,
    PERHAPS,
    SEGMENT,
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
    hole,
    lit,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.heap import or_missing
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.strings import field_paths, javascript_string, javascript_words, python_string
from remit.analysis.engine.texts import derived

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Method


class Methods(EnginePart):
    """What the languages provide without an import."""

    arrays: engine.ArrayMethods
    containers: engine.ContainerMethods
    data_flow: engine.DataFlow
    decorators: engine.Decorators
    js_objects: engine.JavaScriptObjects
    python_objects: engine.PythonObjects

    def plain_method(self, name: str, receiver: Atom, args: Args, line: int) -> Value:  # noqa: C901, PLR0911, PLR0912  one case for each kind of value
        """A method of text or of a collection; `name` is `kind.method`."""
        kind, _, method = name.partition(".")
        if kind == "function" and method == "register":
            return self.members.register(receiver, args)
        if kind == "function":
            return self.js_objects.function_method(method, receiver, args, line)
        if kind == "promise":
            return self._promise(method, receiver, args, line)
        if kind == "number":  # written as text: digits, and letters if there is a base; never a slash, never `.` alone
            return hole(UNKNOWN, SEGMENT, exact=False)
        if kind == "text":
            return self._text_method(method, receiver, args, line)
        if kind == "manager":
            return self.decorators.enter(frozenset({receiver}), line) if "enter" in method else NOTHING
        if kind == "type" and isinstance(receiver, Class):
            return self.calls.make_instance(receiver, args, line)
        if kind == "unbound":
            return self.python_objects.unbound_method(
                receiver.name if isinstance(receiver, Lib) else "", method, args, line
            )
        if kind == "plain":  # what every object has: nothing of it acts, and a skill's own is live anyway
            if method in {"toString", "toLocaleString"}:
                return SOME_TEXT
            return frozenset({receiver}) if method == "valueOf" else SOME_BOOL
        if kind == "borrowed":  # a method of a prototype, called on the prototype itself
            for value in args.everything():
                self.leaks.leak(value)
            return frozenset({Data(UNKNOWN)})
        assert isinstance(receiver, Object)
        table: dict[tuple[str, str], Method] = self._tables[self.run.language()]
        handler = table.get((kind, method)) or table.get(("*", method))
        if handler is None:
            for value in args.everything():
                self.leaks.leak(value)
            return self.elements.iterate(frozenset({receiver}), line) | SOME_NUM
        return handler(self.objects.heap(receiver), receiver, args, line)

    # ── text ──

    def words(self, value: Value) -> Value:
        """JavaScript: a value as `+` and templates write it. What may be missing is then the word `undefined`: that is looked at where
        the skill has something of this name."""
        if MISSING in value and self.cells.read(self.objects.called_undefined):
            value = (value - PERHAPS) | {UNDEFINED}
        return javascript_words(value)

    def _text_method(self, method: str, receiver: Atom, args: Args, line: int) -> Value:
        value: Value = frozenset({receiver})
        for argument in args.everything():
            if self.run.language() == "js" or method not in {"join", "format"}:
                self._call_text_callback(argument, value, line)
        if self.run.language() == "python":
            if method == "join":
                return self.containers.join_text(value, args.at(0), line)
            if method in {"format", "format_map"}:
                self._walk_fields(receiver, args, line)
            return self._materialise(python_string(method, value, args), receiver, line)
        return self._materialise(javascript_string(method, value, args), receiver, line)

    def _walk_fields(self, receiver: Atom, args: Args, line: int) -> None:
        """`"{0.a.b} {x[k]}".format(…)` reads attributes and elements, and shows what it finds."""
        for value in args.everything():
            self.summaries.show(value, line)
        for first, steps in field_paths(receiver.literal if isinstance(receiver, Text) else None):
            found = args.keywords.get(first, args.keyword_star) if isinstance(first, str) else args.at(first)
            for attribute, name in steps:
                found = (
                    self.members.member(found, name, line) if attribute else self.elements.item(found, lit(name), line)
                )
            self.summaries.show(found, line)

    def _call_text_callback(self, argument: Value, subject: Value, line: int) -> None:
        for atom in each(argument):
            if isinstance(atom, (Closure, Bound, Lib, Class)) or (self.objects.is_a(atom, "partial")):
                self.calls.call(frozenset({atom}), Args([derived(subject)], star=derived(subject)), line)

    def _materialise(self, result: Value | list[Value] | tuple[Value, ...], receiver: Atom, line: int) -> Value:
        """A list of known texts becomes an object; `(value,)` a list of unknown length."""
        if isinstance(result, frozenset):
            return result
        made = self.objects.allocate_each(self.run.call_term or line, receiver, "list", line)
        words, rest = ([], result[0]) if isinstance(result, tuple) else (result, BOTTOM)
        self.stores.fill(self.objects.heap(made), words, rest)
        return frozenset({made})

    # ── promises: a promise is the value it will have ──

    def _promise(self, method: str, receiver: Atom, args: Args, line: int) -> Value:
        value: Value = frozenset({receiver})
        if method == "then":
            out = self.calls.call(args.at(0), Args([or_missing(value)]), line)  # it may be kept without a value
            if len(args.positional) > 1:
                self.data_flow.caught()
                out = out | self.calls.call(args.positional[1], Args([ANY]), line)
            return out if args.positional else value
        if method == "catch":
            self.data_flow.caught()
            return value | self.calls.call(args.at(0), Args([ANY]), line)
        self.calls.call(args.at(0), Args(), line)
        return value

    @cached_property
    def _tables(self) -> dict[str, dict[tuple[str, str], Method]]:
        """Language → methods of its collections, by kind and name."""
        return {
            "python": self.containers.python_methods(),
            "js": self.containers.javascript_methods() | self.arrays.javascript_methods(),
        }
