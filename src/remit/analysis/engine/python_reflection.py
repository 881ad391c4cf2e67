"""Reflection in Python: members and modules by name, namespaces as dictionaries, text that becomes code, types made at run time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    ARG,
    BOTTOM,
    NOTHING,
    SOME_TEXT,
    UNKNOWN,
    Anything,
    Atom,
    Class,
    Data,
    Instance,
    Lib,
    Object,
    Text,
    Value,
    lit,
)
from remit.analysis.each import each
from remit.analysis.engine.marks import VIEW
from remit.analysis.engine.python_options import PythonOptions
from remit.analysis.engine.texts import literals, texts_of

if TYPE_CHECKING:
    from remit.analysis.engine.frames import Args


class PythonReflection(PythonOptions):
    """What getattr, vars, eval, import_module and their kin do."""

    def _getattr(self, receiver: Atom | None, args: Args, line: int) -> Value:
        base, name = self.first(args), self.first(args, 1)
        out: Value = args.positional[2] if len(args.positional) > 2 else BOTTOM
        names = literals(name)
        for atom in each(base):
            if names is not None:
                for word in names:
                    out = out | self.member(frozenset({atom}), word, line)
            else:
                out = out | self.computed_member(atom, name, line)
        return out

    def _setattr(self, receiver: Atom | None, args: Args, line: int) -> Value:
        base, name, value = self.first(args), self.first(args, 1), self.first(args, 2)
        names = literals(name)
        for atom in each(base):
            if names is not None:
                for word in names:
                    self.store_attr(atom, word, value, line)
            elif isinstance(atom, Object):
                self.put(self.heap(atom), name, value)
                if self.heap(atom).escaped:
                    self.leak(value)
            else:
                self.store_item(atom, name, value, line)
        return NOTHING

    def _vars(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if not args.positional:
            return self._locals(receiver, args, line)
        out: Value = BOTTOM
        for atom in each(self.first(args)):
            if isinstance(atom, Object) and self.heap(atom).kind == "parser":
                made = self.allocate(self.slot(atom, "vars"), "dict", line)
                self.heap(made).fields, self.heap(made).origin = self.heap(atom).fields, VIEW
                self.write(self.heap(made).bag, frozenset({Data(ARG)}))
                out = out | {made}
            elif isinstance(atom, Object):
                out = out | {self.fields_as_dict(atom, self.heap(atom))}
            elif isinstance(atom, Data):
                out = out | {atom}
            else:
                self.leak_atom(atom)
                out = out | self.opaque("`vars` of a module or class gives its members by computed names", line)
        return out

    def _dir(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.collection(self.call_term or line, "list", SOME_TEXT, line)

    def _globals(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({self.module_namespace(self.frame.loaded)})

    def object_item(self, atom: Object, key: Value, line: int) -> Value:
        """`globals()[name]` is a name of the module."""
        heap = self.heap(atom)
        if heap.kind == "namespace":
            return self.namespace_item(heap, key, line)
        return super().object_item(atom, key, line)

    def _locals(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({self.frame_namespace(self.frame)})

    def _eval(self, receiver: Atom | None, args: Args, line: int) -> Value:
        code = self.settle(self.first(args))
        spaces = BOTTOM.union(*args.positional[1:], *args.keywords.values())
        for atom in each(spaces):
            if not isinstance(atom, Object):
                self.leak_atom(atom)
        value = self.run_text("python", frozenset(texts_of(code)), line, spaces) if code else BOTTOM
        return value | NOTHING if literals(code) is not None else value | ANY

    def _import_name(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.import_computed(
            self.settle(self.first(args)), line, self.first(args, 1) | args.keywords.get("package", BOTTOM)
        )

    def _dunder_import(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`__import__("a.b")` gives `a`, unless it is asked for members of `a.b`."""
        name = self.settle(self.first(args))
        found = self.import_computed(name, line)
        dotted = [word for word in literals(name) or () if "." in word]
        if not dotted or len(args.positional) > 3 or "fromlist" in args.keywords or args.star:
            return found
        return self.import_computed(frozenset(Text((word.partition(".")[0],)) for word in dotted), line)

    def _resolve_name(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`package.module:object.member`, or the same with dots alone."""
        names = literals(self.settle(self.first(args)))
        if names is None:
            return self.import_computed(self.first(args), line)
        out: Value = BOTTOM
        for name in names:
            module, colon, members = name.partition(":")
            if not colon:
                module, _, members = name.partition(".")
            found = self.import_computed(lit(module), line)
            for member in members.split(".") if members else ():
                found = self.member(found, member, line)
            out = out | found
        return out

    def _bare_super(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.opaque("`super` outside of a method", line)

    def _type(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if len(args.positional) > 1:
            self.leak_all(args)
            return self.opaque("a class is made at run time", line, "write a class statement")
        out: Value = BOTTOM
        for atom in each(self.first(args)):
            if isinstance(atom, Object) and self.heap(atom).cls >= 0 and self.heap(atom).kind == "instance":
                out = out | {Class(self.heap(atom).cls)}
            elif isinstance(atom, Instance):
                out = out | {Lib(atom.cls)}
            elif isinstance(atom, Anything | Class):
                out = out | ANY
            else:
                out = out | {Data(UNKNOWN)}
        return out
